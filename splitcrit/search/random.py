"""One random threshold a feature and node, as in extremely randomised trees: the best of these is the split.

The threshold is uniform between the smallest and the largest value of the feature in the node, and missing values go to
a random side; both depend on the node's key alone. Where all known values are equal, missing ones are told from them.

Main definitions: ``random_thresholds``, ``random_splits``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.search import plain
from splitcrit.search.columns import Columns
from splitcrit.search.draws import uniforms
from splitcrit.search.scoring import band, face_scores, guard
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
    d, m, starts = len(columns.values), len(level.sizes), level.starts
    known, owner = columns.known(starts), plain.nodes_of(starts)
    features = np.arange(d)[:, None]
    last = np.maximum(starts[:-1] + known - 1, starts[:-1])
    low, high = (columns.values[features, columns.index(features, at)] for at in (starts[:-1][None], last))
    cuts, goes = random_thresholds(keys, low.T, high.T)
    varies = (low < high) | ((low == high) & (known < level.sizes))
    lefts, sizes = np.zeros((d, m, columns.classes)), np.zeros((d, m), np.int64)
    best = np.full((d, m), -np.inf)
    for f in range(d):
        left_of = _on_left(columns, f, owner, cuts[:, f], goes[:, f], starts)
        index = columns.orders[f, : starts[-1]].astype(np.int64) >> columns.bits
        flat = owner * columns.classes + columns.codes[index]
        weight = left_of * (columns.weights[index] if len(columns.weights) else 1.0)
        lefts[f] = np.bincount(flat, weight, m * columns.classes).reshape(m, -1)
        sizes[f] = np.bincount(owner, left_of, m).astype(np.int64)
        best[f] = _scored(criterion, level, limits, lefts[f], sizes[f], varies[f])
    if drawn is not None:
        best[drawn.T < 0] = -np.inf
    width, top = band(criterion, level.totals), best.max(axis=0)
    reached = (best >= top - width) & np.isfinite(best)
    feature = first_drawn(reached, drawn)
    nodes = np.arange(m)
    threshold, lost = cuts[nodes, feature], goes[nodes, feature]
    marks = np.zeros(len(columns.codes), np.uint8) if side is None else side
    for f in np.unique(feature[feature >= 0]):
        here = np.flatnonzero(feature[owner] == f)
        index = columns.orders[f, here].astype(np.int64) >> columns.bits
        marks[index] = _on_left(columns, int(f), owner, cuts[:, f], goes[:, f], starts)[here]
    left, size = lefts[feature, nodes], sizes[feature, nodes]
    lost = np.where(known[feature, nodes] == level.sizes, size > level.sizes - size, lost)
    return Splits(feature, threshold, lost, top, width, left, size, np.full(m, -1))


def _on_left(columns: Columns, f: int, owner: Array, cut: Array, goes: Array, starts: Array) -> Array:
    """Return which entries of a feature's order go left."""
    values = columns.values[f, columns.orders[f, : starts[-1]].astype(np.int64) >> columns.bits]
    return np.asarray((values <= cut[owner]) | (np.isnan(values) & goes[owner]))


def _scored(criterion: Criterion, level: Level, limits: Limits, left: Array, size: Array, varies: Array) -> Array:
    """Return the scores of one split a node, -inf where it leaves too little on a side."""
    right, rest = level.totals - left, level.sizes - size
    usable = varies & (np.minimum(size, rest) >= limits.least)
    if limits.lightest > 0:
        usable &= np.minimum(left.sum(axis=1), right.sum(axis=1)) >= limits.lightest
    found = np.full(len(size), -np.inf)
    if usable.any():
        found[usable] = face_scores(criterion, *(np.ascontiguousarray(x[usable].T) for x in (left, right)))
    return found
