"""The counts of columns by the label: one pass by value, and a second one between cuts for what has too many values.

Data may be in memory, in a file or in parts: one rule for all of them.

Main definitions: ``ReadingOptions`` (how columns are read), ``Column`` (how one became rows); ``counted_source`` (any
features, ``CountedColumns``), ``crossed_columns`` (one).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, final

import numpy as np

from splitcrit.arguments import Array, a_table
from splitcrit.arguments import listed as names_in
from splitcrit.data.columns import IN_ORDER, NONE, NaValues, listed
from splitcrit.data.crossing import FILL, Crossed, Missing
from splitcrit.data.csv_files import Watch
from splitcrit.data.formats import AS_WRITTEN, FileOptions
from splitcrit.data.partial_counts import CountingPlan, Partial, ValueCounts, quantile_cuts
from splitcrit.data.resume import ResumeFolder
from splitcrit.data.row_parts import ColumnSource, counted_batches, counted_partitions
from splitcrit.data.sources import labelled, paths_of, source_of
from splitcrit.data.targets import MeasuredTarget, response_of
from splitcrit.data.value_codes import named_missing
from splitcrit.display import shortened
from splitcrit.frozen import complaint, shown

MANY = 65536  # values of a column that are counted one by one


@final
@dataclass(frozen=True, repr=False)
class Column:
    """How a column became the rows of a table.

    Parameters
    ----------
    kind
        ``"number"``, ``"date"``, ``"ordered"`` (categories in a declared order), ``"category"`` or ``"flag"``.
    values
        The number of values, without the missing one; of a column that was cut, those in the sample.
    bins
        How many rows its values were cut into; 0 if every value is a row.
    sampled
        Whether the cuts come from a sample of the rows.
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
    sampled: bool = False
    missing: int = 0
    marks: tuple[str, ...] = ()
    note: str = ""

    __repr__ = shortened


class ReadingOptions(NamedTuple):
    """How columns are read: into how many bins, how many values at most, from which sample; what is missing.

    ``kept`` is where the counts are kept that a later run goes on from; what is ``unordered`` is never cut, nor are its
    texts numbers; ``files`` is how files are written, and ``response`` what the label is.
    """

    bins: int | None = None
    most: int = MANY
    seed: int = 0
    na_values: NaValues = NONE
    watch: Watch | None = None
    kept: ResumeFolder | None = None
    unordered: frozenset[Any] = frozenset()
    files: FileOptions = AS_WRITTEN
    response: str = "classes"

    @property
    def texts(self) -> FileOptions:
        """How the texts of files are read."""
        return replace(self.files, as_text=self.files.as_text | self.unordered, missing=self.na_values.texts)


def _plan(source: ColumnSource, label: Any, features: list[Any], reading: ReadingOptions) -> CountingPlan:
    """Return the counts and samples of the first pass."""
    kinds = {name: source.kinds[name] for name in (label, *features)}
    cut = [name for name in features if reading.bins and name not in reading.unordered and kinds[name] in IN_ORDER]
    texts = source.undecided & set(features) - reading.unordered
    limits = {name: (reading.bins or 0) if name in cut else reading.most for name in features}
    declared = source.declared & {label, *features}
    return CountingPlan(label, limits, {}, tuple(cut), declared, texts, reading.na_values)


def _passed(source: ColumnSource, plan: CountingPlan, reading: ReadingOptions) -> Partial:
    """Return the counts of all rows."""
    total = Partial(plan)
    if reading.kept is not None:
        parts = reading.kept.fill(source, total, reading.seed)
    elif source.frame is not None:
        parts = counted_partitions(source.frame, total, reading.seed)
    else:
        parts = counted_batches(source.read(plan.columns), total, reading.seed)
    for _ in parts:
        if reading.watch is not None:
            reading.watch(total.rows + total.unlabelled, source.rows)
    if not total.rows:
        raise ValueError(complaint("a table needs observations", "no rows", "pass data with rows"))
    return total


def _binned(
    source: ColumnSource, plan: CountingPlan, first: Partial, cuts: dict[Any, Array], reading: ReadingOptions
) -> Partial:
    """Return the counts between cuts, for which the rows are read again."""
    again = replace(plan, limits={}, cuts=cuts, sampled=())
    if not cuts:
        return Partial(again)
    rule, remedy = "cutting at quantiles reads the data twice", "pass a folder, a dataset or a table, or no bins"
    if not source.again:
        raise ValueError(complaint(rule, f"a stream that can be read once, with {next(iter(cuts))!r} to cut", remedy))
    second = _passed(source, again, reading)
    if (second.rows, list(second.classes.places)) != (first.rows, list(first.classes.places)):
        raise ValueError(complaint(rule, f"{first.rows} rows, then {second.rows}, or others", remedy))
    return second


class CountedColumns(NamedTuple):
    """The counts of features with the names of their rows and classes, how each was read, and remarks."""

    rows: int
    counts: dict[Any, Crossed]
    cuts: dict[Any, tuple[Any, ...]]
    left_out: tuple[Any, ...]
    columns: dict[Any, Column]
    unlabelled: int = 0
    remarks: tuple[str, ...] = ()


def source_for(data: Any, label: Any, reading: ReadingOptions) -> tuple[ColumnSource, Any]:
    """Return the source that data are, and the name of the label there."""
    if isinstance(label, str):
        return source_of(data, reading.watch, reading.kept, reading.texts), label
    if reading.kept is not None or (paths_of(data) and data):
        rule = "the label of data in files must be one of their columns"
        remedy = "pass the name of a column, or the features first"
        raise TypeError(complaint(rule, f"a label of type {type(label).__name__}", remedy))
    a_table(data, sparse=True)
    return labelled(data, label)


def counted_source(
    source: ColumnSource, label: Any, features: Iterable[Any] | None, drop: Iterable[Any], missing: Missing,
    reading: ReadingOptions,
) -> CountedColumns:  # fmt: skip
    """Return the counts of features of a source against its label; raise MeasuredTarget if that is one of numbers."""
    chosen = None if features is None else names_in(features, "feature")
    wanted = wanted_columns(source, label, chosen, names_in(drop, "dropped"))
    plan = _plan(source, label, wanted, reading)
    first = _passed(source, plan, reading)
    found, cuts, kinds, sampled = dict(first.tallies), dict[Any, Array](), dict(source.kinds), set[Any]()
    values = dict[Any, int]()
    for name, tally in first.tallies.items():
        if name in plan.texts and (dated := tally.as_dates()) is not None:
            found[name], kinds[name] = dated, "date"
            if reading.bins and dated.values > reading.bins:
                cuts[name], values[name] = dated.cuts(reading.bins), dated.values
        elif name in first.samples and tally.over:
            sample = first.samples[name].shrink()
            cuts[name], values[name] = quantile_cuts(sample.values, reading.bins or 0), len(np.unique(sample.values))
            sampled |= set() if sample.whole else {name}
    classes = [name for name in first.classes.places if name is not None]
    sizes = first.classes.counts[first.classes.at(tuple(classes)), 0].tolist()
    response, said = response_of(classes, sizes, reading.response, label)
    if response == "numbers":
        raise MeasuredTarget
    left_out = tuple(name for name in wanted if name not in cuts and found[name].over)
    if left_out and features is not None:
        remedy = "raise max_values" if reading.bins else "cut numbers by Tables.of(..., bins=16), or raise max_values"
        rule, got = f"a feature is counted by at most {reading.most} values", f"more in {left_out[0]!r}"
        raise ValueError(complaint(rule, got, remedy))
    found |= _binned(source, plan, first, cuts, reading).tallies
    counts, columns = {}, {}
    for name in wanted:
        if name not in left_out:
            counts[name] = crossed(name, found[name], first.classes, missing)
            kind = "category" if name in reading.unordered and kinds[name] in IN_ORDER else kinds[name]
            bins, number = found[name].values if name in cuts else 0, values.get(name, found[name].values)
            told = source.notes.get(name, ((), ""))
            columns[name] = Column(kind, number, bins, name in sampled, found[name].missing, *told)
    listed_cuts = {name: listed(places) for name, places in cuts.items()}
    remarks = (*said, *noted(source, label))
    return CountedColumns(first.rows, counts, listed_cuts, left_out, columns, first.unlabelled, remarks)


def noted(source: ColumnSource, label: Any) -> tuple[str, ...]:
    """Return remarks on the files of a source, and on how the texts of its label are written."""
    marks, note = source.notes.get(label, ((), ""))
    told = {f"treated as missing: {', '.join(map(repr, marks))} in {label}.": marks, f"{label}: {note}.": note}
    return (*source.remarks, *(line for line in told if told[line]))


def crossed_columns(data: Any, feature: Any, label: Any, weights: Any, missing: Missing) -> Crossed:
    """Return the counts of two columns that are read in parts: their names, or two columns of a Dask data frame."""
    if weights is not None:
        rule, remedy = "columns that are read in parts have no weights", "pass two vectors with weights"
        raise TypeError(complaint(rule, type(weights).__name__, remedy))
    if feature is None:
        data, feature, label = data.to_frame(name="feature").assign(label=label), "feature", "label"
    if not isinstance(label, str):
        rule, remedy = "feature and label are names of columns", "pass feature='...', label='...'"
        raise TypeError(complaint(rule, f"a label of type {type(label).__name__}", remedy))
    reading = ReadingOptions()
    return counted_source(*source_for(data, label, reading), [feature], (), missing, reading).counts[feature]


def wanted_columns(
    source: ColumnSource, label: Any, features: Iterable[Any] | None, drop: tuple[Any, ...]
) -> list[Any]:
    """Return the features to count, or say which column cannot be."""
    names = list(source.kinds)
    listed = [name for name in names if name != label] if features is None else list(dict.fromkeys(features))
    for name in (label, *drop, *listed):
        if name not in source.kinds:
            known = ", ".join(map(str, names if len(names) <= 8 else [*names[:6], "...", names[-1]]))
            what = "the label" if name == label else "a feature"
            raise ValueError(complaint(f"{what} is a column of the data", shown(name), f"columns are {known}"))
    wanted = [name for name in listed if name not in drop]
    if label in wanted or not wanted:
        rule, got = "a table needs a feature beside the label", "the label alone" if not wanted else repr(label)
        raise ValueError(complaint(rule, got, "name other columns"))
    return wanted


def crossed(name: Any, tally: ValueCounts, classes: ValueCounts, missing: str) -> Crossed:
    """Return the counts of one column, its names in order and missing values last."""
    rows, columns = tally.names(), classes.names()
    gaps = bool(rows) and rows[-1] is None
    if gaps and missing == "error":
        raise ValueError(complaint("feature values must be present", f"a missing value in {name!r}", FILL))
    held: Array = np.pad(tally.counts, ((0, 1), (0, len(columns) + 1 - tally.counts.shape[1])))
    counts = held[np.ix_(tally.at(rows), classes.at(columns))]
    return counts, named_missing(rows, f"feature {name!r}") if gaps else rows, columns
