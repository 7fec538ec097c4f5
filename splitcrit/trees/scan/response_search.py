"""The best threshold of every open node of a level when responses are numbers.

The score of a threshold is how much it lowers the node's variance (squared error) or its mean absolute deviation about
the median (absolute error), or its Poisson deviance, as the impurities ``variance``, ``absolute_deviation`` and
``poisson`` do, or a user's least loss; the tie rule is that of ``search``. Responses are centred at each node first, so
that large means cost no digits; for Poisson deviance they are divided by the mean too, and so are scores, within loops.

The samples of a node stand side by side in the order of their responses; a sample's *number* is its place there.

Main definitions: ``ResponseNodes``, ``OrderedResponses``, ``best_regression_splits``.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.frozen import complaint
from splitcrit.losses.response_losses import ResponseLoss
from splitcrit.trees.scan.open_nodes import LevelSplits, Limits
from splitcrit.trees.scan.random_thresholds import Places, random_places
from splitcrit.trees.scan.records import (
    ABSOLUTE,
    DECLARED,
    DESCRIBED,
    DEVIATION,
    ERRORS,
    MEAN,
    MEDIAN,
    POISSON,
    REST,
    SPREAD,
    WEIGHT,
    Chosen,
    Limited,
    Ordered,
    Samples,
    Tried,
)
from splitcrit.trees.scan.sorted_columns import Columns, midpoint
from splitcrit.trees.scan.ties_and_scores import TIE

NO_WEIGHTS = np.empty((0, 0))  # a side has no classes
NOWHERE = Places(np.empty((0, 0)), np.empty((0, 0), np.int64), np.empty((0, 0), dtype=bool))


def starts_of(sizes: Array) -> Array:
    """Return the start of each of some nodes that stand side by side, and the stop of the last."""
    found = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=found[1:])
    return found


@dataclass(frozen=True, eq=False)
class ResponseNodes:
    """Nodes side by side: their samples, where each starts, and what describes each node."""

    samples: Samples
    starts: Array
    described: Array
    error: int

    @staticmethod
    def of(samples: Samples, starts: Array, error: int, loops: Any) -> ResponseNodes:
        """Return nodes, given their samples, sorted by response in each node, and the place of the error."""
        found = np.empty((DESCRIBED, len(starts) - 1))
        loops.describe(samples, starts, found)
        if error == POISSON:
            loops.deviances(samples, starts, found)
        return ResponseNodes(samples, starts, found, error)

    @property
    def absolute(self) -> bool:
        """Whether the error is the absolute one, which asks for the order of the responses."""
        return self.error == ABSOLUTE

    @property
    def sizes(self) -> Array:
        """The number of samples of each node."""
        return np.asarray(self.starts[1:] - self.starts[:-1])

    @property
    def pure(self) -> Array:
        """Whether the responses of a node are all equal."""
        responses = self.samples.responses
        return np.asarray(responses[self.starts[:-1]] == responses[self.starts[1:] - 1])

    @property
    def weight(self) -> Array:
        """The weight of each node."""
        return np.asarray(self.described[WEIGHT])

    @property
    def value(self) -> Array:
        """The mean of each node's responses; for absolute error the median, for a user's loss the best prediction."""
        mean = self.error not in (ABSOLUTE, DECLARED)
        return np.asarray(self.described[MEAN] + self.described[REST] if mean else self.described[MEDIAN])

    @property
    def impurity(self) -> Array:
        """The variance, the mean deviation about the median, half the mean Poisson deviance, or the least loss."""
        return np.asarray(self.described[DEVIATION if self.error in (ABSOLUTE, DECLARED) else SPREAD])

    @property
    def unit(self) -> Array:
        """What scores of loops are to be multiplied with."""
        return self.value if self.error == POISSON else np.ones(len(self.value))


@dataclass(frozen=True, eq=False)
class OrderedResponses:
    """The open nodes of a level: ``which`` of its nodes they are, and where each starts in every column's order."""

    values: Array
    missing: Array
    orders: Array
    starts: Array
    nodes: ResponseNodes
    which: Array
    loops: Any

    @staticmethod
    def of(columns: Columns, responses: Array, error: str | ResponseLoss) -> OrderedResponses:
        """Return the root of a sorted training set with these responses, its samples called by their numbers.

        Raises
        ------
        ValueError
            If the error is none of ``ERRORS``.
        """
        place, loops = _loops(error)
        rows = np.argsort(responses, kind="stable").astype(columns.orders.dtype)
        number = np.empty_like(rows)
        number[rows] = np.arange(len(rows))
        weights = columns.weights[rows] if len(columns.weights) else columns.weights
        samples, starts = Samples(rows, np.asarray(responses, dtype=float)[rows], weights), np.array([0, len(rows)])
        nodes = ResponseNodes.of(samples, starts, place, loops)
        orders = _called(columns, number)
        return OrderedResponses(columns.values, columns.missing, orders, starts, nodes, np.zeros(1, np.int64), loops)

    @property
    def sizes(self) -> Array:
        """The number of samples of each node."""
        return np.asarray(self.starts[1:] - self.starts[:-1])

    @property
    def bases(self) -> Array:
        """The first number of each node."""
        return np.asarray(self.nodes.starts[self.which])

    @functools.cached_property
    def ordered(self) -> Ordered:
        """What loops take of the open nodes."""
        return Ordered(self.orders, self.starts, self.bases, self.known())

    def value(self, feature: Any, place: Array) -> Array:
        """Return the value at a place of a feature's order."""
        return np.asarray(
            self.values[feature, self.nodes.samples.rows[self.orders[feature, place] >> self.orders.dtype.type(1)]]
        )

    def known(self) -> Array:
        """Count the samples of each node that have a value, ``(d, m)``."""
        found = np.empty((len(self.values), len(self.which)), np.int64)
        found[:] = self.sizes
        for f in np.flatnonzero(self.missing):
            lost = np.isnan(self.value(f, np.arange(self.starts[-1])))
            found[f] -= np.add.reduceat(lost.astype(np.int64), self.starts[:-1])
        return found

    def ends(self) -> tuple[Array, Array]:
        """Return the first and the last value of each feature in each node, ``(d, m)``; missing values are last."""
        features = np.arange(len(self.values))[:, None]
        return self.value(features, self.starts[:-1]), self.value(features, self.starts[1:] - 1)

    def children(self, left_sizes: Array, pays: Array, side: Array, target: Array) -> ResponseNodes:
        """Return the children of the nodes that pay, of which ``side`` marks who goes left.

        ``target[number]`` becomes twice the new number of each sample, plus its side.
        """
        starts = starts_of(np.stack([left_sizes, self.sizes - left_sizes], axis=1)[pays].reshape(-1))
        samples = Samples(*(np.empty(starts[-1] if len(a) else 0, a.dtype) for a in self.nodes.samples))
        self.loops.renumber(self.ordered, pays, side, self.nodes.samples, samples, target, starts)
        return ResponseNodes.of(samples, starts, self.nodes.error, self.loops)

    def constant(self) -> Array:
        """Tell which features hold one value in which node, ``(m, d)``; a missing value is a value of its own."""
        low, high = self.ends()
        return np.asarray(((low == high) | np.isnan(low)).T)


def _loops(error: str | ResponseLoss) -> tuple[int, Any]:
    """Return the number of an error, and the loops for it."""
    from splitcrit.trees.scan import scan_squared

    if error not in ERRORS:
        raise ValueError(complaint(f"the error is one of {', '.join(ERRORS)}", repr(error), "pick one"))
    return ERRORS.index(error), scan_squared


def _called(columns: Columns, number: Array) -> Array:
    """Return the orders of the columns with numbers for rows, and marks on values equal to the one before."""
    found = np.empty_like(columns.orders)
    for order, values, out in zip(columns.orders, columns.values, found, strict=True):
        rows = order >> order.dtype.type(columns.bits)
        ordered = values[rows]
        out[:] = number[rows] << number.dtype.type(1)
        out[1:] |= (ordered[1:] == ordered[:-1]) | np.isnan(ordered[:-1])
    return found


def best_regression_splits(
    front: OrderedResponses, limits: Limits, side: Array, *, drawn: Array | None = None, keys: Array | None = None
) -> LevelSplits:
    """Return the best split of every open node of a level.

    Parameters
    ----------
    front : Front
    limits : Limits
    side : uint8 array (n,)
        Where to mark, by number, the samples that go left.
    drawn : int array (m, d), optional
        The rank of each feature in the node's drawn order, -1 where it is not drawn; by default 0, 1, ... for all.
    keys : uint64 array (m,), optional
        If given, one random threshold a feature is tried instead of all.
    """
    nodes, m = front.nodes, len(front.which)
    ranks = np.arange(len(front.values))[None] if drawn is None else drawn
    known = front.ordered.known
    places = NOWHERE if keys is None else random_places(keys, front.value, front.starts, known)
    tried = Tried(ranks, places.places, places.goes)
    described, unit = np.ascontiguousarray(nodes.described[:, front.which]), nodes.unit[front.which]
    band = TIE * nodes.impurity[front.which]
    rule = Limited(nodes.error, band / unit, int(limits.least), float(limits.lightest))
    feature, left_sizes, below, above = np.empty((4, m), np.int64)
    found = Chosen(feature, np.zeros(m, dtype=bool), np.empty(m), left_sizes, below, above)
    front.loops.best(front.ordered, nodes.samples, described, tried, rule, side, found)
    threshold, split = np.full(m, np.nan), feature >= 0
    if keys is None:
        f, low, high = feature[split], below[split], above[split]
        threshold[split] = midpoint(front.values[f, low], np.where(high < 0, np.nan, front.values[f, high]))
    else:
        threshold[split] = places.cuts[split, feature[split]]
    none = np.full(m, -1)
    return LevelSplits(feature, threshold, found.missing_left, found.score * unit, band, NO_WEIGHTS, left_sizes, none)
