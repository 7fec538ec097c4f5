"""The level-wise builder for responses that are numbers: ``grow`` with variance or absolute deviation.

Main definitions: ``GrownRegression`` (a tree as arrays, depth first), ``grow_regression``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.kernel import Columns, Limits, Splits, Stopping
from splitcrit.kernel import engine as loops
from splitcrit.kernel.arrays import best_first, numbered
from splitcrit.kernel.draws import drawn_ranks, root_key, side_keys
from splitcrit.kernel.regression import Nodes, Responses, best_regression_splits

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class GrownRegression:
    """A tree as arrays over its nodes, depth first, left first; a leaf has feature -1 and children -1.

    ``weights`` has shape ``(nodes, 1)``. ``value`` is the mean and ``impurity`` the variance of a node's responses; for
    absolute error the median (halfway between where half the weight is on each side) and the mean deviation about it.
    """

    feature: Array
    threshold: Array
    left: Array
    right: Array
    score: Array
    depth: Array
    size: Array
    weights: Array
    missing_left: Array
    value: Array
    impurity: Array

    def take(self, kept: Array, left: Array, right: Array) -> GrownRegression:
        """Return the nodes ``kept``, with new numbers of their children."""
        chosen = {name: getattr(self, name)[kept] for name in self.__dataclass_fields__}
        return replace(GrownRegression(**chosen), left=left, right=right)


def grow_regression(
    x: Array, y: Array, weights: Array | None = None, error: str = "squared_error",
    stopping: Stopping = Stopping(),  # noqa: B008
    *, max_features: int | None = None, max_leaf_nodes: int | None = None, seed: int = 0, engine: Any = None,
) -> GrownRegression:  # fmt: skip
    """Return the regression tree of a training set, grown level by level.

    Parameters
    ----------
    x : float32 or float64 array (n, d)
        nan is a missing value.
    y : float array (n,)
        Finite responses.
    weights : float array (n,), optional
        Positive sample weights; 1 by default.
    error : {"squared_error", "absolute_error"}
        Scores are decreases of the variance, or of the mean deviation about the median.
    stopping : Stopping
        A node whose responses are all equal is a leaf in any case.
    max_features : int, optional
        How many features are drawn at each node; all of them by default.
    max_leaf_nodes : int, optional
        Keep so many leaves at most, those of the splits best by score times weight.
    seed : int
        What the draws depend on, with the path from the root.
    engine : module, optional
        The loops, ``kernel.engine(...)``; compiled by default where numba is installed.

    Examples
    --------
    >>> import numpy as np
    >>> tree = grow_regression(np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 0.0, 3.0]))
    >>> tree.threshold[0], tree.value.tolist(), tree.score[0]
    (np.float64(1.5), [1.0, 0.0, 3.0], np.float64(2.0))
    """
    columns = Columns.of(x, np.zeros(len(y), np.int64), 1, weights, loops() if engine is None else engine)
    growth = _Growth(columns, Responses.of(y, error, columns), stopping, max_features, seed)
    while growth.open:
        growth.step()
    tree: Any = growth.tree()
    tree = numbered(tree, np.ones(len(tree.left), dtype=bool))
    return tree if max_leaf_nodes is None else best_first(tree, max_leaf_nodes)  # type: ignore[no-any-return]


class _Growth:
    """A tree in the making: what is known of the nodes of finished levels, and the open nodes of the next."""

    def __init__(
        self, columns: Columns, responses: Responses, stopping: Stopping, max_features: int | None, seed: int
    ) -> None:
        self.columns, self.responses, self.stopping, self.max_features = columns, responses, stopping, max_features
        self.limits = Limits(stopping.min_samples_leaf, stopping.min_weight_leaf)
        n = len(responses.values)
        order = np.argsort(responses.values, kind="stable").astype(columns.orders.dtype) << columns.bits
        self.spare = np.empty((len(columns.orders), n + 1), columns.orders.dtype)
        self.side = np.zeros(n, np.uint8)
        self.nodes = responses.nodes(columns, order, np.array([0, n]))
        self.born, self.splits = [self.nodes], list[tuple[Array, Array, Splits]]()
        self.ids, self.keys, self.count = np.zeros(1, np.int64), root_key(seed)[None], 1
        self.open = bool(self._open(self.nodes)[0])

    def _open(self, nodes: Nodes) -> Array:
        return np.asarray(~nodes.pure & self.stopping.open(nodes.sizes, len(self.splits)))

    def step(self) -> None:
        """Split the open nodes of a level and open the next."""
        columns, drawn = self.columns, None
        if self.max_features is not None:
            drawn = drawn_ranks(self.keys, columns.constant(self.nodes.starts), self.max_features)
        splits = best_regression_splits(columns, self.responses, self.nodes, self.limits, self.side, drawn)
        pays = (splits.feature >= 0) & self.stopping.pays(splits.score, splits.band)
        self.splits.append((self.ids, pays, splits))
        self._descend(splits, pays)

    def _descend(self, splits: Splits, pays: Array) -> None:
        """Describe the children of the splits that pay, and share out the orders among those that stay open."""
        columns, nodes = self.columns, self.nodes
        sizes = np.stack([splits.left_sizes, nodes.sizes - splits.left_sizes], axis=1)[pays].reshape(-1)
        order = np.empty((1, len(self.side) + 1), columns.orders.dtype)
        self._share(nodes.order[None], pays, sizes, np.ones(len(sizes), dtype=bool), order)
        ids = self.count + np.arange(len(sizes))
        self.count += len(sizes)
        self.open = len(sizes) > 0
        if not self.open:
            return
        children = self.responses.nodes(columns, order[0], np.concatenate([[0], np.cumsum(sizes)]))
        self.born.append(children)
        opened = self._open(children)
        self.open = bool(opened.any())
        if not self.open:
            return
        self._share(columns.orders, pays, sizes, opened, self.spare)
        orders = columns.orders
        room = orders if orders.shape == self.spare.shape else np.empty_like(self.spare)
        self.columns, self.spare, self.nodes = replace(columns, orders=self.spare), room, children.kept(opened)
        self.ids, self.keys = ids[opened], np.stack(side_keys(self.keys), axis=1)[pays].reshape(-1)[opened]

    def _share(self, orders: Array, pays: Array, sizes: Array, kept: Array, out: Array) -> None:
        """Partition orders among the kept children of the splits that pay; the rest goes to a place to waste."""
        waste = out.shape[1] - 1
        starts = np.concatenate([[0], np.cumsum(np.where(kept, sizes, 0))])
        dest, step = np.full((len(pays), 2), waste), np.zeros((len(pays), 2), np.int64)
        dest[pays] = np.where(kept, starts[:-1], waste).reshape(-1, 2)[:, ::-1]
        step[pays] = kept.reshape(-1, 2)[:, ::-1]
        self.columns.engine.partition(orders, self.nodes.starts, self.side, dest, step, self.columns.bits, out)

    def tree(self) -> GrownRegression:
        """Return the finished tree, numbered level by level."""
        n, born = self.count, self.born
        feature, threshold, score = np.full(n, -1), np.full(n, np.nan), np.full(n, np.nan)
        left, right, goes = np.full(n, -1), np.full(n, -1), np.zeros(n, dtype=bool)
        names = ("sizes", "weight", "value", "impurity")
        size, weight, value, impurity = (np.concatenate([getattr(nodes, name) for nodes in born]) for name in names)
        depth = np.repeat(np.arange(len(born)), [len(nodes.sizes) for nodes in born])
        count = 1
        for ids, pays, splits in self.splits:
            ids = ids[pays]
            feature[ids], threshold[ids], goes[ids] = splits.feature[pays], splits.threshold[pays], splits.missing_left[pays]
            left[ids] = count + 2 * np.arange(len(ids))
            right[ids] = left[ids] + 1
            count += 2 * len(ids)
        inner = left >= 0
        risk = weight * impurity
        score[inner] = (risk[inner] - risk[left[inner]] - risk[right[inner]]) / weight[inner]
        return GrownRegression(
            feature, threshold, left, right, score, depth, size, weight[:, None], goes, value, impurity
        )
