"""Every entry takes a column, given in the same form, for the same: kind, equal values, order, what is missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
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
        assert len(forms) > 1 and forms <= {*readings.FORMS}, kind
    assert {column.form for kind in KINDS for column, _ in readings.columns(kind, MANY)} == {*readings.FORMS}


# The engine sees what an entry reads otherwise.


@pytest.mark.parametrize(
    ("kind", "planted", "said"),
    [
        ("leading zeros", lambda x: _floats(x), "merged, ordered"),
        ("numbers", lambda x: x.astype(str).astype("category"), "other kind"),
        ("marks of missing", lambda x: x.where(x.notna(), 99.0), "gaps kept"),
    ],
)
def test_a_reading_that_differs_is_named(kind: str, planted: Callable[[pd.DataFrame], pd.DataFrame], said: str) -> None:
    found = set()
    for column, y in readings.columns(kind, 30):
        if column.form.startswith("pandas"):
            assert readings.read_by(readings.by_test, column, y) == "right"
            found.add(readings.read_by(readings.by_test, replace(column, table=planted(column.table)), y))
    assert said in found


def _floats(x: pd.DataFrame) -> pd.DataFrame:
    numbers = pd.to_numeric(x["x"], errors="coerce") if x["x"].dtype != "category" else x["x"].astype(str).astype(float)
    return pd.DataFrame({"x": np.asarray(numbers, dtype=float)})
