"""Statements of ghosh2017, Theorem 5: the majority label of a leaf under noise.

Main results: both parts of the theorem, with the margin that part (b) needs; the threshold under class-conditional
noise.
Source: ghosh2017, Section 3.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise
from types import SimpleNamespace
from typing import Any

from splitcrit.noise import class_conditional, symmetric
from splitcrit.proof import All, Certificate, Erratum, Exhaustive, Identity, NearMiss, Smt, Theorem
from splitcrit.proofs.ghosh2017.setting import HALF, below

SHARE = {"p": "rate", "eta": "rate"}


# Theorem 5 (a).


def after(v: Any) -> Any:
    """Return the (negative, positive) shares after symmetric noise."""
    return symmetric(v.eta).on_distribution([1 - v.p, v.p])


def lead(v: Any, m: Any) -> Any:
    q, p = after(v)
    return p - q


def same_majority(share: Any, noisy: Any) -> Any:
    """State that a strict majority of positives stays one, by terms that z3 and Fractions share."""
    return (2 * share - 1) * (2 * noisy - 1) > 0


def majority_kept(v: Any, m: Any) -> Any:
    return same_majority(v.p, after(v)[1])


def with_rates(v: Any) -> Any:
    return class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg).on_distribution([1 - v.p, v.p])[1]


def fixed(v: Any) -> Any:
    """Return the point with the rates 2/5 and 1/5."""
    return SimpleNamespace(p=v.p, tau_pos=Fraction(2, 5), tau_neg=Fraction(1, 5))


TWO_RATES = {"p": "rate", "tau_pos": "rate", "tau_neg": "rate"}


def threshold(v: Any, m: Any) -> Any:
    """Return the clean share at which class-conditional noise leaves no majority."""
    return (1 - 2 * v.tau_neg) / (2 * (1 - v.tau_pos - v.tau_neg))


def excess_by_threshold(v: Any, m: Any) -> Any:
    return (1 - v.tau_pos - v.tau_neg) * (v.p - threshold(v, m))


# Theorem 5 (b): flips with rates of their own.


@cache
def wrong(rates: tuple[Fraction, ...], ties: bool = True) -> Fraction:
    """Return the chance that at least half (``ties``), or more than half, of the examples flip at their own rates."""
    weights, whole = [1], 1
    for eta in rates:
        stay, flip = eta.denominator - eta.numerator, eta.numerator
        weights = [x * stay + y * flip for x, y in zip([*weights, 0], [0, *weights], strict=True)]
        whole *= eta.denominator
    n = len(rates)
    return Fraction(sum(w for k, w in enumerate(weights) if 2 * k > n or (ties and 2 * k == n)), whole)


def fading(n: int) -> tuple[Fraction, ...]:
    """Return the rates ``1/2 - 1/(4 i^2)``: all below 1/2, with margins that fade."""
    return tuple(HALF - Fraction(1, 4 * i * i) for i in range(1, n + 1))


FADING = (11, 51, 101, 201)
OWN_RATES = tuple(Fraction(*x) for x in ((0, 1), (1, 5), (2, 5), (49, 100), (3, 5)))


def leaves_with_own_rates() -> Iterator[tuple[Fraction, ...]]:
    """Yield the rates of all pure leaves of up to 8 examples whose mean rate is below 1/2."""
    for n in range(1, 9):
        yield from (r for r in combinations_with_replacement(OWN_RATES, n) if 2 * sum(r) < n)


def margin_bound(rates: tuple[Fraction, ...], times: int = 2) -> bool:
    """Tell whether the chance of a wrong majority is at most ``exp(-times n gamma^2)``, gamma the mean margin."""
    n = len(rates)
    gamma = HALF - sum(rates) / n
    return below(wrong(rates), 1, times * n * gamma**2)


RATES4 = dict.fromkeys(["h0", "h1", "h2", "h3"], "rate")


def mean_stays(v: Any) -> Any:
    """Return equation (5)'s share for four positives with rates of their own."""
    return (4 - v.h0 - v.h1 - v.h2 - v.h3) / 4


def rates_low(v: Any, m: Any) -> list[Any]:
    return [x < HALF for x in (v.h0, v.h1, v.h2, v.h3)]


THEOREMS = [
    Theorem(
        key="leaf.majority_is_kept_of_symmetric",
        statement="p^eta - q^eta = (1 - 2 eta)(p - q); so for eta < 1/2 a strict majority stays one",
        source="ghosh2017, Theorem 5 (a)",
        scope="two classes, all p and eta in [0, 1]; the limit of large leaves",
        added="p != q, or a rule for ties",
        holds=All(
            Identity(SHARE, lead, lambda v, m: (1 - 2 * v.eta) * (2 * v.p - 1)),
            Smt(SHARE, majority_kept, lambda v, m: [v.eta < HALF, v.p != HALF]),
        ),
        fails=(
            NearMiss(
                "for eta <= 1/2",
                Smt(SHARE, majority_kept, lambda v, m: [v.eta <= HALF, v.p != HALF]),
                alters="hypothesis",
            ),
            NearMiss(
                "for class-conditional noise with both rates below 1/2",
                Smt(
                    TWO_RATES,
                    lambda v, m: same_majority(v.p, with_rates(v)),
                    lambda v, m: [v.tau_pos < HALF, v.tau_neg < HALF, v.p != HALF],
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "without a word about ties",
                Smt(SHARE, majority_kept, lambda v, m: [v.eta < HALF]),
                alters="hypothesis",
            ),
        ),
        latex=r"p^\eta - q^\eta = (1-2\eta)(p-q)",
    ),
    Theorem(
        key="leaf.majority_threshold_moves_of_class_conditional",
        statement="under class-conditional noise p^eta - 1/2 = (1 - tau_pos - tau_neg)(p - t) with"
        " t = (1 - 2 tau_neg) / (2 (1 - tau_pos - tau_neg)): for rates below 1/2 just the leaves with p between 1/2"
        " and t change their label, and at rates 2/5 and 1/5 t = 3/4",
        source="ghosh2017, Remark 6",
        scope="two classes, all rates with tau_pos + tau_neg < 1",
        holds=All(
            Identity(
                TWO_RATES,
                lambda v, m: with_rates(v) - HALF,
                excess_by_threshold,
                lambda v, m: v.tau_pos + v.tau_neg < 1,
            ),
            Smt(
                {"p": "rate"},
                lambda v, m: (with_rates(fixed(v)) < HALF) == (v.p < Fraction(3, 4)),
            ),
        ),
        fails=(
            NearMiss(
                "t = 1/2 whenever both rates are below 1/2: labels need no rates either",
                Smt(
                    TWO_RATES,
                    lambda v, m: same_majority(v.p, with_rates(v)),
                    lambda v, m: [v.tau_pos < HALF, v.tau_neg < HALF, v.p > HALF],
                ),
            ),
            NearMiss(
                "t = (1 - tau_pos + tau_neg)/2, the noisy share of a clean tie",
                Identity(
                    TWO_RATES,
                    lambda v, m: with_rates(v) - HALF,
                    lambda v, m: (1 - v.tau_pos - v.tau_neg) * (v.p - (1 - v.tau_pos + v.tau_neg) / 2),
                ),
            ),
        ),
    ),
    Theorem(
        key="leaf.pure_majority_is_kept_in_mean_of_nonuniform",
        statement="in a pure leaf with rates below 1/2 the mean share of the true class after noise is above 1/2",
        source="ghosh2017, Theorem 5 (b) and eq. (5)",
        scope="four examples, all rates in [0, 1/2)",
        holds=All(
            Smt(RATES4, lambda v, m: mean_stays(v) > HALF, rates_low),
            Certificate(
                RATES4,
                lambda v, m: mean_stays(v) - HALF,
                lambda v, m: [([HALF], [name]) for name in RATES4],
                lambda v, m: {name: HALF - getattr(v, name) for name in RATES4},
                lambda v, m: [x <= HALF for x in vars(v).values()],
            ),
        ),
        fails=(
            NearMiss(
                "in a leaf with three of four examples in the majority",
                Smt(RATES4, lambda v, m: (3 - v.h0 - v.h1 - v.h2 + v.h3) / 4 > HALF, rates_low),
                alters="hypothesis",
            ),
            NearMiss(
                "in a pure leaf whose rates are below 1/2 but for one",
                Smt(RATES4, lambda v, m: mean_stays(v) > HALF, lambda v, m: rates_low(v, m)[:3]),
                alters="hypothesis",
            ),
            NearMiss(
                "the mean share is above 1/2 + 1/100",
                Smt(RATES4, lambda v, m: mean_stays(v) > HALF + Fraction(1, 100), rates_low),
            ),
        ),
        latex=r"p^\eta = \frac1n\sum_{i=1}^n (1-\eta_{x_i}) > \frac12",
    ),
    Theorem(
        key="leaf.pure_majority_fails_without_margin",
        statement="with rates 1/2 - 1/(4 i^2), all below 1/2, the noisy majority of a pure leaf is wrong with a chance"
        " that grows with the leaf: above 9/20 at n = 51, above 47/100 at n = 201",
        source="ghosh2017, Theorem 5 (b)",
        scope="n = 11, 51, 101, 201, exact law",
        holds=All(
            Exhaustive(
                lambda: pairwise(FADING),
                lambda pair: wrong(fading(pair[0])) < wrong(fading(pair[1])) < HALF,
            ),
            Exhaustive(lambda: (51,), lambda n: wrong(fading(n)) > Fraction(9, 20)),
            Exhaustive(lambda: (201,), lambda n: wrong(fading(n)) > Fraction(47, 100)),
        ),
        fails=(
            NearMiss(
                "the same for rates bounded away from 1/2",
                Exhaustive(
                    lambda: pairwise(FADING),
                    lambda pair: wrong((Fraction(2, 5),) * pair[0]) < wrong((Fraction(2, 5),) * pair[1]),
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "the chance of a wrong label falls as the leaf grows, all rates being below 1/2",
                Exhaustive(
                    lambda: pairwise(FADING),
                    lambda pair: wrong(fading(pair[0])) > wrong(fading(pair[1])),
                ),
            ),
        ),
    ),
    Theorem(
        key="leaf.pure_majority_fails_rarely_of_mean_margin",
        statement="in a pure leaf whose rates are on average gamma > 0 below 1/2 the noisy majority is wrong, ties"
        " counted as wrong, with a chance of at most exp(-2 n gamma^2)",
        source="ghosh2017, Theorem 5 (b)",
        scope="n <= 8, every multiset of the rates 0, 1/5, 2/5, 49/100, 3/5 with mean below 1/2, exact law; all n by"
        " Hoeffding",
        premises=("Hoeffding's inequality for independent variables in [0, 1]",),
        added="the mean of 1/2 - eta_i stays above a positive gamma",
        holds=Exhaustive(leaves_with_own_rates, margin_bound),
        fails=(
            NearMiss(
                "at most exp(-4 n gamma^2)",
                Exhaustive(leaves_with_own_rates, lambda r: margin_bound(r, 4)),
            ),
            NearMiss(
                "gamma may be the largest margin in place of the mean one",
                Exhaustive(leaves_with_own_rates, lambda r: below(wrong(r), 1, 2 * len(r) * (HALF - min(r)) ** 2)),
                alters="hypothesis",
            ),
        ),
        latex=r"\Pr[\text{majority wrong}] \le e^{-2n\gamma^2},\quad \gamma = \frac1n\sum_i(\tfrac12-\eta_i)",
    ),
]


ERRATA = [
    Erratum(
        "G-E6",
        printed=Exhaustive(
            lambda: pairwise(FADING),
            lambda pair: wrong(fading(pair[0])) > wrong(fading(pair[1])),
        ),
        corrected="leaf.pure_majority_fails_rarely_of_mean_margin",
    ),
]
