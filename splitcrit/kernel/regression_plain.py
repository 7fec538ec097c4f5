"""The loops of ``regression_compiled`` in numpy: what they do, and what serves where numba is absent.

The medians of all prefixes of all nodes are found together, one bit of their rank at a time: at each bit the samples are
grouped by the higher bits of their ranks, in the order of the feature, and running sums over a group tell how much weight
of a prefix lies in its lower half.

Main definitions: ``describe``, ``best``, ``renumber``, ``partition``, ``deviations``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.kernel.plain import first_above, lift, nodes_of

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
    """The arguments of ``best``, with numbers counted from 0 without gaps, and the scores of one column's thresholds."""

    def __init__(self, *data: Any) -> None:
        (self.orders, self.columns, rows, responses, heft, self.starts, bases, self.known, self.described,
         self.absolute, self.least, self.lightest, *_) = data  # fmt: skip
        self.owner = owner = nodes_of(self.starts)
        self.shift = (bases - self.starts[:-1])[owner]
        numbers = np.arange(len(owner)) + self.shift
        weight, mean, rest = self.described[:3, owner]
        self.rows, self.centred = rows[numbers], (responses[numbers] - mean) - rest
        self.heft = heft[numbers] if len(heft) else np.ones(len(owner))

    def moves(self, f: int, forced: Array | None) -> Iterator[tuple[bool, Array]]:
        """Yield where missing values of a column go, right then left, with the nodes this is tried in."""
        lost = self.known[f] < np.diff(self.starts)
        yield False, ~lost | (True if forced is None else ~forced)
        yield True, lost & (True if forced is None else forced)

    def scores(self, f: int, wanted: Array, move: bool, cuts: Array | None) -> tuple[Array, Array, Array]:
        """Return scores, node and place of the thresholds of one column, in the nodes wanted."""
        place = np.flatnonzero(wanted[self.owner])
        node = self.owner[place]
        sizes = np.diff(self.starts)
        starts = np.concatenate([[0], np.cumsum(sizes[wanted])])
        base, size = np.repeat(starts[:-1], np.diff(starts)), sizes[node]
        known, local = self.known[f, node], place - self.starts[node]
        extra = (size - known) * move
        turned = base + np.where(local < known, local + extra, local - known * move)  # missing first if they go left
        number = self.orders[f, place].astype(np.int64) - self.shift[place]
        entry = np.empty_like(number)
        entry[turned] = number
        weights = _running(self.heft[entry])
        heavy, total = weights[1:] - weights[base], self.described[0, node]
        score = (
            self._absolute(entry, starts, base, place) if self.absolute else self._squared(entry, heavy, base, total)
        )
        heavy, score = heavy[turned], score[turned]
        values = self.columns[f, self.rows[number]]
        ahead = np.append(values[1:], np.nan)
        if cuts is None:
            fits = np.where(local == known - 1, not move, values != ahead)
        else:
            fits = (values <= cuts[node]) & (cuts[node] < ahead) & (local < known - 1)
        on_left = local + 1 + extra
        fits &= (local < known) & (on_left >= self.least) & (size - on_left >= self.least)
        fits &= (heavy >= self.lightest) & (total - heavy >= self.lightest) & (total > heavy)
        return score[fits], node[fits], place[fits]

    def _squared(self, entry: Array, heavy: Array, base: Array, total: Array) -> Array:
        sums = _running(self.heft[entry] * self.centred[entry])
        left = sums[1:] - sums[base]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(left * left / (heavy * (total - heavy)))

    def _absolute(self, entry: Array, starts: Array, base: Array, place: Array) -> Array:
        data = (starts, self.centred[place], self.heft[place])
        node = self.owner[place]
        rank = entry - self.starts[:-1][node]
        back = base + np.repeat(starts[1:], np.diff(starts)) - 1 - np.arange(len(rank))
        lefts, rights = deviations(rank, *data), deviations(rank[back], *data)[back]
        behind = np.where(np.append(base[1:] == base[:-1], False), np.append(rights[1:], 0.0), 0.0)
        weight, spread = self.described[0, node], self.described[5, node]
        return np.asarray((weight * spread - lefts - behind) / weight)


def best(*data: Any) -> None:
    """Find each node's best score, and by the tie rule its feature (-1: none), place, and where missing values go."""
    tie, ranks, cuts, lost, side, feature, place, goes, top = data[12:]
    level = _Level(*data)
    d, m = len(level.orders), len(level.starts) - 1
    drawn, found = np.broadcast_to(ranks, (m, d)), np.full((d, m), -np.inf)
    allowed = [(cuts[:, f], lost[:, f]) if len(cuts) else (None, None) for f in range(d)]
    for f in range(d):
        for move, tried in level.moves(f, allowed[f][1]):
            wanted = tried & (drawn[:, f] >= 0)
            if wanted.any():
                scores, node, _ = level.scores(f, wanted, move, allowed[f][0])
                lift(scores, node, found[f])
    top[:] = found.max(axis=0)
    floor = top - tie * level.described[5 if level.absolute else 3]
    reached = (found >= floor) & np.isfinite(found)
    feature[:] = np.where(reached.any(axis=0), np.where(reached, drawn.T, d).argmin(axis=0), -1)
    place[:], goes[:] = -1, False
    for f in np.unique(feature[feature >= 0]):
        for move, tried in level.moves(int(f), allowed[f][1]):
            wanted = tried & (feature == f) & (place < 0)
            if wanted.any():
                first_above(*level.scores(int(f), wanted, move, allowed[f][0]), floor, place)
                goes[wanted & (place >= 0)] = move
    _mark(level, feature, place, goes, side)


def _mark(level: _Level, feature: Array, place: Array, goes: Array, side: Array) -> None:
    """Set ``side[number]`` to 1 for the samples that go left."""
    places = np.flatnonzero(feature[level.owner] >= 0)
    node = level.owner[places]
    missing = places >= level.starts[node] + level.known[feature[node], node]
    side[level.orders[feature[node], places]] = (places <= place[node]) | (missing & goes[node])


def renumber(
    bases: Array,
    sizes: Array,
    side: Array,
    dest: Array,
    given: tuple[Array, ...],
    out: tuple[Array, ...],
    target: Array,
) -> None:
    """Move each split node's samples to ``dest[j]``: those of side 0, then of side 1, to two places, in order."""
    split = np.flatnonzero(dest[:, 0] >= 0)
    starts = np.concatenate([[0], np.cumsum(sizes[split])])
    owner = nodes_of(starts)
    number = np.arange(starts[-1]) + (bases[split] - starts[:-1])[owner]
    s = side[number].astype(np.int64)
    lefts = np.concatenate([[0], np.cumsum(s)])
    before = lefts[:-1] - lefts[starts[:-1]][owner]
    to = dest[split][owner, s] + np.where(s == 1, before, np.arange(len(s)) - starts[:-1][owner] - before)
    for old, new in zip(given, out, strict=True):
        if len(old):
            new[to] = old[number]
    target[number] = 2 * to + s


def partition(orders: Array, starts: Array, target: Array, dest: Array, step: Array, out: Array) -> None:
    """Write the new numbers of each node to its children's places, in order; a closed child has step 0."""
    owner = nodes_of(starts)
    for f, order in enumerate(orders):
        split = np.flatnonzero(step.any(axis=1)[owner])
        to, node = target[order[split]].astype(np.int64), owner[split]
        for s in (0, 1):
            here = (to & 1 == s) & (step[node, s] == 1)
            sizes = np.bincount(node[here], minlength=len(starts) - 1)
            first = np.cumsum(sizes) - sizes
            out[f, dest[node[here], s] + np.arange(here.sum()) - first[node[here]]] = to[here] >> 1
