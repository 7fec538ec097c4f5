"""Every entry takes a column, given in the same form, for the same: kind, equal values, order, what is missing."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

import readings
from readings import ENTRIES, KINDS

FEW, MANY = 11, 110  # columns of each of 20 kinds: 220 and 2,200
SELDOM = ("audit", "Dask")  # entries that take longer, which the quick test asks about one column in five


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_every_entry_reads_a_column_alike(kind: str, number: int) -> None:
    entries = [name for name in ENTRIES if name not in SELDOM]
    assert list(readings.disagreements(kind, number, entries)) == []
    assert list(readings.disagreements(kind, number if number == MANY else number // 5, SELDOM)) == []


def test_every_kind_is_written_in_every_form_of_its_own() -> None:
    for kind in KINDS:
        forms = {column.form for column, _ in readings.columns(kind, MANY)}
        assert forms <= {*readings.FORMS}, kind
    assert {column.form for kind in KINDS for column, _ in readings.columns(kind, MANY)} == {*readings.FORMS}


def test_a_reading_that_differs_is_named() -> None:
    """Codes cast to floats are merged."""
    found = set()
    for column, y in readings.columns("leading zeros", 30):
        if column.form == "pandas object":
            merged = column.table.map(lambda x: float("nan") if pd.isna(x) else float(x)).astype(float)
            found.add(readings.read_by(lambda x, y: readings.by_test(x, y), replace(column, table=merged), y))
    assert "merged, ordered" in found
