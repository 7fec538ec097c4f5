"""Columns ranked against a target of numbers: in memory by permuting it, in large files by cutting it at quantiles.

In memory every row is kept, and the decrease of variance is compared with that of random orders of the target. A file
that is read in parts keeps no rows: there the target is cut into classes at fixed quantiles of a sample, and a column
is judged by exact tests of what lies above each of them.

Main definitions: ``columns_tested``, ``CutTarget`` (a source whose target is cut), ``target_cuts``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.files.arrow_columns import NaValues, encoded, magnitudes
from splitcrit.files.in_memory import InMemoryColumn
from splitcrit.files.partial_counts import ColumnSample, Partial, below, quantile_cuts
from splitcrit.files.row_parts import Memory, Source, counted_batches
from splitcrit.files.texts import ORDERED, Texts, ordered, stripped
from splitcrit.files.two_passes import Column, ReadingOptions
from splitcrit.frozen import complaint
from splitcrit.nulls.column_tests import ColumnTest, responses_test
from splitcrit.nulls.dichotomies import QUANTILES

Array = NDArray[Any]


class ReadColumn(NamedTuple):
    """The place of each row's value, missing values last; the values, or the cuts between bins; how it was read."""

    codes: Array
    values: tuple[Any, ...]
    cuts: tuple[Any, ...]
    column: Column


def columns_tested(
    source: Memory,
    label: Any,
    features: list[Any],
    reading: ReadingOptions,
    unordered: frozenset[Any],
    declared: frozenset[Any],
    draws: int,
    limit: int,
    seed: int,
) -> Iterator[tuple[Any, ReadColumn, ColumnTest]]:
    """Yield each feature with how it was read and its test; those with too many texts are left out."""
    y = target_values(source.columns[label], label, reading.na_values)
    for name in features:
        read = _read(source.columns[name], reading, name in unordered)
        if read is None:
            continue
        kept, codes = np.unique(read.codes, return_inverse=True)  # a declared category may occur nowhere
        is_ordered = name in declared or (read.column.kind != "category")
        gaps = is_ordered and read.column.missing > 0 and len(kept) > 1
        rng = np.random.default_rng([seed, *np.bincount(codes).tolist()])
        yield name, read, responses_test(codes, y, rng, ordered=is_ordered, gaps=gaps, draws=draws, limit=limit)


def target_values(column: InMemoryColumn, label: Any, na_values: NaValues) -> Array:
    """Return the target as floats; raise ValueError if it is missing somewhere or holds no numbers."""
    if column.kind == "text":
        names, codes = encoded(column, na_values)
        texts = Texts()
        names = texts.read(names, codes, 0)
        if texts.kind != "number":
            _no_numbers(label)
        values, there = ordered(names, "number")
        column = InMemoryColumn("ordered", values[codes], there[codes])
    elif column.kind != "ordered" or column.values.dtype.kind in "Mm":
        _no_numbers(label)
    values, present = magnitudes(column, na_values)
    _complete(present, label, 0)
    if values.dtype.kind in "iuO" and len(values):  # large integers stay apart: a variance does not see the least one
        values = values.astype(object) - min(values.tolist())
    try:
        found = values.astype(np.float64)
    except OverflowError:
        rule, remedy = "a target of numbers fits a float", "divide it, or take logarithms"
        raise ValueError(complaint(rule, f"larger ones in {label!r}", remedy)) from None
    if not np.isfinite(found).all():
        rule, got = "a target of numbers is finite", f"{found[~np.isfinite(found)][0]:g} in {label!r}"
        raise ValueError(complaint(rule, got, "drop these rows"))
    return found


def _no_numbers(label: Any) -> None:
    rule, remedy = "a target of numbers holds numbers alone", "leave out response='numbers', or mend the column"
    raise ValueError(complaint(rule, f"other values in {label!r}", remedy))


def _complete(present: Array, label: Any, before: int) -> None:
    """Raise ValueError if the target is missing in a row; ``before`` rows came earlier."""
    if not present.all():
        got = f"a missing value in {label!r}, row {before + 1 + int(present.argmin())}"
        raise ValueError(complaint("label values must be present", got, "drop the unlabelled observations"))


def _read(column: InMemoryColumn, reading: ReadingOptions, unordered: bool) -> ReadColumn | None:
    """Return a column as ``Tables.of`` reads it, with the place of each row; None of texts with too many values."""
    na_values, kind = reading.na_values, "number"
    marks: tuple[str, ...] = ()
    if column.kind == "text" and not unordered:
        names, codes = encoded(column, na_values)
        texts = Texts()
        names = texts.read(names, codes, 0)
        marks = tuple(sorted(texts.marks))
        if texts.kind in ORDERED:
            kind = texts.kind
            values, there = ordered(names, kind)
            column = InMemoryColumn("ordered", values[codes], there[codes])
        else:
            return _categories(names, codes, texts.spoiler, reading.most)
    if column.kind != "ordered" or unordered:
        names, codes = encoded(column, na_values)
        return _categories(stripped(names) if column.kind == "text" else names, codes, None, reading.most)
    values, present = magnitudes(column, na_values)
    kind = "date" if values.dtype.kind in "Mm" else kind
    levels, places = np.unique(values, return_inverse=True)
    cuts, bins = np.empty(0), reading.bins or 0
    if len(levels) > bins:
        cuts = quantile_cuts(values, bins)
        places = below(cuts, values)
    codes = np.full(len(present), int(places.max(initial=-1)) + 1)
    codes[present] = places
    about = Column(kind, len(levels), len(cuts) + 1 if len(cuts) else 0, False, int((~present).sum()), marks)
    values_there = tuple(levels) if levels.dtype.kind in "Mm" else tuple(levels.tolist())
    return ReadColumn(codes, () if len(cuts) else values_there, tuple(cuts.tolist()), about)


def _categories(names: list[Any], codes: Array, spoiler: Any, most: int) -> ReadColumn | None:
    """Return a column of categories; equal names count as one."""
    places = {name: i for i, name in enumerate(dict.fromkeys(name for name in names if name is not None))}
    at = np.array([len(places) if name is None else places[name] for name in names])
    codes = at[codes]
    missing = int((codes == len(places)).sum())
    values = len(np.unique(codes)) - (missing > 0)
    if values > most:
        return None
    return ReadColumn(codes, tuple(places), (), Column("category", values, missing=missing, spoiler=spoiler))


@dataclass(frozen=True)
class CutTarget:
    """A source whose target of numbers is replaced by how many of some cuts are below it."""

    source: Source
    label: Any
    cuts: Array
    na_values: NaValues

    @property
    def names(self) -> list[Any]:
        return self.source.names

    @property
    def rows(self) -> int | None:
        return self.source.rows

    @property
    def again(self) -> bool:
        return self.source.again

    def kind(self, name: Any) -> Any:
        return "ordered" if name == self.label else self.source.kind(name)

    def declared(self, name: Any) -> bool:
        return name != self.label and self.source.declared(name)

    def read(self, columns: list[Any]) -> Iterator[Any]:
        before = 0
        for batch in self.source.read(columns):
            yield _CutBatch(batch, self, before, batch.num_rows)
            before += batch.num_rows

    def fill(self, total: Partial, seed: int) -> Iterator[None]:
        yield from counted_batches(self.read(total.plan.columns), total, seed)


class _CutBatch(NamedTuple):
    """Some rows of a source, the target replaced."""

    batch: Any
    owner: CutTarget
    before: int
    num_rows: int

    def slice(self, start: int, length: int | None = None) -> _CutBatch:
        part = self.batch.slice(start) if length is None else self.batch.slice(start, length)
        return _CutBatch(part, self.owner, self.before + start, part.num_rows)

    def column(self, name: Any) -> Any:
        column = self.batch.column(name)
        if name != self.owner.label:
            return column
        values, present = _numbers_in(column, self.owner.source.kind(name), name, self.owner.na_values)
        _complete(present, name, self.before)
        return InMemoryColumn("ordered", below(self.owner.cuts, values).astype(np.int64), present)


def _numbers_in(column: Any, kind: str, label: Any, na_values: NaValues) -> tuple[Array, Array]:
    """Return the numbers of some rows of a target, and which rows have one."""
    if kind == "text":
        names, codes = encoded(column, na_values)
        try:
            values, there = ordered(stripped(names), "number")
        except ValueError:
            _no_numbers(label)
        column = InMemoryColumn("ordered", values[codes], there[codes])
    elif kind != "ordered":
        _no_numbers(label)
    return magnitudes(column, na_values)


def target_cuts(source: Source, label: Any, reading: ReadingOptions) -> tuple[Array, Array]:
    """Return the quantiles of a sample of a target at which it is cut, and the sample."""
    rng, sample, before = np.random.default_rng(reading.seed), ColumnSample(), 0
    for batch in source.read([label]):
        values, present = _numbers_in(batch.column(label), source.kind(label), label, reading.na_values)
        _complete(present, label, before)
        sample.draw(InMemoryColumn("ordered", values, np.ones(len(values), dtype=bool)), rng.random(len(values)))
        before += batch.num_rows
    return quantile_cuts(sample.values, QUANTILES + 1), sample.values
