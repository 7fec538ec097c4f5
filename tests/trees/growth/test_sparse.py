"""Trees of sparse features are the trees of the same features, dense: by the reference builder and by ``grow``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from growing import difference, grow_regression, grow_sparse
from splitcrit import decrease, gini
from splitcrit.criteria import Criterion, as_criterion
from splitcrit.losses import Loss
from splitcrit.nulls.criterion_names import NAMES
from splitcrit.trees.growth import GrowthOptions, Stopping, Training, grow
from splitcrit.trees.growth.training import Sparse
from splitcrit.trees.scan.prepared_criterion import criterion_data
from splitcrit.trees.scan.records import FORMULA
from splitcrit.trees.scan.scan_sparse import value_of

VALUES = np.array([-2, -1, 1, 1, 1, 3, 0.5], np.float32)
ONE_LOOP = ("gini", "entropy", "sqrt_gini")


def features(rng: Any, n: int, d: int) -> Any:
    """Few different values of both signs, many, some or no zeros, and columns of zeros."""
    filled = rng.random((n, d)) < rng.choice([0.05, 0.3, 0.9, 1])
    return (filled * rng.choice(VALUES, (n, d))).astype(np.float32)


def stopping(seed: int) -> Stopping:
    """Rules that differ from seed to seed."""
    depth, gain = [None, 4][seed % 2], [0.0, None][seed % 2]
    return Stopping(depth, 2, [1, 2, 5][seed % 3], [0, 3.0][seed % 5 == 1], gain)


def growings(seed: int, d: int) -> list[GrowthOptions]:
    """All thresholds or random ones, of all features or of some that are drawn among all or those that vary."""
    rules = stopping(seed)
    drawn = [None, *(count for count in (1, 3) if count < d)]
    return [
        GrowthOptions(rules, count, splitter, seed, draw=draw)
        for count in drawn for splitter in ("best", "random") for draw in ("all", "varying")[: 1 + (count == 3)]
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_a_tree_is_the_dense_tree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, d, k = (int(rng.integers(*ends)) for ends in ((5, 120), (1, 25), (2, 5)))
    x, y = features(rng, n, d), rng.integers(0, k, n)
    weights = None if seed % 3 else rng.integers(1, 4, n).astype(float)
    criterion = as_criterion(NAMES[ONE_LOOP[seed % 3]])
    for growing in growings(seed, d):
        tree = grow_sparse(Sparse.of(csr_array(x)), y, k, criterion, growing, weights)
        assert difference(tree, grow(Training(x, y, k, weights), criterion, growing)) == ""


@pytest.mark.parametrize("name", sorted(NAMES))
def test_any_criterion_grows_the_dense_tree(name: str) -> None:
    criterion = as_criterion(NAMES[name])
    if criterion.search.guarded:  # refused: see test_source_of
        return
    for seed in range(4):
        rng = np.random.default_rng(seed)
        n, d, k = 40, 8, 2
        x, y = features(rng, n, d), rng.integers(0, k, n)
        weights = [None, rng.integers(1, 4, n).astype(float), rng.integers(1, 9, n) / 4][seed % 3]
        weights = np.ceil(weights) if criterion.counting and weights is not None else weights
        rules = stopping(seed) if not criterion.search.negative else replace(stopping(seed), min_gain=None)
        splitter = "random" if seed == 3 and not criterion.search.guarded else "best"
        growing = GrowthOptions(rules, [None, 2][seed % 2], splitter, seed, draw=["all", "varying"][seed // 2])
        tree = grow_sparse(Sparse.of(csr_array(x)), y, k, criterion, growing, weights)
        assert difference(tree, grow(Training(x, y, k, weights), criterion, growing)) == ""


def squared(w: Any, k: int, m: Any) -> Any:
    return sum(x**2 for x in w) - 2 * w[k] + 1


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_a_loss_of_a_user_grows_the_dense_tree(classes: int) -> None:
    criterion = Criterion.from_loss(Loss("mine", squared, lambda p, m: p))
    data = criterion_data(criterion, 50, classes)
    assert data is not None and data.kind == FORMULA
    for seed in range(6):
        rng = np.random.default_rng(seed)
        x, y = features(rng, 50, 6), rng.integers(0, classes, 50)
        weights = [None, rng.integers(1, 9, 50) / 4][seed % 2]
        growing = GrowthOptions(stopping(seed), [None, 2][seed % 3 == 0], ["best", "random"][seed == 5], seed)
        tree = grow_sparse(Sparse.of(csr_array(x)), y, classes, criterion, growing, weights)
        assert difference(tree, grow(Training(x, y, classes, weights), criterion, growing)) == ""


@pytest.mark.each_value
@pytest.mark.parametrize("error", ["squared_error", "absolute_error", "poisson"])
@pytest.mark.parametrize("seed", range(12))
def test_a_regression_tree_is_the_dense_tree(seed: int, error: str) -> None:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(5, 120)), int(rng.integers(1, 25))
    x = features(rng, n, d)
    y = rng.integers(0, 8, n).astype(float) if seed % 2 else rng.normal(size=n) + x[:, 0]
    y = np.maximum(y, 0) if error == "poisson" else y
    weights = None if seed % 3 else rng.integers(1, 9, n) / 4
    for growing in growings(seed, d):
        tree = grow_regression(Sparse.of(csr_array(x)), y, weights, error, growing)
        other = grow_regression(x, y, weights, error, growing)
        assert difference(tree, other) == ""
        assert np.allclose(tree.value, other.value) and np.allclose(tree.impurity, other.impurity)


@pytest.mark.parametrize("unit", [2.0**-40, 1.0, 2.0**40])
def test_counts_in_any_unit_grow_the_dense_tree(unit: float) -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        x, y = features(rng, 60, 5), unit * rng.integers(0, 4, 60)
        weights = None if seed % 2 else rng.integers(1, 9, 60) / 4
        growing = GrowthOptions(Stopping(min_gain=[0.0, 0.03 * unit][seed % 3 == 0]))
        tree = grow_regression(Sparse.of(csr_array(x)), y, weights, "poisson", growing)
        assert difference(tree, grow_regression(x, y, weights, "poisson", growing)) == ""


@pytest.mark.parametrize("drawn", [1, 7, 40, 1999])
def test_draws_of_many_features_are_those_of_dense_ones(drawn: int) -> None:
    rng = np.random.default_rng(drawn)
    n, d = 120, 2000
    x = np.where(rng.random((n, d)) < 0.01, 1.0, 0.0).astype(np.float32)
    y = (x[:, :60].sum(axis=1) + rng.normal(size=n) > 0.6).astype(int)
    columns, features = Training(x, y, 2), Sparse.of(csr_array(x))
    for draw in ("all", "varying"):
        growing = GrowthOptions(Stopping(min_gain=None), drawn, seed=drawn, draw=draw)
        tree = grow_sparse(features, y, 2, decrease(gini), growing)
        assert difference(tree, grow(columns, decrease(gini), growing)) == ""
        assert len(tree.left) > 20


def test_a_mean_far_from_0_costs_no_digits() -> None:
    rng = np.random.default_rng(0)
    x = features(rng, 200, 10)
    y = 1e9 + x[:, 0] + rng.normal(size=200)
    tree = grow_regression(Sparse.of(csr_array(x)), y)
    assert difference(tree, grow_regression(x, y)) == ""


def test_keys_are_in_the_order_of_values_and_stand_for_them() -> None:
    tiny = np.finfo(np.float32).smallest_subnormal
    values = np.array([-np.inf, -3e38, -1, -tiny, tiny, 1e-30, 2.5, 3e38, np.inf], np.float32)
    keys = Sparse.of(csr_array(values[None])).cells.keys.astype(np.int64)
    assert (np.diff(keys) > 0).all() and (keys[:4] < 0).all() and (keys[4:] > 0).all()
    assert np.array_equal([value_of.py_func(np.empty(0), key) for key in keys.astype(np.int64)], values)


@pytest.mark.parametrize("shape", [(3, 4), (1, 1)])
def test_features_without_cells_grow_a_leaf(shape: tuple[int, int]) -> None:
    features, y = Sparse.of(csr_array(shape, dtype=np.float32)), np.arange(shape[0])
    for growing in (GrowthOptions(), GrowthOptions(max_features=1)):
        assert grow_sparse(features, y, max(2, shape[0]), decrease(gini), growing).size.tolist() == [shape[0]]
    assert grow_regression(features, y.astype(float)).size.tolist() == [shape[0]]
