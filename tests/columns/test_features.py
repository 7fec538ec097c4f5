"""Features as values in order or categories: what is missing, what lies between two values, and odd data."""

import numpy as np
import pandas as pd
import pytest

from splitcrit.columns.features import CATEGORIES, NUMERIC, ORDERED, Feature, read_features

X = pd.DataFrame(
    {
        "size": [2.5, np.nan, 1.0, 2.5],
        "grade": pd.Categorical(["low", "high", None, "low"], ["low", "middle", "high"], ordered=True),
        "kind": ["b", None, "a", "b"],
    }
)


def test_kinds_levels_and_codes() -> None:
    size, grade, kind = read_features(X, None, "side")
    assert (size.name, size.kind, size.levels.tolist(), size.codes.tolist()) == (
        "size",
        NUMERIC,
        [1, 2.5],
        [1, -1, 0, 1],
    )
    assert (grade.kind, grade.levels.tolist(), grade.codes.tolist()) == (ORDERED, ["low", "high"], [0, 1, -1, 0])
    assert (kind.kind, kind.levels.tolist(), kind.codes.tolist()) == (CATEGORIES, ["a", "b", "(missing)"], [1, 2, 0, 1])


def test_missing_values_as_a_last_value() -> None:
    size, grade, _ = read_features(X, None, "row")
    assert (size.codes.tolist(), size.threshold(1), size.threshold(2)) == ([1, 2, 0, 1], 1.75, 2.5)
    assert (grade.codes.tolist(), grade.levels[-1]) == ([0, 1, 2, 0], "(missing)")


def test_a_threshold_parts_two_values_however_close() -> None:
    for low, high in ((1.0, 2.0), (1.0, np.nextafter(1.0, 2)), (-1e308, 1.7e308), (0.0, 5e-324), (-5e-324, 0.0)):
        feature = Feature("x", NUMERIC, np.array([low, high]), np.array([0, 1]))
        assert low <= feature.threshold(1) < high
        assert feature.threshold(2) == np.inf


def test_rows_by_value_and_their_numbers() -> None:
    size = read_features(X, None, "side")[0]
    assert size.places.tolist() == [1, 2, 0, 1]
    doubled = size.repeated(np.array([2, 1, 0, 3]))
    assert (doubled.levels.tolist(), doubled.codes.tolist()) == ([2.5], [0, 0, -1, 0, 0, 0])


def test_columns_of_an_array_are_named_by_their_place() -> None:
    assert [f.name for f in read_features(np.zeros((2, 3)), None, "side")] == ["x0", "x1", "x2"]
    assert read_features([["a", 1], ["b", 2]], [0], "side")[0].kind == CATEGORIES


@pytest.mark.parametrize("x", [[[{}]], [1, 2], np.zeros((0, 2)), [[1, 2], [3]]])
def test_what_is_no_table_of_numbers_is_refused(x: object) -> None:
    with pytest.raises((ValueError, TypeError), match=";"):
        read_features(x, None, "side")
