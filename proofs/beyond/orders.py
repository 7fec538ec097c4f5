"""The ordering shortcut for categories: what else has it, what has not, and that three classes have no order at all.

Main results: squared error has the shortcut by the mean response, absolute error neither by the mean nor by the median;
of more than two classes no order by class proportions holds a best cut for all sizes of the categories.
Source: breiman1996, Theorem 1, applied to categories; beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from typing import Any

from splitcrit import impurities
from splitcrit.criteria import (
    Criterion,
    decrease,
    imprecise_gain_ratio,
    imprecise_information_gain,
    normalised,
    one_vs_rest_pairwise_gain,
    sum_minority,
    twoing,
)
from splitcrit.impurities import absolute_deviation, entropy, gini, misclassification, scaled, variance
from splitcrit.nulls import agini, sgini
from splitcrit.proof import BALL, All, Ball, Certificate, Claim, Exhaustive, Fact, Identity, NearMiss, Not, Smt, Theorem
from splitcrit.proofs.breiman1996.concave import bimodal
from splitcrit.proofs.breiman1996.ordering import (
    Categories,
    first_failure,
    grouping,
    impure,
    never_gap,
    shortcut,
    strict_shortcut,
)
from splitcrit.proofs.common import compositions, kinds, score, vector
from splitcrit.proofs.impurity.concave import CONCAVE

PROPERTY = "ordering shortcut"
Many = tuple[tuple[int, ...], ...]
HALF = Fraction(1, 2)

# ---- two classes: families, and strict concavity ----

MEMBERS = (
    *(decrease(impurities.gce(Fraction(*q))) for q in ((1, 3), (3, 4))),
    decrease(impurities.shannon_entropy(base=2)),
    normalised(gini),
)
ROUGH_MEMBERS = (
    decrease(variance((0, 1))),
    decrease(absolute_deviation((0, 1))),
    decrease(scaled(misclassification, 2)),
    decrease(scaled(gini, 3)),
)
STRICT = tuple(phi for phi in CONCAVE if phi not in (misclassification, CONCAVE[5], CONCAVE[7]))


@cache
def scores(criterion: Criterion, t: Categories) -> dict[int, Any]:
    """Return enclosures of the scores of all groupings, the first category left, by bit mask."""
    found = {}
    for mask in range(1, 2 ** len(t) - 1, 2):
        table = [[BALL.number(x) for x in row] for row in grouping(t, mask)]
        found[mask] = Ball(criterion.score(table, BALL))
    return found


def is_cut(mask: int) -> bool:
    return mask & (mask + 1) == 0


def only_cuts(criterion: Criterion, t: Categories) -> bool:
    """Tell whether every grouping with a gap scores less than some cut, by enclosures."""
    found = scores(criterion, t)
    cuts = [x for mask, x in found.items() if is_cut(mask)]
    return all(any(bool((c - x).arb > 0) for c in cuts) for mask, x in found.items() if not is_cut(mask))


def equal_means() -> Iterator[Categories]:
    """Yield three categories of one mean, of two classes."""
    for sizes in ((1, 1, 1), (1, 2, 1), (2, 1, 3)):
        yield tuple((n, n) for n in sizes)


# ---- responses ----

RESPONSES = kinds("positive", "l", "r", classes=3) | kinds("real", "w", classes=3)
SUMS = {"n": "positive", "k": "positive", "s": "real", "u": "real"}


def squares_of_sums(v: Any, m: Any) -> Any:
    """Return what squared error gains, ``s_L^2 / n_L + s_R^2 / n_R - s^2 / n`` per example."""
    left, right, values = (vector(v, name, 3) for name in "lrw")
    sums = [sum(x * w for x, w in zip(side, values, strict=True)) for side in (left, right)]
    sizes = [sum(left), sum(right)]
    whole = sum(sizes)
    return (sum(s * s / n for s, n in zip(sums, sizes, strict=True)) - sum(sums) ** 2 / whole) / whole


def squared_error(v: Any, m: Any) -> Any:
    return decrease(variance(vector(v, "w", 3))).score([vector(v, "l", 3), vector(v, "r", 3)], m)


def square_over_size(v: Any, m: Any) -> Any:
    """Return ``s^2 / n + u^2 / k - (s + u)^2 / (n + k)``: how far the square over the size is above its chord."""
    return v.s * v.s / v.n + v.u * v.u / v.k - (v.s + v.u) ** 2 / (v.n + v.k)


@cache
def responses(number: int, most: int, values: tuple[int, ...] = (0, 1, 2)) -> tuple[Many, ...]:
    """Return all sets of categories of up to ``most`` responses among these values."""
    cells = [c for n in range(1, most) for c in compositions(n, len(values))]
    return tuple(t for t in combinations(cells, number) if sum(map(sum, t)) <= most)


def mean(t: tuple[int, ...], values: tuple[int, ...]) -> Fraction:
    return Fraction(sum(n * w for n, w in zip(t, values, strict=True)), sum(t))


def median(t: tuple[int, ...], values: tuple[int, ...]) -> Fraction:
    """Return the median, half-way where half of the responses are on each side."""
    listed = [w for n, w in zip(t, values, strict=True) for _ in range(n)]
    return Fraction(listed[(len(listed) - 1) // 2] + listed[len(listed) // 2], 2)


def sides(t: Many, mask: int) -> list[list[int]]:
    """Return the two-way table of the categories of a bit mask against the others, of any number of classes."""
    return [[sum(c[k] for i, c in enumerate(t) if (mask >> i & 1) == s) for k in range(len(t[0]))] for s in (1, 0)]


Statistic = Callable[[tuple[int, ...], tuple[int, ...]], Fraction]


def gap_wins(criterion: Criterion, t: Many, values: tuple[int, ...], by: Statistic) -> bool:
    """Tell whether a grouping is strictly better than every cut of the order by a statistic, ties in any order."""
    cuts: list[Any] = []
    gaps: list[Any] = []
    for mask in range(1, 2 ** len(t) - 1, 2):
        parts = [[by(c, values) for i, c in enumerate(t) if (mask >> i & 1) == s] for s in (1, 0)]
        cut = max(parts[0]) <= min(parts[1]) or max(parts[1]) <= min(parts[0])
        (cuts if cut else gaps).append(score(criterion, sides(t, mask)))
    return bool(gaps) and max(gaps) > max(cuts)


def no_gap_wins(criterion: Criterion, most: int, by: Statistic, values: tuple[int, ...] = (0, 1, 2)) -> Claim:
    return Exhaustive(lambda: responses(3, most, values), lambda t: not gap_wins(criterion, t, values, by))


def gap_wins_at(criterion: Criterion, t: Many, values: tuple[int, ...], by: Statistic) -> Claim:
    return Not(Exhaustive(lambda: [t], lambda one: not gap_wins(criterion, one, values, by)))


SPREAD = decrease(variance((0, 1, 2)))
SPREAD_OF_THREE = decrease(variance((0, 1, 3)))
DEVIATION = decrease(absolute_deviation((0, 1, 2)))
DEVIATION_OF_FOUR = decrease(absolute_deviation((0, 1, 2, 3)))
BY_MEAN = ((0, 0, 1), (0, 2, 1), (2, 0, 3))
BY_MEDIAN = ((4, 0, 0, 0), (0, 2, 0, 1), (1, 0, 2, 0), (0, 0, 0, 4))

# ---- three classes ----

PURE = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
DOUBLED = ((2, 1, 1), (1, 2, 1), (1, 1, 2))


@dataclass(frozen=True)
class Case:
    """Three categories of fixed proportions, and multiples in which each in turn may stand alone."""

    shapes: Many
    sizes: Many

    def __str__(self) -> str:
        shapes, sizes = (" ".join("-".join(map(str, one)) for one in part) for part in (self.shapes, self.sizes))
        return f"class counts {shapes}, taken {sizes} times"


OF_PURE = Case(PURE, DOUBLED)
OF_TURNS = Case(((0, 1, 2), (1, 2, 0), (2, 0, 1)), ((2, 1, 2), (2, 2, 1), (1, 2, 2)))
OF_MEAN = Case(((0, 0, 1), (0, 2, 1), (3, 1, 1)), ((3, 2, 1), (2, 3, 1), (2, 1, 2)))
OF_PAIRS = Case(((0, 1, 1), (1, 0, 1), (1, 1, 0)), DOUBLED)
OF_TRIPLES = Case(PURE, ((3, 1, 1), (1, 3, 1), (1, 1, 3)))

BAYES_SUM = decrease(CONCAVE[5])
MISTAKES = decrease(misclassification)
ORDERLESS: tuple[tuple[Criterion, Case], ...] = (
    *((decrease(phi), OF_PURE) for phi in CONCAVE if decrease(phi) not in (BAYES_SUM, MISTAKES)),
    (MISTAKES, OF_TURNS),
    (BAYES_SUM, OF_MEAN),
    (decrease(impurities.shannon_entropy(base=2)), OF_PURE),
    (twoing, OF_PURE),
    (one_vs_rest_pairwise_gain, OF_PURE),
    (sum_minority, OF_TURNS),
    (normalised(entropy), OF_PAIRS),
    (imprecise_information_gain(1), OF_PURE),
    (imprecise_gain_ratio(1), OF_PURE),
    (sgini, OF_PURE),
    (agini, OF_TRIPLES),
)


def winner(criterion: Criterion, shapes: Many, sizes: tuple[int, ...]) -> int | None:
    """Return the category that the one best grouping puts alone, by enclosures; None if it is not known to be one."""
    t = tuple(tuple(n * x for x in shape) for n, shape in zip(sizes, shapes, strict=True))
    found = []
    for alone in range(len(t)):
        table = [[_number(criterion, x) for x in row] for row in sides(t, 1 << alone)]
        found.append(Ball(criterion.score(table, BALL)))
    top = [i for i, x in enumerate(found) if all(bool((x - y).arb > 0) for j, y in enumerate(found) if j != i)]
    return top[0] if top else None


def _number(criterion: Criterion, x: int) -> Any:
    return Fraction(x) if criterion in (sgini, agini) else BALL.number(x)


def each_stands_alone(criterion: Criterion, case: Case) -> bool:
    """Tell whether each of three categories stands alone in the one best grouping, for one of the given sizes each."""
    return {winner(criterion, case.shapes, one) for one in case.sizes} == set(range(len(case.shapes)))


def orderless(criterion: Criterion, case: Case) -> Claim:
    return Not(Exhaustive(lambda: [case], lambda c: not each_stands_alone(criterion, c)))


def cuts_leave_one_out(order: tuple[int, ...]) -> bool:
    """Tell whether the cuts of an order of three categories leave one of them that no cut puts alone."""
    return {order[0], order[-1]} < set(order)


RATIO = imprecise_gain_ratio(1)
RATIO_FAILS = ((1, 0), (2, 1), (5, 3))

THEOREMS = [
    Theorem(
        key="ordering.cut_is_best_of_families_of_two_classes",
        statement="with two classes the shortcut by mean response also holds for gce(q), 0 < q < 1, ne(lam), 0 < lam,"
        " entropy in any base, squared and absolute error of two responses, and Gini's gain ratio: each is a multiple"
        " of a concave impurity, a smaller of two of them, or such a decrease over the entropy of the sizes",
        source="beyond, families with the ordering shortcut",
        scope="two classes; enumerated at q = 1/3, 3/4, base 2 and multiples, 3 and 4 categories, N <= 7",
        holds=All(
            *(strict_shortcut(criterion, 7) for criterion in MEMBERS),
            *(shortcut(criterion, 7) for criterion in ROUGH_MEMBERS),
        ),
        fails=(
            NearMiss("Gini's decrease less a bound that depends on the sizes, AGini, has it too", never_gap(agini, 12)),
            NearMiss("the larger of two concave impurities will do", shortcut(bimodal), alters="hypothesis"),
            NearMiss(
                "then every best grouping is a cut, for absolute error of two responses too",
                Exhaustive(lambda: impure(8), lambda t: only_cuts(ROUGH_MEMBERS[1], t)),
            ),
        ),
        premises=(
            "ordering.cut_is_best_of_convex_score",
            "ordering.cut_is_best_of_gain_ratio",
            "impurity.families_are_concave",
        ),
        facts=(
            Fact("decrease(gce(q)) for 0 < q < 1", PROPERTY, "2", True),
            Fact("decrease(ne(lam)) for 0 < lam", PROPERTY, "2", True),
            Fact("decrease(shannon_entropy(base=2))", PROPERTY, "2", True),
            Fact("decrease(variance((0, 1)))", PROPERTY, "2", True),
            Fact("decrease(absolute_deviation((0, 1)))", PROPERTY, "2", True),
            Fact("normalised(gini)", PROPERTY, "2", True),
        ),
    ),
    Theorem(
        key="ordering.only_cuts_are_best_of_strict_concavity",
        statement="if the impurity is strictly concave and the categories' means all differ, every best grouping of two"
        " classes is a cut of their order; where means are equal, their order among each other does not matter",
        source="beyond, ties of the ordering shortcut",
        scope="enumerated for the strictly concave impurities of breiman1996, 3 and 4 categories, N <= 8",
        holds=Exhaustive(
            lambda: ((phi, t) for phi in STRICT for t in impure(8)), lambda c: only_cuts(decrease(c[0]), c[1])
        ),
        fails=(
            NearMiss(
                "concavity is enough: misclassification",
                Exhaustive(lambda: impure(8), lambda t: only_cuts(MISTAKES, t)),
                alters="hypothesis",
            ),
            NearMiss(
                "the means may be equal",
                Exhaustive(equal_means, lambda t: only_cuts(decrease(gini), t)),
                alters="hypothesis",
            ),
        ),
        premises=("ordering.cut_is_best_of_convex_score, with a strict inequality off the ray of equal means",),
    ),
    Theorem(
        key="ordering.cut_is_best_of_squared_error",
        statement="for squared error of any responses some best grouping of categories is a cut of their order by mean"
        " response: the decrease depends on the left side through its size and its sum, and is convex in both",
        source="beyond, the ordering shortcut of squared error",
        scope="any responses, the decrease in sums for three of them; enumerated for responses 0, 1, 2, N <= 5",
        holds=All(
            Identity(RESPONSES, squared_error, squares_of_sums),
            Certificate(
                SUMS,
                square_over_size,
                lambda v, m: [([v.s * v.k - v.u * v.n], ["inverse"])],
                lambda v, m: {"inverse": 1 / (v.n * v.k * (v.n + v.k))},
            ),
            no_gap_wins(SPREAD, 5, mean),
        ),
        fails=(
            NearMiss("the order by the median will do", no_gap_wins(SPREAD_OF_THREE, 6, median, (0, 1, 3))),
            NearMiss(
                "the square over the size is concave",
                Smt(SUMS, lambda v, m: square_over_size(v, m) <= 0),
            ),
        ),
        premises=("ordering.cut_is_best_of_convex_score, with the sum of responses for the positives",),
        facts=(Fact("decrease(variance((0, 1, 2)))", PROPERTY, ">2", True),),
    ),
    Theorem(
        key="ordering.cut_can_fail_for_absolute_error",
        statement="for absolute error the order by mean response can miss the best grouping, at responses (2), (1, 1,"
        " 2), (0, 0, 2, 2, 2), and three categories of fewer responses 0, 1, 2 never do; the order by the median can"
        " miss it at (0, 0, 0, 0), (1, 1, 3), (0, 2, 2), (3, 3, 3, 3)",
        source="beyond, the ordering shortcut of absolute error",
        scope="the tables named; three categories of at most 8 responses 0, 1, 2",
        holds=All(
            gap_wins_at(DEVIATION, BY_MEAN, (0, 1, 2), mean),
            no_gap_wins(DEVIATION, 8, mean),
            gap_wins_at(DEVIATION_OF_FOUR, BY_MEDIAN, (0, 1, 2, 3), median),
        ),
        fails=(
            NearMiss(
                "there the order by the median fails as well",
                gap_wins_at(DEVIATION, BY_MEAN, (0, 1, 2), median),
            ),
            NearMiss("three categories of nine responses never do either", no_gap_wins(DEVIATION, 9, mean)),
        ),
        facts=(Fact("decrease(absolute_deviation((0, 1, 2)))", PROPERTY, ">2", False),),
    ),
    Theorem(
        key="ordering.cut_can_fail_for_imprecise_gain_ratio",
        statement="a grouping with a gap can be strictly best for the imprecise gain ratio (s = 1), at categories"
        " (negatives, positives) (1, 0), (2, 1), (5, 3); every score there is negative, and no table of fewer examples"
        " does so",
        source="beyond, the ordering shortcut of credal criteria",
        scope="three categories of different means, up to exchanging the classes",
        holds=first_failure(RATIO, RATIO_FAILS),
        fails=(
            NearMiss("the ratio is largest at a cut up to twelve examples", never_gap(RATIO, 12)),
            NearMiss("Gini's gain ratio fails there too", first_failure(normalised(gini), RATIO_FAILS)),
        ),
        facts=(Fact(repr(RATIO), PROPERTY, "2", False),),
    ),
    Theorem(
        key="ordering.no_order_is_best_of_three_classes",
        statement="with three classes no order of the categories by their class proportions, whatever it is, has a best"
        " cut for all sizes of the categories: of three categories with fixed proportions each can be the one that the"
        " one best grouping puts alone, and the cuts of an order put only two of them alone",
        source="beyond, the ordering shortcut of several classes",
        scope="K = 3, three categories: the proportions and sizes of the witnesses",
        holds=All(
            Exhaustive(lambda: permutations(range(3)), cuts_leave_one_out),
            *(orderless(criterion, case) for criterion, case in ORDERLESS),
        ),
        fails=(
            NearMiss("pure categories show it for misclassification", orderless(MISTAKES, OF_PURE)),
            NearMiss(
                "so it is with squared error of the responses 0, 1, 2",
                orderless(SPREAD, OF_PURE),
                alters="hypothesis",
            ),
            NearMiss(
                "so it is with two classes",
                orderless(decrease(gini), Case(((1, 0), (1, 1), (0, 1)), DOUBLED)),
                alters="hypothesis",
            ),
        ),
        facts=tuple(Fact(repr(criterion), PROPERTY, ">2", False) for criterion, _ in ORDERLESS),
    ),
]
