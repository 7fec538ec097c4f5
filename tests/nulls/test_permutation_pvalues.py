"""P-values of permutations and their corrections by every order; versions nearly right are seen to fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import isclose
from typing import Any

import numpy as np
import pytest

from splitcrit.nulls.permutation_pvalues import (
    PermutationTally,
    besag_clifford,
    bonferroni,
    discrete_bonferroni,
    holm,
    permutation_pvalue,
    random_orders,
    rank_pvalues,
    stopped_pvalue,
    tallied,
    westfall_young,
)
from validity import NEAR, orders, sequences, valid

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


LAWS = [
    {0: Fraction(1, 2), 1: Fraction(1, 2)},
    {0: Fraction(1, 6), 1: Fraction(1, 2), 2: Fraction(1, 3)},
    {k: Fraction(1, 5) for k in range(5)},
]


def fixed(pvalue: Callable[[int, int], float], law: dict[int, Fraction], most: int) -> bool:
    """Validity of a p-value of a fixed number of draws; the first value of a sequence is the observed one."""
    every = sequences(law, most + 1)
    return valid((pvalue(sum(x >= drawn[0] for x in drawn[1:]), most), chance) for drawn, chance in every)


def stopped(
    rule: Callable[[Sequence[bool], int, int], float], law: dict[int, Fraction], enough: int, most: int
) -> bool:
    every = sequences(law, most + 1)
    return valid((rule([x >= drawn[0] for x in drawn[1:]], enough, most), chance) for drawn, chance in every)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("most", [1, 3, 4])
def test_a_fixed_number_of_draws(law: dict[int, Fraction], most: int) -> None:
    assert fixed(permutation_pvalue, law, most)


def test_the_observed_order_must_count() -> None:
    assert not fixed(lambda c, b: c / b, LAWS[2], 3)
    assert not fixed(lambda c, b: (1 + c) / (2 + b), LAWS[2], 3)


@pytest.mark.each_value
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("enough", "most"), [(1, 4), (2, 4), (3, 4), (5, 4), (1, 1)])
def test_draws_that_stop(law: dict[int, Fraction], enough: int, most: int) -> None:
    assert stopped(lambda draws, h, b: besag_clifford(draws, h, b)[0], law, enough, most)


def wrong_by_one(draws: Sequence[bool], enough: int, most: int) -> float:
    p, drawn = besag_clifford(draws, enough, most)
    return enough / (drawn + 1) if sum(draws[:drawn]) == enough else p


def without_the_observed(draws: Sequence[bool], enough: int, most: int) -> float:
    p, drawn = besag_clifford(draws, enough, most)
    return p if sum(draws[:drawn]) == enough else sum(draws) / most


@pytest.mark.parametrize("wrong", [wrong_by_one, without_the_observed])
def test_draws_that_stop_wrongly_are_seen(wrong: Callable[[Sequence[bool], int, int], float]) -> None:
    assert not stopped(wrong, LAWS[2], 2, 4)


def test_the_rule_by_a_plain_loop() -> None:
    draws = [False, True, False, False, True, True, False]
    for enough in range(1, 6):
        for most in range(1, 8):
            places = [i for i, draw in enumerate(draws[:most], 1) if draw]
            early = len(places) >= enough
            p, drawn = besag_clifford(draws, enough, most)
            assert drawn == (places[enough - 1] if early else most)
            assert isclose(p, enough / drawn if early else (1 + len(places)) / (1 + most), rel_tol=1e-15)
    assert stopped_pvalue(3, 12) == 0.25


def test_draws_are_taken_one_by_one() -> None:
    assert besag_clifford(iter([True, True]), 1, 99) == (1.0, 1)


# Draws in blocks, some of which do not count.

ORDERED = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 1.0, 2.0, 2.0, 2.0, 3.0])


def pvalues_of_orders(values: list[float], most: int | None, block: int = 2) -> Any:
    """The p-value of each order: the first is observed, the others are drawn."""
    found = []
    for first, *rest in permutations(values):
        draws = np.array(rest)
        found.append(tallied((draws[i : i + block] for i in range(0, len(draws), block)), first, most).pvalue)
    return np.array(found)


@pytest.mark.parametrize("values", ORDERED)
@pytest.mark.parametrize("most", [1, 2, 3, None])
def test_a_p_value_is_at_most_a_with_probability_a(values: list[float], most: int | None) -> None:
    found = pvalues_of_orders(values, most)
    for a in np.unique(found):
        assert np.mean(found <= a) <= a + 1e-12
    if len(set(values)) == len(values):  # without ties it is that probability
        assert np.mean(found <= found.min()) == pytest.approx(found.min())
        np.testing.assert_allclose([np.mean(found <= a) for a in found], found)


def test_a_share_of_exceedances_is_no_p_value() -> None:
    wrong = pvalues_of_orders(ORDERED[0], None)
    wrong = (wrong * len(ORDERED[0]) - 1) / (len(ORDERED[0]) - 1)
    assert np.mean(wrong <= 0) > 0


@pytest.mark.parametrize("most", [1, 2, 3])
def test_counting_draws_that_were_not_made_is_wrong(most: int) -> None:
    found = []
    for first, *rest in permutations(ORDERED[0]):
        tally = tallied([np.array(rest)], first, most)
        found.append((1 + tally.exceeding) / (1 + len(rest)))
    assert any(np.mean(np.array(found) <= a) > a for a in found)


@pytest.mark.parametrize("most", [1, 2, None])
def test_blocks_and_draws_that_do_not_count_change_nothing(most: int | None) -> None:
    for draws in product([0.0, 2.0, np.nan], repeat=5):
        whole = tallied([np.array(draws)], 1.0, most)
        parts = tallied([np.array([each]) for each in draws], 1.0, most)
        counting = [each for each in draws if not np.isnan(each)]
        assert whole == parts
        assert whole.pvalue == tallied([np.array(counting)], 1.0, most).pvalue
        kept = counting[: whole.kept]
        assert whole.exceeding == sum(each >= 1 for each in kept)
        assert whole.stopped is (most is not None and whole.exceeding == most)


def test_what_too_few_draws_can_reach() -> None:
    assert PermutationTally(drawn=50, kept=19).can_reach(0.05)
    assert not PermutationTally(drawn=50, kept=18).can_reach(0.05)
    assert PermutationTally(drawn=9, kept=9, exceeding=9, stopped=True).can_reach(0.05)


def test_random_orders_are_uniform_whatever_the_blocks() -> None:
    rows = np.concatenate(list(random_orders(np.array([1, 2, 2, 3]), 6000, np.random.default_rng(0), 64)))
    assert rows.shape == (6000, 4)
    every, times = np.unique(rows, axis=0, return_counts=True)
    assert {tuple(row) for row in every.tolist()} == set(permutations([1, 2, 2, 3]))
    assert np.abs(times - 500).max() < 4.5 * np.sqrt(500)  # standard deviations of each of twelve counts
