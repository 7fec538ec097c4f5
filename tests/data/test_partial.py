"""Counts of parts of the rows, in whatever parts: those of all rows, and each row that is named is one of all."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from splitcrit.data.columns import read_columns
from splitcrit.data.partial_counts import CountingPlan, Partial, ValueCounts
from splitcrit.data.row_parts import RowPart
from splitcrit.nulls.feature_counts import BINS

PLAN = CountingPlan("y", limits={"x": 100}, sampled=("x",), texts={"x": ""})
KINDS = {"1": "number", " 2.5": "number", "2024-01-01": "date", "2024-01-01T06:30": "date", "a": "word", "b ": "word"}
MARKS = ("NA", "?", "nan", "Null")
GAPS = ("", "  ")


def part(cells: list[str], labels: str, rows: slice, total: Partial | None = None) -> Partial:
    """Count some of the rows, beside those of a total."""
    found = Partial(PLAN) if total is None else total
    columns = {name: held.take(rows) for name, held in read_columns({"x": cells, "y": list(labels)}).items()}
    found.add(RowPart(columns, len(range(len(cells))[rows])), np.random.default_rng(rows.start or 0))
    return found


def told(found: Partial) -> Any:
    """What a partial says of the rows, in no order but that of the names."""
    tally, classes, texts = found.tallies["x"], found.classes.names(), found.texts["x"]
    counts = np.pad(tally.counts, ((0, 0), (0, len(classes) - tally.counts.shape[1])))
    table = {name: counts[row, found.classes.at(classes)].tolist() for name, row in tally.places.items()}
    by_class = dict(zip(classes, found.classes.counts[found.classes.at(classes)].ravel().tolist(), strict=True))
    return found.rows, by_class, table, dict(texts.rows), dict(texts.marks), texts.first, texts.kind, texts.spoiler


def expected(cells: list[str]) -> tuple[dict[str, int], dict[str, tuple[int, str]]]:
    """How many rows of each kind there are, and the first of each, cell by cell."""
    rows: dict[str, int] = {}
    first: dict[str, tuple[int, str]] = {}
    for row, cell in enumerate(cells):
        if cell in KINDS:
            rows[KINDS[cell]] = rows.get(KINDS[cell], 0) + 1
            first.setdefault(KINDS[cell], (row, cell.strip()))
    return rows, first


CELL = st.sampled_from([*KINDS, *MARKS, *GAPS])


@given(st.lists(st.tuples(CELL, st.sampled_from("pqr")), min_size=1, max_size=30), st.sets(st.integers(1, 29)))
def test_parts_that_are_merged_are_the_whole(rows: list[tuple[str, str]], cuts: set[int]) -> None:
    cells, labels = [cell for cell, _ in rows], "".join(label for _, label in rows)
    ends = [0, *sorted(cut for cut in cuts if cut < len(cells)), len(cells)]
    slices = [slice(a, b) for a, b in pairwise(ends)]
    whole = told(part(cells, labels, slice(0, len(cells))))
    assert (whole[3], whole[5]) == expected(cells)
    each = [part(cells, labels, rows) for rows in slices]
    assert told(reduce(Partial.merged, each)) == whole
    assert told(reduce(lambda last, before: before.merged(last), each[::-1])) == whole  # the last two first
    assert told(reduce(lambda total, rows: part(cells, labels, rows, total), slices, Partial(PLAN))) == whole


@pytest.mark.parametrize("cut", [0, 1, 6, 13])
def test_the_row_that_spoils_a_column_is_counted_from_the_first(cut: int) -> None:
    for row in range(13):
        cells = [str(number % 7) for number in range(13)]
        cells[row] = "x"
        found = part(cells, 13 * "p", slice(0, cut)).merged(part(cells, 13 * "p", slice(cut, 13)))
        assert found.texts["x"].spoiler == ("number", row, "x")


@pytest.mark.parametrize("row", [0, 3, 7, 8])
def test_the_row_without_a_label_is_counted_from_the_first(row: int) -> None:
    cells, labels = ["1"] * 9, [None if i in (row, 8) else "p" for i in range(9)]
    columns, found, rng = read_columns({"x": cells, "y": labels}), Partial(PLAN), np.random.default_rng(0)
    with pytest.raises(ValueError, match=f"got a missing value in 'y', row {row + 1}; drop the unlabelled"):
        for start in range(0, 9, 4):
            some = {name: held.take(slice(start, start + 4)) for name, held in columns.items()}
            found.add(RowPart(some, min(4, 9 - start)), rng)


def test_a_column_given_up_in_one_part_is_given_up() -> None:
    plan, rng = CountingPlan("y", limits={"x": 2}), np.random.default_rng(0)
    parts = []
    for cells in (["1"], ["1", "2", "3"], ["2"]):
        parts.append(Partial(plan))
        parts[-1].add(RowPart(read_columns({"x": cells, "y": ["p"] * len(cells)}), len(cells)), rng)
    assert [each.tallies["x"].over for each in parts] == [False, True, False]
    assert all(reduce(Partial.merged, order).tallies["x"].over for order in (parts, parts[::-1]))


def test_the_first_rows_give_up_a_column_that_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else each of the many values of the rows below would be named, which takes longer than counting them."""
    names: list[int] = []
    put = ValueCounts.put
    monkeypatch.setattr(
        ValueCounts, "put", lambda self, given, block: names.append(len(given)) or put(self, given, block)
    )
    x = np.random.default_rng(0).normal(size=20_000)
    found = Partial(CountingPlan("y", limits={"x": BINS}, sampled=("x",)))
    found.add(RowPart(read_columns({"x": x, "y": (x > 0).astype(int)}), len(x)), np.random.default_rng(0))
    assert found.tallies["x"].over and found.samples["x"].whole and max(names) < 3 * BINS


def test_rows_between_cuts_are_counted_by_class_with_gaps_apart() -> None:
    rng = np.random.default_rng(1)
    x, y = np.where(rng.random(900) < 0.1, np.nan, rng.normal(size=900)), rng.choice([*"pqr"], 900)
    y[:300][y[:300] == "r"] = "p"  # one class is met in later rows
    cuts = np.sort(rng.normal(size=40))
    found = Partial(CountingPlan("y", cuts={"x": cuts}))
    for rows in (slice(0, 300), slice(300, 900)):
        part = {name: held.take(rows) for name, held in read_columns({"x": x, "y": y}).items()}
        found.add(RowPart(part, rows.stop - rows.start), rng)
    tally, classes = found.tallies["x"], found.classes.places
    for name, row in tally.places.items():
        here = np.isnan(x) if name is None else (np.searchsorted(cuts, x) == name) & ~np.isnan(x)
        assert [tally.counts[row, at] for at in classes.values()] == [(here & (y == label)).sum() for label in classes]
    assert sum(tally.counts.ravel()) == 900
