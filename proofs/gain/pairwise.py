"""The ranking loss of a node, and what a split saves of it: pairwise gain.

A leaf is ``(positives, negatives)`` with one score; ``ranking_loss`` is the total over all pairs of a positive and a
negative example, written on the library's ``losses.pairwise``.

Source: yang2019, Section V.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.criteria import pairwise_gain
from splitcrit.losses import pairwise
from splitcrit.proof import Erratum, Exhaustive, Fact, Law, NearMiss, Smt, Theorem, only
from splitcrit.proofs.common import HALF, binary_splits, count_vectors, kinds, up_to
from splitcrit.proofs.two_class import SPLIT, clean, determinant, two_classes

SCORED = SPLIT | kinds("real", "w_left", "w_right")
ORDERS = ((0, 1), (1, 0))
Leaf = tuple[Any, Any]


def ranking_loss(leaves: list[Leaf], scores: Any, m: Any) -> Any:
    """The total ranking loss of scored leaves."""
    named = list(zip(leaves, scores, strict=True))
    return sum(p * n * pairwise(x, y, m) for (p, _), x in named for (_, n), y in named)


def one_by_one(leaves: list[Leaf], scores: Any, tie: Fraction = HALF) -> Fraction:
    """The same from lists of examples, pair by pair; a tied pair costs a half."""
    high = [w for (p, _), w in zip(leaves, scores, strict=True) for _ in range(p)]
    low = [w for (_, n), w in zip(leaves, scores, strict=True) for _ in range(n)]
    return sum((Fraction(x < y) + tie * (x == y) for x in high for y in low), Fraction(0))


def scored_leaves(most: int, number: int) -> Iterator[tuple[list[Leaf], list[Fraction]]]:
    for flat in count_vectors(most, 2 * number):
        for scores in product(range(number), repeat=number):
            yield list(zip(flat[::2], flat[1::2], strict=True)), [Fraction(w) for w in scores]


def counts_pairs(leaves: Any, tie: Fraction = HALF) -> Exhaustive:
    return up_to(
        4,
        scored_leaves,
        lambda case: one_by_one(case[0], case[1], tie) == ranking_loss(case[0], case[1], EXACT),
        leaves=leaves,
    )


def node_costs(share: Callable[[Any], Any]) -> Smt:
    """A node whose examples share one score loses this much."""
    node = kinds("count", "a", "b") | {"w": "real"}
    return Smt(node, lambda v, m: ranking_loss([(v.a, v.b)], [v.w], m) == share(v))


def saving(v: Any, m: Any, scores: Any = None) -> Any:
    """Half the pairs of a node less the ranking loss of its scored children."""
    scores = (v.w_left, v.w_right) if scores is None else [m.number(Fraction(w)) for w in scores]
    return (v.a + v.c) * (v.b + v.d) / 2 - ranking_loss([(v.a, v.b), (v.c, v.d)], scores, m)


def saves(sign: int = 1, tied: int = 0) -> Smt:
    """The saving is half of ``ad - bc`` times the sign of the order of the scores, left less right."""

    def amount(v: Any, m: Any) -> Any:
        order = m.where(v.w_left < v.w_right, -1, m.where(v.w_left > v.w_right, 1, m.number(Fraction(tied))))
        return sign * order * determinant(clean(v)) / 2

    return Smt(SCORED, lambda v, m: saving(v, m) == amount(v, m))


def scored_splits(most: int) -> Iterator[Any]:
    for (left, right), scores in product(binary_splits(most), (*ORDERS, (1, 1))):
        yield [left, right], scores


def saves_by_pairs(most: int, sign: int = 1) -> Exhaustive:
    """The same, counted pair by pair from one tied node."""

    def holds(case: Any) -> bool:
        ((a, b), (c, d)), (x, y) = case
        saved = one_by_one([(a + c, b + d)], [0]) - one_by_one(*case)
        return bool(saved == Fraction(sign * ((x > y) - (x < y)), 2) * (a * d - b * c))

    return Exhaustive(lambda: scored_splits(most), holds)


def attained(scores: Any) -> Smt:
    """The gain is the largest saving at these scores."""
    return Smt(SPLIT, lambda v, m: gain(v, m) == m.max([saving(v, m, pair) for pair in scores]))


def gain(v: Any, m: Any) -> Any:
    return pairwise_gain.score(clean(v), m)


def both_children(v: Any, m: Any) -> list[Any]:
    return [(v.a + v.b) * (v.c + v.d) > 0, *both_classes(v, m)]


def both_classes(v: Any, m: Any) -> list[Any]:
    return [(v.a + v.c) * (v.b + v.d) > 0]


def at_most(bound: Callable[[Any], Any]) -> Smt:
    return Smt(SPLIT, lambda v, m: gain(v, m) <= bound(v))


def half_the_pairs(v: Any) -> Any:
    return (v.a + v.c) * (v.b + v.d) / 2


def separates(domain: Any = both_classes) -> Smt:
    """The bound is attained exactly by a split that separates the classes."""

    def pure(v: Any) -> Any:
        return ((v.a == 0) & (v.d == 0)) | ((v.b == 0) & (v.c == 0))

    return Smt(SPLIT, lambda v, m: (gain(v, m) == half_the_pairs(v)) == pure(v), domain)


law, best, most = Law(saves), Law(attained, scores=ORDERS), Law(at_most, bound=half_the_pairs)

THEOREMS = [
    Theorem(
        key="gain.ranking_loss_of_leaves_counts_pairs",
        statement="the ranking loss of leaves with P_i positives, N_i negatives and scores w_i, the sum of"
        " P_i N_j l(w_i, w_j), is the sum over all pairs of a positive and a negative example",
        source="yang2019, Section V",
        holds=two_classes(counts_pairs(only(1, 2, 3))),
        fails=(
            NearMiss("a tied pair costs 1", counts_pairs(1, Fraction(1))),
            NearMiss("a tied pair costs nothing", counts_pairs(2, Fraction(0))),
        ),
    ),
    Theorem(
        key="gain.tied_node_loses_half_its_pairs",
        statement="a node whose examples share one score has ranking loss N_pos N_neg / 2",
        source="yang2019, Section V",
        holds=two_classes(node_costs(lambda v: v.a * v.b / 2)),
        fails=(
            NearMiss("it loses half of all pairs, whatever their classes", node_costs(lambda v: (v.a + v.b) ** 2 / 4)),
            NearMiss(
                "two nodes with scores of their own lose half their pairs together too",
                Smt(SCORED, lambda v, m: saving(v, m) == 0, lambda v, m: [v.w_left != v.w_right]),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="gain.saving_of_scored_children_by_their_order",
        statement="a split saves (N_L^- N_R^+ - N_L^+ N_R^-)/2 if w_L < w_R, the negative of it if w_L > w_R, and"
        " nothing if w_L = w_R",
        source="yang2019, Section V",
        holds=two_classes(law),
        fails=(law.but("the cases are exchanged", sign=-1), law.but("the same with w_L <= w_R for w_L < w_R", tied=-1)),
        added="the two cases exchanged",
    ),
    Theorem(
        key="gain.pairwise_gain_is_largest_saving",
        statement="the most that any two scores of the children save is |N_L^- N_R^+ - N_L^+ N_R^-| / 2",
        source="yang2019, Section V",
        holds=two_classes(never_more=Smt(SCORED, lambda v, m: saving(v, m) <= gain(v, m)), attained=best),
        fails=(
            best.but("the left child may always be given the smaller score", scores=ORDERS[:1], alters="hypothesis"),
            NearMiss("some split of each node saves something", Smt(SPLIT, lambda v, m: gain(v, m) > 0, both_children)),
        ),
    ),
    Theorem(
        key="gain.best_pairwise_split_separates_classes",
        statement="no split of a node has more pairwise gain than N_pos N_neg / 2, and of a node with both classes"
        " exactly the split that separates them does",
        source="yang2019, Section V",
        holds=two_classes(bound=most, attained=separates()),
        fails=(
            most.but(
                "no split gains more than (N_pos^2 + N_neg^2) / 8",
                bound=lambda v: ((v.a + v.c) ** 2 + (v.b + v.d) ** 2) / 8,
            ),
            NearMiss("the same of a node with one class", separates(None), "hypothesis"),
        ),
        facts=(Fact("pairwise_gain", "vertex-optimal split", "2", True),),
    ),
]

ERRATA = [Erratum("Y-E1", saves_by_pairs(3, -1), "gain.saving_of_scored_children_by_their_order")]
