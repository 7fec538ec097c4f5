"""Scores of a noisy sample whose expected order is not the clean one, and the signed score that always scales.

Source: beyond; yang2019, Theorem 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from splitcrit.criteria import pairwise_gain
from splitcrit.noise import class_conditional
from splitcrit.proof import All, Exhaustive, Identity, Law, NearMiss, Theorem
from splitcrit.proof.balls import fraction, ratio
from splitcrit.proofs.common import gini_decrease, score, up_to
from splitcrit.proofs.noise.expected_gain import RATE_3
from splitcrit.proofs.noise.expected_gain_two_rates import QUARTER, TWO_RATES
from splitcrit.proofs.noise.inequalities import LINEAR
from splitcrit.proofs.null.noisy import (
    Split,
    expected_score,
    flips_by_number,
    keeps,
    nodes,
    noisy_tables,
    reorders,
    splits,
    splits_of,
)
from splitcrit.proofs.two_class import clean, determinant

RATE_45 = Fraction(9, 20)
PAIR_5: tuple[Split, Split] = (((1, 0), (2, 2)), ((1, 1), (2, 1)))
EQUAL_CHILDREN_9: tuple[Split, Split] = (((1, 6), (1, 1)), ((2, 5), (0, 2)))


def adds_up(case: tuple[int, ...]) -> bool:
    """Whether flips act on ``a d - b c`` one by one: the change is the sum of the changes of single flips."""
    n = len(case) // 2
    labels, side = case[:n], case[n:]

    def value(y: tuple[int, ...]) -> int:
        t = [[sum(s == r and x == k for x, s in zip(y, side, strict=True)) for k in (0, 1)] for r in (0, 1)]
        return int(determinant(t))

    def flipped(which: tuple[int, ...]) -> int:
        return value(tuple(x ^ f for x, f in zip(labels, which, strict=True)))

    single = [flipped(tuple(int(i == j) for j in range(n))) - value(labels) for i in range(n)]
    return all(
        flipped(which) == value(labels) + sum(d for d, f in zip(single, which, strict=True) if f)
        for which in product((0, 1), repeat=n)
    )


def labelled_splits(most: int) -> Iterator[tuple[int, ...]]:
    """Yield labels and sides of 2 to ``most`` examples."""
    for n in range(2, most + 1):
        yield from product((0, 1), repeat=2 * n)


def mean_scales(statistic: Callable[[Any], Any], factor: Callable[[Any], Any], most: int) -> Exhaustive:
    """Claim that over independent flips the mean of a statistic is a factor, of 1 - tau_pos - tau_neg, times it."""

    def holds(case: Any) -> bool:
        t, rates = case
        mean = fraction(sum(w * ratio(statistic(noisy)) for noisy, w in noisy_tables(t, *rates)))
        return bool(mean == factor(1 - sum(rates)) * statistic(t))

    rates = ((QUARTER, Fraction(1, 3)), (Fraction(2, 3), Fraction(1, 2)))
    return up_to(most, lambda n: product(splits(n), rates), holds)


def pairs_scale(factor: Callable[[Any], Any]) -> Identity:
    """Claim that the signed pairs of the expected table are a factor times the clean ones."""
    return Identity(
        TWO_RATES,
        lambda v, m: determinant(
            [class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg).on_distribution(row) for row in clean(v)]
        ),
        lambda v, m: factor(v) * determinant(clean(v)),
    )


def numbers(most: int) -> Iterator[tuple[tuple[int, int], int]]:
    return ((node, h) for node in nodes(most) for h in range(sum(node) + 1))


def fixed_number(case: tuple[tuple[int, int], int]) -> bool:
    """Whether, with exactly ``h`` random labels flipped, the expected gain is the stated affine function."""
    node, h = case
    n = sum(node)
    slope = Fraction((n - 2 * h) ** 2 - n, n * (n - 1))
    bias = Fraction(2 * h * (n - h), n * n * (n - 1))
    return all(
        flips_by_number(gini_decrease, s)[h] / comb(n, h) == slope * score(gini_decrease, s) + bias
        for s in splits_of(*node)
    )


def order_of_fixed_number(wanted: Callable[[int, int], int]) -> Exhaustive:
    """Claim that the sign of the order after exactly ``h`` flips is the one wanted: 1 kept, -1 reversed, 0 all tied."""

    def holds(case: tuple[tuple[int, int], int]) -> bool:
        node, h = case
        points = [(score(gini_decrease, s), flips_by_number(gini_decrease, s)[h]) for s in splits_of(*node)]
        signs = {(y > t) - (y < t) for (x, y), (z, t) in product(points, repeat=2) if x > z}
        return signs <= {sign(wanted(sum(node), h))}

    return up_to(8, numbers, holds)


def sign(x: int) -> int:
    return (x > 0) - (x < 0)


FIXED = Law(order_of_fixed_number, wanted=lambda n, h: (n - 2 * h) ** 2 - n)

THEOREMS = [
    Theorem(
        key="noise.expected_pairwise_gain_reorders_of_symmetric",
        statement="the expected pairwise gain does not keep its order: of five examples, two positive, the"
        " split with |ad - bc| = 2 is expected to score 2 at eta = 3/10, and the one with 1 to score 2.0836",
        source="beyond, exact expectation under noise",
        holds=Exhaustive(
            lambda: [PAIR_5],
            lambda pair: (
                reorders(pairwise_gain, pair, RATE_3, RATE_3)
                and [2 * expected_score(pairwise_gain, s, RATE_3, RATE_3) for s in pair] == [2, Fraction(5209, 2500)]
            ),
        ),
        fails=(
            NearMiss("the expected pairwise gain keeps its order", keeps(pairwise_gain, RATE_3, RATE_3, 5)),
            NearMiss(
                "it keeps its order among splits with the same sizes of children",
                Exhaustive(lambda: [EQUAL_CHILDREN_9], lambda p: not reorders(pairwise_gain, p, RATE_45, RATE_45)),
                alters="hypothesis",
            ),
            NearMiss(
                "the expected pairwise gain is |1 - 2 eta| times the clean one, as for the expected table",
                mean_scales(lambda t: score(pairwise_gain, t), abs, 4),
            ),
        ),
    ),
    Theorem(
        key="noise.signed_pairs_rescale_in_mean_of_dependent_flips",
        statement="a d - b c, that is N_L^+ N_R^- - N_L^- N_R^+, is a sum of one term per example, so its mean is"
        " (1 - tau_pos - tau_neg) times the clean one at every sample size, whatever the dependence between the flips,"
        " given only their rates; its absolute value, the pairwise gain, has not",
        source="yang2019, Theorem 1, and beyond, exact expectation under noise",
        holds=All(
            one_term_an_example=up_to(4, labelled_splits, adds_up),
            expected_table=pairs_scale(lambda v: 1 - v.tau_pos - v.tau_neg),
            independent_flips=mean_scales(determinant, lambda k: k, 5),
        ),
        fails=(
            NearMiss(
                "the gain has mean |1 - tau_pos - tau_neg| times the clean one",
                mean_scales(lambda t: score(pairwise_gain, t), abs, 4),
            ),
            NearMiss(
                "the square has mean (1 - tau_pos - tau_neg)^2 times the clean one",
                mean_scales(lambda t: determinant(t) ** 2, lambda k: k**2, 4),
            ),
            NearMiss(
                "the expected Gini gain keeps its order under dependent flips with rates below 1/2 (one of n flips)",
                FIXED.but(wanted=lambda n, h: 1 if h <= 1 else (n - 2 * h) ** 2 - n).claim,
                alters="hypothesis",
            ),
            NearMiss(
                "a d - b c multiplies: two flips change it by the product of their factors",
                pairs_scale(lambda v: (1 - v.tau_pos) * (1 - v.tau_neg)),
            ),
        ),
        premises=(LINEAR,),
    ),
    Theorem(
        key="noise.expected_gini_gain_of_fixed_number_of_flips",
        statement="for two classes, if exactly h of n labels, chosen at random, are flipped, the expected Gini gain is"
        " ((n - 2h)^2 - n)/(n(n - 1)) gain + 2h(n - h)/(n^2(n - 1)): the order is kept if |n - 2h| > sqrt(n), all"
        " splits tie if |n - 2h| = sqrt(n), and the order is reversed if |n - 2h| < sqrt(n)",
        source="beyond, exact expectation under noise",
        holds=All(value=up_to(8, numbers, fixed_number), order=FIXED),
        fails=(
            FIXED.but("the order is kept if fewer than half of the labels flip", wanted=lambda n, h: abs(n - 2 * h)),
            FIXED.but(
                "the order is kept if n - 2h > sqrt(n) and reversed if n - 2h < -sqrt(n)",
                wanted=lambda n, h: n - 2 * h if (n - 2 * h) ** 2 > n else (n - 2 * h) ** 2 - n,
            ),
        ),
    ),
]
