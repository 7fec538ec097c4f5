"""How surely a majority class survives uniform noise: Theorem 4 against the exact law of the noisy counts.

Main results: margins between expected shares are rescaled; the bound ``1 - (K - 1) exp(-n gamma^2 / 2)`` holds for the
margin after noise, not for the clean one, and its sample size is sufficient, not necessary.
Source: wilton2024, Theorem 4 and Appendix E.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from splitcrit.noise import symmetric
from splitcrit.proof import BALL, All, Erratum, Exhaustive, Identity, NearMiss, Sign, Theorem
from splitcrit.proofs.common import count_vectors, distribution, kinds
from splitcrit.proofs.wilton2024.terms import HALF

Vector = tuple[int, ...]

RATES = (Fraction(1, 10), Fraction(1, 4), Fraction(2, 5))


@cache
def noisy_law(counts: Vector, eta: Fraction) -> dict[Vector, Fraction]:
    """Return the law of the noisy class counts of labels flipped independently by uniform noise."""
    if not any(counts):
        return {counts: Fraction(1)}
    true = max(k for k, n in enumerate(counts) if n)
    fewer = tuple(n - (k == true) for k, n in enumerate(counts))
    law: dict[Vector, Fraction] = {}
    for known, chance in noisy_law(fewer, eta).items():
        for k, move in enumerate(symmetric(eta).transition(len(counts))[true]):
            grown = tuple(n + (j == k) for j, n in enumerate(known))
            law[grown] = law.get(grown, Fraction(0)) + chance * move
    return law


def lost(counts: Vector, eta: Fraction, strict: bool = True) -> Fraction:
    """Return the probability that the majority class is no longer strictly (or no longer weakly) ahead."""
    k = counts.index(max(counts))
    kept = sum(
        chance
        for noisy, chance in noisy_law(counts, eta).items()
        if all(noisy[k] > x if strict else noisy[k] >= x for j, x in enumerate(noisy) if j != k)
    )
    return 1 - Fraction(kept)


def margin(counts: Vector, eta: Fraction) -> Fraction:
    """Return ``gamma``: the least difference of the expected noisy shares of the majority and another class."""
    k = counts.index(max(counts))
    shares = symmetric(eta).on_distribution([Fraction(n, sum(counts)) for n in counts])
    return Fraction(min(shares[k] - x for j, x in enumerate(shares) if j != k))


def clear_sets(most: int, classes: int) -> Iterator[Vector]:
    """Yield count vectors whose first class alone is largest, the others in falling order."""
    for n in count_vectors(most, classes):
        if n[0] > n[1] and list(n) == sorted(n, reverse=True):
            yield n


def tail(counts: Vector, gamma: Fraction, times: Fraction = HALF, m: Any = BALL) -> Any:
    """Return ``(K - 1) exp(-times n gamma^2)``."""
    return (len(counts) - 1) * m.exp(m.number(-times * sum(counts) * gamma**2))


def slacks(m: Any, times: Fraction = HALF, rates: tuple[Fraction, ...] = RATES) -> list[Any]:
    sets = [*clear_sets(16, 2), *clear_sets(8, 3)]
    return [m.min([tail(n, margin(n, eta), times, m) - lost(n, eta) for n in sets for eta in rates])]


def clean_margin_suffices(case: tuple[Vector, Fraction]) -> bool:
    counts, eta = case
    return bool(tail(counts, margin(counts, Fraction(0))) > lost(counts, eta, strict=False))


def needed(m: Any) -> list[Any]:
    """One example without noise, kept surely: 1 - (2 / gamma^2) log((K - 1) / delta) at delta = 1/10."""
    return [1 - 2 / m.number(margin((1, 0), Fraction(0)) ** 2) * m.log(m.number(10))]


def rescaled_margin(classes: int, factor: Callable[[Any], Any]) -> Identity:
    return Identity(
        {**kinds("positive", "p", classes=classes), "eta": "rate"},
        lambda v, m: _step(symmetric(v.eta).on_distribution(distribution(v, classes))),
        lambda v, m: factor(v.eta) * _step(distribution(v, classes)),
    )


def _step(p: Any) -> Any:
    return p[0] - p[1]


THEOREMS = [
    Theorem(
        key="noise.margins_rescale_of_uniform_noise",
        statement="uniform noise multiplies the difference of any two expected class shares by 1 - K eta / (K - 1), so "
        "that for eta < (K - 1) / K the majority classes stay and gamma is the clean margin times that factor",
        source="wilton2024, Theorem 4 (the margin gamma)",
        scope="K = 2 to 5",
        holds=All(*(rescaled_margin(K, lambda eta, K=K: 1 - K * eta / (K - 1)) for K in (2, 3, 4, 5))),  # type: ignore[misc]
        fails=(
            NearMiss("the margin is that of the clean distribution", rescaled_margin(2, lambda eta: 1)),
            NearMiss("the factor is 1 - 2 eta for every K", rescaled_margin(3, lambda eta: 1 - 2 * eta)),
        ),
    ),
    Theorem(
        key="noise.majority_survives_of_margin",
        statement="if class k is the unique majority of n labels and uniform noise of rate eta < (K - 1) / K flips "
        "them independently, then k stays strictly ahead with probability at least 1 - (K - 1) exp(-n gamma^2 / 2)",
        source="wilton2024, Theorem 4",
        scope="exact laws at eta = 1/10, 1/4, 2/5 for K = 2, n <= 16 and K = 3, n <= 8; beyond that by the premises",
        premises=("Hoeffding's inequality for independent variables in [-1, 1]", "Boole's inequality"),
        holds=All(Sign(slacks), *(rescaled_margin(K, lambda eta, K=K: 1 - K * eta / (K - 1)) for K in (2, 3))),  # type: ignore[misc]
        fails=(
            NearMiss(
                "gamma may be the margin of the clean labels, even for staying weakly ahead",
                Exhaustive(lambda: product(clear_sets(6, 2), RATES), clean_margin_suffices),
            ),
            NearMiss("the exponent is 2 n gamma^2", Sign(lambda m: slacks(m, times=Fraction(2)))),
            NearMiss("for every eta < 1", Sign(lambda m: slacks(m, rates=(Fraction(9, 10),))), "hypothesis"),
            NearMiss(
                "n >= (2 / gamma^2) log((K - 1) / delta) is needed, also for one example without noise (delta = 1/10)",
                Sign(needed),
            ),
        ),
        latex=r"P(\tilde p_{k^*} > \tilde p_k\ \forall k\ne k^*) \ge 1-(K-1)\,e^{-n\gamma^2/2}",
    ),
]

ERRATA = [
    Erratum(
        "R-E6a",
        Exhaustive(lambda: product(clear_sets(6, 2), RATES), clean_margin_suffices),
        "noise.majority_survives_of_margin",
    ),
    Erratum("R-E6b", Sign(needed), "noise.majority_survives_of_margin"),
]
