"""From the split nodes of a level to the nodes of the next: who is born, who stays open, and who gets which samples.

Main definitions: ``Born``, ``open_nodes``, ``shared_out``, ``constant_features``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.growth.stopping import Stopping
from splitcrit.search.columns import Columns
from splitcrit.search.thresholds import Level, Splits

Array = NDArray[Any]


def open_nodes(stopping: Stopping, totals: Array, sizes: Array, depth: int) -> Array:
    """Return which nodes of a depth may be split, with class weights ``(m, K)`` and sizes ``(m,)``."""
    return np.asarray(((totals > 0).sum(axis=1) > 1) & stopping.open(sizes, depth))


@dataclass(frozen=True, eq=False)
class Born:
    """The children of the nodes that are split, left before right: sizes, class weights, and which stay open."""

    sizes: Array
    totals: Array
    opened: Array

    @staticmethod
    def of(level: Level, splits: Splits, pays: Array, stopping: Stopping, depth: int) -> Born:
        """Return the children, at this depth, of the nodes whose splits pay."""
        sizes = np.stack([splits.left_sizes, level.sizes - splits.left_sizes], axis=1)[pays].reshape(-1)
        totals = np.stack([splits.left, level.totals - splits.left], axis=1)[pays].reshape(-1, level.totals.shape[1])
        return Born(sizes, totals, open_nodes(stopping, totals, sizes, depth))

    def of_open(self, left: Array, right: Array, pays: Array) -> Array:
        """Return what belongs to each open child, given what belongs to each node's left and right child."""
        return np.asarray(np.stack([left, right], axis=1)[pays].reshape(-1, *left.shape[1:])[self.opened])


def shared_out(columns: Columns, level: Level, pays: Array, born: Born, side: Array, out: Array) -> Level:
    """Write the orders of the open children to ``out (d, n + 1)``, whose last column is waste; return their level."""
    starts = np.concatenate([[0], np.cumsum(np.where(born.opened, born.sizes, 0))])
    waste = out.shape[1] - 1
    dest, step = np.full((len(pays), 2), waste), np.zeros((len(pays), 2), np.int64)
    dest[pays] = np.where(born.opened, starts[:-1], waste).reshape(-1, 2)[:, ::-1]
    step[pays] = born.opened.reshape(-1, 2)[:, ::-1]
    columns.engine.partition(columns.orders, level.starts, side, dest, step, columns.bits, out)
    return Level(np.append(starts[:-1][born.opened], starts[-1]), born.totals[born.opened])


def constant_features(columns: Columns, level: Level) -> Array:
    """Return which features are constant in which node, ``(m, d)``."""
    first, last = level.starts[:-1], level.starts[1:] - 1
    features = np.arange(len(columns.values))[:, None]
    low, high = (columns.values[features, columns.index(features, place)] for place in (first, last))
    return np.asarray(((low == high) | np.isnan(low)).T)
