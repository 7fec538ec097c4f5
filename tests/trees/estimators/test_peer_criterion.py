"""Criteria in scikit-learn's own trees: the same splits as ours, the best of all cuts by the formula."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

import splitcrit
from splitcrit import Criterion, TreeClassifier, sklearn_criterion

CRITERIA = [
    splitcrit.decrease(splitcrit.gini),
    splitcrit.decrease(splitcrit.entropy),
    splitcrit.decrease(splitcrit.sqrt_gini),
    splitcrit.decrease(splitcrit.gce(0.7)),
    splitcrit.decrease(splitcrit.ne(0.5)),
    splitcrit.twoing,
    splitcrit.hellinger,
    splitcrit.pairwise_gain,
]


def sample(classes: int, n: int = 400, noise: float = 0.7) -> tuple[Any, Any]:
    """Features without ties, and labels that depend on three of them."""
    rng = np.random.default_rng(classes)
    X = rng.normal(size=(n, 4)).astype(np.float32)
    means = X[:, 0] + X[:, 1] * (X[:, 2] > 0) + noise * rng.normal(size=n)
    return X, np.digitize(means, np.quantile(means, np.arange(1, classes) / classes))


def allowed(classes: int) -> list[Criterion]:
    return [criterion for criterion in CRITERIA if criterion.classes in (None, classes)]


def test_what_is_absent_is_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "splitcrit_sklearn", None)
    said = "need the package in bindings/sklearn; got no module splitcrit_sklearn; pip install ./bindings/sklearn"
    with pytest.raises(ModuleNotFoundError, match=said):
        sklearn_criterion("gini")
    with pytest.raises(TypeError, match="a criterion or an impurity is expected"):
        sklearn_criterion(3)


@pytest.fixture
def binding() -> Any:
    return pytest.importorskip("splitcrit_sklearn", reason="bindings/sklearn is not installed (pip install it)")


@pytest.mark.usefixtures("binding")
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_trees_are_those_of_splitcrit(classes: int) -> None:
    """In large leaves, where no two cuts score alike: which of equal cuts is taken is scikit-learn's own rule."""
    X, y = sample(classes, 2000, noise=2)
    size: dict[str, Any] = {"max_depth": 3, "min_samples_leaf": 100}
    for criterion in allowed(classes):
        theirs = DecisionTreeClassifier(criterion=sklearn_criterion(criterion), random_state=0, **size).fit(X, y)
        ours = TreeClassifier(criterion=criterion, min_gain=None, **size).fit(X, y)
        assert np.array_equal(theirs.tree_.feature, ours.tree_.feature), criterion
        assert theirs.tree_.threshold == pytest.approx(ours.tree_.threshold, abs=1e-6)
        assert theirs.tree_.impurity == pytest.approx(ours.tree_.impurity, abs=1e-12)
        assert np.array_equal(theirs.predict_proba(X), ours.predict_proba(X))


@pytest.mark.usefixtures("binding")
@pytest.mark.parametrize("weights", [None, {0: 1.0, 1: 3.5, 2: 0.25}])
def test_each_split_has_the_best_score_of_all_cuts(weights: Any) -> None:
    """Tied values and tied scores too."""
    X, y = sample(3, 120)
    X = X.round(1)
    weight = np.ones(3) if weights is None else np.array([weights[k] for k in range(3)])
    for criterion in allowed(3):
        tree = DecisionTreeClassifier(criterion=sklearn_criterion(criterion), max_depth=3, class_weight=weights)
        paths = tree.fit(X, y).decision_path(X).toarray().astype(bool)

        def score(left: Any, rows: Any, criterion: Criterion = criterion) -> float:
            table = [np.bincount(y[rows & side], minlength=3) * weight for side in (left, ~left)]
            return float(criterion(np.array(table)))

        for node in np.flatnonzero(tree.tree_.feature >= 0):
            rows, f = paths[:, node], tree.tree_.feature[node]
            cuts = [X[:, j] <= c for j in range(4) for c in np.unique(X[rows, j])[:-1]]
            best = max(score(left, rows) for left in cuts)
            assert score(X[:, f] <= tree.tree_.threshold[node], rows) == pytest.approx(best, rel=1e-9, abs=1e-12)


@pytest.mark.usefixtures("binding")
def test_forests_take_it_and_models_are_copied() -> None:
    X, y = sample(2)
    criterion = sklearn_criterion(splitcrit.hellinger)
    forests = [RandomForestClassifier, ExtraTreesClassifier]
    for kind in forests:
        forest = kind(10, criterion=criterion, random_state=0, n_jobs=2, class_weight="balanced").fit(X, y)
        again = clone(forest).fit(X, y)
        assert np.array_equal(forest.predict_proba(X), again.predict_proba(X))
        assert np.array_equal(pickle.loads(pickle.dumps(forest)).predict_proba(X), forest.predict_proba(X))
    own = RandomForestClassifier(10, criterion="gini", random_state=0).fit(X, y)
    ours = RandomForestClassifier(10, criterion=sklearn_criterion("gini"), random_state=0).fit(X, y)
    assert np.array_equal(own.predict_proba(X), ours.predict_proba(X))
    assert own.feature_importances_ == pytest.approx(ours.feature_importances_)
    grid = {"criterion": [sklearn_criterion(each) for each in ("gini", "entropy", splitcrit.hellinger)]}
    search = GridSearchCV(DecisionTreeClassifier(max_depth=3), grid, cv=3, error_score="raise")
    assert search.fit(X, y).best_score_ > 0.6
    assert repr(criterion) == "sklearn_criterion(hellinger)"


@pytest.mark.usefixtures("binding")
def test_one_object_serves_any_number_of_classes_one_class_and_missing_values() -> None:
    criterion = sklearn_criterion("gini")
    for classes in (5, 2, 3):
        X, y = sample(classes)
        assert DecisionTreeClassifier(criterion=criterion).fit(X, y).score(X, y) == 1
    assert DecisionTreeClassifier(criterion=criterion).fit(X, np.zeros(len(X))).tree_.node_count == 1
    X[::7, 0] = np.nan
    own, ours = (DecisionTreeClassifier(criterion=c, random_state=0).fit(X, y) for c in ("gini", criterion))
    assert np.array_equal(own.tree_.threshold, ours.tree_.threshold)


@pytest.mark.usefixtures("binding")
def test_balanced_forests_of_imbalanced_learn() -> None:
    imblearn = pytest.importorskip("imblearn.ensemble")
    X, y = sample(5)
    forest = imblearn.BalancedRandomForestClassifier(5, criterion=sklearn_criterion("hellinger"), random_state=0)
    assert forest.fit(X, y == 0).score(X, y == 0) > 0.8


@pytest.mark.usefixtures("binding")
def test_what_cannot_be_served_gets_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = sample(2, 60)
    with pytest.raises(ValueError, match="is a formula of class weights; got sgini; take TreeClassifier"):
        sklearn_criterion(splitcrit.sgini)

    def looking(table: Any, m: Any) -> Any:
        return table[0][0] if table[0][0] > 3 else table[1][0]

    with pytest.raises(ValueError, match="is a formula of class weights; got looking; take TreeClassifier"):
        sklearn_criterion(Criterion("looking", looking))
    with pytest.raises(ValueError, match="of one output; got 2; fit one model for each"):
        DecisionTreeClassifier(criterion=sklearn_criterion("gini")).fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="at most 256 classes; got 300"):
        DecisionTreeClassifier(criterion=sklearn_criterion("gini")).fit(np.arange(900)[:, None], np.arange(900) % 300)
    with pytest.raises(ValueError, match="pairwise_gain is defined for tables of 2 classes; got 3"):
        DecisionTreeClassifier(criterion=sklearn_criterion("pairwise_gain")).fit(*sample(3, 60))
    monkeypatch.setattr("sklearn.__version__", "1.10.0")
    with pytest.raises(ImportError, match=r"were tested with scikit-learn 1\.9; got 1\.10\.0, compiled for 1\.9"):
        sklearn_criterion("gini")
