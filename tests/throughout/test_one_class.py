"""Labels of one class: a single leaf that predicts it, as in scikit-learn, from every classifier."""

from __future__ import annotations

import pickle
from typing import Any

import dask.array as da
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from splitcrit import AdaptiveForestClassifier, AdaptiveTreeClassifier, ForestClassifier, TreeClassifier
from splitcrit.nulls.criterion_names import NAMES
from splitcrit.trees import MultiwayTreeClassifier

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 3))
LABELS: list[Any] = [0, 7, "a", True, 2.0]
CLASSIFIERS = [
    TreeClassifier(),
    TreeClassifier(splitter="random", min_gain=None, max_features=1),
    TreeClassifier(class_weight="balanced"),
    TreeClassifier(categorical_features=[0], min_samples_leaf=2, max_leaf_nodes=5, ccp_alpha=0.1),
    ForestClassifier(3),
    ForestClassifier(3, voting="hard", bootstrap=False, splitter="random"),
    AdaptiveTreeClassifier(),
    AdaptiveForestClassifier(3, refit=False),
    MultiwayTreeClassifier(),
    MultiwayTreeClassifier(linkage="average"),
]


def judged(model: Any, x: Any, label: Any) -> None:
    assert model.classes_.tolist() == [label]
    assert model.predict(x).tolist() == [label] * len(x)
    assert np.array_equal(model.predict_proba(x), np.ones((len(x), 1)))
    assert model.score(x, [label] * len(x)) == 1


@pytest.mark.each_value
@pytest.mark.parametrize("label", LABELS, ids=repr)
@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: repr(model).replace("\n", ""))
def test_one_class_is_predicted(model: Any, label: Any) -> None:
    fitted = clone(model).fit(X, [label] * len(X))
    for one in (fitted, pickle.loads(pickle.dumps(fitted))):
        judged(one, X, label)
    trees = getattr(fitted, "estimators_", [fitted])
    assert {tree.get_n_leaves() for tree in trees} == {1} and {tree.get_depth() for tree in trees} == {0}


@pytest.mark.parametrize(
    ("ours", "theirs"), [(TreeClassifier(), DecisionTreeClassifier()), (ForestClassifier(3), RandomForestClassifier(3))]
)
def test_it_is_what_scikit_learn_does(ours: Any, theirs: Any) -> None:
    y, weights = np.full(20, 3), RNG.random(20)
    one, other = (clone(model).fit(X, y, sample_weight=weights) for model in (ours, theirs))
    assert one.classes_.tolist() == other.classes_.tolist() and one.n_classes_ == other.n_classes_ == 1
    assert one.predict_proba(X).shape == other.predict_proba(X).shape
    assert one.predict_log_proba(X).shape == other.predict_log_proba(X).shape
    assert np.array_equal(one.feature_importances_, other.feature_importances_)


@pytest.mark.parametrize("name", sorted(NAMES.keys() - {"sum_minority"}))
def test_by_any_criterion(name: str) -> None:
    judged(TreeClassifier(criterion=name).fit(X, np.zeros(20, int)), X, 0)


def test_one_row_is_one_class() -> None:
    judged(TreeClassifier().fit([[1.0]], ["a"]), [[2.0]], "a")


@pytest.mark.parametrize("model", [TreeClassifier(), ForestClassifier(3), MultiwayTreeClassifier()])
def test_two_classes_after_one_and_one_after_two(model: Any) -> None:
    y = np.arange(20) % 2
    fitted = clone(model).fit(X, y * 0).fit(X, y)
    assert fitted.predict_proba(X).shape == (20, 2)
    judged(fitted.fit(X, y * 0), X, 0)


def test_in_partitions() -> None:
    from splitcrit.trees import DaskTreeClassifier

    x, y = da.from_array(X, chunks=(7, 3)), da.from_array(np.full(20, 4), chunks=7)
    for weight in (None, "balanced", {4: 2.0}):
        model = DaskTreeClassifier(class_weight=weight).fit(x, y)
        judged(model, X, 4)
        assert model.get_n_leaves() == 1 and model.predict(x).compute().tolist() == [4] * 20
        assert model.score(x, y) == 1
