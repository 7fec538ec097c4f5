"""Twoing is the best Gini decrease of classes grouped in two, and what the form printed in breiman1996 is instead.

Source: breiman1996, eq. (2.2), twoing in its form of 1984, with the square outside the sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from splitcrit.criteria import Criterion, twoing, twoing_superclasses
from splitcrit.proof import All, Claim, Exhaustive, Fact, Identity, Induction, NearMiss, Smt, Theorem
from splitcrit.proofs.common import binary_splits, gini_decrease, score, up_to
from splitcrit.proofs.vertex.concavity import convex_gain
from splitcrit.proofs.vertex.nodes import Counts, best_vertices, of_nodes
from splitcrit.proofs.vertex.premises import by_theorem

Split = tuple[Counts, Counts]
FOUR = dict.fromkeys("abcd", "positive")


def grouped(t: Split, group: tuple[int, ...]) -> list[list[int]]:
    """The table of two classes in which the first holds the classes of a group."""
    inside = [sum(row[k] for k in group) for row in t]
    return [[x, sum(row) - x] for x, row in zip(inside, t, strict=True)]


def best_grouping(t: Split) -> Any:
    """The largest Gini decrease over all choices of classes for the first of two groups."""
    groups = (tuple(k for k in range(len(t[0])) if mask >> k & 1) for mask in range(1, 2 ** len(t[0]) - 1))
    return max(score(gini_decrease, grouped(t, group)) for group in groups)


def more_counted_attain(t: Split) -> bool:
    """Whether the classes with at least as many members left as right would do as the first group."""
    group = tuple(k for k, (x, y) in enumerate(zip(*t, strict=True)) if x >= y)
    return bool(score(gini_decrease, grouped(t, group)) == 2 * score(twoing, t))


def printed_twoing(t: Any, m: Any) -> Any:
    """(2.2) as printed, with the squares inside the sum."""
    left, right = sum(t[0]), sum(t[1])
    apart = sum((x / left - y / right) ** 2 for x, y in zip(*t, strict=True))
    return left * right / (left + right) ** 2 / 4 * apart


def of_plain(criterion: Criterion) -> Callable[[Any, Any], Any]:
    return lambda v, m: criterion.score([[v.a, v.b], [v.c, v.d]], m)


def small_splits() -> Iterator[Split]:
    yield from binary_splits(6, 3)
    yield from binary_splits(4, 4)


def of_small_splits(holds: Callable[[Split], bool]) -> Claim:
    """Claim something of every split of three classes up to six examples, and of four up to four."""
    return All(up_to(6, binary_splits, holds, K=3), Exhaustive(lambda: binary_splits(4, 4), holds))


def is_half_best_grouping(criterion: Criterion, factor: int = 2) -> Claim:
    return of_small_splits(lambda t: factor * score(criterion, t) == best_grouping(t))


def deviations(v: Any, m: Any) -> list[Any]:
    return [v.positive == v.negative, v.chosen <= v.positive, v.against <= v.negative]


def product_of_deviation(v: Any, m: Any) -> Any:
    """``2 P_L P_R (p_L - p_R)^2`` for the share p of the first of two groups of classes."""
    left, right = v.a + v.b, v.c + v.d
    return 2 * left * right / (left + right) ** 2 * (v.a / left - v.c / right) ** 2


def in_sums(criterion: Criterion, factor: int) -> Claim:
    """Claim that a criterion, times a factor, is Gini's decrease in the sums of products of counts, all K."""

    def closed(sums: Any, v: Any, m: Any) -> Any:
        left, right, ll, rr, lr = sums
        return (right * right * ll + left * left * rr - 2 * left * right * lr) / (left * right * (left + right) ** 2)

    return Induction(
        "K",
        {"l": "positive", "r": "positive"},
        lambda entries, v, m: factor * criterion.score([[e.l for e in entries], [e.r for e in entries]], m),
        lambda e, v, m: [e.l, e.r, e.l * e.l, e.r * e.r, e.l * e.r],
        closed,
        relation=">=",
        keeps=lambda s, v, m: [s[0] > 0, s[1] > 0, s[2] > 0, s[3] > 0, s[2] * s[3] >= s[4] * s[4]],
    )


printed = Criterion("twoing as printed", printed_twoing, rows=2)
DEVIATIONS = dict.fromkeys(("positive", "negative", "chosen", "against"), "count")

THEOREMS = [
    Theorem(
        key="vertex.twoing_is_half_best_grouped_gini",
        statement="twoing, (P_L P_R / 4)(sum_j |p_jL - p_jR|)^2, is half of the largest Gini decrease over all"
        " groupings of the classes in two: that of a group is 2 P_L P_R times the square of the sum of its deviations"
        " p_jL - p_jR, and of deviations that sum to 0 those of any group sum to at most half of all absolute ones, as"
        " the group with p_jL >= p_jR does; so it is convex in alpha and largest at a vertex",
        source="breiman1996, eq. (2.2)",
        holds=All(
            Identity(FOUR, of_plain(twoing), lambda v, m: gini_decrease.score([[v.a, v.b], [v.c, v.d]], m) / 2),
            Identity(FOUR, of_plain(gini_decrease), product_of_deviation),
            Smt(DEVIATIONS, lambda v, m: m.abs(v.chosen - v.against) <= (v.positive + v.negative) / 2, deviations),
            Smt(
                {"t": "rate"} | dict.fromkeys("fghk", "real"),
                lambda v, m: (
                    v.t * m.max([v.f, v.g]) + (1 - v.t) * m.max([v.h, v.k])
                    >= m.max([v.t * v.f + (1 - v.t) * v.h, v.t * v.g + (1 - v.t) * v.k])
                ),
            ),
            is_half_best_grouping(twoing),
            of_small_splits(
                lambda t: score(gini_decrease, grouped(t, twoing_superclasses(t)[0])) == 2 * score(twoing, t)
            ),
            convex_gain(twoing),
        ),
        fails=(
            NearMiss("the same with the squares inside the sum, as printed", is_half_best_grouping(printed)),
            NearMiss(
                "the superclasses are the classes with more members left than right, not relatively more",
                of_small_splits(more_counted_attain),
            ),
            NearMiss("it is the largest Gini decrease itself", is_half_best_grouping(twoing, 1)),
        ),
        premises=(by_theorem("vertex.best_split_of_concave_impurity", "K", "N"),),
        added="the square stands outside the sum",
        facts=(Fact(repr(twoing), "vertex-optimal split", "all", True),),
    ),
    Theorem(
        key="vertex.printed_twoing_is_quarter_of_gini",
        statement="(2.2) as printed, with the squares inside the sum, is a quarter of Gini's decrease, so that its best"
        " vertices isolate a most frequent class",
        source="breiman1996, eq. (2.2)",
        holds=All(
            in_sums(printed, 4),
            in_sums(gini_decrease, 1),
            Exhaustive(small_splits, lambda t: 4 * score(printed, t) == score(gini_decrease, t)),
        ),
        fails=(
            NearMiss("it is twoing itself at two classes", Identity(FOUR, of_plain(printed), of_plain(twoing))),
            NearMiss(
                "it orders splits of three classes as twoing does",
                of_nodes(lambda n: bool(best_vertices(printed, n) & best_vertices(twoing, n)), 7),
            ),
        ),
    ),
]
