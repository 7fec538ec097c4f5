"""Candidates for responses that are numbers: all thresholds, or one at random, of every open node of a level.

Main definitions: ``grow_regression``, ``ResponseSource``; ``tree_of_responses``, ``with_decreases``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.losses.response_losses import ResponseLoss
from splitcrit.nulls.calibration import Calibrated
from splitcrit.trees.growth.column_choice import calibrated_features, comparison_of
from splitcrit.trees.growth.driver import Draws, LevelNodes, Step, grown_by_level
from splitcrit.trees.growth.grown_tree import GrownTree, finished, root_rows
from splitcrit.trees.growth.growth_options import GrowthOptions
from splitcrit.trees.growth.one_loop import Ranks, rows_of
from splitcrit.trees.growth.records import (
    ColumnComparison,
    NodeResponses,
    RandomResponsesSource,
    ResponsesSource,
    TriedFeatures,
)
from splitcrit.trees.growth.source_choice import SourceKind, TrainingShape, source_of
from splitcrit.trees.growth.weights import scale_of
from splitcrit.trees.scan import Columns, Limits, response_search
from splitcrit.trees.scan.poisson_deviance import excess
from splitcrit.trees.scan.records import ERRORS, Samples
from splitcrit.trees.scan.response_search import OrderedResponses, best_regression_splits, starts_of
from splitcrit.trees.scan.user_loss_search import refuse_wrong

Error = str | ResponseLoss | Calibrated


def grow_regression(
    x: Array, y: Array, weights: Array | None = None, error: Error = "squared_error",
    growing: GrowthOptions = GrowthOptions(), *, ranks: Ranks | None = None,  # noqa: B008
) -> GrownTree:  # fmt: skip
    """Return the regression tree of a training set, grown level by level or, which is the same, in one compiled loop.

    Parameters
    ----------
    x : float32 or float64 array (n, d)
        nan is a missing value.
    y : float array (n,)
        Finite responses.
    weights : float array (n,), optional
        Positive sample weights; 1 by default.
    error : {"squared_error", "absolute_error", "poisson"}, ResponseLoss or Calibrated
        Scores are decreases of the variance, of the mean deviation about the median, or of half the mean Poisson
        deviance, of responses from 0; the last leaves a response above 0 on both sides. A user's loss is
        searched in numpy. ``Calibrated`` compares features by its own rule, and their splits by its error.
    growing : GrowthOptions
        A node whose responses are all equal is a leaf in any case; there is no look-ahead.
    ranks : Ranks, optional
        Those of the features, where they are known.

    Examples
    --------
    >>> import numpy as np
    >>> tree = grow_regression(np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 0.0, 3.0]))
    >>> tree.threshold[0], tree.value.tolist(), tree.score[0]
    (np.float64(1.5), [1.0, 0.0, 3.0], np.float64(2.0))
    """
    selecting = error if isinstance(error, Calibrated) else None
    scale = scale_of(weights, None if selecting else 0)
    (n, d), missing = x.shape, bool(np.isnan(x.min()))
    kind, _ = source_of(TrainingShape(n, d, 0, missing=missing), error, growing)
    if isinstance(error, Calibrated):
        kind, error = SourceKind.LEVELS, error.error or ""
    if isinstance(error, ResponseLoss):
        refuse_wrong(error, np.asarray(y, dtype=float))
    heavy = None if weights is None else scale.weights(weights)
    growing = replace(growing, stopping=scale.stopping(growing.stopping))
    if kind is SourceKind.RESPONSES and isinstance(error, str):
        tree = _in_one_loop(x, y, heavy, error, growing, ranks)
    else:
        columns = Columns.of(x, np.zeros(len(y), np.int64), 1, heavy)
        source = ResponseSource.of(OrderedResponses.of(columns, y, error), growing, selecting)
        tree = grown_by_level(source, growing)
    return finished(with_decreases(tree, error), growing, scale)


def with_decreases(tree: GrownTree, error: Error) -> GrownTree:
    """Return a tree with the decreases of impurity as scores of its splits."""
    inner, score = tree.left >= 0, tree.score.copy()
    score[inner] = _saved(tree, inner, error) / tree.weights[inner, 0]
    return replace(tree, score=score)


def _saved(tree: GrownTree, inner: Array, error: Error) -> Array:
    """Return the decrease of risk from parent to children, times weight; nearly equal means cost no digits."""
    weight, sides = tree.weights[:, 0], (tree.left[inner], tree.right[inner])
    if error == "poisson":
        mean = tree.value[inner]
        return np.asarray(sum(weight[side] * mean * excess((tree.value[side] - mean) / mean) for side in sides))
    risk = weight * tree.impurity
    return np.asarray(risk[inner] - risk[sides[0]] - risk[sides[1]])


def _in_one_loop(
    x: Array, y: Array, weights: Array | None, error: str, growing: GrowthOptions, ranks: Ranks | None
) -> GrownTree:
    """Return the tree that one compiled loop grows."""
    ranks, rows = ranks or Ranks.of(x, growing.random), np.argsort(y, kind="stable")
    kept = np.empty(0) if weights is None else weights[rows]
    samples = Samples(rows.astype(np.uint32 if len(y) < 2**31 else np.int64), np.asarray(y, dtype=float)[rows], kept)
    listed = NodeResponses.of(samples, ranks.ranks, ranks.lost, ranks.values, ERRORS.index(error))
    make = RandomResponsesSource if growing.random else ResponsesSource
    return tree_of_responses(make(listed, TriedFeatures.of(x.shape[1])), len(y), growing)


def tree_of_responses(source: Any, samples: int, growing: GrowthOptions) -> GrownTree:
    """Return the tree that one compiled loop grows from a source of as many samples, without scores."""
    rows = rows_of(source, root_rows(np.zeros(3), samples, growing.root_key), None, growing)
    _, left, right, feature, depth, size, *_, lost = np.ascontiguousarray(rows.links.T)
    threshold, weight, value, impurity = np.ascontiguousarray(rows.reals.T)
    goes = (left >= 0) & np.where(lost > 0, lost == 2, 2 * size[left] > size)
    tree = replace(GrownTree.leaves(depth, size, weight[:, None]), value=value, impurity=impurity, missing_left=goes)
    return replace(tree, feature=feature, threshold=threshold, left=left, right=right)


@dataclass(frozen=True, eq=False)
class ResponseSource:
    """The open nodes of a level; ``side``, ``target`` and ``spare`` are space to mark, renumber and move samples."""

    front: OrderedResponses
    growing: GrowthOptions
    side: Array
    target: Array
    spare: Array
    comparison: ColumnComparison | None

    @staticmethod
    def of(front: OrderedResponses, growing: GrowthOptions, selecting: Calibrated | None = None) -> ResponseSource:
        """Return the root of a training set; ``selecting`` compares features, None: they are by their scores."""
        d, n = front.orders.shape
        target, spare = np.empty(n, front.orders.dtype), np.empty((d, n + 1), front.orders.dtype)
        comparison, weights = None, front.nodes.samples.weights
        if selecting is not None:
            comparison = comparison_of(selecting, growing, (d, n), int(weights.sum()) if len(weights) else n)
        return ResponseSource(front, growing, np.zeros(n, np.uint8), target, spare, comparison)

    def root(self) -> LevelNodes:
        """Return the root."""
        return _summary(self.front.nodes)

    def split(self, draws: Draws) -> Step:
        """Return the best candidate of each open node, which of them pay, and the children of these."""
        front, recoding, stopping = self.front, self.growing.recoding, self.growing.stopping
        keys = draws.keys if self.growing.random else None
        limits = Limits(stopping.min_samples_leaf, stopping.min_weight_leaf)
        early = self.comparison is not None and draws.count is None  # the choice needs no ranks
        drawn = self.drawn(draws) if early else None
        if recoding is not None:
            recoding.rank_responses(front, limits, keys, drawn)
        drawn = drawn if early else self.drawn(draws)
        splits = best_regression_splits(front, limits, self.side, drawn=drawn, keys=keys)
        pays = (splits.feature >= 0) & stopping.pays(splits.score, splits.band)
        if recoding is not None:
            feature, threshold = recoding.take(np.where(pays, splits.feature, -1), splits.threshold)
            splits = replace(splits, feature=feature, threshold=threshold)
        children = front.children(splits.left_sizes, pays, self.side, self.target)
        return Step(pays, splits, _summary(children), children)

    def drawn(self, draws: Draws) -> Array | None:
        """Return the ranks ``(m, d)`` of the features that are searched at each node, -1 where not; None: all are."""
        recoding, front = self.growing.recoding, self.front
        drawn = draws.ranks(front.constant, recoding)
        return drawn if self.comparison is None else calibrated_features(front, self.comparison, drawn)

    def divide(self, step: Step, opened: Array) -> ResponseSource:
        """Return the open children; the orders of the level before are space for those of the next."""
        front, sizes = self.front, step.children.sizes
        front.loops.partition(front.orders, front.starts, step.pays, self.target, sizes, opened, self.spare)
        spare = front.orders if front.orders.shape == self.spare.shape else np.empty_like(self.spare)
        which, places = np.flatnonzero(opened), starts_of(sizes[opened])
        front = replace(front, orders=self.spare, starts=places, nodes=step.held, which=which)
        return replace(self, front=front, spare=spare)


def _summary(nodes: response_search.ResponseNodes) -> LevelNodes:
    return LevelNodes(nodes.sizes, nodes.weight[:, None], nodes.pure, np.stack([nodes.value, nodes.impurity]))
