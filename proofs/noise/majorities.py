"""The majority of a leaf in the limit of many examples, where shares are those that noise expects.

Source: ghosh2017, Theorem 5 and Remark 6; wilton2024, Theorem 4; beyond.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from splitcrit.noise import symmetric
from splitcrit.proof import All, Each, Exhaustive, Extent, Identity, Induction, Law, NearMiss, Premise, Smt, Theorem
from splitcrit.proofs.common import HALF, distribution, kinds
from splitcrit.proofs.noise.class_conditional import share

TWO_RATES = kinds("rate", "p", "tau_pos", "tau_neg")
RISK_IS_AFFINE = Premise("noise.risk_is_affine_of_uniform", kind="theorem", widens={"K": Extent(least=2)})


def shrinks(v: Any, m: Any, K: int) -> Any:
    return 1 - K * v.eta / (K - 1)


def margin_rescales(K: int, factor: Callable[[Any, Any, int], Any] = shrinks) -> Identity:
    """Claim that the difference of two expected class shares is a factor times the clean one."""
    return Identity(
        {**kinds("positive", "p", classes=K), "eta": "rate"},
        lambda v, m: _step(symmetric(v.eta).on_distribution(distribution(v, K))),
        lambda v, m: factor(v, m, K) * _step(distribution(v, K)),
    )


def _step(p: Any) -> Any:
    return p[0] - p[1]


def majority_stays(K: int, strict: bool = True, ties: bool = False) -> Smt:
    """Claim that of two classes the one with the larger share keeps it below the rate (K - 1)/K."""

    def below(v: Any, m: Any) -> list[Any]:
        rate = (K - 1 - K * v.eta) > 0 if strict else (K - 1 - K * v.eta) >= 0
        return [rate] if ties else [rate, v.p0 != v.p1]

    def stays(v: Any, m: Any) -> Any:
        shares = [getattr(v, f"p{k}") for k in range(K)]
        return _step(shares) * _step(symmetric(v.eta).on_distribution(shares)) > 0

    return Smt({**kinds("positive", "p", classes=K), "eta": "rate"}, stays, below)


# Class-conditional noise: the threshold at which the noisy label changes.
def clean_threshold(v: Any) -> Any:
    return (1 - 2 * v.tau_neg) / (2 * (1 - v.tau_pos - v.tau_neg))


def noisy_threshold(v: Any) -> Any:
    return (1 - v.tau_pos + v.tau_neg) / 2


def one_half(v: Any) -> Any:
    return HALF


def crosses_at(threshold: Callable[[Any], Any]) -> Identity:
    """Claim that the noisy share exceeds 1/2 by a factor times what the clean share exceeds a threshold by."""
    return Identity(
        TWO_RATES,
        lambda v, m: share(v, v.p) - HALF,
        lambda v, m: (1 - v.tau_pos - v.tau_neg) * (v.p - threshold(v)),
        lambda v, m: v.tau_pos + v.tau_neg < 1,
    )


def majority_seen_at(threshold: Callable[[Any], Any], below: bool = True) -> Smt:
    """Claim that the true majority is positive exactly if the noisy share exceeds a threshold."""
    return Smt(
        TWO_RATES,
        lambda v, m: (2 * v.p > 1) == (share(v, v.p) > m.number(threshold(v))),
        (lambda v, m: [v.tau_pos + v.tau_neg < 1]) if below else None,
    )


# A pure leaf whose examples flip at rates of their own, in the mean.
def mean_majority(margin: Any = 0, most: Fraction = HALF, true: bool = True) -> Induction:
    """Claim for rates at most ``most - gamma`` that the mean share of the true class is 1/2 + gamma + margin or more.

    All of it times the number of examples. Where not ``true``, every example is of either class.
    """

    def stays(e: Any) -> Any:
        return 1 - e.eta if true else e.y * (1 - e.eta) + (1 - e.y) * e.eta

    return Induction(
        "N",
        {"eta": "rate"} if true else {"eta": "rate", "y": "rate"},
        lambda entries, v, m: sum(stays(e) for e in entries) - len(entries) * (HALF + v.gamma + margin),
        lambda e, v, m: [m.number(1), stays(e)],
        lambda sums, v, m: sums[1] - sums[0] * (HALF + v.gamma + margin),
        ">=",
        shared={"gamma": "rate"},
        least=1,
        where=lambda e, v, m: [e.eta + v.gamma <= most],
        terms=lambda v, m: [([], ["spare"])],
        atoms=lambda v, m: {"spare": HALF - v.eta - v.gamma},
    )


MARGIN = Law(margin_rescales, K=2)
CROSSES, SEEN = Law(crosses_at, threshold=clean_threshold), Law(majority_seen_at, threshold=noisy_threshold)
MEAN_MAJORITY = Law(mean_majority)

THEOREMS = [
    Theorem(
        key="noise.margins_rescale_of_uniform",
        statement="uniform noise multiplies the difference of any two expected class shares by 1 - K eta / (K - 1), for"
        " two classes by 1 - 2 eta, so that for eta < (K - 1) / K strict majorities stay and gamma is the clean margin"
        " times that factor",
        source="wilton2024, Theorem 4 (the margin gamma); ghosh2017, Theorem 5 (a)",
        premises=(RISK_IS_AFFINE,),
        added="p != q, or a rule for ties",
        holds=Each("K", (2, 3, 4), lambda K: All(margin_rescales(K), majority_stays(K))),
        fails=(
            MARGIN.but("the margin is that of the clean distribution", factor=lambda v, m, K: 1),
            MARGIN.but("the factor is 1 - 2 eta for every K", K=3, factor=lambda v, m, K: 1 - 2 * v.eta),
            NearMiss("a majority stays for eta <= (K - 1)/K", majority_stays(2, strict=False), "hypothesis"),
            NearMiss("without a word about ties", majority_stays(2, ties=True), "hypothesis"),
            NearMiss(
                "a majority stays for class-conditional noise with both rates below 1/2",
                Smt(
                    TWO_RATES,
                    lambda v, m: (2 * v.p - 1) * (2 * share(v, v.p) - 1) > 0,
                    lambda v, m: [v.tau_pos < HALF, v.tau_neg < HALF, v.p != HALF],
                ),
                "hypothesis",
            ),
        ),
    ),
    Theorem(
        key="noise.majority_threshold_of_class_conditional",
        statement="for two classes, tau_pos + tau_neg < 1: p^eta - 1/2 = (1 - tau_pos - tau_neg)(p - t) with"
        " t = (1 - 2 tau_neg) / (2 (1 - tau_pos - tau_neg)), so for rates below 1/2 just the leaves with p between 1/2"
        " and t change their label, at rates 2/5 and 1/5 with t = 3/4; the true majority is positive exactly if the"
        " noisy share exceeds (1 - tau_pos + tau_neg)/2",
        source="ghosh2017, Remark 6; beyond, class-conditional noise",
        holds=All(
            CROSSES,
            SEEN,
            Exhaustive(
                lambda: [SimpleNamespace(tau_pos=Fraction(2, 5), tau_neg=Fraction(1, 5))],
                lambda rates: clean_threshold(rates) == Fraction(3, 4),
            ),
        ),
        fails=(
            CROSSES.but("t = 1/2 whenever the rates sum to less than 1: labels need no rates", threshold=one_half),
            CROSSES.but("t = (1 - tau_pos + tau_neg)/2, the noisy share of a clean tie", threshold=noisy_threshold),
            SEEN.but("the noisy majority is the true one, as under symmetric noise below 1/2", threshold=one_half),
            SEEN.but("for all rates", below=False, alters="hypothesis"),
        ),
    ),
    Theorem(
        key="noise.pure_majority_is_kept_in_mean_of_own_rates",
        statement="in a pure leaf whose examples flip at rates of their own, all at most 1/2 - gamma, the mean share of"
        " the true class after noise is at least 1/2 + gamma; so it is above 1/2 if all rates are below 1/2",
        source="ghosh2017, Theorem 5 (b) and eq. (5)",
        holds=MEAN_MAJORITY,
        fails=(
            MEAN_MAJORITY.but("in a leaf that is not pure", true=False, alters="hypothesis"),
            MEAN_MAJORITY.but("for rates at most 51/100 - gamma", most=Fraction(51, 100), alters="hypothesis"),
            MEAN_MAJORITY.but("the mean share is above 1/2 + gamma + 1/100", margin=Fraction(1, 100)),
        ),
    ),
]
