"""Regression: all builders grow one tree, what its nodes hold; trees of sparse features are those of dense ones."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from growing import SQUARED, difference, grow_regression, grow_sparse, itself, responses_by
from splitcrit import Criterion, absolute_deviation, decrease, gini, variance
from splitcrit.criteria import as_criterion
from splitcrit.impurities import poisson
from splitcrit.losses import Loss
from splitcrit.nulls.criterion_names import NAMES
from splitcrit.trees.growth import GrownTree, GrowthOptions, Stopping, Training, grow
from splitcrit.trees.growth.by_reference import reference_of
from splitcrit.trees.growth.source_choice import SampleLayout
from splitcrit.trees.growth.training import Ranks, Sparse
from splitcrit.trees.scan.prepared_criterion import criterion_data
from splitcrit.trees.scan.records import FORMULA
from splitcrit.trees.scan.scan_sparse import value_of
from tiers import fewer

IMPURITIES = {"squared_error": variance, "absolute_error": absolute_deviation}
SORTED = (SampleLayout.PRESORTED, SampleLayout.LISTED)
STRUCTURE = ("feature", "threshold", "left", "right", "depth", "size", "missing_left")


def criterion_of(error, values):
    """The criterion of the reference builder: the impurity's decrease, and no split with only zeros on a side."""
    if error in IMPURITIES:
        return decrease(IMPURITIES[error](values))
    gain = decrease(poisson(values))

    def score(t, m):
        sums = [sum(n * v for n, v in zip(row, values, strict=True)) for row in t]
        return np.where(np.min(sums, axis=0) > 0, gain.score(t, m), -np.inf)

    return Criterion("poisson", score, poisson(values), degree=0)


def reference(x, y, weights, error, stopping, **options):
    """The tree of the reference builder: classes are the distinct responses, the criterion the impurity's decrease."""
    values, codes = np.unique(y, return_inverse=True)
    criterion = criterion_of(error, values)
    root = reference_of(x, codes, len(values), criterion, GrowthOptions(stopping, **options), weights=weights)
    root.check()
    return root


def same(found: GrownTree, expected) -> None:
    """The same tree, node for node, and scores, values and impurities but for rounding."""
    for name in STRUCTURE:
        assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)
    assert_allclose(found.score, expected.score, rtol=1e-9, atol=1e-12 * found.impurity.max())
    assert_allclose(found.weights[:, 0], expected.weights.sum(axis=1))


def problem(n, seed):
    """Features, in odd problems some missing, and responses of 0 and more, and weights or none."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=(n, 6)), int(rng.integers(0, 4))).astype(np.float32)
    y = np.maximum(np.round(x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=n), int(rng.integers(0, 5))), 0)
    x[:, ::2][rng.random((n, 3)) < 0.3 * (seed % 2)] = np.nan
    return x, y, (None, rng.integers(1, 4, n).astype(float), rng.random(n) + 0.1)[seed % 3]


@st.composite
def training_sets(draw):
    """Small training sets with ties, missing values, weights on a grid, and every stopping rule."""
    n, d = draw(st.integers(1, 24)), draw(st.integers(1, 3))
    cell = st.sampled_from([0.0, -0.0, 0.5, 1.0, 2.0, 1e-45, 3.4e38, -7.25] + [np.nan] * draw(st.integers(0, 2)))
    x = np.array(draw(st.lists(cell, min_size=n * d, max_size=n * d))).reshape(n, d)
    x = x.astype(draw(st.sampled_from([np.float32, np.float64])))
    y = np.array(draw(st.lists(st.integers(-4, 9), min_size=n, max_size=n)), dtype=float)
    y = y * draw(st.sampled_from([1.0, 0.1, 1e6])) + draw(st.sampled_from([0.0, 1.0, 1e5]))
    weights = draw(st.none() | st.lists(st.sampled_from([0.25, 1.0, 1.5, 3.0]), min_size=n, max_size=n).map(np.array))
    stopping = Stopping(
        draw(st.none() | st.integers(0, 4)), draw(st.integers(2, 5)), draw(st.integers(1, 3)),
        draw(st.sampled_from([0.0, 0.5, 2.0])), draw(st.sampled_from([None, 0.0, 0.3])),
    )  # fmt: skip
    return x, y, weights, stopping


@fewer()
@pytest.mark.parametrize("error", [*IMPURITIES, "poisson"])
@given(
    data=training_sets(), drawn=st.none() | st.integers(1, 2), draw=st.sampled_from(["all", "varying"]),
    splitter=st.sampled_from(["best", "random"]),
)  # fmt: skip
def test_all_builders_grow_one_tree(error, data, drawn, draw, splitter) -> None:
    x, y, weights, stopping = data
    if error == "poisson":
        y = np.abs(y - 1e5 * (y.min() > 5e4))
        y = y if y.any() else y + 1
    options = {"max_features": drawn, "draw": draw, "splitter": splitter, "seed": 5}
    expected = GrownTree.of(reference(x, y, weights, error, stopping, **options))
    ways = [grow_regression] if splitter == "random" else [responses_by(kind) for kind in SORTED]
    for grown in ways:
        same(grown(x, y, weights, error, GrowthOptions(stopping, **options)), expected)


@pytest.mark.parametrize("error", [*IMPURITIES, "poisson"])
def test_columns_sorted_once_and_at_each_node_grow_one_large_tree(error) -> None:
    nodes = 0
    for seed in range(6):
        x, y, weights = problem(2500, seed)
        drawn = [None, 1, 2, 3][seed % 4]
        stopping = Stopping(None if seed % 2 else 9, 2 + seed, 1 + seed % 3, 3.0 * (seed % 4 == 0))
        growing = GrowthOptions(stopping, drawn, seed=seed)
        once, at_nodes = (responses_by(kind)(x, y, weights, error, growing) for kind in SORTED)
        same(once, at_nodes)
        nodes += len(once.left)
    assert nodes > 300


def test_ranks_are_shared_by_samples_of_the_rows() -> None:
    x, y, _ = problem(300, 4)
    ranks, rows = Ranks.of(x), np.flatnonzero(np.random.default_rng(0).random(300) < 0.6)
    growing = GrowthOptions(max_features=2, seed=7)
    counts = np.isin(np.arange(300), rows) / 1.0
    shared = grow_regression(x, y, counts, growing=growing, ranks=ranks)
    same(shared, grow_regression(x[rows], y[rows], growing=growing))


# What a node holds.


def test_values_and_impurities_are_means_and_medians() -> None:
    y, w = np.array([1.0, 2.0, 4.0, 10.0]), np.array([1.0, 2.0, 2.0, 1.0])
    x = np.zeros((4, 1), np.float32)
    tree = grow_regression(x, y, w, "squared_error")
    assert_allclose([tree.value, tree.impurity], [[23 / 6], [(1 + 8 + 32 + 100) / 6 - (23 / 6) ** 2]])
    tree = grow_regression(x, y, w, "absolute_error")
    assert_allclose([tree.value, tree.impurity], [[3.0], [(2 + 2 + 2 + 7) / 6]])  # half the weight is up to 2
    tree = grow_regression(x, y, w + np.eye(4)[1], "absolute_error")
    assert tree.value == [2.0]


def test_large_means_cost_no_digits() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(300, 3)), np.round(rng.normal(size=300) * 2**20) / 2**20
    for error in IMPURITIES:
        near, far = (grow_regression(x, y + mean, None, error) for mean in (0.0, 2.0**30))
        same(far, near)
        assert_allclose(far.impurity, near.impurity, rtol=1e-12, atol=1e-15)


def test_nodes_of_very_different_spread_do_not_disturb_each_other() -> None:
    rng = np.random.default_rng(0)
    small = rng.normal(size=40)
    x = np.stack([np.repeat([0.0, 1.0], 40), rng.permutation(80)], axis=1)
    for error, spread, place in (*((error, 1e12, 1e14) for error in IMPURITIES), (SQUARED, 1e6, 1e9)):
        alone = grow_regression(x[:40], small, None, error)
        both = grow_regression(x, np.concatenate([small, spread * rng.normal(size=40) + place]), None, error)
        left = slice(1, 1 + len(alone.left))
        assert both.feature[0] == 0
        assert_array_equal(both.threshold[left], alone.threshold)


def test_a_node_of_equal_responses_is_a_leaf() -> None:
    x = np.arange(5.0)[:, None]
    for error in IMPURITIES:
        tree = grow_regression(x, np.full(5, 0.1), None, error, GrowthOptions(Stopping(min_gain=None)))
        assert (tree.left.tolist(), tree.impurity.tolist(), tree.value.tolist()) == ([-1], [0.0], [0.1])


def test_an_unknown_error_is_named() -> None:
    with pytest.raises(ValueError, match="squared_error, absolute_error, poisson; got 'huber'; pick one"):
        grow_regression(np.zeros((2, 1)), np.zeros(2), error="huber")


# Trees of sparse features are the trees of the same features, dense: by the reference builder and by ``grow``.

VALUES = np.array([-2, -1, 1, 1, 1, 3, 0.5], np.float32)


def features(rng: Any, n: int, d: int) -> Any:
    """Few different values of both signs, many, some or no zeros, and columns of zeros."""
    filled = rng.random((n, d)) < rng.choice([0.05, 0.3, 0.9, 1])
    return (filled * rng.choice(VALUES, (n, d))).astype(np.float32)


def stopping(seed: int) -> Stopping:
    """Rules that differ from seed to seed."""
    return Stopping([None, 4][seed % 2], 2, [1, 2, 5][seed % 3], [0, 3.0][seed % 5 == 1], [0.0, None, 0.01][seed % 3])


def growings(seed: int, d: int, rules: Stopping) -> list[GrowthOptions]:
    """All thresholds or random ones, of all features or of some that are drawn among all or those that vary."""
    drawn = [None, *(count for count in (1, 3) if count < d)]
    return [
        GrowthOptions(rules, count, splitter, seed, draw=draw)
        for count in drawn for splitter in ("best", "random") for draw in ("all", "varying")[: 1 + (count == 3)]
    ]  # fmt: skip


MINE = Criterion.from_loss(Loss("mine", lambda w, k, m: sum(x**2 for x in w) - 2 * w[k] + 1, itself))
SPARSE = {name: (as_criterion(value), 2) for name, value in NAMES.items()}
SPARSE |= {f"a loss of a user, {classes} classes": (MINE, classes) for classes in (2, 3, 5)}


@pytest.mark.parametrize("name", sorted(SPARSE))
def test_a_tree_is_the_dense_tree(name: str) -> None:
    criterion, k = SPARSE[name]
    if criterion.search.guarded:  # refused: see test_source_of
        return
    data = criterion_data(MINE, 40, k)
    assert data is not None and data.kind == FORMULA
    for seed in range(3):
        rng = np.random.default_rng([seed, len(name)])
        n, d = (int(rng.integers(*ends)) for ends in ((5, 120), (1, 25)))
        x, y = features(rng, n, d), rng.integers(0, k, n)
        weights = [None, rng.integers(1, 4, n).astype(float), rng.integers(1, 9, n) / 4][seed]
        weights = np.ceil(weights) if criterion.counting and weights is not None else weights
        rules = stopping(seed) if not criterion.search.negative else replace(stopping(seed), min_gain=None)
        for growing in growings(seed, d, rules):
            tree = grow_sparse(Sparse.of(csr_array(x)), y, k, criterion, growing, weights)
            assert difference(tree, grow(Training(x, y, k, weights), criterion, growing)) == ""


@pytest.mark.each_value
@pytest.mark.parametrize("error", ["squared_error", "absolute_error", "poisson"])
@pytest.mark.parametrize("seed", range(12))
def test_a_regression_tree_is_the_dense_tree(seed: int, error: str) -> None:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(5, 120)), int(rng.integers(1, 25))
    x = features(rng, n, d)
    y = rng.integers(0, 8, n).astype(float) if seed % 2 else rng.normal(size=n) + x[:, 0]
    y += 1e9 * (seed % 4 == 2 and error == "squared_error")  # a mean far from 0 costs no digits
    y = np.maximum(y, 0) * 2.0 ** (40 * (seed % 3) - 40) if error == "poisson" else y  # whatever the unit of counts
    weights = None if seed % 3 else rng.integers(1, 9, n) / 4
    for growing in growings(seed, d, stopping(seed)):
        tree = grow_regression(Sparse.of(csr_array(x)), y, weights, error, growing)
        other = grow_regression(x, y, weights, error, growing)
        assert difference(tree, other) == ""
        assert np.allclose(tree.value, other.value) and np.allclose(tree.impurity, other.impurity)


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
