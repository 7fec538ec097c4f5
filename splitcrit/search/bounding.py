"""Which thresholds of a level of two classes a formula need not score, as bounds keep them from being chosen.

Main definitions: ``bounded``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.search.open_nodes import BLOCK
from splitcrit.search.pruning import Bounds
from splitcrit.search.records import Thresholds

if TYPE_CHECKING:
    from splitcrit.search.level_search import LevelSearch

Array = NDArray[Any]


def bounded(search: LevelSearch, wanted: Array, bounds: Bounds) -> None:
    """Let the formula score the most promising threshold of each node, then those whose bound reaches that."""
    from splitcrit.search.pruning_compiled import fill_bounded, scan_bounds

    level, m = search.level, len(search.level.sizes)
    data = (search.columns.packed, search.counted, bounds.table)
    bound, (at, ones) = np.full(wanted.T.shape, -np.inf), np.zeros((2, *wanted.T.shape), np.int64)
    scan_bounds(*data, wanted, bound, at, ones)
    f = bound.argmax(axis=0)
    node = np.flatnonzero(bound[f, np.arange(m)] > -np.inf)
    f = f[node]
    size, b = at[f, node] - level.starts[node] + 1, ones[f, node]
    left = np.stack([size - b, b]).astype(float)
    reached, first = search.contenders.top.copy(), Thresholds(left, level.totals[node].T - left, f, node, at[f, node])
    reached[node] = np.maximum(reached[node], search.scores(first))
    floor = (reached - search.width - search.impurity - 2 * bounds.error) * level.sizes
    wanted, state, out = wanted & (bound >= floor).T, np.zeros(4, np.int64), Thresholds.empty(2, BLOCK >> 2)
    while n := fill_bounded(*data, wanted, floor, state, out):
        found = out.first(n)
        search.contenders.add(search.scores(found), found.feature, False, found.node, found.place)
