"""Class-conditional noise of two classes: the determinant of a split, rates that add up to 1 and to more.

Source: yang2019, Theorem 1.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from splitcrit.criteria import pairwise_gain
from splitcrit.proof import All, Erratum, Identity, Law, NearMiss, Smt, Theorem
from splitcrit.proofs.common import kinds
from splitcrit.proofs.noise.scaling import CLASS_CONDITIONAL, kept
from splitcrit.proofs.two_class import RATES, SPLIT, clean, determinant, noisy_split, two_classes

NOISY_SPLIT = SPLIT | RATES
SHARES = kinds("rate", "p_left", "p_right") | RATES


def expansion(second: Callable[[Any], Any]) -> Identity:
    """Claim that the eight terms of the proof, the second of them with the factor given, sum to the determinant."""

    def terms(v: Any, m: Any) -> Any:
        tp, tn = v.tau_pos, v.tau_neg
        plus = v.a * v.d * (1 - tp) * (1 - tn) + v.a * v.c * second(v) + v.b * v.d * tn * (1 - tn) + v.b * v.c * tp * tn
        minus = v.b * v.c * (1 - tp) * (1 - tn) + v.a * v.c * tp * (1 - tp) + v.b * v.d * tn * (1 - tn)
        return plus - minus - v.a * v.d * tp * tn

    return Identity(NOISY_SPLIT, lambda v, m: determinant(noisy_split(v)), terms)


def determinant_rescales(absolute: bool = False) -> Smt:
    return Smt(
        NOISY_SPLIT,
        lambda v, m: (
            determinant(noisy_split(v)) == (m.abs(kept(v, 2)) if absolute else kept(v, 2)) * determinant(clean(v))
        ),
    )


def gain_vanishes(hypotheses: Any) -> Smt:
    return Smt(NOISY_SPLIT, lambda v, m: pairwise_gain.score(noisy_split(v), m) == 0, hypotheses)


def share(v: Any, p: Any) -> Any:
    """The expected share of positive labels after noise."""
    return CLASS_CONDITIONAL.at(v).on_distribution([1 - p, p])[1]


def children_change(hypothesis: Any) -> Smt:
    """Claim that under a hypothesis the child with the larger share of positives has the smaller one after noise."""
    return Smt(
        SHARES,
        lambda v, m: share(v, v.p_left) < share(v, v.p_right),
        lambda v, m: [v.p_left > v.p_right, hypothesis(v)],
    )


shares_differ = Identity(
    SHARES, lambda v, m: share(v, v.p_left) - share(v, v.p_right), lambda v, m: kept(v, 2) * (v.p_left - v.p_right)
)
terms = Law(expansion, second=lambda v: v.tau_pos * (1 - v.tau_pos))
printed = terms.but("with tau_pos (1 - tau_neg) in the second term", second=lambda v: v.tau_pos * (1 - v.tau_neg))
vanishes = Law(gain_vanishes, hypotheses=lambda v, m: [v.tau_neg == 1 - v.tau_pos])
changes = Law(children_change, hypothesis=lambda v: v.tau_pos + v.tau_neg > 1)

THEOREMS = [
    Theorem(
        key="noise.determinant_expands_of_class_conditional",
        statement="the eight terms of the noisy N_L^+ N_R^- - N_L^- N_R^+ sum to (1 - tau_pos - tau_neg) times the "
        "clean one, the second being N_L^+ N_R^+ tau_pos (1 - tau_pos)",
        source="yang2019, proof of Theorem 1",
        holds=two_classes(All(terms=terms, factor=determinant_rescales())),
        fails=(printed, NearMiss("the factor is |1 - tau_pos - tau_neg|", determinant_rescales(absolute=True))),
    ),
    Theorem(
        key="noise.pairwise_gain_vanishes_of_rates_that_sum_to_one",
        statement="with two classes, if tau_pos + tau_neg = 1 then the expected noisy pairwise gain is 0",
        source="yang2019, Theorem 1",
        holds=two_classes(vanishes),
        fails=(
            vanishes.but(
                "the same if tau_pos + tau_neg is at least 1",
                alters="hypothesis",
                hypotheses=lambda v, m: [v.tau_neg + v.tau_pos >= 1],
            ),
            NearMiss(
                "the gain is lost at tau_pos = tau_neg = 1/2 only",
                Smt(
                    NOISY_SPLIT,
                    lambda v, m: pairwise_gain.score(noisy_split(v), m) > 0,
                    lambda v, m: [pairwise_gain.score(clean(v), m) > 0, v.tau_pos != v.tau_neg],
                ),
            ),
        ),
        added="the case tau_pos + tau_neg = 1, which the theorem must exclude",
    ),
    Theorem(
        key="noise.children_change_places_of_rates_above_one",
        statement="with two classes, if tau_pos + tau_neg > 1 then the child with the larger share of positives has "
        "the smaller one after noise: the best split survives, the scores of its children are exchanged",
        source="yang2019, Theorem 1",
        holds=two_classes(All(order=changes, difference=shares_differ)),
        fails=(
            changes.but(
                "one rate above 1/2 is enough", alters="hypothesis", hypothesis=lambda v: v.tau_pos > Fraction(1, 2)
            ),
            NearMiss(
                "the majority label of every child is reversed",
                Smt(
                    SHARES,
                    lambda v, m: (2 * share(v, v.p_left) - 1) * (2 * v.p_left - 1) < 0,
                    lambda v, m: [2 * v.p_left != 1, v.tau_pos + v.tau_neg > 1],
                ),
            ),
        ),
    ),
]

ERRATA = [Erratum("Y-E2", printed.claim, "noise.determinant_expands_of_class_conditional")]
