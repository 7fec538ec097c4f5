"""What a formula returns when somebody calls it: a number, or one sentence why not.

Main definitions: ``answer``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from splitcrit.arith import EXACT, Arithmetic, Irrational, rational
from splitcrit.frozen import complaint, is_ours

RULE = "the formula of {} gives a number for any counts"
REMEDY = "use + - * / and the operations of m: m.log, m.xlogx, m.sqrt, m.where and so on"


def attempted(name: str, formula: Callable[[Any, Arithmetic], Any], x: Any, m: Arithmetic) -> Any:
    """Return ``formula(x, m)``, or say in one sentence which error it raised."""
    try:
        with np.errstate(all="ignore"):
            return formula(x, m)
    except Exception as error:
        if is_ours(error) or isinstance(error, Irrational):
            raise
        raise ValueError(complaint(RULE.format(name), f"{type(error).__name__}: {error}", REMEDY)) from error


def answer(name: str, formula: Callable[[Any, Arithmetic], Any], x: Any, m: Arithmetic, shape: tuple[int, ...]) -> Any:
    """Return ``formula(x, m)``, a number for each item of a batch of this shape; a Fraction under EXACT.

    Raises
    ------
    ValueError
        If the formula raises an error, or returns nan, something that is no number, or another shape.
    splitcrit.arith.Irrational
        If it leaves the rationals under EXACT.
    """
    rule, found = RULE.format(name), attempted(name, formula, x, m)
    if m is EXACT:
        return rational(found)
    numbers = np.asarray(found)
    if numbers.dtype.kind not in "biuf" or numbers.shape != shape:
        got = f"{type(found).__name__} of shape {numbers.shape} for a batch of shape {shape}"
        raise ValueError(complaint(rule, got, REMEDY))
    if np.isnan(numbers).any():
        raise ValueError(complaint(rule, "nan", REMEDY))
    return found
