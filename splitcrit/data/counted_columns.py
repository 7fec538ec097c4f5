"""The counts of columns by the label, in one pass over the rows.

Data may be in memory, in a file or in parts: one rule for all of them.

Main definitions: ``ReadingOptions`` (how columns are read), ``Column`` (how one became rows), ``ColumnCounts``;
``counted_source`` (any features, ``CountedColumns``), ``named_counts`` (for a table).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, NamedTuple, cast, final

import numpy as np

from splitcrit.arguments import Array, a_table
from splitcrit.arguments import listed as names_in
from splitcrit.data.columns import NONE, NaValues, listed
from splitcrit.data.crossing import FILL, Crossed
from splitcrit.data.csv_files import Watch
from splitcrit.data.formats import AS_WRITTEN, FileOptions
from splitcrit.data.partial_counts import APART, CountingPlan, Partial, ValueCounts, wide
from splitcrit.data.resume import ResumeFolder
from splitcrit.data.row_parts import ColumnSource
from splitcrit.data.sources import from_pandas, labelled, paths_of, source_of
from splitcrit.data.targets import MeasuredTarget, response_of
from splitcrit.data.values import IN_ORDER, named_missing
from splitcrit.display import shortened
from splitcrit.frozen import complaint, shown

MANY = 65536  # values of a column that are counted one by one
WINDOW = 32  # partitions of a Dask collection at a time


@final
@dataclass(frozen=True, repr=False)
class Column:
    """How a column became the rows of a table.

    Parameters
    ----------
    kind
        ``"number"``, ``"date"``, ``"ordered"`` (categories in a declared order), ``"category"`` or ``"flag"``.
    values
        The number of values, without the missing one; of a column that was ``merged``, of cells.
    bins
        How many rows its values were cut into; 0 if every value is a row.
    merged
        Whether more than 65536 values differ, so that neighbours were counted as one.
    missing
        How many rows have no value.
    marks
        The texts that were taken for a missing value in a column of numbers or dates.
    note
        What was guessed about the texts of a file, in one line; "" if nothing was.

    Examples
    --------
    >>> Column("number", values=250, bins=16, missing=3).bins
    16
    """

    kind: str
    values: int
    bins: int = 0
    merged: bool = False
    missing: int = 0
    marks: tuple[str, ...] = ()
    note: str = ""

    __repr__ = shortened


class ReadingOptions(NamedTuple):
    """How columns are read: into how many bins, how many values at most; what is missing.

    ``resume`` keeps the counts that a later run goes on from; what is ``unordered`` is never cut, nor are its texts
    numbers; ``files`` is how files are written, and ``response`` what the label is.
    """

    bins: int | None = None
    most: int = MANY
    na_values: NaValues = NONE
    watch: Watch | None = None
    resume: ResumeFolder | None = None
    unordered: frozenset[Any] = frozenset()
    files: FileOptions = AS_WRITTEN
    response: str = "classes"

    @property
    def texts(self) -> FileOptions:
        """How the texts of files are read."""
        return replace(self.files, as_text=self.files.as_text | self.unordered, missing=self.na_values.texts)


class ColumnCounts(NamedTuple):
    """Observations ``(r, K)`` by value, in order, and class; with ``gaps`` the last row has those without a value.

    ``values`` are the others in order, or the bins between ``cuts`` where there are such.
    """

    counts: Array
    values: Any
    gaps: bool
    cuts: Any


def _counted(source: ColumnSource, label: Any, features: list[Any], reading: ReadingOptions) -> Partial:
    """The counts of all rows."""
    in_order = frozenset(name for name in features if source.headers[name].in_order)
    in_cells = in_order - reading.unordered if reading.bins else frozenset[Any]()
    declared = frozenset(name for name in (label, *features) if source.headers[name].declared)
    plan = CountingPlan(label, dict.fromkeys(features, reading.most), in_order, in_cells, declared, reading.na_values)
    total = Partial(plan)
    if reading.resume is not None:
        parts = reading.resume.fill(source, total)
    elif source.frame is not None:
        parts = _counted_partitions(source.frame, total)
    else:
        parts = map(total.add, source.read(plan.columns))
    for _ in parts:
        if reading.watch is not None:
            reading.watch(total.rows + total.unlabelled, source.rows)
    if not total.rows:
        raise ValueError(complaint("a table needs observations", "no rows", "pass data with rows"))
    return total


def _counted_partitions(frame: Any, total: Partial) -> Iterator[None]:
    """Add the counts of the partitions of a Dask data frame, some at a time, and pause after every part."""
    delayed = frame[total.plan.columns].to_delayed()
    for start in range(0, len(delayed), WINDOW):
        parts = [part.pipe(counted_frame, total.plan) for part in delayed[start : start + WINDOW]]
        total.absorb(reduce(lambda before, part: before.merged(part), parts).compute())
        yield


def counted_frame(frame: Any, plan: CountingPlan) -> Partial:
    """The counts of one partition, a pandas data frame."""
    total = Partial(plan)
    for batch in from_pandas(frame[plan.columns]).to_batches():
        total.add(batch)
    return total


class CountedColumns(NamedTuple):
    """The counts of features by classes, in the order of their names, how each was read, and remarks."""

    rows: int
    classes: tuple[Any, ...]
    counts: dict[Any, ColumnCounts]
    left_out: tuple[Any, ...]
    columns: dict[Any, Column]
    unlabelled: int = 0
    remarks: tuple[str, ...] = ()


def source_for(data: Any, label: Any, reading: ReadingOptions) -> tuple[ColumnSource, Any]:
    """The source that data are, and the name of the label there."""
    if isinstance(label, str):
        return source_of(data, reading.watch, reading.resume, reading.texts), label
    if reading.resume is not None or (paths_of(data) and data):
        rule = "the label of data in files must be one of their columns"
        remedy = "pass the name of a column, or the features first"
        raise TypeError(complaint(rule, f"a label of type {type(label).__name__}", remedy))
    a_table(data, sparse=True)
    return labelled(data, label)


def counted_source(
    source: ColumnSource, label: Any, features: Iterable[Any] | None, drop: Iterable[Any], reading: ReadingOptions
) -> CountedColumns:
    """The counts of features of a source against its label; raise MeasuredTarget if that is one of numbers."""
    chosen = None if features is None else names_in(features, "feature")
    wanted = wanted_columns(source, label, chosen, names_in(drop, "dropped"))
    total = _counted(source, label, wanted, reading)
    how = reading.response if source.headers[label].kind == "number" else "declared"
    response, guesses = response_of(total.classes.values.tolist(), total.classes.counts[:, 0].tolist(), how, label)
    if response == "numbers":
        raise MeasuredTarget
    left_out = tuple(name for name in wanted if total.tallies[name].over)
    if left_out and chosen is not None:
        remedy = "raise max_values" if reading.bins else "cut numbers by Tables.of(..., bins=16), or raise max_values"
        rule, got = f"a feature is counted by at most {reading.most} values", f"more in {left_out[0]!r}"
        raise ValueError(complaint(rule, got, remedy))
    classes, order = total.classes.named()
    counts, columns, may_be_dates = dict[Any, ColumnCounts](), dict[Any, Column](), source.undecided - reading.unordered
    for name in wanted:
        if name not in left_out:
            header, tally = source.headers[name], total.tallies[name]
            kind = header.kind
            if kind == "category" and name in may_be_dates and (dated := tally.as_dates()) is not None:
                kind, tally = "date", dated
            elif name in reading.unordered and kind in IN_ORDER:
                kind = "category"
            binned = _rows(tally, reading.bins if kind in IN_ORDER else None)
            number, bins = len(tally.values), len(binned.values) * (len(binned.cuts) > 0)
            columns[name] = Column(kind, number, bins, tally.level > APART, tally.missing, header.marks, header.note)
            with_one_of_zeros = wide(binned.counts, len(total.classes.values) + 1)
            counts[name] = binned._replace(counts=with_one_of_zeros[:, order])
    remarks = (*guesses, *noted(source, label))
    return CountedColumns(total.rows, classes, counts, left_out, columns, total.unlabelled, remarks)


def _rows(tally: ValueCounts, bins: int | None) -> ColumnCounts:
    """The counts of a column in the order of its rows, cut into bins if it has more values."""
    counts, values, cuts = tally.counts, cast(Any, tally.values), tally.values[:0]
    if not tally.in_order:
        values, at = tally.named()
        counts = np.pad(counts, ((0, 1), (0, 0)))[at]
    elif bins and (len(values) > bins or tally.level > APART):
        cuts, counts = tally.cut(bins)
        values = range(len(counts))
    gaps = tally.missing > 0
    return ColumnCounts(np.vstack([counts, tally.gaps]) if gaps else counts, values, gaps, cuts)


def noted(source: ColumnSource, label: Any) -> tuple[str, ...]:
    """Remarks on the files of a source, and on how the texts of its label are written."""
    marks, note = source.headers[label].marks, source.headers[label].note
    lines = {f"treated as missing: {', '.join(map(repr, marks))} in {label}.": marks, f"{label}: {note}.": note}
    return (*source.remarks, *(line for line in lines if lines[line]))


def wanted_columns(
    source: ColumnSource, label: Any, features: Iterable[Any] | None, drop: tuple[Any, ...]
) -> list[Any]:
    """Return the features to count, or say which column cannot be."""
    names = list(source.headers)
    known_names = set(names)
    listed = [name for name in names if name != label] if features is None else list(dict.fromkeys(features))
    for name in (label, *drop, *listed):
        if name not in known_names:
            known = ", ".join(map(str, names if len(names) <= 8 else [*names[:6], "...", names[-1]]))
            what = "the label" if name == label else "a feature"
            raise ValueError(complaint(f"{what} is a column of the data", shown(name), f"columns are {known}"))
    wanted = [name for name in listed if name not in drop]
    if label in wanted or not wanted:
        rule, got = "a table needs a feature beside the label", "the label alone" if not wanted else repr(label)
        raise ValueError(complaint(rule, got, "name other columns"))
    return wanted


def named_counts(name: Any, column: ColumnCounts, classes: tuple[Any, ...], missing: str) -> Crossed:
    """The counts of one column with the names of its rows, missing values last."""
    if column.gaps and missing == "error":
        raise ValueError(complaint("feature values must be present", f"a missing value in {name!r}", FILL))
    rows = listed(column.values) if isinstance(column.values, np.ndarray) else tuple(column.values)
    return column.counts, named_missing((*rows, None), f"feature {name!r}") if column.gaps else rows, classes
