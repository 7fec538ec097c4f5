"""What a learner is given: labels, responses and weights are read, and what is wrong is said in one sentence."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from refusals import refused
from splitcrit import ForestClassifier, TreeClassifier
from splitcrit.data import training_inputs
from splitcrit.inference import InferenceTreeClassifier, split_test
from splitcrit.trees import ChiMerge, MultiwayTreeClassifier, accuracy, clusterings, pure_accuracy


@pytest.mark.parametrize("given", [[1, 2, 3], [[1], [2], [3]], np.array([[1], [2], [3]])])
def test_a_column_is_a_vector(given: Any) -> None:
    assert training_inputs.column(given).tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([[1, 2], [3, 4]], r"y has one output; got shape \(2, 2\)"),
        (np.zeros((2, 1, 2)), "y has one output"),
        (np.array(["a", np.datetime64("NaT")], dtype=object), "y has no gaps"),
        (np.array(["2024-01-01", "NaT"], dtype="datetime64[D]"), "y has no gaps"),
        (np.array(["2024-01-01", "NaT"], dtype="datetime64[ns]"), "y has no gaps"),
        (None, "got None"),
        (3, "got a single int"),
        ([1, 1j], "Complex data"),
        ([[1], [2, 3]], "rows of several lengths"),
        (np.ma.masked_array([1, 2], [True, False]), "no masked entries; got 1 of them"),
        (sparse.csr_array([[1, 0]]), "y is dense"),
    ],
)
def test_what_is_no_column_is_named(given: Any, words: str) -> None:
    refused(words, training_inputs.column, given, error=TypeError if sparse.issparse(given) else ValueError)


def test_dates_among_objects_are_no_gaps() -> None:
    dates = [np.datetime64("2020-01-01"), datetime.date(2020, 1, 2)]
    assert len(training_inputs.column(np.array(dates, dtype=object))) == 2


@pytest.mark.parametrize(
    ("labels", "classes", "codes"),
    [
        ([-2, 7, 0, -2, 1], [-2, 0, 1, 7], [0, 3, 1, 0, 2]),
        ([0, 10**12, 0], [0, 10**12], [0, 1, 0]),
        (["b", "a"], ["a", "b"], [1, 0]),
        ([2.0, 1.0], [1, 2], [1, 0]),
        ([True, False], [False, True], [1, 0]),
    ],
)
def test_classes_are_sorted_and_rows_get_their_places(labels: list[Any], classes: list[Any], codes: list[int]) -> None:
    found, places = training_inputs.classes_of(np.array(labels))
    assert found.tolist() == classes and places.tolist() == codes
    assert found.dtype == np.array(labels).dtype


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int64, np.uint64])
@pytest.mark.parametrize("span", [1, 7, 200])
def test_classes_of_integers_of_few_bits_at_either_end_are_those_that_are_sorted(kind: type, span: int) -> None:
    ends = np.iinfo(kind)  # type: ignore[type-var]
    steps = np.random.default_rng(span).integers(0, span + 1, 300).tolist()
    for low in (ends.min, max(ends.min, -100), ends.max - span):
        labels = np.array([low + step for step in steps], dtype=kind)
        found, places = training_inputs.classes_of(labels)
        wanted, codes = np.unique(labels, return_inverse=True)
        assert found.tolist() == wanted.tolist() and found.dtype == kind and (places == codes).all()
        places[:] = 0
        assert (wanted[codes] == labels).all()  # the places are no view of the labels


def test_integers_among_objects_are_integers() -> None:
    found, _ = training_inputs.classes_of(np.array([2, 1], dtype=object))
    assert found.dtype.kind == "i"


@pytest.mark.parametrize("labels", [[0.5, 1], [np.inf, 1], [1e19], [np.nan, 1], np.array([1, "a"], dtype=object), [1j]])
def test_what_is_no_class_is_refused(labels: Any) -> None:
    refused("Unknown label type", training_inputs.classes_of, np.asarray(labels))


def test_weights_are_one_for_each_row_or_one_for_all() -> None:
    assert training_inputs.weights_of([1, 2], 2).tolist() == [1, 2]
    assert training_inputs.weights_of(0.5, 3).tolist() == [0.5, 0.5, 0.5]
    assert training_inputs.weights_of([0, 1], 2).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([1, 2, 3], r"for each of 2 rows; got shape \(3,\)"),
        ([[1], [2]], "for each of 2 rows"),
        ([1, -1], "not negative; got -1"),
        ([1, np.nan], "not negative; got nan"),
        ([1, np.inf], "not negative; got inf"),
        ([0, 0], "must be positive"),
        (["a", "b"], "sample weights are numbers; got 'a'"),
    ],
)
def test_what_is_no_weight_is_named(given: Any, words: str) -> None:
    refused(words, training_inputs.weights_of, given, 2)


@pytest.mark.parametrize("weight", [-1, np.inf, np.nan, 2.0**1023, True, "1", None])
def test_weights_of_classes_are_finite_numbers_from_0(weight: Any) -> None:
    training_inputs.class_weights({"a": 0, "b": 1.5})
    training_inputs.class_weights("balanced")
    with pytest.raises(ValueError, match=r"class weights must be finite and not negative; got .* for class 'b'"):
        training_inputs.class_weights({"a": 0, "b": weight})


def test_labels_are_compared_with_labels_of_their_kind() -> None:
    assert training_inputs.compared(np.array([1, 2]), [[2], [1]]).tolist() == [2, 1]
    assert training_inputs.compared(np.array(["a"]), np.array(["b"], dtype=object)).tolist() == ["b"]
    for classes, labels in (([1, 2], ["a"]), (["a"], [1]), (["a"], [b"a"])):
        refused("as in fit", training_inputs.compared, np.array(classes), np.array(labels))


def test_arrays_are_scaled_by_a_power_of_two_of_all_of_them() -> None:
    a, b = training_inputs.scaled(np.array([3.0, -12.0]), np.array([0.5]))
    assert a.tolist() == [3 / 16, -12 / 16] and b.tolist() == [0.5 / 16]
    assert training_inputs.scaled(np.array([0.25, 0.5])).tolist() == [0.25, 0.5]
    assert np.isfinite(training_inputs.scaled(np.full(3, 1e308)).sum())


def test_an_estimator_whose_fit_fails_is_as_before() -> None:
    class Thing:
        """Anything with attributes."""

    thing = Thing()
    thing.kept = 1  # type: ignore[attr-defined]
    with pytest.raises(KeyError), training_inputs.all_or_nothing(thing):
        thing.kept, thing.new = 2, 3  # type: ignore[attr-defined]
        raise KeyError
    assert vars(thing) == {"kept": 1}
    with training_inputs.all_or_nothing(thing):
        thing.new = 3  # type: ignore[attr-defined]
    assert vars(thing) == {"kept": 1, "new": 3}


@pytest.mark.parametrize(
    ("features", "cast", "error", "said"),
    [
        ([["a"]], lambda: np.asarray([["a"]], dtype=float), ValueError, "features are numbers; got 'a'"),
        ([[None]], lambda: np.asarray([{}], dtype=float), TypeError, "features are numbers"),
        ([[1], [1, 2]], lambda: np.asarray([[1], [1, 2]], dtype=float), ValueError, "rows of several lengths"),
        ([[1]], lambda: int("another"), ValueError, "^invalid literal"),  # which is no error of casting
        (np.zeros(1, "M8[D]"), lambda: None, TypeError, "features are numbers; got dtype"),
        (np.zeros(1, "m8[D]"), lambda: None, TypeError, "features are numbers; got dtype"),
        (np.zeros(1, complex), lambda: None, ValueError, "real numbers"),
    ],
)
def test_only_what_could_not_be_cast_is_put_in_a_sentence(features: Any, cast: Any, error: Any, said: str) -> None:
    with pytest.raises(error, match=said), training_inputs.numbers(features):
        cast()


def test_numbers_beyond_float32_are_infinite_without_a_warning() -> None:
    with training_inputs.numbers([[1e300]]):
        assert np.isinf(np.asarray([1e300]).astype(np.float32)).all()


NUL = ["e", "e\0"] * 12


def test_labels_that_differ_by_a_nul_stay_apart() -> None:
    """Texts of numpy forget a NUL at their end."""
    x = [[float(name == "e"), i] for i, name in enumerate(NUL)]
    for estimator in (
        TreeClassifier(max_depth=1), ForestClassifier(2, random_state=0), MultiwayTreeClassifier(),
        InferenceTreeClassifier(),
    ):  # fmt: skip
        fitted = estimator.fit(x, NUL)
        assert fitted.classes_.tolist() == ["e", "e\0"] and fitted.score(x, NUL) > 0.5
    assert ChiMerge().fit(x, NUL).n_intervals_[0] == 2
    assert clusterings([row[0] for row in x], NUL).scores[0] > 15
    assert split_test(x, NUL).pvalue < 1e-5
    assert accuracy(NUL, ["e"] * 24) == 0.5 and pure_accuracy(NUL, NUL) == 1
