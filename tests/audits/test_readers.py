"""What is no fitted model that an audit can read is refused in one sentence."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xgboost
from sklearn import ensemble
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from refusals import refused
from splitcrit.audits import audit
from splitcrit.audits.model_formats import read_model
from splitcrit.audits.published_models import published_model

X = np.random.default_rng(0).normal(size=(60, 3))
Y = (X[:, 0] > 0).astype(int)


class Foreign:
    """A model of a library that scikit-learn does not know."""

    def __repr__(self) -> str:
        return "Foreign()"

    def fit(self, X: Any, y: Any) -> Any:
        return self

    def predict(self, X: Any) -> Any:
        return X[:, 0]

    apply = predict


def tree() -> Any:
    return DecisionTreeClassifier(max_depth=2)


@pytest.mark.parametrize(
    ("model", "error", "said"),
    [
        (LogisticRegression().fit(X, Y), TypeError, "LightGBM, CatBoost or splitcrit; got LogisticRegression"),
        (ensemble.VotingClassifier([("tree", tree()), ("line", LogisticRegression())]).fit(X, Y), TypeError,
         "an audited VotingClassifier is of decision trees; got one of LogisticRegression; audit its estimators_, if"),
        (GridSearchCV(tree(), {"max_depth": [1, 2]}, refit=False).fit(X, Y), ValueError, "best_estimator_; got Grid"),
        (GridSearchCV(tree(), {"max_depth": [1, 2]}), ValueError, "the model must be fitted; got a new GridSearchCV"),
        (CalibratedClassifierCV(tree()), ValueError, "the model must be fitted; got a new CalibratedClassifierCV"),
        (OneVsRestClassifier(tree()).fit(X, Y), TypeError, "got OneVsRestClassifier; audit its estimators_, if that"),
        (MultiOutputRegressor(tree()).fit(X, np.stack([Y, Y], 1)), TypeError, "got MultiOutputRegressor; audit its"),
        (None, TypeError, "got NoneType; pass one of these, fitted"), (Foreign(), TypeError, "got Foreign; pass one"),
        (ensemble.HistGradientBoostingClassifier, TypeError, "got the class HistGradientBoostingClassifier; pass one"),
        (make_pipeline(StandardScaler()).fit(X), TypeError, "got StandardScaler; pass one of these"),
        (make_pipeline(tree(), "passthrough"), TypeError, "got a Pipeline whose last step is none; pass"),
        (Pipeline([]), TypeError, "got a Pipeline whose last step is none; pass"),
        (make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y), TypeError, "got LogisticRegression; pass"),
        (make_pipeline(StandardScaler(), tree()), ValueError, "the model must be fitted; got a new DecisionTree"),
        (ensemble.HistGradientBoostingClassifier(), ValueError,
         "the model must be fitted; got a new HistGradientBoostingClassifier; fit"),
        (ensemble.BaggingClassifier(), ValueError, "the model must be fitted; got a new BaggingClassifier; fit it"),
        (ensemble.AdaBoostClassifier(), ValueError, "the model must be fitted; got a new AdaBoostClassifier; fit it"),
        (ensemble.BaggingClassifier(make_pipeline(StandardScaler(), tree()), 2).fit(X, Y), TypeError,
         "an audited BaggingClassifier is of decision trees; got one of Pipeline; audit its estimator_, if that is"),
        (ensemble.AdaBoostClassifier(ensemble.RandomForestClassifier(2), n_estimators=2).fit(X, Y), TypeError,
         "an audited AdaBoostClassifier is of decision trees; got one of RandomForest"),
        ("no such file", ValueError, "an audit takes a fitted model or its file; got 'no such file': No such file"),
        (Path("a\0b"), ValueError, "an audit takes a fitted model or its file; got .*null"),
        ({"trees": []}, ValueError, "JSON of XGBoost or CatBoost, or LightGBM's text; got a dict without 'learner'"),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_fitted_model_of_trees_is_refused(model: Any, error: type[Exception], said: str) -> None:
    refused(said, audit, model, X, Y, error=error)


@pytest.mark.parametrize(
    "text",
    [
        "", "{}", "[]", "[1]", "tree\n", "tree\nversion=v4\n", '{"features_info": {}}', "{" * 10_000, "[" * 10**6,
        "tree\nnum_class=1\nfeature_names=a\n\nTree=0\nnum_leaves=2\n", b"\xff", b"tree\n\xff", b"\x80\x04",
        '{"learner": {"gradient_booster": {"name": "gblinear", "model": {}}}}',
    ],
    ids=range(14),
)  # fmt: skip
def test_a_text_or_file_without_a_model_is_refused(text: Any, tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(text if isinstance(text, bytes) else text.encode())
    refused("a model's file is JSON of XGBoost or CatBoost, or LightGBM's text", audit, tmp_path / "model", X, Y)
    refused("a model's file is JSON of XGBoost or CatBoost, or LightGBM's text", published_model, text)


@pytest.mark.parametrize("library", ["xgboost", "lightgbm"])
def test_a_file_tells_of_which_library_it_is(library: str, tmp_path: Path) -> None:
    module, path = pytest.importorskip(library), tmp_path / "model.json"
    if library == "xgboost":
        model = module.train({"max_depth": 2, "objective": "binary:logistic"}, module.DMatrix(X, Y), 2)
    else:
        model = module.train({"objective": "binary", "verbose": -1}, module.Dataset(X, Y), 2)
    model.save_model(path)
    assert audit(path, X, Y).splits.tables.tolist() == audit(model, X, Y).splits.tables.tolist()
    if library == "xgboost":
        held = json.loads(path.read_text())
        assert audit(held, X, Y).splits.tables.tolist() == audit(model, X, Y).splits.tables.tolist()


def test_a_subclass_of_another_librarys_estimator_is_read() -> None:
    kind = type("Mine", (xgboost.XGBClassifier,), {})
    assert len(read_model(kind(n_estimators=2).fit(X, Y)).trees) == 2


NARROW = "fitted on 3 features; got an array of shape 60x2"


@pytest.mark.parametrize(
    ("model", "rows", "said"),
    [
        (ensemble.BaggingClassifier(n_estimators=2).fit(X, Y), X[:, :2], NARROW),
        (ensemble.AdaBoostClassifier(n_estimators=2).fit(X, Y), X[:, :2], NARROW),
        (ensemble.HistGradientBoostingClassifier(max_iter=1).fit(X, Y), X[:, :2], NARROW),
        (make_pipeline(StandardScaler(), tree()).fit(X, Y), X[:, :2],
         "on rows that have the columns it was fitted on; got X has 2 features, .*; pass such rows"),
        (make_pipeline(OrdinalEncoder(), tree()).fit([["a"], ["b"]] * 30, Y), [["c"]] * 60,
         "a Pipeline is audited on rows that have the columns it was fitted on; got Found unknown categories"),
        (ensemble.BaggingClassifier(n_estimators=2).fit(X, Y), [list("abc")] * 60,
         "features are numbers; got 'a'; encode"),
    ],
    ids=range(6),
)  # fmt: skip
def test_rows_with_other_columns_are_refused(model: Any, rows: Any, said: str) -> None:
    refused(said, audit, model, rows, Y)


def test_several_outputs_are_those_of_the_model_and_numbers() -> None:
    both = np.stack([Y, Y], axis=1)
    bagged, forest = ensemble.BaggingRegressor(n_estimators=2), ensemble.RandomForestClassifier(2).fit(X, both)
    said = "responses have a column for each of 2 outputs; got 1; pass those that th"
    refused(said, audit, bagged.fit(X, both + 0.5), X, Y)
    refused("an audited model of classes must have one output; got 2; fit one model for", audit, forest, X, both)
