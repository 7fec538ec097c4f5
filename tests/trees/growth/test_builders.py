"""The builders: the same tree node for node, whatever builds it; the tie rule; draws; purely random partitions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from growing import BY_FORMULA, grow_drawn, trees
from splitcrit import compiling, ne
from splitcrit.compiling import kernel
from splitcrit.criteria import decrease
from splitcrit.impurities import entropy, gini
from splitcrit.trees.growth import GrowthOptions, Stopping, Training, grow, nodes_compiled, one_loop
from splitcrit.trees.growth.grown_tree import best_first
from splitcrit.trees.growth.records import StoppingRules
from splitcrit.trees.growth.training import Ranks
from splitcrit.trees.growth.zero_gain import zero_gain
from splitcrit.trees.scan import midpoint
from splitcrit.trees.scan.random_keys import root_key
from splitcrit.trees.scan.random_thresholds import random_thresholds


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_thresholds_separate_their_neighbours(dtype) -> None:  # type: ignore[no-untyped-def]
    tiny = np.finfo(dtype).smallest_subnormal
    pairs = [
        (1.0, np.nextafter(dtype(1), dtype(2))),
        (0.0, tiny),
        (-tiny, 0.0),
        (np.finfo(dtype).min, np.finfo(dtype).max),
    ]
    pairs += [(-1.0, 1.0), (tiny, 2 * tiny), (1e30, np.nextafter(dtype(1e30), dtype(2e30)))]
    low, high = (np.array(side, dtype=dtype) for side in zip(*pairs, strict=True))
    cut = midpoint(low, high)
    assert cut.dtype == np.float64 and (low <= cut).all() and (cut < high).all()
    assert midpoint(np.array([1.0]), np.array([np.nan]))[0] == math.inf


def test_a_tie_goes_to_the_first_feature_and_threshold() -> None:
    x = np.array([[0, 0, 5], [1, 1, 4], [2, 2, 3], [3, 3, 2]], dtype=np.float64)
    y = np.array([0, 1, 1, 0])
    for tree in trees(x, y, 2, decrease(gini), Stopping(max_depth=1)):
        assert (tree.feature[0], tree.threshold[0]) == (0, 0.5)


def test_a_guarded_ratio_passes_over_gains_below_average() -> None:
    x = np.arange(40, dtype=np.float32)[:, None]
    y = np.array([0] * 17 + [1] * 3 + [0] * 3 + [1] * 16 + [0])
    free, guarded = BY_FORMULA[2], BY_FORMULA[3]
    cuts = np.arange(1, 40)
    tables = np.stack([np.stack([np.bincount(y[:c], minlength=2), np.bincount(y[c:], minlength=2)]) for c in cuts])
    gains, ratios = decrease(entropy)(tables), free(tables)
    allowed = np.flatnonzero(gains >= gains.mean())
    for tree in trees(x, y, 2, guarded, Stopping(max_depth=1)):
        assert tree.threshold[0] == cuts[allowed[np.argmax(ratios[allowed])]] - 0.5
    with pytest.raises(ValueError, match="compares all thresholds of a node; got splitter='random'"):
        grow(Training(x, y, 2), guarded, GrowthOptions(splitter="random"))


def test_best_first_keeps_the_splits_worth_most() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(300, 4)).astype(np.float32), rng.integers(0, 3, 300)
    columns = Training(x, y, 3)
    whole = grow(columns, decrease(gini))
    for leaves in (2, 5, 17):
        tree = best_first(whole, leaves)
        assert (tree.left < 0).sum() == leaves
        worth = whole.score * whole.weights.sum(axis=1)
        available, taken = [0], set()
        for _ in range(leaves - 1):
            best = max((i for i in available if whole.feature[i] >= 0), key=lambda i: worth[i])
            available.remove(best)
            available += [whole.left[best], whole.right[best]]
            taken.add((whole.depth[best], whole.feature[best], whole.threshold[best], whole.size[best]))
        inner = np.flatnonzero(tree.feature >= 0)
        assert {(tree.depth[i], tree.feature[i], tree.threshold[i], tree.size[i]) for i in inner} == taken


def test_random_splits_tell_missing_values_from_one_known_value() -> None:
    x, y = np.array([[np.nan], [1.0], [np.nan], [1.0]]), np.array([0, 1, 0, 1])
    for seed in range(5):
        for tree in trees(x, y, 2, decrease(gini), Stopping(), splitter="random", seed=seed):
            assert (tree.threshold[0], tree.missing_left[0], len(tree.feature)) == (1.0, False, 3)
    for tree in trees(x[::2], np.array([0, 1]), 2, decrease(gini), Stopping(), splitter="random"):
        assert len(tree.feature) == 1  # all values are missing


def test_other_dtypes_are_refused() -> None:
    with pytest.raises(TypeError, match="float32 or float64; got int64"):
        grow(Training(np.arange(4)[:, None], np.array([0, 1, 0, 1]), 2), decrease(gini))


# What the compiled loops do at a node: splits that gain nothing are undone, draws are those of the level by level.

compiling.OURS = *compiling.OURS, __name__  # the loop is kept on disk, too, by a digest of all that it calls


@kernel
def called(links, reals, rules):  # type: ignore[no-untyped-def]
    """Call the function of compiled loops."""
    nodes_compiled.undone(links, reals, 0, 1, rules)


def undone(left: np.ndarray, right: np.ndarray, lam: float) -> bool:
    """Tell whether the split of a node with these class counts is undone."""
    links, reals = np.full((2, 8), -1), np.zeros((2, len(left) + 1))
    links[0, nodes_compiled.FEATURE] = 3
    reals[0, 1:], reals[1, 1:] = left + right, left
    called(links, reals, StoppingRules.of(Stopping(), decrease(ne(lam))))
    assert np.isnan(reals[0, 0]) == (links[0, nodes_compiled.FEATURE] < 0)
    return bool(links[0, nodes_compiled.FEATURE] < 0)


@pytest.mark.parametrize("lam", [0.1, 0.5, 0.9])
def test_only_splits_without_gain_are_undone(lam: float) -> None:
    rng, found, all_zero = np.random.default_rng(0), 0, 0
    for _ in range(1500):
        classes = int(rng.integers(2, 7))
        left, right = (rng.integers(0, 12, classes) * rng.integers(0, 2, classes) for _ in range(2))
        left[0], right[0] = rng.integers(1, 60, 2)
        zero = bool(zero_gain(left[None], right[None], decrease(ne(lam)))[0])
        gone = undone(left, right, lam)
        assert zero or not gone, (left, right)
        found, all_zero = found + gone, all_zero + zero
    assert found > 0.8 * all_zero > 100


def test_a_rule_without_zone_undoes_nothing() -> None:
    assert not undone(np.array([3, 0]), np.array([4, 0]), 2.0)


def test_a_tree_is_not_grown_below_splits_that_gain_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, rows = np.random.default_rng(2), []
    x = rng.normal(size=(3000, 6)).astype(np.float32)
    y = (x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=3000) > 0).astype(int)
    kept = one_loop.tree_of_rows
    monkeypatch.setattr(one_loop, "tree_of_rows", lambda *args: (rows.append(len(args[2].links)), kept(*args))[1])
    tree = grow_drawn(Ranks.of(x), y, 2, decrease(ne(0.5)), GrowthOptions(max_features=2, seed=1))
    assert tree is not None and len(tree.left) > 100
    assert rows[0] < 1.2 * len(tree.left)


def test_random_thresholds_are_those_of_the_levels() -> None:
    rng = np.random.default_rng(3)
    low = rng.normal(size=(40, 5)).astype(np.float32)
    high = low + np.abs(rng.normal(size=low.shape)).astype(np.float32) * np.float32(1e-6)
    keys = np.array([root_key(seed) for seed in range(40)])
    expected, _ = random_thresholds(keys, low, high)
    for j, f in np.ndindex(low.shape):
        if low[j, f] < high[j, f]:
            assert nodes_compiled.random_threshold(keys[j], f, low[j, f], high[j, f]) == expected[j, f]
