"""Gini and entropy trees are scikit-learn's wherever scores are not tied, node by node."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
    make_friedman1,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from splitcrit import ForestRegressor, TreeClassifier, TreeRegressor

LOADERS = {
    "iris": lambda: load_iris(return_X_y=True),
    "wine": lambda: load_wine(return_X_y=True),
    "cancer": lambda: load_breast_cancer(return_X_y=True),
    "digits": lambda: load_digits(return_X_y=True),
    "two classes": lambda: make_classification(2000, 12, random_state=0),
    "diabetes": lambda: load_diabetes(return_X_y=True),
    "friedman": lambda: make_friedman1(1000, noise=1, random_state=0),
    "ten classes": lambda: make_classification(2000, 12, n_informative=8, n_classes=10, random_state=1),
}
RULES = [
    {},
    {"max_depth": 4},
    {"min_samples_leaf": 5},
    {"min_samples_split": 0.05, "min_weight_fraction_leaf": 0.01},
    {"min_impurity_decrease": 0.005},
    {"max_depth": 4, "ccp_alpha": 0.003},
    {"class_weight": "balanced"},
]


def without_ties(name: str) -> tuple[np.ndarray, np.ndarray]:
    """A data set with each column in its order, ties broken at random, and gaps between values of 0.5 to 1.5."""
    x, y = LOADERS[name]()
    rng = np.random.default_rng(7)
    ranks = np.stack([np.lexsort((rng.random(len(column)), column)).argsort() for column in x.T], axis=1)
    return (ranks + rng.uniform(-0.25, 0.25, x.shape)).astype(np.float32), y


def risk(tree, node: int) -> float:  # type: ignore[no-untyped-def]
    """The impurity left by a node's split, per weight; that of a leaf is its own."""
    left, right = tree.children_left[node], tree.children_right[node]
    if left < 0:
        return float(tree.impurity[node])
    w = tree.weighted_n_node_samples
    return float((w[left] * tree.impurity[left] + w[right] * tree.impurity[right]) / w[node])


def compare(ours, theirs) -> dict[str, int]:  # type: ignore[no-untyped-def]
    """Walk two trees together; below a node that differs nothing can be compared."""
    found, waiting = {"equal": 0, "tied": 0, "pure": 0}, [(0, 0)]
    while waiting:
        i, j = waiting.pop()
        assert ours.n_node_samples[i] == theirs.n_node_samples[j]
        assert_allclose(ours.weighted_n_node_samples[i], theirs.weighted_n_node_samples[j], rtol=1e-10)
        assert_allclose(ours.impurity[i], theirs.impurity[j], atol=1e-11)
        assert_allclose(ours.value[i], theirs.value[j], atol=1e-11)
        if (ours.feature[i], ours.threshold[i]) == (theirs.feature[j], theirs.threshold[j]):
            found["equal"] += 1
            if ours.feature[i] >= 0:
                sides = ("children_left", "children_right")
                waiting += [(getattr(ours, side)[i], getattr(theirs, side)[j]) for side in sides]
        elif ours.feature[i] < 0:
            assert ours.impurity[i] == 0, "a leaf where scikit-learn splits is pure, and its split due to rounding"
            found["pure"] += 1
        else:
            assert theirs.feature[j] >= 0 and abs(risk(ours, i) - risk(theirs, j)) < 1e-10, "splits differ by ties only"
            found["tied"] += 1
    return found


@pytest.mark.each_value
@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("name", [name for name in LOADERS if name not in ("diabetes", "friedman")])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_same_tree_but_for_ties(criterion: str, name: str, rules: dict) -> None:
    x, y = without_ties(name)
    ours = TreeClassifier(criterion=criterion, min_gain=None, **rules)
    for weights in (None, np.random.default_rng(3).uniform(0.1, 2, len(y))):
        tree, found = ours.fit(x, y, weights).tree_, []
        for state in (0, 4):  # another order of features, so other choices among ties
            theirs = DecisionTreeClassifier(criterion=criterion, random_state=state, **rules)
            found.append(compare(tree, theirs.fit(x, y, weights).tree_))
        assert max(one["equal"] - one["tied"] for one in found) > 0
        if weights is None and "class_weight" not in rules:
            assert sum(one["pure"] for one in found) == 0


@pytest.mark.each_value
@pytest.mark.parametrize("rules", RULES[:-1], ids=str)
@pytest.mark.parametrize("name", ["diabetes", "friedman"])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_same_regression_tree_but_for_ties(criterion: str, name: str, rules: dict) -> None:
    x, y = without_ties(name)
    rng = np.random.default_rng(3)
    y = (y + rng.uniform(size=len(y))) / y.std()
    ours = TreeRegressor(criterion=criterion, min_gain=None, **rules)
    theirs = DecisionTreeRegressor(criterion=criterion, random_state=0, **rules)
    for weights in (None, rng.uniform(0.1, 2, len(y))):
        found = compare(ours.fit(x, y, weights).tree_, theirs.fit(x, y, weights).tree_)
        assert found["equal"] > found["tied"] and found["pure"] == 0


def test_same_leaves_best_first() -> None:
    x, y = without_ties("ten classes")
    for leaves in (2, 7, 30):
        ours = TreeClassifier(max_leaf_nodes=leaves).fit(x, y)
        theirs = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0).fit(x, y)
        assert ours.get_n_leaves() == leaves
        assert compare(ours.tree_, theirs.tree_)["tied"] == 0
        assert_allclose(ours.predict_proba(x), theirs.predict_proba(x))


@pytest.mark.parametrize("name", ["iris", "cancer"])
def test_missing_values_go_where_scikit_learn_sends_them(name: str) -> None:
    x, y = without_ties(name)
    x[np.random.default_rng(2).uniform(size=x.shape) < 0.1] = np.nan
    ours = TreeClassifier(min_gain=None, max_depth=4).fit(x, y).tree_
    theirs = DecisionTreeClassifier(max_depth=4, random_state=0).fit(x, y).tree_
    assert compare(ours, theirs)["equal"] > 5
    if (ours.feature == theirs.feature).all():
        inner = ours.feature >= 0
        assert (ours.missing_go_to_left[inner] == theirs.missing_go_to_left[inner]).all()


@pytest.mark.parametrize("kind", [TreeRegressor, ForestRegressor])
def test_a_deprecated_name_is_what_it_is_in_scikit_learn(kind: type) -> None:
    with pytest.warns(FutureWarning, match="friedman_mse"):
        assert kind(criterion="friedman_mse").criterion == "squared_error"
