"""The search of splits by a loss of responses that a user wrote, in numpy, since only numpy can call it.

Where the loss has statistics, their running means give the least mean loss on both sides of every threshold. Where it
has none, it is sought for the samples up to every threshold: the best of their responses, then golden-section search
between its neighbours.

Main definitions: ``Declared`` (what stands for the loops of ``regression_compiled``), ``refuse_wrong``; ``search``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.arith import FLOAT
from splitcrit.frozen import complaint
from splitcrit.impurities.numeric import golden_section
from splitcrit.losses.evaluation import answer
from splitcrit.losses.user_losses import Formula, ResponseLoss
from splitcrit.search.levels import nodes_of
from splitcrit.search.records import DEVIATION, MEDIAN, WEIGHT, Chosen, Limited, Ordered, Samples, Tried

Array = NDArray[Any]
CELLS = 1 << 20  # costs looked at together
TRIED = (1, 2, 3, 6, 12, 24)  # numbers of responses with which a declaration is tried
CLOSE = 1e-6


def _costs(loss: ResponseLoss, w: Array, y: Array) -> Array:
    """Return the costs of predictions, broadcast against responses; one that is not a number is infinite."""
    shape = np.broadcast_shapes(w.shape, y.shape)

    def formula(x: Any, m: Any) -> Array:
        found = np.broadcast_to(np.array(loss.at(x[0], x[1], m), dtype=float), shape)
        return np.where(np.isnan(found), np.inf, found)

    return np.asarray(answer(loss.name, formula, (w, y), FLOAT, shape))


def least(loss: ResponseLoss, y: Array, weights: Array, sizes: Array) -> tuple[Array, Array]:
    """Return the best predictions of the first ``sizes`` of some responses, and the sums of their costs."""
    actions, step = np.unique(y), max(1, CELLS // len(y))
    lowest, at = np.full(len(sizes), np.inf), np.zeros(len(sizes), np.int64)
    for first in range(0, len(actions), step):
        costs = _costs(loss, actions[first : first + step, None], y[None])
        sums = np.cumsum(weights * costs, axis=1)[:, sizes - 1]
        best = sums.argmin(axis=0)
        value = sums[best, np.arange(len(sizes))]
        at, lowest = np.where(value < lowest, first + best, at), np.minimum(lowest, value)
    low, high = actions[np.maximum(at - 1, 0)], actions[np.minimum(at + 1, len(actions) - 1)]
    found = actions[at]
    for first in range(0, len(sizes), step):
        here = slice(first, first + step)
        inside = np.arange(len(y)) < sizes[here, None]

        def value_at(w: Array, inside: Array = inside) -> Array:
            return np.asarray(np.where(inside, weights * _costs(loss, w[:, None], y[None]), 0.0).sum(axis=1))

        for w in golden_section(value_at, low[here], high[here]):
            sums = value_at(w)
            found[here] = np.where(sums < lowest[here], w, found[here])
            lowest[here] = np.minimum(lowest[here], sums)
    return found, lowest


def _of_means(loss: ResponseLoss, formula: Formula | None, means: Array) -> Array:
    """Return what a formula gives for means of statistics ``(s, ...)``."""
    assert formula is not None
    return np.asarray(answer(loss.name, formula, tuple(means), FLOAT, means.shape[1:]), dtype=float)


def _statistics(loss: ResponseLoss, y: Array) -> Array:
    """Return the statistics ``(s, n)`` of responses."""

    def formula(x: Array, m: Any) -> Array:
        assert loss.statistics is not None
        each = [np.broadcast_to(np.asarray(t, dtype=float), x.shape) for t in loss.statistics(x, m)]
        return np.stack(each, axis=-1)

    count = len(loss.statistics(np.ones(1), FLOAT)) if loss.statistics else 0
    return np.moveaxis(answer(loss.name, formula, y, FLOAT, (*y.shape, count)), -1, 0)


class Scored(NamedTuple):
    """Samples of nodes side by side, in the order of a feature: where each node starts, responses, weights.

    Of each sample besides: the weight up to it, and weight and impurity of its node.
    """

    starts: Array
    responses: Array
    weights: Array
    heavy: Array
    total: Array
    spread: Array


@dataclass(frozen=True)
class LossThresholds:
    """The thresholds of open nodes: what ``best`` is given, and ``of``, which scores them.

    ``weight`` and ``spread (m,)`` are the weight of each node and its least mean loss.
    """

    front: Ordered
    samples: Samples
    weight: Array
    spread: Array
    tried: Tried
    rule: Limited
    of: Callable[[Scored], Array]

    @property
    def sizes(self) -> Array:
        """The number of samples of each node."""
        return np.diff(self.front.starts)

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
        owner = nodes_of(self.front.starts)
        place = np.flatnonzero(wanted[owner])
        node, local = owner[place], place - self.front.starts[owner[place]]
        starts = np.concatenate([[0], np.cumsum(self.sizes[wanted])])
        base, size, known = np.arange(len(place)) - local, self.sizes[node], self.front.known[f, node]
        extra = (size - known) * move
        turned = base + np.where(local < known, local + extra, local - known * move)  # missing first if they go left
        entry = np.empty(len(place), np.int64)
        entry[turned] = self.number(f, place)
        weights = self.samples.weights[entry] if len(self.samples.weights) else np.ones(len(entry))
        running, total = np.concatenate([[0.0], np.cumsum(weights)]), self.weight[node]
        heavy = running[1:] - running[base]
        scored = Scored(starts, self.samples.responses[entry], weights, heavy, total, self.spread[node])
        score, heavy = self.of(scored)[turned], heavy[turned]
        fits = np.append(self.front.orders[f, place[1:]] & 1 == 0, False) & (local < known)
        if len(self.tried.cuts):
            fits &= place == self.tried.cuts[node, f]
        on_left = local + 1 + extra
        fits &= (on_left >= self.rule.least) & (size - on_left >= self.rule.least) & (total > heavy)
        fits &= (heavy >= self.rule.lightest) & (total - heavy >= self.rule.lightest)
        return score[fits], node[fits], place[fits]


def search(thresholds: LossThresholds, side: Array, out: Chosen) -> None:
    """Find each node's best score, and by the tie rule the split; mark the samples that go left."""
    feature, tried, d, m = out.feature, thresholds.tried, len(thresholds.front.orders), len(thresholds.front.bases)
    ranks, best = np.broadcast_to(tried.ranks, (m, d)), np.full((d, m), -np.inf)
    for f in range(d):
        for move, nodes in thresholds.moves(f):
            if (wanted := nodes & (ranks[:, f] >= 0)).any():
                scores, node, _ = thresholds.scores(f, wanted, move)
                np.maximum.at(best[f], node, scores)
    out.score[:] = best.max(axis=0)
    floor = out.score - thresholds.rule.tie
    reached = (best >= floor) & np.isfinite(best)
    feature[:] = np.where(reached.any(axis=0), np.where(reached, ranks.T, d).argmin(axis=0), -1)
    place, out.missing_left[:] = np.full(m, -1), False
    for f in np.unique(feature[feature >= 0]):
        for move, nodes in thresholds.moves(int(f)):
            if (wanted := nodes & (feature == f) & (place < 0)).any():
                scores, node, places = thresholds.scores(int(f), wanted, move)
                high = np.flatnonzero(scores >= floor[node])[::-1]  # the first of a node is written last
                place[node[high]] = places[high]
                out.missing_left[wanted & (place >= 0)] = move
    _carry_out(thresholds, place, side, out)


def _carry_out(thresholds: LossThresholds, place: Array, side: Array, out: Chosen) -> None:
    """Write the sides of the samples, how many go left, and the rows on both sides of the threshold."""
    feature, starts, known, goes = out.feature, thresholds.front.starts, thresholds.front.known, out.missing_left
    owner = nodes_of(starts)
    places = np.flatnonzero(feature[owner] >= 0)
    node = owner[places]
    missing = places >= starts[node] + known[feature[node], node]
    side[thresholds.number(feature[node], places)] = left = (places <= place[node]) | (missing & goes[node])
    out.left_sizes[:] = np.bincount(node, left, len(feature))
    split = np.flatnonzero(feature >= 0)
    f, at, last = feature[split], place[split], starts[split] + known[feature[split], split] - 1
    out.below[split] = thresholds.samples.rows[thresholds.number(f, at)]
    out.above[split] = thresholds.samples.rows[thresholds.number(f, np.minimum(at + 1, last))]
    out.above[split[at == last]] = -1
    whole = split[last == starts[split + 1] - 1]
    goes[whole] = 2 * out.left_sizes[whole] > thresholds.sizes[whole]


def regression_compiled() -> Any:
    """Return the module of the compiled loops."""
    from splitcrit.search import regression_compiled as loops

    return loops


@dataclass(frozen=True)
class Declared:
    """The loops of ``regression_compiled`` with the scores of a loss."""

    loss: ResponseLoss

    def renumber(self, *given: Any) -> None:
        """Do what the compiled loop does."""
        regression_compiled().renumber(*given)

    def partition(self, *given: Any) -> None:
        """Do what the compiled loop does."""
        regression_compiled().partition(*given)

    def describe(self, samples: Samples, starts: Array, out: Array) -> None:
        """Do what the compiled loop does; in place of median and deviation set best prediction and least loss."""
        regression_compiled().describe(samples, starts, out)
        y, sizes = samples.responses[: starts[-1]], np.diff(starts)
        w = samples.weights[: len(y)] if len(samples.weights) else np.ones(len(y))
        if self.loss.statistics is not None:
            means = np.add.reduceat(w * _statistics(self.loss, y), starts[:-1], axis=1) / out[WEIGHT]
            out[MEDIAN], out[DEVIATION] = (_of_means(self.loss, of, means) for of in (self.loss.act, self.loss.risk))
            return
        for j, (start, size) in enumerate(zip(starts[:-1], sizes, strict=True)):
            here = slice(start, start + size)
            [out[MEDIAN, j]], [cost] = least(self.loss, y[here], w[here], size[None])
            out[DEVIATION, j] = cost / out[WEIGHT, j]

    def best(
        self, front: Ordered, samples: Samples, described: Array, tried: Tried, rule: Limited, side: Array, out: Chosen
    ) -> None:
        """Find each node's best score, and by the tie rule the split; mark the samples that go left."""
        of = self._numeric if self.loss.statistics is None else self._by_means
        search(LossThresholds(front, samples, described[WEIGHT], described[DEVIATION], tried, rule, of), side, out)

    def _by_means(self, scored: Scored) -> Array:
        """Return scores by statistics, which are centred in each node so that large ones cost few digits."""
        owner, whole = nodes_of(scored.starts), scored.total
        t = _statistics(self.loss, scored.responses)
        centre = (np.add.reduceat(scored.weights * t, scored.starts[:-1], axis=1) / whole[scored.starts[:-1]])[:, owner]
        running = np.concatenate([np.zeros((len(t), 1)), np.cumsum(scored.weights * (t - centre), axis=1)], axis=1)
        left, rest = running[:, 1:] - running[:, scored.starts[:-1][owner]], whole - scored.heavy
        right = centre - left / np.where(rest > 0, rest, np.inf)
        risks = (_of_means(self.loss, self.loss.risk, means) for means in (centre + left / scored.heavy, right))
        spent = sum(weight * risk for weight, risk in zip((scored.heavy, rest), risks, strict=True))
        return np.asarray(scored.spread - spent / whole)

    def _numeric(self, scored: Scored) -> Array:
        lefts, rights = np.empty((2, len(scored.responses)))
        for start, stop in zip(scored.starts[:-1], scored.starts[1:], strict=True):
            y, w = scored.responses[start:stop], scored.weights[start:stop]
            sizes = np.arange(1, stop - start + 1)
            lefts[start:stop] = least(self.loss, y, w, sizes)[1]
            rights[start:stop] = least(self.loss, y[::-1], w[::-1], sizes)[1][::-1]
        behind = np.append(rights[1:], 0.0)
        behind[scored.starts[1:] - 1] = 0.0
        return np.asarray((scored.total * scored.spread - lefts - behind) / scored.total)


def refuse_wrong(loss: ResponseLoss, responses: Array) -> None:
    """Raise ValueError if what a loss declares is not its least mean loss, for a few of the responses."""
    if loss.statistics is None:
        return
    rng = np.random.default_rng(0)
    for size in TRIED:
        y = rng.choice(responses, min(size, len(responses)), replace=False)
        means = _statistics(loss, y).mean(axis=1)[:, None]
        [action], [risk] = (_of_means(loss, of, means) for of in (loss.act, loss.risk))
        [other], [lowest] = least(loss, y, np.full(len(y), 1 / len(y)), np.array([len(y)]))
        own = float(_costs(loss, action[None], y).mean())
        width = CLOSE * (abs(lowest) + float(np.abs(_costs(loss, np.array([y[0]]), y)).mean()))
        if not (abs(own - risk) <= width and own <= lowest + width):
            rule = f"the act that {loss.name} declares has the least mean loss, which is its risk"
            got = f"{own:g} of {action:g}, {risk:g} declared, and {lowest:g} of {other:g}"
            raise ValueError(complaint(rule, got, "mend statistics, act or risk, or leave all three out"))
