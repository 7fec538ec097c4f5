"""Entropy under heavy label noise: its order tends to Gini's, and how it gets there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity, entropy, sqrt_gini
from splitcrit.noise import symmetric
from splitcrit.proof import BALL, All, Cases, Exhaustive, Identity, NearMiss, Premise, Sign, Theorem, only
from splitcrit.proofs.common import binary_splits, count_vectors, gini_decrease, lefts, score, shaken, split, up_to

Split = tuple[tuple[int, ...], tuple[int, ...]]  # rows of (negatives, positives)
RATES = (Fraction(0), Fraction(1, 4), Fraction(2, 5), Fraction(49, 100))
LOW, HIGH = Fraction(3, 10), Fraction(2, 5)
SERIES = (Premise("the power series of log(1 + x) and sqrt(1 - x) inside their discs"),)


def half_margin(m: Any) -> Any:
    """``log 2 - 1/2``."""
    return m.log(m.number(2)) - Fraction(1, 2)


def seen_score(impurity: Impurity, table: Split, eta: Fraction, m: Any) -> Any:
    return decrease(impurity).score(shaken(table, eta), m)


def gap(table: Split, impurity: Impurity, share: Fraction, eta: Fraction, m: Any) -> Any:
    """``gain^eta/(1 - 2 eta)^2 - share * Gini gain``."""
    return seen_score(impurity, table, eta, m) / (1 - 2 * eta) ** 2 - share * score(gini_decrease, table)


def rated_splits(most: int, eta: Fraction) -> Iterator[tuple[Split, Fraction]]:
    """Yield the splits of different children, with a noise rate."""
    yield from ((s, eta) for s in binary_splits(most) if score(gini_decrease, s))


def bounds(impurity: Impurity, share: Fraction, margin: Callable[[Any], Any]) -> Exhaustive:
    """Claim ``0 < gap < margin (1 - 2 eta)^2``, where both children are pure without noise the lower bound only."""

    def holds(case: tuple[Split, Fraction]) -> bool:
        s, eta = case
        distance = gap(s, impurity, share, eta, BALL)
        pure = eta == 0 and all(0 in row for row in s)
        return bool(distance > 0) and (pure or bool(distance < margin(BALL) * (1 - 2 * eta) ** 2))

    return up_to(5, rated_splits, holds, eta=RATES)


def series_rest(m: Any, terms: int = 6) -> list[Any]:
    """What is left of ``log 2 - H - sum_{j <= terms} m^2j/(2j(2j - 1))``, and its distance to a tail bound."""
    rests = []
    for p in (Fraction(1, 20), Fraction(1, 5), Fraction(1, 3), Fraction(2, 5)):
        x = (2 * p - 1) ** 2
        partial = sum(x**j / (2 * j * (2 * j - 1)) for j in range(1, terms + 1))
        rest = m.log(m.number(2)) - entropy.of([1 - p, p], m) - partial
        rests += [rest, x ** (terms + 1) / ((2 * terms + 2) * (2 * terms + 1) * (1 - x)) - rest]
    return rests


def bends_more(v: Any, m: Any) -> Any:
    """``1/(T p (1 - T p)) - 4``, by how much more the noisy entropy bends than Gini's impurity."""
    q = symmetric(v.eta).on_distribution([1 - v.p, v.p])
    return 1 / (q[0] * q[1]) - 4


def bending_formula(v: Any, m: Any) -> Any:
    x = ((1 - 2 * v.eta) * (2 * v.p - 1)) ** 2
    return 4 * x / (1 - x)


def preference(first: Split, second: Split, eta: Fraction, m: Any) -> Any:
    """How much more the first split scores by entropy at noise rate eta."""
    return seen_score(entropy, first, eta, m) - seen_score(entropy, second, eta, m)


def gini_pairs(size: int, eta: Fraction) -> Iterator[tuple[Split, Split, Fraction]]:
    """Yield the pairs of splits of one node, the one that Gini prefers first, with a noise rate."""
    for node in count_vectors(size, 2, size):
        for one, two in combinations([t for t in (split(node, left) for left in lefts(node)) if t[0] <= t[1]], 2):
            lead = score(gini_decrease, one) - score(gini_decrease, two)
            if lead:
                yield (one, two, eta) if lead > 0 else (two, one, eta)


def agrees(*rates: Fraction, share: Fraction = Fraction(1)) -> Exhaustive:
    """Claim that entropy prefers what Gini prefers, where Gini's gap exceeds a share of the margin."""

    def holds(case: tuple[Split, Split, Fraction]) -> bool:
        best, other, eta = case
        lead = score(gini_decrease, best) - score(gini_decrease, other)
        above = share * half_margin(BALL) * (1 - 2 * eta) ** 2 < lead
        return not above or bool(preference(best, other, eta, BALL) > 0)

    return Exhaustive(Cases(gini_pairs, N=7, eta=only(*rates)), holds)


def preferences(pair: tuple[Split, Split], *signed: tuple[int, Fraction]) -> Sign:
    """Claim which split entropy prefers at some noise rates: the first (1) or the second (-1)."""
    return Sign(lambda m: [sign * preference(*pair, eta, m) for sign, eta in signed])


CURVATURE = Identity(
    {"p": "rate", "eta": "rate"}, bends_more, bending_formula, lambda v, m: [v.p > 0, v.p < 1, v.eta > 0, v.eta < 1]
)
# a node of 20 examples, 7 of them positive; rows of (negatives, positives)
TWICE: tuple[Split, Split] = (((0, 2), (13, 5)), ((8, 1), (5, 6)))
# splits of seven examples, two of them positive, that entropy exchanges before eta = 3/10
ONCE: tuple[Split, Split] = (((1, 0), (4, 2)), ((1, 1), (4, 1)))

THEOREMS = [
    Theorem(
        key="order.entropy_gain_tends_to_gini_gain_of_heavy_noise",
        statement="G <= gain_entropy(eta)/(1 - 2 eta)^2 <= G + (log 2 - 1/2)(1 - 2 eta)^2 in nats, with G the clean"
        " Gini gain; and the same for sqrt(p q) with G/2 and 1/4: for eta -> 1/2 their order tends to Gini's",
        source="beyond, entropy under heavy noise",
        holds=All(
            entropy=bounds(entropy, Fraction(1), half_margin),
            root=bounds(sqrt_gini, Fraction(1, 2), lambda m: m.number(Fraction(1, 4))),
            series=Sign(series_rest),
            curvature=CURVATURE,
        ),
        fails=(
            NearMiss(
                "the noisy entropy gain over (1 - 2 eta)^2 is at most the Gini gain",
                Sign(lambda m: [-gap(ONCE[0], entropy, Fraction(1), Fraction(1, 4), m)]),
            ),
            NearMiss(
                "a margin of (log 2 - 1/2)(1 - 2 eta)^4 is enough",
                Sign(lambda m: [half_margin(m) / 16 - gap(((1, 0), (0, 4)), entropy, Fraction(1), Fraction(1, 4), m)]),
            ),
            NearMiss(
                "the limit is 2 log 2 times the Gini gain, the ratio of the impurities at p = 1/2",
                Sign(lambda m: [gap(ONCE[0], entropy, Fraction(1386, 1000), Fraction(49, 100), m)]),
            ),
        ),
        premises=SERIES,
    ),
    Theorem(
        key="order.entropy_agrees_with_gini_beyond_a_gap",
        statement="if two splits of a node differ in Gini gain by more than (log 2 - 1/2)(1 - 2 eta)^2, entropy at"
        " symmetric noise of rate eta prefers the one that Gini prefers",
        source="beyond, entropy under heavy noise",
        holds=agrees(LOW, HIGH),
        fails=(
            NearMiss("a 25th of that gap is enough", agrees(Fraction(1, 1000), share=Fraction(1, 25))),
            NearMiss(
                "at eta = 3/10 entropy prefers what it prefers without noise",
                preferences(ONCE, (1, LOW), (1, Fraction(0))),
            ),
        ),
        premises=SERIES,
    ),
    Theorem(
        key="order.entropy_flips_twice_of_symmetric",
        statement="of twenty examples, seven positive, entropy prefers [0 2 | 13 5] (negatives, positives) to"
        " [8 1 | 5 6] at eta = 0, the second at eta = 1/10 and the first again at eta = 2/5; Gini always the first",
        source="beyond, entropy under heavy noise",
        holds=All(
            preferences(TWICE, (1, Fraction(0)), (-1, Fraction(1, 10)), (1, HIGH)),
            Exhaustive(lambda: [TWICE], lambda pair: score(gini_decrease, pair[0]) > score(gini_decrease, pair[1])),
        ),
        fails=(
            NearMiss(
                "an order that noise has reversed stays reversed", preferences(TWICE, (-1, Fraction(1, 10)), (-1, HIGH))
            ),
            NearMiss(
                "where entropy and Gini agree without noise, they agree at every rate",
                preferences(TWICE, (1, Fraction(0)), (1, Fraction(1, 10))),
                "hypothesis",
            ),
        ),
        premises=(Premise("order.crossing_gains_are_kept_of_two_class_noise", "theorem"),),
    ),
]
