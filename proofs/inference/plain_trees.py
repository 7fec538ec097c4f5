"""A tree that labels grow, in plain fractions; and how orders of the labels choose its nodes.

The largest Gini gain of all cuts divides a node, the first of equal ones by feature and by threshold; without a gain it
is a leaf. Labels are the set of rows that have class 1.

Main definitions: ``Node``; ``best``, ``divided``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

Features = tuple[tuple[int, ...], ...]
Rows = frozenset[int]
Division = frozenset[Rows]


@cache
def gain(n: int, ones: int, m: int, x: int) -> Fraction:
    """The Gini gain of n rows, m of them left, but for a factor of n and ones; x of the ones are left."""
    return Fraction((n * x - m * ones) ** 2, m * (n - m))


@cache
def left_sides(features: Features, rows: Rows) -> tuple[Rows, ...]:
    """The left sides of all cuts of rows, by feature, then by threshold."""
    cuts = ((values, at) for values in features for at in sorted({values[i] for i in rows})[:-1])
    return tuple(frozenset(i for i in rows if values[i] <= at) for values, at in cuts)


@cache
def best(features: Features, rows: Rows, ones: Rows) -> tuple[Fraction, Rows | None]:
    """The largest gain of a node, given its rows of class 1, and the left side of the cut; none of a leaf."""
    gains = [(gain(len(rows), len(ones), len(left), len(left & ones)), left) for left in left_sides(features, rows)]
    largest = max(gains, key=itemgetter(0), default=(Fraction(0), None))
    return largest if largest[0] else (Fraction(0), None)


def divided(features: Features, rows: Rows, ones: Rows) -> Division:
    """Both sides of the rows of a node, none of a leaf."""
    left = best(features, rows, rows & ones)[1]
    return frozenset() if left is None else frozenset({left, rows - left})


class Node(NamedTuple):
    """A node: its rows, and those of its ancestors with the sides of each, the root first."""

    features: Features
    rows: Rows
    path: tuple[tuple[Rows, Division], ...] = ()

    def __str__(self) -> str:
        values = "; ".join(" ".join(map(str, each)) for each in self.features)
        sides = "; ".join(" and ".join(sorted(map(listed, division))) for _, division in self.path)
        return f"values {values}, divided into rows {sides or 'none yet'}, node of rows {listed(self.rows)}"

    def below(self, ones: Rows, depth: int) -> Iterator[Node]:
        """Yield the nodes from this one down to a depth that have cuts, if these rows are of class 1."""
        if left_sides(self.features, self.rows):
            yield self
            division = divided(self.features, self.rows, ones) if len(self.path) < depth else Division()
            for child in division:
                yield from Node(self.features, child, (*self.path, (self.rows, division))).below(ones, depth)

    def orders(self, ones: Rows) -> list[Rows]:
        """All orders of the labels inside the node, those outside as they are."""
        chosen = combinations(sorted(self.rows), len(self.rows & ones))
        return [(ones - self.rows) | frozenset(some) for some in chosen]

    def chosen(self, ones: Rows, above: int | None = None) -> bool:
        """Whether every ancestor still divides its rows as it did, or those so near the root."""
        return all(divided(self.features, rows, ones) == division for rows, division in self.path[:above])


def listed(rows: Rows) -> str:
    return ",".join(map(str, sorted(rows)))
