"""``TreeRegressor(max_pvalue=...)``: which splits a test of their feature leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.stats import binom

from splitcrit import TreeRegressor
from splitcrit.nulls.column_tests import responses_test


def data(n: int = 200, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 4))
    x[::7, 1] = np.nan
    x[:, 3] = rng.integers(0, 5, n)
    return x, 2.0 * (x[:, 0] > 0) + 1.5 * (x[:, 3] == 2) + rng.normal(size=n)


def fitted(x: Any, y: Any, level: float | None = 0.05, **options: Any) -> Any:
    return TreeRegressor(max_pvalue=level, random_state=0, **{"max_depth": 4, **options}).fit(x, y).tree_


def test_a_tree_of_noise_is_split_no_more_often_than_the_level() -> None:
    """Of one feature, whose choice needs no correction."""
    level, sets, split = 0.1, 300, 0
    for seed in range(sets):
        rng = np.random.default_rng(seed)
        split += fitted(rng.integers(0, 9, (30, 1)), rng.exponential(size=30), level, max_depth=1).node_count > 1
    assert 0 < split <= binom.ppf(1 - 1e-4, sets, level)
    plain = sum(
        fitted(rng.integers(0, 9, (30, 1)), rng.exponential(size=30), None, max_depth=1).node_count > 1
        for rng in map(np.random.default_rng, range(20))
    )
    assert plain == 20


def test_splits_that_stay_are_those_of_the_whole_tree_from_the_root_down() -> None:
    x, y = data()
    whole, kept, one = fitted(x, y, None), fitted(x, y), fitted(x, y, 1.0)
    assert one.node_count == whole.node_count > kept.node_count > 1 == fitted(x, y, 0.0).node_count

    def same(a: int, b: int) -> None:
        assert kept.value[a] == whole.value[b] and kept.n_node_samples[a] == whole.n_node_samples[b]
        if kept.children_left[a] >= 0:
            assert (kept.feature[a], kept.threshold[a]) == (whole.feature[b], whole.threshold[b])
            same(kept.children_left[a], whole.children_left[b])
            same(kept.children_right[a], whole.children_right[b])

    same(0, 0)


@pytest.mark.parametrize("categories", [None, [3]])
def test_the_root_stays_if_its_test_says_so(categories: Any) -> None:
    x, _ = data()
    for effect in (0.3, 0.5, 0.7):
        rng = np.random.default_rng(1)
        y = effect * (np.nan_to_num(x[:, 1 if categories is None else 3]) > 1) + rng.normal(size=len(x))
        found = TreeRegressor(max_depth=1, categorical_features=categories).fit(x, y)
        column = x[:, 3 if found.tree_.feature[0] >= 4 else found.tree_.feature[0]]
        codes, ordered = np.unique(column, return_inverse=True)[1], found.tree_.feature[0] < 4
        rng = np.random.default_rng(np.random.SeedSequence(np.random.RandomState(0).randint(np.iinfo(np.int32).max)))
        p = responses_test(codes, y, rng, ordered=ordered, gaps=bool(np.isnan(column).any())).p
        for level, splits in ((p * 0.999, False), (min(1.0, p * 1.001), True)):
            tree = fitted(x, y, level, max_depth=1, categorical_features=categories)
            assert (tree.node_count > 1) is splits, (effect, level)


def test_weights_are_counts_of_rows_and_the_order_of_rows_does_not_matter() -> None:
    x, y = data()
    weights = np.random.default_rng(2).integers(0, 3, len(y))
    counted = TreeRegressor(max_pvalue=0.05, max_depth=4, random_state=0).fit(x, y, sample_weight=weights).tree_
    repeated = fitted(np.repeat(x, weights, axis=0), np.repeat(y, weights))
    order = np.random.default_rng(3).permutation(len(y))
    shuffled = fitted(x[order], y[order])
    for a, b in ((counted, repeated), (fitted(x, y), shuffled)):
        assert a.node_count > 1 and np.array_equal(a.threshold, b.threshold) and np.array_equal(a.feature, b.feature)


def test_what_cannot_be_tested_is_refused() -> None:
    x, y = data(30)
    with pytest.raises(
        ValueError, match=r"permutes samples and needs weights that are counts; got 0\.5; pass integers, or None"
    ):
        TreeRegressor(max_pvalue=0.05).fit(x, y, sample_weight=np.full(30, 0.5))
    with pytest.raises(ValueError, match=r"below 2\^31 in all; got 3e\+10; divide them"):
        TreeRegressor(max_pvalue=0.05).fit(x, y, sample_weight=np.full(30, 1e9))
    with pytest.raises(
        ValueError, match=r"sparse features do not test their responses; got max_pvalue=0\.05; pass X\.to"
    ):
        TreeRegressor(max_pvalue=0.05).fit(csr_array(np.nan_to_num(x)), y)
    with pytest.raises(ValueError, match="max_pvalue"):
        TreeRegressor(max_pvalue=1.5).fit(x, y)
