"""Forests of partitions: each tree is that in memory on the same sample, and samples have the law of the bootstrap."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any

import numpy as np
import pytest

from parts import parted, same

pytest.importorskip("distributed.client", reason="needs Dask")
pytest.importorskip("sklearn", reason="needs scikit-learn")

import dask

from splitcrit import ForestClassifier, TreeClassifier
from splitcrit.distributed import DaskForestClassifier, resampling
from splitcrit.distributed import grow as growth
from splitcrit.distributed.resampling import times_drawn


@pytest.fixture(autouse=True)
def in_this_thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(growth, "few", lambda rows, features: 30)
    monkeypatch.setattr(resampling, "BLOCK", 64)
    with dask.config.set(scheduler="synchronous"):
        yield


def problem(n: int = 200) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 25, (n, 5)).astype(np.float32)
    x[rng.random(x.shape) < 0.1] = np.nan
    return x, np.array(["no", "perhaps", "yes"])[np.digitize(np.nan_to_num(x[:, 0]) + rng.normal(size=n), [8, 16])]


@pytest.mark.parametrize("criterion", ["gini", "entropy", "sgini"])
@pytest.mark.parametrize("bootstrap", [True, False])
def test_trees_are_those_in_memory_on_the_same_samples(criterion: str, bootstrap: bool) -> None:
    x, y = problem()
    options = {"criterion": criterion, "min_samples_leaf": 2, "max_features": 2}
    options["draw"] = "varying" if criterion == "entropy" else "all"
    forest = DaskForestClassifier(3, bootstrap=bootstrap, random_state=1, max_bins=99, **options)
    forest.fit(*parted(x, y, rows=33))
    for tree in forest.estimators_:
        weights = times_drawn(np.arange(len(x)), len(x), tree.random_state) if bootstrap else None
        local = TreeClassifier(random_state=tree.random_state, **options)
        local.fit(x, np.unique(y, return_inverse=True)[1], weights)
        assert same(tree, local) and local.tree_.node_count > 9
    mean = np.mean([tree.predict_proba(x) for tree in forest.estimators_], axis=0)
    assert np.allclose(forest.predict_proba(x), mean, rtol=1e-12)
    assert (forest.predict(x) == forest.classes_[forest.predict_proba(x).argmax(axis=1)]).all()


def test_partitions_do_not_matter_and_predictions_lie_where_rows_lie() -> None:
    x, y = problem()
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
    rows, runs = 128, 4000
    counts = np.array([times_drawn(np.arange(rows), rows, seed) for seed in range(runs)])
    expected = [comb(rows, k) * (1 / rows) ** k * (1 - 1 / rows) ** (rows - k) for k in range(4)]
    for k, share in enumerate(expected):
        assert abs((counts == k).mean() - share) < 5 * np.sqrt(share / (rows * runs))
    together = np.cov(counts.T)
    for inside in (together[:64, :64], together[:64, 64:], together[64:, 64:]):
        apart = inside[~np.eye(*inside.shape, dtype=bool)] if inside.shape[0] == inside.shape[1] else inside
        assert abs(apart.mean() + 1 / rows) < 0.002
    assert np.allclose(counts.mean(axis=0), 1, atol=5 / np.sqrt(runs))


def test_bad_input_is_one_sentence() -> None:
    x, y = problem(20)
    with pytest.raises(TypeError, match="features are a Dask array or data frame; got ndarray"):
        DaskForestClassifier(2).fit(x, y)
    with pytest.raises(ValueError, match="n_estimators"):
        DaskForestClassifier(0).fit(*parted(x, y))
