"""Sums over cells by listing every table with given margins, in exact rationals; nothing of the package.

Main definitions: ``tables`` (each with its probability under random orders of the labels), ``CELLS`` (eight functions
of a count, its row total and its column total), ``moments`` and ``covariance`` of ``sum_il g(n_il, a_i, b_l)``;
``margins`` (random ones).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import oracles

Totals = tuple[int, ...]
Cell = Callable[[int, int, int], Fraction]
Cells = tuple[Totals, ...]

CELLS: dict[str, Cell] = {
    "squares": lambda x, a, b: Fraction(x * x, a),  # Gini
    "cubes": lambda x, a, b: Fraction(x**3, a * a),
    "products": lambda x, a, b: Fraction(x * (a - x), a),
    "smaller": lambda x, a, b: Fraction(min(x, a - x)),  # the Bayes sum
    "chi square": lambda x, a, b: Fraction(x * x, a * b),
    "alone": lambda x, a, b: Fraction(x == 1),
    "no rule": lambda x, a, b: Fraction((7 * x + 3 * a + 5 * b + x * x * a) % 11),
    "poles": lambda x, a, b: Fraction(1, 1 + x),
}


@cache
def tables(rows: Totals, columns: Totals) -> tuple[tuple[Cells, Fraction], ...]:
    """Every table with these margins, and its probability if the labels are in random order."""
    every = list(oracles.tables(rows, columns))
    total = sum(ways for _, ways in every)
    return tuple((table, Fraction(ways, total)) for table, ways in every)


def value(table: Cells, g: Cell) -> Any:
    """The sum over the cells of a table; those of empty rows and columns add nothing."""
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    return sum(
        (g(x, a, b) for row, a in zip(table, rows, strict=True) for x, b in zip(row, columns, strict=True) if a and b),
        Fraction(0),
    )


def covariance(rows: Totals, columns: Totals, g: Cell, other: Cell) -> Any:
    """The covariance of two sums over cells over all orders of the labels."""
    every = tables(rows, columns)
    assert sum(p for _, p in every) == 1
    means = [sum(p * value(table, cell) for table, p in every) for cell in (g, other)]
    return sum(p * value(table, g) * value(table, other) for table, p in every) - means[0] * means[1]


def moments(rows: Totals, columns: Totals, g: Cell) -> tuple[Any, Any]:
    """Mean and variance of a sum over cells over all orders of the labels."""
    every = [(value(table, g), p) for table, p in tables(rows, columns)]
    mean = sum(p * s for s, p in every)
    return mean, sum(p * (s - mean) ** 2 for s, p in every)


def margins(source: random.Random, parts: int, n: int) -> Totals:
    """A random way to share ``n`` among some parts, some of which may be empty."""
    cuts = sorted(source.randint(0, n) for _ in range(parts - 1))
    return tuple(y - x for x, y in zip([0, *cuts], [*cuts, n], strict=True))
