"""The level-wise builder for responses that are numbers: ``grow`` with variance or absolute deviation.

Main definitions: ``GrownRegression`` (a tree as arrays, depth first), ``grow_regression``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.growth.arrays import best_first, numbered
from splitcrit.growth.categories import Recoding
from splitcrit.growth.stopping import Stopping
from splitcrit.growth.weights import scale_of
from splitcrit.search import Columns, Limits
from splitcrit.search import engine as loops
from splitcrit.search.draws import drawn_ranks, root_key, side_keys
from splitcrit.search.regression import Chosen, Front, Nodes, best_regression_splits
from splitcrit.search.scoring import TIE

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
    *, max_features: int | None = None, max_leaf_nodes: int | None = None, splitter: str = "best", seed: int = 0,
    engine: Any = None, recoding: Recoding | None = None,
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
    splitter : {"best", "random"}
        The best threshold of each feature, or one at random.
    seed : int
        What the draws depend on, with the path from the root.
    engine : module, optional
        The loops, ``search.engine(...)``; compiled by default where numba is installed.
    recoding : Recoding, optional
        The categorical columns; splits by them are splits of its subsets' columns.

    Examples
    --------
    >>> import numpy as np
    >>> tree = grow_regression(np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 0.0, 3.0]))
    >>> tree.threshold[0], tree.value.tolist(), tree.score[0]
    (np.float64(1.5), [1.0, 0.0, 3.0], np.float64(2.0))
    """
    scale = scale_of(weights, 0)
    heavy = None if weights is None else scale.weights(weights)
    columns = Columns.of(x, np.zeros(len(y), np.int64), 1, heavy, loops() if engine is None else engine)
    growth = _Growth(Front.of(columns, y, error), scale.stopping(stopping), max_features, splitter, seed, recoding)
    while growth.open:
        growth.step()
    tree: Any = growth.tree()
    tree = numbered(tree, tree.left >= 0)
    if max_leaf_nodes is not None:
        tree = best_first(tree, max_leaf_nodes)
    found: GrownRegression = replace(tree, weights=scale.restored(tree.weights, tree.score)[0])
    return found


def _starts(sizes: Array) -> Array:
    """Return where each of some nodes starts if they stand side by side, and where the last stops."""
    found = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=found[1:])
    return found


class _Growth:
    """A tree in the making: the nodes and the splits of finished levels, and the open nodes of the next."""

    def __init__(
        self, front: Front, stopping: Stopping, max_features: int | None, splitter: str, seed: int,
        recoding: Recoding | None = None,
    ) -> None:  # fmt: skip
        self.recoding = recoding
        self.front, self.stopping, self.max_features, self.splitter = front, stopping, max_features, splitter
        self.limits = Limits(stopping.min_samples_leaf, stopping.min_weight_leaf)
        d, n = front.orders.shape
        self.spare = np.empty((d, n + 1), front.orders.dtype)
        self.side, self.target = np.zeros(n, np.uint8), np.empty(n, front.orders.dtype)
        self.born, self.splits = [front.nodes], list[tuple[Array, Chosen]]()
        self.keys, self.count = root_key(seed)[None], 1
        self.open = bool(self._open(front.nodes)[0])

    def _open(self, nodes: Nodes) -> Array:
        return np.asarray(~nodes.pure & self.stopping.open(nodes.sizes, len(self.splits)))

    def step(self) -> None:
        """Split the open nodes of a level and open the next."""
        front, drawn = self.front, None
        keys = self.keys if self.splitter == "random" else None
        if self.recoding is not None:
            self.recoding.rank_responses(front, self.limits, keys)
        if self.max_features is not None:
            drawn = drawn_ranks(self.keys, front.constant(), self.max_features)
        splits = best_regression_splits(front, self.limits, self.side, drawn=drawn, keys=keys)
        pays = (splits.feature >= 0) & self.stopping.pays(splits.score, TIE * front.nodes.impurity[front.which])
        if self.recoding is not None:
            splits = self.recoding.take_responses(splits, front)
        self.splits.append((self.count - len(front.nodes.weight) + front.which[pays], splits.those(pays)))
        self.open = bool(pays.any())
        if self.open:
            self._descend(splits.left_sizes, pays)

    def _descend(self, left_sizes: Array, pays: Array) -> None:
        """Describe the children of the splits that pay, and share out the orders among those that stay open."""
        front, loops = self.front, self.front.loops
        sizes = np.stack([left_sizes, front.sizes - left_sizes], axis=1)[pays].reshape(-1)
        starts = _starts(sizes)
        rows, responses, heft = (np.empty(starts[-1] if len(a) else 0, a.dtype) for a in front.nodes.samples)
        samples = rows, responses, heft
        given = (front.bases, front.sizes, pays, self.side, front.nodes.samples)
        loops.renumber(*given, samples, self.target, starts)
        nodes = Nodes.of(samples, starts, front.nodes.absolute, loops)
        self.born.append(nodes)
        self.count += len(sizes)
        opened = self._open(nodes)
        self.open = bool(opened.any())
        if not self.open:
            return
        loops.partition(front.orders, front.starts, pays, self.target, sizes, opened, self.spare)
        room = front.orders if front.orders.shape == self.spare.shape else np.empty_like(self.spare)
        which, places = np.flatnonzero(opened), _starts(sizes[opened])
        self.front, self.spare = replace(front, orders=self.spare, starts=places, nodes=nodes, which=which), room
        if self.max_features is not None or self.splitter == "random":
            self.keys = np.stack(side_keys(self.keys), axis=1)[pays].reshape(-1)[opened]

    def tree(self) -> GrownRegression:
        """Return the finished tree, numbered level by level."""
        n, born = self.count, self.born
        feature, threshold, score = np.full(n, -1), np.full(n, np.nan), np.full(n, np.nan)
        left, right, goes = np.full(n, -1), np.full(n, -1), np.zeros(n, dtype=bool)
        names = ("sizes", "weight", "value", "impurity")
        size, weight, value, impurity = (np.concatenate([getattr(nodes, name) for nodes in born]) for name in names)
        depth = np.repeat(np.arange(len(born)), [len(nodes.weight) for nodes in born])
        count = 1
        for ids, splits in self.splits:
            feature[ids], goes[ids] = splits.feature, splits.missing_left
            threshold[ids] = splits.thresholds(self.front.values)
            left[ids] = count + 2 * np.arange(len(ids))
            right[ids] = left[ids] + 1
            count += 2 * len(ids)
        inner = left >= 0
        risk = weight * impurity
        score[inner] = (risk[inner] - risk[left[inner]] - risk[right[inner]]) / weight[inner]
        weights = weight[:, None]
        return GrownRegression(feature, threshold, left, right, score, depth, size, weights, goes, value, impurity)
