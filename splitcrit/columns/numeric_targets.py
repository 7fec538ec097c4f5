"""Columns ranked against a target of numbers: in memory by permuting it, in large files by cutting it at quantiles.

In memory every row is kept, and the decrease of variance is compared with that of random orders of the target. A file
that is read in parts keeps no rows: there the target is cut into classes at fixed quantiles of a sample, and a column
is judged by exact tests of what lies above each of them.

Main definitions: ``target_values``, ``cut_target`` (a source whose target is cut), ``target_cuts``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.columns import InMemoryColumn, NaValues, as_column, magnitudes, ordered
from splitcrit.data.integers import is_beyond
from splitcrit.data.partial_counts import ColumnSample, quantile_cuts
from splitcrit.data.row_parts import ColumnSource, RowPart
from splitcrit.data.targets import no_numbers
from splitcrit.data.two_passes import ReadingOptions
from splitcrit.frozen import complaint
from splitcrit.nulls.dichotomies import QUANTILES


def target_values(column: InMemoryColumn, label: Any, na_values: NaValues) -> tuple[Array, Array]:
    """Return the target of the rows that have one as floats, and which these are; raise ValueError of no numbers."""
    values, present = _numbers_in(column, label, na_values)
    if values.dtype.kind in "iuO" and len(values):  # large integers stay apart: a variance does not see the least one
        values = values.astype(object if is_beyond(values) else np.int64)
        values = values - values.min()
    try:
        found = values.astype(np.float64)
    except OverflowError:
        rule, remedy = "a numeric target must fit a float", "divide it, or take logarithms"
        raise ValueError(complaint(rule, f"larger ones in {label!r}", remedy)) from None
    if not np.isfinite(found).all():
        rule, got = "a numeric target must be finite", f"{found[~np.isfinite(found)][0]:g} in {label!r}"
        raise ValueError(complaint(rule, got, "drop these rows"))
    return found, present


def _numbers_in(column: Any, label: Any, na_values: NaValues) -> tuple[Array, Array]:
    """Return the numbers of the rows of a target that have one, and which rows these are."""
    column = as_column(column, label)
    values, present = magnitudes(column, na_values)
    if len(values) and column.kind != "number":
        raise no_numbers(label)
    return values, present


def cut_target(source: ColumnSource, label: Any, cuts: Array, na_values: NaValues) -> ColumnSource:
    """Return a source whose target of numbers is replaced by how many of some cuts are below it."""

    def read(columns: list[Any]) -> Iterator[RowPart]:
        for batch in source.read(columns):
            values, present = _numbers_in(batch.column(label), label, na_values)
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
        values, _ = _numbers_in(batch.column(label), label, reading.na_values)
        sample.keep(rng.random(len(values)), values)
    return quantile_cuts(sample.shrink().values, QUANTILES + 1), sample.values
