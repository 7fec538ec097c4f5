"""Words and dates among features are named with their column, whatever table they stand in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

from splitcrit import AdaptiveTreeClassifier, ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor
from splitcrit.data.categories_input import coded_by, names_of
from splitcrit.inference import HonestTreeClassifier, InferenceTreeClassifier

ROWS = 40
Y = np.arange(ROWS) % 2
DOSE = np.arange(ROWS) / 4
DAY = pd.Series(pd.date_range("2020-01-01", periods=ROWS))
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
    frame = of(pd.DataFrame({"dose": DOSE, "colour": np.resize(["red", "blue"], ROWS)}))
    said = r"features are numbers; got '(red|blue)' in column 'colour'; pass \w+\(categorical_features=\"from_dtype\"\)"
    with pytest.raises(ValueError, match=said):
        model.fit(frame, Y)
    old = clone(model).fit(of(pd.DataFrame({"dose": DOSE, "colour": DOSE})), Y)
    with pytest.raises(ValueError, match=r"features are numbers; got '(red|blue)' in column 'colour'"):
        old.predict(frame)


TIMES: dict[str, Any] = {
    "dates": DAY, "zone": DAY.dt.tz_localize("UTC"), "durations": DAY - DAY[0], "periods": DAY.dt.to_period("D"),
    "objects": DAY.dt.date,
}  # fmt: skip


@pytest.mark.parametrize("times", TIMES.values(), ids=TIMES)
@pytest.mark.parametrize("given", [None, "from_dtype", ["colour"]], ids=str)
def test_dates_are_no_numbers_and_no_categories(times: Any, given: Any) -> None:
    frame = pd.DataFrame({"colour": np.resize(["a", "b"], ROWS), "when": times})
    frame = frame if given is not None else frame[["when"]]
    for model in (TreeClassifier(), ForestRegressor(2)):
        with pytest.raises(
            (TypeError, ValueError), match="got dates or times in column 'when'; turn them into days since"
        ):
            model.set_params(categorical_features=given).fit(frame, Y)


def test_words_in_arrays_and_lists_are_named_by_their_place() -> None:
    rows = [[1.0, "red"], [2.0, "7.5"]] * 20
    for x in (rows, np.array(rows, dtype=object)):
        with pytest.raises(
            ValueError, match=r"got 'red' in column 1; pass TreeClassifier\(categorical_features=\[1\]\)"
        ):
            TreeClassifier().fit(x, Y)
        assert TreeClassifier(categorical_features=[1]).fit(x, Y).score(x, Y) == 1.0
    with pytest.raises(ValueError, match=r"got '1.0' in column 0; pass TreeClassifier\(categorical_features=\[0\]\)"):
        TreeClassifier().fit(np.array(rows), Y)  # an array of texts: numbers written as words are words
    with pytest.raises(ValueError, match=r"got b'red' in column 0"):
        TreeClassifier().fit(np.array([[b"red"]] * ROWS), Y)


def test_what_is_neither_words_nor_dates_is_said_as_before() -> None:
    with pytest.raises(ValueError, match="features are numbers; got rows of several lengths"):
        TreeClassifier().fit([[1.0], [2.0, 3.0]], [0, 1])
    with pytest.raises(TypeError, match=r"must be columns of strings, .*; got dict in 0; leave the column out"):
        TreeClassifier().fit(np.array([[{"a": 1}], [2.0]], dtype=object), [0, 1])


def test_names_are_those_of_frames() -> None:
    frame = pd.DataFrame({"a": [1.0], 2: [3.0]})
    assert names_of(frame) == ["a", "2"] and names_of(pa.table({"a": [1], "b": [2]})) == ["a", "b"]
    assert names_of(pl.DataFrame({"c": [1]})) == ["c"] and names_of(frame.to_numpy()) is None
    for x in (frame, pl.DataFrame({"a": [1.0], "b": [3.0]}), pa.table({"a": [1.0], "b": [3.0]}), [[1.0, 3.0]]):
        assert coded_by(x, [[0.0, 1.0], None]).tolist() == [[1.0, 3.0]]
