"""Plain arrays of numbers are read as scikit-learn reads them, at once; whatever else, and what is wrong, by it."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.utils.validation import check_X_y

from refusals import refused
from splitcrit import AdaptiveTreeClassifier, ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor
from splitcrit.data.categories_input import coded_by, names_of
from splitcrit.inference import HonestTreeClassifier, InferenceTreeClassifier
from splitcrit.trees.estimators import reading

ROWS = np.random.default_rng(0).normal(size=(40, 3))
LABELS = (ROWS[:, 0] > 0).astype(int)
PLAIN = {
    "float32": (ROWS.astype(np.float32), LABELS),
    "float64": (ROWS, LABELS.astype(float)),
    "by column": (np.asfortranarray(ROWS), LABELS.astype(np.uint8)),
    "a view": (ROWS[::2], LABELS[::2]),
    "a missing value": (np.where(ROWS > 2, np.nan, ROWS), LABELS),
}
OTHERS: dict[str, Any] = {
    "a list": (ROWS.tolist(), LABELS),
    "integers": (np.arange(40)[:, None], LABELS),
    "objects": (ROWS.astype(object), LABELS),
    "big-endian": (ROWS.astype(">f8"), LABELS),
    "words": (ROWS, np.where(LABELS, "yes", "no")),
    "truth": (ROWS, LABELS.astype(bool)),
    "a column of labels": (ROWS, LABELS[:, None]),
    "masked": (np.ma.MaskedArray(ROWS), LABELS),
    "lengths": (ROWS, LABELS[:-1]),
    "no rows": (ROWS[:0], LABELS[:0]),
    "no columns": (ROWS[:, :0], LABELS),
}


ASKED = pytest.raises(TypeError, match="'NoneType' object is not callable")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the checks of scikit-learn are asked for, there are none."""
    monkeypatch.setattr(reading, "validate_data", None)


@pytest.mark.parametrize("given", PLAIN.values(), ids=PLAIN)
@pytest.mark.parametrize("model", [TreeClassifier(), TreeRegressor()], ids=repr)
def test_plain_arrays_are_what_scikit_learn_makes_of_them(model: Any, given: Any, asked: None) -> None:
    x, y = model._read(*given, numeric=isinstance(model, TreeRegressor))
    expected, labels = check_X_y(*given, dtype=[np.float64, np.float32], ensure_all_finite=False, y_numeric=True)
    assert x.dtype == expected.dtype and model.n_features_in_ == 3
    np.testing.assert_array_equal(x, expected)
    np.testing.assert_array_equal(y, labels)


@pytest.mark.parametrize("given", OTHERS.values(), ids=OTHERS)
def test_the_rest_is_left_to_scikit_learn(given: Any, asked: None) -> None:
    with ASKED:
        TreeClassifier()._read(*given)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e308])
def test_responses_whose_sum_is_not_finite_are_left_to_scikit_learn(bad: float, asked: None) -> None:
    with ASKED:
        TreeRegressor()._read(ROWS, np.where(np.arange(40) < 2, bad, 0.0), numeric=True)


def test_names_of_features_are_forgotten_with_an_array() -> None:
    tree = TreeClassifier().fit(pd.DataFrame(ROWS, columns=["a", "b", "c"]), LABELS)
    assert tree.feature_names_in_.tolist() == ["a", "b", "c"]
    assert not hasattr(tree.fit(ROWS, LABELS), "feature_names_in_")


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_responses_whose_squares_vanish_are_refused_as_those_that_overflow(criterion: str) -> None:
    x, y = np.arange(20.0)[:, None], np.repeat([1.0, 3.0], 10)
    for kind in (TreeRegressor, ForestRegressor):
        for unit in (1e-170, 1e-320, 1e160):
            refused("divide them by a constant", kind(criterion=criterion).fit, x, y * unit)
        for unit in (1e-149, -1e-149, 1e149):
            model = kind(criterion=criterion, **({} if kind is TreeRegressor else {"bootstrap": False}))
            np.testing.assert_allclose(model.fit(x, y * unit).predict(x), y * unit)
        assert not kind(criterion=criterion).fit(x, 0 * y).predict(x).any()


# Words and dates among features are named with their column, whatever table they stand in.

SIZE = 40
Y = np.arange(SIZE) % 2
DOSE = np.arange(SIZE) / 4
DAY = pd.Series(pd.date_range("2020-01-01", periods=SIZE))
MODELS = [
    TreeClassifier(), TreeRegressor(), ForestClassifier(2), ForestRegressor(2), AdaptiveTreeClassifier(grid=(0,)),
    InferenceTreeClassifier(n_permutations=49), HonestTreeClassifier(),
]  # fmt: skip
FRAMES: dict[str, Any] = {
    "pandas": lambda frame: frame, "polars": pl.from_pandas, "pyarrow": lambda frame: pa.Table.from_pandas(frame),
    "arrow dtypes": lambda frame: frame.convert_dtypes(dtype_backend="pyarrow"),
}  # fmt: skip


@pytest.mark.each_value
@pytest.mark.parametrize("of", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_words_in_a_frame_are_named_with_their_column_and_what_to_pass(model: Any, of: Any) -> None:
    frame = of(pd.DataFrame({"dose": DOSE, "colour": np.resize(["red", "blue"], SIZE)}))
    said = r"features are numbers; got '(red|blue)' in column 'colour'; pass \w+\(categorical_features=\"from_dtype\"\)"
    refused(said, model.fit, frame, Y)
    old = clone(model).fit(of(pd.DataFrame({"dose": DOSE, "colour": DOSE})), Y)
    refused(r"features are numbers; got '(red|blue)' in column 'colour'", old.predict, frame)


TIMES: dict[str, Any] = {
    "dates": DAY, "zone": DAY.dt.tz_localize("UTC"), "durations": DAY - DAY[0], "periods": DAY.dt.to_period("D"),
    "objects": DAY.dt.date,
}  # fmt: skip


@pytest.mark.parametrize("times", TIMES.values(), ids=TIMES)
@pytest.mark.parametrize("given", [None, "from_dtype", ["colour"]], ids=str)
def test_dates_are_no_numbers_and_no_categories(times: Any, given: Any) -> None:
    frame = pd.DataFrame({"colour": np.resize(["a", "b"], SIZE), "when": times})
    frame = frame if given is not None else frame[["when"]]
    for model in (TreeClassifier(), ForestRegressor(2)):
        said = "got dates or times in column 'when'; turn them into days since"
        refused(said, model.set_params(categorical_features=given).fit, frame, Y, error=(TypeError, ValueError))


def test_words_in_arrays_and_lists_are_named_by_their_place() -> None:
    rows = [[1.0, "red"], [2.0, "7.5"]] * 20
    for x in (rows, np.array(rows, dtype=object)):
        refused(r"got 'red' in column 1; pass TreeClassifier\(categorical_features=\[1\]\)", TreeClassifier().fit, x, Y)
        assert TreeClassifier(categorical_features=[1]).fit(x, Y).score(x, Y) == 1.0
    with pytest.raises(ValueError, match=r"got '1.0' in column 0; pass TreeClassifier\(categorical_features=\[0\]\)"):
        TreeClassifier().fit(np.array(rows), Y)  # an array of texts: numbers written as words are words
    refused(r"got b'red' in column 0", TreeClassifier().fit, np.array([[b"red"]] * SIZE), Y)


def test_what_is_neither_words_nor_dates_is_said_as_before() -> None:
    refused("features are numbers; got rows of several lengths", TreeClassifier().fit, [[1.0], [2.0, 3.0]], [0, 1])
    with pytest.raises(TypeError, match=r"must be columns of strings, .*; got dict in 0; leave the column out"):
        TreeClassifier().fit(np.array([[{"a": 1}], [2.0]], dtype=object), [0, 1])


def test_names_are_those_of_frames() -> None:
    frame = pd.DataFrame({"a": [1.0], 2: [3.0]})
    assert names_of(frame) == ["a", "2"] and names_of(pa.table({"a": [1], "b": [2]})) == ["a", "b"]
    assert names_of(pl.DataFrame({"c": [1]})) == ["c"] and names_of(frame.to_numpy()) is None
    for x in (frame, pl.DataFrame({"a": [1.0], "b": [3.0]}), pa.table({"a": [1.0], "b": [3.0]}), [[1.0, 3.0]]):
        assert coded_by(x, [[0.0, 1.0], None]).tolist() == [[1.0, 3.0]]
