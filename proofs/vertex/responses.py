"""The ordering shortcut for responses: squared error and Poisson deviance have it by the mean, absolute error not.

Source: beyond, the ordering shortcut of squared and absolute error and of Poisson deviance.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from splitcrit.criteria import Criterion, decrease
from splitcrit.impurities import absolute_deviation, variance
from splitcrit.proof import (
    All,
    Certificate,
    Claim,
    Each,
    Exhaustive,
    Fact,
    Identity,
    Law,
    NearMiss,
    Not,
    Sign,
    Smt,
    Theorem,
)
from splitcrit.proofs.common import compositions, kinds, score, up_to, vector
from splitcrit.proofs.gain.poisson import by_sums as deviance_by_sums
from splitcrit.proofs.given import LOGARITHM
from splitcrit.proofs.vertex.groupings import Categories, masks, sides
from splitcrit.proofs.vertex.premises import by_theorem

Values = tuple[int, ...]
Statistic = Callable[[tuple[int, ...], Values], Fraction]


@cache
def responses(most: int, number: int, values: Values = (0, 1, 2)) -> tuple[Categories, ...]:
    """All sets of a number of categories of up to ``most`` responses among these values."""
    cells = [c for n in range(1, most) for c in compositions(n, len(values))]
    return tuple(t for t in combinations(cells, number) if sum(map(sum, t)) <= most)


def mean(t: tuple[int, ...], values: Values) -> Fraction:
    return Fraction(sum(n * w for n, w in zip(t, values, strict=True)), sum(t))


def median(t: tuple[int, ...], values: Values) -> Fraction:
    """The median, half-way where half of the responses are on each side."""
    listed = [w for n, w in zip(t, values, strict=True) for _ in range(n)]
    return Fraction(listed[(len(listed) - 1) // 2] + listed[len(listed) // 2], 2)


def gap_wins(criterion: Criterion, t: Categories, values: Values, by: Statistic) -> bool:
    """Whether a grouping is strictly better than every cut of the order by a statistic, ties in any order."""
    scores: tuple[list[Any], list[Any]] = ([], [])
    for mask, _ in masks(len(t)):
        parts = [[by(c, values) for i, c in enumerate(t) if (mask >> i & 1) == s] for s in (1, 0)]
        cut = max(parts[0]) <= min(parts[1]) or max(parts[1]) <= min(parts[0])
        scores[not cut].append(score(criterion, sides(t, mask)))
    return bool(scores[1]) and max(scores[1]) > max(scores[0])


def no_gap_wins(criterion: Criterion, most: int, by: Statistic, values: Values = (0, 1, 2)) -> Claim:
    """Claim that of three categories of up to ``most`` responses a cut is best."""
    return up_to(most, lambda N, J: responses(N, J, values), lambda t: not gap_wins(criterion, t, values, by), J=3)


def gap_wins_at(t: Categories, by: Statistic) -> Claim:
    """Claim that for absolute error a grouping with a gap beats all cuts of these categories of responses 0, 1, ..."""
    values = tuple(range(len(t[0])))
    criterion = decrease(absolute_deviation(values))
    return Not(Exhaustive(lambda: [t], lambda one: not gap_wins(criterion, one, values, by)))


def squares_of_sums(v: Any, m: Any) -> Any:
    """What squared error gains, ``s_L^2 / n_L + s_R^2 / n_R - s^2 / n`` per example."""
    left, right, values = (vector(v, name, 3) for name in "lrw")
    sums = [sum(x * w for x, w in zip(side, values, strict=True)) for side in (left, right)]
    sizes = [sum(left), sum(right)]
    explained = sum(s * s / n for s, n in zip(sums, sizes, strict=True))
    return (explained - sum(sums) ** 2 / sum(sizes)) / sum(sizes)


def by_sums(classes: int) -> Claim:
    """Claim that squared error depends on the sides through their sizes and their sums."""

    def score(v: Any, m: Any) -> Any:
        table = [vector(v, "l", classes), vector(v, "r", classes)]
        return decrease(variance(vector(v, "w", classes))).score(table, m)

    return Identity(RESPONSES, score, squares_of_sums)


def square_over_size(v: Any, m: Any) -> Any:
    """``s^2 / n + u^2 / k - (s + u)^2 / (n + k)``: how far the square over the size is above its chord."""
    return v.s * v.s / v.n + v.u * v.u / v.k - (v.s + v.u) ** 2 / (v.n + v.k)


def above_chord(own: bool = True) -> Identity:
    """Claim that s log(s/n) over two sides is above its value at their sums by terms of log x <= x - 1 with weights.

    The logarithms are a and b of the sides and c of their sums; x is the mean of the sums over that of a side.
    """

    def excess(v: Any, m: Any) -> Any:
        return v.s * v.a + v.u * v.b - (v.s + v.u) * v.c

    def slack(v: Any, m: Any) -> Any:
        whole = (v.s + v.u) / (v.n + v.k)
        second = v.u * (whole * v.k / v.u - 1 - (v.c - (v.b if own else v.a)))
        return v.s * (whole * v.n / v.s - 1 - (v.c - v.a)) + second

    return Identity({**dict.fromkeys("nksu", "positive"), **dict.fromkeys("abc", "real")}, excess, slack)


LOG_SUM = Law(above_chord)
SPREAD, DEVIATION = decrease(variance((0, 1, 2))), decrease(absolute_deviation((0, 1, 2)))
BY_MEAN = ((0, 0, 1), (0, 2, 1), (2, 0, 3))
BY_MEDIAN = ((4, 0, 0, 0), (0, 2, 0, 1), (1, 0, 2, 0), (0, 0, 0, 4))
SMALL = Law(no_gap_wins, criterion=DEVIATION, most=8, by=mean)

RESPONSES = kinds("positive", "l", "r", classes=3) | kinds("real", "w", classes=3)
SUMS = {"n": "positive", "k": "positive", "s": "real", "u": "real"}
BY_SQUARES = Law(no_gap_wins, criterion=SPREAD, most=5, by=mean)
CONVEX = "vertex.cut_is_best_of_convex_score"

THEOREMS = [
    Theorem(
        key="vertex.cut_is_best_of_squared_error",
        statement="for squared error of any responses some best grouping of categories is a cut of their order by mean"
        " response: the decrease depends on the left side through its size and its sum, in place of the positives, and"
        " is convex in both",
        source="beyond, the ordering shortcut of squared error",
        holds=All(
            Each("K", (3,), by_sums),
            Certificate(
                SUMS,
                square_over_size,
                lambda v, m: [([v.s * v.k - v.u * v.n], ["inverse"])],
                lambda v, m: {"inverse": 1 / (v.n * v.k * (v.n + v.k))},
            ),
            BY_SQUARES.claim,
        ),
        fails=(
            BY_SQUARES.but(
                "the order by the median will do, at responses 0, 1, 3",
                criterion=decrease(variance((0, 1, 3))),
                most=6,
                by=median,
                values=(0, 1, 3),
            ),
            NearMiss("the square over the size is concave", Smt(SUMS, lambda v, m: square_over_size(v, m) <= 0)),
        ),
        premises=(by_theorem(CONVEX, "J", "N"),),
        facts=(Fact("decrease(variance((0, 1, 2)))", "ordering shortcut", ">2", True),),
    ),
    Theorem(
        key="vertex.cut_is_best_of_poisson_deviance",
        statement="for Poisson deviance of any responses some best grouping of categories is a cut of their order by"
        " mean response: what a split saves depends on the left side through its size n and its sum s, and is convex in"
        " both, as s log(s/n) is by log x <= x - 1",
        source="beyond, the ordering shortcut of Poisson deviance",
        holds=All(Each("K", (3,), deviance_by_sums), LOG_SUM.claim),
        fails=(
            LOG_SUM.but("both sides have one logarithm", own=False),
            NearMiss(
                "it is concave in both",
                Sign(lambda m: [-m.number(2) * m.log(m.number(2)) + 3 * m.log(m.number(3) / 2)]),
            ),
        ),
        premises=(by_theorem(CONVEX, "J", "N"), LOGARITHM),
        facts=(Fact("decrease(poisson((0, 1, 2)))", "ordering shortcut", ">2", True),),
    ),
    Theorem(
        key="vertex.cut_can_fail_for_absolute_error",
        statement="for absolute error the order by mean response can miss the best grouping, at responses (2), (1, 1,"
        " 2), (0, 0, 2, 2, 2), and three categories of fewer responses 0, 1, 2 never do; the order by the median can"
        " miss it at (0, 0, 0, 0), (1, 1, 3), (0, 2, 2), (3, 3, 3, 3)",
        source="beyond, the ordering shortcut of absolute error",
        holds=All(gap_wins_at(BY_MEAN, mean), SMALL.claim, gap_wins_at(BY_MEDIAN, median)),
        fails=(
            NearMiss("there the order by the median fails as well", gap_wins_at(BY_MEAN, median)),
            SMALL.but("three categories of nine responses never do either", most=9),
        ),
        facts=(Fact("decrease(absolute_deviation((0, 1, 2)))", "ordering shortcut", ">2", False),),
    ),
]
