"""Enumerations of margins and tables, and the law of a table under random permutations of the labels, listed.

A margin is *even* if all its totals are equal, and *thin* if it is a single total, all ones, or {N - 1, 1}.

Main definitions: ``margins`` (pairs of row and column totals), ``arrangements`` (all tables of a pair, with their
probability under random permutations), ``mean_of``, ``moment``, ``lively`` (margins with a positive variance);
``SQUARES`` (an arithmetic in which a quotient by a root is its signed square, so that SGini stays rational).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial, prod
from typing import Any

from flint import fmpq

from splitcrit.nulls import gini_null, sgini
from splitcrit.proof.balls import fraction, ratio
from splitcrit.proofs.common import gini_decrease, partitions, score, tables

Totals = tuple[int, ...]
Margins = tuple[Totals, Totals]
Counts = tuple[Totals, ...]


def margins(most: int, least: int = 1) -> Iterator[Margins]:
    """Yield every pair of row and column totals, up to order, with ``least`` to ``most`` examples."""
    for n in range(least, most + 1):
        yield from product(partitions(n), repeat=2)


@cache
def arrangements(a: Totals, b: Totals) -> tuple[tuple[Counts, Fraction], ...]:
    """Every table with these margins and the share of the ``N!`` permutations that give it."""
    n = factorial(sum(a))
    top = prod(map(factorial, a + b))
    return tuple((t, Fraction(top, n * prod(factorial(x) for row in t for x in row))) for t in tables(a, b))


@cache
def permutations_of(a: Totals, b: Totals) -> tuple[tuple[Counts, int], ...]:
    """Every table with these margins and the number of permutations that give it."""
    return tuple((t, int(w * factorial(sum(a)))) for t, w in arrangements(a, b))


def mean_of(case: Margins, statistic: Callable[[Counts], Any]) -> Any:
    """The mean of a statistic of the table over all permutations of the labels."""
    sum_of_all = sum(statistic(t) * number for t, number in permutations_of(*case))
    return (fraction(sum_of_all) if isinstance(sum_of_all, fmpq) else sum_of_all) * Fraction(1, factorial(sum(case[0])))


@cache
def gain(t: Counts) -> Fraction:
    """The exact Gini gain of a table, by the library's formula."""
    return Fraction(score(gini_decrease, t))


@cache
def moment(case: Margins, order: int) -> Fraction:
    """The mean (order 1) or a central moment of the Gini gain, from the list of all tables."""
    if order == 1:
        return Fraction(mean_of(case, gain))
    mean = ratio(moment(case, 1))
    return Fraction(mean_of(case, lambda t: (ratio(gain(t)) - mean) ** order))


@cache
def null(case: Margins, order: int = 2) -> Any:
    """The library's exact moments under permutations."""
    return gini_null(*case, order=order, exact=True)


def hypergeometric(n: int, marked: int, drawn: int, x: int) -> Fraction:
    """The chance that ``drawn`` of ``n`` objects contain ``x`` of the ``marked`` ones."""
    if not 0 <= x <= drawn <= n or not 0 <= marked <= n:
        return Fraction(0)
    return Fraction(comb(marked, x) * comb(n - marked, drawn - x), comb(n, drawn))


def falling(x: Any, length: int) -> Any:
    """The falling factorial ``x (x - 1) ...`` of ``length`` factors, of any kind of number."""
    return prod((x - i for i in range(length)), start=1)


def transposed(t: Counts) -> Counts:
    """The table with feature and label exchanged."""
    return tuple(zip(*t, strict=True))


def even(totals: Totals) -> bool:
    return len(set(totals)) == 1


def thin(totals: Totals) -> bool:
    return len(totals) == 1 or set(totals) == {1} or (len(totals) == 2 and 1 in totals)


def still(case: Margins) -> bool:
    """Whether the margins are degenerate by the rule."""
    a, b = case
    return sum(a) <= 2 or ((even(a) or even(b)) and (thin(a) or thin(b)))


def lively(most: int, least: int = 1) -> Iterator[Margins]:
    """Yield the margins with a positive variance."""
    return (c for c in margins(most, least) if not still(c))


def tables_of(cases: Iterator[Margins]) -> Iterator[Counts]:
    """Yield every table of some margins."""
    for case in cases:
        yield from (t for t, _ in arrangements(*case))


def every_table(most: int, least: int = 1) -> Iterator[Counts]:
    """Yield every table without empty rows and columns, up to their order."""
    return tables_of(margins(most, least))


def by_shape(most: int, rows: int, classes: int) -> Iterator[Counts]:
    """Yield the tables with these numbers of rows and classes."""
    return tables_of(c for c in margins(most, 2) if (len(c[0]), len(c[1])) == (rows, classes))


class _Root:
    """The square root of a positive rational number, known by its square."""

    def __init__(self, square: Fraction) -> None:
        self.square = square

    def __rtruediv__(self, x: Any) -> Fraction:
        return Fraction(x * abs(x)) / self.square


class _Squares:
    """Rational numbers in which ``x / sqrt(y)`` is read as its signed square ``x |x| / y``."""

    name = "SQUARES"

    def number(self, x: Any) -> Fraction:
        return Fraction(x)

    def sqrt(self, x: Any) -> _Root:
        return _Root(Fraction(x))


SQUARES: Any = _Squares()


@cache
def sgini_squared(t: Counts) -> Fraction:
    """The signed square of SGini, exactly, by the library's formula: it orders tables as SGini does."""
    return Fraction(sgini.score(t, SQUARES))
