"""The level-wise builder: the tree of ``tree.build``, all open nodes of a level at a time over the kernel.

Main definitions: ``grow``, which returns a ``Grown``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.kernel import Columns, Level, Limits, Splits, Stopping, best_splits, usable_form
from splitcrit.kernel.arrays import Grown, best_first, numbered
from splitcrit.kernel.categories import Recoding
from splitcrit.kernel.draws import drawn_ranks, root_key, side_keys
from splitcrit.kernel.growing import grown_whole
from splitcrit.kernel.random import random_splits
from splitcrit.kernel.scoring import face_scores

__all__ = ["Grown", "best_first", "grow", "numbered"]

Array = NDArray[Any]


def grow(
    columns: Columns, criterion: Criterion, stopping: Stopping = Stopping(), *, max_features: int | None = None,  # noqa: B008
    max_leaf_nodes: int | None = None, splitter: str = "best", seed: int = 0, recoding: Recoding | None = None,
    by_level: bool = False,
) -> Grown:  # fmt: skip
    """Return the tree of a training set, grown level by level.

    Parameters
    ----------
    columns : Columns
        The sorted training set, with class codes and weights.
    criterion : Criterion
    stopping : Stopping
    max_features : int, optional
        How many features are drawn at each node; all of them by default.
    max_leaf_nodes : int, optional
        Keep so many leaves at most, those of the splits best by score times weight.
    splitter : {"best", "random"}
        The best threshold of each feature, or one at random.
    seed : int
        What the draws depend on, with the path from the root.
    recoding : Recoding, optional
        The categorical columns; splits by them are splits of its subsets' columns.
    by_level : bool
        Grow level by level even where one compiled loop would grow the whole tree, which is the same.

    Examples
    --------
    >>> import numpy as np
    >>> from splitcrit import decrease, gini
    >>> columns = Columns.of(np.array([[0.0], [1.0], [2.0]]), np.array([0, 0, 1]), 2)
    >>> grow(columns, decrease(gini)).threshold
    array([1.5, nan, nan])
    """
    tree = None
    if splitter == "best" and recoding is None and not by_level and stopping.max_pvalue is None:
        tree = _grown_whole(columns, criterion, stopping, max_features, seed)
    if tree is None:
        growth = _Growth(columns, criterion, stopping, max_features, splitter, seed, recoding)
        while growth.open:
            growth.step()
        tree = growth.tree()
    return tree if max_leaf_nodes is None else best_first(tree, max_leaf_nodes)


def _grown_whole(
    columns: Columns, criterion: Criterion, stopping: Stopping, max_features: int | None, seed: int
) -> Grown | None:
    """Return the tree that one compiled loop grows; splits without gain are undone where integers tell them."""
    if not stopping.in_integers(criterion):
        return grown_whole(columns, criterion, stopping, max_features, seed)
    tree = grown_whole(columns, criterion, replace(stopping, min_gain=None), max_features, seed)
    if tree is None:
        return None
    inner = np.flatnonzero(tree.left >= 0)
    left, right = (tree.weights[side[inner]] for side in (tree.left, tree.right))
    kept = np.zeros(len(tree.left), dtype=bool)
    kept[inner] = stopping.splits(criterion, tree.score[inner], np.zeros(len(inner)), left, right)
    return numbered(tree, kept)


class _Growth:
    """A tree in the making: the levels that are finished, and the open nodes of the next."""

    def __init__(
        self,
        columns: Columns,
        criterion: Criterion,
        stopping: Stopping,
        max_features: int | None,
        splitter: str,
        seed: int,
        recoding: Recoding | None = None,
    ) -> None:
        self.columns, self.criterion, self.stopping, self.max_features = columns, criterion, stopping, max_features
        self.recoding = recoding
        self.limits = Limits(stopping.min_samples_leaf, stopping.min_weight_leaf)
        self.splitter, self.draws = splitter, splitter == "random" or max_features is not None
        self.form = usable_form(columns, criterion, self.limits)
        n = len(columns.codes)
        totals = np.bincount(columns.codes, columns.weights if len(columns.weights) else None, columns.classes)
        self.spare = np.empty((len(columns.orders), n + 1), columns.orders.dtype)
        self.side = np.zeros(n, np.uint8)
        self.depth, self.count = 0, 1
        self.levels: list[dict[str, Array]] = []
        self.level = Level(np.array([0, n]), totals[None].astype(float))
        self.ids, self.keys = np.zeros(1, np.int64), root_key(seed)[None]
        self.sizes, self.totals = np.array([n]), self.level.totals
        self.open = bool(self._open(self.level.totals, self.sizes, 0)[0])

    def _open(self, totals: Array, sizes: Array, depth: int) -> Array:
        return np.asarray(((totals > 0).sum(axis=1) > 1) & self.stopping.open(sizes, depth))

    def step(self) -> None:
        """Split the open nodes of a level and open the next."""
        columns, level = self.columns, self.level
        if self.recoding is not None:
            keys = self.keys if self.splitter == "random" else None
            self.recoding.rank_classes(columns, level, self.criterion, self.limits, keys)
        drawn = None if self.max_features is None else drawn_ranks(self.keys, self._constant(), self.max_features)
        data = (columns, level, self.criterion, self.limits)
        if self.splitter == "random":
            splits = random_splits(*data, self.keys, drawn=drawn, side=self.side)
        else:
            splits = best_splits(*data, form=self.form, drawn=drawn, side=self.side)
        rest = level.totals - splits.left
        pays = (splits.feature >= 0) & self.stopping.splits(
            self.criterion, splits.score, splits.band, splits.left, rest
        )
        feature, threshold = splits.feature, splits.threshold
        if self.recoding is not None:
            feature, threshold = self.recoding.take(feature, threshold, splits.left_sizes, level.sizes)
        children = np.full(len(pays), -1)
        children[pays] = self.count + 2 * np.arange(pays.sum())
        self.levels.append(
            {"ids": self.ids, "feature": feature, "threshold": threshold,
             "missing_left": splits.missing_left, "children": children, "pays": pays}
        )  # fmt: skip
        self._descend(splits, pays, children)

    def _descend(self, splits: Splits, pays: Array, children: Array) -> None:
        """Make the children of the splits that pay, and share out the orders among those that stay open."""
        columns, level = self.columns, self.level
        on_left = splits.left_sizes
        sizes = np.stack([on_left, level.sizes - on_left], axis=1)[pays]
        totals = np.stack([splits.left, level.totals - splits.left], axis=1)[pays]
        flat_sizes, flat_totals = sizes.reshape(-1), totals.reshape(-1, columns.classes)
        ids = np.stack([children, children + 1], axis=1)[pays].reshape(-1)
        self.depth += 1
        self.count += len(ids)
        opened = self._open(flat_totals, flat_sizes, self.depth)
        self.levels[-1] |= {"child_ids": ids, "child_sizes": flat_sizes, "child_totals": flat_totals}
        self.open = bool(opened.any())
        if not self.open:
            return
        starts = np.concatenate([[0], np.cumsum(np.where(opened, flat_sizes, 0))])
        waste = self.spare.shape[1] - 1
        dest, step = np.full((len(pays), 2), waste), np.zeros((len(pays), 2), np.int64)
        dest[pays] = np.where(opened, starts[:-1], waste).reshape(-1, 2)[:, ::-1]
        step[pays] = opened.reshape(-1, 2)[:, ::-1]
        orders = columns.orders
        columns.engine.partition(orders, level.starts, self.side, dest, step, columns.bits, self.spare)
        room = orders if orders.shape == self.spare.shape else np.empty_like(self.spare)
        self.columns, self.spare = replace(columns, orders=self.spare), room
        self.level = Level(np.append(starts[:-1][opened], starts[-1]), flat_totals[opened])
        self.ids = ids[opened]
        if self.draws:
            self.keys = np.stack(side_keys(self.keys), axis=1)[pays].reshape(-1)[opened]

    def _constant(self) -> Array:
        """Return which features are constant in which open node, ``(m, d)``."""
        first, last = self.level.starts[:-1], self.level.starts[1:] - 1
        features = np.arange(len(self.columns.values))[:, None]
        low, high = (self.columns.values[features, self.columns.index(features, place)] for place in (first, last))
        return np.asarray(((low == high) | np.isnan(low)).T)

    def tree(self) -> Grown:
        """Return the finished tree, numbered depth first."""
        n, k = self.count, self.columns.classes
        feature, threshold, score = np.full(n, -1), np.full(n, np.nan), np.full(n, np.nan)
        left, right, depth = np.full(n, -1), np.full(n, -1), np.zeros(n, np.int64)
        size, weights, goes = np.full(n, self.sizes[0]), np.zeros((n, k)), np.zeros(n, dtype=bool)
        weights[0] = self.totals[0]
        for at, level in enumerate(self.levels):
            pays = level["pays"]
            ids = level["ids"][pays]
            feature[ids], threshold[ids] = level["feature"][pays], level["threshold"][pays]
            left[ids], right[ids] = level["children"][pays], level["children"][pays] + 1
            goes[ids] = level["missing_left"][pays]
            born = level["child_ids"]
            depth[born], size[born], weights[born] = at + 1, level["child_sizes"], level["child_totals"]
        inner = left >= 0
        if inner.any():
            sides = (np.ascontiguousarray(weights[side[inner]].T) for side in (left, right))
            score[inner] = face_scores(self.criterion, *sides)
        found = Grown(feature, threshold, left, right, score, depth, size, weights, goes)
        return numbered(found, np.ones(n, dtype=bool))
