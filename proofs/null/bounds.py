"""Scores built on mean and variance alone: the gamma p-value and Cantelli's bound (AGini).

Source: wang2024, eqs. (28), (29).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from splitcrit.criteria import replace
from splitcrit.nulls import agini
from splitcrit.proof import ALL, All, Erratum, Exhaustive, Identity, Law, NearMiss, Premise, Sign, Theorem, only
from splitcrit.proof.balls import BALL, Ball
from splitcrit.proofs.common import exactly, kinds, up_to
from splitcrit.proofs.null.laws import Counts, Margins, arrangements, gain, lively, mean_of, null
from splitcrit.proofs.null.multinomial import at_shares, library, printed


def margins_of(t: Counts) -> Margins:
    return tuple(map(sum, t)), tuple(map(sum, zip(*t, strict=True)))


def gamma_pvalue(t: Counts) -> Ball:
    """``Q(E^2/V, G E/V)``, the regularised upper incomplete gamma function, enclosed."""
    mean, variance = printed(at_shares(margins_of(t)))
    return BALL.gamma_tail(mean**2 / variance, gain(t) * mean / variance)


def printed_density(t: Counts) -> Ball:
    """Eq. (28) as it stands: a gamma density at ``G V/E`` with shape ``E^2/V``."""
    mean, variance = printed(at_shares(margins_of(t)))
    shape, x = Ball(mean**2 / variance), Ball(gain(t) * variance / mean)
    return BALL.exp((shape - 1) * BALL.log(x) - x) / BALL.gamma(shape)


def falls(of: Callable[[Counts], Ball]) -> Sign:
    """The claim that a p-value falls as the gain grows, of three tables."""
    return Sign(lambda m: [x - y for x, y in pairwise([of(t) for t in THREE_TABLES])])


def has_moment(power: int, scale: Callable[[Any], Any] = lambda v: v.v / v.e) -> Identity:
    """The claim that shape times a power of the scale is E, or V."""
    return Identity(
        kinds("positive", "e", "v"),
        lambda v, m: v.e**2 / v.v * scale(v) ** power,
        lambda v, m: v.e if power == 1 else v.v,
    )


THREE_TABLES: tuple[Counts, ...] = (  # rows 20, 15, 15; classes 25, 25; the gain grows
    ((13, 7), (6, 9), (6, 9)),
    ((14, 6), (7, 8), (4, 11)),
    ((16, 4), (5, 10), (4, 11)),
)
FALLS = Law(falls, of=gamma_pvalue)
FALLING = FALLS.but("the printed density falls as the gain grows", of=printed_density)
AT_MOST_ONE = NearMiss("the printed density is at most 1", Sign(lambda m: [1 - printed_density(((4, 6), (5, 5)))]))
GAMMA = Theorem(
    key="null.gamma_tail_of_mean_and_variance",
    statement="the gamma law with mean E and variance V has shape E^2/V and scale V/E; its p-value Q(E^2/V, G E/V)"
    " falls as the gain grows, at three tables",
    source="wang2024, eq. (28)",
    holds=All(mean=has_moment(1), variance=has_moment(2), falling=FALLS),
    premises=(Premise("a gamma law with shape s and scale c has mean s c and variance s c^2"),),
    fails=(FALLING, AT_MOST_ONE, Law(has_moment, power=1).but("the scale is E/V", scale=lambda v: v.e / v.v)),
    added="the upper tail in the place of the density, and E/V in the place of V/E",
)

ALPHAS = only(Fraction(1, 10), Fraction(1, 4), Fraction(1, 2))
Level = tuple[Any, Fraction]


def exceeds(x: Fraction, moments: tuple[Any, Any], alpha: Fraction) -> bool:
    """Whether a gain reaches ``mean + sqrt((1 - alpha)/alpha variance)``, exactly."""
    return bool(x >= moments[0] and alpha * (x - moments[0]) ** 2 >= (1 - alpha) * moments[1])


def levels(most: int, alpha: Fraction) -> Iterator[Level]:
    return ((c, alpha) for c in lively(most))


def fourfold(most: int, alpha: Fraction) -> Iterator[Level]:
    return ((c, a) for c, a in levels(most, alpha) if set(map(len, c)) == {2})


def over_permutations(case: Margins) -> tuple[Any, Any]:
    return null(case).mean, null(case).variance


def tail_is_bounded(most: int, cases: Any = levels, moments: Any = over_permutations) -> Exhaustive:
    """The claim that a random gain reaches the bound with probability alpha at most."""
    return up_to(
        most, cases, lambda c: mean_of(c[0], lambda t: int(exceeds(gain(t), moments(c[0]), c[1]))) <= c[1], alpha=ALPHAS
    )


def is_quantile(c: Level) -> bool:
    """Whether no gain below the bound is reached with probability alpha at most."""
    law = [(gain(t), w) for t, w in arrangements(*c[0])]
    below = {x for x, _ in law if not exceeds(x, over_permutations(c[0]), c[1])}
    return all(sum(w for y, w in law if y >= x) > c[1] for x in below)


BOUNDED = Law(tail_is_bounded, most=6)
QUANTILE = NearMiss(
    "it is the 1 - alpha quantile: as close to probability alpha as the law allows",
    up_to(5, levels, is_quantile, alpha=ALPHAS),
)
CANTELLI = Theorem(
    key="null.agini_bound_exceeded_at_most_alpha",
    statement="with the permutation moments E and V > 0 a random gain reaches E + sqrt((1 - alpha)/alpha V) with"
    " probability alpha at most, for any alpha in (0, 1)",
    source="wang2024, eq. (29)",
    holds=All(
        bound=Identity(
            {"v": "positive", "alpha": "rate"},
            lambda v, m: v.v / (v.v + (1 - v.alpha) / v.alpha * v.v),
            lambda v, m: v.alpha,
            lambda v, m: v.alpha > 0,
        ),
        tables=BOUNDED,
    ),
    premises=(Premise("Cantelli: P(X - E >= t) <= V/(V + t^2) for t > 0", widens={"N": ALL, "alpha": ALL}),),
    fails=(
        QUANTILE,
        BOUNDED.but(
            "with the multinomial moments at p = b/N it bounds random permutations too",
            alters="hypothesis",
            most=8,
            cases=fourfold,
            moments=library,
        ),
    ),
    added="V > 0, and the moments of the law whose tail is bounded",
)


def tables(most: int, alpha: Fraction) -> Iterator[tuple[Counts, Fraction]]:
    """Yield the tables whose gain is not at the bound itself."""
    for case in lively(most):
        mean, variance = over_permutations(case)
        for t, _ in arrangements(*case):
            if gain(t) < mean or alpha * (gain(t) - mean) ** 2 != (1 - alpha) * variance:
                yield t, alpha


def sign_is(most: int, model: str = "permutation", odds: int = 1) -> Exhaustive:
    """The claim that the library's AGini, with alpha divided, is positive just where the gain is above the bound."""

    def holds(c: tuple[Counts, Fraction]) -> bool:
        t, alpha = c
        score = replace(agini, alpha=alpha / odds, model=model).score(exactly(t), BALL)
        return bool((score > 0) == exceeds(gain(t), over_permutations(margins_of(t)), alpha))

    return up_to(most, tables, holds, alpha=ALPHAS)


SIGN_IS = Law(sign_is, most=5)
AGINI = Theorem(
    key="null.agini_positive_just_above_bound_of_permutation",
    statement="with the permutation moments AGini is positive for a gain above E + sqrt((1 - alpha)/alpha V) and"
    " negative for one below",
    source="wang2024, eq. (29)",
    holds=SIGN_IS,
    fails=(
        SIGN_IS.but("with the multinomial moments too", alters="hypothesis", model="multinomial", most=6),
        SIGN_IS.but("with alpha/2 in the place of alpha", odds=2),
    ),
)

THEOREMS = [GAMMA, CANTELLI, AGINI]
ERRATA = [
    Erratum("S-E7", All(FALLING.claim, AT_MOST_ONE.claim), GAMMA.key),
    Erratum("S-E8", QUANTILE.claim, CANTELLI.key),
]
