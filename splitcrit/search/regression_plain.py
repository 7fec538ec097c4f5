"""The loops of ``regression_compiled`` in numpy: what they do, and what serves where numba is absent.

The medians of all prefixes of all nodes are found together, one bit of their rank at a time: at each bit the samples
are grouped by the higher bits of their ranks, in the order of the feature, and running sums over a group tell how much
weight of a prefix lies in its lower half.

Main definitions: ``describe``, ``best``, ``renumber``, ``partition``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.search.plain import first_above, lift, nodes_of

Array = NDArray[Any]


def _running(values: Array) -> Array:
    """Return the sums of the first 0, 1, ... values."""
    return np.concatenate([[0.0], np.cumsum(values, dtype=float)])


def describe(
    responses: Array, heft: Array, starts: Array,
    weight: Array, mean: Array, rest: Array, variance: Array, median: Array, deviation: Array,
) -> None:  # fmt: skip
    """Set each node's weight, mean (``mean + rest``), variance, median and mean deviation about it."""
    owner, at, y = nodes_of(starts), starts[:-1], responses[: starts[-1]]
    w = heft[: len(y)] if len(heft) else np.ones(len(y))
    weight[:] = np.add.reduceat(w, at)
    anchor = y[(starts[:-1] + starts[1:]) // 2]
    mean[:] = anchor + np.add.reduceat(w * (y - anchor[owner]), at) / weight
    z = y - mean[owner]
    rest[:] = np.add.reduceat(w * z, at) / weight
    variance[:] = np.maximum(np.add.reduceat(w * z * z, at) / weight - rest * rest, 0.0)
    running = _running(w)
    run, half, places = running[1:] - running[at][owner], weight[owner] / 2, np.arange(len(y))
    upper = np.minimum.reduceat(np.where(run > half, places, starts[1:][owner] - 1), at)
    lower = np.minimum.reduceat(np.where(run == half, places, upper[owner]), at)
    low, high = y[lower], y[upper]
    median[:] = np.where(low == high, high, low / 2 + high / 2)
    deviation[:] = np.add.reduceat(w * np.abs(y - median[owner]), at) / weight


def deviations(rank: Array, starts: Array, centred: Array, heft: Array) -> Array:
    """Return, for each entry, the sum of deviations from their median of the node's entries up to it.

    Parameters
    ----------
    rank : int array (e,)
        The rank, from 0, of an entry's response in its node.
    starts : int array (m + 1,)
    centred, heft : array (e,)
        By node and rank: responses with mean 0 in each node, and weights.
    """
    owner = nodes_of(starts)
    base, last = starts[:-1][owner], np.diff(starts)[owner] - 1
    place, count = np.arange(len(rank)), len(rank)
    weights, sums = _running(heft[base + rank]), _running((heft * centred)[base + rank])
    weight, total = weights[1:] - weights[base], sums[1:] - sums[base]
    below, lower, at, inside = np.zeros(count), np.zeros(count), np.zeros(count, np.int64), place - base + 1
    for bit in range(int(last.max()).bit_length() - 1, -1, -1):
        low = (rank >> bit) & 1 == 0
        lows = np.concatenate([[0], np.cumsum(low)])
        group = base + ((rank >> (bit + 1)) << (bit + 1))
        ahead = lows[:-1] - lows[group]
        target = np.where(low, group + ahead, place + (1 << bit) - ahead)
        rank = rank[np.argsort(target)]
        weights, sums = _running(heft[base + rank]), _running((heft * centred)[base + rank])
        here = np.minimum(base + at, count)
        lowest = lows[np.minimum(here + inside, count)] - lows[here]
        w, s = weights[here + lowest] - weights[here], sums[here + lowest] - sums[here]
        up = below + w <= weight / 2
        below, lower = below + np.where(up, w, 0.0), lower + np.where(up, s, 0.0)
        at, inside = at + np.where(up, 1 << bit, 0), np.where(up, inside - lowest, lowest)
    median = centred[base + np.minimum(at, last)]
    return np.asarray(median * (2 * below - weight) + total - 2 * lower)


class _Level:
    """The arguments of ``best``, and the scores of the thresholds of one column."""

    def __init__(self, *data: Any) -> None:
        (ranked, _, self.orders, self.starts, self.bases, self.known, self.rows, responses, self.heft, described,
         self.least, self.lightest, _, self.cuts, self.lost) = data  # fmt: skip
        self.sizes, self.owner = np.diff(self.starts), nodes_of(self.starts)
        self.weight, mean, rest, _, _, self.spread = described
        self.of = self._absolute if ranked else self._squared
        number = np.arange(len(self.owner)) + (self.bases - self.starts[:-1])[self.owner]
        self.centred = np.empty(len(responses))
        self.centred[number] = (responses[number] - mean[self.owner]) - rest[self.owner]

    def number(self, feature: Any, place: Array) -> Array:
        """Return the sample at a place of a feature's order."""
        return np.asarray(self.orders[feature, place].astype(np.int64) >> 1)

    def moves(self, f: int) -> Iterator[tuple[bool, Array]]:
        """Yield where missing values of a column go, right then left, with the nodes this is tried in."""
        lost = self.known[f] < self.sizes
        yield False, ~lost | (~self.lost[:, f] if len(self.cuts) else True)
        yield True, lost & (self.lost[:, f] if len(self.cuts) else True)

    def scores(self, f: int, wanted: Array, move: bool) -> tuple[Array, Array, Array]:
        """Return scores, node and place of the thresholds of one column, in the nodes wanted."""
        place = np.flatnonzero(wanted[self.owner])
        node, local = self.owner[place], place - self.starts[self.owner[place]]
        starts = np.concatenate([[0], np.cumsum(self.sizes[wanted])])
        base, size, known = np.arange(len(place)) - local, self.sizes[node], self.known[f, node]
        extra = (size - known) * move
        turned = base + np.where(local < known, local + extra, local - known * move)  # missing first if they go left
        number, entry = self.number(f, place), np.empty(len(place), np.int64)
        entry[turned] = number
        weights = _running(self._heft(entry))
        heavy, total = weights[1:] - weights[base], self.weight[node]
        score, heavy = self.of(entry, heavy, starts, base, node)[turned], heavy[turned]
        fits = np.append(self.orders[f, place[1:]] & 1 == 0, False) & (local < known)
        if len(self.cuts):
            fits &= place == self.cuts[node, f]
        on_left = local + 1 + extra
        fits &= (on_left >= self.least) & (size - on_left >= self.least) & (total > heavy)
        fits &= (heavy >= self.lightest) & (total - heavy >= self.lightest)
        return score[fits], node[fits], place[fits]

    def _heft(self, number: Array) -> Array:
        return np.asarray(self.heft[number] if len(self.heft) else np.ones(len(number)))

    def _squared(self, entry: Array, heavy: Array, starts: Array, base: Array, node: Array) -> Array:
        sums = _running(self._heft(entry) * self.centred[entry])
        left = sums[1:] - sums[base]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(left * left / (heavy * (self.weight[node] - heavy)))

    def _absolute(self, entry: Array, heavy: Array, starts: Array, base: Array, node: Array) -> Array:
        place = np.arange(len(entry))
        number = self.bases[node] + place - base
        data = (starts, self.centred[number], self._heft(number))
        rank, back = entry - self.bases[node], base + np.repeat(starts[1:], np.diff(starts)) - 1 - place
        lefts, rights = deviations(rank, *data), deviations(rank[back], *data)[back]
        behind = np.where(np.append(base[1:] == base[:-1], False), np.append(rights[1:], 0.0), 0.0)
        return np.asarray((self.weight[node] * self.spread[node] - lefts - behind) / self.weight[node])


def best(*data: Any) -> None:
    """Find each node's best score, and by the tie rule its feature (-1: none), and where missing values go."""
    *given, side, feature, goes, top, left_sizes, below, above = data
    level, tie = _Level(*given), given[1]
    d, m = len(level.orders), len(level.bases)
    ranks, found = np.broadcast_to(given[12], (m, d)), np.full((d, m), -np.inf)
    for f in range(d):
        for move, tried in level.moves(f):
            if (wanted := tried & (ranks[:, f] >= 0)).any():
                scores, node, _ = level.scores(f, wanted, move)
                lift(scores, node, found[f])
    top[:] = found.max(axis=0)
    reached = (found >= top - tie) & np.isfinite(found)
    feature[:] = np.where(reached.any(axis=0), np.where(reached, ranks.T, d).argmin(axis=0), -1)
    place, goes[:] = np.full(m, -1), False
    for f in np.unique(feature[feature >= 0]):
        for move, tried in level.moves(int(f)):
            if (wanted := tried & (feature == f) & (place < 0)).any():
                first_above(*level.scores(int(f), wanted, move), top - tie, place)
                goes[wanted & (place >= 0)] = move
    _carry_out(level, feature, place, goes, side, left_sizes, below, above)


def _carry_out(
    level: _Level, feature: Array, place: Array, goes: Array, side: Array, left_sizes: Array, below: Array, above: Array
) -> None:
    """Write the sides of the samples, how many go left, and the rows on both sides of the threshold."""
    places = np.flatnonzero(feature[level.owner] >= 0)
    node = level.owner[places]
    missing = places >= level.starts[node] + level.known[feature[node], node]
    side[level.number(feature[node], places)] = left = (places <= place[node]) | (missing & goes[node])
    left_sizes[:] = np.bincount(node, left, len(feature))
    split = np.flatnonzero(feature >= 0)
    f, at, last = feature[split], place[split], level.starts[split] + level.known[feature[split], split] - 1
    below[split] = level.rows[level.number(f, at)]
    above[split] = level.rows[level.number(f, np.minimum(at + 1, last))]
    above[split[at == last]] = -1
    whole = split[last == level.starts[split + 1] - 1]
    goes[whole] = 2 * left_sizes[whole] > level.sizes[whole]


def renumber(
    bases: Array, sizes: Array, pays: Array, side: Array, given: tuple[Array, ...], out: tuple[Array, ...],
    target: Array, starts: Array,
) -> None:  # fmt: skip
    """Move the samples of each node that ``pays`` to its children's places, left first, in order."""
    child = nodes_of(starts) // 2
    number = np.arange(starts[-1]) + (bases[pays] - starts[:-1:2])[child]
    s = side[number].astype(np.int64)
    to = np.empty(len(s), np.int64)
    to[np.argsort(2 * child + 1 - s, kind="stable")] = np.arange(len(s))
    for old, new in zip(given, out, strict=True):
        if len(old):
            new[to] = old[number]
    target[number] = 2 * to + s


def partition(
    orders: Array, starts: Array, pays: Array, target: Array, sizes: Array, opened: Array, out: Array
) -> None:
    """Write the entries of each node that ``pays`` to its children's places, left first, in order."""
    kept = np.flatnonzero(pays[nodes_of(starts)])
    owner = np.repeat(np.arange(pays.sum()), np.diff(starts)[pays])
    for f, order in enumerate(orders):
        to = target[order[kept] >> order.dtype.type(1)]
        child = 2 * owner + 1 - (to & 1)
        moved = np.argsort(child, kind="stable")
        moved = moved[opened[child[moved]]]
        key = child[moved] * (len(kept) + 1) + np.cumsum(order[kept] & 1 == 0)[moved]
        same = np.diff(key, prepend=-1) == 0
        out[f, : len(moved)] = (to[moved] & ~to.dtype.type(1)) | same
