"""The level-wise builder: the tree of ``reference.build``, all open nodes of a level at a time over the kernel.

Main definitions: ``grow``, which returns a ``Grown``; ``assembled``, the tree of its levels.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.growth.arrays import Grown, best_first, numbered
from splitcrit.growth.categories import Recoding
from splitcrit.growth.descent import Born, constant_features, open_nodes, shared_out
from splitcrit.growth.look_ahead import Ahead, LookAhead
from splitcrit.growth.selection import chosen_features, selecting, surprising, tested_nodes
from splitcrit.growth.stopping import Stopping
from splitcrit.growth.weights import scale_of
from splitcrit.growth.whole import grown_whole
from splitcrit.search import Columns, Level, Limits, Splits, best_splits, usable_form
from splitcrit.search.draws import drawn_ranks, root_key, side_keys
from splitcrit.search.random import random_splits
from splitcrit.search.scoring import formula_scores
from splitcrit.values import complaint

__all__ = ["Grown", "assembled", "best_first", "grow", "numbered"]

Array = NDArray[Any]


def grow(
    columns: Columns, criterion: Criterion, stopping: Stopping = Stopping(), *, max_features: int | None = None,  # noqa: B008
    max_leaf_nodes: int | None = None, splitter: str = "best", seed: int = 0, recoding: Recoding | None = None,
    by_level: bool = False, look_ahead: LookAhead | None = None,
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
    look_ahead : LookAhead, optional
        How many of a node's best splits are judged by the splits of their children, too.

    Raises
    ------
    ValueError
        If ``look_ahead`` meets random splits or categorical columns, or ``max_selected`` one of them or missing values.

    Examples
    --------
    >>> import numpy as np
    >>> from splitcrit import decrease, gini
    >>> columns = Columns.of(np.array([[0.0], [1.0], [2.0]]), np.array([0, 0, 1]), 2)
    >>> grow(columns, decrease(gini)).threshold
    array([1.5, nan, nan])
    """
    tree, ahead = None, look_ahead is not None and look_ahead.count > 1
    scale = scale_of(columns.weights, criterion.degree, stopping.max_pvalue)
    columns, stopping = replace(columns, weights=scale.weights(columns.weights)), scale.stopping(stopping)
    if ahead:
        selecting(criterion, False, "look_ahead")
    if ahead and (splitter == "random" or recoding is not None):
        rule, got = "look_ahead compares all thresholds", "random ones" if recoding is None else "categorical columns"
        raise ValueError(complaint(rule, got, "pass look_ahead=None"))
    if splitter == "best" and recoding is None and not by_level and not ahead:
        tree = grown_whole(columns, criterion, stopping, max_features, seed)
    if tree is None:
        growth = _Growth(columns, criterion, stopping, max_features, splitter, seed, recoding, look_ahead)
        while growth.open:
            growth.step()
        tree = growth.tree()
    tree = tree if max_leaf_nodes is None else best_first(tree, max_leaf_nodes)
    weights, score = scale.restored(tree.weights, tree.score)
    return replace(tree, weights=weights, score=score)


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
        look_ahead: LookAhead | None = None,
    ) -> None:
        self.columns, self.stopping, self.max_features = columns, stopping, max_features
        self.recoding = recoding
        self.limits = Limits(stopping.min_samples_leaf, stopping.min_weight_leaf)
        self.splitter, self.draws = splitter, splitter == "random" or max_features is not None
        others = "random thresholds" * (splitter == "random") or "categorical columns" * (recoding is not None)
        self.selecting = selecting(criterion, bool(columns.missing.any()), others)
        self.criterion = criterion if self.selecting is None else self.selecting.cut
        self.form = usable_form(columns, self.criterion, self.limits)
        shared = (self.criterion, stopping, self.limits, self.form, max_features)
        self.ahead = None if look_ahead is None or look_ahead.count == 1 else Ahead(look_ahead, *shared)
        n = len(columns.codes)
        totals = np.bincount(columns.codes, columns.weights if len(columns.weights) else None, columns.classes)
        self.spare = np.empty((len(columns.orders), n + 1), columns.orders.dtype)
        self.side = np.zeros(n, np.uint8)
        self.depth, self.count = 0, 1
        self.levels: list[dict[str, Array]] = []
        self.level = Level(np.array([0, n]), totals[None].astype(float))
        self.ids, self.keys = np.zeros(1, np.int64), root_key(seed)[None]
        self.sizes, self.totals = np.array([n]), self.level.totals
        self.open = bool(open_nodes(stopping, self.level.totals, self.sizes, 0)[0])

    def step(self) -> None:
        """Split the open nodes of a level and open the next."""
        columns, level = self.columns, self.level
        if self.recoding is not None:
            keys = self.keys if self.splitter == "random" else None
            self.recoding.rank_classes(columns, level, self.criterion, self.limits, keys)
        drawn = None
        if self.max_features is not None:
            drawn = drawn_ranks(self.keys, constant_features(columns, level), self.max_features)
        data = (columns, level, self.criterion, self.limits)
        if self.selecting is not None:
            drawn = chosen_features(self.selecting, columns, level, self.limits.least, drawn)
        if self.splitter == "random":
            splits = random_splits(*data, self.keys, drawn=drawn, side=self.side)
        else:
            splits = best_splits(*data, form=self.form, drawn=drawn, side=self.side)
        sides = splits.left, level.totals - splits.left
        if self.selecting is not None:
            test = tested_nodes(self.selecting, columns, level, self.limits.least, splits.feature)
            pays = surprising(self.stopping, test, splits.feature)
        else:
            pays = self.stopping.splits(self.criterion, splits.score, splits.band, *sides) & (splits.feature >= 0)
        if self.ahead is not None and pays.any():
            splits = self.ahead.choose(columns, level, splits, pays, self.depth, drawn, self.keys, self.side)
        feature, threshold = splits.feature, splits.threshold
        if self.recoding is not None:
            feature, threshold = self.recoding.take(feature, threshold)
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
        self.depth += 1
        born = Born.of(level, splits, pays, self.stopping, self.depth)
        ids = np.stack([children, children + 1], axis=1)[pays].reshape(-1)
        self.count += len(ids)
        self.levels[-1] |= {"child_ids": ids, "child_sizes": born.sizes, "child_totals": born.totals}
        self.open = bool(born.opened.any())
        if not self.open:
            return
        self.level = shared_out(columns, level, pays, born, self.side, self.spare)
        room = columns.orders if columns.orders.shape == self.spare.shape else np.empty_like(self.spare)
        self.columns, self.spare = replace(columns, orders=self.spare), room
        self.ids = ids[born.opened]
        if self.draws:
            self.keys = born.of_open(*side_keys(self.keys), pays)

    def tree(self) -> Grown:
        """Return the finished tree, numbered depth first."""
        return assembled(self.levels, self.criterion, int(self.sizes[0]), self.totals[0])


def assembled(levels: list[dict[str, Array]], criterion: Criterion, size: int, totals: Array) -> Grown:
    """Return the tree of its levels, numbered depth first, given the size and class weights of its root.

    A level holds, of its open nodes: ids, feature, threshold, missing_left, children (the id of the left one), pays;
    and of all their children: child_ids, child_sizes, child_totals.
    """
    n = 1 + sum(len(level["child_ids"]) for level in levels)
    feature, threshold, score = np.full(n, -1), np.full(n, np.nan), np.full(n, np.nan)
    left, right, depth = np.full(n, -1), np.full(n, -1), np.zeros(n, np.int64)
    sizes, weights, goes = np.full(n, size), np.zeros((n, len(totals))), np.zeros(n, dtype=bool)
    weights[0] = totals
    for at, level in enumerate(levels):
        pays = level["pays"]
        ids = level["ids"][pays]
        feature[ids], threshold[ids] = level["feature"][pays], level["threshold"][pays]
        left[ids], right[ids] = level["children"][pays], level["children"][pays] + 1
        goes[ids] = level["missing_left"][pays]
        born = level["child_ids"]
        depth[born], sizes[born], weights[born] = at + 1, level["child_sizes"], level["child_totals"]
    inner = left >= 0
    if inner.any():
        sides = (np.ascontiguousarray(weights[side[inner]].T) for side in (left, right))
        score[inner] = formula_scores(criterion, *sides)
    found = Grown(feature, threshold, left, right, score, depth, sizes, weights, goes)
    return numbered(found, np.ones(n, dtype=bool))
