"""The tests of columns that a study compares `split_test` with, against all orders and against published relations."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency

from scripts import script

RIVALS = script("column_rivals")
NUMBERS = np.array([0.3, -1.0, 2.5, 2.5, 0.0, 7.0])
WORDS = np.array(["a", "b", "a", "c", "b", "a"])


@pytest.mark.parametrize("x", [NUMBERS, WORDS], ids=["numbers", "categories"])
@pytest.mark.parametrize("y", [NUMBERS[::-1] ** 2, WORDS[::-1]], ids=["numbers", "classes"])
def test_mean_and_covariance_are_those_over_all_orders(x: Any, y: Any) -> None:
    g, h = RIVALS.scored(x), RIVALS.scored(y)
    _, mean, covariance = RIVALS.linear_statistic(g, h)
    every = np.array([(g.T @ h[list(order)]).ravel("F") for order in permutations(range(6))])
    assert mean == pytest.approx(every.mean(axis=0), abs=1e-9)
    assert covariance == pytest.approx(np.cov(every.T, bias=True).reshape(covariance.shape), rel=1e-9, abs=1e-9)
    assert covariance * 5 / 6 != pytest.approx(np.cov(every.T, bias=True).reshape(covariance.shape), rel=1e-3)


def test_of_two_classes_or_numbers_it_is_the_squared_correlation() -> None:
    rng = np.random.default_rng(0)
    x, y, ones = rng.normal(size=40), rng.normal(size=40), rng.integers(0, 2, 40)
    for response in (y, ones):
        form, freedom = RIVALS.quadratic(x[:, None], RIVALS.scored(response))
        assert freedom == 1 and form == pytest.approx(39 * np.corrcoef(x, response)[0, 1] ** 2, rel=1e-9)


def test_of_categories_and_classes_it_is_pearsons_statistic() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 4, 90), rng.integers(0, 3, 90)
    table = np.bincount(3 * x + y, minlength=12).reshape(4, 3)
    form, freedom = RIVALS.quadratic(RIVALS.scored(x), RIVALS.scored(y))
    assert freedom == 6 and form == pytest.approx(chi2_contingency(table).statistic * 89 / 90, rel=1e-9)
    lone = RIVALS.ctree(x[:, None].astype(float), y)
    assert lone == pytest.approx(chi2.sf(RIVALS.quadratic(x[:, None] * 1.0, RIVALS.scored(y))[0], 2), rel=1e-9)


def test_rows_without_a_value_are_left_out() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(60, 1)), rng.integers(0, 3, 60)
    gone = np.where(np.arange(60)[:, None] < 20, np.nan, x)
    assert RIVALS.ctree(gone, y) == pytest.approx(RIVALS.ctree(x[20:], y[20:]), rel=1e-12)
    assert RIVALS.ctree(np.ones((60, 1)), y) == 1


@pytest.mark.parametrize("classes", [2, 3, None])
def test_orders_reject_in_about_their_level_and_find_what_is_there(classes: int | None) -> None:
    rejected, found = 0, 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        x, noise = rng.normal(size=(40, 1)), rng.normal(size=40)
        for signal in (0.0, 2.0):
            z = signal * x[:, 0] + noise
            y = z if classes is None else np.searchsorted(np.quantile(z, np.arange(1, classes) / classes), z)
            small = RIVALS.joint_orders(x, y, 99, rng, [1.0] if classes == 2 else None) <= 0.1
            rejected, found = rejected + (small and not signal), found + (small and signal > 0)
    assert rejected <= 13 and found > 50  # P(binomial(60, .1) > 13) = .001


def test_the_study_says_where_split_test_finds_less() -> None:
    study = script("column_power")
    assert study.far_below() == {"better of ctree and best cut": [], "joint orders": ["ten classes, shift"]}
