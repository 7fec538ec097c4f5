"""Columns as rows of a table: what their values are, and how many observations have each.

Main definitions: ``read_held`` (a column in memory, a ``ReadColumn``); ``of_table``, ``of_present`` (without what does
not occur); ``binned``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.columns import InMemoryColumn, levels
from splitcrit.data.counted_columns import Column, ColumnCounts, ReadingOptions
from splitcrit.data.partial_counts import APART, CELLS, ValueCounts
from splitcrit.data.values import MISSING
from splitcrit.table import Table


class ReadColumn(NamedTuple):
    """The place of each row's value, missing values last; the values in order, or the cuts between bins; how it was
    read."""

    codes: Array
    values: Any
    cuts: Array
    column: Column

    def counted(self) -> ColumnCounts:
        """Return how many rows have each value, as those of one class."""
        gaps = self.column.missing > 0
        counts = np.bincount(self.codes, minlength=len(self.values) + gaps)[:, None]
        return of_present(ColumnCounts(counts, self.values, gaps, self.cuts))


def of_present(found: ColumnCounts) -> ColumnCounts:
    """Return counts without empty rows, such as of declared values that do not occur, and without empty classes."""
    rows, classes = (np.flatnonzero(found.counts.any(axis=axis)) for axis in (1, 0))
    if (len(rows), len(classes)) == found.counts.shape:
        return found
    known = rows[rows < len(found.values)]
    values, counts = [found.values[i] for i in known.tolist()], found.counts[np.ix_(rows, classes)]
    cuts = np.asarray(found.cuts)[known[:-1]] if len(found.cuts) else found.cuts  # each ends a bin that occurs
    return ColumnCounts(counts, values, len(values) < len(counts), cuts)


def of_table(table: Table, cuts: Any = ()) -> ColumnCounts:
    """Return the counts of a table, the last row of which may be of missing values."""
    names, counts = table.row_names, table.integers()
    gaps = len(names) > 0 and isinstance(names[-1], str) and names[-1] == MISSING
    return of_present(ColumnCounts(counts, names[: len(names) - gaps], gaps, cuts))


def binned(there: Array, codes: Array, bins: int | None) -> tuple[ValueCounts, Array, Array]:
    """How often values occur, the cuts between bins at quantiles if there are more of them, and each row's place.

    Places ``codes (n,)`` are those of values ``there``, in order, or after cuts those of bins; -1 is missing.
    """
    tally = ValueCounts(CELLS, in_order=True, in_cells=True)
    tally.add(there, codes, np.zeros(len(codes), dtype=np.intp), 1)
    if not bins or not (len(tally.values) > bins or tally.level > APART):
        return tally, there[:0], codes
    cuts = tally.cut(bins)[0]
    return tally, cuts, np.append(np.searchsorted(cuts, there), -1)[codes]


def read_held(column: InMemoryColumn, reading: ReadingOptions, unordered: bool) -> ReadColumn | None:
    """Return a column in memory as ``Tables.of`` reads it, with the place of each row; None of texts with too many
    values."""
    if not column.in_order or unordered:
        names, codes = levels(column, reading.na_values)
        if len(names) > reading.most:
            return None
        gaps, kind = codes < 0, "category" if column.in_order else column.kind
        about = Column(kind, len(names), missing=int(gaps.sum()), note=column.note)
        return ReadColumn(np.where(gaps, len(names), codes), names, np.empty(0), about)
    there, codes = column.coded(reading.na_values)
    tally, cuts, codes = binned(there, codes, reading.bins)
    bins = len(cuts) + 1 if len(cuts) else 0
    values: Any = range(bins) if bins else there
    about = Column(column.kind, len(tally.values), bins, tally.level > APART, tally.missing, column.marks, column.note)
    return ReadColumn(np.where(codes < 0, len(values), codes), values, cuts, about)
