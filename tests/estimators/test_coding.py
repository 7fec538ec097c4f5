"""Whole numbers are counted into the levels that sorting gives; anything else is sorted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from splitcrit.estimators.coding import _counted, coding_of
from splitcrit.table.levels import coded, with_missing_row

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
