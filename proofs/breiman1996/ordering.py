"""Two classes, many categories: when the best two-way grouping cuts the categories in the order of their mean response.

A grouping is known by the totals of its left side, members and positives; a score that is convex in these totals, or
only quasi-convex, is largest at a cut.

Main results: the shortcut holds for every concave impurity, twoing, the pairwise gains and the gain ratio; the smallest
tables at which it fails for SGini, AGini and the imprecise gains.
Source: breiman1996, Theorem 1, applied to categories in place of classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from splitcrit.criteria import (
    Criterion,
    decrease,
    imprecise_information_gain,
    normalised,
    one_vs_rest_pairwise_gain,
    pairwise_gain,
    sum_minority,
    twoing,
)
from splitcrit.impurities import entropy
from splitcrit.nulls import agini, sgini
from splitcrit.proof import BALL, All, Ball, Claim, Exhaustive, Fact, Identity, NearMiss, Not, Smt, Theorem
from splitcrit.proofs.breiman1996.concave import RATIONAL, bimodal
from splitcrit.proofs.common import score
from splitcrit.proofs.impurity.concave import CONCAVE

Categories = tuple[tuple[int, int], ...]
gain_ratio = normalised(entropy)
exact_criteria = (*RATIONAL, twoing, pairwise_gain, one_vs_rest_pairwise_gain, sum_minority)
ball_criteria = (*(decrease(phi) for phi in CONCAVE if decrease(phi) not in RATIONAL), gain_ratio)

# ---- why: a group with a gap is a mixture of three others ----

MIXTURE = {"s": "real", "x": "real", "z": "real", "alpha": "count", "beta": "count"}


def weight(v: Any) -> Any:
    return 1 / (1 + v.alpha + v.beta)


def mixture_of_neighbours(v: Any, m: Any) -> Any:
    """Mix the totals with category i added, with k added, and with j left out, where ``v_j = alpha v_i + beta v_k``."""
    c, between = weight(v), v.alpha * v.x + v.beta * v.z
    return c * v.alpha * (v.s + v.x) + c * v.beta * (v.s + v.z) + c * (v.s - between)


ORDERED = dict.fromkeys(("ni", "nj", "nk"), "positive") | dict.fromkeys(("ai", "aj", "ak"), "count")


def spread(v: Any) -> Any:
    return v.ni * v.ak - v.ai * v.nk


def in_cone(v: Any, m: Any) -> Any:
    """State that category j is a non-negative combination of i and k (Cramer's rule), as i <= j <= k in mean."""
    return m.min((v.nj * v.ak - v.aj * v.nk, v.ni * v.aj - v.ai * v.nj)) >= 0


def in_order(v: Any, m: Any) -> list[Any]:
    return [v.ai * v.nj <= v.aj * v.ni, v.aj * v.nk <= v.ak * v.nj, spread(v) > 0]


def cramer(v: Any, m: Any) -> Any:
    alpha, beta = (v.nj * v.ak - v.aj * v.nk) / spread(v), (v.ni * v.aj - v.ai * v.nj) / spread(v)
    return alpha * v.ai + beta * v.ak + 7 * (alpha * v.ni + beta * v.nk)


QUASI = {"t": "rate"} | dict.fromkeys(("f0", "f1", "f", "h0", "h1", "h"), "positive")


def ratio_below_larger(v: Any, m: Any) -> Any:
    return v.f <= v.h * m.max((v.f0 / v.h0, v.f1 / v.h1))


def convex_over_concave(v: Any, m: Any) -> list[Any]:
    return [v.f <= v.t * v.f0 + (1 - v.t) * v.f1, v.h >= v.t * v.h0 + (1 - v.t) * v.h1]


# ---- enumeration ----


@cache
def categories(number: int, most: int) -> tuple[Categories, ...]:
    """Return all sets of categories (negatives, positives), in the order of their means, which all differ.

    Negatives are at least as many as positives: exchanging the classes changes no score.
    """
    cells = [(n - a, a) for n in range(1, most) for a in range(n + 1)]
    found = []
    for chosen in combinations(cells, number):
        means = {Fraction(a, b + a): (b, a) for b, a in chosen}
        positives = sum(a for _, a in chosen)
        if 2 * positives <= sum(map(sum, chosen)) <= most and len(means) == number:
            found.append(tuple(means[x] for x in sorted(means)))
    return tuple(sorted(found, key=lambda t: (sum(map(sum, t)), t)))


def grouping(t: Categories, mask: int) -> list[list[int]]:
    """Return the two-way table of the categories of a bit mask against the others."""
    return [[sum(c[k] for i, c in enumerate(t) if (mask >> i & 1) == side) for k in (0, 1)] for side in (1, 0)]


def masks(number: int) -> Iterator[tuple[int, bool]]:
    """Yield every grouping once, with the first category left, and whether it is a cut of the order."""
    for mask in range(1, 2**number - 1, 2):
        yield mask, (mask & (mask + 1)) == 0


def cut_is_best(criterion: Criterion, t: Categories) -> bool:
    """Tell, in exact rationals, whether some cut scores as much as every grouping."""
    scores = {(mask, cut): score(criterion, grouping(t, mask)) for mask, cut in masks(len(t))}
    return bool(max(x for (_, cut), x in scores.items() if cut) == max(scores.values()))


@cache
def enclosed(criterion: Criterion, t: Categories) -> tuple[list[Ball], list[Ball]]:
    """Return enclosures of the scores of all cuts, and of all groupings with a gap."""
    found: tuple[list[Ball], list[Ball]] = ([], [])
    for mask, cut in masks(len(t)):
        number = Fraction if criterion in (sgini, agini) else BALL.number
        table = [[number(x) for x in row] for row in grouping(t, mask)]
        found[not cut].append(Ball(criterion.score(table, BALL)))
    return found


def cut_is_strictly_best(criterion: Criterion, t: Categories) -> bool:
    cuts, gaps = enclosed(criterion, t)
    return all(any(bool((cut - gap).arb > 0) for cut in cuts) for gap in gaps)


def gap_is_strictly_best(criterion: Criterion, t: Categories) -> bool:
    cuts, gaps = enclosed(criterion, t)
    return any(all(bool((gap - cut).arb > 0) for cut in cuts) for gap in gaps)


def small(most: int) -> Iterator[Categories]:
    yield from categories(3, most)
    yield from categories(4, most)


def impure(most: int) -> Iterator[Categories]:
    """Yield those with members of both classes."""
    yield from (t for t in small(most) if all(map(sum, zip(*t, strict=True))))


def shortcut(criterion: Criterion, most: int = 8) -> Claim:
    return Exhaustive(lambda: small(most), lambda t: cut_is_best(criterion, t))


def strict_shortcut(criterion: Criterion, most: int = 8) -> Claim:
    return Exhaustive(lambda: impure(most), lambda t: cut_is_strictly_best(criterion, t))


def first_failure(criterion: Criterion, t: Categories) -> Claim:
    """Claim that a grouping with a gap is strictly best here, with a negative score, and at no fewer examples."""
    size = sum(map(sum, t))
    return All(
        Not(Exhaustive(lambda: [t], lambda t: not gap_is_strictly_best(criterion, t))),
        Exhaustive(lambda: [t], lambda t: all(bool(x.arb < 0) for side in enclosed(criterion, t) for x in side)),
        never_gap(criterion, size - 1),
    )


def never_gap(criterion: Criterion, most: int) -> Claim:
    return Exhaustive(
        lambda: (t for t in categories(3, most) if any(p for _, p in t)),
        lambda t: not gap_is_strictly_best(criterion, t),
    )


FAILURES = (
    (sgini, ((1, 0), (4, 3), (1, 1))),
    (agini, ((3, 2), (1, 1), (2, 3))),
    (imprecise_information_gain(1), ((1, 0), (2, 1), (5, 3))),
)

THEOREMS = [
    Theorem(
        key="ordering.cut_is_best_of_convex_score",
        statement="with two classes some best grouping of categories in two is a cut of their order by mean response,"
        " for every score that is convex in the totals of the left side: the totals of a group with a gap are a mixture"
        " of those of three others, so that none but cuts are extreme",
        source="breiman1996, Theorem 1",
        scope="any number of categories with two classes; enumerated for 3 and 4 categories of different means, N <= 8",
        holds=All(
            Identity(MIXTURE, lambda v, m: v.s, mixture_of_neighbours),
            Smt(ORDERED, in_cone, in_order),
            Identity(ORDERED, cramer, lambda v, m: v.aj + 7 * v.nj, lambda v, m: spread(v) > 0),
            *map(shortcut, exact_criteria),
            *map(strict_shortcut, ball_criteria[:-1]),
        ),
        fails=(
            NearMiss("the same for an impurity that is not concave", shortcut(bimodal), alters="hypothesis"),
            NearMiss(
                "every best grouping is a cut: also for misclassification",
                strict_shortcut(decrease(CONCAVE[2])),
            ),
            NearMiss(
                "a category between two others is their combination with weights that sum to at most 1",
                Smt(
                    ORDERED,
                    lambda v, m: v.nj * v.ak - v.aj * v.nk + v.ni * v.aj - v.ai * v.nj <= spread(v),
                    in_order,
                ),
            ),
        ),
        premises=(
            "vertex.child_term_is_concave_of_concave_impurity",
            "vertex.twoing_is_half_best_grouped_gini",
            "vertex.pairwise_gains_are_convex",
            "vertex.sum_minority_is_error_decrease",
            "a convex function on finitely many points is largest at an extreme point of their hull",
            "hand argument: of categories with equal means any order will do, as their totals are proportional",
        ),
        facts=tuple(
            Fact(repr(criterion), "ordering shortcut", "2", True)
            for criterion in (
                *map(decrease, CONCAVE),
                twoing,
                pairwise_gain,
                one_vs_rest_pairwise_gain,
                sum_minority,
            )
        ),
    ),
    Theorem(
        key="ordering.cut_is_best_of_gain_ratio",
        statement="with two classes some grouping of categories with the best gain ratio is a cut of their order by"
        " mean response: a convex function over a positive concave one is quasi-convex",
        source="breiman1996, Theorem 1",
        scope="any number of categories with two classes; enumerated for 3 and 4 categories of different means, N <= 8",
        holds=All(Smt(QUASI, ratio_below_larger, convex_over_concave), strict_shortcut(gain_ratio)),
        fails=(
            NearMiss(
                "such a ratio is convex",
                Smt(
                    QUASI,
                    lambda v, m: v.f / v.h <= v.t * v.f0 / v.h0 + (1 - v.t) * v.f1 / v.h1,
                    convex_over_concave,
                ),
            ),
            NearMiss(
                "a convex function over a positive convex one is quasi-convex",
                Smt(
                    QUASI,
                    ratio_below_larger,
                    lambda v, m: [v.f <= v.t * v.f0 + (1 - v.t) * v.f1, v.h <= v.t * v.h0 + (1 - v.t) * v.h1],
                ),
                alters="hypothesis",
            ),
        ),
        premises=(
            "ordering.cut_is_best_of_convex_score, whose mixture of three bounds a quasi-convex score as well",
            "impurity.entropy_is_concave",
        ),
        facts=(Fact(repr(gain_ratio), "ordering shortcut", "2", True),),
    ),
    Theorem(
        key="ordering.cut_can_fail_for_chance_corrected_gain",
        statement="a grouping with a gap can be strictly best: for SGini at categories (negatives, positives) (1, 0),"
        " (4, 3), (1, 1), for AGini at (3, 2), (1, 1), (2, 3), for the imprecise information gain (s = 1) at"
        " (1, 0), (2, 1), (5, 3); there every score is negative, and no table of fewer examples does so",
        source="breiman1996, Theorem 1",
        scope="three categories of different means, up to exchanging the classes",
        holds=All(*(first_failure(criterion, t) for criterion, t in FAILURES)),
        fails=(
            NearMiss("SGini is largest at a cut up to ten examples", never_gap(sgini, 10)),
            NearMiss(
                "the imprecise information gain is largest at a cut up to twelve examples",
                never_gap(imprecise_information_gain(1), 12),
            ),
        ),
        facts=tuple(Fact(repr(criterion), "ordering shortcut", "2", False) for criterion, _ in FAILURES),
    ),
]
