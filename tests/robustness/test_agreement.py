"""What two trees share: against their printed rules, on trees where the answer is known, and in the study."""

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from splitcrit import ForestClassifier, TreeClassifier, symmetric, tree_agreement


def sample(n, rng):
    X = rng.integers(0, 6, (n, 3)).astype(float)
    return X, ((X[:, 0] > 2) & (X[:, 1] > 1)).astype(int)


def rules(tree, node=0, path=()):
    """Every node as the path of what was asked above it, with what is asked or said there."""
    t = tree.tree_
    if t.children_left[node] < 0:
        return {(path, "leaf", tree.classes_[t.value[node, 0].argmax()])}
    asked = (t.feature[node], t.threshold[node])
    return (
        {(path, *asked)}
        | rules(tree, t.children_left[node], (*path, (*asked, "left")))
        | rules(tree, t.children_right[node], (*path, (*asked, "right")))
    )


@pytest.mark.each_value
@pytest.mark.parametrize("kind", [TreeClassifier, DecisionTreeClassifier])
@pytest.mark.parametrize("limits", [{"max_depth": 2}, {"min_samples_leaf": 10}, {}], ids=str)
def test_equal_nodes_are_equal_rules(kind, limits):
    shares = set()
    for seed in range(25):
        rng = np.random.default_rng(seed)
        X, y = sample(150, rng)
        seen = symmetric(0.15).flip(y, rng=rng)
        clean, noisy = (kind(**limits, random_state=0).fit(X, labels) for labels in (y, seen))
        found = tree_agreement(clean, noisy, *sample(200, rng))
        ours, theirs = rules(clean), rules(noisy)
        assert (found.clean_nodes, found.noisy_nodes) == (len(ours), len(theirs))
        assert found.equal == len(ours & theirs)
        assert found.share == len(ours & theirs) / len(ours | theirs)
        assert found.kept == len(ours & theirs) / len(ours)
        assert found.root == any(rule[0] == () for rule in ours & theirs)
        shares.add(found.share)
    assert len(shares) > 1


def test_errors_are_those_on_the_rows_given():
    rng = np.random.default_rng(0)
    X, y = sample(120, rng)
    seen = symmetric(0.3).flip(y, rng=rng)
    clean, noisy = TreeClassifier().fit(X, y), TreeClassifier().fit(X, seen)
    rows, truth = sample(500, rng)
    found = tree_agreement(clean, noisy, rows, truth)
    assert found.clean_error == 1 - clean.score(rows, truth)
    assert found.noisy_error == pytest.approx(1 - noisy.score(rows, truth), rel=1e-12)
    assert found.excess == found.noisy_error - found.clean_error > 0
    assert found.alike == np.mean(clean.predict(rows) == noisy.predict(rows)) < 1


def test_a_tree_that_goes_on_below_keeps_the_nodes_above():
    X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 0]
    stump, tree = TreeClassifier(max_depth=1).fit(X, y), TreeClassifier().fit(X, y)
    found = tree_agreement(stump, tree, X, y)
    assert found.root and (found.equal, found.clean_nodes, found.noisy_nodes) == (2, 3, 5)  # root and the pure leaf
    back = tree_agreement(tree, stump, X, y)
    assert (back.share, back.kept) == (found.share, 2 / 5) and found.share == 2 / 6


def test_leaves_of_other_classes_differ():
    one, other = (TreeClassifier(min_samples_leaf=2).fit([[1], [2], [3]], y) for y in ([0, 0, 1], [1, 1, 0]))
    found = tree_agreement(one, other, [[1]], [0])
    assert (found.equal, found.root, found.clean_error, found.noisy_error) == (0, False, 0.0, 1.0)


def test_categories_are_compared_by_subset():
    colours = np.array(["red", "green", "blue", "grey"])[np.random.default_rng(1).integers(0, 4, 200)]
    X = pd.DataFrame({"colour": pd.Categorical(colours)})
    y, other = np.isin(colours, ["red", "blue"]).astype(int), np.isin(colours, ["red", "grey"]).astype(int)
    grown = [TreeClassifier(categorical_features="from_dtype", max_depth=1).fit(X, labels) for labels in (y, y, other)]
    assert tree_agreement(grown[0], grown[1], X, y).share == 1
    found = tree_agreement(grown[0], grown[2], X, y)
    assert not found.root and found.equal == 0


def test_a_category_that_one_tree_sends_right_and_the_other_never_saw_tells_them_apart():
    colours = np.repeat(["red", "green", "blue", "grey"], 20)
    X = pd.DataFrame({"colour": pd.Categorical(colours)})
    y, some = np.isin(colours, ["red", "blue"]).astype(int), colours != "red"
    tree = TreeClassifier(categorical_features="from_dtype", max_depth=1).fit(X, y)
    other = TreeClassifier(categorical_features="from_dtype", max_depth=1).fit(X[some], y[some])
    assert tree.splits_[0].left == other.splits_[0].left and tree.splits_[0].right != other.splits_[0].right
    found = tree_agreement(tree, other, X, y)
    assert not found.root and found.equal == 0


def test_missing_values_on_other_sides_tell_trees_apart():
    X = [[1.0], [2.0], [3.0], [4.0], [np.nan], [np.nan]]
    left, right = (TreeClassifier().fit(X, [0, 0, 1, 1, gap, gap]) for gap in (0, 1))
    assert left.tree_.threshold[0] == right.tree_.threshold[0] == 2.5
    found = tree_agreement(left, right, X, [0, 0, 1, 1, 0, 0])
    assert not found.root and found.equal == 0 and (found.clean_error, found.noisy_error) == (0, 2 / 6)
    assert tree_agreement(left, left, X, [0, 0, 1, 1, 0, 0]).share == 1


def test_what_cannot_be_compared_is_refused():
    X, y = sample(60, np.random.default_rng(0))
    tree = TreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="the same features; got 3 and 2"):
        tree_agreement(tree, TreeClassifier().fit(X[:, :2], y), X, y)
    with pytest.raises(ValueError, match=r"the same classes; got \[0, 1\] and \[0, 1, 2\]"):
        tree_agreement(tree, TreeClassifier().fit(X, np.arange(60) % 3), X, y)
    with pytest.raises(ValueError, match="one true label for each row; got 60 rows"):
        tree_agreement(tree, tree, X, y[1:])
    for other in (TreeClassifier(), DecisionTreeRegressor().fit(X, y), ForestClassifier(2, random_state=0).fit(X, y)):
        with pytest.raises(TypeError, match=f"classification trees; got {type(other).__name__}"):
            tree_agreement(tree, other, X, y)
