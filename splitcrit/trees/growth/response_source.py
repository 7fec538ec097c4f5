"""A whole tree of responses that are numbers in the compiled loop: samples laid out, and its rows read back as a tree.

Main definitions: ``grow_regression``; ``tree_of_responses``, ``with_decreases``; ``numbered_orders``,
``category_codes``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.losses.response_losses import ResponseLoss
from splitcrit.nulls.calibration import Calibrated
from splitcrit.trees.growth.category_ranks import EXACT, ORDER, RANDOM, SEVERAL, Recoding
from splitcrit.trees.growth.column_choice import comparison_of
from splitcrit.trees.growth.grown_tree import GrownTree, finished, root_rows
from splitcrit.trees.growth.growth_options import GrowthOptions
from splitcrit.trees.growth.one_loop import Ranks, recoded, rows_of
from splitcrit.trees.growth.records import (
    HEAVY,
    CategoryCodes,
    ColumnComparison,
    ListedResponsesSource,
    NoCategories,
    NoComparison,
    NodeResponses,
    PresortedResponsesSource,
    RandomResponsesSource,
    TriedFeatures,
)
from splitcrit.trees.growth.source_choice import SourceKind, TrainingShape, source_of
from splitcrit.trees.growth.weights import scale_of
from splitcrit.trees.scan import Columns
from splitcrit.trees.scan.poisson_deviance import excess
from splitcrit.trees.scan.records import DECLARED, ERRORS, Samples
from splitcrit.trees.scan.user_loss_search import Callbacks, refuse_wrong

Error = str | ResponseLoss | Calibrated


def grow_regression(
    x: Array, y: Array, weights: Array | None = None, error: Error = "squared_error",
    growing: GrowthOptions = GrowthOptions(), *, ranks: Ranks | None = None,  # noqa: B008
) -> GrownTree:  # fmt: skip
    """Return the regression tree of a training set, grown in one compiled loop.

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
    scale = scale_of(weights, None if isinstance(error, Calibrated) else 0)
    kind, _ = source_of(TrainingShape(len(x), x.shape[1], 0), error, growing)
    heavy = None if weights is None else scale.weights(weights)
    growing = replace(growing, stopping=scale.stopping(growing.stopping))
    tree = _in_one_loop(kind, x, y, heavy, error, growing, ranks)
    return finished(with_decreases(tree, error.error or "" if isinstance(error, Calibrated) else error), growing, scale)


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
    kind: SourceKind, x: Array, y: Array, weights: Array | None, error: Error, growing: GrowthOptions,
    ranks: Ranks | None,
) -> GrownTree:  # fmt: skip
    """Return the tree that one compiled loop grows."""
    (n, d), rows, orders, recoding = x.shape, np.argsort(y, kind="stable"), np.empty((0, 0)), growing.recoding
    if kind is SourceKind.PRESORTED_RESPONSES:
        columns = Columns.of(x, np.zeros(n, np.int64), 1)
        orders, ranks = numbered_orders(columns, rows), Ranks.unsorted(columns.values)
    ranks = ranks or Ranks.of(x, growing.random)
    kept = np.empty(0) if weights is None else weights[rows]
    samples = Samples(rows.astype(np.uint32 if n < 2**31 else np.int64), np.asarray(y, dtype=float)[rows], kept)
    own, calls, place = None, None, DECLARED
    comparison: ColumnComparison | NoComparison = NoComparison()
    if isinstance(error, Calibrated):
        comparison = comparison_of(error, growing, (d, n), int(kept.sum()) if len(kept) else n)
        error = error.error or ""
    if isinstance(error, ResponseLoss):
        refuse_wrong(error, samples.responses)
        own = (calls := Callbacks(error)).space(samples)
    else:
        place = ERRORS.index(error)
    listed = NodeResponses.of(samples, ranks.ranks, ranks.lost, ranks.values, place, own)
    coded = NoCategories() if recoding is None else category_codes(recoding, ranks.values.dtype)
    make: Any = RandomResponsesSource if growing.random else ListedResponsesSource
    source = make(listed, TriedFeatures.of(d), coded, comparison)
    if kind is SourceKind.PRESORTED_RESPONSES:
        source = PresortedResponsesSource.of(listed, orders)
    tree = tree_of_responses(source, n, growing)
    if calls is not None and own is not None:
        calls.refuse_failed(own)
    return tree


def numbered_orders(columns: Columns, rows: Array) -> Array:
    """Return orders ``number << 1 | same`` of columns, ``rows`` being those of the samples by number."""
    number, found = np.empty(len(rows), columns.orders.dtype), np.empty_like(columns.orders)
    number[rows] = np.arange(len(rows))
    for order, values, out in zip(columns.orders, columns.values, found, strict=True):
        index = order >> order.dtype.type(columns.bits)
        ordered = values[index]
        out[:] = number[index] << number.dtype.type(1)
        out[1:] |= (ordered[1:] == ordered[:-1]) | np.isnan(ordered[:-1])
    return found


def category_codes(recoding: Recoding, kind: Any = np.float32) -> CategoryCodes:
    """Return the columns of categories as compiled loops take them, with space for sums of responses."""
    of_classes = CategoryCodes.of(recoding, 1, True, kind)
    return of_classes._replace(node=of_classes.node._replace(table=np.empty((len(of_classes.node.table), 3))))


def tree_of_responses(source: Any, samples: int, growing: GrowthOptions) -> GrownTree:
    """Return the tree that one compiled loop grows from a source of as many samples, without scores."""
    recoding, held = growing.recoding, 0
    if recoding is not None:
        held = int(recoding.levels.max()) + 1
    rows = rows_of(source, root_rows(np.zeros(3), samples, growing.root_key, held), None, growing)
    if recoding is not None:
        rest = SEVERAL if source.listed.error == DECLARED else ORDER
        tried = np.where(rows.held[:, -1], EXACT, RANDOM if growing.random else rest)
        rows = recoded(rows, recoding, tried, rows.reals[:, HEAVY])
    _, left, right, feature, depth, size, *_, lost = np.ascontiguousarray(rows.links.T)
    threshold, weight, value, impurity = np.ascontiguousarray(rows.reals.T)
    goes = (left >= 0) & np.where(lost > 0, lost == 2, 2 * size[left] > size)
    tree = replace(GrownTree.leaves(depth, size, weight[:, None]), value=value, impurity=impurity, missing_left=goes)
    return replace(tree, feature=feature, threshold=threshold, left=left, right=right)
