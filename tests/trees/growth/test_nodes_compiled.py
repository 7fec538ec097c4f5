"""What the compiled loops do at a node: splits that gain nothing are undone, draws are those of the level by level."""

import numpy as np
import pytest

from growing import grow_drawn
from splitcrit import compiling, decrease, ne
from splitcrit.compiling import kernel
from splitcrit.trees.growth import GrowthOptions, Stopping, nodes_compiled, one_loop
from splitcrit.trees.growth.records import StoppingRules
from splitcrit.trees.growth.training import Ranks
from splitcrit.trees.growth.zero_gain import zero_gain
from splitcrit.trees.scan.random_keys import random_thresholds, root_key

compiling.OURS = *compiling.OURS, __name__  # the loop is kept on disk, too, by a digest of all that it calls


@kernel
def called(links, reals, rules):  # type: ignore[no-untyped-def]
    """Call the function of compiled loops."""
    nodes_compiled.undone(links, reals, 0, 1, rules)


@kernel
def random_threshold(key, f, low, high):  # type: ignore[no-untyped-def]
    """Call the function of compiled loops."""
    return nodes_compiled.random_threshold(key, f, low, high)


def undone(left: np.ndarray, right: np.ndarray, lam: float) -> bool:
    """Whether the split of a node with these class counts is undone."""
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
            assert random_threshold(keys[j], f, low[j, f], high[j, f]) == expected[j, f]
