"""The loops of ``compiled`` in numpy: what they do, and what serves where numba is absent.

Main definitions: ``sort_columns``, ``blocks`` (the twin of ``fill``), ``contend``, ``count_left``,
``partition``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CHUNK = 1 << 15  # entries of an order looked at together


def sort_columns(keys: Array, codes: Array, bits: int, out: Array) -> None:
    """Fill ``out[f]`` with packed entries in the order of each column's keys; equal keys keep their row order."""
    for f, column in enumerate(keys):
        order = np.argsort(column, kind="stable")
        out[f] = (order << bits) | codes[order]


def nodes_of(starts: Array) -> Array:
    """Return the node of every entry."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def blocks(
    order: Array,
    column: Array,
    starts: Array,
    known: Array,
    totals: Array,
    before: Array,
    weights: Array,
    bits: int,
    least: int,
    lightest: float,
    wanted: Array,
) -> Iterator[tuple[Array, Array, Array, Array]]:
    """Yield class weights left ``(K, m)`` and right, node and place of the thresholds of one column, chunk by chunk.

    See ``compiled.fill`` for the arguments.
    """
    stop, owner, moved = int(starts[-1]), nodes_of(starts), len(before) > 0
    classes, kept = totals.shape[1], np.broadcast_to(wanted, len(starts) - 1)
    offset = np.vstack([np.zeros(classes), np.cumsum(totals, axis=0)[:-1]])
    last_known = starts[:-1] + known - 1
    extra = (starts[1:] - last_known - 1) * moved
    carry = np.zeros(classes)
    for first in range(0, stop, CHUNK):
        last = min(first + CHUNK, stop)
        entries = order[first : min(last + 1, stop)].astype(np.int64)
        index, code, node = entries >> bits, entries & ((1 << bits) - 1), owner[first:last]
        size = last - first
        hot = code[:size] == np.arange(classes)[:, None]
        weight = hot * weights[index[:size]] if len(weights) else hot
        running = carry[:, None] + np.cumsum(weight, axis=1, dtype=float)
        carry = running[:, -1]
        value, place = column[index], np.arange(first, last)
        differs = np.ones(size, dtype=bool)
        differs[: len(value) - 1] = value[:size][: len(value) - 1] != value[1 : size + 1]
        on_left = place - starts[node] + 1 + extra[node]
        inside = kept[node] & (on_left >= least) & (starts[node + 1] - starts[node] - on_left >= least)
        end = place == last_known[node]
        inside &= (place <= last_known[node]) & np.where(end, not moved, differs)
        at = np.flatnonzero(inside)
        left = running[:, at] - offset[node[at]].T + (before[node[at]].T if moved else 0.0)
        right = totals[node[at]].T - left
        if lightest > 0:
            heavy = (left.sum(axis=0) >= lightest) & (right.sum(axis=0) >= lightest)
            at, left, right = at[heavy], left[:, heavy], right[:, heavy]
        if len(at):
            yield left, right, node[at], place[at]


def contend(scores: Array, lane: Array, node: Array, best: Array, top: Array, width: Array) -> Array:
    """Raise ``best[lane]`` and ``top[node]`` to the scores of one feature; return which may be chosen, in order.

    See ``compiled.contend``; a few more may be returned.
    """
    first = np.flatnonzero(np.concatenate([[True], lane[1:] != lane[:-1]]))
    highest, lanes, nodes = np.maximum.reduceat(scores, first), lane[first], node[first]
    before = best[lanes]
    best[lanes] = np.maximum(before, highest)
    top[nodes] = np.maximum(top[nodes], highest)
    floor = np.maximum(top[nodes] - width[nodes], np.nextafter(before, np.inf))
    kept = np.flatnonzero(scores >= np.repeat(floor, np.diff(first, append=len(scores))))
    if len(kept) > 2 * len(first):  # many ties: only the first of each height can be chosen
        height = np.unique(scores[kept], return_inverse=True)[1] + node[kept] * len(kept)
        kept = kept[height > np.concatenate([[-1], np.maximum.accumulate(height)[:-1]])]
    return kept


def lift(scores: Array, node: Array, best: Array) -> None:
    """Raise ``best[node]`` to the largest score of each node."""
    np.maximum.at(best, node, scores)


def first_above(scores: Array, node: Array, place: Array, floor: Array, found: Array) -> None:
    """Set ``found[node]`` to the first place whose score reaches the node's floor, if it has none yet."""
    reached = np.flatnonzero(scores >= floor[node])[::-1]
    fresh = reached[found[node[reached]] < 0]
    found[node[fresh]] = place[fresh]


def count_left(
    orders: Array,
    starts: Array,
    known: Array,
    chosen: Array,
    places: Array,
    missing_left: Array,
    weights: Array,
    bits: int,
    side: Array,
    lefts: Array,
    sizes: Array,
) -> None:
    """Mark ``side[index] = 1`` for the samples of each node that go left; sum their class weights and their number."""
    owner, place = nodes_of(starts), np.arange(starts[-1])
    for f in np.unique(chosen[chosen >= 0]):
        here = np.flatnonzero(chosen[owner] == f)
        entries = orders[f, here].astype(np.int64)
        index, code, node = entries >> bits, entries & ((1 << bits) - 1), owner[here]
        unknown = place[here] >= starts[node] + known[f, node]
        goes = (place[here] <= places[node]) | (unknown & missing_left[node])
        side[index] = goes
        np.add.at(lefts, (node[goes], code[goes]), weights[index[goes]] if len(weights) else 1.0)
        np.add.at(sizes, node[goes], 1)


def partition(orders: Array, starts: Array, side: Array, dest: Array, step: Array, bits: int, out: Array) -> None:
    """Write each node's entries to its children's places, in order; a closed child has step 0 and a place to waste."""
    owner = nodes_of(starts)
    for f, order in enumerate(orders):
        entries = order[: starts[-1]]
        goes = side[entries.astype(np.int64) >> bits].astype(np.intp)
        running = np.cumsum(goes)
        lefts_before = np.concatenate([[0], running])[starts[:-1]][owner]
        rank_left = running - goes - lefts_before
        rank_right = np.arange(len(entries)) - starts[owner] - rank_left
        target = dest[owner, goes] + step[owner, goes] * np.where(goes == 1, rank_left, rank_right)
        kept = step[owner, goes] == 1
        out[f, target[kept]] = entries[kept]
