"""`min_gain` is in the unit of the criterion's score: just below it a root splits, just above not."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
import pytest

from growing import trees
from splitcrit import (
    AdaptiveTreeClassifier,
    ForestClassifier,
    TreeClassifier,
    TreeRegressor,
)
from splitcrit.criteria import as_criterion
from splitcrit.nulls.criterion_names import NAMES
from splitcrit.trees import MultiwayTreeClassifier
from splitcrit.trees.growth.growth_options import Stopping

APART = 1e-7  # far above the rounding of a score and the width of a tie, far below the gaps between scores
NEVER_POSITIVE = {"sum_minority"}
TWO_ROWS_ONLY = {"twoing", "pairwise_gain", "one_vs_rest_pairwise_gain", "sum_minority"}


def problem(seed: int, noise: float = 0.25, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """A feature of two values that tells the classes, with noise, and others of many values that tell nothing."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1], n // 2))
    telling = np.where(rng.random(n) < noise, 1 - y, y)
    return np.stack([telling, *rng.integers(0, 9, (2, n))], axis=1).astype(float), y


def table_of_root(x: np.ndarray, y: np.ndarray, tree: Any) -> list[list[int]]:
    """The class counts left and right of the split of the root."""
    left = x[:, tree.feature[0]] <= tree.threshold[0]
    return [np.bincount(y[side], minlength=2).tolist() for side in (left, ~left)]


def score_of_root(name: str, x: np.ndarray, y: np.ndarray, tree: Any) -> float:
    """What the public function calls the score of the split of the root."""
    return float(as_criterion(NAMES[name])(table_of_root(x, y, tree)))


# The units, by hand, from the counts.


# The rule, in every grower.


@pytest.mark.each_value
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", sorted(NAMES.keys() - NEVER_POSITIVE))
def test_min_gain_is_in_the_unit_of_the_score(name: str, seed: int) -> None:
    x, y = problem(seed)
    whole = TreeClassifier(criterion=name, max_depth=1, min_gain=None).fit(x, y)
    score = score_of_root(name, x, y, whole.tree_)
    assert score > 0, "the draw tells something"
    for least, split in ((score * (1 - APART), True), (score * (1 + APART), False)):
        found = trees(x, y, 2, as_criterion(NAMES[name]), Stopping(max_depth=1, min_gain=least))
        assert [len(tree.feature) > 1 for tree in found] == [split] * len(found)
        makers = [
            TreeClassifier(criterion=name, max_depth=1, min_gain=least),
            ForestClassifier(1, criterion=name, max_depth=1, min_gain=least, bootstrap=False, max_features=None),
            AdaptiveTreeClassifier(family=lambda _: NAMES[name], grid=(0,), max_depth=1, min_gain=least),
        ]
        for maker in makers:
            fitted = maker.fit(x, y)
            tree = fitted.estimators_[0] if hasattr(fitted, "estimators_") else fitted
            assert (tree.get_depth() == 1) is split, maker
        if name not in TWO_ROWS_ONLY:
            shallow = MultiwayTreeClassifier(criterion=name, max_depth=1, min_gain=least).fit(x[:, :1], y)
            own = float(as_criterion(NAMES[name])(np.array([np.bincount(y[x[:, 0] == v]) for v in (0, 1)])))
            assert (shallow.get_depth() == 1) is (own > least)


@pytest.mark.parametrize("error", ["squared_error", "absolute_error"])
def test_min_gain_of_a_regression_is_a_decrease_of_the_error(error: str) -> None:
    x, y = np.arange(8.0)[:, None], np.array([0.0, 1, 0, 1, 5, 6, 5, 6])
    middle, risk = (np.mean, np.square) if error == "squared_error" else (np.median, np.abs)
    whole, *sides = (float(np.mean(risk(part - middle(part)))) for part in (y, y[:4], y[4:]))
    score = whole - sum(sides) / 2
    for least, split in ((score * (1 - APART), True), (score * (1 + APART), False)):
        tree = TreeRegressor(criterion=error, max_depth=1, min_gain=least).fit(x, y)
        assert (tree.get_depth() == 1) is split


@pytest.mark.parametrize("name", ["sgini", "entropy", "pairwise_gain", "significance"])
def test_min_gain_is_in_the_unit_of_the_score_in_partitions(name: str) -> None:
    from splitcrit.trees import DaskTreeClassifier

    x, y = problem(1)
    whole = TreeClassifier(criterion=name, max_depth=1, min_gain=None).fit(x, y)
    score = score_of_root(name, x, y, whole.tree_)
    for least, split in ((score * (1 - APART), True), (score * (1 + APART), False)):
        tree = DaskTreeClassifier(criterion=name, max_depth=1, min_gain=least)
        tree.fit(da.from_array(x, chunks=(15, 3)), da.from_array(y, chunks=15))
        assert (tree.get_depth() == 1) is split


def test_a_criterion_that_is_never_positive_says_so() -> None:
    x, y = problem(0)
    with pytest.raises(ValueError, match="never positive, so that a tree splits only if min_gain is None"):
        TreeClassifier(criterion="sum_minority").fit(x, y)
