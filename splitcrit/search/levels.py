"""A level of a tree: its nodes, their splits, and the thresholds of one column with the class weights of both sides.

Main definitions: ``Level``, ``Limits``, ``Splits``, ``Lanes``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from splitcrit.search import plain
from splitcrit.search.columns import Columns

Array = NDArray[Any]
T = TypeVar("T")
BLOCK = 1 << 14  # class weights a side looked at together, so that a block stays in cache
NO_WEIGHTS = np.empty((0, 0))
EVERYWHERE = np.empty(0, dtype=bool)


@dataclass(frozen=True, eq=False)
class Level:
    """Open nodes: where each starts in every order, and its class weights ``(m, K)``."""

    starts: Array
    totals: Array

    @functools.cached_property
    def sizes(self) -> Array:
        """The number of samples of each node."""
        return np.diff(self.starts)


@dataclass(frozen=True)
class Limits:
    """What a threshold must leave on each side: so many samples, and so much weight."""

    least: int = 1
    lightest: float = 0.0


def joined(records: Sequence[T]) -> T:
    """Return records of arrays, one after another, as one record."""
    names = records[0].__dataclass_fields__  # type: ignore[attr-defined]
    return type(records[0])(*(np.concatenate([getattr(record, name) for record in records]) for name in names))


@dataclass(frozen=True, eq=False)
class Splits:
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


@dataclass(frozen=True, eq=False)
class Lanes:
    """The columns of a level, each with missing values on the right, and, where there are any, on the left."""

    columns: Columns
    level: Level
    limits: Limits

    @functools.cached_property
    def known(self) -> Array:
        """How many samples of each node have a value, ``(d, m)``."""
        return self.columns.known(self.level.starts)

    def moves(self, f: int) -> tuple[bool, ...]:
        """Return where missing values of a feature may go: right, and left if there are any."""
        return (False, True) if (self.known[f] < self.level.sizes).any() else (False,)

    def sides(
        self, f: int, moved: bool, wanted: Array, alive: Array = EVERYWHERE
    ) -> Iterator[tuple[Array, Array, Array, Array]]:
        """Yield class weights left ``(K, m)`` and right, node and place of the thresholds of some nodes.

        With ``moved`` missing values are on the left; only places that are ``alive`` count (empty: all).
        """
        columns, level, limits = self.columns, self.level, self.limits
        wanted = np.ascontiguousarray(wanted & (self.known[f] < level.sizes) if moved else wanted)
        before = self._missing_weights(f) if moved else NO_WEIGHTS
        data = (columns.orders[f], columns.values[f], level.starts, self.known[f], level.totals, before)
        rest = (columns.weights, columns.bits, limits.least, limits.lightest, wanted, alive)
        if columns.engine is plain:
            yield from plain.blocks(*data, *rest)
            return
        capacity = int(min(max(BLOCK // columns.classes, 512), level.starts[-1]))
        state, seen = np.zeros(2, np.int64), np.zeros(columns.classes)
        left, right = np.empty((2, columns.classes, capacity + 1))[:, :, :capacity]  # one layout, whole or in part
        node, place = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
        while written := columns.engine.fill(*data, *rest, state, seen, left, right, node, place):
            yield left[:, :written], right[:, :written], node[:written], place[:written]

    def _missing_weights(self, f: int) -> Array:
        """Return the class weights ``(m, K)`` of the samples of each node without a value."""
        columns, starts = self.columns, self.level.starts
        index = columns.orders[f, : starts[-1]].astype(np.int64) >> columns.bits
        lost = np.isnan(columns.values[f, index])
        node, index = plain.nodes_of(starts)[lost], index[lost]
        found = np.zeros_like(self.level.totals)
        np.add.at(found, (node, columns.codes[index]), columns.weights[index] if len(columns.weights) else 1.0)
        return found
