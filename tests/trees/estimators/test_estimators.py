"""Criteria, labels, weights and draws of estimators; trees that are scikit-learn's but for ties; shares by hand."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from splitcrit import ForestRegressor, TreeClassifier, TreeRegressor, decrease, gce, gini, ne, sgini, twoing
from splitcrit.trees import MultiwayTreeClassifier

CATEGORIES = {"categorical_features", "max_exact_categories"}
# What a criterion may be.


@pytest.mark.parametrize("same", [("gini", gini), ("gini", decrease(gini)), (sgini, "sgini"), ("twoing", twoing)])
def test_a_name_an_impurity_and_a_criterion_mean_the_same(same: tuple, iris: tuple) -> None:
    trees = [TreeClassifier(criterion=criterion).fit(*iris).tree_ for criterion in same]
    assert trees[0].node_count > 3
    assert_array_equal(trees[0].threshold, trees[1].threshold)
    assert_array_equal(trees[0].impurity, trees[1].impurity)


# Values among parameters.


def test_names_of_parameters_and_repr() -> None:
    tree = TreeClassifier(criterion=ne(0.25), min_gain=None)
    assert set(tree.get_params()) == {*DecisionTreeClassifier().get_params(), "draw", "min_gain", *CATEGORIES}
    assert set(TreeRegressor().get_params()) == {*DecisionTreeRegressor().get_params(), "draw", "min_gain"} | (
        CATEGORIES & {*TreeRegressor().get_params()}
    )
    assert repr(tree) == "TreeClassifier(criterion=ne(lam=0.25), min_gain=None)"


# What a fitted tree gives.


@pytest.mark.parametrize(
    "labels",
    [
        np.array([7, -3, 7, 0], np.int8), np.array([2, 0, 2, 255], np.uint8), np.array([10**18, 0, -(10**18), 0]),
        np.array([True, False, True, True]), np.array([2.0, -1.0, 2.0, 0.0]), np.array(["b", "a", "c", "a"]),
        np.array(["b", "a", "c", "a"], dtype=object), np.array([b"b", b"a", b"c", b"a"]),
        np.array(["2020-01-02", "2020-01-01", "2020-01-03", "2020-01-01"], dtype="M8[D]"),
    ],
    ids=lambda labels: str(labels.dtype),
)  # fmt: skip
def test_classes_are_the_sorted_labels(labels: np.ndarray) -> None:
    x = np.arange(4.0)[:, None]
    for model in (TreeClassifier(min_gain=None), MultiwayTreeClassifier(criterion="gini")):
        tree = model.fit(x, labels)
        assert_array_equal(tree.classes_, np.unique(labels))
        assert tree.classes_.dtype == labels.dtype and tree.score(x, labels) == 1
        assert_array_equal(tree.predict(x), labels)


def test_pruning_path_and_importances(iris: tuple) -> None:
    path = TreeClassifier(criterion="entropy").cost_complexity_pruning_path(*iris)
    assert (np.diff(path.impurities) >= 0).all()
    leaves = [TreeClassifier(criterion="entropy", ccp_alpha=a).fit(*iris).get_n_leaves() for a in path.ccp_alphas]
    assert leaves == sorted(leaves, reverse=True)
    assert (leaves[0], leaves[-1]) == (TreeClassifier(criterion="entropy").fit(*iris).get_n_leaves(), 1)
    assert TreeClassifier().fit(*iris).feature_importances_.sum() == pytest.approx(1)


# Weights and randomness.


@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt_gini", "matushita", "credal", gce(0.7)], ids=str)
def test_any_weights_leave_pure_leaves(criterion: object) -> None:
    rng = np.random.default_rng(1)
    x, y, weights = rng.normal(size=(400, 3)), rng.integers(0, 3, 400), rng.lognormal(sigma=4, size=400)
    tree = TreeClassifier(criterion=criterion, min_gain=None).fit(x, y, weights)
    leaf = tree.tree_.children_left < 0
    assert_array_equal(tree.tree_.value[leaf].max(axis=2), 1)
    assert tree.score(x, y) == 1


def test_random_state_decides_draws_alone(iris: tuple) -> None:
    trees = [TreeClassifier(max_features=1, random_state=s).fit(*iris).tree_.threshold for s in (0, 0, 1, 2)]
    assert_array_equal(trees[0], trees[1])
    assert len({tuple(t) for t in trees}) == 3
    assert_array_equal(*[TreeClassifier(random_state=s).fit(*iris).tree_.threshold for s in (0, 1)])


def test_min_gain_none_goes_on_at_zero_gain() -> None:
    x, y = np.indices((10, 10)).reshape(2, -1).T, np.kron([[0, 1], [1, 0]], np.ones((5, 5), int)).ravel()
    assert TreeClassifier().fit(x, y).get_n_leaves() == 1
    assert TreeClassifier(min_gain=None).fit(x, y).score(x, y) == 1
    assert TreeClassifier(min_gain=0.3).fit(*datasets.load_iris(return_X_y=True)).get_n_leaves() == 3


# Gini and entropy trees are scikit-learn's wherever scores are not tied, node by node.

LOADERS = {
    "iris": lambda: datasets.load_iris(return_X_y=True),
    "wine": lambda: datasets.load_wine(return_X_y=True),
    "cancer": lambda: datasets.load_breast_cancer(return_X_y=True),
    "digits": lambda: datasets.load_digits(return_X_y=True),
    "two classes": lambda: datasets.make_classification(2000, 12, random_state=0),
    "diabetes": lambda: datasets.load_diabetes(return_X_y=True),
    "friedman": lambda: datasets.make_friedman1(1000, noise=1, random_state=0),
    "ten classes": lambda: datasets.make_classification(2000, 12, n_informative=8, n_classes=10, random_state=1),
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


# What fractions of rows and of weight mean in trees: where the best threshold lies once a limit binds, by hand.

Y = np.array([0, 0] + [1] * 8)  # best cut after two rows, the next best one after three
MODELS = [TreeClassifier(), TreeRegressor()]


def left(model: Any, weights: Any = None, more: int = 0, **options: Any) -> int:
    """How many of the ten rows the root sends left, 0 if it is a leaf; ``more`` rows of weight 0 come last."""
    x, y = np.concatenate([np.arange(10.0)[:, None], np.full((more, 1), 4.5)]), np.append(Y, np.zeros(more, int))
    if more:
        weights = np.append(np.ones(10) if weights is None else weights, np.zeros(more))
    tree = model.__class__(max_depth=1, **options).fit(x, y, sample_weight=weights).tree_
    if tree.node_count == 1:
        return 0
    assert tree.n_node_samples[0] == 10
    return int(tree.n_node_samples[1])


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize(("share", "expected"), [(0.1, 2), (0.2, 2), (0.21, 3), (0.3, 3), (0.35, 4), (0.5, 5)])
def test_a_share_of_rows_is_rounded_up_and_is_of_the_rows_passed(model: Any, share: float, expected: int) -> None:
    """Rows of weight 0 are rows passed, though no tree keeps them."""
    assert left(model, min_samples_leaf=share) == expected
    assert left(model, more=10, min_samples_leaf=share / 2) == expected
    assert left(model, np.full(10, 3.0), min_samples_leaf=share) == expected


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_share_of_rows_to_split_is_of_the_rows_passed(model: Any) -> None:
    assert left(model, min_samples_split=1.0) == 2
    assert left(model, more=10, min_samples_split=0.5) == 2
    assert left(model, more=10, min_samples_split=0.51) == 0  # 11 rows, and the root keeps 10
    assert left(model, min_samples_split=11) == 0 and left(model, min_samples_split=10) == 2


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_share_of_weight_is_of_the_weight_and_not_of_the_rows(model: Any) -> None:
    light, heavy = np.array([0.25] * 2 + [1.0] * 8), np.array([5.0] * 2 + [1.0] * 8)
    assert left(model, light, min_weight_fraction_leaf=0.05) == 2  # 0.425 of 8.5
    assert left(model, light, min_weight_fraction_leaf=0.06) == 3  # 0.51: two rows weigh 0.5
    assert left(model, heavy, min_weight_fraction_leaf=0.44) == 2  # 7.92 of 18: the sides weigh 10 and 8
    assert left(model, heavy, min_weight_fraction_leaf=0.45) == 0  # 8.1: no threshold leaves that on both sides
    assert left(model, light, more=10, min_weight_fraction_leaf=0.06) == 3
    even = np.array([0.5] * 2 + [0.875] * 8)
    assert [left(model, even, min_weight_fraction_leaf=share) for share in (0.125, 0.126)] == [2, 3]  # 1 of 8


def test_balanced_classes_weigh_as_much() -> None:
    """The two rows of one class weigh as much as the eight of the other: half of all."""
    assert left(TreeClassifier(), class_weight="balanced", min_weight_fraction_leaf=0.5) == 2
    assert left(TreeClassifier(), class_weight={0: 1.0, 1: 4.0}, min_weight_fraction_leaf=0.05) == 2  # 1.7 of 34
    assert left(TreeClassifier(), class_weight={0: 1.0, 1: 4.0}, min_weight_fraction_leaf=0.06) == 3
