"""Statements of breiman1996: which subset of classes the best split sends to one side.

Main results: Gini's best vertex isolates a most frequent class; concavity bounds a split by its vertices.
Source: breiman1996 ("convex" there is concave here).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from splitcrit import criteria
from splitcrit.arith import EXACT
from splitcrit.proof import Exhaustive, NearMiss, Theorem
from splitcrit.proofs.common import gini_decrease, partitions

N_MAX = 11


def nodes() -> Iterator[tuple[int, ...]]:
    """Yield the class counts of all nodes of two or more classes, all present, of up to ``N_MAX`` examples."""
    for n in range(2, N_MAX + 1):
        yield from (counts for counts in partitions(n) if len(counts) > 1)


def vertex(counts: tuple[int, ...], subset: int, criterion: Any) -> Fraction:
    """Return the score of the split that sends the classes of a bit mask left and the others right."""
    left = [Fraction(n if subset >> j & 1 else 0) for j, n in enumerate(counts)]
    right = [n - x for n, x in zip(counts, left, strict=True)]
    value: Fraction = criterion.score([left, right], EXACT)
    return value


def best(counts: tuple[int, ...], criterion: Any) -> set[int]:
    """Return the bit masks of all best vertices, each with its complement."""
    values = {s: vertex(counts, s, criterion) for s in range(1, 2 ** len(counts) - 1)}
    top = max(values.values())
    return {s for s, value in values.items() if value == top}


def isolating(counts: tuple[int, ...]) -> set[int]:
    """Return the vertices that put one most frequent class alone on a side."""
    everything = 2 ** len(counts) - 1
    alone = {1 << j for j, n in enumerate(counts) if n == max(counts)}
    return alone | {everything ^ s for s in alone}


THEOREMS = [
    Theorem(
        key="vertex.gini_isolates_most_frequent_class",
        statement="the best vertices for Gini are exactly those that put one most frequent class alone on a side, unless"
        " all classes are equally frequent, when every vertex is best",
        source="breiman1996, Proposition of Section 3",
        scope=f"all class counts with N <= {N_MAX}",
        holds=Exhaustive(
            nodes,
            lambda n: (
                len(best(n, gini_decrease)) == 2 ** len(n) - 2
                if len(set(n)) == 1
                else best(n, gini_decrease) == isolating(n)
            ),
        ),
        fails=(
            NearMiss(
                "the same for twoing",
                Exhaustive(nodes, lambda n: best(n, criteria.twoing) >= isolating(n)),
            ),
            NearMiss(
                "the best Gini vertex is unique up to exchanging the sides",
                Exhaustive(nodes, lambda n: len(best(n, gini_decrease)) == 2),
            ),
        ),
    ),
]
