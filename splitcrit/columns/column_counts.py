"""Columns as rows of a table: what their values are, and how many observations have each.

Main definitions: ``of_table``, ``of_present`` (without what does not occur); ``on_left``, ``cut_words`` (of a cut).
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.columns.column_tests import ColumnTest
from splitcrit.data.counted_columns import ColumnCounts
from splitcrit.data.values import MISSING, middle
from splitcrit.table import Table

DIGITS = 6, 9, 13, 17  # of a cut, as few as tell it from the values beside it


def of_present(column: ColumnCounts) -> ColumnCounts:
    """Counts without empty rows, such as of declared values that do not occur, and without empty classes."""
    rows, classes = (np.flatnonzero(column.counts.any(axis=axis)) for axis in (1, 0))
    if (len(rows), len(classes)) == column.counts.shape:
        return column
    known = rows[rows < len(column.values)]
    values, counts = [column.values[i] for i in known.tolist()], column.counts[np.ix_(rows, classes)]
    cuts = np.asarray(column.cuts)[known[:-1]] if len(column.cuts) else column.cuts  # each ends a bin that occurs
    return ColumnCounts(counts, values, len(values) < len(counts), cuts)


def of_table(table: Table, cuts: Any = ()) -> ColumnCounts:
    """The counts of a table, the last row of which may be of missing values."""
    names, counts = table.row_names, table.integers()
    gaps = len(names) > 0 and isinstance(names[-1], str) and names[-1] == MISSING
    return of_present(ColumnCounts(counts, names[: len(names) - gaps], gaps, cuts))


def on_left(test: ColumnTest, read: ColumnCounts) -> Array:
    """Which values lie to the left of the best cut."""
    known = read.counts.sum(axis=1)[: len(read.counts) - read.gaps]
    return np.append(known.cumsum() <= test.cut, np.full(int(read.gaps), test.missing_left))


def cut_words(left: Array, read: ColumnCounts, number: bool) -> str:
    """In words which values lie on the left of a cut; a number has as few digits as tell it from its neighbours.

    Examples
    --------
    >>> each = [ColumnCounts(np.ones((2, 1), int), pair, False, ()) for pair in ([1, 2], [1000000.1, 1000000.2])]
    >>> [cut_words(np.array([True, False]), read, True) for read in each]
    ['<= 1.5', '<= 1000000.15']
    """
    known = len(left) - read.gaps
    if (at := int(left[:known].sum()) - 1) == known - 1:
        return "present"
    low, high = (read.cuts[at], read.cuts[at]) if len(read.cuts) else (read.values[at], read.values[at + 1])
    return f"<= {_between(low, high) if number else _day(low)}" + " or missing" * bool(left[known:].any())


def _day(value: Any) -> str:
    """A date, a duration or a category in words; midnight is left out.

    Examples
    --------
    >>> {_day(np.datetime64("2026-12-01", unit)) for unit in ("D", "s", "ms", "us", "ns")}
    {'2026-12-01'}
    """
    if isinstance(value, np.timedelta64):
        return str(value.astype("timedelta64[us]").item())
    whole = isinstance(value, np.datetime64) and value.astype("M8[s]") == value
    return str(value.astype("M8[s]") if whole else value).removesuffix("T00:00:00").removesuffix(" 00:00:00")


def _between(low: Any, high: Any) -> str:
    """A number from ``low`` up to below ``high``, in as few digits as that needs."""
    with suppress(OverflowError):  # integers beyond any float are shown themselves
        at = float(middle(low, high))
        return next((text for digits in DIGITS if low <= float(text := f"{at:.{digits}g}") < high), str(low))
    return str(low)
