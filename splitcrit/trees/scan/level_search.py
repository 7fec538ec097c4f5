"""The search of a level: the best threshold of every open node.

The tie rule: among thresholds whose score lies within ``band`` of the node's best, the first in the order of the drawn
features, then (missing values right before left) of the thresholds. The best is found first, so that no order of search
can change the choice. A formula scores each threshold once: one can only be chosen if its score lies within ``width``
of the best of its node, and if no earlier threshold of its feature has as high a score.

Main definitions: ``best_splits``; ``carried_out`` (splits that are chosen), ``first_drawn``;
``LevelSearch``, the scores of a level; ``Contenders``, the thresholds that may yet be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.trees.scan.open_nodes import EVERYWHERE, CandidateThresholds, LevelSplits, Limits, OpenLevel
from splitcrit.trees.scan.random_thresholds import Places, random_places
from splitcrit.trees.scan.records import NodeSplits
from splitcrit.trees.scan.sorted_columns import Columns, midpoint
from splitcrit.trees.scan.ties_and_scores import at_least, band, formula_scores, guard, own_impurity


def best_splits(
    columns: Columns,
    level: OpenLevel,
    criterion: Criterion,
    limits: Limits,
    *,
    drawn: Array | None = None,
    keys: Array | None = None,
    side: Array | None = None,
) -> LevelSplits:
    """Return the split of every node of a level that the tie rule chooses.

    Parameters
    ----------
    columns : Columns
    level : OpenLevel
    criterion : Criterion
    limits : Limits
    drawn : array (m, d), optional
        The rank of each feature in the node's drawn order, -1 where it is not drawn; by default 0, 1, ... for all.
    keys : uint64 array (m,), optional
        If given, one random threshold a feature is tried instead of all.
    side : uint8 array (n,), optional
        Where to mark the samples that go left.
    """
    search = LevelSearch(columns, level, criterion, limits)
    places = None if keys is None else random_places(keys, columns.value, level.starts, search.known)
    best = search.best(np.ones((1, len(columns.values)), dtype=bool) if drawn is None else drawn >= 0, places)
    top = best.max(axis=0)
    floor = top - search.width
    feature = first_drawn((best >= floor) & np.isfinite(best), drawn)
    place, missing_left = search.contenders.first(feature, floor)
    cuts = NodeSplits(feature, place, missing_left, level.starts, search.known)
    found = carried_out(columns, level, cuts, (top, search.width), side)
    return found if places is None else replace(found, threshold=places.cuts[np.arange(len(feature)), feature])


def first_drawn(reached: Array, drawn: Array | None) -> Array:
    """Return the feature of each node that is first in its order among those ``reached (d, m)``, -1 if none is.

    ``drawn (m, d)`` are the ranks in the order; 0, 1, ... by default.
    """
    d, m = reached.shape
    ranks = np.broadcast_to(np.arange(d)[:, None], (d, m)) if drawn is None else drawn.T
    return np.where(reached.any(axis=0), np.where(reached, ranks, d).argmin(axis=0), -1)


def carried_out(
    columns: Columns, level: OpenLevel, cuts: NodeSplits, scores: tuple[Array, Array], side: Array | None = None
) -> LevelSplits:
    """Return chosen splits with sides and thresholds, given best scores and widths of ties; mark who goes left."""
    from splitcrit.trees.scan.column_loops import count_left

    feature, place, missing_left, starts, known = cuts
    m = len(feature)
    kept = np.flatnonzero(feature >= 0)
    left, sizes = np.zeros((m, columns.classes)), np.zeros(m, np.int64)
    marks = np.zeros(len(columns.codes), np.uint8) if side is None else side
    count_left(columns.packed, columns.weights, cuts, marks, left, sizes)
    f, at = feature[kept], place[kept]
    low = columns.value(f, at)
    high = columns.value(f, np.minimum(at + 1, starts[1:][kept] - 1))
    last = at + 1 >= starts[:-1][kept] + known[f, kept]
    threshold = np.full(m, np.nan)
    threshold[kept] = midpoint(low, np.where(last, np.nan, high))
    whole = known[feature, np.arange(m)] == level.sizes
    goes = np.where(whole, sizes > level.sizes - sizes, missing_left)
    return LevelSplits(feature, threshold, goes, *scores, left, sizes, place)


class LevelSearch:
    """The search of the open nodes of a level, whose thresholds the formula scores in batches."""

    def __init__(self, columns: Columns, level: OpenLevel, criterion: Criterion, limits: Limits) -> None:
        self.level, self.criterion = level, criterion
        self.candidates = CandidateThresholds(columns, level, limits)
        self.known = self.candidates.known
        self.impurity = None if criterion.impurity is None else own_impurity(criterion, level.totals)
        self.width = band(criterion, level.totals, self.impurity)
        self.undivided, self.average = guard(criterion), np.empty(0)

    def best(self, wanted: Array, only: Places | None = None) -> Array:
        """Return the best score ``(d, m)`` of each feature in each node, -inf without a threshold.

        With ``only`` one threshold a feature and node is tried.
        """
        found = np.full(self.known.shape, -np.inf)
        wanted = np.broadcast_to(wanted, found.T.shape)
        if self.undivided is not None:
            self.average = self.averages(wanted)
        self.contenders = Contenders(found, self.width)
        each = self.candidates.each(wanted)
        if only is None:
            parts = [(EVERYWHERE, wanted[:, f]) for f, _ in each]
        else:
            n = int(self.level.starts[-1])
            parts = [(only.alive(f, n), wanted[:, f] & (only.goes[:, f] == move)) for f, move in each]
        for (f, move), (alive, nodes) in zip(each, parts, strict=True):
            for scores, node, place in self.scored(f, move, nodes, alive):
                self.contenders.add(scores, np.asarray(f), move, node, place)
        return found

    def scored(
        self, f: int, move: bool, wanted: Array, alive: Array = EVERYWHERE
    ) -> Iterator[tuple[Array, Array, Array]]:
        """Yield scores, node and place of the thresholds of one feature, block by block."""
        for block in self.candidates.of(f, move, wanted, alive):
            whole = None if self.impurity is None else self.impurity[block.node]
            scores = formula_scores(self.criterion, block.left, block.right, whole)
            if self.undivided is not None:
                enough = formula_scores(self.undivided, block.left, block.right) >= at_least(self.average[block.node])
                scores = np.where(enough, scores, -np.inf)
            yield scores, block.node, block.place

    def averages(self, wanted: Array) -> Array:
        """Return the average undivided score of all thresholds of each node, for a guarded ratio."""
        sums, counts = np.zeros(len(self.level.sizes)), np.zeros(len(self.level.sizes))
        assert self.undivided is not None
        for f, move in self.candidates.each(wanted):
            for block in self.candidates.of(f, move, wanted[:, f]):
                sums += np.bincount(block.node, formula_scores(self.undivided, block.left, block.right), len(sums))
                counts += np.bincount(block.node, minlength=len(sums))
        return np.asarray(sums / np.maximum(counts, 1))


class Contenders:
    """The best score ``(d, m)`` of each feature in each node so far, and the thresholds that may be chosen."""

    def __init__(self, best: Array, width: Array) -> None:
        self.best, self.width = best, width
        self.top = best.max(axis=0)
        self.kept: list[tuple[Array, ...]] = []

    def add(self, scores: Array, feature: Array, moved: bool, node: Array, place: Array) -> None:
        """Take in thresholds of one feature each, in the order of features, then nodes, then places."""
        from splitcrit.trees.scan.column_loops import contend

        pair = feature * len(self.top) + node
        at = contend(scores, pair, node, self.best.reshape(-1), self.top, self.width)
        kept = pair[at], scores[at], place[at], np.full(len(at), moved)
        if len(at):
            self.kept.append(kept)

    def first(self, feature: Array, floor: Array) -> tuple[Array, Array]:
        """Return the first place on each node's feature whose score reaches the floor (-1: none), and what moved."""
        found, goes = np.full(len(feature), -1), np.zeros(len(feature), dtype=bool)
        if self.kept:
            pair, scores, place, moved = (np.concatenate(each)[::-1] for each in zip(*self.kept, strict=True))
            f, node = np.divmod(pair, len(feature))
            chosen = (feature[node] == f) & (scores >= floor[node])
            found[node[chosen]], goes[node[chosen]] = place[chosen], moved[chosen]
        return found, goes
