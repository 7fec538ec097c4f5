"""Regression trees in one compiled loop: those that grow level by level, node for node and number for number."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from growing import responses_by_level
from splitcrit.trees.growth import GrownTree, GrowthOptions, Stopping, grow_regression, response_source
from splitcrit.trees.growth.one_loop import Ranks

NUMBERS = ("score", "value", "impurity", "weights")


def same(one: GrownTree, other: GrownTree) -> None:
    for name in (field.name for field in fields(GrownTree)):
        if name in NUMBERS:
            assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-9, atol=1e-9, err_msg=name)
        else:
            assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def problem(n: int, seed: int) -> tuple[Any, Any, Any]:
    """Features, in odd problems some missing, and responses, some with many ties, and weights or none."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=(n, 6)), int(rng.integers(0, 4))).astype(np.float32)
    y = np.round(x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=n), int(rng.integers(0, 5))) + 1e4
    x[:, ::2][rng.random((n, 3)) < 0.3 * (seed % 2)] = np.nan
    weights = (None, rng.integers(1, 4, n).astype(float), rng.random(n) + 0.1)[seed % 3]
    return x, y, weights


@pytest.mark.each_value
@pytest.mark.parametrize("error", ["squared_error", "poisson"])
@pytest.mark.parametrize("splitter", ["best", "random"])
@pytest.mark.parametrize("n", [12, 90, 2500])
def test_one_loop_and_the_levels_grow_the_same_tree(
    splitter: Any, n: int, error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(6 if n > 100 else 30):
        x, y, weights = problem(n, seed)
        y = np.maximum(y - 1e4, 0) if error == "poisson" else y
        rng = np.random.default_rng(seed)
        stopping = Stopping(
            None if seed % 2 else 5, int(rng.integers(2, 7)), int(rng.integers(1, 4)), 3.0 * (seed % 4 == 0),
            (0.0, None, 0.01)[seed % 3],
        )  # fmt: skip
        drawn = (int(rng.integers(error == "poisson", 4)) or None) if splitter == "best" or seed % 2 else None
        growing = GrowthOptions(stopping, drawn, splitter=splitter, seed=seed)
        other = responses_by_level(x, y, weights, error, growing)
        with monkeypatch.context() as patch:
            patch.setattr(response_source, "grown_by_level", None)
            found = grow_regression(x, y, weights, error, growing)
        same(found, other)


def test_ranks_are_shared_by_samples_of_the_rows() -> None:
    x, y, _ = problem(300, 4)
    ranks, rows = Ranks.of(x), np.flatnonzero(np.random.default_rng(0).random(300) < 0.6)
    growing = GrowthOptions(max_features=2, seed=7)
    shared = grow_regression(x[rows], y[rows], growing=growing, ranks=ranks.of_rows(rows))
    same(shared, grow_regression(x[rows], y[rows], growing=growing))
