"""The best threshold of every open node of a level.

The tie rule: among thresholds whose score lies within ``band`` of the node's best, the first in the order of the drawn
features, then of the thresholds. The best is found first, so that no order of search can change the choice.

Main definitions: ``Level``, ``Splits``, ``best_splits``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.kernel import plain
from splitcrit.kernel.columns import Columns, midpoint
from splitcrit.kernel.scoring import Form, band, final_scores, form_of, raw_band, raw_scores

Array = NDArray[Any]
BLOCK = 8192  # thresholds scored together, so that a block stays in cache
EVERY = np.ones(1, dtype=bool)


@dataclass(frozen=True, eq=False)
class Level:
    """Open nodes: where each starts in every order, and its class weights ``(m, K)``."""

    starts: Array
    totals: Array

    @property
    def sizes(self) -> Array:
        return np.diff(self.starts)


@dataclass(frozen=True, eq=False)
class Limits:
    """What a threshold must leave on each side: so many samples, and so much weight."""

    least: int = 1
    lightest: float = 0.0


@dataclass(frozen=True, eq=False)
class Splits:
    """One split a node: feature (-1: none), place in its order, threshold, score, tie band, class weights left."""

    feature: Array
    place: Array
    threshold: Array
    score: Array
    band: Array
    left: Array


def best_splits(
    columns: Columns, level: Level, criterion: Criterion, limits: Limits, drawn: Array | None = None, side: Array | None = None
) -> Splits:
    """Return the best split of every node of a level.

    Parameters
    ----------
    columns : Columns
    level : Level
    criterion : Criterion
    limits : Limits
    drawn : array (m, d), optional
        The rank of each feature in the node's drawn order, -1 where it is not drawn; by default 0, 1, ... for all.
    side : uint8 array (n,), optional
        Where to mark the samples that go left.
    """
    search = _Search(columns, level, criterion, limits)
    wanted = EVERY[:, None].repeat(len(columns.values), axis=1) if drawn is None else drawn >= 0
    best = search.best(wanted)
    top = best.max(axis=0)
    width = band(criterion, level.totals)
    floor = top - raw_band(criterion, search.form, level.totals, width)
    reached = (best >= floor) & np.isfinite(best)
    ranks = np.arange(len(best))[:, None] if drawn is None else drawn.T
    feature = np.where(reached.any(axis=0), np.where(reached, ranks, len(best)).argmin(axis=0), -1)
    place = search.first(feature, floor)
    left = np.zeros_like(level.totals, dtype=float)
    marks = np.zeros(len(columns.codes), np.uint8) if side is None else side
    search.engine.count_left(columns.orders, level.starts, feature, place, columns.weights, columns.bits, marks, left)
    kept = feature >= 0
    score, threshold = np.full(len(feature), -np.inf), np.full(len(feature), np.nan)
    score[kept] = final_scores(criterion, left[kept], level.totals[kept] - left[kept])
    low, high = (columns.values[feature[kept], columns.index(feature[kept], place[kept] + i)] for i in (0, 1))
    threshold[kept] = midpoint(low, high)
    return Splits(feature, place, threshold, score, width, left)


class _Search:
    """The two passes over a level: the best raw score of each feature, then the first place that ties with it."""

    def __init__(self, columns: Columns, level: Level, criterion: Criterion, limits: Limits) -> None:
        self.columns, self.level, self.criterion, self.limits = columns, level, criterion, limits
        self.engine = columns.engine
        self.form: Form | None = None
        if self.engine is not plain and not len(columns.weights) and limits.lightest == 0:
            self.form = form_of(criterion, len(columns.codes), columns.classes)

    def best(self, wanted: Array) -> Array:
        """Return the best raw score ``(d, m)`` of each feature in each node."""
        found = np.full((len(self.columns.values), len(self.level.sizes)), -np.inf)
        if self.form is not None:
            self.engine.scan_forms(*self._tables(), wanted, found)
            return found
        for f in range(len(found)):
            for left, right, node, _ in self._blocks(f, wanted[:, f]):
                self.engine.lift(raw_scores(self.criterion, left, right), node, len(node), found[f])
        return found

    def first(self, feature: Array, floor: Array) -> Array:
        """Return the first place on each node's chosen feature whose raw score reaches the floor."""
        found = np.full(len(feature), -1)
        if self.form is not None:
            self.engine.first_in_band(*self._tables(), feature, floor, found)
            return found
        for f in np.unique(feature[feature >= 0]):
            for left, right, node, place in self._blocks(int(f), feature == f):
                scores = raw_scores(self.criterion, left, right)
                self.engine.first_above(scores, node, place, len(node), floor, found)
        return found

    def _tables(self) -> tuple[Any, ...]:
        assert self.form is not None
        form, level, columns = self.form, self.level, self.columns
        counts = level.totals.astype(np.int64)
        sums = form.phi[counts].sum(axis=1)
        data = (columns.orders, columns.values, level.starts, counts, sums, form.steps, form.table, form.kind)
        return (*data, columns.bits, self.limits.least)

    def _blocks(self, f: int, wanted: Array) -> Iterator[tuple[Array, Array, Array, Array]]:
        """Yield class weights on both sides, node and place of the thresholds of one feature, block by block."""
        columns, level, limits = self.columns, self.level, self.limits
        order, column = columns.orders[f], columns.values[f]
        rest = (columns.weights, columns.bits, limits.least, limits.lightest, np.ascontiguousarray(wanted))
        if self.engine is plain:
            yield from plain.blocks(order, column, level.starts, level.totals, *rest)
            return
        capacity = int(min(BLOCK, max(1, level.starts[-1])))
        state, seen = np.array([0, level.starts[0]]), np.zeros(columns.classes)
        left, right = np.empty((columns.classes, capacity)), np.empty((columns.classes, capacity))
        node, place = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
        while written := self.engine.fill(
            order, column, level.starts, level.totals, *rest, state, seen, left, right, node, place
        ):
            yield left[:, :written], right[:, :written], node[:written], place[:written]
