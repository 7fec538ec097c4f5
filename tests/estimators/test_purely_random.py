"""Purely random trees in the estimator: the partition never depends on labels; every leaf votes by its majority."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from splitcrit import TreeClassifier


def test_equal_partitions_for_any_two_label_vectors() -> None:
    rng = np.random.default_rng(0)
    x = rng.random((300, 3))
    tree = TreeClassifier(splitter="purely_random", n_splits=25, random_state=4)
    one, other = (clone(tree).fit(x, rng.integers(0, 2, 300)) for _ in range(2))
    assert one.get_n_leaves() == 26
    assert np.array_equal(one.apply(x), other.apply(x))
    assert not np.array_equal(one.tree_.value, other.tree_.value)


def test_leaves_vote_by_majority_and_empty_ones_as_their_parent() -> None:
    x = np.array([[0.0], [0.1], [0.9], [1.0]])
    tree = TreeClassifier(splitter="purely_random", n_splits=40, random_state=0).fit(x, ["a", "a", "b", "b"])
    assert tree.predict(x).tolist() == ["a", "a", "b", "b"]
    assert np.isfinite(tree.tree_.value).all() and (tree.tree_.n_node_samples == 0).any()
    assert set(tree.predict(np.linspace(-1, 2, 50)[:, None])) == {"a", "b"}


@pytest.mark.parametrize("n_splits", [None, 0])
def test_the_number_of_splits_is_needed(n_splits: int | None) -> None:
    tree = TreeClassifier(splitter="purely_random", n_splits=n_splits)
    with pytest.raises(ValueError, match="makes n_splits splits; got n_splits="):
        tree.fit([[0.0], [1.0]], [0, 1])
    assert not hasattr(tree, "tree_")


def test_missing_values_are_refused() -> None:
    tree = TreeClassifier(splitter="purely_random", n_splits=3)
    with pytest.raises(ValueError, match="needs values; got nan in X"):
        tree.fit([[0.0], [np.nan], [1.0]], [0, 1, 0])
