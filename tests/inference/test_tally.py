"""P-values of draws that stop early: all orders of what is observed and drawn."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from splitcrit.inference.tally import Tally, tallied

VALUES = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 1.0, 2.0, 2.0, 2.0, 3.0])


def pvalues(values: list[float], most: int | None, block: int = 2) -> Any:
    """The p-value of each order: the first is observed, the others are drawn."""
    found = []
    for first, *rest in permutations(values):
        draws = np.array(rest)
        found.append(tallied((draws[i : i + block] for i in range(0, len(draws), block)), first, most).pvalue)
    return np.array(found)


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("most", [1, 2, 3, None])
def test_a_p_value_is_at_most_a_with_probability_a(values: list[float], most: int | None) -> None:
    found = pvalues(values, most)
    for a in np.unique(found):
        assert np.mean(found <= a) <= a + 1e-12
    if len(set(values)) == len(values):  # without ties it is that probability
        assert np.mean(found <= found.min()) == pytest.approx(found.min())
        np.testing.assert_allclose([np.mean(found <= a) for a in found], found)


def test_a_share_of_exceedances_is_no_p_value() -> None:
    wrong = pvalues(VALUES[0], None)
    wrong = (wrong * len(VALUES[0]) - 1) / (len(VALUES[0]) - 1)
    assert np.mean(wrong <= 0) > 0


@pytest.mark.parametrize("most", [1, 2, 3])
def test_counting_draws_that_were_not_made_is_wrong(most: int) -> None:
    found = []
    for first, *rest in permutations(VALUES[0]):
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
    assert Tally(drawn=50, kept=19).can_reach(0.05)
    assert not Tally(drawn=50, kept=18).can_reach(0.05)
    assert Tally(drawn=9, kept=9, exceeding=9, stopped=True).can_reach(0.05)
