"""Slow honest definitions of the null law of the Gini gain: enumeration in exact rationals, nothing of the package.

Main definitions: ``gini``, ``errors``, ``entropy`` (of counts; the last is a float), ``IMPURITIES`` by name, ``gain``
(from the impurity of parent and children), ``permutation_law`` (literally all ``n!`` permutations), ``table_law`` (all
tables with their numbers of permutations), ``merged_law`` (the same, tables merged when the same class counts remain in
another order), ``multinomial_law`` (independent rows), ``moments``; ``log_tilted``, a likelihood ratio. A law is a
dictionary from gains to probabilities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb, exp, factorial, fsum, log, prod
from typing import Any

Law = dict[Fraction, Fraction]
Totals = tuple[int, ...]
Table = Sequence[Sequence[int]]


def partitions(n: int, largest: int | None = None) -> Iterator[Totals]:
    """Yield the partitions of n, parts falling."""
    if n == 0:
        yield ()
    for first in range(min(n, largest or n), 0, -1):
        for rest in partitions(n - first, first):
            yield (first, *rest)


def gini(counts: Sequence[int]) -> Fraction:
    n = sum(counts)
    return 1 - sum(Fraction(c, n) ** 2 for c in counts)


def errors(counts: Sequence[int]) -> Fraction:
    return 1 - Fraction(max(counts), sum(counts))


def entropy(counts: Sequence[int]) -> float:
    n = sum(counts)
    return -fsum(c / n * log(c / n) for c in counts if c)


IMPURITIES: dict[str, Callable[[Sequence[int]], Any]] = {
    "gini": gini,
    "misclassification": errors,
    "entropy": entropy,
}


def gain(table: Table, impurity: Callable[[Sequence[int]], Any] = gini) -> Any:
    """The impurity of the parent minus the mean impurity of the children, and 0 without observations."""
    node = [sum(column) for column in zip(*table, strict=True)]
    if not (n := sum(node)):
        return Fraction(0)
    return impurity(node) - sum(Fraction(sum(row), n) * impurity(row) for row in table if sum(row))


def permutation_law(rows: Totals, columns: Totals, of: Callable[[list[list[int]]], Any] = gain) -> Law:
    """The law over all ``n!`` permutations of the labels, of the gain or something else of a table."""
    feature = [i for i, a in enumerate(rows) for _ in range(a)]
    labels = [j for j, b in enumerate(columns) for _ in range(b)]
    seen: Counter[Fraction] = Counter()
    for order, times in Counter(permutations(labels)).items():
        cells = Counter(zip(feature, order, strict=True))
        seen[of([[cells[i, j] for j in range(len(columns))] for i in range(len(rows))])] += times
    return _normalised(seen)


@cache
def compositions(total: int, caps: Totals) -> tuple[Totals, ...]:
    """The vectors of the given total that nowhere exceed the caps."""
    if len(caps) == 1:
        return ((total,),) if total <= caps[0] else ()
    return tuple((x, *rest) for x in range(min(total, caps[0]) + 1) for rest in compositions(total - x, caps[1:]))


def tables(rows: Totals, columns: Totals) -> Iterator[tuple[tuple[Totals, ...], int]]:
    """Yield every table with these margins, and how many arrangements of the labels give it."""
    if not rows:
        yield (), 1
        return
    for row in compositions(rows[0], columns):
        ways = factorial(rows[0]) // prod(map(factorial, row))
        for rest, more in tables(rows[1:], tuple(b - x for b, x in zip(columns, row, strict=True))):
            yield (row, *rest), ways * more


def table_law(rows: Totals, columns: Totals) -> Law:
    """The law over all tables."""
    squares: Counter[Fraction] = Counter()
    inverse = {a: Fraction(1, a) for a in rows}
    for table, ways in tables(rows, columns):
        per_total: Counter[int] = Counter()
        for a, row in zip(rows, table, strict=True):
            per_total[a] += sum(x * x for x in row)
        squares[sum((q * inverse[a] for a, q in per_total.items()), Fraction(0))] += ways
    return _as_gains(squares, columns)


@cache
def _merged(rows: Totals, columns: Totals) -> tuple[tuple[Fraction, int], ...]:
    if not rows:
        return ((Fraction(0), 1),)
    found: Counter[Fraction] = Counter()
    for row in compositions(rows[0], columns):
        ways = factorial(rows[0]) // prod(map(factorial, row))
        here = Fraction(sum(x * x for x in row), rows[0])
        left = tuple(sorted(b - x for b, x in zip(columns, row, strict=True) if b > x)) or (0,)
        for value, more in _merged(rows[1:], left):
            found[here + value] += ways * more
    return tuple(found.items())


def merged_law(rows: Totals, columns: Totals) -> Law:
    """The law over all tables, merged on the sorted class counts that remain."""
    return _as_gains(Counter(dict(_merged(rows, tuple(sorted(columns))))), columns)


def multinomial_law(rows: Totals, columns: Totals) -> Law:
    """The law of independent rows drawn from the proportions of the classes."""
    n = sum(rows)
    p = [Fraction(b, n) for b in columns]
    seen: Counter[Fraction] = Counter()
    for table in product(*(compositions(a, (a,) * len(columns)) for a in rows)):
        chance = Fraction(1)
        for a, row in zip(rows, table, strict=True):
            ways = factorial(a) // prod(map(factorial, row))
            chance *= ways * prod((q**x for q, x in zip(p, row, strict=True)), start=Fraction(1))
        seen[gain([list(row) for row in table])] += chance
    return dict(seen)


def moments(law: Law) -> tuple[Fraction, Fraction, Fraction]:
    """Mean, variance and third central moment."""
    mean = sum((value * p for value, p in law.items()), Fraction(0))
    second, third = (sum(((v - mean) ** m * p for v, p in law.items()), Fraction(0)) for m in (2, 3))
    return mean, second, third


def tail(law: Law, value: Fraction) -> Fraction:
    """The probability of a gain at least ``value``."""
    return sum((p for found, p in law.items() if found >= value), Fraction(0))


def _normalised(seen: Counter[Fraction]) -> Law:
    total = sum(seen.values())
    return {value: Fraction(ways, total) for value, ways in seen.items()}


def _as_gains(squares: Counter[Fraction], columns: Totals) -> Law:
    n = sum(columns)
    lowest = Fraction(sum(b * b for b in columns), n * n)
    return {value / n - lowest: p for value, p in _normalised(squares).items()}


@cache
def log_tilted(x: int, n: int, b: int, m: int, odds: float) -> float:
    """How much likelier ``x`` of ``b`` are among ``m`` of ``n`` at these log odds than at none, as a logarithm."""
    ways = {i: log(comb(m, i)) + log(comb(n - m, b - i)) for i in range(max(0, m + b - n), min(m, b) + 1)}

    def total(of: float) -> float:
        top = max(logs := [way + of * (i - x) for i, way in ways.items()])
        return top + log(fsum(exp(each - top) for each in logs))

    return total(0.0) - total(odds)
