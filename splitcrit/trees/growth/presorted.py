"""Candidates from columns that are sorted once: all thresholds, or one at random, of every open node of a level.

Main definitions: ``grow``, which returns a ``GrownTree``; ``LevelColumnsSource``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.nulls.calibration import Calibrated
from splitcrit.trees.growth.class_rule import ClassRule
from splitcrit.trees.growth.column_choice import class_rows, node_counts, root_hashes
from splitcrit.trees.growth.driver import Draws, LevelNodes, Step, grown_by_level
from splitcrit.trees.growth.grown_tree import GrownTree, finished, with_scores
from splitcrit.trees.growth.growth_options import GrowthOptions
from splitcrit.trees.growth.one_loop import grown_in_one_loop
from splitcrit.trees.growth.source_choice import TrainingShape, source_of
from splitcrit.trees.growth.weights import scale_of
from splitcrit.trees.scan import Columns, LevelSplits, OpenLevel, best_splits


def grow(
    columns: Columns, criterion: Criterion, growing: GrowthOptions = GrowthOptions(), keep: bool = True,  # noqa: B008
) -> GrownTree:  # fmt: skip
    """Return the tree of a training set, grown level by level or, where it is the same, in one compiled loop.

    Parameters
    ----------
    columns : Columns
        The sorted training set, with class codes and weights.
    criterion : Criterion
    growing : GrowthOptions
    keep : bool
        Whether the columns are left as they are; otherwise their orders may be changed, which spares a copy.

    Raises
    ------
    ValueError
        If ``max_selected`` meets random splits, categorical columns or missing values.

    Examples
    --------
    >>> import numpy as np
    >>> from splitcrit import decrease, gini
    >>> columns = Columns.of(np.array([[0.0], [1.0], [2.0]]), np.array([0, 0, 1]), 2)
    >>> grow(columns, decrease(gini)).threshold
    array([1.5, nan, nan])
    """
    stopping = growing.stopping
    scale = scale_of(columns.weights, criterion.degree)
    if scale.exponent:
        columns = replace(columns, weights=scale.weights(columns.weights))
        growing = replace(growing, stopping=scale.stopping(stopping))
    (d, n), missing = columns.orders.shape, bool(columns.missing.any())
    choice = source_of(TrainingShape(n, d, columns.classes, columns.weights, missing), criterion, growing)
    tree = grown_in_one_loop(columns, choice, criterion, growing, keep)
    if tree is None:
        source = LevelColumnsSource.of(columns, criterion, growing)
        tree = with_scores(grown_by_level(source, growing), source.rule.criterion)
    return finished(tree, growing, scale)


@dataclass(frozen=True, eq=False)
class LevelColumnsSource:
    """The open nodes of a level, segments of the orders of all columns.

    ``side`` is space to mark the samples that go left, ``spare (d, n + 1)`` for the orders of the next level, with a
    last column for waste; ``hashes`` are those of ``root_hashes``.
    """

    columns: Columns
    level: OpenLevel
    rule: ClassRule
    growing: GrowthOptions
    side: Array
    spare: Array
    hashes: Array
    depth: int = 0

    @staticmethod
    def of(columns: Columns, criterion: Criterion, growing: GrowthOptions) -> LevelColumnsSource:
        """Return the root of a training set."""
        n = len(columns.codes)
        rule = ClassRule.of(criterion, growing.stopping)
        totals = np.bincount(columns.codes, columns.weights if len(columns.weights) else None, columns.classes)
        spare, side = np.empty((len(columns.orders), n + 1), columns.orders.dtype), np.zeros(n, np.uint8)
        level = OpenLevel(np.array([0, n]), totals[None].astype(float))
        hashes = root_hashes(rule.selecting, partial(class_rows, columns, level, growing.recoding))
        return LevelColumnsSource(columns, level, rule, growing, side, spare, hashes)

    @property
    def open(self) -> LevelNodes:
        """The open nodes."""
        return LevelNodes.of_classes(self.level.sizes, self.level.totals)

    def root(self) -> LevelNodes:
        """Return the root."""
        return self.open

    def split(self, draws: Draws) -> Step:
        """Return the best candidate of each open node, which of them pay, and the children of these."""
        recoding, splits, pays = self.growing.recoding, *self.best(draws)
        if recoding is not None:
            feature, threshold = recoding.take(np.where(pays, splits.feature, -1), splits.threshold)
            splits = replace(splits, feature=feature, threshold=threshold)
        return self.rule.step(self.open, splits, pays)

    def best(self, draws: Draws) -> tuple[LevelSplits, Array]:
        """Return the best split of each open node by the score of the criterion, and which of them pay."""
        columns, level, rule, keys = self.columns, self.level, self.rule, draws.keys if self.growing.random else None
        early = isinstance(rule.selecting, Calibrated) and draws.count is None  # the choice needs no ranks
        drawn = self.drawn(draws) if early else None
        if self.growing.recoding is not None:
            self.growing.recoding.rank_classes(columns, level, rule.criterion, rule.limits, keys, drawn)
        drawn = drawn if early else self.drawn(draws)
        data = (columns, level, rule.criterion, rule.limits)
        splits = best_splits(*data, drawn=drawn, keys=keys, side=self.side)
        return splits, rule.pays(splits, level.totals, self._table)

    def drawn(self, draws: Draws) -> Array | None:
        """Return the ranks ``(m, d)`` of the features that are searched at each node, -1 where not; None: all are."""
        drawn = draws.ranks(lambda: constant_features(self.columns, self.level), self.growing.recoding)
        shape = len(self.level.sizes), len(self.columns.values)
        rows = partial(class_rows, self.columns, self.level, self.growing.recoding, self.hashes)
        return self.rule.tried(self._table, shape, drawn, rows)

    def _table(self, node: int, feature: int) -> Array:
        return node_counts(self.columns, self.level, node, feature)

    def divide(self, step: Step, opened: Array) -> LevelColumnsSource:
        """Return the open children; the orders of the level before are space for those of the next."""
        from splitcrit.trees.scan.column_loops import partition

        columns, sizes, waste = self.columns, step.children.sizes, self.spare.shape[1] - 1
        starts = np.concatenate([[0], np.cumsum(np.where(opened, sizes, 0))])
        dest, steps = np.full((len(step.pays), 2), waste), np.zeros((len(step.pays), 2), np.int64)
        dest[step.pays] = np.where(opened, starts[:-1], waste).reshape(-1, 2)[:, ::-1]
        steps[step.pays] = opened.reshape(-1, 2)[:, ::-1]
        partition(columns.orders, self.level.starts, self.side, dest, steps, columns.bits, self.spare)
        spare = columns.orders if columns.orders.shape == self.spare.shape else np.empty_like(self.spare)
        level = OpenLevel(np.append(starts[:-1][opened], starts[-1]), step.children.weights[opened])
        columns = replace(columns, orders=self.spare)
        return replace(self, columns=columns, level=level, spare=spare, depth=self.depth + 1)


def constant_features(columns: Columns, level: OpenLevel) -> Array:
    """Tell which features are constant in which node, ``(m, d)``."""
    features = np.arange(len(columns.values))[:, None]
    low, high = (columns.value(features, place) for place in (level.starts[:-1], level.starts[1:] - 1))
    return np.asarray(((low == high) | np.isnan(low)).T)
