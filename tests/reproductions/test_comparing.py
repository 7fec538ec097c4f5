"""Comparisons of methods: ties of floats, ranks, and how many runs a difference takes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from reproductions.comparing import average_ranks, critical_difference, record, sign_test
from reproductions.power import power, runs_needed


def test_what_rounding_sets_apart_is_tied() -> None:
    ours, theirs = np.array([0.1 + 0.2, 90.0 + 2.8e-14, 80.0, 70.0]), np.array([0.3, 90.0, 79.98, 71.0])
    assert record(ours, theirs) == (1, 2, 1) and record(theirs, ours) == (1, 2, 1)
    assert sign_test(ours, theirs) == 0.75  # of one win and one loss
    grid = np.column_stack([ours, theirs])
    assert (average_ranks(grid) == [1.5, 1.5]).all() and (average_ranks(grid, largest_first=False) == [1.5, 1.5]).all()


def test_ranks_of_methods_that_differ_by_rounding_do_not_differ() -> None:
    scores = np.repeat(np.arange(9.0)[:, None], 3, axis=1) / 3
    scores[:, 2] = scores[:, 0] * 0.1 / 0.1
    scores[:, 1] += np.resize([0.5, -0.5], 9)
    found = critical_difference(scores, "abc")
    assert found.ranks[0] == found.ranks[2]


@pytest.mark.parametrize("difference, deviation, runs", [(1.0, 1.3, 10), (0.5, 1.0, 25), (2.0, 1.0, 3)])
def test_power_is_how_often_the_test_says_so(difference: float, deviation: float, runs: int) -> None:
    drawn = np.random.default_rng(0).normal(difference, deviation, (40_000, runs))
    often = float(np.mean(ttest_1samp(drawn, 0, axis=1).pvalue < 0.05))
    assert abs(power(difference, deviation, runs) - often) < 4 * 0.5 / 200


@pytest.mark.parametrize("deviation", [0.5, 0.2, 0.1, 0.03, 1e-3, 1e-6])
def test_power_of_a_sure_difference_is_one(deviation: float) -> None:
    for runs in (20, 50, 1000):
        assert 0.999 < power(1.0, deviation, runs) <= 1.0 + 1e-12


def test_runs_needed_are_the_first_that_suffice() -> None:
    for deviation in (0.7, 1.3, 3.0, 20.0):
        runs = runs_needed(deviation)
        assert runs is not None and power(1.0, deviation, runs) >= 0.8 > power(1.0, deviation, runs - 1)
    assert runs_needed(0.05) == 2
    assert runs_needed(3.0, test_share=0.25) is None  # every run knows the same sample
    few = runs_needed(1.0, test_share=0.02)
    assert few is not None and few > (runs_needed(1.0) or 0)


@pytest.mark.parametrize("runs, deviation", [(1, 1.0), (5, 0.0)])
def test_power_of_nothing_that_varies(runs: int, deviation: float) -> None:
    with pytest.raises(ValueError, match="power is that of two runs or more whose differences vary; got"):
        power(1.0, deviation, runs)
