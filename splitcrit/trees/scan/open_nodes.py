"""A level of a tree: its nodes, their splits, and the thresholds of one column with the class weights of both sides.

Main definitions: ``OpenLevel``, ``Limits``, ``LevelSplits``, ``CandidateThresholds``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from splitcrit.arguments import Array
from splitcrit.display import shortened
from splitcrit.trees.scan.records import LevelColumn, OpenNodes, Thresholds
from splitcrit.trees.scan.sorted_columns import Columns

T = TypeVar("T")
BLOCK = 1 << 14  # class weights a side looked at together, so that a block stays in cache
NO_WEIGHTS = np.empty((0, 0))
EVERYWHERE = np.empty(0, dtype=bool)


@dataclass(frozen=True, eq=False, repr=False)
class OpenLevel:
    """Open nodes: where each starts in every order, and its class weights ``(m, K)``."""

    starts: Array
    totals: Array

    __repr__ = shortened

    @functools.cached_property
    def sizes(self) -> Array:
        """The number of samples of each node."""
        return np.diff(self.starts)


@dataclass(frozen=True, repr=False)
class Limits:
    """The fewest samples, and the least weight, that a threshold must leave on each side."""

    least: int = 1
    lightest: float = 0.0

    __repr__ = shortened


def nodes_of(starts: Array) -> Array:
    """Return the node of every entry."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def joined(records: Sequence[T]) -> T:
    """Return records of arrays, one after another, as one record."""
    names = records[0].__dataclass_fields__  # type: ignore[attr-defined]
    return type(records[0])(*(np.concatenate([getattr(record, name) for record in records]) for name in names))


@dataclass(frozen=True, eq=False, repr=False)
class LevelSplits:
    """One split a node: feature (-1: none), threshold, where missing values go, best score, tie band, and left side.

    ``place`` is the last place on the left, in the feature's order or among its bins; a random threshold has none (-1).
    """

    feature: Array
    threshold: Array
    missing_left: Array
    score: Array
    band: Array
    left: Array
    left_sizes: Array
    place: Array

    __repr__ = shortened


@dataclass(frozen=True, eq=False)
class CandidateThresholds:
    """The candidate thresholds of a level: each column with missing values on the right and, if any, on the left."""

    columns: Columns
    level: OpenLevel
    limits: Limits

    @functools.cached_property
    def known(self) -> Array:
        """How many samples of each node have a value, ``(d, m)``."""
        return self.columns.known(self.level.starts)

    def each(self, wanted: Array) -> list[tuple[int, bool]]:
        """Return the columns wanted in some node ``(m, d)``, with missing values on the right, and the left if any."""
        lost = np.asarray((self.known < self.level.sizes).any(axis=1))
        features = map(int, np.flatnonzero(wanted.any(axis=0)))
        return [(f, move) for f in features for move in (False, True)[: 1 + int(lost[f])]]

    def of(self, f: int, moved: bool, wanted: Array, alive: Array = EVERYWHERE) -> Iterator[Thresholds]:
        """Yield the thresholds of a column in some nodes ``(m,)``; no other column's, so that features are not told.

        With ``moved`` missing values are on the left; only places that are ``alive`` count (empty: all).
        """
        from splitcrit.trees.scan.column_loops import fill

        columns, level, limits = self.columns, self.level, self.limits
        wanted = np.ascontiguousarray(wanted & (self.known[f] < level.sizes) if moved else wanted)
        before = self._missing_weights(f) if moved else NO_WEIGHTS
        column = LevelColumn(columns.orders[f], columns.values[f], columns.weights, columns.bits)
        least, lightest = int(limits.least), float(limits.lightest)
        nodes = OpenNodes(level.starts, self.known[f], level.totals, before, wanted, alive, least, lightest)
        out = Thresholds.empty(columns.classes, int(min(max(BLOCK // columns.classes, 512), level.starts[-1])))
        state, seen = np.zeros(2, np.int64), np.zeros(columns.classes)
        while written := fill(column, nodes, state, seen, out):
            yield out.first(written)

    def _missing_weights(self, f: int) -> Array:
        """Return the class weights ``(m, K)`` of the samples of each node without a value."""
        columns, starts = self.columns, self.level.starts
        index = columns.orders[f, : starts[-1]].astype(np.int64) >> columns.bits
        lost = np.isnan(columns.values[f, index])
        node, index = nodes_of(starts)[lost], index[lost]
        found = np.zeros_like(self.level.totals)
        np.add.at(found, (node, columns.codes[index]), columns.weights[index] if len(columns.weights) else 1.0)
        return found
