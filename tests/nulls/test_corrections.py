"""Corrections over features by every order of the labels, and against Tarone's; wrong versions are seen to fail."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import isclose

import numpy as np
import pytest

from splitcrit.nulls.permutation_pvalues import bonferroni, discrete_bonferroni, holm, rank_pvalues, westfall_young
from validity import NEAR, orders, valid

ORDERS = orders(7, 3)
FEATURES = [[0, 0, 0, 1, 1, 1, 1], [0, 1, 0, 1, 0, 1, 0], [1, 0, 0, 0, 0, 0, 0]]


def statistic(labels: Sequence[int], feature: Sequence[int]) -> int:
    """How far the ones among a feature's ones are from their mean, times n."""
    both = sum(a * b for a, b in zip(labels, feature, strict=True))
    return abs(len(labels) * both - sum(labels) * sum(feature))


SCORES = [[statistic(labels, feature) for feature in FEATURES] for labels in ORDERS]
P = [[sum(row[j] <= other[j] for other in SCORES) / len(SCORES) for j in range(3)] for row in SCORES]


def attained(j: int, t: float) -> float:
    return max((p[j] for p in P if p[j] <= t * NEAR), default=0.0)


def discrete(p: Sequence[float]) -> float:
    return discrete_bonferroni([partial(attained, j) for j in range(3)], min(p))


def uniform(pvalues: Sequence[float]) -> list[tuple[float, Fraction]]:
    return [(p, Fraction(1, len(pvalues))) for p in pvalues]


def test_bonferroni_and_discrete_bonferroni_are_valid_and_ordered() -> None:
    plain, finer = [bonferroni(min(p), 3) for p in P], [discrete(p) for p in P]
    assert valid(uniform(plain))
    assert valid(uniform(finer))
    assert all(a <= b * NEAR for a, b in zip(finer, plain, strict=True))
    assert min(finer) < min(plain)
    assert not valid(uniform([min(p) for p in P]))


def test_a_function_that_leaves_out_a_feature_is_seen() -> None:
    assert not valid(uniform([discrete_bonferroni([partial(attained, j) for j in (1, 2)], min(p)) for p in P]))


def tarone(p: Sequence[float], least: Sequence[float], alpha: float) -> bool:
    """Whether Tarone's test rejects: at level alpha/K, K the least number of features that can reach alpha/K."""
    k = next(k for k in range(1, len(p) + 1) if sum(x <= alpha / k * NEAR for x in least) <= k)
    return min(q for q, x in zip(p, least, strict=True)) <= alpha / k * NEAR


def test_discrete_bonferroni_rejects_whenever_tarone_does() -> None:
    least = [min(p[j] for p in P) for j in range(3)]
    more = 0
    for alpha in sorted({k * x for p in P for x in p for k in (1, 2, 3)}):
        for p in P:
            ours, his = discrete(p) <= alpha * NEAR, tarone(p, least, alpha)
            assert ours or not his
            more += ours and not his
    assert more > 0


def test_holm_is_valid() -> None:
    assert valid(uniform([min(holm(p)) for p in P]))


SMALL = [[statistic(labels, feature[:4]) for feature in FEATURES[1:]] for labels in orders(4, 1)]
TIED = [np.array(drawn) for drawn in product(SMALL, repeat=4)]  # draws with replacement
APART = [np.array(pair).T for pair in product(permutations(range(4)), repeat=2)]  # two independent features, no ties


def by_ranks(rank: Callable[[np.ndarray], np.ndarray], draws: list[np.ndarray]) -> list[tuple[float, Fraction]]:
    """The law of Westfall and Young's p-value over the observed order and three joint permutations."""
    smallest = [rank(drawn).min(axis=1).tolist() for drawn in draws]
    return uniform([westfall_young(q[1:], q[0]) for q in smallest])


def ranked(scores: np.ndarray) -> np.ndarray:
    return np.stack([rank_pvalues(column) for column in scores.T], axis=1)


def ranked_without_the_observed(scores: np.ndarray) -> np.ndarray:
    """The observed order against the others alone, and these among themselves."""
    return np.array([[sum(s[j] >= row[j] for s in scores[1:]) / (len(scores) - 1) for j in range(2)] for row in scores])


@pytest.mark.parametrize("draws", [TIED, APART], ids=["tied", "apart"])
def test_westfall_and_young_is_valid_by_ranks(draws: list[np.ndarray]) -> None:
    assert valid(by_ranks(ranked, draws))


def test_ranks_without_the_observed_order_are_seen() -> None:
    assert not valid(by_ranks(ranked_without_the_observed, APART))


def test_ranks_by_a_plain_loop() -> None:
    scores = np.array([3, 1, 2, 3, 0])
    expected = [sum(other >= score for other in scores) / 5 for score in scores]
    assert all(isclose(a, b) for a, b in zip(rank_pvalues(scores), expected, strict=True))


@pytest.mark.parametrize("minima", [[], [0.5], [0.1, 0.2, 0.3]])
def test_westfall_and_young_counts_the_observed_order(minima: list[float]) -> None:
    assert westfall_young(minima, 0.0) == 1 / (1 + len(minima))
    assert westfall_young(minima, 1.0) == 1.0
