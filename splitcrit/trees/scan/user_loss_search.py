"""A loss of responses that a user wrote, as the compiled loop asks for it.

Where the loss has statistics, the loop keeps their sums, and ``act`` and ``risk`` are machine code. Where it has none,
the least sum of costs is sought here for the samples up to every threshold: the best of their responses, then
golden-section search between its neighbours.

Main definitions: ``Callbacks`` (from a loss to an ``OwnLoss``), ``refuse_wrong``; ``least``, ``of_sides``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import FLOAT
from splitcrit.frozen import complaint
from splitcrit.impurities.numeric import golden_section
from splitcrit.losses.evaluation import REMEDY, RULE, answer, check_batches
from splitcrit.losses.response_losses import Formula, ResponseLoss
from splitcrit.trees.scan.formula_code import callback, formula_address
from splitcrit.trees.scan.records import (
    BASE,
    LEAST_COST,
    LEAST_SPENT,
    NODE,
    PREDICTION,
    SIZE_OF_NODE,
    OwnLoss,
    Samples,
)

CELLS = 1 << 20  # costs looked at together
TRIED = (1, 2, 3, 6, 12, 24)  # numbers of responses with which a declaration is tried
CLOSE = 1e-6
FIRST, SOME = 8, 64  # thresholds that are settled first; responses whose costs are tried for being convex
SURE = 1e-9  # thresholds whose costs are further apart, relative to the node's, are no ties; to be widened with ``TIE``


def _costs(loss: ResponseLoss, w: Array, y: Array) -> Array:
    """The costs of predictions, broadcast against responses; one that is not a number is infinite."""
    shape = np.broadcast_shapes(w.shape, y.shape)

    def formula(x: Any, m: Any) -> Array:
        costs = np.broadcast_to(np.array(loss.at(x[0], x[1], m), dtype=float), shape)
        return np.where(np.isnan(costs), np.inf, costs)

    check_batches(loss, lambda x, m: loss.at(x[0], x[1], m), (2,))
    return np.asarray(answer(loss.name, formula, (w, y), FLOAT, shape))


def least(loss: ResponseLoss, y: Array, weights: Array, sizes: Array) -> tuple[Array, Array]:
    """The best predictions of the first ``sizes`` of some responses, and the sums of their costs."""
    actions = np.unique(y)
    (at, lowest, _), _ = _of_responses(loss, y, weights, sizes, actions)
    return between(loss, y, weights, sizes, actions, at, lowest)


def between(
    loss: ResponseLoss, y: Array, weights: Array, sizes: Array, actions: Array, at: Array, lowest: Array
) -> tuple[Array, Array]:
    """Best predictions and sums of costs, given the best ``actions[at]`` of the responses and its sums.

    They are sought between the neighbours of that response.
    """
    step = max(1, CELLS // len(y))
    low, high = actions[np.maximum(at - 1, 0)], actions[np.minimum(at + 1, len(actions) - 1)]
    best = actions[at]
    for first in range(0, len(sizes), step):
        here = slice(first, first + step)
        inside = np.arange(len(y)) < sizes[here, None]

        def value_at(w: Array, inside: Array = inside) -> Array:
            return np.asarray(np.where(inside, weights * _costs(loss, w[:, None], y[None]), 0.0).sum(axis=1))

        for w in golden_section(value_at, low[here], high[here]):
            sums = value_at(w)
            best[here] = np.where(sums < lowest[here], w, best[here])
            lowest[here] = np.minimum(lowest[here], sums)
    return best, lowest


def of_sides(
    loss: ResponseLoss, y: Array, weights: Array, sizes: Array, least_spent: float, whole: float
) -> tuple[Array, Array, float]:
    """Least sums of costs left and right of thresholds with ``sizes`` samples on the left, and the least in all.

    ``least_spent`` is what another threshold of the node costs, and ``whole`` the node undivided. Predicting a response
    costs no less than the best prediction, and where costs are convex, see ``_above``, not much more. A threshold that
    costs more than another for sure keeps the costs of its best responses; golden-section search settles the others,
    the likeliest first.
    """
    n, actions = len(y), np.unique(y)
    (at, left, above), (to, right, more) = _of_responses(loss, y, weights, sizes, actions)
    least_spent = min(least_spent, float((left + right).min()))
    sure = above + more if _is_convex(loss, y) else np.full(len(sizes), -np.inf)
    order = np.argsort(sure)
    for places in np.split(order, [min(FIRST, len(order))]):  # the first leave few others
        some = places[sure[places] <= least_spent + SURE * max(abs(least_spent), abs(whole))]
        if len(some):
            left[some] = between(loss, y, weights, sizes[some], actions, at[some], left[some])[1]
            right[some] = between(loss, y[::-1], weights[::-1], n - sizes[some], actions, to[some], right[some])[1]
            least_spent = min(least_spent, float((left + right)[some].min()))
    return left, right, least_spent


def _is_convex(loss: ResponseLoss, y: Array) -> bool:
    """Whether costs of some responses are convex in the prediction, at all responses and midway between them."""
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
    """For both sides of thresholds the best response, the sum of its costs, and a lower bound for any prediction."""
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
    """A lower bound of a convex function, sums of n, between the third and fourth of five places.

    Between two places it lies above both lines: that through the left one and its neighbour on the left, and that
    through the right one and its neighbour on the right. The larger of the two is least where they meet.
    """
    with np.errstate(all="ignore"):
        (_, before, _, after), gap = np.diff(sums, axis=0) / np.diff(x, axis=0), x[3] - x[2]
        meeting = np.clip((sums[3] - sums[2] - after * gap) / (before - after), 0.0, gap)
        lowest = sums[2] + np.where(before == after, 0.0, before * meeting)
        lowest = np.where(np.isnan(before), sums[3] - after * gap, lowest)  # no place on the left
        lowest = np.where(np.isnan(after), sums[2] + before * gap, lowest)  # none on the right
        noise = n * np.finfo(float).eps * np.nan_to_num(np.abs(sums)).max(axis=0)
        rounded = np.nan_to_num(gap / (x[2] - x[1])) + np.nan_to_num(gap / (x[4] - x[3]))
        lowest = np.where(np.isnan(lowest) | (after < before), -np.inf, lowest - noise * (1 + rounded))
    return np.where(np.isnan(gap), sums[2], lowest)


def _of_means(loss: ResponseLoss, formula: Formula | None, means: Array) -> Array:
    """The value of a formula at means of statistics ``(s, ...)``."""
    assert formula is not None
    return np.asarray(answer(loss.name, formula, tuple(means), FLOAT, means.shape[1:]), dtype=float)


def _statistics(loss: ResponseLoss, y: Array) -> Array:
    """The statistics ``(s, n)`` of responses."""

    def formula(x: Array, m: Any) -> Array:
        assert loss.statistics is not None
        each = [np.broadcast_to(np.asarray(t, dtype=float), x.shape) for t in loss.statistics(x, m)]
        return np.stack(each, axis=-1)

    count = len(loss.statistics(np.ones(1), FLOAT)) if loss.statistics else 0
    return np.moveaxis(answer(loss.name, formula, y, FLOAT, (*y.shape, count)), -1, 0)


class Callbacks:
    """What the compiled loop asks of a loss in numpy, until one answer fails, and the ``callbacks`` it calls."""

    def __init__(self, loss: ResponseLoss) -> None:
        self.loss, self.failed, self.callbacks = loss, list[BaseException](), list[Any]()

    def address(self, function: Callable[[Array], float], inputs: int) -> int:
        """The address of a function of numbers; once one has failed the answer is 0."""

        def guarded(numbers: Array) -> float:
            try:
                return 0.0 if self.failed else function(numbers)
            except BaseException as error:  # compiled code cannot raise it
                self.failed.append(error)
                return 0.0

        self.callbacks.append(callback(guarded, inputs))
        return int(self.callbacks[-1].address)

    def formula(self, of: Formula | None, count: int) -> int:
        """The address of a formula of means: its machine code, or the formula itself where it has none."""
        assert of is not None
        address = formula_address(of, count)
        if address is not None:
            return address
        return self.address(lambda means: float(_of_means(self.loss, of, means[:, None])[0]), count)

    def space(self, samples: Samples) -> OwnLoss:
        """The loss as the compiled loop takes it, for the samples of a root."""
        n, loss, addresses, statistics = len(samples.rows), self.loss, (0, 0), np.empty((0, 0))
        if loss.statistics is not None:
            by_number = _statistics(loss, samples.responses)
            statistics = np.empty(by_number.shape)
            statistics[:, samples.rows] = by_number
            addresses = self.formula(loss.act, len(statistics)), self.formula(loss.risk, len(statistics))
        means, centre, running = np.empty((3, len(statistics)))
        local, may, (lefts, rights) = np.empty(n, np.int64), np.zeros(n, np.uint8), np.empty((2, n))
        space = OwnLoss(
            *addresses, 0, statistics, samples.rows, means, centre, running, np.zeros(1), np.zeros(6), local, may,
            lefts, rights,
        )  # fmt: skip
        if loss.statistics is not None:
            return space
        return space._replace(sought=self.address(lambda _: self._sought(space, samples), 6))

    def _sought(self, space: OwnLoss, samples: Samples) -> float:
        """Answer for a node, or for the thresholds of a column of it; where that fails, there are none."""
        ask, size = space.exchange, int(space.exchange[SIZE_OF_NODE])
        here = int(ask[BASE]) + (np.arange(size) if ask[NODE] else space.local[:size])
        at = np.flatnonzero(space.may[:size])
        space.may[:size] = 0
        y, w = samples.responses[here], samples.weights[here] if len(samples.weights) else np.ones(size)
        if ask[NODE]:
            ask[PREDICTION] = ask[LEAST_COST] = 0.0
            [ask[PREDICTION]], [cost] = least(self.loss, y, w, np.array([size]))
            ask[LEAST_COST] = cost / w.sum()
        elif len(at):
            spent, whole = float(ask[LEAST_SPENT]), float(ask[LEAST_COST] * w.sum())
            space.lefts[at], space.rights[at], ask[LEAST_SPENT] = of_sides(self.loss, y, w, at + 1, spent, whole)
            space.may[at] = 1
        return 0.0

    def refuse_failed(self, space: OwnLoss) -> None:
        """Raise what a call raised, or ValueError if a risk was no number."""
        if self.failed:
            raise self.failed[0]
        if space.undefined[0]:
            raise ValueError(complaint(RULE.format(self.loss.name), "nan", REMEDY))


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
