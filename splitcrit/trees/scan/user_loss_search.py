"""The search of splits by a loss of responses that a user wrote, in numpy, since only numpy can call it.

Where the loss has statistics, their running means give the least mean loss on both sides of every threshold. Where it
has none, it is sought for the samples up to every threshold: the best of their responses, then golden-section search
between its neighbours.

Main definitions: ``Declared`` (what stands for the loops of ``scan_squared``), ``refuse_wrong``; ``search``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import FLOAT
from splitcrit.frozen import complaint
from splitcrit.impurities.numeric import golden_section
from splitcrit.losses.evaluation import answer, check_batches
from splitcrit.losses.response_losses import Formula, ResponseLoss
from splitcrit.trees.scan.open_nodes import nodes_of
from splitcrit.trees.scan.records import DEVIATION, MEDIAN, WEIGHT, Chosen, Limited, Ordered, Samples, Tried

CELLS = 1 << 20  # costs looked at together
TRIED = (1, 2, 3, 6, 12, 24)  # numbers of responses with which a declaration is tried
CLOSE = 1e-6
FIRST, SOME = 8, 64  # thresholds that are settled first; responses whose costs are tried for being convex
SURE = 1e-9  # thresholds whose costs are further apart, relative to them, are no ties


def _costs(loss: ResponseLoss, w: Array, y: Array) -> Array:
    """Return the costs of predictions, broadcast against responses; one that is not a number is infinite."""
    shape = np.broadcast_shapes(w.shape, y.shape)

    def formula(x: Any, m: Any) -> Array:
        found = np.broadcast_to(np.array(loss.at(x[0], x[1], m), dtype=float), shape)
        return np.where(np.isnan(found), np.inf, found)

    check_batches(loss, lambda x, m: loss.at(x[0], x[1], m), (2,))
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
    return between(loss, y, weights, sizes, actions, at, lowest)


def between(
    loss: ResponseLoss, y: Array, weights: Array, sizes: Array, actions: Array, at: Array, lowest: Array
) -> tuple[Array, Array]:
    """Return best predictions and sums of costs, given the best ``actions[at]`` of the responses and its sums.

    They are sought between the neighbours of that response.
    """
    step = max(1, CELLS // len(y))
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


def of_sides(
    loss: ResponseLoss, y: Array, weights: Array, sizes: Array, least_spent: float
) -> tuple[Array, Array, float]:
    """Return least sums of costs left and right of thresholds with ``sizes`` samples on the left, and the least in all.

    ``least_spent`` is what another threshold of the node costs. Predicting a response costs no less than the best
    prediction, and where costs are convex, see ``_above``, not much more. A threshold that costs more than another
    for sure keeps the costs of its best responses; golden-section search settles the others, the likeliest first.
    """
    n = len(y)
    if not _is_convex(loss, y):
        left, right = least(loss, y, weights, sizes)[1], least(loss, y[::-1], weights[::-1], n - sizes)[1]
        return left, right, min(least_spent, float((left + right).min()))
    actions = np.unique(y)
    (at, left, above), (to, right, more) = _of_responses(loss, y, weights, sizes, actions)
    spent = left + right
    least_spent = min(least_spent, float(spent.min()))
    sure = above + more
    order = np.argsort(sure)
    for places in np.split(order, [min(FIRST, len(order))]):  # the first leave few others
        kept = places[sure[places] <= least_spent + SURE * abs(least_spent)]
        if len(kept):
            left[kept] = between(loss, y, weights, sizes[kept], actions, at[kept], left[kept])[1]
            right[kept] = between(loss, y[::-1], weights[::-1], n - sizes[kept], actions, to[kept], right[kept])[1]
            least_spent = min(least_spent, float((left + right)[kept].min()))
    return left, right, least_spent


def _is_convex(loss: ResponseLoss, y: Array) -> bool:
    """Tell whether costs of some responses are convex in the prediction, at all responses and midway between them."""
    actions = np.unique(y)
    some = actions[np.linspace(0, len(actions) - 1, min(len(actions), SOME)).astype(int)]
    w = np.unique(np.concatenate([actions, actions[:-1] + np.diff(actions) / 2]))
    costs = _costs(loss, w[:, None], some[None])
    if not np.isfinite(costs).all():
        return False
    gaps, rises = np.diff(w)[:, None], np.diff(costs, axis=0)
    bends = rises[1:] * gaps[:-1] - rises[:-1] * gaps[1:]
    return bool((bends >= -1e-12 * np.abs(costs).max() * (gaps[1:] + gaps[:-1])).all())


def _of_responses(loss: ResponseLoss, y: Array, weights: Array, sizes: Array, actions: Array) -> Any:
    """Return of both sides of thresholds the best response, the sum of its costs, and what any prediction exceeds."""
    n, step = len(y), max(1, CELLS // len(y))
    at, lowest = np.zeros((2, len(sizes)), np.int64), np.full((2, len(sizes)), np.inf)
    near = np.full((2, 5, len(sizes)), np.nan)  # the sums of the best response and of two neighbours on both sides
    for first in range(0, len(actions), step):
        start = max(first - 2, 0)  # a block of predictions, with two more before and behind
        costs = weights * _costs(loss, actions[start : first + step + 2, None], y[None])
        for side, (order, counts) in enumerate(((costs, sizes), (costs[:, ::-1], n - sizes))):
            sums = np.cumsum(order, axis=1)[:, counts - 1]
            place = first - start + sums[first - start : first - start + step].argmin(axis=0)
            value = np.take_along_axis(sums, place[None], axis=0)[0]
            better = np.flatnonzero(value < lowest[side])
            at[side, better], lowest[side, better] = start + place[better], value[better]
            rows = place[better] + np.arange(-2, 3)[:, None]
            within = (rows >= 0) & (rows < len(sums))
            near[side][:, better] = np.where(within, sums[np.clip(rows, 0, len(sums) - 1), better], np.nan)
    predictions = np.pad(actions, 2, constant_values=np.nan)
    return [
        (best, value, np.minimum(*(_above(sums[::way], way * x[::way], n) for way in (1, -1))))
        for best, value, sums in zip(at, lowest, near, strict=True)
        for x in [predictions[best + np.arange(5)[:, None]]]
    ]


def _above(sums: Array, x: Array, n: int) -> Array:
    """Return a lower bound of a convex function, sums of n, between the third and fourth of five places.

    Between two places it lies above both lines: that through the left one and its neighbour on the left, and that
    through the right one and its neighbour on the right. The larger of the two is least where they meet.
    """
    with np.errstate(all="ignore"):
        (_, before, _, after), gap = np.diff(sums, axis=0) / np.diff(x, axis=0), x[3] - x[2]
        meeting = np.clip((sums[3] - sums[2] - after * gap) / (before - after), 0.0, gap)
        lowest = sums[2] + np.where(before == after, 0.0, before * meeting)
        lowest = np.where(np.isnan(before), sums[3] - after * gap, lowest)  # no place on the left
        lowest = np.where(np.isnan(after), sums[2] + before * gap, lowest)  # none on the right
        noise = n * np.finfo(float).eps * np.nanmax(np.abs(sums), axis=0)
        rounded = np.nan_to_num(gap / (x[2] - x[1])) + np.nan_to_num(gap / (x[4] - x[3]))
        lowest = np.where(np.isnan(lowest) | (after < before), -np.inf, lowest - noise * (1 + rounded))
    return np.where(np.isnan(gap), sums[2], lowest)


def _of_means(loss: ResponseLoss, formula: Formula | None, means: Array) -> Array:
    """Return the value of a formula at means of statistics ``(s, ...)``."""
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
        behind = heavy[turned]
        fits = np.append(self.front.orders[f, place[1:]] & 1 == 0, False) & (local < known)
        if len(self.tried.cuts):
            fits &= place == self.tried.cuts[node, f]
        on_left = local + 1 + extra
        fits &= (on_left >= self.rule.least) & (size - on_left >= self.rule.least) & (total > behind)
        fits &= (behind >= self.rule.lightest) & (total - behind >= self.rule.lightest)
        allowed = np.empty(len(place), dtype=bool)
        allowed[turned] = fits
        scored = Scored(starts, self.samples.responses[entry], weights, heavy, node, total, self.spread[node], allowed)
        score = self.of(scored)[turned]
        return score[fits], node[fits], place[fits]


def first_drawn(reached: Array, drawn: Array) -> Array:
    """Return the feature of each node that is first in its order among those ``reached (d, m)``, -1 if none is.

    ``drawn (m, d)`` are the ranks in the order.
    """
    return np.where(reached.any(axis=0), np.where(reached, drawn.T, len(reached)).argmin(axis=0), -1)


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
    feature[:] = first_drawn(reached, ranks)
    place, out.missing_left[:] = np.full(m, -1), False
    for f in np.unique(feature[feature >= 0]):
        for move, nodes in thresholds.moves(int(f)):
            if (wanted := nodes & (feature == f) & (place < 0)).any():
                scores, node, places = thresholds.scores(int(f), wanted, move)
                high = np.flatnonzero(scores >= floor[node])[::-1]  # the first of a node is written last
                place[node[high]] = places[high]
                out.missing_left[wanted & (place >= 0)] = move
    regression_loops().carry_out(thresholds.front, thresholds.samples.rows, place, side, out)


def regression_loops() -> Any:
    """Return the module of the compiled loops."""
    from splitcrit.trees.scan import scan_squared as loops

    return loops


@dataclass(frozen=True)
class Declared:
    """The loops of ``scan_squared`` with the scores of a loss."""

    loss: ResponseLoss

    def renumber(self, *given: Any) -> None:
        """Do what the compiled loop does."""
        regression_loops().renumber(*given)

    def partition(self, *given: Any) -> None:
        """Do what the compiled loop does."""
        regression_loops().partition(*given)

    def describe(self, samples: Samples, starts: Array, out: Array) -> None:
        """Do what the compiled loop does; in place of median and deviation set best prediction and least loss."""
        regression_loops().describe(samples, starts, out)
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
        spent = np.full(len(front.bases), np.inf)
        of = functools.partial(self._numeric, spent) if self.loss.statistics is None else self._by_means
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

    def _numeric(self, least_spent: Array, scored: Scored) -> Array:
        """Return scores, those of the best thresholds exact and others a little low; ``least_spent`` is by node."""
        lefts, rights = np.full((2, len(scored.responses)), np.inf)
        for start, stop in zip(scored.starts[:-1], scored.starts[1:], strict=True):
            here, j = slice(start, stop), scored.node[start]
            allowed = np.flatnonzero(scored.allowed[here])
            if not len(allowed):
                continue
            left, right, least_spent[j] = of_sides(
                self.loss, scored.responses[here], scored.weights[here], allowed + 1, least_spent[j]
            )
            lefts[start + allowed], rights[start + allowed + 1] = left, right
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
            raise ValueError(complaint(rule, got, "correct statistics, act or risk, or leave all three out"))
