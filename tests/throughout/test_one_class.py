"""Labels of one class: a single leaf that predicts it, as in scikit-learn, from every classifier."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import dask.array as da
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from refusals import refused
from splitcrit import AdaptiveForestClassifier, AdaptiveTreeClassifier, ForestClassifier, TreeClassifier, TreeRegressor
from splitcrit.audits import audit
from splitcrit.columns import log_rank, ordinal, ranks
from splitcrit.inference import (
    HonestTreeClassifier,
    HonestTreeRegressor,
    InferenceTreeClassifier,
    InferenceTreeRegressor,
    significant_subtree,
    split_test,
)
from splitcrit.nulls import calibrated
from splitcrit.nulls.criterion_names import NAMES
from splitcrit.trees import DaskTreeClassifier, MultiwayTreeClassifier

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
    x, y = da.from_array(X, chunks=(7, 3)), da.from_array(np.full(20, 4), chunks=7)
    for weight in (None, "balanced", {4: 2.0}):
        model = DaskTreeClassifier(class_weight=weight).fit(x, y)
        judged(model, X, 4)
        assert model.get_n_leaves() == 1 and model.predict(x).compute().tolist() == [4] * 20
        assert model.score(x, y) == 1


# Whole weights count rows: every test, audit and calibrated comparison says so, and refuses weights of classes.

N = 60
DRAWS = np.random.default_rng(5)
FEATURES = DRAWS.normal(size=(N, 3)).round(1)
FEATURES[:, 1] = FEATURES[:, 1].round()  # a few levels
CLASSES = (DRAWS.random(N) < 0.3).astype(int)
NUMBERS = np.round(2.5 * CLASSES + 0.5, 1)  # two numbers, of which nobody says that they are classes
TIMES = np.column_stack([DRAWS.exponential(size=N), CLASSES])
GROWN = TreeClassifier(max_depth=2).fit(DRAWS.normal(size=(N, 3)), np.arange(N) % 2)
OF_NUMBERS = TreeRegressor(max_depth=2).fit(DRAWS.normal(size=(N, 3)), DRAWS.normal(size=N))
FEW: dict[str, Any] = {"n_permutations": 39, "max_depth": 1, "random_state": 0}

Fit = Callable[[Any, Any, Any], Any]


def split(**options: Any) -> Fit:
    return lambda x, y, w: split_test(x, y, sample_weight=w, **options)


def fitted(kind: Any, **options: Any) -> Fit:
    return lambda x, y, w: kind(**options).fit(x, y, w)


def with_rows(function: Any, model: Any) -> Fit:
    return lambda x, y, w: function(model, x, y, sample_weight=w)


STUMP: dict[str, Any] = {"criterion": "calibrated", "max_depth": 1}
ENTRIES: dict[str, tuple[Any, Fit]] = {
    "split_test of classes": (CLASSES, split()),
    "split_test of words": (np.where(CLASSES, "ill", "well"), split()),
    "split_test of numbers": (NUMBERS, split(response="numbers")),
    "split_test of times": (TIMES, split(response_scores=log_rank)),
    "split_test of grades": (CLASSES, split(response_scores=ordinal([0, 1]))),
    "selective tree": (CLASSES, fitted(InferenceTreeClassifier, **FEW)),
    "node tree": (CLASSES, fitted(InferenceTreeClassifier, test="node", **FEW)),
    "tree of a category": (CLASSES, fitted(InferenceTreeClassifier, **FEW, categorical_features=[1])),
    "regression tree": (NUMBERS, fitted(InferenceTreeRegressor, **FEW)),
    "tree of ranks": (NUMBERS, fitted(InferenceTreeRegressor, response_scores=ranks, **FEW)),
    "survival tree": (TIMES, fitted(InferenceTreeRegressor, response_scores=log_rank, **FEW)),
    "honest tree": (CLASSES, fitted(HonestTreeClassifier, random_state=0)),
    "honest regression tree": (NUMBERS, fitted(HonestTreeRegressor, random_state=0)),
    "significant subtree": (CLASSES, with_rows(significant_subtree, GROWN)),
    "significant regression subtree": (NUMBERS, with_rows(partial(significant_subtree, rng=0), OF_NUMBERS)),
    "audit": (CLASSES, with_rows(audit, GROWN)),
    "audit of numbers": (NUMBERS, with_rows(audit, OF_NUMBERS)),
    "calibrated": (CLASSES, fitted(TreeClassifier, **STUMP, categorical_features=[1])),
    "calibrated numbers": (NUMBERS, fitted(TreeRegressor, **STUMP, categorical_features=[1])),
    "forest": (CLASSES, fitted(ForestClassifier, n_estimators=2, bootstrap=False, **STUMP)),
}
REFUSED = (
    "weights of a test count equal rows and are no weights of classes; "
    "got one weight for each class of y, from 1 to 9; "
    "leave them out, or if they count rows, repeat these"
)
BY_CLASS = np.where(CLASSES == 1, 9, 1)


WEIGHTS: dict[str, Any] = {
    "none": None, "thrice": np.full(N, 3), "thirds": np.arange(N) % 3, "halves": np.arange(N) % 2, "by class": BY_CLASS,
    "many": np.full(N, 20), "ones": np.ones(N),
}  # fmt: skip


@cache
def taken(name: str, weights: str, repeated: bool = False) -> Any:
    """The answer of an entry to weights, or to rows that are repeated instead."""
    y, fit = ENTRIES[name]
    given = WEIGHTS[weights]
    if repeated:
        return fit(np.repeat(FEATURES, given, axis=0), np.repeat(y, given, axis=0), None)
    return fit(FEATURES, y, given)


@pytest.mark.parametrize("name", ENTRIES)
def test_weights_of_classes_are_refused_and_both_remedies_work(name: str) -> None:
    y, fit = ENTRIES[name]
    for weights in (BY_CLASS, BY_CLASS.astype(float), BY_CLASS.tolist()):
        assert str(refused("weight", fit, FEATURES, y, weights)) == REFUSED
    taken(name, "none"), taken(name, "by class", repeated=True)


def numbers_of(found: Any) -> list[Any]:
    """The numbers of a result, and where it predicts what it predicts."""
    if hasattr(found, "predict"):
        predicted = found.predict_proba(FEATURES) if hasattr(found, "predict_proba") else found.predict(FEATURES)
        return [predicted, getattr(found, "pvalues_", 0.0), len(getattr(found, "verdicts_", ()))]
    if hasattr(found, "tests"):
        return [found.tests.p, found.values]
    audited = hasattr(found, "splits")
    return [found.splits.tables.sum(axis=2), found.splits.sgini] if audited else [found.pvalue, found.score]


@pytest.mark.parametrize("name", ENTRIES)
def test_a_count_is_as_good_as_repeated_rows(name: str) -> None:
    """Equal ones, those that differ within a class, and none for some rows."""
    y, fit = ENTRIES[name]
    taken(name, "thrice")
    for weights in ("thirds", "halves"):
        found = numbers_of(taken(name, weights))
        if name != "forest":  # whose draws are others
            for one, other in zip(found, numbers_of(taken(name, weights, repeated=True)), strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-14)
    assert not all(map(np.array_equal, found, numbers_of(taken(name, "none"))))
    refused(r"count.*; got 0\.5", fit, FEATURES, y, np.full(N, 0.5))


def printed(found: Any) -> str:
    if isinstance(found, HonestTreeClassifier | HonestTreeRegressor):
        return str(found.result_)
    return str(found.export_text() if hasattr(found, "export_text") else found)


@pytest.mark.parametrize("name", list(ENTRIES)[: list(ENTRIES).index("calibrated")])
def test_results_say_that_weights_are_counts(name: str) -> None:
    said = "eights are read as counts: 1,200 observations."
    assert printed(taken(name, "many")).count(said) == 1
    for nothing in ("none", "ones"):
        assert "read as counts" not in printed(taken(name, nothing))


def test_class_weights_of_a_criterion_that_tests_nothing_are_taken() -> None:
    for criterion in ("gini", "sgini", "entropy"):
        weighted = TreeClassifier(criterion=criterion, max_depth=2).fit(FEATURES, CLASSES, BY_CLASS)
        assert weighted.tree_.weighted_n_node_samples[0] == BY_CLASS.sum()
    with pytest.raises(ValueError, match="are no weights of classes"):
        TreeClassifier(criterion="calibrated", class_weight={0: 1, 1: 9}).fit(FEATURES, CLASSES)
    rows = calibrated(weights="rows")  # a row of weight 9 stays one row, with nine times its response
    assert TreeClassifier(criterion=rows, max_depth=1).fit(FEATURES, CLASSES, BY_CLASS).tree_.node_count >= 1


def test_few_rows_get_a_remark_or_a_warning() -> None:
    x, y = np.arange(8.0)[:, None], [0, 0, 0, 0, 1, 1, 1, 1]
    weights = np.where(np.array(y) == 1, 9, 1)
    said = "Each class has one weight: if weights balance classes and count no rows, leave them out."
    found = split_test(x, y, sample_weight=weights)
    assert found.remarks == ("Weights are read as counts: 40 observations.", said)
    assert said in found._repr_html_()
    assert said in InferenceTreeClassifier(n_permutations=19).fit(x, y, weights).export_text()
    with pytest.warns(UserWarning, match="Each class has one weight"):
        TreeClassifier(criterion="calibrated").fit(x, y, weights)
