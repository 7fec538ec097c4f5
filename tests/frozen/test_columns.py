"""The columns of the shared data files, against their frozen kinds and p-values, in both installs."""

from __future__ import annotations

from pathlib import Path

import pytest

from frozen import store
from frozen.columns import FAST, FILES, by_rows, ranked
from frozen.elsewhere import elsewhere

RANKED = store.COLUMN_FIELDS[:4]
SLOW = [pytest.param(name, marks=() if name in FAST else pytest.mark.slow) for name in FILES]


def found_in(name: str, fields: tuple[str, ...], rows: list[list[object]]) -> list[store.Difference]:
    """The differences of a file; ``rows`` are the columns with their answers of these fields."""
    places = [store.COLUMN_FIELDS.index(field) for field in fields]
    frozen = {column: answers for (file, column), answers in store.columns().items() if file == name}
    assert sorted(frozen) == sorted(str(column) for column, *_ in rows)
    return [
        each
        for column, *now in rows
        for each in store.compared(
            f"{name}, {column}", fields, [frozen[str(column)][i] for i in places], now, store.ROUNDING
        )
    ]


@pytest.mark.parametrize("name", SLOW)
def test_columns_are_ranked_as_frozen(data: Path, name: str) -> None:
    assert store.unknown(found_in(name, RANKED, ranked(data, name))) == []


@pytest.mark.parametrize("name", SLOW)
def test_columns_of_some_rows_are_tested_as_frozen(data: Path, name: str) -> None:
    assert store.unknown(found_in(name, store.COLUMN_FIELDS[8:], by_rows(data, name))) == []


@pytest.mark.parametrize("names", [FAST[:3], pytest.param(FILES, marks=pytest.mark.slow)], ids=["few", "all"])
def test_columns_are_ranked_as_frozen_where_nothing_else_is_installed(data: Path, names: tuple[str, ...]) -> None:
    now = elsewhere("base", "columns", data, names)
    found = [each for name in names for each in found_in(name, store.COLUMN_FIELDS[4:8], now[name])]
    assert store.unknown(found) == []


def test_another_kind_or_p_is_seen() -> None:
    for place, field in enumerate(RANKED):
        rows = [[column, *answers[:4]] for (file, column), answers in store.columns().items() if file == "zoo"]
        rows[3][place + 1] = "date" if field == "kind" else rows[3][place + 1] * (1 + 1e-8)
        assert [each.name for each in found_in("zoo", RANKED, rows)] == [f"zoo, {rows[3][0]}: {field}"]
