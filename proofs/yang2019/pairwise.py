"""Section V: the ranking loss of a node, and what a split saves of it.

A leaf is ``(positives, negatives)`` with one score; ``ranking_loss`` is the total over all pairs of a positive and a
negative example, written on the library's ``losses.pairwise``.

Main results: the three cases of the saving (printed with both signs exchanged); its maximum ``|ad - bc| / 2``, which
split of a node and which group of categories attain the most.
Source: yang2019, Section V.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.criteria import pairwise_gain
from splitcrit.losses import pairwise
from splitcrit.proof import All, Exhaustive, Fact, Identity, NearMiss, Smt, Theorem
from splitcrit.proofs.common import binary_splits, count_vectors, kinds, score
from splitcrit.proofs.yang2019.terms import SPLIT, clean

HALF = Fraction(1, 2)
SCORED = SPLIT | {"w_left": "real", "w_right": "real"}
Leaf = tuple[Any, Any]


def ranking_loss(leaves: list[Leaf], scores: list[Any], m: Any) -> Any:
    """Return the total ranking loss of scored leaves."""
    named = list(zip(leaves, scores, strict=True))
    return sum(p * n * pairwise(x, y, m) for (p, _), x in named for (_, n), y in named)


def one_by_one(leaves: list[Leaf], scores: list[Any]) -> Fraction:
    """Return the same from lists of examples, pair by pair."""
    high = [w for (p, _), w in zip(leaves, scores, strict=True) for _ in range(p)]
    low = [w for (_, n), w in zip(leaves, scores, strict=True) for _ in range(n)]
    return sum((Fraction(pairwise(Fraction(x), Fraction(y), EXACT)) for x in high for y in low), Fraction(0))


# What a split saves.


def saving(v: Any, m: Any) -> Any:
    """Return half the pairs of a node less the ranking loss of its scored children."""
    after = ranking_loss([(v.a, v.b), (v.c, v.d)], [v.w_left, v.w_right], m)
    return (v.a + v.c) * (v.b + v.d) / 2 - after


def saves(amount: Callable[[Any], Any], order: Callable[[Any, Any], Any]) -> Smt:
    """The saving is this amount where the scores of the children stand in this order."""
    return Smt(SCORED, lambda v, m: saving(v, m) == amount(v), lambda v, m: [order(v.w_left, v.w_right)])


def left_below(v: Any) -> Any:
    return (v.b * v.c - v.a * v.d) / 2


def left_above(v: Any) -> Any:
    return (v.a * v.d - v.b * v.c) / 2


def below(x: Any, y: Any) -> Any:
    return x < y


def above(x: Any, y: Any) -> Any:
    return x > y


def tied(x: Any, y: Any) -> Any:
    return x == y


def scored_splits(most: int) -> Iterator[Any]:
    for (left, right), scores in product(binary_splits(most), ((0, 1), (1, 0), (1, 1))):
        yield [left, right], scores


def saved(leaves: list[Leaf], scores: Any) -> Fraction:
    """Return the saving counted pair by pair, from one tied node."""
    whole = [(sum(p for p, _ in leaves), sum(n for _, n in leaves))]
    return one_by_one(whole, [0]) - one_by_one(leaves, list(scores))


def three_cases(case: Any) -> bool:
    leaves, (x, y) = case
    (a, b), (c, d) = leaves
    return bool(saved(leaves, (x, y)) == Fraction((x > y) - (x < y), 2) * (a * d - b * c))


def largest_saving(t: Any) -> Fraction:
    return max(saved(list(t), scores) for scores in ((0, 1), (1, 0), (1, 1)))


def is_gain(t: Any) -> bool:
    (a, b), (c, d) = t
    return bool(largest_saving(t) == score(pairwise_gain, ((b, a), (d, c))))


def never_more(v: Any, m: Any) -> Any:
    return saving(v, m) <= pairwise_gain.score(clean(v), m)


def positive_outside_ties(v: Any, m: Any) -> Any:
    return pairwise_gain.score(clean(v), m) > 0


def at_most_pure(v: Any, m: Any) -> Any:
    return pairwise_gain.score(clean(v), m) <= (v.a + v.c) * (v.b + v.d) / 2


def pure_split(v: Any) -> Any:
    return [(v.a + v.b) * (v.c + v.d) > 0, (v.a + v.c) * (v.b + v.d) > 0]


def best_is_pure(t: Any) -> bool:
    """State that the largest possible gain is reached by a split exactly when it separates the classes."""
    (a, b), (c, d) = t
    largest = 2 * score(pairwise_gain, ((b, a), (d, c))) == (a + c) * (b + d)
    return bool(largest == (a == d == 0 or b == c == 0))


def both_classes(most: int) -> Iterator[Any]:
    return (t for t in binary_splits(most) if all(map(sum, zip(*t, strict=True))))


def categories(most: int, parts: int) -> Iterator[Any]:
    """Yield tables of several categories, none empty."""
    for flat in count_vectors(most, 2 * parts, parts):
        rows = tuple(zip(flat[::2], flat[1::2], strict=True))
        if all(map(sum, rows)):
            yield rows


def grouped(rows: Any, chosen: Any) -> Fraction:
    sides = [[sum(rows[i][k] for i in part) for k in (0, 1)] for part in (chosen, set(range(len(rows))) - set(chosen))]
    return Fraction(score(pairwise_gain, sides))


def by_share(rows: Any) -> list[int]:
    return sorted(range(len(rows)), key=lambda i: Fraction(rows[i][1], sum(rows[i])))


def by_size(rows: Any) -> list[int]:
    return sorted(range(len(rows)), key=lambda i: sum(rows[i]))


def prefix_is_best(order: Callable[[Any], list[int]]) -> Callable[[Any], bool]:
    """Return the statement that a prefix of this order of the categories is the best group."""

    def holds(rows: Any) -> bool:
        places = order(rows)
        groups = [g for size in range(1, len(rows)) for g in combinations(range(len(rows)), size)]
        return max(grouped(rows, g) for g in groups) == max(
            grouped(rows, places[:size]) for size in range(1, len(rows))
        )

    return holds


def zero_where_alike(t: Any) -> bool:
    """State that the gain is zero exactly when the children have the same class shares."""
    left, right = t
    return bool((score(pairwise_gain, t) == 0) == (left[0] * sum(right) == right[0] * sum(left)))


THEOREMS = [
    Theorem(
        key="pairwise.tied_node_loses_half_its_pairs",
        statement="a node whose examples share one score has ranking loss N_pos N_neg / 2",
        source="yang2019, Section V",
        scope="all counts; pair by pair for N <= 8",
        holds=All(
            Smt(
                kinds("count", "a", "b") | {"w": "real"},
                lambda v, m: ranking_loss([(v.a, v.b)], [v.w], m) == v.a * v.b / 2,
            ),
            Exhaustive(lambda: count_vectors(8, 2), lambda n: one_by_one([n], [3]) == Fraction(n[0] * n[1], 2)),
        ),
        fails=(
            NearMiss(
                "it loses half of all pairs, whatever their classes",
                Exhaustive(lambda: count_vectors(4, 2), lambda n: one_by_one([n], [3]) == Fraction(sum(n) ** 2, 4)),
            ),
            NearMiss(
                "two nodes with scores of their own lose half their pairs together too",
                saves(lambda v: 0, lambda x, y: x != y),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="pairwise.saving_of_scored_children",
        statement="a split saves (N_L^- N_R^+ - N_L^+ N_R^-)/2 if w_L < w_R, the negative of it if w_L > w_R, and"
        " nothing if w_L = w_R",
        source="yang2019, Section V",
        scope="all counts, all scores; pair by pair for N <= 6",
        holds=All(
            saves(left_below, below),
            saves(left_above, above),
            saves(lambda v: 0, tied),
            Exhaustive(lambda: scored_splits(6), three_cases),
        ),
        fails=(
            NearMiss("for w_L < w_R it saves (N_L^+ N_R^- - N_L^- N_R^+)/2", saves(left_above, below)),
            NearMiss("for w_L > w_R it saves (N_L^- N_R^+ - N_L^+ N_R^-)/2", saves(left_below, above)),
            NearMiss("the same with w_L <= w_R for w_L < w_R", saves(left_below, lambda x, y: x <= y), "hypothesis"),
        ),
        latex=r"w_L < w_R:\ \tfrac12 N_- N_+ - \hat L = \tfrac12 (N_L^- N_R^+ - N_L^+ N_R^-)",
        added="the two cases exchanged",
    ),
    Theorem(
        key="pairwise.gain_is_largest_saving",
        statement="the most that any two scores of the children save is |N_L^- N_R^+ - N_L^+ N_R^-| / 2",
        source="yang2019, Section V",
        scope="all counts, all scores; pair by pair for N <= 6",
        holds=All(
            Smt(SCORED, never_more),
            Smt(
                SCORED,
                lambda v, m: saving(v, m) == pairwise_gain.score(clean(v), m),
                lambda v, m: [v.w_left > v.w_right, v.a * v.d >= v.b * v.c],
            ),
            Smt(
                SCORED,
                lambda v, m: saving(v, m) == pairwise_gain.score(clean(v), m),
                lambda v, m: [v.w_left < v.w_right, v.a * v.d <= v.b * v.c],
            ),
            Exhaustive(lambda: binary_splits(6), is_gain),
        ),
        fails=(
            NearMiss(
                "the left child may always be given the smaller score",
                Smt(
                    SCORED,
                    lambda v, m: saving(v, m) == pairwise_gain.score(clean(v), m),
                    lambda v, m: [v.w_left < v.w_right],
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "some split of every node saves something",
                Smt(SPLIT, positive_outside_ties, lambda v, m: pure_split(v)),
            ),
        ),
        latex=r"t(s) = \tfrac12 |N_L^- N_R^+ - N_L^+ N_R^-|",
    ),
    Theorem(
        key="pairwise.gain_is_zero_of_equal_shares_only",
        statement="pairwise gain is zero exactly when both children have the class shares of the node, or one is empty:"
        " it does not stop while the shares differ",
        source="yang2019, Section V",
        scope="all counts; N <= 9 with both children present",
        holds=All(
            Smt(
                SPLIT,
                lambda v, m: pairwise_gain.score(clean(v), m) > 0,
                lambda v, m: [*pure_split(v)[:1], v.a * (v.c + v.d) != v.c * (v.a + v.b)],
            ),
            Exhaustive(lambda: binary_splits(9), zero_where_alike),
        ),
        fails=(
            NearMiss(
                "it is positive whenever the children differ in their counts",
                Smt(SPLIT, positive_outside_ties, lambda v, m: [v.a * v.b * v.c * v.d > 0, v.a != v.c, v.b != v.d]),
            ),
            NearMiss(
                "it is positive whenever the node has both classes",
                Smt(SPLIT, positive_outside_ties, lambda v, m: pure_split(v)),
                alters="hypothesis",
            ),
        ),
        facts=(Fact("pairwise_gain", "stops early", "2", False),),
    ),
    Theorem(
        key="pairwise.best_split_of_node_separates_classes",
        statement="no split of a node gains more than N_pos N_neg / 2, and of a node with both classes exactly the"
        " split that separates them does",
        source="yang2019, Section V",
        scope="the bound for all counts; which splits attain it for N <= 9",
        holds=All(Smt(SPLIT, at_most_pure), Exhaustive(lambda: both_classes(9), best_is_pure)),
        fails=(
            NearMiss(
                "no split gains more than (N_pos^2 + N_neg^2) / 8",
                Smt(
                    SPLIT,
                    lambda v, m: 8 * pairwise_gain.score(clean(v), m) <= (v.a + v.c) ** 2 + (v.b + v.d) ** 2,
                ),
            ),
            NearMiss(
                "the same of a node with one class", Exhaustive(lambda: binary_splits(3), best_is_pure), "hypothesis"
            ),
        ),
        facts=(Fact("pairwise_gain", "vertex-optimal split", "2", True),),
    ),
    Theorem(
        key="pairwise.best_grouping_is_a_prefix",
        statement="the best split of a categorical feature by pairwise gain sends a prefix of the categories, ordered"
        " by their share of positives, to one side: ad - bc = N sum_i (a_i - n_i p) over the group",
        source="yang2019, Section V",
        scope="3 categories N <= 7, 4 categories N <= 6; all by the premise",
        holds=All(
            Identity(
                kinds("count", "a", "b", "c", "d"),
                lambda v, m: v.a * v.d - v.b * v.c,
                lambda v, m: (v.a + v.b + v.c + v.d) * v.a - (v.a + v.b) * (v.a + v.c),
            ),
            Exhaustive(lambda: categories(7, 3), prefix_is_best(by_share)),
            Exhaustive(lambda: categories(6, 4), prefix_is_best(by_share)),
        ),
        fails=(
            NearMiss(
                "the same with the categories ordered by size",
                Exhaustive(lambda: categories(5, 3), prefix_is_best(by_size)),
                alters="hypothesis",
            ),
            NearMiss(
                "the best group is always a single category",
                Exhaustive(
                    lambda: categories(5, 4),
                    lambda rows: (
                        max(grouped(rows, (i,)) for i in range(4))
                        == max(grouped(rows, g) for size in (1, 2) for g in combinations(range(4), size))
                    ),
                ),
            ),
        ),
        premises=("hand argument: a sum over a group is largest for the group of all its positive terms",),
        facts=(Fact("pairwise_gain", "ordering shortcut", "2", True),),
    ),
]
