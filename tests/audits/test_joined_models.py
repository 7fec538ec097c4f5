"""Searches, votes, stacks and calibrated models: the trees of their parts are audited, as those of the parts alone."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import ensemble
from sklearn import model_selection as search
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from xgboost import XGBClassifier

from refusals import refused
from splitcrit.audits import audit
from splitcrit.audits.model_formats import read_model

RNG = np.random.default_rng(7)
X, NEW = (pd.DataFrame(x, columns=list("abcd")) for x in RNG.normal(size=(2, 300, 4)))
Y, LABEL = (np.where(x["a"] + RNG.normal(size=300) > 0, "yes", "no") for x in (X, NEW))


def forest(seed: int = 0) -> Any:
    return ensemble.RandomForestClassifier(4, max_depth=3, random_state=seed)


def parts_of(model: Any) -> list[Any]:
    if hasattr(model, "calibrated_classifiers_"):
        return [each.estimator for each in model.calibrated_classifiers_]
    if hasattr(model, "best_estimator_"):
        return [model.best_estimator_]
    return list(model.estimators_) if hasattr(model, "estimators_") else [model.estimator_]


@pytest.mark.parametrize(
    "model",
    [
        search.GridSearchCV(forest(), {"max_depth": [2, 3]}, cv=2),
        search.RandomizedSearchCV(
            make_pipeline(StandardScaler(), forest()), {"randomforestclassifier__max_depth": [2, 3]}, n_iter=1
        ),
        CalibratedClassifierCV(forest(), cv=3),
        CalibratedClassifierCV(forest(), ensemble=False),
        ensemble.VotingClassifier(
            [("a", forest()), ("b", ensemble.ExtraTreesClassifier(3, max_depth=3, random_state=0))]
        ),
        ensemble.VotingClassifier(
            [("a", forest()), ("b", search.GridSearchCV(forest(1), {"max_depth": [2]}))], voting="soft"
        ),
        ensemble.VotingClassifier(
            [("a", DecisionTreeClassifier(max_depth=3)), ("b", ensemble.HistGradientBoostingClassifier(max_iter=2))]
        ),
        ensemble.StackingClassifier([("a", forest()), ("b", forest(2))]),
        search.TunedThresholdClassifierCV(forest()),
        search.FixedThresholdClassifier(forest()),
    ],
    ids=range(10),
)
def test_the_e_values_are_means_over_the_trees_of_all_parts(model: Any) -> None:
    model.fit(X, Y)
    report, parts = audit(model, NEW, LABEL), parts_of(model)
    codes = np.unique(LABEL, return_inverse=True)[1]
    each = [audit(part, NEW, LABEL if "no" in part.classes_ else codes) for part in parts]
    sizes = [len(read_model(part).trees) for part in parts]
    assert len(read_model(model).trees) == sum(sizes)
    weights = np.array([size * one.importances.mdi for size, one in zip(sizes, each, strict=True)])
    weights[:, ~weights.any(axis=0)] = 1.0
    assert report.evalues == pytest.approx(np.average([one.evalues for one in each], axis=0, weights=weights), rel=1e-9)
    assert report.features == ("a", "b", "c", "d") and report.verdicts["a"]
    assert report.classes is not None and report.classes.tolist() == ["no", "yes"]
    own, of_one = np.asarray(report.alone), np.asarray(each[0].alone)  # which has those that it splits by
    assert own[~np.isnan(of_one)] == pytest.approx(of_one[~np.isnan(of_one)])
    assert any("final estimator of a stack" in said for said in report.remarks) == isinstance(
        model, ensemble.StackingClassifier
    )


def test_parts_of_numbers_and_of_other_libraries() -> None:
    y, later = X["a"] + RNG.normal(size=300), NEW["a"] + RNG.normal(size=300)
    grown = [
        ("a", ensemble.RandomForestRegressor(3, max_depth=3, random_state=0)),
        ("b", ensemble.RandomForestRegressor(2, max_depth=2)),
    ]
    for model in (ensemble.VotingRegressor(grown), ensemble.StackingRegressor(grown, LinearRegression())):
        assert audit(model.fit(X, y), NEW, later).features_passed.tolist() == [True, False, False, False]
    both = ensemble.VotingClassifier([("a", forest()), ("b", XGBClassifier(n_estimators=3, max_depth=2))]).fit(X, Y)
    report = audit(both, NEW, LABEL)
    assert report.library == "scikit-learn, XGBoost" and report.verdicts["a"]
    assert any("residuals" in said for said in report.remarks)


def test_a_fitted_part_that_is_kept_is_read_and_its_draws_with_it() -> None:
    grown = forest().fit(X, Y)
    for model in (FrozenEstimator(grown), CalibratedClassifierCV(FrozenEstimator(grown)).fit(NEW, LABEL)):
        assert audit(model, X, Y, "out-of-bag").evalues.tolist() == audit(grown, X, Y, "out-of-bag").evalues.tolist()
    vote = ensemble.VotingClassifier([("a", forest()), ("b", forest(2))]).fit(X, Y)
    refused("its parts were fitted one by one, perhaps on other rows; pass rows apart", audit, vote, X, Y, "out-of-bag")
    refused("held-out rows grew no tree", audit, search.GridSearchCV(forest(), {"max_depth": [5]}).fit(X, Y), X, Y)


def test_parts_with_other_columns_are_named() -> None:
    some = make_pipeline(StandardScaler().set_output(transform="pandas"), DecisionTreeClassifier(max_depth=2))
    vote = ensemble.VotingClassifier([("a", forest()), ("b", some)]).fit(X, Y)
    refused("the parts of an audited VotingClassifier have the same columns", audit, vote, NEW, LABEL, error=TypeError)


@pytest.mark.parametrize("seed", range(3))
def test_leaves_have_the_sizes_that_scikit_survival_counts(seed: int) -> None:
    kinds, trees = (
        pytest.importorskip(f"sksurv.{part}", reason="needs scikit-survival") for part in ("ensemble", "tree")
    )
    rng = np.random.default_rng(seed)
    x = np.column_stack([rng.normal(size=(250, 2)), rng.integers(0, 5, 250), rng.normal(size=250).round(1)])
    times, events = rng.exponential(np.exp(-x[:, 0])), rng.random(250) < 0.7
    y = np.array(list(zip(events, times, strict=True)), dtype=[("event", bool), ("time", float)])
    how = {"max_depth": 4, "random_state": seed}
    for model in (trees.SurvivalTree(**how), kinds.RandomSurvivalForest(3, bootstrap=False, **how)):
        read = read_model(model.fit(x, y))
        for tree, ends in zip(read.trees, read.ends(x), strict=True):
            leaf = tree.structure.left < 0
            assert np.bincount(ends, minlength=len(leaf))[leaf].tolist() == pytest.approx(tree.rows[leaf], abs=1e-3)
