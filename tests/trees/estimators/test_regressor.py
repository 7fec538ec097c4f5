"""Regression trees and forests by Poisson deviance, and by a loss that a user wrote."""

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.metrics import mean_poisson_deviance
from sklearn.tree import DecisionTreeRegressor

from growing import SQUARED, squared
from refusals import refused
from splitcrit import Criterion, ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor, decrease, gini


def counts(n: int = 400) -> tuple[Any, Any]:
    """Features, and counts that two of them drive."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 4)).astype(np.float32)
    return x, rng.poisson(np.exp(x[:, 0] - x[:, 1] / 2)).astype(float)


def nodes(tree: Any) -> Any:
    return [getattr(tree.tree_, name) for name in ("feature", "threshold", "n_node_samples")]


def test_a_poisson_tree_is_that_of_scikit_learn_and_has_its_impurities() -> None:
    x, y = counts()
    y = y + np.random.default_rng(1).random(400) + 0.01  # no ties
    for options in ({"max_depth": 4}, {"min_samples_leaf": 7}, {"max_leaf_nodes": 9}, {"ccp_alpha": 0.01}):
        ours = TreeRegressor(criterion="poisson", min_gain=None, **options).fit(x, y)
        theirs = DecisionTreeRegressor(criterion="poisson", random_state=0, **options).fit(x, y)
        assert ours.tree_.node_count == theirs.tree_.node_count
        if "max_leaf_nodes" not in options:  # whose numbering differs
            for one, other in zip(nodes(ours), nodes(theirs), strict=True):
                assert_array_equal(one, other)
            assert_allclose(ours.tree_.impurity, theirs.tree_.impurity, rtol=1e-9, atol=1e-13)
        assert_allclose(ours.predict(x), theirs.predict(x), rtol=1e-10)


def test_a_leaf_predicts_more_than_zero_and_a_sample_of_zeros_in_a_forest_is_a_root() -> None:
    x, y = counts()
    tree = TreeRegressor(criterion="poisson").fit(x, y)
    assert (tree.predict(x) > 0).all() and mean_poisson_deviance(y, tree.predict(x)) < 0.5
    few = np.zeros(400)
    few[0] = 1
    for splitter in ("best", "random"):
        forest = ForestRegressor(8, criterion="poisson", splitter=splitter, max_features=1, random_state=0).fit(x, few)
        assert {tree.tree_.node_count for tree in forest.estimators_} == {1}
        assert 0 < forest.predict(x)[0] < 0.02


@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_weights_below_all_normal_numbers_keep_their_shares(kind: Any) -> None:
    x, y = counts()
    weights = 1.0 + np.arange(len(y)) % 3
    near, far = (kind(max_depth=3).fit(x, y, sample_weight=weights * unit).tree_ for unit in (1.0, 2.0**-1060))
    assert_array_equal(near.threshold, far.threshold)
    assert_array_equal(near.weighted_n_node_samples * 2.0**-1060, far.weighted_n_node_samples)


@pytest.mark.parametrize("kind", [TreeRegressor, ForestRegressor])
def test_another_unit_of_counts_changes_no_tree(kind: Any) -> None:
    x, y = counts()
    for options in ({}, {"splitter": "random"}, {"max_features": 1}):
        near, far, small = (
            kind(criterion="poisson", max_depth=4, random_state=3, **options).fit(x, y * 2.0**k) for k in (0, 450, -450)
        )
        for other, k in ((far, 450), (small, -450)):
            pair = [each.estimators_[0] if kind is ForestRegressor else each for each in (near, other)]
            for one, two in zip(*map(nodes, pair), strict=True):
                assert_array_equal(one, two)
            assert_array_equal(near.predict(x) * 2.0**k, other.predict(x))


@pytest.mark.parametrize(
    ("y", "got"), [([1, -2.5, 3], r"-2.5 \(Some y are negative\)"), ([0, 0, 0], r"only 0 \(Sum of y is not positive\)")]
)
def test_responses_without_a_deviance_are_named(y: Any, got: str) -> None:
    tree = TreeRegressor(criterion="poisson").fit([[0], [1]], [1, 2])
    before = tree.tree_
    refused(f"responses are 0 or more and not all 0; got {got}; pass counts, or", tree.fit, [[0], [1], [2]], y)
    assert tree.tree_ is before
    refused("Poisson", ForestRegressor(2, criterion="poisson").fit, [[0], [1], [2]], y)


def test_rows_of_weight_0_are_checked_and_have_no_say() -> None:
    x, y = counts()
    weights = (np.arange(400) % 3 > 0).astype(float)
    y[weights == 0] = -1
    refused("Some y are negative", TreeRegressor(criterion="poisson").fit, x, y, weights)
    zeros = TreeRegressor(criterion="poisson").fit([[0], [1], [2]], [0, 0, 4], [1, 1, 0])
    assert zeros.tree_.node_count == 1 and zeros.predict([[2]]).tolist() == [0]


@pytest.mark.parametrize("kind", [TreeRegressor, ForestRegressor])
@pytest.mark.parametrize("criterion", [SQUARED, Criterion.from_loss(SQUARED)], ids=repr)
def test_a_loss_of_a_user_is_a_criterion(kind: Any, criterion: Any) -> None:
    x, y = counts(150)
    x[::7, 1] = np.nan
    weights = np.random.default_rng(0).integers(0, 3, 150)
    options = {"max_depth": 4, "random_state": 0} | ({"n_estimators": 3} if kind is ForestRegressor else {})
    ours = kind(criterion=criterion, **options).fit(x, y, weights)
    theirs = kind(**options).fit(x, y, weights)
    assert_allclose(ours.predict(x), theirs.predict(x), rtol=1e-9 if criterion is not SQUARED else 1e-12)
    assert clone(ours).criterion is criterion and "squared" in repr(ours)
    again = pickle.loads(pickle.dumps(ours))
    assert again.criterion == criterion and (again.predict(x) == ours.predict(x)).all()
    refused("'criterion' parameter", kind(criterion=squared).fit, x, y)


def test_a_loss_of_a_user_orders_categories_by_mean_response() -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 6, (80, 1))
    y = np.array([3.0, 0, 5, 1, 4, 2])[x[:, 0]] + rng.normal(size=80) / 10
    given = {"categorical_features": [0], "max_depth": 2, "max_exact_categories": 1}
    ours, theirs = (TreeRegressor(criterion=c, **given).fit(x, y) for c in (SQUARED, "squared_error"))
    assert_allclose(ours.predict(x), theirs.predict(x), rtol=1e-12)
    assert not any(split.exact for split in ours.splits_.values())
    assert all(split.exact for split in theirs.splits_.values())


def test_criteria_of_classes_and_of_responses_are_not_mixed_up() -> None:
    x, y = counts(40)
    for kind in (TreeRegressor, ForestRegressor):
        with pytest.raises(ValueError, match=r"needs a regression loss; got decrease\(gini\); pass Criterion"):
            kind(criterion=decrease(gini)).fit(x, y)
    for other in (TreeClassifier, ForestClassifier):
        said = r"needs a criterion for classes; got responses in Criterion.from_loss\(squared\)"
        refused(said, other(criterion=Criterion.from_loss(SQUARED)).fit, x, y)
