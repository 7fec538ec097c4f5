"""Which criteria score a split of different children as worthless, so that a tree stops early there.

A criterion stops early if some split whose children have different class shares scores zero (or less); a node that
offers only such splits becomes a leaf although its examples could be told apart.

Main results: sums of squares, absolute values and roots see every difference; criteria that look at the most frequent
class or at the mean of a response do not.
Source: beyond.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit.criteria import (
    decrease,
    imprecise_information_gain,
    normalised,
    one_vs_rest_pairwise_gain,
    sum_minority,
    twoing,
)
from splitcrit.impurities import absolute_deviation, bayes_sum, entropy, gce, matushita, misclassification, variance
from splitcrit.proof import All, Exhaustive, Fact, Identity, NearMiss, Not, Sign, Theorem
from splitcrit.proofs.common import binary_splits, exactly, kinds, score, vector

HALF = Fraction(1, 2)
BOTH = ("2", ">2")


def different(table: Any) -> bool:
    """Tell whether the two children have different class shares."""
    left, right = table
    return any(x * sum(right) != y * sum(left) for x, y in zip(left, right, strict=True))


def sees(case: Any) -> bool:
    """Tell whether a score is zero exactly if the children have equal shares."""
    criterion, table = case
    return bool((score(criterion, table) > 0) == different(table))


def sides(v: Any, classes: int = 3) -> list[list[Any]]:
    return [vector(v, "l", classes), vector(v, "r", classes)]


def twoing_by_sum(v: Any, m: Any) -> Any:
    """Return ``4 s^2/(N^2 N_L N_R)`` with s the one-vs-rest pairwise gain."""
    left, right = (sum(row) for row in sides(v))
    return 4 * one_vs_rest_pairwise_gain.score(sides(v), m) ** 2 / ((left + right) ** 2 * left * right)


def worst(criterion: Any, tables: Any, m: Any) -> Any:
    """Return the least score over the tables whose children differ."""
    return m.min([criterion.score(exactly(t), m) for t in tables if different(t)])


ROOTS = kinds("positive", "a", "b", "c", "d")


def squares(v: Any) -> list[list[Any]]:
    return [[v.a**2, v.b**2], [v.c**2, v.d**2]]


def root_gap(v: Any, m: Any) -> Any:
    """Return ``(N phi(p))^2 - (N_L phi(p_L) + N_R phi(p_R))^2`` for half of matushita, of counts that are squares."""
    rows = squares(v)
    node = [x + y for x, y in zip(*rows, strict=True)]

    def whole(row: Any) -> Any:
        return sum(row) * matushita.of([x / sum(row) for x in row], m) / 2

    return whole(node) ** 2 - (whole(rows[0]) + whole(rows[1])) ** 2


def norm_gap(v: Any, m: Any) -> Any:
    """Return ``|l|^2 |r|^2 - <l, r>^2``, whose sign is that of the decrease of gce(1/2)."""
    left, right = sides(v)

    def norm_squared(row: Any) -> Any:
        return (sum(row) * (1 - gce(HALF).of([x / sum(row) for x in row], m) / 2)) ** 2

    return norm_squared(left) * norm_squared(right) - sum(x * y for x, y in zip(left, right, strict=True)) ** 2


def lagrange(v: Any, m: Any) -> Any:
    left, right = sides(v)
    return sum((left[i] * right[j] - left[j] * right[i]) ** 2 for i, j in combinations(range(3), 2))


# criteria with, for two and for three classes, a split of different children that scores 0
BLIND: dict[Any, tuple[Any, ...]] = {
    decrease(misclassification): (((1, 1), (0, 2)), ((1, 1, 2), (0, 1, 2))),
    decrease(bayes_sum): (((1, 1), (0, 2)), ((0, 1, 2), (1, 0, 2))),
    decrease(absolute_deviation((0, 1))): (((1, 1), (0, 2)),),
    decrease(absolute_deviation((0, 1, 2))): (((1, 1, 1), (0, 1, 0)),),
    decrease(variance((0, 1, 2))): (((1, 0, 1), (0, 1, 0)),),
}


def blind_cases() -> Iterator[Any]:
    yield from ((criterion, table) for criterion, found in BLIND.items() for table in found)


def blind(case: Any) -> bool:
    criterion, table = case
    return bool(different(table) and score(criterion, table) == 0)


def minority_gain(case: Any) -> bool:
    """Tell whether ``sum_minority`` is the decrease of misclassification up to a constant of the node."""
    node = [sum(column) for column in zip(*case, strict=True)]
    whole = score(sum_minority, case) - score(sum_minority, [node])
    return bool(whole == score(decrease(misclassification), case))


CREDAL = (((0, 1), (1, 2)), ((0, 0, 1), (0, 1, 2)))
SMALL_GAIN = ((2, 0), (2, 2))
credal = imprecise_information_gain(1)
gain_ratio = normalised(entropy)
SMALL_2, SMALL_3 = tuple(binary_splits(5)), tuple(binary_splits(4, 3))


def as_facts(criterion: Any, holds: bool, classes: tuple[str, ...] = BOTH) -> tuple[Fact, ...]:
    return tuple(Fact(repr(criterion), "stops early", K, holds) for K in classes)


THEOREMS = [
    Theorem(
        key="stopping.sums_of_crossings_see_every_difference",
        statement="one-vs-rest pairwise gain and multiclass twoing are zero exactly if both children have the same"
        " class shares: they never stop early",
        source="beyond, which criteria stop early",
        scope="K = 2, n <= 5 and K = 3, n <= 4; twoing as a multiple of the squared sum for all positive counts, K = 3",
        holds=All(
            Exhaustive(lambda: ((c, t) for c in (one_vs_rest_pairwise_gain, twoing) for t in SMALL_2 + SMALL_3), sees),
            Identity(kinds("positive", "l", "r", classes=3), lambda v, m: twoing.score(sides(v), m), twoing_by_sum),
        ),
        fails=(
            NearMiss(
                "the decrease of misclassification is zero only if the shares are equal",
                Exhaustive(lambda: ((decrease(misclassification), t) for t in SMALL_2), sees),
            ),
            NearMiss(
                "one class is enough: its pairwise gain against the rest is zero only if all shares are equal",
                Exhaustive(lambda: SMALL_3, lambda t: different(t) == (t[0][0] * sum(t[1]) != t[1][0] * sum(t[0]))),
                alters="hypothesis",
            ),
        ),
        premises=("a sum of absolute values is zero only if each is",),
        facts=as_facts(one_vs_rest_pairwise_gain, False) + as_facts(twoing, False),
    ),
    Theorem(
        key="stopping.strictly_concave_impurities_see_every_difference",
        statement="matushita, generalised cross-entropy at q = 1/2 and the gain ratio are zero exactly if both children"
        " have the same class shares: their gaps are (sqrt(ad) - sqrt(bc))^2 and |l|^2 |r|^2 - <l, r>^2",
        source="beyond, which criteria stop early",
        scope="all positive counts (K = 2 for each class of matushita, K = 3); by enclosures for n <= 5",
        holds=All(
            Identity(ROOTS, root_gap, lambda v, m: (v.a * v.d - v.b * v.c) ** 2),
            Identity(kinds("positive", "l", "r", classes=3), norm_gap, lagrange),
            Sign(
                lambda m: [
                    worst(c, tables, m)
                    for c in (decrease(matushita), decrease(gce(HALF)), gain_ratio)
                    for tables in (SMALL_2, SMALL_3)
                ]
            ),
        ),
        fails=(
            NearMiss(
                "so does generalised cross-entropy at q = 1",
                Exhaustive(lambda: ((decrease(gce(1)), t) for t in SMALL_2), sees),
                alters="hypothesis",
            ),
            NearMiss(
                "so does the credal gain: it is positive wherever the children differ",
                Sign(lambda m: [worst(credal, SMALL_2, m)]),
            ),
        ),
        premises=("entropy is strictly concave",),
        facts=as_facts(decrease(matushita), False) + as_facts(decrease(gce(HALF)), False) + as_facts(gain_ratio, False),
    ),
    Theorem(
        key="stopping.majority_and_mean_miss_differences",
        statement="misclassification, bayes_sum and the absolute deviation score some split of different children as 0,"
        " and so does the variance of three responses, if the children have one mean; sum_minority differs from"
        " misclassification by a constant of the node",
        source="beyond, which criteria stop early",
        scope="the splits listed; sum_minority for K = 3, n <= 4",
        holds=All(Exhaustive(blind_cases, blind), Exhaustive(lambda: SMALL_3, minority_gain)),
        fails=(
            NearMiss(
                "the variance of two responses misses a difference too",
                Not(Exhaustive(lambda: ((decrease(variance((0, 1))), t) for t in SMALL_2), sees)),
                alters="hypothesis",
            ),
            NearMiss(
                "the same splits score 0 by twoing", Exhaustive(lambda: ((twoing, t) for _, t in blind_cases()), blind)
            ),
        ),
        facts=as_facts(decrease(bayes_sum), True)
        + as_facts(decrease(absolute_deviation((0, 1))), True, ("2",))
        + as_facts(decrease(absolute_deviation((0, 1, 2))), True, (">2",))
        + as_facts(decrease(variance((0, 1, 2))), True, (">2",))
        + as_facts(decrease(variance((0, 1))), False, ("2",))
        + as_facts(sum_minority, True),
    ),
    Theorem(
        key="stopping.credal_gain_rejects_small_differences",
        statement="the imprecise information gain with s = 1 is negative for some splits of different children",
        source="beyond, which criteria stop early",
        scope="the splits [0 1 | 1 2] and [0 0 1 | 0 1 2], by enclosures",
        holds=Sign(lambda m: [-credal.score(exactly(t), m) for t in CREDAL]),
        fails=(
            NearMiss(
                "it is negative for every split whose information gain is below 1/5: for [2 0 | 2 2] too",
                Sign(
                    lambda m: [
                        Fraction(1, 5) - decrease(entropy).score(exactly(SMALL_GAIN), m),
                        -credal.score(exactly(SMALL_GAIN), m),
                    ]
                ),
            ),
            NearMiss(
                "ten times as many examples are still rejected",
                Sign(lambda m: [-credal.score([[10 * x for x in row] for row in exactly(CREDAL[0])], m)]),
                alters="hypothesis",
            ),
        ),
        facts=as_facts(credal, True),
    ),
]
