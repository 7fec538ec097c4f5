"""The loops of ``regression_compiled`` in numpy: what they do, and what serves where numba is absent.

The medians of all prefixes of all nodes are found together, one bit of their rank at a time: at each bit the samples are
grouped by the higher bits of their ranks, in the order of the feature, and running sums over a group tell how much weight
of a prefix lies in its lower half.

Main definitions: ``describe``, ``centre``, ``scan``, ``first``, ``deviations``.
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
    order: Array, bits: int, starts: Array, responses: Array, weights: Array,
    weight: Array, mean: Array, rest: Array, variance: Array, median: Array, deviation: Array,
) -> None:  # fmt: skip
    """Set each node's weight, mean (``mean + rest``), variance, median and mean deviation about it."""
    index, owner = order[: starts[-1]].astype(np.int64) >> bits, nodes_of(starts)
    y, w = responses[index], weights[index] if len(weights) else np.ones(len(index))
    weight[:] = np.add.reduceat(w, starts[:-1])
    anchor = y[(starts[:-1] + starts[1:]) // 2]
    mean[:] = anchor + np.add.reduceat(w * (y - anchor[owner]), starts[:-1]) / weight
    z = y - mean[owner]
    rest[:] = np.add.reduceat(w * z, starts[:-1]) / weight
    variance[:] = np.maximum(np.add.reduceat(w * z * z, starts[:-1]) / weight - rest * rest, 0.0)
    running = _running(w)
    run, half = running[1:] - running[starts[:-1]][owner], weight[owner] / 2
    places = np.arange(len(y))
    upper = np.minimum.reduceat(np.where(run > half, places, starts[1:][owner] - 1), starts[:-1])
    lower = np.minimum.reduceat(np.where(run == half, places, upper[owner]), starts[:-1])
    low, high = y[lower], y[upper]
    median[:] = np.where(low == high, high, low / 2 + high / 2)
    deviation[:] = np.add.reduceat(w * np.abs(y - median[owner]), starts[:-1]) / weight


def centre(
    order: Array, bits: int, starts: Array, responses: Array, weights: Array, mean: Array, rest: Array,
    ranked: bool, centred: Array, heft: Array, rank: Array,
) -> None:  # fmt: skip
    """Write responses less their node's mean, by sample or, where ``ranked``, by place, with places and weights."""
    index, owner = order[: starts[-1]].astype(np.int64) >> bits, nodes_of(starts)
    z = (responses[index] - mean[owner]) - rest[owner]
    if not ranked:
        centred[index] = z
        return
    centred[: len(z)] = z
    rank[index] = np.arange(len(z))
    if len(weights):
        heft[: len(z)] = weights[index]


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
        sorted_rank = np.empty_like(rank)
        sorted_rank[target] = rank
        weights, sums = _running(heft[base + sorted_rank]), _running((heft * centred)[base + sorted_rank])
        here = np.minimum(base + at, count)
        lowest = lows[np.minimum(here + inside, count)] - lows[here]
        w, s = weights[here + lowest] - weights[here], sums[here + lowest] - sums[here]
        up = below + w <= weight / 2
        below, lower = below + np.where(up, w, 0.0), lower + np.where(up, s, 0.0)
        at, inside = at + np.where(up, 1 << bit, 0), np.where(up, inside - lowest, lowest)
        rank = sorted_rank
    median = centred[base + np.minimum(at, last)]
    return np.asarray(median * (2 * below - weight) + total - 2 * lower)


class _Data:
    """The arguments of ``scan``, and the scores of the thresholds of one column."""

    def __init__(self, *data: Any) -> None:
        (self.orders, self.columns, self.starts, self.known, self.centred, self.heft, self.rank, self.weights,
         self.total, self.spread, self.bits, self.least, self.lightest, self.ranked) = data  # fmt: skip
        self.owner = nodes_of(self.starts)

    def moves(self, f: int) -> Iterator[tuple[bool, Array]]:
        """Yield where missing values go, right then left, with the nodes this makes a difference for."""
        lost = self.known[f] < np.diff(self.starts)
        yield False, np.ones(len(lost), dtype=bool)
        if lost.any():
            yield True, lost

    def scores(self, f: int, wanted: Array, move: bool) -> tuple[Array, Array, Array]:
        """Return scores, node and place of the thresholds of one column, in the nodes wanted."""
        place = np.flatnonzero(wanted[self.owner])
        node = self.owner[place]
        starts = np.concatenate([[0], np.cumsum(np.diff(self.starts)[wanted])])
        base, size = np.repeat(starts[:-1], np.diff(starts)), np.diff(self.starts)[node]
        known, local = self.known[f, node], place - self.starts[node]
        extra = (size - known) * move
        turned = np.empty_like(place)
        turned[base + np.where(local < known, local + extra, local - known * move)] = np.arange(len(place))
        index = self.orders[f, place].astype(np.int64) >> self.bits
        weight = self.weights[index] if len(self.weights) else np.ones(len(index))
        running = _running(weight[turned])
        heavy = (running[1:] - running[base])[np.argsort(turned)]
        if self.ranked:
            found = self._absolute(index[turned], starts, base, place, node[turned])
        else:
            found = self._squared(index[turned], (weight[turned], running[1:] - running[base]), base, node)
        score = found[np.argsort(turned)]
        values = self.columns[f, index]
        differs = np.append(values[:-1] != values[1:], True)
        differs[local == known - 1] = not move
        on_left, rest = local + 1 + extra, self.total[node] - heavy
        usable = differs & (local < known) & (on_left >= self.least) & (size - on_left >= self.least)
        usable &= (heavy >= self.lightest) & (rest >= self.lightest) & (rest > 0)
        return score[usable], node[usable], place[usable]

    def _squared(self, index: Array, weight: tuple[Array, Array], base: Array, node: Array) -> Array:
        sums = _running(weight[0] * self.centred[index])
        left = sums[1:] - sums[base]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(left * left / (weight[1] * (self.total[node] - weight[1])))

    def _absolute(self, index: Array, starts: Array, base: Array, place: Array, node: Array) -> Array:
        centred = self.centred[place]
        heft = self.heft[place] if len(self.heft) else np.ones(len(place))
        rank = self.rank[index] - self.starts[node]
        back = base + np.repeat(starts[1:], np.diff(starts)) - 1 - np.arange(len(rank))
        lefts = deviations(rank, starts, centred, heft)
        rights = deviations(rank[back], starts, centred, heft)[back]
        behind = np.where(np.append(base[1:] == base[:-1], False), np.append(rights[1:], 0.0), 0.0)
        return np.asarray((self.spread[node] - lefts - behind) / self.total[node])


def scan(*data: Any) -> None:
    """Set ``best[f, j]`` to the best score of a threshold on column ``f`` in node ``j``; -inf if there is none."""
    *given, drawn, best = data
    level = _Data(*given)
    best[:] = -np.inf
    for f in range(len(best)):
        for move, wanted in level.moves(f):
            wanted = wanted & drawn[:, f]
            if wanted.any():
                scores, node, _ = level.scores(f, wanted, move)
                lift(scores, node, best[f])


def first(*data: Any) -> None:
    """Set ``found[j]`` to the first place on column ``chosen[j]`` whose score reaches ``floor[j]``."""
    *given, chosen, floor, found, goes = data
    level = _Data(*given)
    for f in np.unique(chosen[chosen >= 0]):
        for move, wanted in level.moves(int(f)):
            wanted = wanted & (chosen == f) & (found < 0)
            if wanted.any():
                before = found.copy()
                first_above(*level.scores(int(f), wanted, move), floor, found)
                goes[found != before] = move
