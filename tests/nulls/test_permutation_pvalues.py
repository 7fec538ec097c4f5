"""P-values of permutations and their corrections by plain loops; that they are valid the theorems of inference say."""

from collections.abc import Sequence
from functools import partial
from itertools import permutations, product
from math import isclose

import numpy as np
import pytest

from splitcrit.nulls import monte_carlo
from splitcrit.nulls.multiple import bonferroni
from validity import NEAR, orders

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
    return monte_carlo.discrete_bonferroni([partial(attained, j) for j in range(3)], min(p))


def test_discrete_bonferroni_is_at_most_bonferroni() -> None:
    plain, finer = [bonferroni(min(p), 3) for p in P], [discrete(p) for p in P]
    assert all(a <= b * NEAR for a, b in zip(finer, plain, strict=True)) and min(finer) < min(plain)


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


@pytest.mark.parametrize("minima", [[], [0.5], [0.1, 0.2, 0.3]])
def test_westfall_and_young_counts_the_observed_order(minima: list[float]) -> None:
    assert monte_carlo.westfall_young(minima, 0.0) == 1 / (1 + len(minima))
    assert monte_carlo.westfall_young(minima, 1.0) == 1.0


def test_the_rule_by_a_plain_loop() -> None:
    draws = [False, True, False, False, True, True, False]
    for enough in range(1, 6):
        for most in range(1, 8):
            places = [i for i, draw in enumerate(draws[:most], 1) if draw]
            early = len(places) >= enough
            tally = monte_carlo.tallied([np.array(draws[:most], float)], 1.0, enough)
            drawn = tally.drawn
            assert drawn == (places[enough - 1] if early else most)
            assert isclose(tally.pvalue, enough / drawn if early else (1 + len(places)) / (1 + most), rel_tol=1e-15)
    assert monte_carlo.stopped_pvalue(3, 12) == 0.25


# Draws in blocks, some of which do not count.


@pytest.mark.parametrize("most", [1, 2, None])
def test_blocks_and_draws_that_do_not_count_change_nothing(most: int | None) -> None:
    for draws in product([0.0, 2.0, np.nan], repeat=5):
        whole = monte_carlo.tallied([np.array(draws)], 1.0, most)
        parts = monte_carlo.tallied([np.array([each]) for each in draws], 1.0, most)
        counting = [each for each in draws if not np.isnan(each)]
        assert whole == parts
        assert whole.pvalue == monte_carlo.tallied([np.array(counting)], 1.0, most).pvalue
        kept = counting[: whole.kept]
        assert whole.exceeding == sum(each >= 1 for each in kept)
        assert whole.stopped is (most is not None and whole.exceeding == most)


def test_what_too_few_draws_can_reach() -> None:
    assert monte_carlo.PermutationTally(drawn=50, kept=19).can_reach(0.05)
    assert not monte_carlo.PermutationTally(drawn=50, kept=18).can_reach(0.05)
    assert monte_carlo.PermutationTally(drawn=9, kept=9, exceeding=9, stopped=True).can_reach(0.05)


def test_random_orders_are_uniform_whatever_the_blocks() -> None:
    rows = np.concatenate(list(monte_carlo.random_orders(np.array([1, 2, 2, 3]), 6000, np.random.default_rng(0), 64)))
    assert rows.shape == (6000, 4)
    every, times = np.unique(rows, axis=0, return_counts=True)
    assert {tuple(row) for row in every.tolist()} == set(permutations([1, 2, 2, 3]))
    assert np.abs(times - 500).max() < 4.5 * np.sqrt(500)  # standard deviations of each of twelve counts
