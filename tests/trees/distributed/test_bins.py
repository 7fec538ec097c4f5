"""Bins and sketches of columns in partitions: uneven ones, empty ones, and ones of equal weights."""

from fractions import Fraction
from math import inf
from typing import Any

import dask.array as da
import numpy as np
import pytest

from parts import few, parted, problem, same
from splitcrit import TreeClassifier
from splitcrit.trees import DaskTreeClassifier, DaskTreeRegressor
from splitcrit.trees.distributed.sketch import Bins, Sketch
from splitcrit.trees.distributed.training_summary import TrainingSummary, summarised

FEW = 0  # all nodes are split by histograms
PARTS = {"one": [48], "uneven": [1, 30, 2, 15], "empty": [0, 20, 0, 0, 27, 1, 0]}


def cut(sizes: list[int], *arrays: Any) -> list[Any]:
    return [da.from_array(a, chunks=(tuple(sizes), *a.shape[1:])) for a in arrays]


@pytest.mark.each_value
@pytest.mark.parametrize("rows", [0, 12])
@pytest.mark.parametrize("parts", PARTS)
@pytest.mark.parametrize("values", [None, [0.25, 1.0, 5.0], [0.0, 1.0, 2.0]], ids=str)
def test_uneven_and_empty_partitions_grow_the_tree_in_memory(values: Any, parts: str, rows: int, monkeypatch) -> None:
    few(monkeypatch, rows)
    for seed in (0, 1):
        x, y = problem(48, 3, missing=bool(seed), seed=seed)
        given = [x, y] if values is None else [x, y, np.random.default_rng(seed).choice(values, 48)]
        options: dict[str, Any] = {"min_samples_leaf": 1 + seed, "min_weight_fraction_leaf": 0.03 * seed}
        options |= {"class_weight": "balanced"} if seed else {}
        xs = cut(PARTS[parts], *given)
        mine, local = DaskTreeClassifier(max_bins=64, **options).fit(*xs), TreeClassifier(**options).fit(*given)
        assert same(mine, local) and local.tree_.node_count > 5
        assert mine.score(*xs) == pytest.approx(local.score(*given), rel=1e-12)
        assert np.array_equal(mine.predict_proba(cut(PARTS[parts], x)[0]).compute(), local.predict_proba(x))


@pytest.mark.parametrize("first", [True, False])
def test_one_partition_of_equal_weights_does_not_stand_for_all(first: bool) -> None:
    """All weights of a partition are 1, those of the other are not."""
    x, y = problem(48, 3, seed=4)
    weights = np.where((np.arange(48) < 24) == first, 1.0, np.where(y == 0, 8.0, 0.25))
    local, plain = TreeClassifier().fit(x, y, weights), TreeClassifier().fit(x, y)
    assert same(DaskTreeClassifier(max_bins=64).fit(*parted(x, y, weights, rows=24)), local) and not same(local, plain)


def test_a_side_of_exactly_the_least_weight_is_allowed() -> None:
    """Two rows of 1/2 beside eight of 7/8: an eighth of the whole."""
    x, y = np.arange(10, dtype=np.float32)[:, None], (np.arange(10) > 1).astype(int)
    given = parted(x, y, np.array([0.5] * 2 + [0.875] * 8), rows=5)
    for share, rows in ((0.125, 2), (0.126, 3)):
        found = DaskTreeClassifier(max_bins=64, min_weight_fraction_leaf=share).fit(*given)
        assert found.tree_.n_node_samples[1] == rows


@pytest.mark.parametrize("values", [None, [0.25, 1.0, 3.0], [0.0, 1.0]], ids=str)
def test_means_of_leaves_are_rounded_once(values: Any) -> None:
    """Of responses far from 0, and whatever the partitions."""
    x, codes = problem(48, 3, missing=True, seed=5)
    y = np.array([-1.5, 0.5, 7.25])[codes] + 2.0**30
    weights = np.ones(48) if values is None else np.random.default_rng(5).choice(values, 48)
    mine = DaskTreeRegressor(max_bins=99, max_depth=3).fit(*cut(PARTS["empty"], x, y, weights))
    leaves = mine.to_local().apply(x)
    for leaf in set(leaves[weights > 0].tolist()):
        pairs = [(Fraction(float(w)), Fraction(float(v))) for w, v in zip(weights, y, strict=True)]
        inside = [pair for pair, at in zip(pairs, leaves, strict=True) if at == leaf]
        assert mine.tree_.value[leaf, 0, 0] == float(sum(w * v for w, v in inside) / sum(w for w, _ in inside))


def test_an_empty_partition_says_nothing_of_the_kind_of_labels() -> None:
    """It may hold numbers where the others hold words; two filled ones may not."""
    x, words = np.zeros((4, 2), np.float32), np.array(["no", "yes", "no", "no"])
    empty, filled = summarised(x[:0], np.empty(0), None, 9), summarised(x, words, None, 9)
    for parts in ([empty, filled], [filled, empty, empty]):
        found = TrainingSummary.merged(parts, 9)
        assert (found.target.labels.tolist(), found.target.rows.tolist(), found.ones) == (["no", "yes"], [3, 1], True)
    assert TrainingSummary.merged([empty, empty], 9).target.labels.tolist() == []
    with pytest.raises(TypeError, match="labels must be of one type; got strings and numbers"):
        TrainingSummary.merged([filled, summarised(x, np.arange(4), None, 9)], 9)


@pytest.mark.each_value
@pytest.mark.parametrize("bins", [2, 3, 5])
@pytest.mark.parametrize("missing", [False, True], ids=["known", "missing"])
def test_few_bins_are_columns_of_few_values(bins: int, missing: bool) -> None:
    """Thresholds lie between the largest value of a bin and the least of the next that the node has."""
    x, y = problem(48, 3, missing=missing, seed=8)
    x = np.round(x)  # so few values that sketches hold them all
    edges = Bins.of([Sketch.of(column, 8 * bins) for column in x.T], bins)
    codes, known, thresholds = edges.codes(x), ~np.isnan(x.T), {}
    for f, column in enumerate(x.T):
        low, high = edges.low[f], edges.high[f]
        inside, place = column[known[f]], codes[f][known[f]]
        assert (low[place] <= inside).all() and (inside <= high[place]).all()
        assert (high[:-1] < low[1:]).all() and len(low) <= bins
        for i in range(len(low)):  # a bin is a power of 2, so that half a sum of two tells which
            later = {(2.0**i + 2.0**j) / 2: float(high[i]) / 2 + float(low[j]) / 2 for j in range(i + 1, len(low))}
            thresholds |= {(f, between): value for between, value in later.items()}
    expected = TreeClassifier().fit(np.where(known, 2.0**codes, np.nan).T, y).tree_
    places = zip(expected.feature.tolist(), expected.threshold.tolist(), strict=True)
    between = [-2.0 if f < 0 else thresholds.get((f, value), inf) for f, value in places]
    for rows in (48, 20):
        found = DaskTreeClassifier(max_bins=bins).fit(*parted(x, y, rows=rows)).tree_
        assert found.feature.tolist() == expected.feature.tolist() and found.threshold.tolist() == between
        assert found.n_node_samples.tolist() == expected.n_node_samples.tolist() and len(between) > 5
