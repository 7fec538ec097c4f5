"""How often mean and variance of a batch are rounded: the library's code, run on numbers that count their roundings.

A number with ``k`` roundings differs from the true one by at most ``k u/(1 - k u)`` of it, ``u = 2^-53``
(``null.roundings_add_up_in_sums_and_products``); a difference has as many as its terms, times how much larger they are.
Integers that are products of two counts, and sums of such, are exact up to 2^25 observations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from splitcrit.nulls import formulas
from splitcrit.nulls.null import ROUNDINGS
from splitcrit.nulls.permutation import exact_mean, exact_variance, mean_variance, multinomial_mean_variance
from splitcrit.proof import All, Law, Theorem
from splitcrit.proofs.common import node_size, partitions, up_to

EXACT = 2  # factors of an integer that is a number of binary64
POWER = 2  # roundings of a higher power, which the C library computes within a unit in the last place
Margins = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Rounded:
    """A number, how often it is rounded, and how many counts are multiplied in it at most; many in a quotient."""

    value: Fraction
    roundings: int = 0
    factors: int = 1

    @property
    def exact(self) -> bool:
        """Whether it is an integer without rounding."""
        return not self.roundings and self.factors <= EXACT

    def __add__(self, other: Any) -> Rounded:
        other, value = _read(other), self.value + _read(other).value
        factors = max(self.factors, other.factors)
        if self.exact and other.exact:
            return Rounded(value, 0, factors)
        most = max(self.roundings, other.roundings)
        apart = abs(self.value) * self.roundings + abs(other.value) * other.roundings
        return Rounded(value, max(most, ceil(apart / abs(value)) if value else most) + 1, factors)

    def __mul__(self, other: Any) -> Rounded:
        other, value = _read(other), self.value * _read(other).value
        if other.exact and other.value in (0, 1, 2, 4):
            return Rounded(value, self.roundings, self.factors)
        factors, roundings = self.factors + other.factors, self.roundings + other.roundings
        exact = self.exact and other.exact and factors <= EXACT
        return Rounded(value, roundings + (not exact), factors)

    def __truediv__(self, other: Any) -> Rounded:
        other = _read(other)
        return Rounded(self.value / other.value, self.roundings + other.roundings + 1, self.factors + EXACT)

    def __pow__(self, power: int) -> Rounded:
        if power == 2:
            return self * self
        return Rounded(self.value**power, self.roundings * power + POWER, self.factors * power)

    def __floordiv__(self, other: Any) -> Rounded:
        if not (self.exact and _read(other).exact):
            raise ValueError("a whole quotient is one of exact integers")
        return Rounded(Fraction(self.value // _read(other).value))

    def __neg__(self) -> Rounded:
        return Rounded(-self.value, self.roundings, self.factors)

    def __sub__(self, other: Any) -> Rounded:
        return self + -_read(other)

    def __rsub__(self, other: Any) -> Rounded:
        return (-self).__add__(other)

    def __rtruediv__(self, other: Any) -> Rounded:
        return _read(other).__truediv__(self)

    def __rmul__(self, other: Any) -> Rounded:
        return self.__mul__(other)

    def __radd__(self, other: Any) -> Rounded:
        return self.__add__(other)

    def __lt__(self, other: Any) -> bool:
        return self.value < _read(other).value

    def __le__(self, other: Any) -> bool:
        return self.value <= _read(other).value

    def __gt__(self, other: Any) -> bool:
        return self.value > _read(other).value

    def __ge__(self, other: Any) -> bool:
        return self.value >= _read(other).value

    def __eq__(self, other: object) -> bool:
        return self.value == _read(other).value

    def __bool__(self) -> bool:
        return bool(self.value)

    __hash__ = None  # type: ignore[assignment]


def _read(x: Any) -> Rounded:
    """A number as one of these; an integer of the code is one, two or four, or it counts rows."""
    return x if isinstance(x, Rounded) else Rounded(Fraction(int(x)))


def margins(most: int) -> Iterator[Margins]:
    """Yield totals of rows and of classes of at most so many observations."""
    for n in range(2, most + 1):
        for rows in partitions(n):
            yield from ((tuple(rows), tuple(columns)) for columns in partitions(n))


def counted(totals: tuple[int, ...]) -> Any:
    """Totals of one table as a batch of numbers that count their roundings."""
    return np.array([[Rounded(Fraction(x))] for x in totals], dtype=object)


def by_power_sums(rows: Any, columns: Any) -> tuple[Any, Any]:
    """Mean and variance by the formulas for integers, in floats."""
    n, r, s2 = rows.sum(axis=0), len(rows), (columns * columns).sum(axis=0)
    uneven = formulas.uneven_rows(n, r, (1 / rows).sum(axis=0))
    classes = formulas.uneven_classes(n, s2, (columns**3).sum(axis=0))
    first = formulas.uneven_weight(n, classes)
    second = formulas.thick_weight(n, formulas.thick_classes(n, s2, classes))
    unlike = (columns * (n - columns)).sum(axis=0)
    return formulas.mean(n, r, unlike), formulas.variance(first, uneven, second, formulas.thick_rows(n, r, uneven))


def few(less: int = 0, law: Callable[..., Any] = mean_variance, least: int = 2, most: int = 7) -> Any:
    """The claim that mean and variance have a rounding for each total and ``ROUNDINGS`` more, less some."""

    def holds(case: Margins) -> bool:
        rows, columns = case
        if sum(rows) < least:
            return True
        rounded = [_read(x.item()) for x in law(counted(rows), counted(columns))]
        return all(not x.value or x.roundings <= len(rows) + len(columns) + ROUNDINGS - less for x in rounded)

    return up_to(most, margins, holds, node_size)


def same(most: int = 7) -> Any:
    """The claim that what is counted is the code's mean and variance."""

    def holds(case: Margins) -> bool:
        rows, columns = (list(side) for side in case)
        mean, variance = (_read(x.item()).value for x in mean_variance(*map(counted, case)))
        return mean == exact_mean(rows, columns).fraction() and variance == exact_variance(rows, columns).fraction()

    return up_to(most, margins, holds, node_size)


FEW = Law(few)
MOMENTS = Theorem(
    key="null.moments_in_floats_round_once_a_total",
    statement="the mean and the variance that the code for batches finds have at most r + K + 16 roundings for r rows"
    " and K classes, each term of every sum being positive or a difference that cancels by no more than half",
    source="new; the formulas are wang2024, eqs. (12), (16) and (24), regrouped",
    holds=All(permutation=FEW, multinomial=few(law=multinomial_mean_variance), same=same()),
    fails=(
        FEW.but("three roundings fewer under permutations", less=3),
        FEW.but("one rounding fewer under the multinomial model", law=multinomial_mean_variance, less=1),
        FEW.but("the formulas in power sums round as seldom", law=by_power_sums, least=4),
    ),
)

THEOREMS = [MOMENTS]
