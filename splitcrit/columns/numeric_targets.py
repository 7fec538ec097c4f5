"""Columns ranked against a target of numbers: in memory by permuting it, in large files by cutting it at quantiles.

In memory every row is kept, and the decrease of variance is compared with that of random orders of the target. A file
that is read in parts keeps no rows: there the target is cut into classes at fixed quantiles of a sample, and a column
is judged by exact tests of what lies above each of them.

Main definitions: ``columns_tested``, ``cut_target`` (a source whose target is cut), ``target_cuts``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.columns.column_tests import NO_CUT, ColumnTest, responses_test, subset_test
from splitcrit.data.columns import InMemoryColumn, NaValues, as_column, encoded, magnitudes, ordered
from splitcrit.data.partial_counts import ColumnSample, quantile_cuts
from splitcrit.data.row_parts import ColumnSource, RowPart, in_memory
from splitcrit.data.two_passes import Column, ReadingOptions
from splitcrit.frozen import complaint
from splitcrit.nulls.best_split import SplitTail
from splitcrit.nulls.dichotomies import QUANTILES


class ReadColumn(NamedTuple):
    """The place of each row's value, missing values last; the values, or the cuts between bins; how it was read."""

    codes: Array
    values: tuple[Any, ...]
    cuts: tuple[Any, ...]
    column: Column


def columns_tested(
    source: ColumnSource, label: Any, features: list[Any], reading: ReadingOptions, unordered: frozenset[Any],
    declared: frozenset[Any], draws: int, limit: float, seed: int,
) -> Iterator[tuple[Any, ReadColumn, ColumnTest, SplitTail | None]]:  # fmt: skip
    """Yield each feature with how it was read, its test, and that of its best subset of categories.

    Features with too many texts are left out.
    """
    source, y = with_target(source, label, reading.na_values)
    for name in features:
        read = _read(source.columns[name], reading, name in unordered)
        if read is None:
            continue
        kept, codes = np.unique(read.codes, return_inverse=True)  # a declared category may occur nowhere
        is_ordered = name in declared or (read.column.kind != "category")
        gaps = is_ordered and read.column.missing > 0 and len(kept) > 1
        rng = np.random.default_rng([seed, *np.bincount(codes).tolist()])
        test = responses_test(codes, y, rng, ordered=is_ordered, gaps=gaps, draws=draws, limit=limit)
        subset = None if is_ordered or test.method == NO_CUT else subset_test(None, codes, y, draws=draws, seed=seed)
        yield name, read, test, subset


def with_target(source: ColumnSource, label: Any, na_values: NaValues) -> tuple[ColumnSource, Array]:
    """Return the rows in memory that have a target, and this target as floats."""
    values, present = numbers_in(source.columns[label], label, na_values)
    if not present.all():
        remarks = (f"{int((~present).sum())} rows without a value of {label!r} are left out.", *source.remarks)
        columns = {name: column.take(present) for name, column in source.columns.items()}
        source = in_memory(columns, remarks)
    return source, floats_of_target(values, label)


def floats_of_target(values: Array, label: Any) -> Array:
    """Return a target of numbers as floats; integers too large for floats as differences."""
    if values.dtype.kind in "iuO" and len(values):  # a variance does not see the least one
        values = values.astype(object) - min(values.tolist())
    try:
        found = values.astype(np.float64)
    except OverflowError:
        rule, remedy = "a numeric target must fit a float", "divide it, or take logarithms"
        raise ValueError(complaint(rule, f"larger ones in {label!r}", remedy)) from None
    if not np.isfinite(found).all():
        rule, got = "a numeric target must be finite", f"{found[~np.isfinite(found)][0]:g} in {label!r}"
        raise ValueError(complaint(rule, got, "drop these rows"))
    return found


def numbers_in(column: Any, label: Any, na_values: NaValues) -> tuple[Array, Array]:
    """Return the numbers of some rows of a target, and which rows have one."""
    found = as_column(column, label)
    if found.kind != "number":
        rule, remedy = "a numeric target must hold only numbers", "leave out response='numbers', or correct the column"
        raise ValueError(complaint(rule, f"other values in {label!r}", remedy))
    return magnitudes(found, na_values)


def _read(column: InMemoryColumn, reading: ReadingOptions, unordered: bool) -> ReadColumn | None:
    """Return a column as ``Tables.of`` reads it, with the place of each row; None of texts with too many values."""
    if not column.in_order or unordered:
        names, codes = encoded(column, reading.na_values)
        kept = [i for i, name in enumerate(names) if name is not None]
        places = np.full(len(names), len(kept))
        places[kept] = range(len(kept))
        missing = int((places[codes] == len(kept)).sum())
        if len(kept) > reading.most:
            return None
        kind = "category" if column.in_order else column.kind
        about = Column(kind, len(kept), missing=missing, note=column.note)
        return ReadColumn(places[codes], tuple(names[i] for i in kept), (), about)
    values, present = magnitudes(column, reading.na_values)
    levels, places = np.unique(values, return_inverse=True)
    cuts, bins = np.empty(0), reading.bins or 0
    if len(levels) > bins:
        cuts = quantile_cuts(values, bins)
        places = np.searchsorted(cuts, levels)[places]
    codes = np.full(len(present), int(places.max(initial=-1)) + 1)
    codes[present] = places
    dated = column.kind == "date"
    count = len(cuts) + 1 if len(cuts) else 0
    about = Column(
        "date" if dated else "number", len(levels), count, False, int((~present).sum()), column.marks, column.note
    )
    there = () if len(cuts) else tuple(levels if dated else levels.tolist())
    return ReadColumn(codes, there, tuple(cuts.tolist()), about)


def cut_target(source: ColumnSource, label: Any, cuts: Array, na_values: NaValues) -> ColumnSource:
    """Return a source whose target of numbers is replaced by how many of some cuts are below it."""

    def read(columns: list[Any]) -> Iterator[RowPart]:
        for batch in source.read(columns):
            values, present = numbers_in(batch.column(label), label, na_values)
            codes = np.zeros(len(present), dtype=np.int64)
            codes[present] = np.searchsorted(cuts, values)
            others = {name: batch.column(name) for name in columns if name != label}
            yield RowPart({label: ordered(codes, present), **others}, batch.num_rows)

    return replace(
        source,
        kinds={**source.kinds, label: "number"}, declared=source.declared - {label},
        read=read, columns={}, pieces=(), frame=None,
    )  # fmt: skip


def target_cuts(source: ColumnSource, label: Any, reading: ReadingOptions) -> tuple[Array, Array]:
    """Return the quantiles of a sample of a target at which it is cut, and the sample."""
    rng, sample = np.random.default_rng(reading.seed), ColumnSample()
    for batch in source.read([label]):
        values, present = numbers_in(batch.column(label), label, reading.na_values)
        sample.draw(ordered(values, np.ones(len(values), dtype=bool)), rng.random(len(present))[present])
    return quantile_cuts(sample.shrink().values, QUANTILES + 1), sample.values
