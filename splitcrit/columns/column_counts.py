"""Columns as rows of a table: what their values are, and how many observations have each.

Main definitions: ``read_held`` (a column in memory, a ``ReadColumn``), ``counted_held`` (all columns by the classes of
a label, each ``ColumnCounts``), ``of_table``, ``of_present`` (without what does not occur).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.columns import InMemoryColumn, levels, magnitudes
from splitcrit.data.partial_counts import SAMPLE, quantile_cuts
from splitcrit.data.row_parts import ColumnSource
from splitcrit.data.targets import Target
from splitcrit.data.two_passes import Column, ReadingOptions, noted
from splitcrit.data.value_codes import MISSING
from splitcrit.frozen import complaint
from splitcrit.table import Table, Tables


class ColumnCounts(NamedTuple):
    """Observations ``(r, K)`` by value, in order, and class; with ``gaps`` the last row has those without a value.

    ``values`` are the others in order, or the bins between ``cuts`` where there are such.
    """

    counts: Array
    values: Any
    gaps: bool
    cuts: Any


class ReadColumn(NamedTuple):
    """The place of each row's value, missing values last; the values in order, or the cuts between bins; how it was
    read."""

    codes: Array
    values: Any
    cuts: Array
    column: Column

    def counted(self, classes: Array, number: int) -> ColumnCounts:
        """Return the counts by the classes of all rows, of which there are a ``number``."""
        rows = len(self.values) + (self.column.missing > 0)
        counts = np.bincount(self.codes * number + classes, minlength=rows * number).reshape(rows, number)
        return of_present(ColumnCounts(counts, self.values, self.column.missing > 0, self.cuts))


def of_present(found: ColumnCounts) -> ColumnCounts:
    """Return counts without empty rows, such as of declared values that do not occur, and without empty classes."""
    rows, classes = (np.flatnonzero(found.counts.any(axis=axis)) for axis in (1, 0))
    if (len(rows), len(classes)) == found.counts.shape:
        return found
    values, counts = (
        [found.values[i] for i in rows.tolist() if i < len(found.values)],
        found.counts[np.ix_(rows, classes)],
    )
    return ColumnCounts(counts, values, len(values) < len(counts), found.cuts)


def of_table(table: Table, cuts: Any = ()) -> ColumnCounts:
    """Return the counts of a table, the last row of which may be of missing values."""
    names, counts = table.row_names, table.integers()
    gaps = len(names) > 0 and isinstance(names[-1], str) and names[-1] == MISSING
    return of_present(ColumnCounts(counts, names[: len(names) - gaps], gaps, cuts))


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
    values, present = magnitudes(column, reading.na_values)
    bins, some, cuts = reading.bins or 0, values, np.empty(0)
    sampled = len(values) > SAMPLE and len(np.unique(values[:SAMPLE])) > bins
    if sampled:  # those with the least random keys, as of rows that are read in parts
        keys = np.random.default_rng(reading.seed).random(len(present))[present]
        some = values[np.argpartition(keys, SAMPLE)[:SAMPLE]]
    distinct, places = np.unique(some, return_inverse=True)
    if len(distinct) > bins:
        cuts = quantile_cuts(some, bins)
        places = np.searchsorted(cuts, values)
    number = int(places.max(initial=-1)) + 1
    codes = np.full(len(present), number)
    codes[present] = places
    bins, missing = number * (len(cuts) > 0), len(present) - len(values)
    about = Column(column.kind, len(distinct), bins, sampled, missing, column.marks, column.note)
    return ReadColumn(codes, range(number) if len(cuts) else distinct, cuts, about)


def counted_held(
    source: ColumnSource, target: Target, features: list[Any], reading: ReadingOptions
) -> tuple[Tables, dict[Any, ColumnCounts]]:
    """Return how columns in memory were read, and their counts by the classes of the rows that have one.

    Raises
    ------
    ValueError
        If there are no rows.
    """
    kept, rows = target.present, len(target.present)
    if not rows:
        raise ValueError(complaint("a table needs observations", "no rows", "pass data with rows"))
    counts, columns = {}, {}
    for name in features:
        column = source.columns[name]
        found = read_held(column if kept.all() else column.take(kept), reading, name in reading.unordered)
        if found is not None:
            counts[name], columns[name] = found.counted(target.values, len(target.classes)), found.column
    if reading.watch is not None:
        reading.watch(rows, rows)
    left_out = tuple(name for name in features if name not in counts)
    told = (*target.remarks, *noted(source, target.label))
    return Tables(len(target.values), {}, {}, left_out, columns, rows - len(target.values), told), counts
