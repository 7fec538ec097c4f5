"""The columns of the shared data files, against their frozen kinds and p-values, in both installs."""

from __future__ import annotations

from math import log
from pathlib import Path
from typing import Any

import pytest

from frozen import store
from frozen.columns import FAST, FILES, by_rows, ranked
from frozen.elsewhere import elsewhere

SLOW = [pytest.param(name, marks=() if name in FAST else pytest.mark.slow) for name in FILES]
SAME = ("kind", "score")  # as they were frozen; p has another rule, which the frozen one bounds


def found_in(name: str, rows: list[list[Any]]) -> list[store.Difference]:
    """The kinds and scores of a file that are not those frozen."""
    frozen = {column: answers for (file, column), answers in store.columns().items() if file == name}
    assert sorted(frozen) == sorted(str(row[0]) for row in rows)
    places = [store.COLUMN_FIELDS.index(field) for field in SAME]
    return [
        each
        for column, kind, _, _, score, *_ in rows
        for each in store.compared(
            f"{name}, {column}", SAME, [frozen[str(column)][i] for i in places], [kind, score], store.ROUNDING
        )
    ]


def breaks(frozen: float, log_p: float, method: str, statistic: str) -> bool | None:
    """Whether a p-value breaks its bound by the frozen law, None where there is none: that of the best cut of two
    classes, alone or doubled, or of a table."""
    doubled = min(0.0, frozen + log(2))
    if (method, statistic) == ("exact", "table"):
        return abs(log_p - frozen) > 1e-9
    if (method, statistic) == ("exact", "best cut"):
        return min(abs(log_p - frozen), abs(log_p - doubled)) > 1e-9
    return log_p > doubled + 1e-9 if statistic == "scores" else None


@pytest.mark.parametrize("name", SLOW)
def test_columns_are_ranked_as_frozen(data: Path, name: str) -> None:
    rows = ranked(data, name)
    assert store.unknown(found_in(name, rows)) == []
    place = store.COLUMN_FIELDS.index("log_p")
    laws = [(store.columns()[name, str(row[0])][place], row[3], *row[5:]) for row in rows]
    assert not [law for law in laws if breaks(*law)]


@pytest.mark.parametrize("name", SLOW)
def test_a_column_has_one_p_whoever_is_asked(data: Path, name: str) -> None:
    assert [row for row in by_rows(data, name) if len(set(row[1:])) > 1] == []


@pytest.mark.parametrize("names", [FAST[:3], pytest.param(FILES, marks=pytest.mark.slow)], ids=["few", "all"])
def test_columns_are_ranked_alike_where_nothing_else_is_installed(data: Path, names: tuple[str, ...]) -> None:
    now = elsewhere("base", "columns", data, names)
    assert all(now[name] == ranked(data, name) for name in names)


def test_another_kind_score_or_p_is_seen() -> None:
    rows: list[list[Any]] = [
        [column, answers[0], *answers[1:4], "exact", "table"]
        for (file, column), answers in store.columns().items() if file == "zoo"
    ]  # fmt: skip
    for place, field in ((1, "kind"), (4, "score")):
        changed = [list(row) for row in rows]
        changed[3][place] = "date" if field == "kind" else changed[3][place] * (1 + 1e-8)
        assert [each.name for each in found_in("zoo", changed)] == [f"zoo, {rows[3][0]}: {field}"]
    assert breaks(-5.0, -5.0, "exact", "table") is False and breaks(-5.0, -4.9, "exact", "table")
    assert breaks(-5.0, log(2) - 5, "exact", "best cut") is False and breaks(-5.0, -4.9, "exact", "best cut")
    assert breaks(-5.0, -9.0, "permutations", "scores") is False and breaks(-5.0, -4.0, "permutations", "scores")
    assert breaks(-5.0, -4.0, "evidence", "all cuts") is None
