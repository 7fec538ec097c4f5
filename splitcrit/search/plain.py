"""The loops of ``compiled`` in numpy: what they do, and what serves where numba is absent.

Main definitions: ``sort_columns``, ``blocks`` (what ``fill`` does), ``contend``, ``count_left``, ``partition``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.search.records import Column, Cuts, Fronts, Orders, Thresholds

Array = NDArray[Any]
CHUNK = 1 << 16  # class weights a side looked at together


def sort_columns(keys: Array, codes: Array, bits: int, out: Array) -> None:
    """Fill ``out[f]`` with packed entries in the order of each column's keys; equal keys keep their row order."""
    for f, column in enumerate(keys):
        order = np.argsort(column, kind="stable")
        out[f] = (order << bits) | codes[order]


def nodes_of(starts: Array) -> Array:
    """Return the node of every entry."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def blocks(column: Column, nodes: Fronts) -> Iterator[Thresholds]:
    """Yield the thresholds of one column, chunk by chunk; see ``compiled.fill``."""
    starts, bits, classes = nodes.starts, column.bits, nodes.totals.shape[1]
    whole, (fresh, jumps) = np.ascontiguousarray(nodes.totals.T), _jumps(nodes)
    place, owner = _allowed(nodes)
    carry, chunk = np.zeros(classes), max(CHUNK // classes, 1 << 11)
    order = column.order[: starts[-1]]
    for first in range(0, len(order), chunk):
        last = min(first + chunk, len(order))
        entries = order[first : last + 1].astype(np.intp)
        index, here = entries >> bits, slice(*np.searchsorted(place, (first, last)))
        at, node = place[here], owner[here]
        value = column.values[index]
        if len(at) and (same := value[1:] == value[:-1]).any():
            different = ~same[at - first]
            at, node = at[different], node[different]
        weight = column.weights[index[: last - first]] if len(column.weights) else None
        code, begun = entries[: last - first] & ((1 << bits) - 1), slice(*np.searchsorted(fresh, (first, last)))
        running = np.equal(code, np.arange(classes)[:, None], out=np.empty((classes, len(code))))
        if weight is not None:
            running *= weight
        running[:, fresh[begun] - first] += jumps[:, begun]
        running[:, 0] += carry
        np.cumsum(running, axis=1, out=running)
        carry, left = running[:, -1].copy(), running.take(at - first, axis=1)
        right = whole.take(node, axis=1)
        right -= left
        found = _heavy(Thresholds(left, right, node, node, at), nodes.lightest)
        if len(found.place):
            yield found


def _jumps(nodes: Fronts) -> tuple[Array, Array]:
    """Return where nodes that are not empty start, and by what the running class weights ``(K, m)`` jump there.

    They jump back to 0, or to the weights of the samples without a value, where these are on the left.
    """
    held = np.flatnonzero(np.diff(nodes.starts))
    jumps = nodes.before[held] if len(nodes.before) else np.zeros((len(held), nodes.totals.shape[1]))
    jumps[1:] -= jumps[:-1] + nodes.totals[held[:-1]]
    return nodes.starts[held], jumps.T


def _allowed(nodes: Fronts) -> tuple[Array, Array]:
    """Return the places, and their nodes, that leave enough samples on both sides and are alive."""
    starts, moved = nodes.starts, len(nodes.before) > 0
    sizes = np.diff(starts)
    extra = (sizes - nodes.known) * moved
    low = starts[:-1] + np.maximum(nodes.least - 1 - extra, 0)
    high = starts[:-1] + np.minimum(nodes.known - moved, sizes - nodes.least - extra)
    lengths = np.maximum(high - low, 0) * nodes.wanted
    place, owner = ranges(low, lengths), np.repeat(np.arange(len(sizes)), lengths)
    if len(nodes.alive):
        place, owner = place[nodes.alive[place]], owner[nodes.alive[place]]
    return place, owner


def _heavy(found: Thresholds, lightest: float) -> Thresholds:
    """Return the thresholds whose sides are heavy enough."""
    if lightest <= 0:
        return found
    heavy = (found.left.sum(axis=0) >= lightest) & (found.right.sum(axis=0) >= lightest)
    return Thresholds(found.left[:, heavy], found.right[:, heavy], *(a[heavy] for a in found[2:]))


def ranges(low: Array, lengths: Array) -> Array:
    """Return ``low[j], low[j] + 1, ...``, ``lengths[j]`` of them, for every ``j``."""
    return np.asarray(np.arange(lengths.sum()) + np.repeat(low - (np.cumsum(lengths) - lengths), lengths))


def contend(scores: Array, pair: Array, node: Array, best: Array, top: Array, width: Array) -> Array:
    """Raise ``best[pair]`` and ``top[node]`` to the scores of one feature; return which may be chosen, in order.

    See ``compiled.contend``; a few more may be returned.
    """
    first = np.flatnonzero(np.concatenate([[True], pair[1:] != pair[:-1]]))
    highest, pairs, nodes = np.maximum.reduceat(scores, first), pair[first], node[first]
    before = best[pairs]
    best[pairs] = np.maximum(before, highest)
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


def count_left(orders: Orders, weights: Array, cuts: Cuts, side: Array, lefts: Array, sizes: Array) -> None:
    """Mark ``side[index] = 1`` for the samples of each node that go left; sum their class weights and their number."""
    chosen, starts, bits = cuts.feature, cuts.starts, orders.bits
    owner, place = nodes_of(starts), np.arange(starts[-1])
    for f in np.unique(chosen[chosen >= 0]):
        here = np.flatnonzero(chosen[owner] == f)
        entries = orders.orders[f, here].astype(np.int64)
        index, code, node = entries >> bits, entries & ((1 << bits) - 1), owner[here]
        unknown = place[here] >= starts[node] + cuts.known[f, node]
        goes = (place[here] <= cuts.place[node]) | (unknown & cuts.missing_left[node])
        side[index] = goes
        np.add.at(lefts, (node[goes], code[goes]), weights[index[goes]] if len(weights) else 1.0)
        np.add.at(sizes, node[goes], 1)


def partition(orders: Array, starts: Array, side: Array, dest: Array, step: Array, bits: int, out: Array) -> None:
    """Write each node's entries to its children's places, in order; a closed child has step 0 and a place to waste."""
    owner, index = nodes_of(starts), orders[0, : starts[-1]].astype(np.intp) >> bits
    child = 2 * owner + side[index]
    sizes = np.bincount(child, minlength=2 * len(dest)).reshape(-1, 2) * step
    where = np.full(len(side), 2, np.uint8)  # 0 or 1 where the child is open
    where[index] = np.where(step.reshape(-1)[child] == 1, side[index], 2)
    places = [ranges(dest[:, s], sizes[:, s]) for s in (0, 1)]
    for order, target in zip(orders, out, strict=True):
        entries = order[: starts[-1]]
        goes = where[entries.astype(np.intp) >> bits]
        for s in (0, 1):
            target[places[s]] = entries[goes == s]
