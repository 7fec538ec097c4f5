"""Statements of ghosh2017: which impurities keep the order of splits under symmetric label noise.

Main results: the Gini gain of the expected noisy table is ``(1 - 2 eta)^2`` times the clean one.
Source: ghosh2017.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit import criteria, impurities
from splitcrit.noise import symmetric
from splitcrit.proof import Identity, NearMiss, Sign, Theorem

SPLIT = {"a": "positive", "b": "positive", "c": "positive", "d": "positive", "eta": "rate"}
gini_gain = criteria.decrease(impurities.gini)
entropy_gain = criteria.decrease(impurities.entropy)


def clean(v: Any) -> list[list[Any]]:
    """Return a split in which every count is positive, so that no proportion is undefined."""
    return [[v.a, v.b], [v.c, v.d]]


def noisy(table: list[list[Any]], eta: Any) -> list[list[Any]]:
    """Return the expected table after symmetric noise."""
    return [symmetric(eta).on_distribution(row) for row in table]


def noisy_gini(v: Any, m: Any) -> Any:
    return gini_gain.score(noisy(clean(v), v.eta), m)


def noisy_impurity(v: Any, m: Any) -> Any:
    return impurities.gini.of(symmetric(v.eta).on_distribution([v.p, 1 - v.p]), m)


# ghosh2017, Remark 4: two splits of a node with 30 % positives, as counts of (negative, positive) in 2000 examples
REMARK_4 = (
    [[Fraction(900), Fraction(100)], [Fraction(500), Fraction(500)]],
    [[Fraction(594), Fraction(6)], [Fraction(806), Fraction(594)]],
)


def entropy_margins(eta: Fraction) -> Any:
    """Return a formula for how much more the second split of Remark 4 gains in entropy, at noise rate eta."""

    def margin(m: Any) -> list[Any]:
        first, second = (entropy_gain.score(noisy(table, eta), m) for table in REMARK_4)
        return [second - first]

    return margin


THEOREMS = [
    Theorem(
        key="noise.gini_gain_rescales_of_symmetric",
        statement="the Gini gain of the expected table under symmetric noise is (1 - 2 eta)^2 times the clean gain",
        source="ghosh2017, Theorem 3",
        scope="two classes, positive counts, all rates in [0, 1]",
        holds=Identity(SPLIT, noisy_gini, lambda v, m: (1 - 2 * v.eta) ** 2 * gini_gain.score(clean(v), m)),
        fails=(
            NearMiss(
                "the factor is |1 - 2 eta|, as for misclassification",
                Identity(SPLIT, noisy_gini, lambda v, m: (1 - 2 * v.eta) * gini_gain.score(clean(v), m)),
            ),
            NearMiss(
                "the impurity itself rescales, with additive term eta - eta^2 (as printed)",
                Identity(
                    {"p": "rate", "eta": "rate"},
                    noisy_impurity,
                    lambda v, m: (1 - 2 * v.eta) ** 2 * impurities.gini.of([v.p, 1 - v.p], m) + v.eta - v.eta**2,
                ),
            ),
        ),
        latex=r"\mathrm{gain}^\eta_{\mathrm{Gini}}(f) = (1-2\eta)^2\, \mathrm{gain}_{\mathrm{Gini}}(f)",
    ),
    Theorem(
        key="noise.entropy_order_flips_of_symmetric",
        statement="entropy prefers the second split of Remark 4 without noise and the first at eta = 2/5",
        source="ghosh2017, Remark 4",
        scope="the two splits of the remark, rigorous enclosures",
        holds=Sign(lambda m: entropy_margins(Fraction(0))(m) + [-x for x in entropy_margins(Fraction(2, 5))(m)]),
        fails=(
            NearMiss("the second split is still better at eta = 2/5", Sign(entropy_margins(Fraction(2, 5)))),
            NearMiss(
                "the first split is better already at eta = 1/25",
                Sign(lambda m: [-x for x in entropy_margins(Fraction(1, 25))(m)]),
                alters="hypothesis",
            ),
        ),
    ),
]
