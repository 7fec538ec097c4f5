"""The best threshold of every open node of a level.

The tie rule: among thresholds whose score lies within ``band`` of the node's best, the first in the order of the drawn
features, then (missing values right before left) of the thresholds. The best is found first, so that no order of search
can change the choice.

Main definitions: ``best_splits``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.impurities.forms import Form
from splitcrit.search import plain
from splitcrit.search.bounds import ROUNDING, Bounds, Stretches, marked
from splitcrit.search.columns import Columns, midpoint
from splitcrit.search.contenders import Contenders
from splitcrit.search.forms import Sides, described, usable_form
from splitcrit.search.levels import BLOCK, EVERYWHERE, NO_WEIGHTS, Lanes, Level, Limits, Splits
from splitcrit.search.records import CONSTANTS, Orders, Totals, data_of_sides
from splitcrit.search.scoring import at_least, band, formula_scores, guard, own_impurity, replayed

__all__ = ["Level", "Limits", "Splits", "best_splits", "usable_form"]

Array = NDArray[Any]


def best_splits(
    columns: Columns,
    level: Level,
    criterion: Criterion,
    limits: Limits,
    *,
    form: Form | Sides | None = None,
    drawn: Array | None = None,
    side: Array | None = None,
) -> Splits:
    """Return the best split of every node of a level.

    Parameters
    ----------
    columns : Columns
    level : Level
    criterion : Criterion
    limits : Limits
    form : Form or Sides, optional
        The criterion as data, where it is (``usable_form``); otherwise its face scores every threshold.
    drawn : array (m, d), optional
        The rank of each feature in the node's drawn order, -1 where it is not drawn; by default 0, 1, ... for all.
    side : uint8 array (n,), optional
        Where to mark the samples that go left.
    """
    search = _Search(columns, level, criterion, limits, form)
    d, m = len(columns.values), len(level.sizes)
    best = search.best(np.ones((1, d), dtype=bool) if drawn is None else drawn >= 0)
    top = best.max(axis=0)
    floor = top - search.width
    reached = (best >= floor) & np.isfinite(best)
    ranks = np.broadcast_to(np.arange(d)[:, None], (d, m)) if drawn is None else drawn.T
    feature = np.where(reached.any(axis=0), np.where(reached, ranks, d).argmin(axis=0), -1)
    place, missing_left = search.first(feature, floor)
    return search.finished(feature, place, missing_left, top, side)


class _Search:
    """A level is searched for the best score of each feature, then for the first place that ties with the best.

    Tables are scanned twice; what a face scores, it scores once.
    """

    def __init__(
        self, columns: Columns, level: Level, criterion: Criterion, limits: Limits, form: Form | Sides | None
    ) -> None:
        self.columns, self.level, self.criterion, self.limits = columns, level, criterion, limits
        self.form = form if isinstance(form, Form) else None
        self.sides = form if isinstance(form, Sides) else None
        self.lanes = Lanes(columns, level, limits)
        self.engine, self.known = columns.engine, self.lanes.known
        counted = self.form is not None or (self.sides is not None and self.sides.most >= 0)
        self.counts = level.totals.astype(np.int64) if counted else NO_WEIGHTS
        if self.form is not None:
            self.data, self.nodes, self.base, self.rate = described(self.form, self.counts)
        self.impurity = None if criterion.impurity is None else own_impurity(criterion, level.totals)
        self.width = band(criterion, level.totals, self.impurity)
        self.undivided, self.average = guard(criterion), np.empty(0)

    def best(self, wanted: Array) -> Array:
        """Return the best score ``(d, m)`` of each feature in each node, -inf where there is none.

        A feature that cannot come within a tie of the node's best may be given less.
        """
        found = np.full((len(self.columns.values), len(self.level.sizes)), -np.inf)
        wanted = np.broadcast_to(wanted, found.T.shape)
        known = wanted & ~self.columns.missing
        if self.undivided is not None:
            self.average = self._averages(wanted)
        if self.form is not None:
            self.engine.scan(*self._scanned(), known, found)
            found = (found - self.base) * self.rate
            wanted = wanted & ~known
        small = self._small()
        if small.any() and self.impurity is not None:
            self.engine.scan(*self._looked_up(), small[:, None] & known, found)
            found[:, small] = found[:, small] / self.level.sizes[small] + self.impurity[small]
            wanted = wanted & ~(small[:, None] & known)
        self.contenders = Contenders(found, self.width, self.engine)
        if self.sides is not None and self.sides.bounds is not None and (wanted & known).any():
            self._bounded(wanted & known, self.sides.bounds)
            wanted = wanted & ~known
        lanes = self._each(wanted)
        for (f, move), alive in zip(lanes, self._alive(lanes, wanted), strict=True):
            for scores, node, place in self._blocks(f, wanted[:, f], move, alive):
                self.contenders.add(scores, np.asarray(f), move, node, place)
        return found

    def _each(self, wanted: Array) -> list[tuple[int, bool]]:
        return [(f, move) for f in map(int, np.flatnonzero(wanted.any(axis=0))) for move in self.lanes.moves(f)]

    def _alive(self, lanes: list[tuple[int, bool]], wanted: Array) -> list[Array]:
        """Return which places of each lane may be chosen (empty: all), where the impurity is a minimised risk.

        Some thresholds of large nodes are scored first; between two of them the best score may be out of reach.
        """
        level, marks = self.level, marked(self.level.starts)
        if self.impurity is None or not marks.any() or not self._grows():
            return [EVERYWHERE] * len(lanes)
        found, weight = [], level.totals.sum(axis=1)
        for f, move in lanes:
            at, sides = [np.empty((2, 0), np.int64)], [np.empty((2, 0))]
            for left, right, node, place in self.lanes.sides(f, move, wanted[:, f], marks):
                at.append(np.stack([node, place]))
                sides.append(self._costs(left, right))
            (node, place), costs = np.concatenate(at, axis=1), np.concatenate(sides, axis=1)
            np.maximum.at(self.contenders.top, node, self.impurity[node] - costs.sum(axis=0) / weight[node])
            found.append(Stretches.between(level.starts, node, place, *costs))
        if not all(stretches.grow for stretches in found):
            return [EVERYWHERE] * len(lanes)
        floor = (self.contenders.top - self.width - self.impurity * (1 + ROUNDING)) * weight
        return [stretches.alive(floor) for stretches in found]

    def _costs(self, left: Array, right: Array) -> Array:
        """Return what both sides contribute, ``(2, m)``, by the tape."""
        assert self.sides is not None and self.sides.tape is not None
        return np.asarray(self.sides.tape.both(self.engine, left, right)[1].reshape(2, -1))

    def _grows(self) -> bool:
        """Tell whether a side contributes the more the larger it is: a minimised risk, not negative at the vertices."""
        impurity, tape = self.criterion.impurity, None if self.sides is None else self.sides.tape
        if tape is None or self.engine is plain or impurity is None or impurity.loss is None:
            return False
        return bool((tape(np.eye(self.columns.classes))[1] >= 0).all())

    def _bounded(self, wanted: Array, bounds: Bounds) -> None:
        """Let the face score the most promising threshold of each node, then those whose bound reaches that."""
        from splitcrit.search.bounds_compiled import fill_bounded, scan_bounds

        columns, level, m = self.columns, self.level, len(self.level.sizes)
        data = (columns.orders, columns.values, level.starts, self.counts, bounds.table)
        rest = (columns.bits, self.limits.least)
        bound, (at, ones) = np.full(wanted.T.shape, -np.inf), np.zeros((2, *wanted.T.shape), np.int64)
        scan_bounds(*data, *rest, wanted, bound, at, ones)
        f = bound.argmax(axis=0)
        node = np.flatnonzero(bound[f, np.arange(m)] > -np.inf)
        f = f[node]
        size, b = at[f, node] - level.starts[node] + 1, ones[f, node]
        left = np.stack([size - b, b]).astype(float)
        reached = self.contenders.top.copy()
        reached[node] = np.maximum(reached[node], self._scores(left, level.totals[node].T - left, node))
        floor = (reached - self.width - self.impurity - 2 * bounds.error) * level.sizes
        wanted = wanted & (bound >= floor).T
        capacity, state = BLOCK >> 2, np.zeros(4, np.int64)
        left, right = np.empty((2, 2, capacity))
        feature, node, place = np.empty((3, capacity), np.int64)
        arrays = (wanted, floor, state, left, right, feature, node, place)
        while n := fill_bounded(*data, *rest, *arrays):
            scores = self._scores(left[:, :n], right[:, :n], node[:n])
            self.contenders.add(scores, feature[:n], False, node[:n], place[:n])

    def _scores(self, left: Array, right: Array, node: Array) -> Array:
        whole = None if self.impurity is None else self.impurity[node]
        if self.sides is not None and self.sides.tape is not None and whole is not None:
            scores = replayed(self.sides.tape, self.engine, left, right, whole)
            if not np.isnan(scores).any():
                return scores
        return formula_scores(self.criterion, left, right, whole)

    def first(self, feature: Array, floor: Array) -> tuple[Array, Array]:
        """Return the first place on each node's chosen feature whose score reaches the floor, and where missing go."""
        found, goes = self.contenders.first(feature, floor)
        known = ~self.columns.missing[feature] & (feature >= 0)
        if self.form is not None:
            raw = floor / self.rate + self.base
            self.engine.first(*self._scanned(), (np.where(known, feature, -1), raw), found)
        small = self._small() & known
        if small.any() and self.impurity is not None:
            raw = (floor - self.impurity) * self.level.sizes
            self.engine.first(*self._looked_up(), (np.where(small, feature, -1), raw), found)
        return found, goes

    def finished(self, feature: Array, place: Array, missing_left: Array, top: Array, side: Array | None) -> Splits:
        """Return chosen splits with their left sides and thresholds."""
        columns, level, m = self.columns, self.level, len(feature)
        kept = np.flatnonzero(feature >= 0)
        left, sizes = np.zeros((m, columns.classes)), np.zeros(m, np.int64)
        marks = np.zeros(len(columns.codes), np.uint8) if side is None else side
        rest = (columns.weights, columns.bits, marks, left, sizes)
        columns.engine.count_left(columns.orders, level.starts, self.known, feature, place, missing_left, *rest)
        f, at, start = feature[kept], place[kept], level.starts[:-1][kept]
        low = columns.values[f, columns.index(f, at)]
        high = columns.values[f, columns.index(f, np.minimum(at + 1, level.starts[1:][kept] - 1))]
        last = at + 1 >= start + self.known[f, kept]
        threshold = np.full(m, np.nan)
        threshold[kept] = midpoint(low, np.where(last, np.nan, high))
        whole = self.known[feature, np.arange(m)] == level.sizes
        goes = np.where(whole, sizes > level.sizes - sizes, missing_left)
        return Splits(feature, threshold, goes, top, self.width, left, sizes, place)

    def _small(self) -> Array:
        """Return which nodes are small enough for the table of sides, none where there is no such table."""
        return np.asarray(self.level.sizes <= (self.sides.most if self.sides is not None else -1))

    def _looked_up(self) -> tuple[Any, ...]:
        """Return what a scan takes of nodes whose sides are looked up."""
        assert self.sides is not None
        m = len(self.counts)
        nodes = Totals(self.counts, np.zeros(m), np.zeros((m, CONSTANTS)))
        return self._source(), self.level.starts, nodes, data_of_sides(self.sides.table), self.limits.least

    def _scanned(self) -> tuple[Any, ...]:
        """Return what a scan takes of nodes by the form of the criterion."""
        return self._source(), self.level.starts, self.nodes, self.data, self.limits.least

    def _source(self) -> Orders:
        return Orders(self.columns.orders, self.columns.values, self.columns.bits)

    def _blocks(
        self, f: int, wanted: Array, move: bool, alive: Array = EVERYWHERE
    ) -> Iterator[tuple[Array, Array, Array]]:
        """Yield scores, node and place of the thresholds of one feature, block by block."""
        for left, right, node, place in self.lanes.sides(f, move, wanted, alive):
            scores = self._scores(left, right, node)
            if self.undivided is not None:
                enough = formula_scores(self.undivided, left, right) >= at_least(self.average[node])
                scores = np.where(enough, scores, -np.inf)
            yield scores, node, place

    def _averages(self, wanted: Array) -> Array:
        """Return the average undivided score of all thresholds of each node."""
        assert self.undivided is not None
        sums, counts = np.zeros(len(self.level.sizes)), np.zeros(len(self.level.sizes))
        for f, move in self._each(wanted):
            for left, right, node, _ in self.lanes.sides(f, move, wanted[:, f]):
                sums += np.bincount(node, formula_scores(self.undivided, left, right), len(sums))
                counts += np.bincount(node, minlength=len(sums))
        return np.asarray(sums / np.maximum(counts, 1))
