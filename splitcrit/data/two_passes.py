"""The counts of columns by the label: one pass by value, and a second one between cuts for what has too many values.

Data may be in memory, in a file or in parts: one rule for all of them.

Main definitions: ``ReadingOptions`` (how columns are read), ``Column`` (how one became rows); ``counted_source`` (any
features, ``CountedColumns``), ``crossed_columns`` (one).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, final

import numpy as np

from splitcrit.arguments import Array, a_table
from splitcrit.arguments import listed as names_in
from splitcrit.data.arrow_columns import NONE, NaValues, listed
from splitcrit.data.crossing import FILL, Crossed, Missing
from splitcrit.data.csv_files import Watch
from splitcrit.data.partial_counts import ColumnSample, CountingPlan, Partial, ValueCounts, quantile_cuts
from splitcrit.data.resume import ResumeFolder
from splitcrit.data.row_parts import ColumnSource
from splitcrit.data.sources import labelled, paths_of, source_of
from splitcrit.data.texts import ORDERED, check_target, ordered
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
        ``"number"``, ``"date"`` or ``"category"``; texts are numbers or dates if all of them are.
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
    spoiler
        Where nearly all texts are numbers or dates: what they are, the row of the first that is none, and this text;
        or ``"decimal comma"``, ``"thousands"`` or ``"other date"``, if that is how they are written, with the first.

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
    spoiler: tuple[str, int, str] | None = None

    __repr__ = shortened


class ReadingOptions(NamedTuple):
    """How columns are read: into how many bins, how many values at most, from which sample; what is missing.

    ``kept`` is where the counts are kept that a later run goes on from; what is ``unordered`` is never cut, nor are its
    texts numbers.
    """

    bins: int | None = None
    most: int = MANY
    seed: int = 0
    na_values: NaValues = NONE
    watch: Watch | None = None
    kept: ResumeFolder | None = None
    unordered: frozenset[Any] = frozenset()


def _plan(source: ColumnSource, label: Any, features: list[Any], reading: ReadingOptions) -> CountingPlan:
    """Return the counts and samples of the first pass."""
    kinds = {name: source.kind(name) for name in (label, *features)}
    read = [name for name, kind in kinds.items() if reading.bins and kind == "text"]
    texts = {name: "word" if name in reading.unordered else "" for name in read}
    free = [name for name in features if reading.bins and name not in reading.unordered]
    cut = [name for name in free if kinds[name] == "ordered"]
    limits = {name: (reading.bins or 0) if name in cut else reading.most for name in features}
    declared = frozenset(name for name in kinds if source.declared(name))
    sampled = tuple(name for name in free if name in cut or name in read)
    return CountingPlan(label, limits, {}, sampled, declared, texts, reading.na_values)


def _passed(source: ColumnSource, plan: CountingPlan, reading: ReadingOptions) -> Partial:
    """Return the counts of all rows."""
    total = Partial(plan)
    parts = source.fill(total, reading.seed) if reading.kept is None else reading.kept.fill(source, total, reading.seed)
    for _ in parts:
        if reading.watch is not None:
            reading.watch(total.rows + total.unlabelled, source.rows)
    if not total.rows:
        raise ValueError(complaint("a table needs observations", "no rows", "pass data with rows"))
    return total


def _read(first: Partial, name: Any, reading: ReadingOptions) -> ValueCounts:
    """Return the counts of a column by value, those of texts that are all numbers or dates by number or date."""
    texts, tally = first.texts.get(name), first.tallies[name]
    if texts is None or texts.kind not in ORDERED or tally.over:
        return tally
    names = list(tally.places)
    values, present = ordered(names, texts.kind)
    listed = values if values.dtype.kind == "M" else values.tolist()
    known = reading.na_values.dropped([x if there else None for x, there in zip(listed, present, strict=True)])
    found = ValueCounts(reading.bins or 0)
    found.put(known, tally.counts[: len(names)])
    return found


def _binned(
    source: ColumnSource, plan: CountingPlan, first: Partial, cuts: dict[Any, Array], reading: ReadingOptions
) -> Partial:
    """Return the counts between cuts, for which the rows are read again."""
    kinds = {name: first.texts[name].kind if name in first.texts else "" for name in plan.texts}
    again = replace(plan, limits={}, cuts=cuts, sampled=(), texts=kinds)
    if not cuts:
        return Partial(again)
    remedy = "pass a folder, a dataset or a table, or leave out bins"
    rule = "cutting at quantiles reads the data twice"
    if not source.again:
        raise ValueError(complaint(rule, f"a stream that can be read once, with {next(iter(cuts))!r} to cut", remedy))
    second = _passed(source, again, reading)
    if second.rows != first.rows:
        raise ValueError(complaint(rule, f"{first.rows} rows, then {second.rows}", remedy))
    if list(second.classes.places) != list(first.classes.places):
        raise ValueError(complaint(rule, "other rows the second time", remedy))
    return second


def _column(first: Partial, name: Any, tally: ValueCounts, sample: ColumnSample | None) -> Column:
    """Return the way in which a column became the rows of its table."""
    texts, values = first.texts.get(name), np.empty(0) if sample is None else np.unique(sample.values)
    missing = int(tally.counts[tally.places[None]].sum()) if None in tally.places else 0
    if texts is not None and texts.kind not in ORDERED:
        return Column("category", tally.values, missing=missing, spoiler=texts.spoiler)
    kind = texts.kind if texts is not None else _kind(first, name, tally, values)
    marks = () if texts is None else tuple(sorted(texts.marks))
    if sample is None:
        return Column(kind, tally.values, missing=missing, marks=marks)
    return Column(kind, len(values), tally.values, not sample.whole, missing, marks)


def _kind(first: Partial, name: Any, tally: ValueCounts, values: Array) -> str:
    """Tell whether a column that is no text holds numbers, dates or categories."""
    if len(values):
        return "date" if values.dtype.kind in "Mm" else "number"
    if name not in first.samples:
        return "category"
    some = next((x for x in tally.places if x is not None), None)
    return "date" if isinstance(some, np.datetime64 | np.timedelta64) else "number"


class CountedColumns(NamedTuple):
    """The counts of features with the names of their rows and classes, and how each of them was read."""

    rows: int
    counts: dict[Any, Crossed]
    cuts: dict[Any, tuple[Any, ...]]
    left_out: tuple[Any, ...]
    columns: dict[Any, Column]
    unlabelled: int = 0


def source_for(data: Any, label: Any, reading: ReadingOptions) -> tuple[ColumnSource, Any]:
    """Return the source that data are, and the name of the label there."""
    if isinstance(label, str):
        return source_of(data, reading.watch, reading.kept), label
    if paths_of(data) and data:
        rule = "the label of data in files must be one of their columns"
        remedy = "pass the name of a column, or the features first"
        raise TypeError(complaint(rule, f"a label of type {type(label).__name__}", remedy))
    a_table(data)
    if reading.kept is not None:
        rule, remedy = "resume= works on files", "pass paths, or leave out resume="
        raise TypeError(complaint(rule, f"a label of type {type(label).__name__}", remedy))
    return labelled(data, label)


def counted_source(
    source: ColumnSource, label: Any, features: Iterable[Any] | None, drop: Iterable[Any], missing: Missing,
    reading: ReadingOptions,
) -> CountedColumns:  # fmt: skip
    """Return the counts of features of a source against its label."""
    chosen = None if features is None else names_in(features, "feature")
    wanted = wanted_columns(source, label, chosen, names_in(drop, "dropped"))
    plan = _plan(source, label, wanted, reading)
    first = _passed(source, plan, reading)
    tallies = {name: _read(first, name, reading) for name in wanted}
    words = {name for name, texts in first.texts.items() if texts.kind not in ORDERED}
    over = {name: first.samples[name] for name in first.samples if tallies[name].over and name not in words}
    cuts = {name: quantile_cuts(sample.values, reading.bins or 0) for name, sample in over.items()}
    check_target(label, first.classes.names(), first.rows)
    left_out = tuple(name for name in wanted if name not in cuts and tallies[name].over)
    if left_out and features is not None:
        raise ValueError(_too_many(left_out[0], reading))
    tallies |= _binned(source, plan, first, cuts, reading).tallies
    kept = [name for name in wanted if name not in left_out]
    counts = {name: crossed(name, tallies[name], first.classes, missing) for name in kept}
    columns = {name: _column(first, name, tallies[name], over.get(name)) for name in kept}
    listed_cuts = {name: listed(values) for name, values in cuts.items()}
    return CountedColumns(first.rows, counts, listed_cuts, left_out, columns, first.unlabelled)


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
    names = list(source.names)
    listed = [name for name in names if name != label] if features is None else list(dict.fromkeys(features))
    times = Counter(names)
    for name in (label, *drop, *listed):
        if name not in times:
            known = ", ".join(map(str, names if len(names) <= 8 else [*names[:6], "...", names[-1]]))
            what = "the label" if name == label else "a feature"
            raise ValueError(complaint(f"{what} is a column of the data", shown(name), f"columns are {known}"))
        if times[name] > 1:
            raise ValueError(complaint("column names must differ", f"{name!r} twice", "rename one column"))
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


def _too_many(name: str, reading: ReadingOptions) -> str:
    cut = "cut numbers at quantiles by Tables.of(..., bins=16), or raise max_values"
    remedy = "raise max_values" if reading.bins else cut
    return complaint(f"a feature is counted by at most {reading.most} values", f"more in {name!r}", remedy)
