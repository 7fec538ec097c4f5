"""Counts of parts of the rows, in whatever parts: those of all rows, and each row that is named is one of all.

Of a column with many values the cells are found again by shifting the bits of each float, one by one.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Iterable
from functools import reduce
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from splitcrit.data import partial_counts
from splitcrit.data.columns import read_columns
from splitcrit.data.partial_counts import CountingPlan, Partial, ValueCounts, as_names, quantiles
from splitcrit.data.resume import read_partial, write_partial
from splitcrit.data.row_parts import RowPart
from splitcrit.nulls.feature_counts import BINS

PLAN = CountingPlan("y", limits={"x": 100})


def part(cells: Any, labels: Any, rows: Any, total: Partial | None = None, plan: CountingPlan = PLAN) -> Partial:
    """Count some of the rows, beside those of a total."""
    found = Partial(plan) if total is None else total
    columns = {name: held.take(rows) for name, held in read_columns({"x": cells, "y": labels}).items()}
    found.add(RowPart(columns, len(np.arange(len(cells))[rows])))
    return found


def told(found: Partial) -> Any:
    """What a partial says of the rows, in no order but that of the names."""
    tally, classes, places = found.tallies["x"], *found.classes.named()
    counts = np.vstack([tally.counts, tally.gaps])[:, places].tolist()
    table = {name: row for name, row in zip([*tally.values.tolist(), None], counts, strict=True) if any(row)}
    by_class = dict(zip(classes, found.classes.counts[places].ravel().tolist(), strict=True))
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
    plan = CountingPlan("y", limits={"x": 2})
    parts = [part(cells, ["p"] * len(cells), slice(None), plan=plan) for cells in (["1"], ["1", "2", "3"], ["2"])]
    assert [each.tallies["x"].over for each in parts] == [False, True, False]
    assert all(reduce(Partial.merged, order).tallies["x"].over for order in (parts, parts[::-1]))


def test_a_column_of_many_values_is_given_up_before_they_are_named() -> None:
    """To name each of them takes longer than to count the rows."""
    found, few = ValueCounts(BINS), ValueCounts(BINS)
    same = as_names([object()] * 20_000)  # one name: it is their number alone that counts
    found.add(same, np.arange(20_000), np.zeros(20_000, dtype=int), 1)
    assert found.over and not len(found.values)
    few.add(as_names(range(BINS)), np.arange(-1, BINS), np.zeros(BINS + 1, dtype=int), 1)
    assert not few.over and len(few.values) == BINS and few.missing == 1


# Cells.


def key(value: float) -> int:
    """The rank of a float among all floats, 0 at 0."""
    (bits,) = struct.unpack("<q", struct.pack("<d", value + 0.0))
    return int(bits if bits >= 0 else -(bits & (2**63 - 1)) - 1)


def nearest(value: Any) -> float:
    """The float of a number, of a date or duration in microseconds."""
    if isinstance(value, np.datetime64 | np.timedelta64):
        return float(value.astype(f"{value.dtype.kind}8[ns]").astype(np.int64) / 1000)
    large = isinstance(value, int) and abs(value) >= 2**1024
    return math.copysign(math.inf, 1 if value > 0 else -1) if large else float(value)


def cells_by_hand(values: Iterable[Any], most: int) -> tuple[int, dict[Any, Any]]:
    """The level, and the largest value of the cell of each value."""
    there = set(values)
    if len(there) <= most:
        return -1, {value: value for value in there}
    for level in range(64):
        cells: dict[int, list[Any]] = {}
        for value in there:
            cells.setdefault(key(nearest(value)) // 2**level, []).append(value)
        if len(cells) <= most:
            return level, {value: max(cell) for cell in cells.values() for value in cell}
    raise AssertionError


def columns_of_many_values() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    n = 300
    return {
        "normal": rng.normal(size=n), "log-normal": np.exp(9 * rng.normal(size=n)), "few": rng.integers(0, 5, n),
        "seconds": 1_700_000_000 + rng.integers(0, 10**7, n), "float32": rng.normal(size=n).astype(np.float32),
        "ends": np.concatenate([[np.inf, -np.inf, -0.0, 0.0, 5e-324, 1e308], rng.integers(-9, 9, n - 6) / 7]),
        "large": [10 ** (22 + 400 * (i % 9 == 0)) * int(i) + 1 for i in rng.integers(-99, 99, n).tolist()], 
        "near": 2**60 + rng.integers(0, 10**6, n),
        "days": np.datetime64("1960-01-01") + rng.integers(0, 10**4, n).astype("m8[D]"),
        "nanoseconds": rng.integers(-(10**6), 10**6, n).astype("m8[ns]"),
        "gaps": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
    }  # fmt: skip


@pytest.mark.parametrize("name", columns_of_many_values())
@pytest.mark.parametrize("most", [4, 40])
def test_cells_depend_on_the_set_of_values_alone(
    name: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In any order of the rows and any parts, put together in any order, and resumed after each."""
    monkeypatch.setattr(partial_counts, "CELLS", most)
    x, rng = columns_of_many_values()[name], np.random.default_rng(most)
    y = np.array([*"pqr"])[rng.integers(0, 3, len(x))]
    y[:99][y[:99] == "r"] = "p"  # one class is met in later rows
    plan = CountingPlan("y", {"x": 9}, in_order=frozenset("x"), in_cells=frozenset("x"))
    column = read_columns({"x": x})["x"]
    values = [value if held else None for value, held in zip(list(column.values), column.present, strict=True)]
    level, largest = cells_by_hand((value for value in values if value is not None), most)
    expected = Counter((None if v is None else nearest(largest[v]), label) for v, label in zip(values, y, strict=True))

    def content(found: Partial) -> Any:
        tally, (classes, places) = found.tallies["x"], found.classes.named()
        names = [*map(nearest, list(tally.values)), None]
        counts = np.vstack([tally.counts, tally.gaps])[:, places].tolist()
        pairs = [((name, label), n) for name, row in zip(names, counts, strict=True)
                 for label, n in zip(classes, row, strict=True)]  # fmt: skip
        return tally.level, {pair: n for pair, n in pairs if n}, names[:-1]

    whole = (level, dict(expected), sorted({nearest(value) for value in largest.values()}))
    assert content(part(x, y, slice(None), plan=plan)) == whole
    for _ in range(3):
        rows = rng.permutation(len(x))
        slices = np.split(rows, np.sort(rng.choice(len(x), rng.integers(1, 9), replace=False)))
        parts = [part(x, y, each, plan=plan) for each in slices]
        rng.shuffle(parts)  # type: ignore[arg-type]
        assert content(reduce(Partial.merged, parts)) == whole
        one_by_one = Partial(plan)
        for i, each in enumerate(slices):
            part(x, y, each, one_by_one, plan)
            write_partial(tmp_path / "counts.npz", one_by_one, {"digest": "d", "pieces": i})
            read_partial(tmp_path / "counts.npz", one_by_one := Partial(plan), "d")
        assert content(one_by_one) == whole


def test_many_classes_have_fewer_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partial_counts, "ENTRIES", 600)
    plan = CountingPlan("y", {"x": 9}, in_order=frozenset("x"), in_cells=frozenset("x"))
    x, y = np.random.default_rng(0).normal(size=900), np.arange(900) // 30
    found = reduce(Partial.merged, [part(x, y, slice(a, a + 90), plan=plan) for a in range(0, 900, 90)])
    assert sorted(found.tallies["x"].values) == sorted(set(cells_by_hand(x, 600 // 30)[1].values()))


@given(st.lists(st.integers(1, 4), min_size=1, max_size=20), st.integers(2, 9))
@example([1, 9], 2)
def test_bins_hold_the_rows_up_to_each_quantile(sizes: list[int], bins: int) -> None:
    n, values = sum(sizes), list(range(len(sizes)))
    rows = [value for value in values for _ in range(sizes[value])]
    expected = sorted({rows[-(-n * i // bins) - 1] for i in range(1, bins)})
    assert quantiles(np.array(sizes), bins).tolist() == expected
    tally = ValueCounts(99, in_order=True)
    tally.put(np.array(values), np.array(sizes)[:, None], np.array([0]))
    cuts, counts = tally.cut(bins)
    edges = [-1, *expected, values[-1]]
    held = [sum(sizes[a + 1 : b + 1]) for a, b in pairwise(edges)]
    assert cuts.tolist() == expected and counts[:, 0].tolist() == [size for size in held if size]
