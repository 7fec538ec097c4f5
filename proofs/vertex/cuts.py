"""The ordering shortcut: when the best grouping of categories in two is a cut of their order by mean response.

A grouping is known by the totals of its left side, members and positives; a score that is convex in these totals, or
only quasi-convex, is largest at a cut.

Source: breiman1996, Theorem 1, applied to categories in place of classes; beyond.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from splitcrit import impurities
from splitcrit.criteria import decrease, normalised, one_vs_rest_pairwise_gain, pairwise_gain, sum_minority, twoing
from splitcrit.impurities import absolute_deviation, gini, misclassification, poisson, scaled, variance
from splitcrit.nulls import agini, sgini, significance
from splitcrit.proof import All, Claim, Exhaustive, Fact, Identity, Law, NearMiss, Smt, Theorem
from splitcrit.proofs.common import HALF
from splitcrit.proofs.impurity.concave import CONCAVE
from splitcrit.proofs.vertex.groupings import impure, never_gap, only_cuts_are_best, shortcut, strict_shortcut
from splitcrit.proofs.vertex.nodes import RATIONAL, bimodal, gain_ratio
from splitcrit.proofs.vertex.premises import bauer, by_kernel, by_theorem

PROPERTY = "ordering shortcut"
EXACT_ONES = (*RATIONAL, twoing, pairwise_gain, one_vs_rest_pairwise_gain, sum_minority)
STRICT = tuple(phi for phi in CONCAVE if decrease(phi) not in RATIONAL and phi != impurities.ne(HALF))
ENCLOSED = tuple(decrease(phi) for phi in CONCAVE if decrease(phi) not in RATIONAL)

MIXTURE = {"s": "real", "x": "real", "z": "real", "alpha": "count", "beta": "count"}
ORDERED = dict.fromkeys(("ni", "nj", "nk"), "positive") | dict.fromkeys(("ai", "aj", "ak"), "count")
TIED = {"s": "real", "x": "real", "c": "positive", "C": "positive"}
QUASI = {"t": "rate"} | dict.fromkeys(("f0", "f1", "f", "h0", "h1", "h"), "positive")


def mixture_of_neighbours(v: Any, m: Any) -> Any:
    """Mix the totals with category i added, with k added, and with j left out, where ``v_j = alpha v_i + beta v_k``."""
    c, between = 1 / (1 + v.alpha + v.beta), v.alpha * v.x + v.beta * v.z
    return c * v.alpha * (v.s + v.x) + c * v.beta * (v.s + v.z) + c * (v.s - between)


def weights(v: Any) -> tuple[Any, Any, Any]:
    """Cramer's numerators of alpha and beta, and their denominator."""
    return v.nj * v.ak - v.aj * v.nk, v.ni * v.aj - v.ai * v.nj, v.ni * v.ak - v.ai * v.nk


def in_order(v: Any, m: Any) -> list[Any]:
    """State that i <= j <= k in mean response, not all equal."""
    return [v.ai * v.nj <= v.aj * v.ni, v.aj * v.nk <= v.ak * v.nj, weights(v)[2] > 0]


def cramer(letter: str) -> Claim:
    """Claim that the combination gives category j's members, or its positives."""

    def combined(v: Any, m: Any) -> Any:
        alpha, beta, spread = weights(v)
        return (alpha * getattr(v, f"{letter}i") + beta * getattr(v, f"{letter}k")) / spread

    return Identity(ORDERED, combined, lambda v, m: getattr(v, f"{letter}j"), lambda v, m: weights(v)[2] > 0)


def ratio(below: Callable[[Any, Any], Any], concave: bool = True) -> Claim:
    """Claim something of a convex f over a positive h that is concave, or else convex, between 0 and 1."""

    def hypotheses(v: Any, m: Any) -> list[Any]:
        chord = v.t * v.h0 + (1 - v.t) * v.h1
        return [v.f <= v.t * v.f0 + (1 - v.t) * v.f1, v.h >= chord if concave else v.h <= chord]

    return Smt(QUASI, below, hypotheses)


QUASI_CONVEX = Law(ratio, below=lambda v, m: v.f <= v.h * m.max((v.f0 / v.h0, v.f1 / v.h1)))

MEMBERS = (
    *(decrease(impurities.gce(Fraction(*q))) for q in ((1, 3), (3, 4))),
    decrease(impurities.shannon_entropy(base=2)),
    normalised(gini),
    decrease(poisson((0, 1))),
)
ABSOLUTE = decrease(absolute_deviation((0, 1)))
ROUGH = (decrease(variance((0, 1))), ABSOLUTE, decrease(scaled(misclassification, 2)), decrease(scaled(gini, 3)))
CONVEX = "vertex.cut_is_best_of_convex_score"

THEOREMS = [
    Theorem(
        key=CONVEX,
        statement="with two classes some best grouping of categories in two is a cut of their order by mean response,"
        " for every score that is convex in the totals of the left side: the totals of a group with a gap are a mixture"
        " of those of three others, so that none but cuts are extreme; of categories with equal means, whose totals are"
        " proportional, any order will do, as the totals with some of them are a mixture of those with none and all",
        source="breiman1996, Theorem 1",
        holds=All(
            Identity(MIXTURE, lambda v, m: v.s, mixture_of_neighbours),
            Smt(ORDERED, lambda v, m: m.min(weights(v)[:2]) >= 0, in_order),
            cramer("n"),
            cramer("a"),
            Identity(
                TIED, lambda v, m: v.s + v.c * v.x, lambda v, m: (1 - v.c / v.C) * v.s + v.c / v.C * (v.s + v.C * v.x)
            ),
            *map(shortcut, EXACT_ONES),
            *map(strict_shortcut, ENCLOSED),
        ),
        fails=(
            NearMiss("the same for an impurity that is not concave", shortcut(bimodal), "hypothesis"),
            NearMiss("every best grouping is a cut: also for misclassification", strict_shortcut(RATIONAL[1])),
            NearMiss(
                "a category between two others is their combination with weights that sum to at most 1",
                Smt(ORDERED, lambda v, m: weights(v)[0] + weights(v)[1] <= weights(v)[2], in_order),
            ),
        ),
        premises=(
            bauer("J", "N"),
            by_theorem("vertex.child_term_is_concave_of_concave_impurity"),
            by_theorem("vertex.twoing_is_half_best_grouped_gini"),
            by_theorem("vertex.pairwise_gains_are_convex"),
            by_theorem("vertex.sum_minority_is_error_decrease"),
        ),
        facts=tuple(
            Fact(repr(criterion), PROPERTY, "2", True)
            for criterion in (*map(decrease, CONCAVE), twoing, pairwise_gain, one_vs_rest_pairwise_gain, sum_minority)
        ),
    ),
    Theorem(
        key="vertex.cut_is_best_of_gain_ratio",
        statement="with two classes some grouping of categories with the best gain ratio is a cut of their order by"
        " mean response: a convex function over a positive concave one is quasi-convex, and at a mixture of three at"
        " most its largest value there",
        source="breiman1996, Theorem 1",
        holds=All(QUASI_CONVEX.claim, strict_shortcut(gain_ratio)),
        fails=(
            NearMiss(
                "such a ratio is convex", ratio(lambda v, m: v.f / v.h <= v.t * v.f0 / v.h0 + (1 - v.t) * v.f1 / v.h1)
            ),
            QUASI_CONVEX.but(
                "a convex function over a positive convex one is quasi-convex", alters="hypothesis", concave=False
            ),
        ),
        premises=(by_theorem(CONVEX, "J", "N"), by_theorem("impurity.entropy_is_concave")),
        facts=(Fact(repr(gain_ratio), PROPERTY, "2", True),),
    ),
    Theorem(
        key="vertex.cut_is_best_of_families_of_two_classes",
        statement="with two classes the shortcut by mean response also holds for gce(q), 0 < q < 1, ne(lam), 0 < lam,"
        " entropy in any base, squared and absolute error and Poisson deviance of two responses, and Gini's gain ratio:"
        " each is a multiple of a concave impurity, a smaller of two of them, or such a decrease over the entropy of"
        " the sizes",
        source="beyond, families with the ordering shortcut",
        holds=All(*(strict_shortcut(x, 7) for x in MEMBERS), *(shortcut(x, 7) for x in ROUGH)),
        fails=(
            NearMiss("Gini's decrease less a bound that depends on the sizes, AGini, has it too", never_gap(agini, 12)),
            NearMiss("the larger of two concave impurities will do", shortcut(bimodal), "hypothesis"),
            NearMiss(
                "then every best grouping is a cut, for absolute error of two responses too", strict_shortcut(ABSOLUTE)
            ),
        ),
        premises=(
            by_kernel("best_grouping_of_concave_impurity_is_a_cut", "J", "N"),
            by_theorem("vertex.cut_is_best_of_gain_ratio", "J", "N"),
            by_theorem("impurity.families_are_concave"),
            by_theorem("impurity.ne_is_concave"),
        ),
        facts=tuple(
            Fact(name, PROPERTY, "2", True)
            for name in (
                "decrease(gce(q)) for 0 < q < 1",
                "decrease(ne(lam)) for 0 < lam",
                "decrease(shannon_entropy(base=2))",
                "decrease(variance((0, 1)))",
                "decrease(absolute_deviation((0, 1)))",
                "decrease(poisson((0, 1)))",
                "normalised(gini)",
            )
        ),
    ),
    Theorem(
        key="vertex.only_cuts_are_best_of_strict_concavity",
        statement="if the impurity is strictly concave and the categories' means all differ, every best grouping of two"
        " classes is a cut of their order: gini, entropy, sqrt_gini, matushita and gce(1/2)",
        source="beyond, ties of the ordering shortcut",
        holds=All(*(strict_shortcut(decrease(phi)) for phi in (gini, *STRICT))),
        fails=(
            NearMiss("concavity is enough: misclassification", strict_shortcut(RATIONAL[1]), "hypothesis"),
            NearMiss(
                "the means may be equal",
                Exhaustive(
                    lambda: (tuple((n, n) for n in sizes) for sizes in ((1, 1, 1), (1, 2, 1), (2, 1, 3))),
                    lambda t: only_cuts_are_best(RATIONAL[0], t),
                ),
                "hypothesis",
            ),
        ),
    ),
    Theorem(
        key="vertex.cut_is_most_significant_of_few_examples",
        statement="with two classes a grouping of few examples in three or four categories that has a gap is less"
        " significant than some cut of the order by mean response",
        source="beyond, the ordering shortcut of significance",
        holds=strict_shortcut(significance),
        fails=(
            NearMiss("the same for SGini, at ten examples", never_gap(sgini, 10), "hypothesis"),
            NearMiss(
                "cuts are less significant than a grouping with a gap, if there is one",
                Exhaustive(lambda: impure(3, 5), lambda t: not only_cuts_are_best(significance, t)),
            ),
        ),
        facts=(Fact(repr(significance), PROPERTY, "2", True, 8),),
    ),
]
