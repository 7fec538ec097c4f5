"""Statements of ghosh2017, Remark 6: what class-conditional noise makes of the order of splits.

Main results: two-class Gini and twoing need no rates; misclassification and entropy change their order.
Source: ghosh2017, Remark 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit import criteria
from splitcrit.noise import class_conditional, symmetric
from splitcrit.proof import All, Erratum, Exhaustive, Identity, NearMiss, Not, Sign, Theorem
from splitcrit.proofs.common import count_vectors, exactly, lefts, noisy, split
from splitcrit.proofs.ghosh2017.setting import (
    clean,
    entropy_gain,
    gini_gain,
    misclassification_gain,
    value,
)
from splitcrit.proofs.ghosh2017.splits import SMALL_FLIP

SHARE = {"p": "rate", "eta": "rate"}
CLEAN_SPLIT = {name: "positive" for name in "abcd"}
TAUS = {"tau_pos": "rate", "tau_neg": "rate"}
UNIFORM = "keeps order under uniform noise"


def given_rates(v: Any) -> list[list[Any]]:
    """Return the expected split after class-conditional noise."""
    return noisy(clean(v), class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg))


def by_rates(criterion: Any) -> Any:
    return lambda v, m: criterion.score(given_rates(v), m)


def scaled_by_rates(criterion: Any) -> Any:
    return lambda v, m: (1 - v.tau_pos - v.tau_neg) ** 2 * criterion.score(clean(v), m)


RATES_40_20 = class_conditional(tau_pos=Fraction(2, 5), tau_neg=Fraction(1, 5))


def keeps_order(criterion: Any, channel: Any, most: int, ties: bool = False) -> Exhaustive:
    """Return the claim that a split better than another of its node stays better, or with ``ties`` not worse."""

    def pairs() -> Iterator[Any]:
        for counts in count_vectors(most, 2, 2):
            yield from product([split(counts, left) for left in lefts(counts)], repeat=2)

    def holds(pair: Any) -> bool:
        first, second = (value(criterion, t) for t in pair)
        one, two = (value(criterion, noisy(exactly(t), channel)) for t in pair)
        return first <= second or one > two or (ties and one == two)

    return Exhaustive(pairs, holds)


THEOREMS = [
    Theorem(
        key="noise.gini_and_twoing_need_no_rates_of_class_conditional",
        statement="under class-conditional noise the two-class Gini gain and twoing score of the expected table are"
        " (1 - tau_pos - tau_neg)^2 times the clean ones: the best split needs no knowledge of the rates",
        source="ghosh2017, Remark 6",
        scope="two classes, positive counts, all rates in [0, 1]; order for tau_pos + tau_neg != 1",
        holds=All(
            *(Identity({**CLEAN_SPLIT, **TAUS}, by_rates(c), scaled_by_rates(c)) for c in (gini_gain, criteria.twoing)),
            *(keeps_order(c, RATES_40_20, 5) for c in (gini_gain, criteria.twoing)),
        ),
        fails=(
            NearMiss(
                "the same of misclassification: its order survives rates of 2/5 and 1/5",
                keeps_order(misclassification_gain, RATES_40_20, 5),
            ),
            NearMiss(
                "the order is kept at rates that add up to 1",
                keeps_order(gini_gain, class_conditional(tau_pos=Fraction(2, 5), tau_neg=Fraction(3, 5)), 3),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="noise.misclassification_order_flips_of_class_conditional",
        statement="under class-conditional noise with rates 2/5 and 1/5 misclassification ranks two splits of a node of"
        " 5 examples in strictly opposite orders, and of no smaller node; entropy does so for a node of 7",
        source="ghosh2017, Remark 6",
        scope="rates 2/5 (positive) and 1/5 (negative); every pair of splits with N <= 5 for misclassification, one"
        " pair for entropy",
        holds=All(
            keeps_order(misclassification_gain, RATES_40_20, 4, ties=True),
            Not(keeps_order(misclassification_gain, RATES_40_20, 5, ties=True)),
            Sign(lambda m: entropy_flip(m)),
        ),
        fails=(
            NearMiss(
                "misclassification flips at two equal rates of 3/10 as well",
                Not(keeps_order(misclassification_gain, symmetric(Fraction(3, 10)), 5, ties=True)),
                alters="hypothesis",
            ),
            NearMiss("Gini flips as well", Not(keeps_order(gini_gain, RATES_40_20, 5, ties=True))),
            NearMiss(
                "up to N = 4 the strict order of misclassification is kept, with no new tie",
                keeps_order(misclassification_gain, RATES_40_20, 4),
            ),
        ),
    ),
]


def entropy_flip(m: Any) -> list[Any]:
    """Return two margins: the first split gains more in entropy without noise, the second under the two rates."""
    first, second = (exactly(t) for t in SMALL_FLIP)
    before = entropy_gain.score(first, m) - entropy_gain.score(second, m)
    after = entropy_gain.score(noisy(first, RATES_40_20), m) - entropy_gain.score(noisy(second, RATES_40_20), m)
    return [before, -after]


ERRATA = [
    Erratum(
        "G-E8",
        printed=Not(keeps_order(gini_gain, RATES_40_20, 5)),
        corrected="noise.gini_and_twoing_need_no_rates_of_class_conditional",
    ),
]
