"""Which thresholds of a level a formula need not score, because bounds keep them from being chosen.

Main definitions: ``bounded`` (two classes), ``alive_places`` (any number of classes).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.search import plain
from splitcrit.search.bounds import ROUNDING, Bounds, Stretches, marked
from splitcrit.search.levels import BLOCK, EVERYWHERE
from splitcrit.search.records import Thresholds

if TYPE_CHECKING:
    from splitcrit.search.level_search import LevelSearch

Array = NDArray[Any]


def bounded(search: LevelSearch, wanted: Array, bounds: Bounds) -> None:
    """Let the formula score the most promising threshold of each node, then those whose bound reaches that."""
    from splitcrit.search.bounds_compiled import fill_bounded, scan_bounds

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


def alive_places(search: LevelSearch, each: list[tuple[int, bool]], wanted: Array) -> list[Array]:
    """Return which places of each column may be chosen (empty: all), where the impurity is a minimised risk.

    Some thresholds of large nodes are scored first; between two of them the best score may be out of reach.
    """
    level, impurity, marks = search.level, search.impurity, marked(search.level.starts)
    if impurity is None or not marks.any() or not _grows(search):
        return [EVERYWHERE] * len(each)
    found, weight = [], level.totals.sum(axis=1)
    for f, move in each:
        at, sides = [np.empty((2, 0), np.int64)], [np.empty((2, 0))]
        for block in search.candidates.of(f, move, wanted[:, f], marks):
            at.append(np.stack([block.node, block.place]))
            sides.append(_costs(search, block))
        (node, place), costs = np.concatenate(at, axis=1), np.concatenate(sides, axis=1)
        np.maximum.at(search.contenders.top, node, impurity[node] - costs.sum(axis=0) / weight[node])
        found.append(Stretches.between(level.starts, node, place, *costs))
    if not all(stretches.grow for stretches in found):
        return [EVERYWHERE] * len(each)
    floor = (search.contenders.top - search.width - impurity * (1 + ROUNDING)) * weight
    return [stretches.alive(floor) for stretches in found]


def _costs(search: LevelSearch, block: Thresholds) -> Array:
    """Return what both sides contribute, ``(2, m)``, by the tape."""
    assert search.sides is not None and search.sides.tape is not None
    return np.asarray(search.sides.tape.both(search.engine, block.left, block.right)[1].reshape(2, -1))


def _grows(search: LevelSearch) -> bool:
    """Tell whether a side contributes the more the larger it is: a minimised risk, not negative at the vertices."""
    impurity, tape = search.criterion.impurity, None if search.sides is None else search.sides.tape
    if tape is None or search.engine is plain or impurity is None or impurity.loss is None:
        return False
    return bool((tape(np.eye(search.columns.classes))[1] >= 0).all())
