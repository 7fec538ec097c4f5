"""Odd features, labels, weights and parameters: a right answer, or one sentence and nothing left behind."""

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


def fails(act: Callable[[], Any], said: str, kinds: Any = (ValueError, TypeError)) -> None:
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


# The same numbers in other clothes.

READ_ONLY = X.copy()
READ_ONLY.flags.writeable = False
SAME: dict[str, Any] = {
    "list": X.tolist(), "Fortran order": np.asfortranarray(X), "big-endian": X.astype(">f8"), "read-only": READ_ONLY,
    "strided": np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::2], "objects": X.astype(object),
    "float32": X.astype(np.float32), "longdouble": X.astype(np.longdouble), "masked, without holes": np.ma.array(X),
}  # fmt: skip
SAME_LABELS: dict[str, Any] = {
    "list": Y.tolist(), "big-endian": Y.astype(">i4"), "small": Y.astype(np.uint8), "floats": Y.astype(np.float16),
    "nullable": pd.array(Y, dtype="Int64"), "series": pd.Series(Y, index=range(100, 130)), "objects": Y.astype(object),
    "masked, without holes": np.ma.array(Y), "read-only": np.broadcast_to(Y, (1, 30))[0],
}  # fmt: skip


@pytest.mark.parametrize("model", MODELS, ids=name)
def test_the_same_numbers_give_the_same_answers(model: Any) -> None:
    fitted = clone(model).fit(X, Y)
    expected = fitted.predict(X)
    for kind, x in SAME.items():
        assert np.array_equal(clone(model).fit(x, Y).predict(X), expected), kind
        assert np.array_equal(fitted.predict(x), expected), kind
    for kind, y in SAME_LABELS.items():
        assert np.array_equal(clone(model).fit(X, y).predict(X), expected), kind
        assert fitted.score(X, y) == fitted.score(X, Y), kind


def test_missing_values_of_a_nullable_frame_are_missing_values() -> None:
    frame = pd.DataFrame({"a": pd.array([1, 2, None] * 10, dtype="Int64"), "b": np.arange(30.0)})
    plain = np.column_stack([np.array([1, 2, np.nan] * 10), np.arange(30.0)])
    for model in (TreeClassifier(), TreeRegressor()):
        assert np.array_equal(clone(model).fit(frame, Y).predict(frame), clone(model).fit(plain, Y).predict(plain))


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


def test_large_responses_have_a_score() -> None:
    tree, y = TreeRegressor(max_depth=1), RNG.normal(size=30)
    expected = tree.fit(X, y).score(X, y)
    assert tree.fit(X, y * 2.0**400).score(X, y * 2.0**400) == expected < 1
    assert tree.score(X, y * 2.0**900) < 0.1


@pytest.mark.parametrize("labels", [["a", "b"], [b"a", b"b"], ["2020-01-01", "2020-01-02"]])
def test_every_kind_of_label_that_can_be_fitted_can_be_scored(labels: list[Any]) -> None:
    y = np.array(labels)[Y]
    y = y.astype("M8[D]") if "2020-01-01" in labels else y
    for model in (TreeClassifier(), ForestClassifier(3, bootstrap=False), MultiwayTreeClassifier()):
        if y.dtype.kind == "S" and isinstance(model, ForestClassifier):
            continue  # scikit-learn's forests refuse bytes
        assert clone(model).fit(X, y).score(X, y) == 1


def test_a_thousand_classes() -> None:
    x, y = np.arange(2000.0)[:, None], np.repeat(np.arange(1000), 2)
    assert TreeClassifier(criterion="entropy").fit(x, y).score(x, y) == 1


# One sentence.


def holes(values: Any) -> Any:
    return np.ma.array(values, mask=np.arange(np.size(values)).reshape(np.shape(values)) % 5 == 0)


RAGGED = [[1.0, 2.0], [3.0]] * 15
DATES = np.full((30, 1), "2020-01-01", dtype="M8[D]")
BAD_FEATURES: dict[str, tuple[Any, str]] = {
    "masked": (holes(X), "features have no masked entries; got 18 of them; fill them with nan"),
    "ragged": (RAGGED, "features are numbers; got rows of several lengths; encode or drop"),
    "words": ([["a", "b", "c"]] * 30, "features are numbers; got 'a'( in column 0)?; .*encode or drop"),
    "complex": (X + 1j, r"features are real numbers; got dtype complex128 \(Complex data not supported\); pass"),
    "dates": (DATES, r"features are numbers; got dtype datetime64\[D\]; encode them first"),
    "durations": (DATES - DATES, "features are numbers; got dtype timedelta64"),
    "records": (np.zeros(30, dtype=[("a", "f8")]), "features are numbers; got dtype"),
    "a dict": ({"a": 1}, "features are numbers; got .*'dict'; encode|a table of rows and columns; got 0 axes"),
    "too large": (np.full((30, 3), 1e300), "finite|infinity|too large"),
}


@pytest.mark.each_value
@pytest.mark.parametrize("case", BAD_FEATURES)
@pytest.mark.parametrize("model", MODELS, ids=name)
def test_features_that_do_not_do(model: Any, case: str) -> None:
    bad, said = BAD_FEATURES[case]
    if case == "too large" and isinstance(model, MultiwayTreeClassifier):
        return  # it keeps float64
    new = clone(model)
    fails(lambda: new.fit(bad, Y), said)
    assert unfitted(new)
    old = clone(model).fit(X, Y)
    before = dict(vars(old))
    fails(lambda: old.fit(bad, Y), said)
    assert vars(old) == before
    fails(lambda: old.predict(bad), said)


def test_a_date_among_the_columns_of_a_frame() -> None:
    frame = pd.DataFrame({"a": X[:, 0], "day": pd.date_range("2020-01-01", periods=30)})
    for model in MODELS:
        fails(lambda model=model: clone(model).fit(frame, Y), "features are numbers; got ", TypeError)


BAD_LABELS: dict[str, tuple[Any, str]] = {
    "sparse": (
        csr_array(np.stack([Y, Y], axis=1)),
        "y is dense; got a sparse csr_array|multilabel-indicator for y is not "
        "supported; got a csr_array; pass y.toarray",
    ),
    "masked": (holes(Y), "y has no masked entries|y have no masked entries; got 6 of them"),
    "ragged": ([[1], [1, 2]] * 15, "y has one entry for each row; got rows of several lengths; pass a list"),
    "a number": (3, "y has one entry for each row; got a single int; pass a list"),
    "a word": ("abc", "y has one entry for each row; got a single str; pass a list"),
    "two columns": (np.stack([Y, Y], axis=1), r"y has one output; got shape \(30, 2\); fit one estimator for each"),
    "complex": (Y + 1j, r"y holds words or real numbers; got dtype complex128 \(Complex data not supported\)"),
    "nan": (np.where(Y == 1, np.nan, 0), "nan|NaN"),
    "infinite": (np.where(Y == 1, np.inf, 0), "infinity|inf"),
    "missing": (pd.array([1, None] * 15, dtype="Int64"), "NaN|NAType|nan"),
    "too few": (Y[:-1], "inconsistent numbers|shape"),
    "none": (np.array([], dtype=int), "inconsistent numbers|shape|0 sample"),
}
NO_CLASSES: dict[str, tuple[Any, str]] = {
    "real": (X[:, 0], "Unknown label type: a class is a word or an integer; got 30 different numbers such as"),
    "halves": (Y / 2, "got 2 different numbers such as 0.5; pass them to a regression tree, or cut them"),
    "kinds": (np.array(["a", 1] * 15, dtype=object), "Unknown label type: .*; got objects of type int, str; pass"),
    "nothing": (np.array([None, 1] * 15, dtype=object), "Unknown label type: .*; got objects of type NoneType, int"),
}


@pytest.mark.each_value
@pytest.mark.parametrize("case", [*BAD_LABELS, *NO_CLASSES])
@pytest.mark.parametrize("model", MODELS, ids=name)
def test_labels_that_do_not_do(model: Any, case: str) -> None:
    if case in NO_CLASSES and not is_classifier(model):
        return
    bad, said = {**BAD_LABELS, **NO_CLASSES}[case]
    new = clone(model)
    fails(lambda: new.fit(X, bad), said)
    assert unfitted(new)
    old = clone(model).fit(X, Y)
    before = dict(vars(old))
    fails(lambda: old.fit(X, bad), said)
    assert vars(old) == before
    fails(lambda: old.score(X, bad), said)


@pytest.mark.parametrize("model", [m for m in MODELS if is_classifier(m)], ids=name)
def test_words_are_not_compared_with_numbers(model: Any) -> None:
    fitted = clone(model).fit(X, Y)
    fails(lambda: fitted.score(X, Y.astype(str)), "labels are numbers, as in fit; got words; convert y first")
    fails(lambda: fitted.score(X, Y.astype("M8[D]")), "labels are numbers, as in fit; got dates; convert y first")


@pytest.mark.parametrize("model", [m for m in MODELS if not is_classifier(m)], ids=name)
def test_responses_are_numbers(model: Any) -> None:
    for words in (["a", "b"] * 15, np.array(["a", 1] * 15, dtype=object)):
        fails(lambda words=words: clone(model).fit(X, words), "responses are numbers; got 'a'; encode or drop them")
        fails(lambda words=words: clone(model).fit(X, Y).score(X, words), "responses are real numbers; got")


BAD_WEIGHTS: dict[str, tuple[Any, str]] = {
    "nan": (np.where(Y == 1, np.nan, 1), "sample weights are finite and not negative; got nan; drop or correct them"),
    "all nan": (np.nan, "sample weights are finite and not negative; got nan"),
    "negative": (np.where(Y == 1, -1.0, 1), "sample weights are finite and not negative; got -1; drop"),
    "infinite": (np.where(Y == 1, np.inf, 1), "sample weights are finite and not negative; got inf"),
    "zeros": (np.zeros(30), "some weight must be positive; got only zeros; correct sample_weight"),
    "too few": (np.ones(29), r"sample weights are one number for each of 30 rows; got shape \(29,\); pass"),
    "columns": (np.ones((30, 1)), r"one number for each of 30 rows; got shape \(30, 1\)"),
    "empty": ([], r"got shape \(0,\)"),
    "words": (["a"] * 30, "sample weights are numbers; got 'a'; encode or drop them first"),
    "complex": (np.ones(30) + 1j, "sample weights are real numbers; got dtype complex128"),
    "masked": (holes(np.ones(30)), "sample weights have no masked entries; got 6 of them"),
    "missing": ([None] * 30, "sample weights are finite and not negative; got nan"),
    "a dict": ({0: 1}, "sample weights are numbers; got .*'dict'"),
}


@pytest.mark.each_value
@pytest.mark.parametrize("case", BAD_WEIGHTS)
@pytest.mark.parametrize("model", WEIGHTED, ids=name)
def test_weights_that_do_not_do(model: Any, case: str) -> None:
    bad, said = BAD_WEIGHTS[case]
    new = clone(model)
    fails(lambda: new.fit(X, Y, sample_weight=bad), said)
    assert unfitted(new)
    fails(lambda: new.fit(X, Y).score(X, Y, bad), said)


CLASS_WEIGHTS: list[Any] = [np.nan, -1, np.inf, "a", None, 1j, 10**400, True]


@pytest.mark.parametrize("weight", CLASS_WEIGHTS, ids=lambda w: repr(w)[:9])
@pytest.mark.parametrize("model", [m for m in WEIGHTED if is_classifier(m)], ids=name)
def test_class_weights_are_finite_numbers(model: Any, weight: Any) -> None:
    new = clone(model).set_params(class_weight={0: weight, 1: 1})
    fails(lambda: new.fit(X, Y), "class weights must be finite and not negative; got .* for class 0; correct")
    assert unfitted(new)


@pytest.mark.parametrize("model", [m for m in WEIGHTED if is_classifier(m)], ids=name)
def test_class_weights_that_name_no_class_or_leave_nothing(model: Any) -> None:
    fails(lambda: clone(model).set_params(class_weight={5: 2}).fit(X, Y), "not in class_weight")
    fails(lambda: clone(model).set_params(class_weight={0: 0, 1: 0}).fit(X, Y), "some weight must be positive")
    fails(lambda: clone(model).set_params(class_weight="equal").fit(X, Y), "'class_weight' parameter of")
    more, same = (clone(model).set_params(class_weight={0: 1, 1: 2, **one}).fit(X, Y) for one in ({5: 2}, {}))
    assert np.array_equal(more.predict(X), same.predict(X)), "a class that is not there"


# Parameters.

LARGE = [2**31, 2**63 - 1, 2**63, 2**64, 2**70]


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


BAD_PARAMETERS = [
    ("min_gain", "a"), ("min_gain", np.nan), ("min_gain", np.inf), ("min_gain", -1), ("min_gain", 10**400),
    ("max_depth", 0), ("max_depth", 1.5), ("max_depth", "a"), ("max_leaf_nodes", 1), ("max_leaf_nodes", 2.5),
    ("min_samples_split", 1), ("min_samples_split", np.nan), ("min_samples_leaf", 0), ("max_features", 0),
    ("min_impurity_decrease", 10**400), ("ccp_alpha", 10**400), ("ccp_alpha", np.nan), ("splitter", "worst"),
]  # fmt: skip


@pytest.mark.parametrize(("parameter", "value"), BAD_PARAMETERS, ids=lambda v: repr(v)[:12])
@pytest.mark.parametrize("model", WEIGHTED, ids=name)
def test_parameters_that_do_not_do(model: Any, parameter: str, value: Any) -> None:
    new = clone(model).set_params(**{parameter: value})
    fails(lambda: new.fit(X, Y), f"'{parameter}' parameter of {name(model)} must be", ValueError)
    assert unfitted(new)


@pytest.mark.parametrize("value", ["a", np.nan, -1, 10**400, True])
def test_the_gain_of_a_multiway_tree(value: Any) -> None:
    fails(lambda: MultiwayTreeClassifier(min_gain=value).fit(X, Y), "min_gain is a number from 0, or None; got")


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64])
def test_parameters_are_numbers_of_any_size(dtype: Any) -> None:
    for model in WEIGHTED:
        assert clone(model).set_params(min_gain=dtype(0), ccp_alpha=dtype(0)).fit(X, Y).score(X, Y) > 0
