"""Odd features, labels, weights and parameters: a right answer, or one sentence and nothing left behind.

Whatever is passed to any parameter is asked by `tests/contract`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.validation import check_is_fitted

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
TREES = [TreeClassifier(), AdaptiveTreeClassifier(random_state=0), TreeRegressor()]
FORESTS = [
    ForestClassifier(3, random_state=0), AdaptiveForestClassifier(3, random_state=0),
    ForestRegressor(3, random_state=0),
]  # fmt: skip
MODELS = [*TREES, *FORESTS, MultiwayTreeClassifier()]
WEIGHTED = MODELS[:-1]


def name(value: Any) -> str:
    return type(value).__name__


def fails(act: Callable[[], Any], said: str = ".", kinds: Any = (ValueError, TypeError)) -> None:
    """One sentence that names the rule, and no error of an inner library."""
    with pytest.raises(kinds, match=said) as info:
        act()
    assert "\n" not in str(info.value)


def unfitted(model: Any) -> bool:
    try:
        check_is_fitted(model)
    except NotFittedError:
        return not [name for name in vars(model) if name.endswith("_") and not name.startswith("_")]
    return False


@pytest.mark.parametrize("model", [*FORESTS, *TREES], ids=name)
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


# One sentence.


def holes(values: Any) -> Any:
    return np.ma.array(values, mask=np.arange(np.size(values)).reshape(np.shape(values)) % 5 == 0)


DATES = np.full((30, 1), "2020-01-01", dtype="M8[D]")
BAD: dict[str, tuple[Any, Any]] = {
    "masked features": (holes(X), Y), "ragged features": ([[1.0, 2.0], [3.0]] * 15, Y),
    "words": ([["a", "b", "c"]] * 30, Y),
    "one label": (X, 3), "complex labels": (X, Y + 1j),
    "complex features": (X + 1j, Y), "dates": (DATES, Y), "durations": (DATES - DATES, Y),
    "too few labels": (X, Y[:-1]), "masked labels": (X, holes(Y)), "two outputs": (X, np.stack([Y, Y], axis=1)),
    "sparse labels": (X, csr_array(np.stack([Y, Y], axis=1))), "missing labels": (X, np.where(Y == 1, np.nan, 0)),
}  # fmt: skip


SAID = {
    "one label": "y has one entry for each row; got a single int; pass a list",
    "complex labels": r"y holds words or real numbers; got dtype complex128 \(Complex data not supported\)",
    "complex features": r"features are real numbers; got dtype complex128 \(Complex data not supported\); pass",
    "dates": r"features are numbers; got dtype datetime64\[D\]; encode them first",
    "durations": "features are numbers; got dtype timedelta64",
}


@pytest.mark.each_value
@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("model", MODELS, ids=name)
def test_a_refused_fit_leaves_nothing_and_takes_nothing_away(model: Any, case: str) -> None:
    (x, y), new, old = BAD[case], clone(model), clone(model).fit(X, Y)
    before = dict(vars(old))
    for each in (new, old):
        fails(lambda each=each: each.fit(x, y), SAID.get(case, "."))
    assert unfitted(new) and vars(old) == before
    fails(lambda: old.predict(x) if y is Y else old.score(x, y))


@pytest.mark.parametrize("model", MODELS, ids=name)
def test_labels_are_finite(model: Any) -> None:
    for act in (clone(model).fit, clone(model).fit(X, Y).score):
        fails(lambda act=act: act(X, np.where(Y == 1, np.inf, 0)), "infinity|inf")


@pytest.mark.parametrize("model", [m for m in MODELS if is_classifier(m)], ids=name)
def test_words_are_not_compared_with_numbers(model: Any) -> None:
    fitted = clone(model).fit(X, Y)
    fails(lambda: fitted.score(X, Y.astype(str)), "labels are numbers, as in fit; got words; convert y first")
    fails(lambda: fitted.score(X, Y.astype("M8[D]")), "labels are numbers, as in fit; got dates; convert y first")


@pytest.mark.parametrize("model", [m for m in MODELS if not is_classifier(m)], ids=name)
def test_responses_are_numbers(model: Any) -> None:
    for words in (["a", "b"] * 15, np.array(["a", 1] * 15, dtype=object)):
        said = "responses are (real )?numbers; got ('a'|an array of <U1)"
        fails(lambda words=words: clone(model).fit(X, words), said)
        fails(lambda words=words, said=said: clone(model).fit(X, Y).score(X, words), said)


@pytest.mark.parametrize("model", WEIGHTED, ids=name)
def test_weights_are_one_for_each_row_and_not_all_zero(model: Any) -> None:
    for bad in (np.nan, np.zeros(30), -np.ones(30), np.ones(29), np.ones((30, 1)), [], {0: 1}):
        new = clone(model)
        fails(lambda new=new, bad=bad: new.fit(X, Y, sample_weight=bad))
        assert unfitted(new)
        fails(lambda new=new, bad=bad: new.fit(X, Y).score(X, Y, bad))
    fails(lambda: clone(model).fit(X, Y, np.full(30, 1e308)), "sum")


@pytest.mark.parametrize("model", [m for m in WEIGHTED if is_classifier(m)], ids=name)
def test_class_weights_that_name_no_class_or_leave_nothing(model: Any) -> None:
    fails(lambda: clone(model).set_params(class_weight={5: 2}).fit(X, Y), "not in class_weight")
    fails(lambda: clone(model).set_params(class_weight={0: 0, 1: 0}).fit(X, Y), "some weight must be positive")
    fails(lambda: clone(model).set_params(class_weight="equal").fit(X, Y), "'class_weight' parameter of")
    more, same = (clone(model).set_params(class_weight={0: 1, 1: 2, **one}).fit(X, Y) for one in ({5: 2}, {}))
    assert np.array_equal(more.predict(X), same.predict(X)), "a class that is not there"


# Parameters.

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


@pytest.mark.parametrize("parameter", ["min_gain", "min_impurity_decrease", "ccp_alpha"])
@pytest.mark.parametrize("model", WEIGHTED, ids=name)
def test_no_parameter_is_larger_than_a_float(model: Any, parameter: str) -> None:
    new = clone(model).set_params(**{parameter: 10**400})
    fails(lambda: new.fit(X, Y), f"'{parameter}' parameter of {name(model)} must be", ValueError)
    assert unfitted(new)
