"""Odd features, labels and parameters that are right: what is answered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.metrics import accuracy_score, r2_score

from splitcrit import (
    AdaptiveForestClassifier,
    AdaptiveTreeClassifier,
    ForestClassifier,
    ForestRegressor,
    TreeClassifier,
    TreeRegressor,
)
from splitcrit.trees import MultiwayTreeClassifier

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 3)).astype(np.float32).astype(float)
Y = (X[:, 0] + 0.3 * RNG.normal(size=30) > 0).astype(int)
WEIGHTED = [
    TreeClassifier(), AdaptiveTreeClassifier(random_state=0), TreeRegressor(), ForestClassifier(3, random_state=0),
    AdaptiveForestClassifier(3, random_state=0), ForestRegressor(3, random_state=0),
]  # fmt: skip
MODELS = [*WEIGHTED, MultiwayTreeClassifier()]


def name(value: Any) -> str:
    return type(value).__name__


@pytest.mark.parametrize("model", WEIGHTED, ids=name)
def test_missing_values_that_may_not_be_written_to(model: Any) -> None:
    x = X.astype(np.float32)
    x[3, 1] = np.nan
    closed = x.copy()
    closed.flags.writeable = False
    expected = clone(model).fit(x, Y).predict(x)
    for given in (closed, np.asfortranarray(closed), pd.DataFrame(closed), pd.DataFrame(x).astype("Float64")):
        np.testing.assert_array_equal(clone(model).fit(given, Y).predict(given), expected)
    assert np.isnan(closed[3, 1]) and not closed.flags.writeable


@pytest.mark.parametrize("model", MODELS, ids=name)
def test_score_is_that_of_scikit_learn(model: Any) -> None:
    fitted, weights = clone(model).set_params(max_depth=1).fit(X, Y), RNG.random(30)
    theirs = accuracy_score if is_classifier(model) else r2_score
    for w in (None, weights, weights * 1e-300):
        assert fitted.score(X, Y, w) == pytest.approx(theirs(Y, fitted.predict(X), sample_weight=w), rel=1e-12)
    assert fitted.score(X, Y, np.full(30, 1e308)) == pytest.approx(fitted.score(X, Y), rel=1e-12)


@pytest.mark.parametrize("labels", [["a", "b"], [b"a", b"b"], ["2020-01-01", "2020-01-02"]])
def test_every_kind_of_label_that_can_be_fitted_can_be_scored(labels: list[Any]) -> None:
    y = np.array(labels)[Y]
    y = y.astype("M8[D]") if "2020-01-01" in labels else y
    for model in (TreeClassifier(), ForestClassifier(3, bootstrap=False), MultiwayTreeClassifier()):
        if y.dtype.kind == "S" and isinstance(model, ForestClassifier):
            continue  # scikit-learn's forests refuse bytes
        assert clone(model).fit(X, y).score(X, y) == 1


def test_large_responses_have_a_score() -> None:
    tree, y = TreeRegressor(max_depth=1), RNG.normal(size=30)
    expected = tree.fit(X, y).score(X, y)
    assert tree.fit(X, y * 2.0**400).score(X, y * 2.0**400) == expected < 1
    assert tree.score(X, y * 2.0**900) < 0.1


def test_a_thousand_classes() -> None:
    x, y = np.arange(2000.0)[:, None], np.repeat(np.arange(1000), 2)
    assert TreeClassifier(criterion="entropy").fit(x, y).score(x, y) == 1


LARGE = [2**31, 2**63, 2**70]


@pytest.mark.each_value
@pytest.mark.parametrize("large", LARGE)
@pytest.mark.parametrize("model", WEIGHTED, ids=name)
def test_large_numbers_are_as_large_as_the_data(model: Any, large: int) -> None:
    for splitter in ("best", "random"):
        plain = clone(model).set_params(splitter=splitter, random_state=0)
        expected = plain.fit(X, Y).predict(X)
        for parameter in ("max_depth", "max_leaf_nodes", "max_features"):
            other = clone(plain).set_params(max_features=None)
            same = clone(other).fit(X, Y).predict(X) if parameter == "max_features" else expected
            chosen = other if parameter == "max_features" else clone(plain)
            assert np.array_equal(chosen.set_params(**{parameter: large}).fit(X, Y).predict(X), same), parameter
        for parameter in ("min_samples_split", "min_samples_leaf"):
            fitted = clone(plain).set_params(**{parameter: large}).fit(X, Y)
            assert {tree.get_depth() for tree in getattr(fitted, "estimators_", [fitted])} == {0}, parameter
