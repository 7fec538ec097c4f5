"""Rows go down by subsets where scikit-learn sends them by a column of 0 and 1 for each subset."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from splitcrit import ForestClassifier, TreeClassifier, TreeRegressor
from splitcrit.trees.estimators.categorical_tree import sides_table
from splitcrit.trees.estimators.walk import leaves, passed


def sample(seed: int, rows: int, levels: int) -> np.ndarray:
    """Return categories, numbers, and categories again, with missing values in each column."""
    rng = np.random.default_rng(seed)
    x = np.stack([rng.integers(0, levels, rows), rng.integers(-9, 10, rows) / 4, rng.integers(2, 5, rows)], axis=1)
    x[rng.random(x.shape) < 0.1] = np.nan
    return x


@pytest.mark.parametrize("model", [TreeClassifier(), TreeRegressor(criterion="absolute_error")], ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_leaves_and_paths_are_those_of_scikit_learn_over_columns(model: Any, seed: int) -> None:
    x, new = sample(seed, 200, 9), sample(seed + 50, 300, 12) + np.array([0, 0, 1])
    y = np.random.default_rng(seed).integers(0, 3, 200)
    tree = model.set_params(categorical_features=[0, 2]).fit(x, y)
    assert len(tree.splits_) > 1 and (tree.tree_.feature[list(tree.splits_)] >= 3).all()
    for rows in (x, new):
        wide = tree.widened(rows)
        np.testing.assert_array_equal(tree.apply(rows), tree.tree_.apply(wide))
        assert (tree.decision_path(rows) != tree.tree_.decision_path(wide)).nnz == 0
        np.testing.assert_array_equal(tree.predict(rows), tree.over_columns().predict(wide))


def test_a_leaf_alone_and_a_tree_of_numbers() -> None:
    x, y = sample(0, 60, 4), np.arange(60) % 2
    tree = TreeClassifier(categorical_features=[0]).fit(x, np.zeros(60))
    assert tree.apply(x).tolist() == [0] * 60 and tree.decision_path(x).toarray().tolist() == [[1]] * 60
    plain = TreeClassifier().fit(x, y)
    found = leaves(plain.nodes_, x, np.arange(3), sides_table([]))
    np.testing.assert_array_equal(found, plain.apply(x))
    assert (passed(plain.nodes_, found) != plain.decision_path(x)).nnz == 0


def test_members_of_a_forest_take_codes_that_the_forest_has_made() -> None:
    far, y = sample(3, 120, 6) + np.array([10, 0, 0]), np.arange(120) % 2
    forest = ForestClassifier(2, categorical_features=[0, 2], random_state=0).fit(far, y)
    codes = forest._validate_X_predict(far)
    assert np.nanmax(codes[:, 0]) < 10
    for tree in forest.estimators_:
        np.testing.assert_array_equal(tree.apply(codes, check_input=False), tree.apply(far))
    (nodes, where) = forest.decision_path(far)
    assert nodes.shape == (120, where[-1])
