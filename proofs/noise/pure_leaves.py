"""Pure leaves: examples that flip at rates of their own, and the sizes that bounds and the exact law ask for.

Source: ghosh2017, Theorem 5 (b); beyond. Tied labels are failures.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise
from typing import Any

from splitcrit.proof import BALL, All, Erratum, Exhaustive, Law, NearMiss, Theorem
from splitcrit.proofs.common import HALF, kinds, up_to
from splitcrit.proofs.noise.flips import below
from splitcrit.proofs.noise.inequalities import HOEFFDING, KEARNS_SAUL
from splitcrit.proofs.noise.leaf_samples import failure, hoeffding, kearns_saul
from splitcrit.proofs.noise.sums_of_labels import exponent


@cache
def wrong(rates: tuple[Fraction, ...]) -> Fraction:
    """The chance that at least half of the examples flip at their own rates."""
    weights, whole = [1], 1
    for eta in rates:
        stay, flip = eta.denominator - eta.numerator, eta.numerator
        weights = [x * stay + y * flip for x, y in zip([*weights, 0], [0, *weights], strict=True)]
        whole *= eta.denominator
    return Fraction(sum(w for k, w in enumerate(weights) if 2 * k >= len(rates)), whole)


def fading(n: int) -> tuple[Fraction, ...]:
    """The rates ``1/2 - 1/(4 i^2)``: all below 1/2, with margins that fade."""
    return tuple(HALF - Fraction(1, 4 * i * i) for i in range(1, n + 1))


def fails_more(rates: Any = fading, rises: bool = True) -> Exhaustive:
    """Claim that the chance of a wrong majority rises, or falls, with the size of the leaf."""
    return Exhaustive(
        lambda: pairwise((11, 51, 101, 201)), lambda n: (wrong(rates(n[0])) < wrong(rates(n[1]))) == rises
    )


def with_own_rates(most: int) -> Iterator[tuple[Fraction, ...]]:
    """Yield every multiset of those rates of up to ``most`` examples whose mean is below 1/2."""
    for n in range(1, most + 1):
        yield from (r for r in combinations_with_replacement(OWN_RATES, n) if 2 * sum(r) < n)


def margin_bound(times: int = 2, margin: Any = lambda r: HALF - sum(r) / len(r)) -> Exhaustive:
    """Claim that the chance of a wrong majority is at most ``exp(-times n gamma^2)``, gamma the mean margin."""
    return up_to(8, with_own_rates, lambda r: below(wrong(r), 1, times * len(r) * margin(r) ** 2), len)


OWN_RATES = tuple(Fraction(*x) for x in ((0, 1), (1, 5), (2, 5), (49, 100), (3, 5)))
FADING = Law(fails_more)
BY_MEAN_MARGIN = Law(margin_bound)


def of_margin(times: int = 2) -> Any:
    """Claim the exponent of n flips, of rate eta in the mean, that are n/2 or more: gamma is 1/2 - eta."""
    return exponent(
        kinds("positive", "n") | {"eta": "rate"},
        lambda v: v.n / 2 - v.n * v.eta,
        lambda v: v.n,
        lambda v: times * v.n * (HALF - v.eta) ** 2,
    )


# noise rate: sizes by Hoeffding, by Kearns-Saul, exact from there on, exact for the first time
SIZES = {
    Fraction(1, 10): (10, 7, 5, 3),
    Fraction(1, 5): (17, 15, 9, 7),
    Fraction(3, 10): (38, 36, 19, 17),
    Fraction(2, 5): (150, 148, 75, 67),
}
RISK = Fraction(1, 20)


def lost(n: int, eta: Fraction) -> bool:
    """Whether a pure leaf of n examples fails with a chance above 1/20."""
    return failure((n, n, eta)) > RISK


def sizes_hold(eta: Fraction) -> bool:
    """Whether the sizes in ``SIZES`` are the least that the two bounds, and the exact law, ask for."""
    by_hoeffding, by_saul, lasting, _ = SIZES[eta]
    log = 2 * BALL.log(BALL.number(1 / RISK))
    enough = not any(lost(n, eta) for n in range(lasting, by_saul + 1))
    return bool(
        by_hoeffding - 1 < log / hoeffding(eta) < by_hoeffding
        and by_saul - 1 < log / kearns_saul(eta) < by_saul
        and lost(lasting - 1, eta)
        and enough
    )


THEOREMS = [
    Theorem(
        key="noise.pure_majority_fails_without_margin",
        statement="with rates 1/2 - 1/(4 i^2), all below 1/2, the noisy majority of a pure leaf of 11, 51, 101, 201"
        " examples is wrong, ties counted as wrong, with a chance that grows with the leaf: above 9/20 at n = 51, above"
        " 47/100 at n = 201, and below 1/2",
        source="ghosh2017, Theorem 5 (b)",
        holds=All(
            FADING,
            Exhaustive(lambda: (51,), lambda n: wrong(fading(n)) > Fraction(9, 20)),
            Exhaustive(lambda: (201,), lambda n: Fraction(47, 100) < wrong(fading(n)) < HALF),
        ),
        fails=(
            FADING.but(
                "the same for rates bounded away from 1/2", rates=lambda n: (Fraction(2, 5),) * n, alters="hypothesis"
            ),
            FADING.but("the chance of a wrong label falls as the leaf grows, all rates being below 1/2", rises=False),
        ),
    ),
    Theorem(
        key="noise.pure_majority_fails_rarely_of_mean_margin",
        statement="in a pure leaf whose rates are on average gamma > 0 below 1/2 the noisy majority is wrong, ties"
        " counted as wrong, with a chance of at most exp(-2 n gamma^2)",
        source="ghosh2017, Theorem 5 (b)",
        premises=(HOEFFDING,),
        added="the mean of 1/2 - eta_i stays above a positive gamma",
        holds=All(bound=BY_MEAN_MARGIN, exponent=of_margin()),
        fails=(
            BY_MEAN_MARGIN.but("at most exp(-4 n gamma^2)", times=4),
            NearMiss("the inequality gives 3 n gamma^2", of_margin(3)),
            BY_MEAN_MARGIN.but(
                "gamma may be the largest margin in place of the mean one",
                margin=lambda r: HALF - min(r),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="noise.pure_leaf_sizes_of_three_bounds",
        statement="a pure leaf keeps its majority with probability 19/20 at eta = 1/10, 1/5, 3/10, 2/5 from n = 5, 9,"
        " 19, 75 on; Hoeffding's bound asks for 10, 17, 38, 150 and the Kearns-Saul bound for 7, 15, 36, 148",
        source="beyond, sharp bound on the majority of a leaf",
        premises=(replace(KEARNS_SAUL, widens={}),),
        holds=Exhaustive(lambda: SIZES, sizes_hold),
        fails=(
            NearMiss(
                "a size that is enough stays enough when it grows (3, 7, 17, 67 are the first)",
                Exhaustive(lambda: SIZES, lambda eta: lost(SIZES[eta][3], eta) or not lost(SIZES[eta][3] + 1, eta)),
            ),
            NearMiss(
                "the exact sizes are those of the Kearns-Saul bound",
                Exhaustive(lambda: SIZES, lambda eta: lost(SIZES[eta][1] - 1, eta)),
            ),
        ),
    ),
]

ERRATA = [
    Erratum("G-E6", printed=FADING.but(rises=False).claim, corrected="noise.pure_majority_fails_rarely_of_mean_margin")
]
