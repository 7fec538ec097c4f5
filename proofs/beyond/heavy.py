"""Entropy under heavy label noise: its order tends to Gini's, and how it gets there.

Main results: two-sided bounds on the noisy gain for every noise rate; a gap of Gini gains beyond which entropy must
agree; two splits that entropy exchanges twice as the noise grows.
Source: beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity, entropy, sqrt_gini
from splitcrit.noise import symmetric
from splitcrit.proof import All, Exhaustive, Identity, NearMiss, Sign, Theorem
from splitcrit.proofs.beyond.laws import Split, nodes, splits, splits_of
from splitcrit.proofs.common import exactly, gini_decrease, kinds, noisy, score

RATES = (Fraction(0), Fraction(1, 4), Fraction(2, 5), Fraction(49, 100))
SERIES = ("power series of log(1 + x) and sqrt(1 - x) inside their discs",)


def log_two(m: Any) -> Any:
    return m.log(m.number(2))


def gap(split: Split, impurity: Impurity, share: Fraction, eta: Fraction, m: Any) -> Any:
    """Return ``gain^eta/(1 - 2 eta)^2 - share * Gini gain``."""
    seen = decrease(impurity).score(noisy(exactly(split), symmetric(eta)), m)
    return seen / (1 - 2 * eta) ** 2 - share * score(gini_decrease, split)


def bounds(impurity: Impurity, share: Fraction, margin: Callable[[Any], Any]) -> Sign:
    """Claim ``0 < gap < margin (1 - 2 eta)^2`` for every split of different children of at most five examples."""

    def values(m: Any) -> list[Any]:
        found = []
        for s in splits(5):
            for eta in RATES if score(gini_decrease, s) else ():
                distance = gap(s, impurity, share, eta, m)
                found += [distance, margin(m) * (1 - 2 * eta) ** 2 - distance] if eta or not pure(s) else [distance]
        return [m.min(found)]

    return Sign(values)


def pure(split: Split) -> bool:
    """Tell whether both children are pure, where the upper bound is an equality without noise at p = 1/2."""
    return all(0 in row for row in split)


def series_rest(m: Any, terms: int = 6) -> list[Any]:
    """Return what is left of ``log 2 - H - sum_{j <= terms} m^2j/(2j(2j - 1))``, and its distance to a tail bound."""
    found = []
    for p in (Fraction(1, 20), Fraction(1, 5), Fraction(1, 3), Fraction(2, 5)):
        x = (2 * p - 1) ** 2
        partial = sum(x**j / (2 * j * (2 * j - 1)) for j in range(1, terms + 1))
        rest = log_two(m) - entropy.of([1 - p, p], m) - partial
        tail = x ** (terms + 1) / ((2 * terms + 2) * (2 * terms + 1) * (1 - x))
        found += [rest, tail - rest]
    return found


def half_margin(m: Any) -> Any:
    return log_two(m) - Fraction(1, 2)


def curvature(v: Any, m: Any) -> Any:
    """Return ``1/(T p (1 - T p)) - 4``, by how much more the noisy entropy bends than Gini's impurity."""
    q = symmetric(v.eta).on_distribution([1 - v.p, v.p])
    return 1 / (q[0] * q[1]) - 4


def curvature_formula(v: Any, m: Any) -> Any:
    x = ((1 - 2 * v.eta) * (2 * v.p - 1)) ** 2
    return 4 * x / (1 - x)


def inside(v: Any, m: Any) -> list[Any]:
    return [v.p > 0, v.p < 1, v.eta > 0, v.eta < 1]


def agreeing(eta: Fraction, most: int, share: Fraction = Fraction(1)) -> Callable[[Any], list[Any]]:
    """Return how much more entropy scores the split that Gini prefers, where Gini's gap exceeds the margin."""

    def values(m: Any) -> list[Any]:
        found = []
        margin = share * half_margin(m) * (1 - 2 * eta) ** 2
        for best, other in gini_pairs(most):
            if margin < score(gini_decrease, best) - score(gini_decrease, other):
                found.append(preference(best, other, eta, m))
        return [m.min(found)]

    return values


def gini_pairs(most: int) -> Iterator[tuple[Split, Split]]:
    """Yield the pairs of splits of one node, the one that Gini prefers first."""
    for node in nodes(most, most):
        for one, two in combinations(splits_of(*node), 2):
            x, y = score(gini_decrease, one), score(gini_decrease, two)
            if x != y:
                yield (one, two) if x > y else (two, one)


def preference(first: Split, second: Split, eta: Fraction, m: Any) -> Any:
    one, two = (decrease(entropy).score(noisy(exactly(s), symmetric(eta)), m) for s in (first, second))
    return one - two


# a node of 20 examples, 7 of them positive; rows of (negatives, positives)
TWICE: tuple[Split, Split] = (((0, 2), (13, 5)), ((8, 1), (5, 6)))
# splits of seven examples, two of them positive, that entropy exchanges before eta = 3/10
ONCE: tuple[Split, Split] = (((1, 0), (4, 2)), ((1, 1), (4, 1)))

THEOREMS = [
    Theorem(
        key="noise.entropy_gain_tends_to_gini_gain_of_symmetric",
        statement="G <= gain_entropy(eta)/(1 - 2 eta)^2 <= G + (log 2 - 1/2)(1 - 2 eta)^2 in nats, with G the clean"
        " Gini gain; and the same for sqrt(p q) with G/2 and 1/4: for eta -> 1/2 their order tends to Gini's",
        source="beyond, entropy under heavy noise",
        scope="all splits of n <= 5 at eta = 0, 1/4, 2/5, 49/100 by enclosures; the curvature at all p and eta",
        holds=All(
            bounds(entropy, Fraction(1), half_margin),
            bounds(sqrt_gini, Fraction(1, 2), lambda m: m.number(Fraction(1, 4))),
            Sign(series_rest),
            Identity(
                kinds("rate", "p", "eta"),
                curvature,
                curvature_formula,
                lambda v, m: [v.p > 0, v.p < 1, v.eta > 0, v.eta < 1],
            ),
        ),
        fails=(
            NearMiss(
                "the noisy entropy gain over (1 - 2 eta)^2 is at most the Gini gain",
                Sign(lambda m: [-gap(ONCE[0], entropy, Fraction(1), Fraction(1, 4), m)]),
            ),
            NearMiss(
                "a margin of (log 2 - 1/2)(1 - 2 eta)^4 is enough",
                Sign(
                    lambda m: [
                        half_margin(m) * Fraction(1, 2) ** 4
                        - gap(((1, 0), (0, 4)), entropy, Fraction(1), Fraction(1, 4), m)
                    ]
                ),
            ),
            NearMiss(
                "the limit is 2 log 2 times the Gini gain, the ratio of the impurities at p = 1/2",
                Sign(lambda m: [gap(ONCE[0], entropy, Fraction(1386, 1000), Fraction(49, 100), m)]),
            ),
        ),
        premises=SERIES,
        latex=r"0 \le \frac{\mathrm{gain}_H^\eta}{(1-2\eta)^2} - \mathrm{gain}_{\mathrm{Gini}}"
        r" \le (\log 2 - \tfrac12)(1-2\eta)^2",
    ),
    Theorem(
        key="noise.entropy_agrees_with_gini_beyond_gap_of_symmetric",
        statement="if two splits of a node differ in Gini gain by more than (log 2 - 1/2)(1 - 2 eta)^2, entropy at"
        " noise rate eta prefers the one that Gini prefers",
        source="beyond, entropy under heavy noise",
        scope="all pairs of splits of nodes of 7 examples at eta = 3/10 and 2/5",
        holds=All(Sign(agreeing(Fraction(3, 10), 7)), Sign(agreeing(Fraction(2, 5), 7))),
        fails=(
            NearMiss("a 25th of that gap is enough", Sign(agreeing(Fraction(1, 1000), 7, Fraction(1, 25)))),
            NearMiss(
                "at eta = 3/10 entropy prefers what it prefers without noise",
                Sign(lambda m: [preference(*ONCE, Fraction(3, 10), m), preference(*ONCE, Fraction(0), m)]),
            ),
        ),
        premises=SERIES,
    ),
    Theorem(
        key="noise.entropy_order_flips_twice_of_symmetric",
        statement="of twenty examples, seven positive, entropy prefers [0 2 | 13 5] (negatives, positives) to"
        " [8 1 | 5 6] at eta = 0, the second at eta = 1/10 and the first again at eta = 2/5; Gini always the first",
        source="beyond, entropy under heavy noise",
        scope="the two splits, by enclosures; Gini at every rate",
        holds=All(
            Sign(
                lambda m: [
                    sign * preference(*TWICE, eta, m)
                    for sign, eta in ((1, Fraction(0)), (-1, Fraction(1, 10)), (1, Fraction(2, 5)))
                ]
            ),
            Exhaustive(
                lambda: [TWICE], lambda pair: bool(score(gini_decrease, pair[0]) > score(gini_decrease, pair[1]))
            ),
        ),
        fails=(
            NearMiss(
                "an order that noise has reversed stays reversed",
                Sign(lambda m: [-preference(*TWICE, Fraction(1, 10), m), -preference(*TWICE, Fraction(2, 5), m)]),
            ),
            NearMiss(
                "where entropy and Gini agree without noise, they agree at every rate",
                Sign(lambda m: [preference(*TWICE, eta, m) for eta in (Fraction(0), Fraction(1, 10))]),
                alters="hypothesis",
            ),
        ),
    ),
]
