"""The trees on a simulated scikit-learn 1.10, whose ``Tree`` takes a fourth argument and whose nodes have more fields.

The simulation refuses what 1.10 would compute wrongly with: a node of other fields, a split whose kind is not that of a
split by a number, a leaf that is not marked as one, a number of categories for each of other features.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import sklearn.tree._classes as classes
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.tree import export_text as exported
from sklearn.tree._tree import NODE_DTYPE
from sklearn.tree._tree import Tree as Present

from splitcrit import ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor
from splitcrit.trees import export_graphviz, export_text
from splitcrit.trees.estimators.sklearn_tree import lender, without_splits

BY_NUMBER, LEAF = 1, -1  # kinds of a split; a node of zeros is neither
FIELDS = [(name, NODE_DTYPE[name]) for name in NODE_DTYPE.names or ()]
NODE = np.dtype([*FIELDS, ("left_cat_bitset", np.uint32, (8,)), ("split_kind", np.int8)], align=True)


class Next(Present):  # type: ignore[misc]
    """A tree of 1.10: a node has a set of categories and a kind, a feature its number of categories, -1 of none."""

    def __new__(cls, n_features: int, n_classes: Any, n_outputs: int, n_categories: Any) -> Any:
        assert np.shape(n_categories) == (n_features,) and (np.asarray(n_categories) == -1).all()
        return Present.__new__(cls, n_features, n_classes, n_outputs)

    def __reduce__(self) -> Any:
        _, (features, n_classes, outputs), _ = super().__reduce__()
        return Next, (features, n_classes, outputs, np.full(features, -1)), self.__getstate__()

    def __getstate__(self) -> Any:
        state = super().__getstate__()
        nodes = np.zeros(len(state["nodes"]), NODE)
        for name, _ in FIELDS:
            nodes[name] = state["nodes"][name]
        nodes["split_kind"] = np.where(nodes["left_child"] < 0, LEAF, BY_NUMBER)
        return {**state, "nodes": nodes}

    def __setstate__(self, state: Any) -> None:
        given = state["nodes"]
        assert given.dtype == NODE, "nodes have the fields of 1.10"
        assert_array_equal(given["split_kind"], np.where(given["left_child"] < 0, LEAF, BY_NUMBER))
        assert not given["left_cat_bitset"].any()
        nodes = np.zeros(len(given), NODE_DTYPE)
        for name, _ in FIELDS:
            nodes[name] = given[name]
        super().__setstate__({**state, "nodes": nodes})


def following(n_features: int, n_classes: Any, n_outputs: int) -> Any:
    """What 1.10's own estimators make, which know the categories of their features."""
    return Next(n_features, n_classes, n_outputs, np.full(n_features, -1))


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(classes, "Tree", following)
    lender.cache_clear()
    yield
    lender.cache_clear()


RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4))
X[::7, 1] = np.nan
Y = (X[:, 0] + np.nan_to_num(X[:, 1]) + RNG.normal(size=300) > 0).astype(int) + (X[:, 2] > 1)
NEW = RNG.normal(size=(50, 4))
MODELS = [
    TreeClassifier(max_depth=5),
    TreeClassifier(ccp_alpha=0.01),
    TreeClassifier(criterion="sgini", categorical_features=[3], max_depth=4),
    TreeRegressor(max_depth=5),
    TreeRegressor(ccp_alpha=0.01),
    ForestClassifier(5, random_state=0),
    ForestRegressor(5, random_state=0, ccp_alpha=0.001),
]


def grown(model: Any) -> Any:
    rows = X.copy()
    rows[:, 3] = np.floor(rows[:, 3])
    return clone(model).fit(rows, Y if hasattr(model, "predict_proba") else rows[:, 2] + Y)


def test_the_simulation_refuses_a_tree_of_three_arguments_and_a_node_of_zeros() -> None:
    with pytest.raises(TypeError):
        Next(2, np.array([2]), 1)  # type: ignore[call-arg]
    tree = following(2, np.array([2], dtype=np.intp), 1)
    state = {"max_depth": 0, "node_count": 1, "nodes": np.zeros(1, NODE), "values": np.zeros((1, 1, 2))}
    with pytest.raises(AssertionError):
        tree.__setstate__(state)
    with pytest.raises(AssertionError):
        tree.__setstate__({**state, "nodes": np.zeros(1, NODE_DTYPE)})


@pytest.mark.usefixtures("next_version")
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_what_the_next_version_grows_and_predicts_is_what_this_one_does(model: Any, monkeypatch: Any) -> None:
    ours = grown(model)
    trees = [each.tree_ for each in getattr(ours, "estimators_", [ours])]
    assert {type(tree) for tree in trees} == {Next} and all(tree.node_count > 1 for tree in trees)
    again = pickle.loads(pickle.dumps(ours))
    shown = [] if hasattr(ours, "estimators_") else [export_text(ours), export_graphviz(ours)]
    monkeypatch.undo()
    lender.cache_clear()
    theirs = grown(model)
    for one in (ours, again):
        assert_array_equal(one.predict(NEW), theirs.predict(NEW))
        assert_array_equal(one.apply(NEW), theirs.apply(NEW))
        assert_allclose(one.feature_importances_, theirs.feature_importances_)
    assert shown == ([] if hasattr(ours, "estimators_") else [export_text(theirs), export_graphviz(theirs)])


@pytest.mark.usefixtures("next_version")
def test_the_next_version_prunes_and_prints_a_grown_tree() -> None:
    tree = grown(TreeClassifier())
    some = [grown(TreeClassifier(ccp_alpha=alpha)) for alpha in (0.0, 0.01, 1.0)]
    leaves = [each.get_n_leaves() for each in some]
    assert leaves[0] > leaves[1] > leaves[2] == 1
    assert len(tree.cost_complexity_pruning_path(np.floor(X), Y).ccp_alphas) > 5
    assert exported(tree, max_depth=99).count("class") == tree.get_n_leaves()


@pytest.mark.usefixtures("next_version")
def test_a_node_of_the_next_version_that_divides_no_more_is_a_leaf() -> None:
    tree = grown(TreeClassifier(max_depth=4))
    divides = tree.tree_.children_left >= 0
    divides[tree.tree_.children_left[0]] = False
    fewer = without_splits(tree, divides)
    assert 1 < fewer.tree_.node_count < tree.tree_.node_count
    assert fewer.tree_.children_left[1] == -1 and fewer.predict(NEW).shape == (50,)
