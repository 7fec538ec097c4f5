"""Bins of a feature whose values lie on many machines: quantile sketches that are made apart and merged.

A sketch holds some of a column's values and how many rows lie above one and up to the next. While all different
values fit it is exact; beyond, values at evenly spaced ranks stay, so that every cut costs at most one part in
``capacity`` in rank. No label is looked at.

Main definitions: ``Sketch``, ``Bins``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from dask.sizeof import sizeof

from splitcrit.arguments import Array
from splitcrit.data.columns import read_in_order
from splitcrit.data.values import joined
from splitcrit.trees.estimators.narrowing import finite_ends, refuse_merged_levels
from splitcrit.trees.growth import GrownTree
from splitcrit.trees.scan import midpoint

SPARE = 8  # values that a sketch keeps for each bin


class Sized:
    """A value as large as its parts together, which Dask goes by when it chooses where to work."""

    def __sizeof__(self) -> int:
        return int(sizeof(list(vars(self).values())))


@dataclass(frozen=True, eq=False)
class Sketch(Sized):
    """Ascending values of a column, the rows above the one before and up to each, and the rows without a value.

    Examples
    --------
    >>> parts = [Sketch.of(np.array(column), 8) for column in ([1.0, 3.0, 3.0], [2.0, np.nan])]
    >>> whole = Sketch.merged(parts, 8)
    >>> whole.values.tolist(), whole.counts.tolist(), whole.missing
    ([1.0, 2.0, 3.0], [1, 1, 2], 1)
    """

    values: Array
    counts: Array
    missing: int

    @staticmethod
    def of(column: Array, capacity: int) -> Sketch:
        """The sketch of a column, with at most ``capacity`` values; nan is a missing value."""
        read = read_in_order(column, "")
        values, counts = np.unique(read.values[read.present] + 0, return_counts=True)
        return Sketch(values, counts, int((~read.present).sum())).cut(capacity)

    @staticmethod
    def merged(sketches: Sequence[Sketch], capacity: int) -> Sketch:
        """The sketch of all columns together."""
        together = joined([sketch.values for sketch in sketches])
        values, place = np.unique(together, return_inverse=True)
        counts = np.zeros(len(values), np.int64)
        np.add.at(counts, place, np.concatenate([sketch.counts for sketch in sketches]))
        return Sketch(values, counts, sum(sketch.missing for sketch in sketches)).cut(capacity)

    def as_floats(self, name: Any) -> Sketch:
        """The sketch in float64; raise ValueError where that merges what a tree could want apart."""
        if self.values.dtype.kind != "f":
            refuse_merged_levels(self.values, name)
        values, first = np.unique(finite_ends(self.values.astype(np.float64)), return_index=True)
        return Sketch(values, np.add.reduceat(self.counts, first), self.missing)

    def cut(self, capacity: int) -> Sketch:
        """The sketch with at most ``capacity`` values, those at evenly spaced ranks; the largest is kept."""
        if len(self.values) <= capacity:
            return self
        rows, limit = self.capped(capacity)
        reached = np.minimum(np.cumsum(rows) // limit, capacity - 1)
        ends = np.flatnonzero(np.diff(reached, append=capacity))
        return Sketch(self.values[ends], np.diff(np.cumsum(self.counts)[ends], prepend=0), self.missing)

    def capped(self, most: int) -> tuple[Array, float]:
        """The counts, none above the limit that is their sum through ``most``, and this limit."""
        rows, limit = self.counts.astype(float), np.inf
        while (share := float(rows.sum() / most)) < limit:
            limit, rows = share, np.minimum(rows, share)
        return rows, limit

    def binned(self, most: int) -> tuple[Array, Array]:
        """The lowest and the highest value of at most ``most`` bins that hold about as many rows each.

        A value of more rows than a bin should hold counts as one bin, so that the others get theirs.
        """
        if len(self.values) <= most:
            return self.values, self.values
        rows, limit = self.capped(most)
        number = np.minimum((np.cumsum(rows) - rows / 2) // limit, most - 1)
        first = np.flatnonzero(np.diff(number, prepend=-1))
        return self.values[first], self.values[np.append(first[1:], len(number)) - 1]


@dataclass(frozen=True, eq=False)
class Bins:
    """The lowest and the highest values of the bins of each feature, and which features have missing values.

    ``levels`` are the numbers of categories, each with a bin of its own; 0 for a numeric feature.
    """

    low: tuple[Array, ...]
    high: tuple[Array, ...]
    missing: Array
    levels: Array

    @staticmethod
    def of(sketches: Sequence[Sketch], most: int, categories: Sequence[list[Any] | None] | None = None) -> Bins:
        """At most ``most`` bins for the feature of each sketch, or one for each of its categories."""
        levels = np.array([len(names or ()) for names in categories or [None] * len(sketches)])
        each = zip(sketches, levels.tolist(), strict=True)
        pairs = [(np.arange(float(j)),) * 2 if j else sketch.binned(most) for sketch, j in each]
        low, high = zip(*pairs, strict=True)
        return Bins(low, high, np.array([sketch.missing > 0 for sketch in sketches]), levels)

    @cached_property
    def counts(self) -> Array:
        """How many bins each feature has; missing values are in one more."""
        return np.array([len(low) for low in self.low])

    @cached_property
    def starts(self) -> Array:
        """Where the bins of each feature start when those of all stand in a row, and where they end."""
        return np.concatenate([[0], np.cumsum(self.counts + self.missing)])

    def codes(self, x: Array) -> Array:
        """The bin ``(d, n)`` of each value of ``x (n, d)``; a missing value has the number of bins."""
        codes = np.empty(x.shape[::-1], np.min_scalar_type(int(self.counts.max())))
        for f, column in enumerate(x.T):
            edges = midpoint(self.high[f][:-1], self.low[f][1:])
            number = np.searchsorted(edges, column.astype(np.float64))
            codes[f] = np.where(np.isnan(column), self.counts[f], number)
        return codes

    def noted(self, tree: GrownTree) -> GrownTree:
        """A tree that notes where values on both sides of a threshold would be one if rounded to float32.

        A node may lack the bins beside its threshold: those count that it is halfway between.
        """
        same = tree.in_float32.copy()
        for node in np.flatnonzero((tree.left >= 0) & (tree.feature < len(self.low)) & np.isfinite(tree.threshold)):
            f, cut = tree.feature[node], tree.threshold[node]
            below, above = self.high[f][self.high[f] <= cut, None], self.low[f][self.low[f] > cut]
            with np.errstate(over="ignore"):
                moved = (below.astype(np.float32) > cut) | (above.astype(np.float32) <= cut)
            same[node] = not (moved.any() and (midpoint(below, above)[moved] == cut).any())  # most often none
        return replace(tree, in_float32=same)

    def threshold(self, feature: int, below: Array, above: Array) -> Array:
        """The thresholds between bins; above the last, where only missing values are, it is infinite."""
        low, high = self.low[feature], self.high[feature]
        after = np.where(above < len(low), low[np.minimum(above, len(low) - 1)], np.nan)
        return midpoint(high[below], after)
