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
from splitcrit.search.regression_records import Chosen, Limited, Ordered, Samples, Tried

Array = NDArray[Any]


def _running(values: Array) -> Array:
    """Return the sums of the first 0, 1, ... values."""
    return np.concatenate([[0.0], np.cumsum(values, dtype=float)])


def describe(samples: Samples, starts: Array, out: Array) -> None:
    """Set weight, mean (two parts), variance, median and mean deviation about it, ``(6, m)``, of each node."""
    weight, mean, rest, variance, median, deviation = out
    owner, at, y = nodes_of(starts), starts[:-1], samples.responses[: starts[-1]]
    w = samples.weights[: len(y)] if len(samples.weights) else np.ones(len(y))
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


def deviations(rank: Array, starts: Array, centred: Array, weights: Array) -> Array:
    """Return, for each entry, the sum of deviations from their median of the node's entries up to it.

    Parameters
    ----------
    rank : int array (e,)
        The rank, from 0, of an entry's response in its node.
    starts : int array (m + 1,)
    centred, weights : array (e,)
        By node and rank: responses with mean 0 in each node, and weights.
    """
    owner = nodes_of(starts)
    base, last = starts[:-1][owner], np.diff(starts)[owner] - 1
    place, count = np.arange(len(rank)), len(rank)
    running, sums = _running(weights[base + rank]), _running((weights * centred)[base + rank])
    weight, total = running[1:] - running[base], sums[1:] - sums[base]
    below, lower, at, inside = np.zeros(count), np.zeros(count), np.zeros(count, np.int64), place - base + 1
    for bit in range(int(last.max()).bit_length() - 1, -1, -1):
        low = (rank >> bit) & 1 == 0
        lows = np.concatenate([[0], np.cumsum(low)])
        group = base + ((rank >> (bit + 1)) << (bit + 1))
        ahead = lows[:-1] - lows[group]
        target = np.where(low, group + ahead, place + (1 << bit) - ahead)
        rank = rank[np.argsort(target)]
        running, sums = _running(weights[base + rank]), _running((weights * centred)[base + rank])
        here = np.minimum(base + at, count)
        lowest = lows[np.minimum(here + inside, count)] - lows[here]
        w, s = running[here + lowest] - running[here], sums[here + lowest] - sums[here]
        up = below + w <= weight / 2
        below, lower = below + np.where(up, w, 0.0), lower + np.where(up, s, 0.0)
        at, inside = at + np.where(up, 1 << bit, 0), np.where(up, inside - lowest, lowest)
    median = centred[base + np.minimum(at, last)]
    return np.asarray(median * (2 * below - weight) + total - 2 * lower)


class _Level:
    """The arguments of ``best``, and the scores of the thresholds of one column."""

    def __init__(self, front: Ordered, samples: Samples, described: Array, tried: Tried, rule: Limited) -> None:
        self.front, self.samples, self.tried, self.rule = front, samples, tried, rule
        self.sizes, self.owner = np.diff(front.starts), nodes_of(front.starts)
        self.weight, mean, rest, _, _, self.spread = described
        self.of = self._absolute if rule.absolute else self._squared
        number = np.arange(len(self.owner)) + (front.bases - front.starts[:-1])[self.owner]
        self.centred = np.empty(len(samples.responses))
        self.centred[number] = (samples.responses[number] - mean[self.owner]) - rest[self.owner]

    def number(self, feature: Any, place: Array) -> Array:
        """Return the sample at a place of a feature's order."""
        return np.asarray(self.front.orders[feature, place].astype(np.int64) >> 1)

    def moves(self, f: int) -> Iterator[tuple[bool, Array]]:
        """Yield where missing values of a column go, right then left, with the nodes this is tried in."""
        lost = self.front.known[f] < self.sizes
        yield False, ~lost | (~self.tried.lost[:, f] if len(self.tried.cuts) else True)
        yield True, lost & (self.tried.lost[:, f] if len(self.tried.cuts) else True)

    def scores(self, f: int, wanted: Array, move: bool) -> tuple[Array, Array, Array]:
        """Return scores, node and place of the thresholds of one column, in the nodes wanted."""
        place = np.flatnonzero(wanted[self.owner])
        node, local = self.owner[place], place - self.front.starts[self.owner[place]]
        starts = np.concatenate([[0], np.cumsum(self.sizes[wanted])])
        base, size, known = np.arange(len(place)) - local, self.sizes[node], self.front.known[f, node]
        extra = (size - known) * move
        turned = base + np.where(local < known, local + extra, local - known * move)  # missing first if they go left
        number, entry = self.number(f, place), np.empty(len(place), np.int64)
        entry[turned] = number
        weights = _running(self._weights(entry))
        heavy, total = weights[1:] - weights[base], self.weight[node]
        score, heavy = self.of(entry, heavy, starts, base, node)[turned], heavy[turned]
        fits = np.append(self.front.orders[f, place[1:]] & 1 == 0, False) & (local < known)
        if len(self.tried.cuts):
            fits &= place == self.tried.cuts[node, f]
        on_left = local + 1 + extra
        fits &= (on_left >= self.rule.least) & (size - on_left >= self.rule.least) & (total > heavy)
        fits &= (heavy >= self.rule.lightest) & (total - heavy >= self.rule.lightest)
        return score[fits], node[fits], place[fits]

    def _weights(self, number: Array) -> Array:
        return np.asarray(self.samples.weights[number] if len(self.samples.weights) else np.ones(len(number)))

    def _squared(self, entry: Array, heavy: Array, starts: Array, base: Array, node: Array) -> Array:
        sums = _running(self._weights(entry) * self.centred[entry])
        left = sums[1:] - sums[base]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(left * left / (heavy * (self.weight[node] - heavy)))

    def _absolute(self, entry: Array, heavy: Array, starts: Array, base: Array, node: Array) -> Array:
        place = np.arange(len(entry))
        number = self.front.bases[node] + place - base
        data = (starts, self.centred[number], self._weights(number))
        rank, back = entry - self.front.bases[node], base + np.repeat(starts[1:], np.diff(starts)) - 1 - place
        lefts, rights = deviations(rank, *data), deviations(rank[back], *data)[back]
        behind = np.where(np.append(base[1:] == base[:-1], False), np.append(rights[1:], 0.0), 0.0)
        return np.asarray((self.weight[node] * self.spread[node] - lefts - behind) / self.weight[node])


def best(
    front: Ordered, samples: Samples, described: Array, tried: Tried, rule: Limited, side: Array, out: Chosen
) -> None:  # fmt: skip
    """Find each node's best score, and by the tie rule the split; mark the samples that go left."""
    level, feature = _Level(front, samples, described, tried, rule), out.feature
    d, m = len(front.orders), len(front.bases)
    ranks, found = np.broadcast_to(tried.ranks, (m, d)), np.full((d, m), -np.inf)
    for f in range(d):
        for move, nodes in level.moves(f):
            if (wanted := nodes & (ranks[:, f] >= 0)).any():
                scores, node, _ = level.scores(f, wanted, move)
                lift(scores, node, found[f])
    out.score[:] = found.max(axis=0)
    floor = out.score - rule.tie
    reached = (found >= floor) & np.isfinite(found)
    feature[:] = np.where(reached.any(axis=0), np.where(reached, ranks.T, d).argmin(axis=0), -1)
    place, out.missing_left[:] = np.full(m, -1), False
    for f in np.unique(feature[feature >= 0]):
        for move, nodes in level.moves(int(f)):
            if (wanted := nodes & (feature == f) & (place < 0)).any():
                first_above(*level.scores(int(f), wanted, move), floor, place)
                out.missing_left[wanted & (place >= 0)] = move
    _carry_out(level, place, side, out)


def _carry_out(level: _Level, place: Array, side: Array, out: Chosen) -> None:
    """Write the sides of the samples, how many go left, and the rows on both sides of the threshold."""
    feature, starts, known, goes = out.feature, level.front.starts, level.front.known, out.missing_left
    places = np.flatnonzero(feature[level.owner] >= 0)
    node = level.owner[places]
    missing = places >= starts[node] + known[feature[node], node]
    side[level.number(feature[node], places)] = left = (places <= place[node]) | (missing & goes[node])
    out.left_sizes[:] = np.bincount(node, left, len(feature))
    split = np.flatnonzero(feature >= 0)
    f, at, last = feature[split], place[split], starts[split] + known[feature[split], split] - 1
    out.below[split] = level.samples.rows[level.number(f, at)]
    out.above[split] = level.samples.rows[level.number(f, np.minimum(at + 1, last))]
    out.above[split[at == last]] = -1
    whole = split[last == starts[split + 1] - 1]
    goes[whole] = 2 * out.left_sizes[whole] > level.sizes[whole]


def renumber(
    front: Ordered, pays: Array, side: Array, given: Samples, out: Samples, target: Array, starts: Array
) -> None:  # fmt: skip
    """Move the samples of each node that ``pays`` to its children's places, left first, in order."""
    child = nodes_of(starts) // 2
    number = np.arange(starts[-1]) + (front.bases[pays] - starts[:-1:2])[child]
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
