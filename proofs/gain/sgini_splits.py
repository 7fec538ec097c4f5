"""The best split by SGini and AGini: where a search may not cut short, signs, and whole classes in small nodes.

Source: wang2024, eqs. (11), (29).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from splitcrit.nulls import agini
from splitcrit.proof import BALL, All, Ball, Exhaustive, Fact, NearMiss, Sign, Theorem
from splitcrit.proofs.common import exactly, lefts, partitions, split, up_to
from splitcrit.proofs.null.laws import Counts, Totals, by_shape, gain, lively, sgini_squared, tables_of

INFORMATIVE: tuple[Counts, ...] = (((2, 1), (1, 2)), ((2, 1, 1), (1, 1, 2)))
CATEGORIES: Counts = ((1, 1), (4, 3), (1, 0))  # by rising share of the first class

OTHERS: Counts = ((2, 3), (1, 1), (3, 2))


def grouped(categories: Counts, left: tuple[int, ...]) -> Counts:
    """The table of a partition of categories into two groups."""
    groups = ([row for i, row in enumerate(categories) if (i in left) == side] for side in (True, False))
    return tuple(tuple(map(sum, zip(*group, strict=True))) for group in groups)


def consecutive_is_best(categories: Counts, of: Callable[[Counts], Any]) -> bool:
    return bool(max(of(grouped(categories, x)) for x in ((0,), (0, 1))) >= of(grouped(categories, (0, 2))))


def agini_of(t: Counts) -> Ball:
    return Ball(agini.score(exactly(t), BALL))


def ahead(m: Any) -> list[Any]:
    """By how much AGini of the groups {1, 3}, {2} exceeds that of the two consecutive partitions."""
    return [agini_of(grouped(OTHERS, (0, 2))) - agini_of(grouped(OTHERS, x)) for x in ((0,), (0, 1))]


SEARCH = [
    Theorem(
        key="gain.sgini_best_grouping_not_consecutive_of_two_classes",
        statement="with two classes the best split of ordered categories into two groups need not be consecutive: not"
        " for SGini with ((1, 1), (4, 3), (1, 0)), not for AGini with ((2, 3), (1, 1), (3, 2))",
        source="wang2024, eqs. (11), (29), against the ordering shortcut of Gini",
        holds=All(
            Exhaustive(lambda: [CATEGORIES], lambda c: not consecutive_is_best(c, sgini_squared)),
            Exhaustive(lambda: [CATEGORIES, OTHERS], lambda c: consecutive_is_best(c, gain)),
            Sign(ahead),
        ),
        fails=(
            NearMiss(
                "it is for SGini",
                Exhaustive(lambda: [OTHERS, CATEGORIES], lambda c: consecutive_is_best(c, sgini_squared)),
            ),
            NearMiss("it is for AGini", Sign(lambda m: [-x for x in ahead(m)])),
        ),
        facts=(Fact("sgini", "ordering shortcut", "2", False), Fact("agini", "ordering shortcut", "2", False)),
    ),
    Theorem(
        key="gain.sgini_negative_of_informative_split",
        statement="SGini and AGini can be negative although the rows differ, for two classes and for three",
        source="wang2024, eqs. (11), (29)",
        holds=All(
            Exhaustive(lambda: INFORMATIVE, lambda t: sgini_squared(t) < 0 < gain(t)),
            Sign(lambda m: [-agini_of(t) for t in INFORMATIVE]),
        ),
        fails=(
            NearMiss(
                "SGini is not negative where the rows differ",
                Exhaustive(lambda: tables_of(lively(5)), lambda t: gain(t) == 0 or sgini_squared(t) >= 0),
            ),
            NearMiss(
                "SGini is negative at every split that keeps the majority of both rows",
                Exhaustive(
                    lambda: (t for t in by_shape(6, 2, 2) if all(row[0] > row[1] for row in t)),
                    lambda t: sgini_squared(t) < 0,
                ),
            ),
        ),
        facts=tuple(Fact(name, "stops early", K, True) for name in ("sgini", "agini") for K in ("2", ">2")),
    ),
]


def nodes(most: int, *classes: int) -> Iterator[Totals]:
    """Yield the class totals of nodes with these numbers of classes."""
    return (b for n in range(3, most + 1) for b in partitions(n) if len(b) in classes)


def whole_classes(b: Totals, left: Totals) -> bool:
    return all(x in (0, y) for x, y in zip(left, b, strict=True))


def best_of(b: Totals, of: Callable[[Counts], Fraction], vertices: bool = False) -> tuple[Fraction, set[Totals]]:
    """The largest score of a binary split of a node and where it is reached."""
    scores = {x: of(split(b, x)) for x in lefts(b) if not vertices or whole_classes(b, x)}
    most = max(scores.values())
    return most, {x for x, y in scores.items() if y == most}


VERTEX = Theorem(
    key="gain.sgini_best_split_is_vertex_of_small_nodes",
    statement="of all binary splits of a node one that keeps every class whole has the largest SGini",
    source="wang2024, eq. (11), beside the vertex theorem for concave impurities",
    holds=up_to(
        10, nodes, lambda b: best_of(b, sgini_squared)[0] == best_of(b, sgini_squared, vertices=True)[0], K=(2, 3)
    ),
    fails=(
        NearMiss(
            "it is the one of largest gain",
            Exhaustive(lambda: nodes(8, 2, 3), lambda b: best_of(b, sgini_squared)[1] <= best_of(b, gain)[1]),
        ),
        NearMiss(
            "it isolates a most frequent class",
            Exhaustive(
                lambda: nodes(8, 2, 3),
                lambda b: any(x == (b[0], *(0,) * (len(b) - 1)) for x in best_of(b, sgini_squared)[1]),
            ),
        ),
    ),
)

THEOREMS = [*SEARCH, VERTEX]
