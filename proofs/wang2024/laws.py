"""Enumerations and arithmetics that the statements of wang2024 share.

Main definitions: ``margins`` (pairs of row and column totals), ``arrangements`` (all tables of a pair, with their
probability under random permutations), ``mean_of``, ``moment``; ``SQUARES`` (an arithmetic in which a quotient by a
root is kept as its signed square, so that SGini stays rational) and ``LOGS`` (rational combinations of logarithms of
primes, which are linearly independent, so that entropies compare exactly).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial, perm, prod
from typing import Any

from splitcrit.arith import Arithmetic
from splitcrit.nulls import gini_null, sgini
from splitcrit.proofs.common import gini_decrease, partitions, score, tables

Totals = tuple[int, ...]
Margins = tuple[Totals, Totals]
Counts = tuple[Totals, ...]
N_MAX = 6  # of enumerations that list every table of every pair of margins


def margins(most: int = N_MAX, least: int = 1) -> Iterator[Margins]:
    """Yield every pair of row and column totals, up to order, with ``least`` to ``most`` examples."""
    for n in range(least, most + 1):
        yield from product(partitions(n), repeat=2)


@cache
def arrangements(a: Totals, b: Totals) -> tuple[tuple[Counts, Fraction], ...]:
    """Return every table with these margins and the share of the ``N!`` permutations that give it."""
    n = factorial(sum(a))
    top = prod(map(factorial, a + b))
    return tuple((t, Fraction(top, n * prod(factorial(x) for row in t for x in row))) for t in tables(a, b))


def mean_of(case: Margins, statistic: Callable[[Counts], Any]) -> Any:
    """Return the mean of a statistic of the table over all permutations of the labels."""
    return sum((statistic(t) * w for t, w in arrangements(*case)), Fraction(0))


@cache
def gain(t: Counts) -> Fraction:
    """Return the exact Gini gain of a table, by the library's face."""
    return Fraction(score(gini_decrease, t))


@cache
def moment(case: Margins, order: int) -> Fraction:
    """Return the mean (order 1) or a central moment of the Gini gain, from the list of all tables."""
    if order == 1:
        return Fraction(mean_of(case, gain))
    mean = moment(case, 1)
    return Fraction(mean_of(case, lambda t: (gain(t) - mean) ** order))


@cache
def null(case: Margins, order: int = 2) -> Any:
    """Return the library's exact moments under permutations."""
    return gini_null(*case, order=order, exact=True)


def hypergeometric(n: int, marked: int, drawn: int, x: int) -> Fraction:
    """Return the chance that ``drawn`` of ``n`` objects contain ``x`` of the ``marked`` ones."""
    if not 0 <= x <= drawn <= n or not 0 <= marked <= n:
        return Fraction(0)
    return Fraction(comb(marked, x) * comb(n - marked, drawn - x), comb(n, drawn))


def falling(x: Any, length: int) -> Any:
    """Return the falling factorial ``x (x - 1) ...`` of ``length`` factors, of any kind of number."""
    return perm(x, length) if isinstance(x, int) else prod((x - i for i in range(length)), start=1)


def transposed(t: Counts) -> Counts:
    """Return the table with feature and label exchanged."""
    return tuple(zip(*t, strict=True))


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
    """Return the signed square of SGini, exactly, by the library's face: it orders tables as SGini does."""
    return Fraction(sgini.score(t, SQUARES))


class Logs:
    """A rational combination of logarithms of primes; two are equal only if all their coefficients are."""

    def __init__(self, parts: dict[int, Fraction]) -> None:
        self.parts = {p: c for p, c in parts.items() if c}

    def __add__(self, other: Any) -> Logs:
        others = other.parts if isinstance(other, Logs) else Logs.zero(other).parts
        return Logs({p: self.parts.get(p, Fraction(0)) + others.get(p, 0) for p in {*self.parts, *others}})

    def __mul__(self, factor: Any) -> Logs:
        return Logs({p: c * Fraction(factor) for p, c in self.parts.items()})

    def __neg__(self) -> Logs:
        return self * -1

    def __sub__(self, other: Any) -> Logs:
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> Logs:
        return (-self).__add__(other)

    def __truediv__(self, other: Any) -> Logs:
        return self * (1 / Fraction(other))

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Logs) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(frozenset(self.parts.items()))

    def __repr__(self) -> str:
        return " + ".join(f"{c} log {p}" for p, c in sorted(self.parts.items())) or "0"

    @staticmethod
    def zero(x: Any) -> Logs:
        """Return 0, the only rational number among the combinations."""
        if x != 0:
            raise ArithmeticError(f"a combination of logarithms is no rational number; got {x}; add logarithms only")
        return Logs({})


class _LogArithmetic:
    """Rational numbers, and logarithms of them as combinations of logarithms of primes."""

    name = "LOGS"

    def number(self, x: Any) -> Fraction:
        return Fraction(x)

    def log(self, x: Any) -> Logs:
        x = Fraction(x)
        return _factored(x.numerator) - _factored(x.denominator)

    def xlogx(self, x: Any) -> Logs:
        return Logs({}) if x == 0 else self.log(x) * x

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        return a if condition else b


@cache
def _factored(n: int) -> Logs:
    parts, p = {}, 2
    while n > 1:
        times = 0
        while n % p == 0:
            n, times = n // p, times + 1
        parts[p], p = Fraction(times), p + 1
    return Logs(parts)


LOGS: Any = _LogArithmetic()


def signed(values: Any, m: Arithmetic) -> Any:
    """Return the value of a combination of logarithms in an arithmetic that knows logarithms."""
    return sum((m.number(c) * m.log(m.number(p)) for p, c in values.parts.items()), m.number(0))
