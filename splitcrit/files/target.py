"""What may be a label: classes, and no measured numbers.

Main definitions: ``check_target``, ``MeasuredTarget``, ``are_numbers``.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from splitcrit.arguments import as_float
from splitcrit.files.texts import NEARLY, numbers
from splitcrit.frozen import complaint

MANY, FEW = 100, 10  # more numbers than that, with fewer rows each on average, are no classes
REMEDY = "cut it into classes first, at its quantiles for one, or fit a TreeRegressor, whose measure is of regression"


class MeasuredTarget(ValueError):
    """A label holds measured numbers, and no classes."""


def check_target(label: Any, names: tuple[Any, ...], rows: int) -> None:
    """Raise a ValueError if nearly all values of a label are measured numbers: fractions, or many that are rare.

    Examples
    --------
    >>> check_target("price", (0.5, 1.25), 10)
    Traceback (most recent call last):
    splitcrit.files.target.MeasuredTarget: a label is a class; got numbers such as 0.5 in 'price'; cut it into ...
    """
    found = np.array([number for name in names for number in _number(name)])
    if not len(found) or len(found) < NEARLY * len(names):
        return
    fraction = next((x for x in found.tolist() if x != np.floor(x)), None)
    if fraction is not None:
        raise MeasuredTarget(complaint("a label is a class", f"numbers such as {fraction} in {label!r}", REMEDY))
    if len(found) > MANY and rows < FEW * len(found):
        got = f"{len(found)} numbers in {label!r}, {rows / len(found):.1f} rows each on average"
        raise MeasuredTarget(complaint("a label is a class", got, REMEDY))


def are_numbers(names: Iterable[Any]) -> bool:
    """Return whether nearly all names of a label are numbers."""
    listed = [name for name in names if name is not None]
    return sum(len(_number(name)) for name in listed) >= NEARLY * len(listed) > 0


def _number(name: Any) -> list[float]:
    """Return a name as a number, nothing if it is none."""
    if isinstance(name, bool | np.bool_ | np.timedelta64):
        return []
    if isinstance(name, int | float | np.number | Fraction):
        return [as_float(name)]
    try:
        return [as_float(number) for number in numbers([name])] if isinstance(name, str) else []
    except ValueError:
        return []
