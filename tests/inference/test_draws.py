"""P-values by random tables against the exact ones: the numbers of draws have the law that they must have."""

from __future__ import annotations

import numpy as np
import pytest

from splitcrit.nulls import gini_pvalue
from splitcrit.nulls.table_pvalues import ENOUGH, drawn_pvalues

TABLES = [[[5, 3, 2], [3, 4, 6]], [[2, 5, 5, 1], [5, 2, 6, 5]], [[9, 1, 2], [1, 4, 6]], [[0, 8, 4], [9, 4, 8]]]


@pytest.mark.parametrize("table", TABLES)
def test_draws_end_as_often_as_the_exact_p_value_says(table: list[list[int]]) -> None:
    exact, times, samples = float(gini_pvalue(table, method="exact")), 3000, 400
    found, errors = drawn_pvalues(np.array([table] * times), samples, np.random.default_rng(0))
    rng = np.random.default_rng(1)
    reached = np.cumsum(rng.random((times, samples)) < exact, axis=1)  # what it does, with coins for tables
    last = np.where(reached[:, -1] >= ENOUGH, (reached >= ENOUGH).argmax(axis=1) + 1, samples)
    expected = np.where(reached[:, -1] >= ENOUGH, ENOUGH / last, (1 + reached[:, -1]) / (1 + samples))
    draws = np.where(reached[:, -1] >= ENOUGH, last, 1 + samples)
    claimed = np.sqrt(expected * (1 - expected) / draws)
    assert abs(errors.mean() - claimed.mean()) < 4 * np.hypot(errors.std(), claimed.std()) / np.sqrt(times)
    for power in (1, -1):
        error = np.hypot((found**power).std(), (expected**power).std()) / np.sqrt(times)
        assert abs((found**power).mean() - (expected**power).mean()) < 4 * error


def test_under_the_null_small_p_values_are_no_more_frequent_than_they_say() -> None:
    rng = np.random.default_rng(2)
    first = rng.multivariate_hypergeometric([9, 12, 14], 15, 4000)
    found, _ = drawn_pvalues(np.stack([first, [9, 12, 14] - first], axis=1), 99, rng)
    for t in (0.01, 0.03, 0.1, 0.3):
        assert (found <= t).mean() < t + 4 * np.sqrt(t * (1 - t) / 4000)


def test_few_draws_and_no_tables() -> None:
    assert drawn_pvalues(np.array([[[9, 0, 0], [0, 9, 9]]]), 3, np.random.default_rng(0))[0].tolist() == [0.25]
    assert drawn_pvalues(np.zeros((0, 2, 3), dtype=int), 9, np.random.default_rng(0)).shape == (2, 0)
