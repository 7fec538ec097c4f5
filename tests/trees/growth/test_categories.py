"""Subsets of categories in growth, against brute force over all subsets of every node in exact or plain arithmetic."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from growing import BY_FORMULA, WITH_FORM
from splitcrit import criteria, decrease, impurities
from splitcrit.criteria import Criterion
from splitcrit.trees.growth import GrowthOptions, Stopping, grow, grow_regression
from splitcrit.trees.growth.category_ranks import METHODS, Recoding
from splitcrit.trees.scan import Columns, Limits
from splitcrit.trees.scan.subsets import best_order, class_scores, masks, shortcut

CRITERIA = [*WITH_FORM[:11], *BY_FORMULA[:3], criteria.imprecise_gain_ratio(1), BY_FORMULA[-1]]


def features(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two categorical columns around a numeric one, and the numbers of their categories."""
    x = np.stack([rng.integers(0, 5, n), rng.normal(size=n).round(1), rng.integers(0, 4, n)], axis=1)
    return x.astype(np.float32), np.array([5, 0, 4])


def candidates(x: np.ndarray, levels: np.ndarray, rows: np.ndarray) -> Any:
    """Yield which rows every candidate of a node sends left: all subsets, all thresholds."""
    for f, many in enumerate(levels):
        values = np.unique(x[rows, f])
        if not many:
            yield from (x[rows, f] <= v for v in values[:-1])
            continue
        for size in range(1, len(values)):
            for kept in combinations(values, size):
                yield np.isin(x[rows, f], kept)


def sent_left(x: np.ndarray, tree: Any, recoding: Recoding, node: int) -> np.ndarray:
    """Return which samples a node of a tree sends left."""
    f, d = int(tree.feature[node]), x.shape[1]
    if f < d:
        return x[:, f] <= tree.threshold[node]
    subset = recoding.subsets[f - d]
    return np.isin(x[:, subset.feature], subset.left)


def check_every_node(x: np.ndarray, levels: np.ndarray, tree: Any, recoding: Recoding, score: Any, least: int) -> int:
    """Hold the split of every node against the best of all candidates; return how many are by categories."""
    waiting, seen = [(0, np.arange(len(x)))], 0
    while waiting:
        node, rows = waiting.pop()
        assert tree.size[node] == len(rows)
        allowed = [left for left in candidates(x, levels, rows) if min(left.sum(), (~left).sum()) >= least]
        scores = [score(rows, left) for left in allowed]
        if tree.left[node] < 0:
            continue
        goes = sent_left(x, tree, recoding, node)[rows]
        assert score(rows, goes) == pytest.approx(max(scores), rel=1e-9, abs=1e-12)
        seen += tree.feature[node] >= x.shape[1]
        waiting += [(tree.left[node], rows[goes]), (tree.right[node], rows[~goes])]
    return seen


@pytest.mark.each_value
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
def test_every_node_takes_the_best_of_all_subsets(criterion: Criterion, classes: int) -> None:
    found = 0
    for seed, least in ((0, 1), (1, 1), (2, 4)):
        rng = np.random.default_rng(seed)
        x, levels = features(rng, 60)
        y = (x[:, 0] % classes + (rng.random(60) < 0.3)).astype(int) % classes
        hot = (y[:, None] == np.arange(classes)).astype(float)

        def score(rows: np.ndarray, left: np.ndarray, hot: np.ndarray = hot) -> float:
            return float(criterion([hot[rows[left]].sum(axis=0), hot[rows[~left]].sum(axis=0)]))

        recoding = Recoding(x, levels, 6)
        columns = Columns.of(x, y, classes)
        stopping = Stopping(max_depth=3, min_samples_leaf=least, min_gain=None)
        tree = grow(columns, criterion, GrowthOptions(stopping, recoding=recoding))
        found += check_every_node(x, levels, tree, recoding, score, least)
        assert all(subset.exact for subset in recoding.subsets)
    assert found > 3


@pytest.mark.each_value
@pytest.mark.parametrize("error", ["squared_error", "absolute_error", "poisson"])
def test_every_node_of_a_regression_takes_the_best_of_all_subsets(error: str) -> None:
    found = 0
    for seed, least in ((0, 1), (1, 1), (2, 4)):
        rng = np.random.default_rng(seed)
        x, levels = features(rng, 50)
        y = (x[:, 0] % 3) * 2.0 + rng.integers(0, 4, 50)
        y = np.where(rng.random(50) < 0.6, 0.0, y) if error == "poisson" else y
        weights = rng.integers(1, 4, 50).astype(float)
        centre = weighted_median if error == "absolute_error" else np.average

        def risk(rows: np.ndarray, y: np.ndarray = y, w: np.ndarray = weights, centre: Any = centre) -> float:
            middle = centre(y[rows], weights=w[rows])
            if error == "poisson":
                return float((w[rows] * y[rows] * np.log(np.where(y[rows] > 0, y[rows], middle) / middle)).sum())
            apart = y[rows] - middle
            return float((w[rows] * (apart**2 if error == "squared_error" else np.abs(apart))).sum())

        def score(rows: np.ndarray, left: np.ndarray, risk: Any = risk, y: np.ndarray = y) -> float:
            if error == "poisson" and not (y[rows[left]].any() and y[rows[~left]].any()):
                return -np.inf
            return risk(rows) - risk(rows[left]) - risk(rows[~left])

        recoding = Recoding(x, levels, 6)
        stopping = Stopping(max_depth=3, min_samples_leaf=least)
        tree = grow_regression(x, y, weights, error, GrowthOptions(stopping, recoding=recoding))
        found += check_every_node(x, levels, tree, recoding, score, least)
        assert all(subset.exact for subset in recoding.subsets)
    assert found > 3


def test_a_category_of_zeros_may_not_stand_alone_and_the_best_subset_is_no_cut_by_mean() -> None:
    """Zeros with the larger mean of the rest (0 and 2) against 1.5 save most; cuts by mean are 0 | rest or 2 | rest."""
    y, code = np.array([0.0, 2.0, 1.5]), np.arange(3.0)[:, None]
    recoding = Recoding(code, np.array([3]), 6)
    growing = GrowthOptions(Stopping(max_depth=1), recoding=recoding)
    tree = grow_regression(code, y, np.array([3.0, 1.0, 100.0]), "poisson", growing)
    assert sorted(tree.value[1:]) == pytest.approx([0.5, 1.5])
    [subset] = recoding.subsets
    assert subset.exact and {subset.left, subset.right} == {(0, 1), (2,)}


def weighted_median(y: np.ndarray, weights: np.ndarray) -> float:
    """Return a point of least weighted absolute deviation."""
    order = np.argsort(y)
    return float(y[order][np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)])


# The search alone.


def test_the_shortcut_is_used_only_where_it_is_proved() -> None:
    proved = [c for c in CRITERIA if shortcut(c, 2)]
    assert not {repr(c) for c in proved} & {"sgini", "agini", "imprecise_information_gain(s=1)"}
    assert len(proved) >= 8
    assert not any(shortcut(c, 3) for c in CRITERIA)


@pytest.mark.parametrize("criterion", [c for c in CRITERIA if shortcut(c, 2)], ids=repr)
def test_at_two_classes_the_order_is_as_good_as_all_subsets_where_it_is_proved(criterion: Criterion) -> None:
    rng = np.random.default_rng(1)
    tables = rng.integers(0, 6, size=(400, 6, 2)).astype(float)
    tables = tables[(tables.sum(axis=2) > 0).all(axis=1) & (tables.sum(axis=1) > 0).all(axis=1)]
    gap = losses(criterion, tables)
    assert gap.max() <= 1e-12 * np.abs(tables).max()


def losses(criterion: Criterion, tables: np.ndarray) -> np.ndarray:
    """Return how much less the best cut of ``best_order`` scores than the best subset."""
    sizes, scores = tables.sum(axis=2).astype(int), class_scores(criterion)
    ranks = best_order(tables, sizes, Limits(), scores)
    order = np.argsort(ranks, axis=1)
    left = np.take_along_axis(tables, order[..., None], axis=1).cumsum(axis=1)[:, :-1]
    cut = scores(left, tables.sum(axis=1)[:, None] - left, np.ones(left.shape[:2], dtype=bool)).max(axis=1)
    every = np.einsum("sp,mpk->msk", masks(tables.shape[1]), tables)
    whole = scores(every, tables.sum(axis=1)[:, None] - every, np.ones(every.shape[:2], dtype=bool)).max(axis=1)
    return np.asarray(whole - cut)


def test_a_split_says_how_it_was_found() -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 12, size=(400, 1)).astype(np.float32)
    y = rng.integers(0, 3, 400)
    for most, method in ((12, "all subsets"), (11, "several orders")):
        recoding = Recoding(x, np.array([12]), most)
        grow(Columns.of(x, y, 3), decrease(impurities.gini), GrowthOptions(Stopping(max_depth=1), recoding=recoding))
        assert [subset.method for subset in recoding.subsets] == [method]
        assert recoding.subsets[0].exact == (method == "all subsets")
        assert sorted(recoding.subsets[0].left + recoding.subsets[0].right) == list(range(12))
    recoding = Recoding(x, np.array([12]), 12)
    growing = GrowthOptions(Stopping(max_depth=2), splitter="random", seed=1, recoding=recoding)
    grow(Columns.of(x, y, 3), decrease(impurities.gini), growing)
    assert {subset.method for subset in recoding.subsets} == {"random"}
    assert set(METHODS) >= {"mean response", "all subsets", "several orders"}
