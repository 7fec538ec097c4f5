"""Whole numbers are counted into the levels that sorting gives; anything else is sorted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from splitcrit import AdaptiveTreeClassifier, ForestClassifier, TreeClassifier, TreeRegressor
from splitcrit.data.categories_input import _counted, coding_of
from splitcrit.data.columns import coded
from splitcrit.data.value_codes import with_missing_row

RNG = np.random.default_rng(0)
SMALL = {
    "integers": RNG.integers(-5, 9, 60),
    "floats": RNG.integers(3, 20, 60).astype(float),
    "float32": RNG.integers(-9, 0, 60).astype(np.float32),
    "far from 0": RNG.integers(0, 9, 60) * 2 + 2**60,
    "large floats": RNG.integers(0, 9, 60) * 2.0 + 2.0**53,
    "a column of a table": RNG.integers(0, 4, (60, 3)).astype(float)[:, 1],
    "one value": np.full(5, 7.0),
}
OTHERS: dict[str, Any] = {
    "a gap": np.array([0.0, np.nan, 1.0]),
    "an infinity": np.array([0.0, np.inf, 1.0]),
    "fractions": np.array([0.0, 0.5, 1.0]),
    "a large range": np.array([0, 10**6, 1]),
    "the largest range": np.array([np.iinfo(np.int64).min, np.iinfo(np.int64).max]),
    "small integers": np.array([-128, 127], np.int8),
    "words": np.array(["a", "b"]),
    "masked": np.ma.MaskedArray([0, 1, 2], [False, True, False]),
    "a list": [0, 1, 1],
}


@pytest.mark.parametrize("column", SMALL.values(), ids=SMALL)
def test_levels_by_counting_are_those_by_sorting(column: np.ndarray) -> None:
    found, expected = _counted(column), coded(column, "feature")
    assert found is not None and found.names == expected.names
    assert [type(name) for name in found.names] == [type(name) for name in expected.names]
    np.testing.assert_array_equal(found.codes, expected.codes)


@pytest.mark.parametrize("column", OTHERS.values(), ids=OTHERS)
def test_other_columns_are_not_counted(column: Any) -> None:
    assert _counted(column) is None


def test_columns_of_a_table_are_coded_one_way_or_the_other() -> None:
    x = np.stack([SMALL["floats"], np.where(SMALL["floats"] > 9, np.nan, 1.5), RNG.normal(size=60)], axis=1)
    found = coding_of([0, 1], x)
    assert found is not None
    for f in (0, 1):
        expected = with_missing_row(coded(x[:, f], "feature"))
        assert found.categories[f] == list(expected.names)
        np.testing.assert_array_equal(found.x[:, f], expected.codes)
    np.testing.assert_array_equal(found.x[:, 2], x[:, 2])


# How many categories.


def of_levels(levels: int, rows: int) -> pd.DataFrame:
    return pd.DataFrame({"dose": np.arange(rows) % 7.0, "code": [f"c{i % levels}" for i in range(rows)]})


@pytest.mark.parametrize("model", [TreeClassifier(), TreeRegressor(), ForestClassifier(2), AdaptiveTreeClassifier()])
def test_a_feature_taken_for_its_dtype_has_at_most_255_categories(model: Any) -> None:
    y = np.arange(1000) % 2
    with pytest.raises(
        ValueError, match="taken for its dtype has at most 255 categories; got 256 levels of column 'code'"
    ):
        model.set_params(categorical_features="from_dtype").fit(of_levels(256, 1000), y)
    assert model.fit(of_levels(255, 1000), y).is_categorical_.tolist() == [False, True]
    assert len(model.set_params(categorical_features=["code"]).fit(of_levels(400, 1000), y).categories_[1]) == 400


def test_a_feature_that_is_named_has_at_most_1024() -> None:
    with pytest.raises(
        ValueError, match="got 1025 levels of column 1 in 4000 rows; merge rare ones, or turn them into"
    ):
        coding_of([1], of_levels(1025, 4000).to_numpy())
    assert coding_of([1], of_levels(1024, 4000).to_numpy()) is not None


def test_only_categories_that_occur_count() -> None:
    declared = pd.Categorical(["b", "d", None, "b"] * 2, categories=[*"dcba", *map(str, range(400))])
    found = coding_of("from_dtype", pd.DataFrame({"code": declared}))
    assert found is not None and found.categories == [["d", "b", "(missing)"]]
    assert found.x[:, 0].tolist() == [1, 0, 2, 1] * 2


# What categories become where the tree predicts.

TRAIN = pd.DataFrame({"code": ["a", "b", None] * 10, "year": [1, 2, 3] * 10})
LABELS = np.array([0, 1, 1] * 10)
NEW: dict[str, tuple[Any, list[int]]] = {
    "as before": (TRAIN[:3], [0, 1, 1]),
    "of dtype category": (TRAIN[:3].astype({"code": "category", "year": float}), [0, 1, 1]),
    "of dtype string": (TRAIN[:3].astype({"code": "string", "year": "Int64"}), [0, 1, 1]),
    "all missing": (pd.DataFrame({"code": [None, np.nan], "year": [3, 3]}), [1, 1]),
    "all missing numbers": (pd.DataFrame({"code": [np.nan, np.nan], "year": [3.0, 3.0]}), [1, 1]),
    "all new": (pd.DataFrame({"code": ["x", "y"], "year": [9, 9]}), [1, 1]),
    "numbers among objects": (pd.DataFrame({"code": ["a", 7], "year": [1, 2]}, dtype=object), [0, 1]),
    "declared otherwise": (pd.DataFrame({"code": pd.Categorical(["a"], categories=[1, "a"]), "year": [True]}), [0]),
}


@pytest.mark.parametrize("model", [TreeClassifier(), ForestClassifier(3, bootstrap=False, max_features=None)], ids=repr)
@pytest.mark.parametrize("case", NEW)
def test_columns_may_change_their_dtype_but_not_what_they_hold(model: Any, case: str) -> None:
    model.set_params(categorical_features=["code", "year"]).fit(TRAIN, LABELS)
    frame, expected = NEW[case]
    assert model.predict(frame).tolist() == expected


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"code": [1, 2]}, "categories of column 'code' are words, as in fit; got numbers; convert the column first"),
        ({"year": ["1", "2"]}, "categories of column 'year' are numbers, as in fit; got words; convert the column"),
        ({"year": [b"1", None]}, "categories of column 'year' are numbers, as in fit; got bytes"),
        ({"code": pd.date_range("2020-01-01", periods=2)}, "'code' are words, as in fit; got (datetime|Timestamp)"),
    ],
)
def test_words_are_no_numbers(changed: Any, said: str) -> None:
    tree = TreeClassifier(categorical_features=["code", "year"]).fit(TRAIN, LABELS)
    with pytest.raises(TypeError, match=said):
        tree.predict(TRAIN[:2].assign(**changed))


def test_a_number_that_becomes_a_word_is_named() -> None:
    tree = TreeClassifier(categorical_features=["code"]).fit(TRAIN, LABELS)
    with pytest.raises(ValueError, match="got 'late' in column 'year'"):
        tree.predict(TRAIN[:2].assign(year=["1", "late"]))
