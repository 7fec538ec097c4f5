"""Two classes whose labels flip at rates of their own: what needs no rates, and what finite samples add.

Main results: Gini and twoing rescale as populations; the expected gain has a part that depends on the split, of order
``1/n``, which can change the order.
Source: beyond.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.criteria import Criterion, twoing
from splitcrit.noise import class_conditional
from splitcrit.proof import All, Certificate, Exhaustive, Identity, NearMiss, Smt, Theorem
from splitcrit.proofs.beyond.expectation import MOMENTS, SPLIT, TWO_RATES, table
from splitcrit.proofs.beyond.laws import Split, by_moments, expected_score, keeps, reorders, splits
from splitcrit.proofs.common import exactly, gini_decrease, kinds

PAIR_CLASSES: tuple[Split, Split] = (((0, 2), (2, 1)), ((1, 0), (1, 3)))
QUARTER = Fraction(1, 4)
RATE_PAIRS = (
    (Fraction(0), QUARTER),
    (Fraction(1, 10), Fraction(3, 10)),
    (Fraction(2, 5), Fraction(1, 5)),
    (Fraction(9, 20), Fraction(0)),
)


def split_part(v: Any) -> Any:
    """Return ``(2/n^2) [n v_neg + (v_pos - v_neg)(N_R p_L + N_L p_R)]`` with ``v = tau (1 - tau)``."""
    left, right = v.a + v.b, v.c + v.d
    n, v_pos, v_neg = left + right, v.tau_pos * (1 - v.tau_pos), v.tau_neg * (1 - v.tau_neg)
    return 2 * (n * v_neg + (v_pos - v_neg) * (right * v.a / left + left * v.c / right)) / n**2


def two_rate_formula(v: Any, m: Any) -> Any:
    return (1 - v.tau_pos - v.tau_neg) ** 2 * gini_decrease.score(table(v), m) + split_part(v)


def two_rate_exact(case: tuple[Split, tuple[Fraction, Fraction]]) -> bool:
    s, rates = case
    return bool(expected_score(gini_decrease, s, *rates) == by_moments(exactly(s), *rates, EXACT))


def noisy_square(criterion: Criterion) -> Callable[[Any, Any], Any]:
    def score_of_expected(v: Any, m: Any) -> Any:
        channel = class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg)
        return criterion.score([channel.on_distribution(row) for row in table(v)], m)

    return score_of_expected


def spread_kept(v: Any, m: Any) -> Any:
    left, right = v.a + v.b, v.c + v.d
    return left + right - (right * v.a / left + left * v.c / right)


def spread_terms(v: Any, m: Any) -> list[tuple[list[Any], list[str]]]:
    return [([], ["left"]), ([], ["right"])]


def spread_atoms(v: Any, m: Any) -> dict[str, Any]:
    left, right = v.a + v.b, v.c + v.d
    return {"left": right * v.b / left, "right": left * v.d / right}


def _share(v: Any) -> Any:
    return class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg).on_distribution([1 - v.p, v.p])[1]


THEOREMS = [
    Theorem(
        key="noise.gini_and_twoing_rescale_of_class_conditional",
        statement="without knowing the rates: for two classes the Gini gain and twoing of the expected table are"
        " (1 - tau_pos - tau_neg)^2 times the clean ones",
        source="beyond, class-conditional noise",
        scope="two classes, all positive counts, all rates in [0, 1]",
        holds=All(
            *(
                Identity(
                    TWO_RATES,
                    noisy_square(criterion),
                    lambda v, m, c=criterion: (1 - v.tau_pos - v.tau_neg) ** 2 * c.score(table(v), m),  # type: ignore[misc]
                )
                for criterion in (gini_decrease, twoing)
            )
        ),
        fails=(
            NearMiss(
                "the factor is (1 - 2 tau)^2 for the mean rate tau weighted by the classes",
                Identity(
                    TWO_RATES,
                    noisy_square(gini_decrease),
                    lambda v, m: (
                        (1 - 2 * ((v.a + v.c) * v.tau_pos + (v.b + v.d) * v.tau_neg) / (v.a + v.b + v.c + v.d)) ** 2
                        * gini_decrease.score(table(v), m)
                    ),
                ),
            ),
            NearMiss(
                "a positive gain stays positive at all rates",
                Exhaustive(
                    lambda: product((Fraction(0), Fraction(1, 2), Fraction(1)), repeat=2),
                    lambda rates: (
                        gini_decrease.score(
                            [
                                class_conditional(tau_pos=rates[0], tau_neg=rates[1]).on_distribution(row)
                                for row in exactly(((1, 2), (2, 1)))
                            ],
                            EXACT,
                        )
                        > 0
                    ),
                ),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="noise.expected_gini_gain_of_class_conditional",
        statement="under class-conditional noise the expected Gini gain is (1 - tau_pos - tau_neg)^2 gain"
        " + (2/n^2) [n v_neg + (v_pos - v_neg)(N_R p_L + N_L p_R)] with v = tau(1 - tau); the part that depends on the"
        " split is at most 2 |v_pos - v_neg|/n",
        source="beyond, class-conditional noise",
        scope="two classes, all positive counts and rates; by binomial laws for n <= 6 at four pairs of rates",
        holds=All(
            Identity(TWO_RATES, lambda v, m: by_moments(table(v), v.tau_pos, v.tau_neg, m), two_rate_formula),
            Exhaustive(lambda: product(splits(6), RATE_PAIRS), two_rate_exact),
            Certificate(SPLIT, spread_kept, spread_terms, spread_atoms),
        ),
        fails=(
            NearMiss(
                "the additive term does not depend on the split: it is that of the node's class shares",
                Identity(
                    TWO_RATES,
                    lambda v, m: by_moments(table(v), v.tau_pos, v.tau_neg, m),
                    lambda v, m: (
                        (1 - v.tau_pos - v.tau_neg) ** 2 * gini_decrease.score(table(v), m)
                        + 2
                        * ((v.a + v.c) * v.tau_pos * (1 - v.tau_pos) + (v.b + v.d) * v.tau_neg * (1 - v.tau_neg))
                        / (v.a + v.b + v.c + v.d) ** 2
                    ),
                ),
            ),
            NearMiss(
                "the expected order is the clean order at every n, as for symmetric noise",
                keeps(gini_decrease, Fraction(0), QUARTER, 5),
                alters="hypothesis",
            ),
        ),
        premises=MOMENTS,
    ),
    Theorem(
        key="noise.expected_gini_gain_reorders_of_class_conditional",
        statement="with tau_pos = 0 and tau_neg = 1/4 the split [0 2 | 2 1] (negatives, positives) gains more than"
        " [1 0 | 1 3] clean and as a population, and less in expectation over five examples; with fewer no order"
        " changes",
        source="beyond, class-conditional noise",
        scope="n <= 5 at these rates, by binomial laws",
        holds=All(
            Exhaustive(lambda: [PAIR_CLASSES], lambda p: reorders(gini_decrease, p, Fraction(0), QUARTER)),
            keeps(gini_decrease, Fraction(0), QUARTER, 4),
        ),
        fails=(
            NearMiss(
                "the same two splits change places at tau_pos = tau_neg = 1/4",
                Exhaustive(lambda: [PAIR_CLASSES], lambda p: reorders(gini_decrease, p, QUARTER, QUARTER)),
                alters="hypothesis",
            ),
            NearMiss(
                "and at tau_pos = 1/4, tau_neg = 0",
                Exhaustive(lambda: [PAIR_CLASSES], lambda p: reorders(gini_decrease, p, QUARTER, Fraction(0))),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="noise.majority_threshold_of_class_conditional",
        statement="for tau_pos + tau_neg < 1 the true majority of a leaf is positive exactly if its noisy share exceeds"
        " (1 - tau_pos + tau_neg)/2",
        source="beyond, class-conditional noise",
        scope="all shares and rates with tau_pos + tau_neg < 1",
        holds=Smt(
            kinds("rate", "p", "tau_pos", "tau_neg"),
            lambda v, m: (v.p * 2 > 1) == (2 * _share(v) > 1 - v.tau_pos + v.tau_neg),
            lambda v, m: [v.tau_pos + v.tau_neg < 1],
        ),
        fails=(
            NearMiss(
                "the noisy majority is the true one, as under symmetric noise below 1/2",
                Smt(
                    kinds("rate", "p", "tau_pos", "tau_neg"),
                    lambda v, m: (v.p * 2 > 1) == (2 * _share(v) > 1),
                    lambda v, m: [v.tau_pos + v.tau_neg < 1],
                ),
            ),
            NearMiss(
                "for all rates",
                Smt(
                    kinds("rate", "p", "tau_pos", "tau_neg"),
                    lambda v, m: (v.p * 2 > 1) == (2 * _share(v) > 1 - v.tau_pos + v.tau_neg),
                ),
                alters="hypothesis",
            ),
        ),
    ),
]
