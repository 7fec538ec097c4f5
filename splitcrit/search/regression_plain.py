"""The loops of ``regression_compiled`` in numpy: what they do, and what serves where numba is absent.

Main definitions: ``describe``, ``deviances``, ``best``, ``Level``, ``Scored``, ``search``, ``renumber``, ``partition``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.search.deviance import LEAST, excess
from splitcrit.search.medians_plain import deviations, prefix_sums
from splitcrit.search.plain import first_above, lift, nodes_of
from splitcrit.search.regression_records import POISSON, Chosen, Limited, Ordered, Samples, Tried

Array = NDArray[Any]


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
    running = prefix_sums(w)
    run, half, places = running[1:] - running[at][owner], weight[owner] / 2, np.arange(len(y))
    upper = np.minimum.reduceat(np.where(run > half, places, starts[1:][owner] - 1), at)
    lower = np.minimum.reduceat(np.where(run == half, places, upper[owner]), at)
    low, high = y[lower], y[upper]
    median[:] = np.where(low == high, high, low / 2 + high / 2)
    deviation[:] = np.add.reduceat(w * np.abs(y - median[owner]), at) / weight


def deviances(samples: Samples, starts: Array, out: Array) -> None:
    """Set half the mean Poisson deviance of each node in place of its variance."""
    (weight, mean, rest, *_), owner, count = out, nodes_of(starts), starts[-1]
    relative = _relative(samples.responses[:count], mean[owner], rest[owner])
    w = samples.weights[:count] if len(samples.weights) else np.ones(count)
    out[3] = np.add.reduceat(w * excess(relative), starts[:-1]) / weight * (mean + rest)


def _relative(responses: Array, mean: Array, rest: Array) -> Array:
    """Return responses less their mean, in units of it."""
    with np.errstate(invalid="ignore"):
        found = np.maximum(((responses - mean) - rest) / (mean + rest), LEAST)
    return np.where(responses > 0, found, -1.0)


class Scored(NamedTuple):
    """Samples of nodes side by side, in the order of a feature: where each node starts, responses, weights.

    Of each sample besides: the weight up to it, its node, weight and impurity of that, and whether a threshold may
    stand after it.
    """

    starts: Array
    responses: Array
    weights: Array
    heavy: Array
    node: Array
    total: Array
    spread: Array
    allowed: Array


def lowered(scored: Scored, lefts: Array, rights: Array) -> Array:
    """Return scores, given what the samples up to each risk, and those from each on, both times weight."""
    behind = np.append(rights[1:], 0.0)
    behind[scored.starts[1:] - 1] = 0.0
    return np.asarray((scored.total * scored.spread - lefts - behind) / scored.total)


Score = Callable[[Scored], Array]


class Level:
    """The arguments of ``best``, and the scores of the thresholds of one column.

    ``own`` scores what is scored by no error of ``ERRORS``.
    """

    def __init__(
        self, front: Ordered, samples: Samples, described: Array, tried: Tried, rule: Limited, own: Score | None = None
    ) -> None:
        self.front, self.samples, self.tried, self.rule, self.own = front, samples, tried, rule, own
        self.sizes, self.owner = np.diff(front.starts), nodes_of(front.starts)
        self.weight, mean, rest, _, _, self.spread = described
        self.of = (self._squared, self._absolute, self._poisson, self._own)[rule.error]
        number = np.arange(len(self.owner)) + (front.bases - front.starts[:-1])[self.owner]
        self.centred = np.empty(len(samples.responses))
        y, mean, rest = samples.responses[number], mean[self.owner], rest[self.owner]
        self.centred[number] = _relative(y, mean, rest) if rule.error == POISSON else (y - mean) - rest

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
        weights = prefix_sums(self._weights(entry))
        heavy, total = weights[1:] - weights[base], self.weight[node]
        behind = heavy[turned]
        fits = np.append(self.front.orders[f, place[1:]] & 1 == 0, False) & (local < known)
        if len(self.tried.cuts):
            fits &= place == self.tried.cuts[node, f]
        on_left = local + 1 + extra
        fits &= (on_left >= self.rule.least) & (size - on_left >= self.rule.least) & (total > behind)
        fits &= (behind >= self.rule.lightest) & (total - behind >= self.rule.lightest)
        self.allowed = np.empty(len(place), dtype=bool)
        self.allowed[turned] = fits
        score = self.of(entry, heavy, starts, base, node)[turned]
        return score[fits], node[fits], place[fits]

    def _weights(self, number: Array) -> Array:
        return np.asarray(self.samples.weights[number] if len(self.samples.weights) else np.ones(len(number)))

    def _squared(self, entry: Array, heavy: Array, starts: Array, base: Array, node: Array) -> Array:
        sums = prefix_sums(self._weights(entry) * self.centred[entry])
        left = sums[1:] - sums[base]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(left * left / (heavy * (self.weight[node] - heavy)))

    def _poisson(self, entry: Array, heavy: Array, starts: Array, base: Array, node: Array) -> Array:
        relative, rest = self.centred[entry], self.weight[node] - heavy
        sums, some = prefix_sums(self._weights(entry) * relative), prefix_sums(relative > -1)
        left, ends = sums[1:] - sums[base], np.repeat(starts[1:], np.diff(starts))
        with np.errstate(divide="ignore", invalid="ignore"):
            score = (heavy * excess(left / heavy) + rest * excess(-left / rest)) / self.weight[node]
        return np.where((some[1:] > some[base]) & (some[ends] > some[1:]), score, -np.inf)

    def _absolute(self, entry: Array, heavy: Array, starts: Array, base: Array, node: Array) -> Array:
        place = np.arange(len(entry))
        number = self.front.bases[node] + place - base
        data = (starts, self.centred[number], self._weights(number))
        rank, back = entry - self.front.bases[node], base + np.repeat(starts[1:], np.diff(starts)) - 1 - place
        lefts, rights = deviations(rank, *data), deviations(rank[back], *data)[back]
        return lowered(self._scored(entry, heavy, starts, node), lefts, rights)

    def _own(self, entry: Array, heavy: Array, starts: Array, base: Array, node: Array) -> Array:
        assert self.own is not None
        return self.own(self._scored(entry, heavy, starts, node))

    def _scored(self, entry: Array, heavy: Array, starts: Array, node: Array) -> Scored:
        weights, responses = self._weights(entry), self.samples.responses[entry]
        return Scored(starts, responses, weights, heavy, node, self.weight[node], self.spread[node], self.allowed)


def best(
    front: Ordered, samples: Samples, described: Array, tried: Tried, rule: Limited, side: Array, out: Chosen
) -> None:  # fmt: skip
    """Find each node's best score, and by the tie rule the split; mark the samples that go left."""
    search(Level(front, samples, described, tried, rule), side, out)


def search(level: Level, side: Array, out: Chosen) -> None:
    """Do what ``best`` does with the scores of a level."""
    feature, rule, d, m = out.feature, level.rule, len(level.front.orders), len(level.front.bases)
    ranks, found = np.broadcast_to(level.tried.ranks, (m, d)), np.full((d, m), -np.inf)
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


def _carry_out(level: Level, place: Array, side: Array, out: Chosen) -> None:
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
