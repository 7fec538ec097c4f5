"""Forests under symmetric noise: Remarks 9 and 10 of ghosh2017.

Source: ghosh2017, Section 3.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from splitcrit.arith import total
from splitcrit.noise import class_conditional, symmetric
from splitcrit.proof import All, Exhaustive, Induction, Law, NearMiss, Premise, Smt, Theorem
from splitcrit.proofs.common import HALF, kinds, up_to
from splitcrit.proofs.noise.leaf_samples import RATES as LEAF_RATES
from splitcrit.proofs.noise.leaf_samples import failure


def spread_of_mean() -> Induction:
    """Claim that N^2 times the variance of the mean of N variables is rho s N^2 + (1 - rho) s N, sum by sum.

    One variable more adds its variance and twice its covariance with each of those before it.
    """

    def formula(entries: Any, v: Any, m: Any) -> Any:
        covariances = total([v.s if i == j else v.rho * v.s for i in range(len(entries)) for j in range(len(entries))])
        return covariances - v.rho * v.s * len(entries) ** 2 - (1 - v.rho) * v.s * len(entries)

    def closed(sums: Any, v: Any, m: Any) -> Any:
        N = sums[0]
        return N * v.s + N * (N - 1) * v.rho * v.s - v.rho * v.s * N**2 - (1 - v.rho) * v.s * N

    return Induction(
        "N",
        {"unused": "real"},
        formula,
        lambda e, v, m: [m.number(1)],
        closed,
        shared=kinds("real", "s", "rho"),
        least=1,
        compared=True,
    )


def covariance_sum(n: int, rho: Fraction) -> Fraction:
    """The variance of the mean of n equicorrelated variables of variance 1, summed entry by entry."""
    return sum((Fraction(1) if i == j else rho for i in range(n) for j in range(n)), Fraction(0)) / n**2


def correlations(most: int) -> Iterator[tuple[int, Fraction]]:
    for n in range(2, most + 1):
        yield from ((n, Fraction(k, 6)) for k in range(-6, 7))


def positive(p: Any, channel: Any) -> Any:
    return channel.on_distribution([1 - p, p])[1]


def vote_kept(strict: bool = True, rates: tuple[str, str] = ("eta", "eta")) -> Smt:
    """Claim that a tree votes for the positive class after noise just if it did before, for rates < (<=) 1/2."""

    def noisy(v: Any) -> Any:
        tau_pos, tau_neg = (getattr(v, name) for name in rates)
        return positive(v.p, class_conditional(tau_pos=tau_pos, tau_neg=tau_neg))

    return Smt(
        kinds("rate", "p", *rates),
        lambda v, m: (2 * v.p > 1) == (2 * noisy(v) > 1),
        lambda v, m: [getattr(v, x) < HALF if strict else getattr(v, x) <= HALF for x in rates],
    )


def mean_scales() -> Induction:
    """Claim that the trees' shares less 1/2 have a sum, and so a mean, that noise multiplies by 1 - 2 eta."""
    return Induction(
        "trees",
        {"p": "rate"},
        lambda entries, v, m: total(
            [positive(e.p, symmetric(v.eta)) - HALF - (1 - 2 * v.eta) * (e.p - HALF) for e in entries]
        ),
        lambda e, v, m: [positive(e.p, symmetric(v.eta)) - HALF, e.p - HALF],
        lambda sums, v, m: sums[0] - (1 - 2 * v.eta) * sums[1],
        shared={"eta": "rate"},
        least=1,
    )


VOTE = Law(vote_kept)

THEOREMS = [
    Theorem(
        key="noise.votes_are_kept_of_symmetric",
        statement="where the partition does not depend on labels, trees cast the same votes before and after symmetric"
        " noise with eta < 1/2, in the limit of large leaves; so does the mean of their shares, which noise brings"
        " nearer to 1/2 by the factor 1 - 2 eta",
        source="ghosh2017, Remark 9",
        premises=(Premise("order.best_splits_are_kept_of_symmetric", kind="theorem"),),
        added="large leaves, and a rule for p_i = 1/2 that treats it as negative before and after",
        holds=All(VOTE, mean_scales()),
        fails=(
            VOTE.but("for eta <= 1/2", strict=False, alters="hypothesis"),
            VOTE.but("under class-conditional noise", rates=("tau_pos", "tau_neg"), alters="hypothesis"),
            NearMiss(
                "a forest of small leaves: the vote of three pure leaves of two examples each is kept with certainty",
                Exhaustive(lambda: LEAF_RATES, lambda eta: failure((2, 2, eta)) == 0),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="noise.variance_of_equicorrelated_mean",
        statement="the mean of N variables of variance s and pairwise correlation rho has variance"
        " rho s + (1 - rho) s / N",
        source="ghosh2017, Remark 10",
        holds=spread_of_mean(),
        fails=(
            NearMiss(
                "it is at most s/N, as for independent trees",
                up_to(8, correlations, lambda c: covariance_sum(*c) <= Fraction(1, c[0])),
            ),
            NearMiss(
                "any correlation from -1 on is possible: the variance is never negative",
                up_to(8, correlations, lambda c: covariance_sum(*c) >= 0),
                alters="hypothesis",
            ),
        ),
    ),
]
