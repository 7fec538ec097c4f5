"""What a noisy two-class sample is expected to score, at every number of examples, not only in the limit.

Main results: under symmetric noise the expected Gini gain is an increasing affine function of the clean gain; the
expected pairwise gain is not; noise that flips exactly ``h`` labels can reverse the order.
Source: beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from splitcrit.criteria import decrease, pairwise_gain
from splitcrit.impurities import misclassification
from splitcrit.noise import class_conditional
from splitcrit.proof import All, Exhaustive, Identity, NearMiss, Theorem
from splitcrit.proofs.beyond.laws import (
    Split,
    by_moments,
    expected_score,
    flips_by_number,
    keeps,
    nodes,
    reorders,
    second_difference,
    splits,
    splits_of,
)
from splitcrit.proofs.common import gini_decrease, kinds, score

SMALL = 8
SPLIT = kinds("positive", "a", "b", "c", "d")
ONE_RATE = SPLIT | {"eta": "rate"}
TWO_RATES = SPLIT | {"tau_pos": "rate", "tau_neg": "rate"}
MOMENTS = ("independent summands: the mean of a sum is the sum of the means, its variance the sum of the variances",)
LINEAR = ("linearity of expectation",)
PAIR_5: tuple[Split, Split] = (((1, 0), (2, 2)), ((1, 1), (2, 1)))
EQUAL_CHILDREN_9: tuple[Split, Split] = (((1, 6), (1, 1)), ((2, 5), (0, 2)))
RATE_3, RATE_45 = Fraction(3, 10), Fraction(9, 20)


def table(v: Any) -> list[list[Any]]:
    """Return the split with ``a, c`` positives and ``b, d`` negatives; class 1 is the positive one."""
    return [[v.b, v.a], [v.d, v.c]]


def affine(v: Any, m: Any) -> Any:
    """Return ``(1 - 2 eta)^2 gain + 2 eta (1 - eta) / n``."""
    whole = v.a + v.b + v.c + v.d
    return (1 - 2 * v.eta) ** 2 * gini_decrease.score(table(v), m) + 2 * v.eta * (1 - v.eta) / whole


def bernstein(s: Split) -> bool:
    """Tell whether the expected gain is ``(1 - 2 eta)^2 gain + 2 eta (1 - eta)/n``, for every rate at once.

    Both sides are compared coefficient by coefficient of ``eta^h (1 - eta)^(n - h)``.
    """
    n, gain = sum(map(sum, s)), score(gini_decrease, s)

    def ways(h: int) -> int:
        return comb(n - 2, h) if h >= 0 else 0

    right = [gain * (ways(h) - 2 * ways(h - 1) + ways(h - 2)) + Fraction(2, n) * ways(h - 1) for h in range(n + 1)]
    return flips_by_number(gini_decrease, s) == right


def signed_pairs(t: Any) -> Any:
    """Return ``a d - b c``: positives left times negatives right, minus the reverse."""
    (b, a), (d, c) = t
    return a * d - b * c


def adds_up(case: tuple[int, ...]) -> bool:
    """Tell whether flips act on ``a d - b c`` one by one: the change is the sum of the changes of single flips."""
    n = len(case) // 2
    labels, side = case[:n], case[n:]

    def value(y: tuple[int, ...]) -> int:
        t = [[sum(s == r and x == k for x, s in zip(y, side, strict=True)) for k in (0, 1)] for r in (0, 1)]
        return int(signed_pairs(t))

    def flipped(which: tuple[int, ...]) -> int:
        return value(tuple(x ^ f for x, f in zip(labels, which, strict=True)))

    single = [flipped(tuple(int(i == j) for j in range(n))) - value(labels) for i in range(n)]
    return all(
        flipped(which) == value(labels) + sum(d for d, f in zip(single, which, strict=True) if f)
        for which in product((0, 1), repeat=n)
    )


def labelled_splits() -> Iterator[tuple[int, ...]]:
    for n in (2, 3, 4):
        yield from product((0, 1), repeat=2 * n)


def fixed_number(case: tuple[tuple[int, int], int]) -> bool:
    """Tell whether, with exactly ``h`` random labels flipped, the expected gain is the stated affine function."""
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
        return signs <= {wanted(sum(node), h)}

    return Exhaustive(numbers, holds)


def numbers() -> Iterator[tuple[tuple[int, int], int]]:
    return ((node, h) for node in nodes(SMALL) for h in range(sum(node) + 1))


def sign(x: int) -> int:
    return (x > 0) - (x < 0)


THEOREMS = [
    Theorem(
        key="noise.expected_gini_gain_is_affine_of_symmetric",
        statement="the Gini gain of a sample whose labels flip independently with probability eta has expectation"
        " (1 - 2 eta)^2 gain + 2 eta (1 - eta)/n, whatever the split: for eta other than 1/2 and every n the expected"
        " order is the clean order",
        source="beyond, exact expectation under noise",
        scope=f"two classes; all flips and every eta at once for n <= {SMALL}; all positive counts, all eta",
        holds=All(
            Exhaustive(lambda: splits(SMALL), bernstein),
            Identity(ONE_RATE, lambda v, m: by_moments(table(v), v.eta, v.eta, m), affine),
            Identity(
                SPLIT,
                lambda v, m: second_difference(table(v), 0, m),
                lambda v, m: 4 * (v.c + v.d) / ((v.a + v.b) * (v.a + v.b + v.c + v.d) ** 2),
            ),
        ),
        fails=(
            NearMiss(
                "the expectation is (1 - 2 eta)^2 gain, as it is in the limit",
                Identity(
                    ONE_RATE,
                    lambda v, m: by_moments(table(v), v.eta, v.eta, m),
                    lambda v, m: (1 - 2 * v.eta) ** 2 * gini_decrease.score(table(v), m),
                ),
            ),
            NearMiss(
                "misclassification, whose population gain rescales too, keeps its order in expectation",
                keeps(decrease(misclassification), RATE_3, RATE_3, 6),
            ),
            NearMiss(
                "the additive term grows for unbalanced splits: eta (1 - eta) (1/n_L + 1/n_R)/2",
                Identity(
                    ONE_RATE,
                    lambda v, m: by_moments(table(v), v.eta, v.eta, m),
                    lambda v, m: (
                        (1 - 2 * v.eta) ** 2 * gini_decrease.score(table(v), m)
                        + v.eta * (1 - v.eta) * (1 / (v.a + v.b) + 1 / (v.c + v.d)) / 2
                    ),
                ),
            ),
        ),
        premises=MOMENTS,
        latex=r"\mathbb E\,\widetilde{\mathrm{gain}} = (1-2\eta)^2\,\mathrm{gain} + \tfrac{2\eta(1-\eta)}{n}",
    ),
    Theorem(
        key="noise.expected_pairwise_gain_reorders_of_symmetric",
        statement="the expected pairwise gain does not keep its order: of five examples, two positive, the"
        " split with |ad - bc| = 2 is expected to score 2 at eta = 3/10, and the one with 1 to score 2.0836",
        source="beyond, exact expectation under noise",
        scope="the two splits, by their binomial laws",
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
                Exhaustive(
                    lambda: splits(4),
                    lambda s: (
                        expected_score(pairwise_gain, s, RATE_3, RATE_3) == Fraction(2, 5) * score(pairwise_gain, s)
                    ),
                ),
            ),
        ),
    ),
    Theorem(
        key="noise.signed_pairs_rescale_in_expectation_of_dependent_flips",
        statement="a d - b c is a sum of one term per example, so its expectation is (1 - tau_pos - tau_neg)(a d - b c)"
        " whatever the dependence between the flips, given only their rates",
        source="beyond, exact expectation under noise",
        scope="additivity for all labels, splits and flips with n <= 4; the mean for all counts and rates",
        holds=All(
            Exhaustive(labelled_splits, adds_up),
            Identity(
                TWO_RATES,
                lambda v, m: signed_pairs(
                    [class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg).on_distribution(row) for row in table(v)]
                ),
                lambda v, m: (1 - v.tau_pos - v.tau_neg) * signed_pairs(table(v)),
            ),
        ),
        fails=(
            NearMiss(
                "the expected Gini gain keeps its order under dependent flips with rates below 1/2 (one of n flips)",
                order_of_fixed_number(lambda n, h: 1 if h <= 1 else sign((n - 2 * h) ** 2 - n)),
                alters="hypothesis",
            ),
            NearMiss(
                "a d - b c multiplies: two flips change it by the product of their factors",
                Identity(
                    TWO_RATES,
                    lambda v, m: signed_pairs(
                        [
                            class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg).on_distribution(row)
                            for row in table(v)
                        ]
                    ),
                    lambda v, m: (1 - v.tau_pos) * (1 - v.tau_neg) * signed_pairs(table(v)),
                ),
            ),
        ),
        premises=LINEAR,
    ),
    Theorem(
        key="noise.expected_gini_gain_of_fixed_number_of_flips",
        statement="if exactly h of n labels, chosen at random, are flipped, the expected Gini gain is"
        " ((n - 2h)^2 - n)/(n(n - 1)) gain + 2h(n - h)/(n^2(n - 1)): the order is kept if |n - 2h| > sqrt(n), all"
        " splits tie if |n - 2h| = sqrt(n), and the order is reversed if |n - 2h| < sqrt(n)",
        source="beyond, exact expectation under noise",
        scope=f"two classes, all nodes and splits with n <= {SMALL}",
        holds=All(Exhaustive(numbers, fixed_number), order_of_fixed_number(lambda n, h: sign((n - 2 * h) ** 2 - n))),
        fails=(
            NearMiss(
                "the order is kept whenever fewer than half of the labels flip",
                order_of_fixed_number(lambda n, h: sign(abs(n - 2 * h))),
            ),
            NearMiss(
                "the order is kept if n - 2h > sqrt(n) and reversed if n - 2h < -sqrt(n)",
                order_of_fixed_number(
                    lambda n, h: sign(n - 2 * h) if (n - 2 * h) ** 2 > n else sign((n - 2 * h) ** 2 - n)
                ),
            ),
        ),
    ),
]
