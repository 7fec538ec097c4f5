"""The best threshold of every open node of a level when responses are numbers.

The score of a threshold is how much it lowers the node's variance (squared error) or its mean absolute deviation about
the median (absolute error), as the impurities ``variance`` and ``absolute_deviation`` do; the tie rule is that of
``search``. Responses are centred at each node first, so that large means cost no digits.

Main definitions: ``ERRORS``, ``Responses``, ``Nodes``, ``best_regression_splits``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.kernel import plain, regression_plain
from splitcrit.kernel.columns import Columns, midpoint
from splitcrit.kernel.scoring import TIE
from splitcrit.kernel.search import Limits, Splits

Array = NDArray[Any]
ERRORS = ("squared_error", "absolute_error")


@dataclass(frozen=True, eq=False)
class Responses:
    """Responses ``(n,)``, which error is meant, and the module of the loops."""

    values: Array
    absolute: bool
    loops: Any

    @staticmethod
    def of(values: Array, error: str, columns: Columns) -> Responses:
        """Return the responses of a sorted training set.

        Raises
        ------
        KeyError
            If the error is none of ``ERRORS``.
        """
        absolute = {"squared_error": False, "absolute_error": True}[error]
        loops: Any = regression_plain
        if columns.engine is not plain:
            from splitcrit.kernel import regression_compiled as loops
        return Responses(np.ascontiguousarray(values, dtype=float), absolute, loops)

    def nodes(self, columns: Columns, order: Array, starts: Array) -> Nodes:
        """Return nodes whose samples stand in ``order``, packed as in ``columns``, sorted by response in each."""
        found = np.empty((6, len(starts) - 1))
        self.loops.describe(order, columns.bits, starts, self.values, columns.weights, *found)
        ends = self.values[order[[starts[:-1], starts[1:] - 1]].astype(np.int64) >> columns.bits]
        return Nodes(order, starts, found, ends[0] == ends[1], self.absolute)


@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes of a level: where each starts in every order and in the order of responses, and what describes it."""

    order: Array
    starts: Array
    described: Array
    pure: Array
    absolute: bool

    @property
    def sizes(self) -> Array:
        """The number of samples of each node."""
        return np.diff(self.starts)

    @property
    def weight(self) -> Array:
        """The weight of each node."""
        return self.described[0]

    @property
    def value(self) -> Array:
        """The mean or, for absolute error, the median of each node's responses."""
        return self.described[4] if self.absolute else self.described[1] + self.described[2]

    @property
    def impurity(self) -> Array:
        """The variance or, for absolute error, the mean deviation about the median."""
        return self.described[5 if self.absolute else 3]

    def kept(self, which: Array) -> Nodes:
        """Return some of the nodes, side by side."""
        order = self.order[: self.starts[-1]][np.repeat(which, self.sizes)]
        starts = np.concatenate([[0], np.cumsum(self.sizes[which])])
        return Nodes(order, starts, np.ascontiguousarray(self.described[:, which]), self.pure[which], self.absolute)


def best_regression_splits(
    columns: Columns, responses: Responses, nodes: Nodes, limits: Limits, side: Array, drawn: Array | None = None
) -> Splits:
    """Return the best split of every node of a level; see ``search.best_splits``.

    ``Splits.left`` has the weight of the left side alone, shape ``(m, 1)``.
    """
    d, m, starts = len(columns.values), len(nodes.weight), nodes.starts
    known = columns.known(starts)
    data = (*_centred(columns, responses, nodes), columns.weights, nodes.weight, nodes.weight * nodes.impurity)
    data = (columns.orders, columns.values, starts, known, *data)
    data = (*data, columns.bits, limits.least, float(limits.lightest), responses.absolute)
    best, width = np.empty((d, m)), TIE * nodes.impurity
    responses.loops.scan(*data, np.ones((1, d), dtype=bool) if drawn is None else drawn >= 0, best)
    top = best.max(axis=0)
    reached = (best >= top - width) & np.isfinite(best)
    ranks = np.broadcast_to(np.arange(d)[:, None], (d, m)) if drawn is None else drawn.T
    feature = np.where(reached.any(axis=0), np.where(reached, ranks, d).argmin(axis=0), -1)
    place, goes = np.full(m, -1), np.zeros(m, dtype=bool)
    responses.loops.first(*data, feature, top - width, place, goes)
    return _finished(columns, nodes, known, (feature, place, goes), top, width, side)


def _centred(columns: Columns, responses: Responses, nodes: Nodes) -> tuple[Array, Array, Array]:
    """Return centred responses, and for absolute error weights by place and the place of each sample."""
    n, ranked = len(responses.values), responses.absolute
    found = np.empty(n), np.empty(n if ranked and len(columns.weights) else 0), np.empty(n if ranked else 0, np.int32)
    mean, rest = nodes.described[1:3]
    given = (responses.values, columns.weights, mean, rest, ranked)
    responses.loops.centre(nodes.order, columns.bits, nodes.starts, *given, *found)
    return found


def _finished(
    columns: Columns, nodes: Nodes, known: Array, chosen: tuple[Array, Array, Array], top: Array, width: Array, side: Array
) -> Splits:
    """Return chosen splits with their thresholds and the sizes and weights of their left sides."""
    feature, place, goes = chosen
    m, starts, kept = len(feature), nodes.starts, np.flatnonzero(feature >= 0)
    left, sizes = np.zeros((m, 1)), np.zeros(m, np.int64)
    rest = (columns.weights, columns.bits, side, left, sizes)
    columns.engine.count_left(columns.orders, starts, known, feature, place, goes, *rest)
    f, at = feature[kept], place[kept]
    low = columns.values[f, columns.index(f, at)]
    high = columns.values[f, columns.index(f, np.minimum(at + 1, starts[1:][kept] - 1))]
    last = at + 1 >= starts[:-1][kept] + known[f, kept]
    threshold = np.full(m, np.nan)
    threshold[kept] = midpoint(low, np.where(last, np.nan, high))
    whole = known[feature, np.arange(m)] == nodes.sizes
    return Splits(feature, threshold, np.where(whole, sizes > nodes.sizes - sizes, goes), top, width, left, sizes)
