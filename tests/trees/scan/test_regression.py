"""The best splits of responses that are numbers: against the reference builder and by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from splitcrit import absolute_deviation, decrease, variance
from splitcrit.trees.growth import GrownTree, GrowthOptions, Stopping, grow_regression
from splitcrit.trees.small import reference_of

IMPURITIES = {"squared_error": variance, "absolute_error": absolute_deviation}
STRUCTURE = ("feature", "threshold", "left", "right", "depth", "size", "missing_left")


def problem(seed: int) -> tuple[Any, Any, Any]:
    """Features with ties and perhaps gaps, responses with ties, perhaps weights."""
    rng = np.random.default_rng(seed)
    n = (12, 30, 50, 80, 40, 25)[seed]
    x = rng.integers(0, (5, 30, 1000)[seed % 3], (n, 3)).astype(np.float32)
    if seed in (2, 3, 5):
        x[rng.random(x.shape) < 0.2] = np.nan
    y = np.round(np.nan_to_num(x[:, 0]) / 3 + rng.normal(size=n) * 3) * (1.0, 0.1, 1e3)[seed % 3] + (0.0, 1e5)[seed % 2]
    return x, y, rng.choice([0.5, 1.0, 2.0, 3.5], n) if seed in (1, 3, 4) else None


def median(y: Any, w: Any) -> float:
    """The median of weighted numbers: the mean of both where half the weight is reached exactly."""
    order = np.argsort(y)
    running = np.cumsum(w[order])
    at = int((running >= running[-1] / 2).argmax())
    exact = running[at] == running[-1] / 2
    return float((y[order][at] + y[order][at + 1]) / 2 if exact else y[order][at])


@pytest.mark.parametrize("splitter", ["best", "random"])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("error", IMPURITIES)
def test_every_search_finds_the_split_of_the_reference(error: str, seed: int, splitter: Any) -> None:
    x, y, weights = problem(seed)
    stopping = Stopping(min_samples_leaf=1 + seed % 3, min_weight_leaf=2.0 if seed == 4 else 0.0)
    growing = GrowthOptions(stopping, splitter=splitter, seed=3, max_features=2 if seed == 5 else None)
    values, codes = np.unique(y, return_inverse=True)
    expected = GrownTree.of(
        reference_of(x, codes, len(values), decrease(IMPURITIES[error](values)), growing, weights=weights)
    )
    found = grow_regression(x, y, weights, error, growing)
    for name in STRUCTURE:
        assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)
    assert_allclose(found.score, expected.score, rtol=1e-9, atol=1e-12 * found.impurity.max())
    assert_allclose(found.weights[:, 0], expected.weights.sum(axis=1), rtol=1e-12)
    assert len(found.left) > 3


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("error", IMPURITIES)
def test_nodes_have_the_value_and_impurity_of_their_responses(error: str, seed: int) -> None:
    x, y, weights = problem(seed)
    tree = grow_regression(x, y, weights, error, GrowthOptions(Stopping(max_depth=2)))
    w = np.ones(len(y)) if weights is None else weights
    inside = {0: np.ones(len(y), bool)}
    for node in range(len(tree.left)):
        here = inside[node]
        if tree.left[node] >= 0:
            column, cut = x[:, tree.feature[node]].astype(float), tree.threshold[node]
            goes = np.where(
                np.isnan(column), tree.missing_left[node], column <= cut if cut == cut else ~np.isnan(column)
            )
            inside[int(tree.left[node])], inside[int(tree.right[node])] = (
                here & goes.astype(bool),
                here & ~goes.astype(bool),
            )
        ours, weight = y[here], w[here]
        if error == "squared_error":
            value = np.average(ours, weights=weight)
            impurity = np.average((ours - value) ** 2, weights=weight)
        else:
            value = median(ours, weight)
            impurity = np.average(np.abs(ours - value), weights=weight)
        assert tree.value[node] == pytest.approx(value, rel=1e-12)
        assert tree.impurity[node] == pytest.approx(impurity, rel=1e-8, abs=1e-9 * np.ptp(y))
        assert tree.size[node] == here.sum() and tree.weights[node, 0] == pytest.approx(weight.sum())
