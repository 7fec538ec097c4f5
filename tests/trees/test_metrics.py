"""Accuracy, pure accuracy and the width of a tree, against figures worked out by hand."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from splitcrit import trees
from splitcrit.trees import accuracy, nodes_per_layer, pure_accuracy
from splitcrit.trees.estimators.sklearn_tree import without_splits
from splitcrit.trees.tree_arrays import Structure, nodes_kept


def test_accuracy_is_the_share_of_agreements() -> None:
    assert accuracy([1, 2, 3, 1], [1, 2, 1, 2]) == 0.5
    assert accuracy(["a"], ["a"]) == 1


def test_pure_accuracy_is_accuracy_less_chance() -> None:
    truth, guess = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 1, 0])
    agree = Fraction(4, 6)
    chance = sum(Fraction(int((truth == k).sum() * (guess == k).sum()), 36) for k in range(3))
    assert pure_accuracy(truth, guess) == pytest.approx(float((agree - chance) / (1 - chance)), rel=1e-12)
    assert pure_accuracy([1, 1], [1, 1]) == 0
    assert pure_accuracy([1, 1], [1, 2]) == 0
    assert pure_accuracy([1, 1], [2, 2]) == 0
    assert pure_accuracy([1, 2], [2, 1]) == -1


@pytest.mark.parametrize(
    ("truth", "guess", "words"),
    [
        ([], [], "equally long vectors"),
        ([1], [1, 2], "equally long vectors; got 1 and 2;"),
        (np.ma.masked_array([1, 2], [0, 1]), [1, 2], "masked"),
        ([0.5, 1], [0, 1], "a class is a word or an integer; got 2 different numbers such as 0.5"),
        ([float("nan"), 1], [0, 1], "a class is a word or an integer"),
        (np.array([1, "a"], dtype=object), [0, 1], "a class is a word or an integer; got objects of type int, str"),
        ([1j, 1], [0, 1], "real numbers"),
        (["a", "b"], [0, 1], "labels are words, as among true labels; got numbers"),
    ],
)
def test_labels_that_cannot_be_compared(truth: Any, guess: Any, words: str) -> None:
    for measure in (accuracy, pure_accuracy):
        with pytest.raises(ValueError, match=words):
            measure(truth, guess)


def test_floats_that_are_integers_and_objects_of_one_kind_are_classes() -> None:
    assert accuracy([1.0, 2.0], [1, 2]) == 1
    assert accuracy([2.0**53 - 1, 0], [2**53 - 1, 1]) == 0.5
    assert accuracy(np.array(["a", "b"], dtype=object), ["a", "a"]) == 0.5
    assert accuracy(np.array([1, 2], dtype=object), [1, 1]) == 0.5


def test_nodes_per_layer_count_those_that_branch() -> None:
    X, y = np.arange(8).reshape(-1, 1), np.array([0, 1, 0, 0, 1, 1, 0, 1])
    for tree in (DecisionTreeClassifier(random_state=0), trees.TreeClassifier()):
        fitted = tree.fit(X, y).tree_
        inner, depth = int((np.asarray(fitted.children_left) >= 0).sum()), int(fitted.max_depth)
        assert inner == 5 and depth >= 2
        assert nodes_per_layer(tree) == inner / depth
        assert nodes_per_layer(tree, layers="all") == inner / (depth + 1)
        leaf = tree.fit(X, np.zeros(8, int) if isinstance(tree, DecisionTreeClassifier) else y * 0 + (X[:, 0] < 0))
        assert nodes_per_layer(leaf) == nodes_per_layer(leaf, layers="all") == 0


def test_a_tree_of_many_branches_has_layers_too() -> None:
    tree = trees.MultiwayTreeClassifier().fit([[0], [1], [2]] * 4, [0, 1, 2] * 4)
    assert nodes_per_layer(tree) == 1 and nodes_per_layer(tree, layers="all") == 0.5


def test_what_has_no_tree_and_unknown_layers() -> None:
    with pytest.raises(TypeError, match="takes a fitted tree; got DecisionTreeClassifier"):
        nodes_per_layer(DecisionTreeClassifier())
    with pytest.raises(ValueError, match="layers is one of 'inner', 'all'"):
        nodes_per_layer(DecisionTreeClassifier().fit([[0], [1]], [0, 1]), layers="leaves")  # type: ignore[arg-type]


# A tree with splits taken back predicts as if its rows stopped at the nodes that no longer divide.

X, Y = load_iris(return_X_y=True)
X = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
GROWN = DecisionTreeClassifier(random_state=0).fit(X, Y)


@pytest.mark.parametrize("share", [0.0, 0.4, 0.7, 0.9, 1.0])
def test_rows_stop_where_nodes_no_longer_divide(share: float) -> None:
    divides = np.random.default_rng(1).random(GROWN.tree_.node_count) < share
    divides[0] |= share > 0
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
