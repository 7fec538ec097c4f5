"""Columns ranked against a target of numbers: in memory by permuting it, in large files by cutting it at quantiles.

In memory every row is kept, and the decrease of variance is compared with that of random orders of the target. A file
that is read in parts keeps no rows: there the target is cut into groups at fixed quantiles, and these stand for their
means.

Main definitions: ``cut_target`` (a source whose target is cut), ``target_cuts``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.columns import NaValues, ordered
from splitcrit.data.counted_columns import ReadingOptions
from splitcrit.data.partial_counts import CELLS, ValueCounts
from splitcrit.data.row_parts import ColumnSource, Piece, RowPart
from splitcrit.data.targets import read_target

GROUPS = 8  # of a target that is read in parts


def cut_target(source: ColumnSource, label: Any, cuts: Array, na_values: NaValues) -> ColumnSource:
    """Return a source whose target of numbers is replaced by how many of some cuts are below it."""

    def read(columns: list[Any]) -> Iterator[RowPart]:
        for batch in source.read(columns):
            target = read_target(batch.column(label), "numbers", label, na_values)
            codes = np.zeros(len(target.present), dtype=np.int64)
            codes[target.present] = np.searchsorted(cuts, target.values)
            each = {name: batch.column(name) for name in columns}
            yield RowPart(each | {label: ordered(codes, target.present)}, batch.num_rows)

    return replace(
        source,
        headers={**source.headers, label: ordered(cuts[:0], np.ones(0, dtype=bool))}, pieces=[Piece(read)], columns={},
        frame=None,
    )  # fmt: skip


def target_cuts(source: ColumnSource, label: Any, reading: ReadingOptions) -> tuple[Array, Array]:
    """Return the quantiles at which a target is cut, and the mean of each class, of cells their largest value."""
    tally = ValueCounts(CELLS, in_order=True, in_cells=True)
    for batch in source.read([label]):
        values = read_target(batch.column(label), "numbers", label, reading.na_values).values
        there, codes = np.unique(values, return_inverse=True)
        tally.add(there, codes, np.zeros(len(codes), dtype=np.intp), 1)
    cuts, sizes = tally.cut(GROUPS)
    sums = np.bincount(np.searchsorted(cuts, tally.values), tally.counts[:, 0] * tally.values.astype(float))
    return cuts, sums / sizes[:, 0]
