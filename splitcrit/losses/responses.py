"""Regression losses: class ``k`` stands for the response ``values[k]``, the action is one real number.

Main definitions: ``squared_error``, ``absolute_error``.

Source: yang2019 Table I.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import reals
from splitcrit.arith import Arithmetic, total
from splitcrit.losses.base import Loss


@dataclass(frozen=True)
class _Squared:
    """The squared distance of a number from the response of a class."""

    values: tuple[Any, ...]

    def __call__(self, w: Any, k: int, m: Arithmetic) -> Any:
        with np.errstate(over="ignore"):  # an infinite cost is a value
            return (w - m.number(self.values[k])) * (w - m.number(self.values[k]))


@dataclass(frozen=True)
class _Mean:
    """The mean response."""

    values: tuple[Any, ...]

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        return total([x * m.number(v) for x, v in zip(p, self.values, strict=True)])


@dataclass(frozen=True)
class _Absolute:
    """The distance of a number from the response of a class."""

    values: tuple[Any, ...]

    def __call__(self, w: Any, k: int, m: Arithmetic) -> Any:
        return m.abs(w - m.number(self.values[k]))


@dataclass(frozen=True)
class _Median:
    """The smallest response up to which half of the probability lies."""

    values: tuple[Any, ...]

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        order = sorted(range(len(self.values)), key=lambda k: self.values[k])
        median = m.number(self.values[order[-1]])
        above = p[order[-1]]
        for k in reversed(order[:-1]):
            median = m.where(2 * above <= 1, m.number(self.values[k]), median)
            above = above + p[k]
        return median


def responses(values: Any) -> tuple[Any, ...]:
    """Return the responses of the classes as a tuple of finite real numbers.

    Raises
    ------
    TypeError, ValueError
        If one is none, or there are none.
    """
    return reals(values, "the responses of the classes are finite real numbers", "pass a number for each class")


def squared_error(values: Any) -> Loss:
    """Return the squared error ``(w - values[k]) ** 2``; the best action is the mean.

    Notes
    -----
    Proved: impurity.variance_is_least_squared_error

    References
    ----------
    yang2019, Table I.

    Examples
    --------
    >>> squared_error((0, 1, 5))
    squared_error((0, 1, 5))
    """
    values = responses(values)
    return Loss(f"squared_error({values})", _Squared(values), _Mean(values), "line")


def absolute_error(values: Any) -> Loss:
    """Return the absolute error ``|w - values[k]|``; the best action is a median.

    Notes
    -----
    Proved: impurity.median_has_least_absolute_error

    References
    ----------
    yang2019, Table I.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from splitcrit.arith import EXACT
    >>> absolute_error((0, 1, 5)).act((Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)), EXACT)
    Fraction(1, 1)
    """
    values = responses(values)
    return Loss(f"absolute_error({values})", _Absolute(values), _Median(values), "line")
