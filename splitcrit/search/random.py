"""One random threshold a feature and node, as in extremely randomised trees: the best of these is the split.

The threshold is uniform between the smallest and the largest value of the feature in the node, and missing values go to
a random side; both depend on the node's key alone. Where all known values are equal, missing ones are told from them.

Main definitions: ``random_thresholds``, ``random_splits``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.search import plain
from splitcrit.search.columns import Columns
from splitcrit.search.draws import uniforms
from splitcrit.search.scoring import band, formula_scores, guard
from splitcrit.search.thresholds import Level, Limits, Splits, first_drawn
from splitcrit.values import complaint

Array = NDArray[Any]


def random_thresholds(keys: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Return thresholds ``low <= t < high`` of shape ``(m, d)`` for nodes with these keys, and where missing go.

    Where ``low == high`` that is the threshold, and missing values go right.
    """
    u = uniforms(keys, low.shape[1], stream=1)
    with np.errstate(invalid="ignore"):
        found = low.astype(float) + u * (high.astype(float) - low.astype(float))
        found = np.where(found < high, found, low.astype(float))
    return found, (uniforms(keys, low.shape[1], stream=2) < 0.5) & (low != high)


def random_splits(
    columns: Columns,
    level: Level,
    criterion: Criterion,
    limits: Limits,
    keys: Array,
    *,
    drawn: Array | None = None,
    side: Array | None = None,
) -> Splits:
    """Return the best of one random split a drawn feature for every node of a level; see ``best_splits``."""
    if guard(criterion) is not None:
        rule = f"{criterion!r} compares all thresholds of a node"
        raise ValueError(complaint(rule, "splitter='random'", "pass splitter='best', or leave the guard out"))
    tried = _Tried.of(columns, level, keys)
    (d, m), n = tried.known.shape, len(columns.codes)
    lefts, sizes, best = np.zeros((d, m, columns.classes)), np.zeros((d, m), np.int64), np.full((d, m), -np.inf)
    for f in range(d):
        left_of, index = tried.on_left(f)
        flat = tried.owner * columns.classes + columns.codes[index]
        weight = left_of * (columns.weights[index] if len(columns.weights) else 1.0)
        lefts[f] = np.bincount(flat, weight, m * columns.classes).reshape(m, -1)
        sizes[f] = np.bincount(tried.owner, left_of, m).astype(np.int64)
        best[f] = _scored(criterion, level, limits, lefts[f], sizes[f], tried.varies[f])
    if drawn is not None:
        best[drawn.T < 0] = -np.inf
    width, top, nodes = band(criterion, level.totals), best.max(axis=0), np.arange(m)
    feature = first_drawn((best >= top - width) & np.isfinite(best), drawn)
    tried.mark(feature, np.zeros(n, np.uint8) if side is None else side)
    left, size = lefts[feature, nodes], sizes[feature, nodes]
    whole = tried.known[feature, nodes] == level.sizes
    goes = np.where(whole, size > level.sizes - size, tried.goes[nodes, feature])
    return Splits(feature, tried.cuts[nodes, feature], goes, top, width, left, size, np.full(m, -1))


@dataclass(frozen=True, eq=False)
class _Tried:
    """The random thresholds ``(m, d)`` of a level, where missing values go, and which tell samples apart ``(d, m)``."""

    columns: Columns
    owner: Array
    known: Array
    cuts: Array
    goes: Array
    varies: Array

    @staticmethod
    def of(columns: Columns, level: Level, keys: Array) -> _Tried:
        """Return what nodes with these keys try."""
        starts, features = level.starts, np.arange(len(columns.values))[:, None]
        known = columns.known(starts)
        last = np.maximum(starts[:-1] + known - 1, starts[:-1])
        low, high = (columns.values[features, columns.index(features, at)] for at in (starts[:-1][None], last))
        varies = (low < high) | ((low == high) & (known < level.sizes))
        return _Tried(columns, plain.nodes_of(starts), known, *random_thresholds(keys, low.T, high.T), varies)

    def on_left(self, f: int) -> tuple[Array, Array]:
        """Return which entries of a feature's order go left, and their samples."""
        index = self.columns.index(np.array(f), np.arange(len(self.owner)))
        values = self.columns.values[f, index]
        goes = np.isnan(values) & self.goes[self.owner, f]
        return np.asarray((values <= self.cuts[self.owner, f]) | goes), index

    def mark(self, feature: Array, side: Array) -> None:
        """Mark the samples that go left by the feature of their node."""
        for f in np.unique(feature[feature >= 0]):
            here = feature[self.owner] == f
            left_of, index = self.on_left(int(f))
            side[index[here]] = left_of[here]


def _scored(criterion: Criterion, level: Level, limits: Limits, left: Array, size: Array, varies: Array) -> Array:
    """Return the scores of one split a node, -inf where it leaves too little on a side."""
    right, rest = level.totals - left, level.sizes - size
    usable = varies & (np.minimum(size, rest) >= limits.least)
    if limits.lightest > 0:
        usable &= np.minimum(left.sum(axis=1), right.sum(axis=1)) >= limits.lightest
    found = np.full(len(size), -np.inf)
    if usable.any():
        found[usable] = formula_scores(criterion, *(np.ascontiguousarray(x[usable].T) for x in (left, right)))
    return found
