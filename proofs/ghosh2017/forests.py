"""Statements of ghosh2017, Remarks 9 and 10: forests under symmetric noise.

Main results: in the limit every vote is kept; the variance of a mean of equicorrelated trees.
Source: ghosh2017, Section 3.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from splitcrit.noise import class_conditional, symmetric
from splitcrit.proof import All, Erratum, Exhaustive, Identity, NearMiss, Smt, Theorem
from splitcrit.proofs.ghosh2017.setting import HALF
from splitcrit.proofs.noise.leaf_samples import RATES as LEAF_RATES
from splitcrit.proofs.noise.leaf_samples import failure


def variance_of_mean(v: Any, m: Any) -> Any:
    """Return the variance of the mean of N variables of variance s and pairwise correlation rho."""
    return (v.N * v.s + v.N * (v.N - 1) * v.rho * v.s) / v.N**2


def covariance_sum(n: int, rho: Fraction) -> Fraction:
    """Return the variance of the mean of n equicorrelated variables of variance 1, summed entry by entry."""
    return sum((Fraction(1) if i == j else rho for i in range(n) for j in range(n)), Fraction(0)) / n**2


def correlations() -> Iterator[tuple[int, Fraction]]:
    for n in range(2, 9):
        yield from ((n, Fraction(k, 6)) for k in range(-6, 7))


FOREST = {"p0": "rate", "p1": "rate", "p2": "rate", "eta": "rate"}


def ballots(v: Any, m: Any, channel: Any = None) -> Any:
    """Return the votes, 0 or 1, of three trees for the positive class at a point, clean or noisy."""
    shares = [v.p0, v.p1, v.p2]
    if channel is not None:
        shares = [channel.on_distribution([1 - p, p])[1] for p in shares]
    return sum(m.where(2 * p > 1, 1, 0) for p in shares)


def votes_kept(v: Any, m: Any) -> Any:
    return ballots(v, m) == ballots(v, m, symmetric(v.eta))


def vote_kept_by_rates(v: Any, m: Any) -> Any:
    channel = class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg)
    return (ballots(v, m) >= 2) == (ballots(v, m, channel) >= 2)


THEOREMS = [
    Theorem(
        key="forest.votes_are_kept_of_symmetric",
        statement="where the partition does not depend on labels, three trees with leaf shares p_i cast the same votes"
        " before and after symmetric noise with eta < 1/2; so does a vote by the mean share",
        source="ghosh2017, Remark 9",
        scope="three trees, all leaf shares, all eta in [0, 1/2); the limit of large leaves",
        premises=(
            "noise.argmax_is_kept_of_symmetric",
            "hand argument: greedy trees choose the same splits if the best one is unique",
        ),
        added="large leaves, and a rule for p_i = 1/2 that treats it as negative before and after",
        holds=All(
            Smt(FOREST, votes_kept, lambda v, m: [v.eta < HALF]),
            Smt(
                FOREST,
                lambda v, m: (
                    (v.p0 + v.p1 + v.p2 > Fraction(3, 2))
                    == (
                        sum(symmetric(v.eta).on_distribution([1 - p, p])[1] for p in (v.p0, v.p1, v.p2))
                        > Fraction(3, 2)
                    )
                ),
                lambda v, m: [v.eta < HALF],
            ),
        ),
        fails=(
            NearMiss("for eta <= 1/2", Smt(FOREST, votes_kept, lambda v, m: [v.eta <= HALF]), alters="hypothesis"),
            NearMiss(
                "under class-conditional noise with rates below 1/2 the forest's majority is kept, if not each vote",
                Smt(
                    {"p0": "rate", "p1": "rate", "p2": "rate", "tau_pos": "rate", "tau_neg": "rate"},
                    vote_kept_by_rates,
                    lambda v, m: [v.tau_pos < HALF, v.tau_neg < HALF],
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "a forest of small leaves: the vote of three pure leaves of two examples each is kept with certainty",
                Exhaustive(lambda: LEAF_RATES, lambda eta: failure((2, 2, eta)) == 0),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="forest.variance_of_equicorrelated_mean",
        statement="the mean of N variables of variance s and pairwise correlation rho has variance"
        " rho s + (1 - rho) s / N",
        source="ghosh2017, Remark 10",
        scope="all N; summed entry by entry for N <= 8",
        holds=All(
            Identity(
                {"N": "positive", "s": "count", "rho": "real"},
                variance_of_mean,
                lambda v, m: v.rho * v.s + (1 - v.rho) * v.s / v.N,
            ),
            Exhaustive(correlations, lambda c: covariance_sum(*c) == c[1] + (1 - c[1]) / c[0]),
        ),
        fails=(
            NearMiss(
                "it is at most s/N, as for independent trees",
                Exhaustive(correlations, lambda c: covariance_sum(*c) <= Fraction(1, c[0])),
            ),
            NearMiss(
                "any correlation from -1 on is possible: the variance is never negative",
                Exhaustive(correlations, lambda c: covariance_sum(*c) >= 0),
                alters="hypothesis",
            ),
        ),
        latex=r"\rho\sigma^2 + \frac{1-\rho}{N}\sigma^2",
    ),
]


ERRATA: list[Erratum] = []
