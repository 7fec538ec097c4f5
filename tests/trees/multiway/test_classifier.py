"""The multiway tree with the interface of scikit-learn: its contract, what each parameter does, real data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_iris

from splitcrit import twoing
from splitcrit.trees import MultiwayTreeClassifier


def sample(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray, int]:
    """Rows with a continuous, a coarse, a discrete and a constant feature, and labels that depend on some of them."""
    rng = np.random.default_rng(seed)
    classes = int(rng.integers(2, 5))
    x = np.column_stack([rng.normal(size=n), rng.normal(size=n).round(1), rng.integers(0, 4, n), np.ones(n)])
    y = (np.abs(x[:, 0]) * 2 + x[:, 2] + rng.random(n)).astype(int) % classes
    return x, y, classes


def fitted(seed: int = 3, **parameters: Any) -> tuple[MultiwayTreeClassifier, np.ndarray, np.ndarray]:
    x, y, _ = sample(seed, 300)
    return MultiwayTreeClassifier(**parameters).fit(x, y), x, y


def test_training_rows_end_in_the_leaves_that_counted_them() -> None:
    tree, x, y = fitted()
    for unseen in ("stop", "largest"):
        nodes = clone(tree).set_params(unseen=unseen).fit(x, y).apply(x)
        assert_array_equal(nodes, tree.apply(x))
    nodes = tree.apply(x)
    for leaf in np.unique(nodes):
        assert tree.tree_.width[leaf] == 0
        assert_array_equal(np.bincount(y[nodes == leaf], minlength=len(tree.classes_)), tree.tree_.counts[leaf])
    assert_array_equal(tree.predict(x), tree.classes_[tree.predict_proba(x).argmax(axis=1)])


@pytest.mark.each_value
@pytest.mark.parametrize("minnum", [2, 5, 20, 1000])
@pytest.mark.parametrize("parameters", [{}, {"linkage": "average", "max_clusters": 4}], ids=str)
def test_truncated_trees_are_the_trees_of_larger_minnum(minnum: int, parameters: dict[str, Any]) -> None:
    tree, x, y = fitted(**parameters)
    cut, grown = tree.truncated(minnum), clone(tree).set_params(minnum=minnum).fit(x, y)
    for name, values in vars(grown.tree_).items():
        assert_array_equal(getattr(cut.tree_, name), values)
    assert_array_equal(cut.labels_, grown.labels_)
    assert cut.nodes_per_layer_ == grown.nodes_per_layer_
    assert tree.minnum == 1


def test_minnum_cannot_be_lowered_afterwards() -> None:
    with pytest.raises(ValueError, match="a tree grown with minnum=5 holds those of larger ones; got 2; fit with the"):
        fitted(minnum=5)[0].truncated(2)


X = np.array([[1.0], [2.0], [10.0], [11.0], [50.0], [51.0]])
Y = np.array([0, 0, 1, 1, 2, 2])


def test_values_between_clusters_belong_to_the_nearer_and_in_the_middle_to_the_left() -> None:
    tree = MultiwayTreeClassifier(d_num=2).fit(X, Y)
    assert tree.tree_.width.tolist() == [3, 0, 0, 0]
    assert (tree.apply([[-5.0], [3.0], [6.0], [7.0], [30.0], [99.0]]) - 1).tolist() == [0, 0, 0, 1, 1, 2]


@pytest.mark.parametrize(
    ("unseen", "ends"), [("nearest", [0, 0, 0, 1, 2]), ("largest", [1, 1, 0, 1, 1]), ("stop", [-1, -1, 0, -1, -1])]
)
def test_values_that_no_child_has(unseen: str, ends: list[int]) -> None:
    x = np.array([[1.0], [1.0], [3.0], [3.0], [3.0], [6.0]])
    tree = MultiwayTreeClassifier(unseen=unseen).fit(x, [0, 0, 1, 1, 1, 2])
    assert (tree.apply([[0.0], [2.0], [1.0], [4.0], [9.0]]) - 1).tolist() == ends
    stopped = tree.predict_proba([[9.0]])[0]
    assert_allclose(stopped, {"nearest": [0, 0, 1], "largest": [0, 1, 0], "stop": [1 / 3, 1 / 2, 1 / 6]}[unseen])


def test_the_largest_child_is_the_one_of_most_rows_of_all_classes() -> None:
    x = np.repeat([1.0, 3.0, 6.0], [4, 6, 6])[:, None]
    y = [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2]
    tree = MultiwayTreeClassifier(criterion="gini", unseen="largest").fit(x, y)
    assert tree.tree_.counts[1:4].tolist() == [[4, 0, 0], [2, 2, 2], [2, 2, 2]]
    assert (tree.apply([[0.0], [2.0], [9.0]]) - 1).tolist() == [1, 1, 1]  # the first of two that are as large


def test_declared_features_branch_on_values() -> None:
    x, y = load_iris(return_X_y=True)
    frame = pd.DataFrame(x, columns=list("abcd"))
    for declared in ([0, 1, 2, 3], [True] * 4, list("abcd")):
        tree = MultiwayTreeClassifier(d_num=0, categorical_features=declared).fit(frame, y).tree_
        assert tree.by_value[tree.inner].all()
        assert_array_equal(tree.low[1:], tree.high[1:])
    none = MultiwayTreeClassifier(d_num=0).fit(frame, y).tree_
    assert not none.by_value.any()


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"criterion": twoing}, "a split into many rows needs a criterion for any number of them; got twoing, for 2"),
        ({"unseen": "middle"}, "unseen is one of 'nearest', 'largest', 'stop'; got 'middle'; pass one of them"),
        ({"categorical_features": [9]}, "categorical_features must be a mask, positions or names of features; got 9"),
    ],
)
def test_refusals(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        MultiwayTreeClassifier(**parameters).fit(X, Y)


def test_exports_say_the_tree() -> None:
    tree = MultiwayTreeClassifier(d_num=2).fit(pd.DataFrame({"size": X[:, 0]}), np.array(["s", "m", "l"])[Y])
    assert tree.to_text() == (
        "|--- size in [1, 2]: class s [0, 0, 2]\n"
        "|--- size in [10, 11]: class m [0, 2, 0]\n"
        "|--- size in [50, 51]: class l [2, 0, 0]\n"
    )
    assert MultiwayTreeClassifier(max_depth=0).fit(X, Y).to_text() == "class 0 [2, 2, 2]\n"
    deep, _, _ = fitted()
    assert len(deep.to_text().splitlines()) == len(deep.tree_.width) - 1
    assert all("..." in line or "class" in line for line in deep.to_text(max_depth=1).splitlines())
