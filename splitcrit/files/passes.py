"""The passes over the rows that count columns: one by value, and one between cuts for what has too many values.

Main definitions: ``Reading`` (how columns are read), ``Column`` (how one became rows), ``counted`` (a ``Counted``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, final

import numpy as np

from splitcrit.display import shortened
from splitcrit.files.cells import NONE, NaValues
from splitcrit.files.csv_columns import Watch
from splitcrit.files.partial import Partial, Plan
from splitcrit.files.readers import Source
from splitcrit.files.resumed import Kept
from splitcrit.files.sample import Sample, quantile_cuts
from splitcrit.files.tallies import Tally
from splitcrit.files.texts import ORDERED, ordered
from splitcrit.frozen import complaint
from splitcrit.table.counting import Array

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
        or ``"decimal comma"`` or ``"other date"``, if that is how they are written, with the first of these.
    """

    kind: str
    values: int
    bins: int = 0
    sampled: bool = False
    missing: int = 0
    marks: tuple[str, ...] = ()
    spoiler: tuple[str, int, str] | None = None

    __repr__ = shortened


class Reading(NamedTuple):
    """How columns are read: into how many bins, how many values at most, from which sample; what is missing.

    ``kept`` is where the counts are kept that a later run goes on from.
    """

    bins: int | None = None
    most: int = MANY
    seed: int = 0
    na_values: NaValues = NONE
    watch: Watch | None = None
    kept: Kept | None = None


class Counted(NamedTuple):
    """The counts of all rows: of each feature by its values or between its cuts, None where there are too many."""

    rows: int
    classes: Tally
    tallies: dict[Any, Tally]
    cuts: dict[Any, Array]
    columns: dict[Any, Column]


def counted(source: Source, label: Any, features: list[Any], reading: Reading) -> Counted:
    """Return the counts of features by the label; what has too many values and cannot be cut is left out."""
    plan = _plan(source, label, features, reading)
    first = _passed(source, plan, reading)
    tallies = {name: _read(first, name, reading) for name in features}
    over = {name: first.samples[name] for name in first.samples if tallies[name].over and _cuttable(first, name)}
    cuts = {name: quantile_cuts(sample.values, reading.bins or 0) for name, sample in over.items()}
    kept = [name for name in features if name in cuts or not tallies[name].over]
    second = _binned(source, plan, first, cuts, reading)
    found = {name: second.tallies[name] if name in cuts else tallies[name] for name in kept}
    columns = {name: _column(first, name, found[name], over.get(name)) for name in kept}
    return Counted(first.rows, first.classes, found, cuts, columns)


def _plan(source: Source, label: Any, features: list[Any], reading: Reading) -> Plan:
    """Return what the first pass counts and samples."""
    kinds = {name: source.kind(name) for name in (label, *features)}
    read = [name for name, kind in kinds.items() if reading.bins and kind == "text"]
    cut = [name for name in features if reading.bins and kinds[name] == "ordered"]
    limits = {name: (reading.bins or 0) if name in cut else reading.most for name in features}
    declared = frozenset(name for name in kinds if source.declared(name))
    sampled = tuple(name for name in features if name in cut or name in read)
    return Plan(label, limits, {}, sampled, declared, dict.fromkeys(read, ""), reading.na_values)


def _passed(source: Source, plan: Plan, reading: Reading) -> Partial:
    """Return the counts of all rows."""
    total = Partial(plan)
    steps = _steps if reading.kept is None else reading.kept.fill
    for total in steps(source, plan, reading.seed):
        if reading.watch is not None:
            reading.watch(total.rows, source.rows)
    if not total.rows:
        raise ValueError(complaint("a table needs observations", "no rows", "pass data with rows"))
    return total


def _steps(source: Source, plan: Plan, seed: int) -> Iterator[Partial]:
    """Yield the counts of more and more rows, which grow in one place."""
    total = Partial(plan)
    yield from (total for _ in source.fill(total, seed))


def _cuttable(first: Partial, name: Any) -> bool:
    return name not in first.texts or first.texts[name].kind in ORDERED


def _read(first: Partial, name: Any, reading: Reading) -> Tally:
    """Return the counts of a column by value, those of texts that are all numbers or dates by number or date."""
    texts, tally = first.texts.get(name), first.tallies[name]
    if texts is None or texts.kind not in ORDERED or tally.over:
        return tally
    names = list(tally.places)
    values, present = ordered(names, texts.kind)
    listed = values if values.dtype.kind == "M" else values.tolist()
    known = reading.na_values.dropped([x if there else None for x, there in zip(listed, present, strict=True)])
    found = Tally(reading.bins or 0)
    found.put(known, tally.counts[: len(names)])
    return found


def _binned(source: Source, plan: Plan, first: Partial, cuts: dict[Any, Array], reading: Reading) -> Partial:
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


def _column(first: Partial, name: Any, tally: Tally, sample: Sample | None) -> Column:
    """Return how a column became the rows of its table."""
    texts, values = first.texts.get(name), np.empty(0) if sample is None else np.unique(sample.values)
    missing = int(tally.counts[tally.places[None]].sum()) if None in tally.places else 0
    if texts is not None and texts.kind not in ORDERED:
        return Column("category", tally.values, missing=missing, spoiler=texts.spoiler)
    kind = texts.kind if texts is not None else _kind(first, name, tally, values)
    marks = () if texts is None else tuple(sorted(texts.marks))
    if sample is None:
        return Column(kind, tally.values, missing=missing, marks=marks)
    return Column(kind, len(values), tally.values, not sample.whole, missing, marks)


def _kind(first: Partial, name: Any, tally: Tally, values: Array) -> str:
    """Return whether a column that is no text holds numbers, dates or categories."""
    if len(values):
        return "date" if values.dtype.kind in "Mm" else "number"
    if name not in first.samples:
        return "category"
    some = next((x for x in tally.places if x is not None), None)
    return "date" if isinstance(some, np.datetime64 | np.timedelta64) else "number"
