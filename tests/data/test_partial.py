"""Counts of parts of the rows, in whatever parts: those of all rows, and each row that is named is one of all."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from splitcrit.data.columns import read_columns
from splitcrit.data.partial_counts import CountingPlan, Partial, ValueCounts, counts_between
from splitcrit.data.row_parts import RowPart
from splitcrit.nulls.feature_counts import BINS

PLAN = CountingPlan("y", limits={"x": 100})


def part(cells: list[Any], labels: list[Any], rows: slice, total: Partial | None = None) -> Partial:
    """Count some of the rows, beside those of a total."""
    found = Partial(PLAN) if total is None else total
    columns = {name: held.take(rows) for name, held in read_columns({"x": cells, "y": labels}).items()}
    found.add(RowPart(columns, len(range(len(cells))[rows])), np.random.default_rng(rows.start or 0))
    return found


def told(found: Partial) -> Any:
    """What a partial says of the rows, in no order but that of the names."""
    tally, classes = found.tallies["x"], found.classes.names()
    counts = np.pad(tally.counts, ((0, 0), (0, len(classes) - tally.counts.shape[1])))
    table = {name: counts[row, found.classes.at(classes)].tolist() for name, row in tally.places.items()}
    by_class = dict(zip(classes, found.classes.counts[found.classes.at(classes)].ravel().tolist(), strict=True))
    return found.rows, found.unlabelled, by_class, table


CELL = st.sampled_from(["1", " 2.5", "c", "a", "b ", "NA", "", None])


@given(st.lists(st.tuples(CELL, st.sampled_from([*"pqr", None])), min_size=1, max_size=30), st.sets(st.integers(1, 29)))
def test_parts_that_are_merged_are_the_whole(rows: list[tuple[str, str]], cuts: set[int]) -> None:
    cells, labels = [cell for cell, _ in rows], [label for _, label in rows]
    ends = [0, *sorted(cut for cut in cuts if cut < len(cells)), len(cells)]
    slices = [slice(a, b) for a, b in pairwise(ends)]
    whole = told(part(cells, labels, slice(0, len(cells))))
    there = [(cell, label) for cell, label in rows if label is not None]
    assert whole[:3] == (len(there), len(rows) - len(there), dict(Counter(sorted(label for _, label in there))))
    assert whole[3] == {cell: [there.count((cell, label)) for label in whole[2]] for cell, _ in there}
    each = [part(cells, labels, rows) for rows in slices]
    assert told(reduce(Partial.merged, each)) == whole
    assert told(reduce(lambda last, before: before.merged(last), each[::-1])) == whole  # the last two first
    assert told(reduce(lambda total, rows: part(cells, labels, rows, total), slices, Partial(PLAN))) == whole


def test_a_column_given_up_in_one_part_is_given_up() -> None:
    plan, rng = CountingPlan("y", limits={"x": 2}), np.random.default_rng(0)
    parts = []
    for cells in (["1"], ["1", "2", "3"], ["2"]):
        parts.append(Partial(plan))
        parts[-1].add(RowPart(read_columns({"x": cells, "y": ["p"] * len(cells)}), len(cells)), rng)
    assert [each.tallies["x"].over for each in parts] == [False, True, False]
    assert all(reduce(Partial.merged, order).tallies["x"].over for order in (parts, parts[::-1]))


def test_a_column_of_many_values_is_given_up_before_they_are_named() -> None:
    """To name each of them takes longer than to count the rows."""
    found, block = ValueCounts(BINS), np.ones((20_000, 1), dtype=np.int64)
    found.put([object()] * 20_000, block)  # one name: it is their number alone that counts
    assert found.over and not found.places
    few = ValueCounts(BINS)
    few.put([*range(BINS), None], block[: BINS + 1])
    assert not few.over and few.values == BINS


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


@pytest.mark.parametrize("cuts", [0, 1, 32, 300])
@pytest.mark.parametrize("dtype", ["int64", "float64", "uint8", "M8[D]"])
def test_how_many_values_are_between_cuts(cuts: int, dtype: str) -> None:
    rng = np.random.default_rng(cuts)
    held = np.unique(rng.integers(0, 256, cuts)).astype(dtype)
    values = rng.integers(0, 256, 500).astype(dtype)
    places = [sum(cut < value for cut in held.tolist()) for value in values.tolist()]
    assert counts_between(held, values).tolist() == [places.count(i) for i in range(len(held) + 1)]


def test_infinities_and_large_integers_are_told_apart() -> None:
    assert counts_between(np.array([-np.inf, 0.0, np.inf]), np.array([-np.inf, 1.0, np.inf])).tolist() == [1, 0, 2, 0]
    assert counts_between(np.array([2**53, 2**53 + 1]), np.array([2**53 + 1, 2**53 + 2])).tolist() == [0, 1, 1]
