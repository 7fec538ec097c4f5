"""P-values of permutations by every sequence and every order of draws; versions nearly right are seen to fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import isclose
from typing import Any

import numpy as np
import pytest

from splitcrit.nulls.permutation_pvalues import (
    PermutationTally,
    besag_clifford,
    permutation_pvalue,
    random_orders,
    stopped_pvalue,
    tallied,
)
from validity import sequences, valid

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

ORDERS = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 1.0, 2.0, 2.0, 2.0, 3.0])


def pvalues_of_orders(values: list[float], most: int | None, block: int = 2) -> Any:
    """The p-value of each order: the first is observed, the others are drawn."""
    found = []
    for first, *rest in permutations(values):
        draws = np.array(rest)
        found.append(tallied((draws[i : i + block] for i in range(0, len(draws), block)), first, most).pvalue)
    return np.array(found)


@pytest.mark.parametrize("values", ORDERS)
@pytest.mark.parametrize("most", [1, 2, 3, None])
def test_a_p_value_is_at_most_a_with_probability_a(values: list[float], most: int | None) -> None:
    found = pvalues_of_orders(values, most)
    for a in np.unique(found):
        assert np.mean(found <= a) <= a + 1e-12
    if len(set(values)) == len(values):  # without ties it is that probability
        assert np.mean(found <= found.min()) == pytest.approx(found.min())
        np.testing.assert_allclose([np.mean(found <= a) for a in found], found)


def test_a_share_of_exceedances_is_no_p_value() -> None:
    wrong = pvalues_of_orders(ORDERS[0], None)
    wrong = (wrong * len(ORDERS[0]) - 1) / (len(ORDERS[0]) - 1)
    assert np.mean(wrong <= 0) > 0


@pytest.mark.parametrize("most", [1, 2, 3])
def test_counting_draws_that_were_not_made_is_wrong(most: int) -> None:
    found = []
    for first, *rest in permutations(ORDERS[0]):
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
