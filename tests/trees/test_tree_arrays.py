"""A tree with splits taken back predicts as if its rows stopped at the nodes that no longer divide."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from splitcrit.trees.estimators.sklearn_tree import without_splits
from splitcrit.trees.tree_arrays import Structure, nodes_kept

X, Y = load_iris(return_X_y=True)
X = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
GROWN = DecisionTreeClassifier(random_state=0).fit(X, Y)


@pytest.mark.parametrize("seed", range(5))
def test_rows_stop_where_nodes_no_longer_divide(seed: int) -> None:
    divides = np.random.default_rng(seed).random(GROWN.tree_.node_count) < 0.7
    divides[0] |= seed > 0
    found, tree = without_splits(GROWN, divides), GROWN.tree_
    kept = nodes_kept(Structure.of(GROWN), divides)
    ends = []
    for path in GROWN.decision_path(X):
        stops = [i for i in sorted(path.indices) if not divides[i] or tree.children_left[i] < 0]
        ends.append(stops[0])
    assert kept[found.apply(X)].tolist() == ends
    assert np.array_equal(found.predict_proba(X), tree.value[ends][:, 0])
    assert found.get_depth() == max(len(path.indices) for path in found.decision_path(X)) - 1
    assert found.get_n_leaves() == len(set(kept) - set(kept[found.tree_.children_left >= 0]))


def test_all_splits_or_none() -> None:
    every = without_splits(GROWN, np.ones(GROWN.tree_.node_count, dtype=bool))
    assert (every.apply(X) == GROWN.apply(X)).all()
    assert every.tree_.__getstate__()["nodes"].tolist() == GROWN.tree_.__getstate__()["nodes"].tolist()
    none = without_splits(GROWN, np.zeros(GROWN.tree_.node_count, dtype=bool))
    assert (none.tree_.node_count, none.get_depth(), none.get_n_leaves()) == (1, 0, 1)
    assert GROWN.get_n_leaves() > 2
