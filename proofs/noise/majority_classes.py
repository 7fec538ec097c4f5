"""How surely a majority class survives uniform noise: Theorem 4 against the exact law of the noisy counts.

Source: wilton2024, Theorem 4 and Appendix E.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit.noise import symmetric
from splitcrit.proof import (
    BALL,
    All,
    Cases,
    Each,
    Erratum,
    Exhaustive,
    Extent,
    Law,
    NearMiss,
    Sign,
    Theorem,
    only,
    upto,
)
from splitcrit.proofs.common import HALF, count_vectors
from splitcrit.proofs.noise.expected_gain import row_law
from splitcrit.proofs.noise.inequalities import HOEFFDING, UNION
from splitcrit.proofs.noise.majorities import RISK_IS_AFFINE
from splitcrit.proofs.noise.sums_of_labels import exponent

RATES = (Fraction(1, 10), Fraction(1, 4), Fraction(2, 5))
Vector = tuple[int, ...]


def lost(counts: Vector, eta: Fraction, strict: bool = True) -> Fraction:
    """The probability that the first class is no longer strictly (or no longer weakly) ahead."""
    chance = sum(x for n, x in row_law(counts, eta).items() if all(n[0] > y if strict else n[0] >= y for y in n[1:]))
    return 1 - Fraction(chance)


def margin(counts: Vector, eta: Fraction) -> Fraction:
    """``gamma``: the least difference of the expected noisy shares of the first class and another."""
    shares = symmetric(eta).on_distribution([Fraction(n, sum(counts)) for n in counts])
    return Fraction(min(shares[0] - x for x in shares[1:]))


def clear_sets(most: int, classes: int) -> Iterator[Vector]:
    """Yield count vectors whose first class alone is largest, the others in falling order."""
    sets = count_vectors(most, classes)
    return (n for n in sets if n[0] > n[1] and list(n) == sorted(n, reverse=True))


def tail(counts: Vector, gamma: Fraction, times: Fraction = HALF) -> Any:
    """``(K - 1) exp(-times n gamma^2)``."""
    return (len(counts) - 1) * BALL.exp(BALL.number(-times * sum(counts) * gamma**2))


def survives(times: Fraction = HALF, rates: Any = RATES) -> Each:
    """Claim that the exact chance to lose the majority is below the bound by the noisy margin."""

    def exactly(K: int) -> Exhaustive:
        sets = Cases(lambda N, eta: product(clear_sets(N, K), [eta]), N=upto(16 if K == 2 else 8), eta=only(*rates))
        return Exhaustive(sets, lambda c: tail(c[0], margin(*c), times) > lost(*c))

    return Each("K", (2, 3), exactly)


def clean_margin_suffices(case: tuple[Vector, Fraction]) -> bool:
    counts, eta = case
    return bool(tail(counts, margin(counts, Fraction(0))) > lost(counts, eta, strict=False))


def needed(m: Any) -> list[Any]:
    """One example without noise, kept surely: 1 - (2 / gamma^2) log((K - 1) / delta) at delta = 1/10."""
    return [1 - 2 / m.number(margin((1, 0), Fraction(0)) ** 2) * m.log(m.number(10))]


def of_two_classes(weight: int = 2) -> Any:
    """Claim the exponent of n terms, 1 for the first class, -1 for another and 0 else, that sum to 0 or less.

    The expected shares of both are p and q, so that gamma is p - q.
    """
    return exponent(
        {"n": "positive", "p": "rate", "q": "rate"},
        lambda v: v.n * v.p - v.n * v.q,
        lambda v: weight**2 * v.n,
        lambda v: v.n * (v.p - v.q) ** 2 / 2,
    )


SURVIVES = Law(survives)
BY_CLEAN_MARGIN = Exhaustive(lambda: product(clear_sets(6, 2), RATES), clean_margin_suffices)

THEOREMS = [
    Theorem(
        key="noise.majority_survives_of_margin",
        statement="if class k is the unique majority of n labels and uniform noise of rate eta < (K - 1) / K flips"
        " them independently, then k stays strictly ahead with probability at least 1 - (K - 1) exp(-n gamma^2 / 2)",
        source="wilton2024, Theorem 4",
        premises=(replace(HOEFFDING, widens={**HOEFFDING.widens, "K": Extent(least=2)}), UNION, RISK_IS_AFFINE),
        holds=All(bound=SURVIVES, exponent=of_two_classes()),
        fails=(
            NearMiss("gamma may be the margin of the clean labels, even for staying weakly ahead", BY_CLEAN_MARGIN),
            NearMiss("the inequality gives it of terms of range 1", of_two_classes(1)),
            SURVIVES.but("the exponent is 2 n gamma^2", times=Fraction(2)),
            SURVIVES.but("for every eta < 1", rates=(Fraction(9, 10),), alters="hypothesis"),
            NearMiss(
                "n >= (2 / gamma^2) log((K - 1) / delta) is needed, also for one example without noise (delta = 1/10)",
                Sign(needed),
            ),
        ),
    )
]

ERRATA = [
    Erratum("R-E6a", BY_CLEAN_MARGIN, "noise.majority_survives_of_margin"),
    Erratum("R-E6b", Sign(needed), "noise.majority_survives_of_margin"),
]
