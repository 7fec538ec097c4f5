"""Forests of partitions: each tree is that in memory on the same sample, and samples have the law of the bootstrap."""

from math import comb
from typing import Any

import dask
import numpy as np
import pytest

from parts import parted, problem, same
from splitcrit import ForestClassifier, TreeClassifier
from splitcrit.trees import DaskForestClassifier
from splitcrit.trees.distributed import histograms
from splitcrit.trees.distributed.histograms import times_drawn
from splitcrit.trees.estimators.weighing import summable
from splitcrit.trees.growth.weights import grid_of

FEW = 30


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histograms, "BLOCK", 64)


def named(n: int = 200) -> tuple[Any, Any]:
    x, y = problem(n, 5, missing=True)
    return x, np.array(["no", "perhaps", "yes"])[y]


@pytest.mark.each_value
@pytest.mark.parametrize("kind", ["none", "counts", "any", "ones"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "sgini"])
@pytest.mark.parametrize("bootstrap", [True, False])
def test_trees_are_those_in_memory_on_the_same_samples(bootstrap: bool, criterion: str, kind: str) -> None:
    x, y = named()
    rng, n = np.random.default_rng(4), len(x)
    weights = {"counts": rng.integers(0, 4, n), "any": rng.gamma(0.3, size=n) + 1e-9}.get(kind, np.ones(n)) * 1.0
    if kind == "any" and not bootstrap:
        criterion = "gini"  # the others of these are of counts
    options = {"criterion": criterion, "min_samples_leaf": 2, "max_features": 2, "min_weight_fraction_leaf": 0.01}
    options["draw"] = "varying" if criterion == "entropy" else "all"
    given = [x, y] if kind == "none" else [x, y, weights]
    for rows in (200, 33):
        forest = DaskForestClassifier(3, bootstrap=bootstrap, random_state=1, max_bins=99, **options)
        forest.fit(*parted(*given, rows=rows))
        for tree in forest.estimators_:
            drawn = draws_of(weights, tree.random_state) if bootstrap else weights
            local = TreeClassifier(random_state=tree.random_state, **options)
            assert same(tree, local.fit(x, np.unique(y, return_inverse=True)[1], drawn)) and local.get_n_leaves() > 4
        mean = np.mean([tree.predict_proba(x) for tree in forest.estimators_], axis=0)
        assert np.allclose(forest.predict_proba(x), mean, rtol=1e-12)
        assert (forest.predict(x) == forest.classes_[forest.predict_proba(x).argmax(axis=1)]).all()
    if not bootstrap:
        local = ForestClassifier(3, bootstrap=False, random_state=1, **options).fit(*given)
        for tree, other in zip(forest.estimators_, local.estimators_, strict=True):
            assert tree.random_state == other.random_state and same(tree, other)


def draws_of(weights: Any, seed: int) -> Any:
    """How often each row is drawn by its weight; of a row without weight there is none."""
    widths = (summable(weights) / grid_of(weights.sum())).astype(np.int64)
    if (weights == 1).all():
        return times_drawn(np.arange(len(weights)), len(weights), seed)
    kept, starts = widths > 0, np.cumsum(widths) - widths
    found = np.zeros(len(weights))
    found[kept] = times_drawn(starts[kept], len(weights), seed, widths[kept], int(widths.sum()))
    return found


def test_partitions_do_not_matter_and_predictions_lie_where_rows_lie() -> None:
    x, y = named()
    one, other = (DaskForestClassifier(2, random_state=5).fit(*parted(x, y, rows=rows)) for rows in (200, 27))
    assert all(same(a, b) for a, b in zip(one.estimators_, other.estimators_, strict=True))
    local, (xs, ys) = other.to_local(), parted(x, y)
    assert type(local) is ForestClassifier and other.score(xs, ys) == other.score(x, y) == local.score(x, y)
    for method in ("predict", "predict_proba", "apply"):
        lazy = getattr(other, method)(xs)
        assert dask.is_dask_collection(lazy) and np.array_equal(lazy.compute(), getattr(local, method)(x))


@pytest.mark.parametrize("rows", [1, 63, 64, 1000])
def test_samples_are_as_large_as_the_training_set_and_follow_from_numbers(rows: int) -> None:
    every = times_drawn(np.arange(rows), rows, 3)
    assert every.sum() == rows
    some = np.random.default_rng(0).permutation(rows)[: rows // 2]
    assert np.array_equal(times_drawn(some, rows, 3), every[some])
    assert rows < 9 or not np.array_equal(times_drawn(np.arange(rows), rows, 4), every)


def test_the_law_is_that_of_draws_with_replacement() -> None:
    """Each count is binomial, and two rows, in one block or in two, are correlated as multinomial counts are."""
    rows, runs = 128, 2000
    counts = np.array([times_drawn(np.arange(rows), rows, seed) for seed in range(runs)])
    expected = [comb(rows, k) * (1 / rows) ** k * (1 - 1 / rows) ** (rows - k) for k in range(4)]
    for k, share in enumerate(expected):
        assert abs((counts == k).mean() - share) < 5 * np.sqrt(share / (rows * runs))
    together = np.cov(counts.T)
    for inside in (together[:64, :64], together[:64, 64:], together[64:, 64:]):
        apart = inside[~np.eye(*inside.shape, dtype=bool)] if inside.shape[0] == inside.shape[1] else inside
        assert abs(apart.mean() + 1 / rows) < 0.002
    assert np.allclose(counts.mean(axis=0), 1, atol=5 / np.sqrt(runs))


def test_rows_are_drawn_in_proportion_to_their_weights() -> None:
    """Each count is binomial; the heaviest row has places in several blocks."""
    widths = np.concatenate([[700], np.random.default_rng(0).integers(1, 9, 199)])
    starts, whole, rows, runs = np.cumsum(widths) - widths, int(widths.sum()), 200, 2000
    counts = np.array([times_drawn(starts, rows, seed, widths, whole) for seed in range(runs)])
    assert (counts.sum(axis=1) == rows).all() and whole // 700 < -(-rows // histograms.BLOCK)
    share = widths / whole
    mean, spread = rows * share, np.sqrt(rows * share * (1 - share))
    assert (np.abs(counts.mean(axis=0) - mean) < 5 * spread / np.sqrt(runs)).all()
    assert np.allclose(counts.std(axis=0), spread, rtol=0.15)
    some = np.random.default_rng(1).permutation(rows)[:77]
    assert np.array_equal(times_drawn(starts[some], rows, 3, widths[some], whole), counts[3][some])


def test_fractions_are_refused_where_counts_are_scored() -> None:
    x, y = named(60)
    weights = np.where(np.arange(60) % 2, 0.5, 1.25)
    with pytest.raises(ValueError, match="sgini"):
        DaskForestClassifier(2, criterion="sgini", bootstrap=False).fit(*parted(x, y, weights))
    assert DaskForestClassifier(2, criterion="sgini", random_state=0).fit(*parted(x, y, weights)).n_classes_ == 3
