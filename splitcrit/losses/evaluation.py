"""What a formula returns when somebody calls it: a number, or one sentence why not.

Main definitions: ``answer``; ``in_floats`` (of a batch, as of each of its items alone), ``check_batches``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import is_dataclass
from types import FunctionType
from typing import Any

import numpy as np

from splitcrit.arith import EXACT, FLOAT, Arithmetic, Irrational, rational
from splitcrit.frozen import TRIED, complaint, is_ours

Formula = Callable[[Any, Arithmetic], Any]
ITEMS = 16  # of a batch that a formula is tried on
RULE = "the formula of {} gives a number for any counts"
REMEDY = "use + - * / and the operations of m: m.log, m.xlogx, m.sqrt, m.where for if, m.max and so on"


def attempted(name: str, formula: Formula, x: Any, m: Arithmetic) -> Any:
    """Return ``formula(x, m)``, or say in one sentence which error it raised."""
    try:
        with np.errstate(all="ignore"):
            return formula(x, m)
    except Exception as error:
        if is_ours(error) or isinstance(error, Irrational):
            raise
        raise ValueError(complaint(RULE.format(name), f"{type(error).__name__}: {error}", REMEDY)) from error


def answer(name: str, formula: Formula, x: Any, m: Arithmetic, shape: tuple[int, ...]) -> Any:
    """``formula(x, m)``, a number for each item of a batch of this shape; a Fraction under EXACT.

    Raises
    ------
    ValueError
        If the formula raises an error, or returns nan, something that is no number, or another shape.
    splitcrit.arith.Irrational
        If it leaves the rationals under EXACT.
    """
    rule = RULE.format(name)
    value = attempted(name, formula, x, m)
    if m is EXACT:
        return rational(value)
    numbers = np.asarray(value)
    if numbers.dtype.kind not in "biuf" or numbers.shape != shape:
        got = f"{type(value).__name__} of shape {numbers.shape} for a batch of shape {shape}"
        raise ValueError(complaint(rule, got, REMEDY))
    if np.isnan(numbers).any():
        raise ValueError(complaint(rule, "nan", REMEDY))
    return value


def in_floats(owner: Any, formula: Formula, x: Any, sizes: tuple[int, ...]) -> Any:
    """``formula(x, FLOAT)`` of a batch of distributions ``(K,)``, or of tables ``(r, K)``, as ``sizes`` say.

    Raises
    ------
    ValueError
        As ``answer``, or if a batch is not scored as its items are one by one.
    """
    shape = np.shape(x[0] if len(sizes) == 1 else x[0][0])
    scores = answer(owner.name, formula, x, FLOAT, shape)
    if shape:
        check_batches(owner, formula, sizes)
    return scores


def check_batches(owner: Any, formula: Formula, sizes: tuple[int, ...]) -> None:
    """Raise ValueError if a formula, a user's, scores items of a batch otherwise than it scores them alone.

    Such a formula takes a maximum or a sum of all the batch, or decides for all of it. It is tried once for items of
    each size, many of which lack classes; where it raises, the call that is to come says why.
    """
    tried = vars(owner).setdefault(TRIED, set())
    if sizes not in tried and not _of_library(owner):
        counts = np.random.default_rng(0).integers(0, 3, (math.prod(sizes), ITEMS)).astype(float)
        counts[0] += counts.sum(axis=0) == 0
        items = (counts / counts.sum(axis=0) if len(sizes) == 1 else counts).reshape(*sizes, ITEMS)
        alike = True
        with suppress(Exception), np.errstate(all="ignore"):
            alone = [formula(item, FLOAT) for item in np.moveaxis(items, -1, 0)]
            alike = np.allclose(formula(items, FLOAT), alone, rtol=1e-6, atol=1e-9, equal_nan=True)
        if not alike:
            raise ValueError(complaint(RULE.format(owner.name), "other numbers for a batch than one by one", REMEDY))
    tried.add(sizes)


def _of_library(value: Any) -> bool:
    """Whether a formula, and all that it is made of, is the library's own, which tests try."""
    home = value if isinstance(value, FunctionType) else type(value)
    formulas = [x for x in vars(value).values() if callable(x) or is_dataclass(x)] if is_dataclass(value) else []
    return str(home.__module__).startswith("splitcrit.") and all(map(_of_library, formulas))
