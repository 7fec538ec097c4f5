"""Categories of a training set, their codes, and what they become where a tree predicts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from splitcrit import AdaptiveTreeClassifier, ForestClassifier, TreeClassifier, TreeRegressor
from splitcrit.data.categories_input import coding_of

RNG = np.random.default_rng(0)


def test_columns_of_a_table_are_coded_by_their_values() -> None:
    codes = RNG.integers(3, 20, 60).astype(float)
    x = np.stack([codes, np.where(codes > 9, np.nan, 1.5), RNG.normal(size=60)], axis=1)
    found = coding_of([0, 1], x)
    assert found.categories == [sorted(set(codes.tolist())), [1.5, "(missing)"], None]
    assert [found.categories[0][int(code)] for code in found.x[:, 0]] == codes.tolist()
    assert found.x[:, 1].tolist() == (codes > 9).tolist()
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
    assert len(coding_of([1], of_levels(1024, 4000).to_numpy()).categories[1] or ()) == 1024


def test_only_categories_that_occur_count() -> None:
    declared = pd.Categorical(["b", "d", None, "b"] * 2, categories=[*"dcba", *map(str, range(400))])
    found = coding_of("from_dtype", pd.DataFrame({"code": declared}))
    assert found.categories == [["d", "b", "(missing)"]]
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
        ({"code": pd.date_range("2020-01-01", periods=2)}, "'code' are words, as in fit; got datetime"),
    ],
)
def test_words_are_no_numbers(changed: Any, said: str) -> None:
    tree = TreeClassifier(categorical_features=["code", "year"]).fit(TRAIN, LABELS)
    with pytest.raises(TypeError, match=said):
        tree.predict(TRAIN[:2].assign(**changed))
