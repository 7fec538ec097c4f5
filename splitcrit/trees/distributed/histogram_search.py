"""The best split of every open node, from histograms: scores, and the tie rule of ``search``.

Main definitions: ``Histograms``, ``best_of_bins``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from splitcrit.arguments import Array
from splitcrit.trees.distributed.histogram_scores import ClassScorer, ResponseScorer
from splitcrit.trees.distributed.sketch import Bins
from splitcrit.trees.scan import LevelSplits, Limits
from splitcrit.trees.scan.open_nodes import joined
from splitcrit.trees.scan.ties_and_scores import at_least

Scorer = ClassScorer | ResponseScorer


@dataclass(frozen=True, eq=False)
class Histograms:
    """Sums ``(m, bins, w)`` and rows ``(m, bins)`` of open nodes with totals ``(m, w)`` and sizes ``(m,)``."""

    sums: Array
    rows: Array
    totals: Array
    sizes: Array
    bins: Bins

    def complete(self) -> bool:
        """Tell whether the bins of every feature add up to the nodes."""
        starts = self.bins.starts[:-1]
        sums, rows = (np.add.reduceat(a, starts, axis=1) for a in (self.sums, self.rows))
        return bool((sums == self.totals[:, None]).all() and (rows == self.sizes[:, None]).all())

    def some(self, bins: slice) -> Histograms:
        """Return some of the bins."""
        return replace(self, sums=self.sums[:, bins], rows=self.rows[:, bins])

    def known(self, feature: int) -> slice:
        """Return the places of the bins of a feature."""
        start = self.bins.starts[feature]
        return slice(start, start + self.bins.counts[feature])

    def lost(self, feature: int) -> slice:
        """Return the place of the missing values of a feature."""
        return slice(self.known(feature).stop, self.bins.starts[feature + 1])

    def constant(self) -> Array:
        """Tell which features are constant in which node, ``(m, d)``; a missing value is a value of its own."""
        filled = np.add.reduceat((self.rows > 0).astype(np.int64), self.bins.starts[:-1], axis=1)
        return np.asarray(filled == 1)

    def table(self, node: int, feature: int) -> Array:
        """Return the sums ``(r, w)`` of a node for each bin of a feature that is not empty."""
        here = self.known(feature)
        return np.asarray(self.sums[node, here][self.rows[node, here] > 0])


@dataclass(frozen=True, eq=False)
class HistogramSplits:
    """Splits by one feature: node, last bin on the left, the next that is not empty, and the scores."""

    node: Array
    place: Array
    after: Array
    feature: Array
    missing_left: Array
    score: Array
    undivided: Array


def best_of_bins(found: Histograms, scorer: Scorer, limits: Limits, ranks: Array | None = None) -> LevelSplits:
    """Return the best split of every node; its place is the last bin on the left.

    ``ranks (m, d)`` are those of the features in the order of each node's draw, -1 where one is not drawn.
    """
    m, d = len(found.sizes), len(found.bins.low)
    width, all_of_them = scorer.band(), np.ones(m, dtype=bool)
    parts = [
        _candidates(found, f, moved, all_of_them if ranks is None else ranks[:, f] >= 0, scorer, limits)
        for f in range(d)
        for moved in (False, True)[: 1 + int(found.bins.missing[f])]
    ]
    every = joined(parts)
    score = _guarded(every, m) if scorer.guarded else every.score
    top = np.full(m, -np.inf)
    np.maximum.at(top, every.node, score)
    reached = np.flatnonzero(np.isfinite(score) & (score >= (top - width)[every.node]))
    if ranks is not None:
        reached = reached[np.argsort(ranks[every.node[reached], every.feature[reached]], kind="stable")]
    node, first = np.unique(every.node[reached], return_index=True)
    return _splits(found, every, node, reached[first], top, width)


def _candidates(
    found: Histograms, f: int, moved: bool, wanted: Array, scorer: Scorer, limits: Limits
) -> HistogramSplits:  # fmt: skip
    """Return the splits of nodes by a feature, missing values right or, ``moved``, left, in order of node and bin."""
    known, lost = found.known(f), found.lost(f)
    sums, rows = (a[:, lost].sum(axis=1) for a in (found.sums, found.rows))
    node, place = np.nonzero((found.rows[:, known] > 0) & (wanted & (rows > 0) if moved else wanted)[:, None])
    last = np.diff(node, append=len(wanted)) > 0
    after = np.where(last, known.stop - known.start, np.append(place[1:], 0))
    left = np.cumsum(found.sums[:, known], axis=1)[node, place] + moved * sums[node]
    size = np.cumsum(found.rows[:, known], axis=1)[node, place] + moved * rows[node]
    kept = (np.minimum(size, found.sizes[node] - size) >= limits.least) & (~last | (rows[node] > 0) & (not moved))
    sides = scorer.weight(left), scorer.weight(found.totals[node] - left)
    kept &= np.minimum(*sides) >= limits.lightest
    node, place, after, left = (a[kept] for a in (node, place, after, left))
    return HistogramSplits(
        node, place, after, np.full_like(node, f), np.full(len(node), moved), *scorer.scored(node, left)
    )


def _guarded(every: HistogramSplits, nodes: int) -> Array:
    """Return the scores of a guarded ratio: -inf where the undivided score is below its node's average."""
    count = np.maximum(np.bincount(every.node, minlength=nodes), 1)
    average = np.bincount(every.node, every.undivided, nodes) / count
    return np.where(every.undivided >= at_least(average[every.node]), every.score, -np.inf)


def _splits(
    found: Histograms, every: HistogramSplits, nodes: Array, chosen: Array, top: Array, width: Array
) -> LevelSplits:
    """Return the chosen splits of some nodes with their left sides; the others have none."""
    m = len(found.sizes)
    feature, place, threshold = np.full(m, -1), np.full(m, -1), np.full(m, np.nan)
    goes, left, sizes = np.zeros(m, dtype=bool), np.zeros(found.totals.shape), np.zeros(m, np.int64)
    feature[nodes], place[nodes] = every.feature[chosen], every.place[chosen]
    for node, at in zip(nodes.tolist(), chosen.tolist(), strict=True):
        f, moved = int(every.feature[at]), bool(every.missing_left[at])
        known, lost = found.known(f), found.lost(f)
        upto = slice(known.start, known.start + every.place[at] + 1)
        left[node] = found.sums[node, upto].sum(axis=0) + moved * found.sums[node, lost].sum(axis=0)
        sizes[node] = found.rows[node, upto].sum() + moved * found.rows[node, lost].sum()
        threshold[node] = found.bins.threshold(f, every.place[at], every.after[at])
        goes[node] = moved if found.rows[node, lost].any() else 2 * sizes[node] > found.sizes[node]
    return LevelSplits(feature, threshold, goes, top, width, left, sizes, place)
