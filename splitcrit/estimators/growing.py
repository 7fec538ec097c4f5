"""From an estimator's parameters to a grown tree: the stopping rules as scikit-learn reads them.

Main definitions: ``stopping_of``, ``grown_classes``, ``grown_responses``, ``impurities_of``.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from splitcrit.arith import FLOAT, shares, total
from splitcrit.criteria import Criterion
from splitcrit.estimators.names import node_impurity
from splitcrit.estimators.reading import Training
from splitcrit.growth import (
    Growing,
    Grown,
    LookAhead,
    Stopping,
    grow,
    grow_drawn,
    grow_regression,
    purely_random,
)
from splitcrit.growth.arrays import best_first, numbered
from splitcrit.growth.categories import Recoding
from splitcrit.growth.stopping import refuse_fractions
from splitcrit.growth.whole import Ranks
from splitcrit.losses.formulas import answer
from splitcrit.search import Columns, engine
from splitcrit.search.compiling import announced
from splitcrit.values import complaint

Array = NDArray[Any]

EPSILON = float(np.finfo(float).eps)


def stopping_of(estimator: Any, training: Training) -> Stopping:
    """Return the stopping rules of an estimator on a training set.

    Fractions are of the rows passed, the least weight of a leaf of their weight; unweighted, it is a count. Numbers
    larger than that of the rows are one more.
    """
    leaf, split = (_count(getattr(estimator, f"min_samples_{end}"), training.rows) for end in ("leaf", "split"))
    lightest = estimator.min_weight_fraction_leaf * training.weight
    if training.weights is None:
        leaf, lightest = max(leaf, ceil(lightest)), 0.0
    significant = getattr(estimator, "max_pvalue", None)
    depth = None if estimator.max_depth is None else min(int(estimator.max_depth), training.rows)
    return Stopping(depth, max(2, split), leaf, lightest, estimator.min_gain, significant)


def _count(value: Any, rows: int) -> int:
    return min(int(value), rows + 1) if isinstance(value, int | np.integer) else ceil(value * rows)


def options_of(estimator: Any, training: Training, recoding: Recoding | None) -> Growing:
    """Return how both builders grow a tree; the random state is asked for a seed."""
    drawn = estimator.max_features_ if estimator.max_features_ < training.x.shape[1] else None
    seed = int(check_random_state(estimator.random_state).randint(np.iinfo(np.int32).max))
    stopping, splitter = stopping_of(estimator, training), estimator.splitter
    return Growing(stopping, drawn, splitter=splitter, seed=seed, recoding=recoding)


def grown_classes(
    estimator: Any, training: Training, classes: int, criterion: Criterion, recoding: Recoding | None = None
) -> tuple[Grown, Array]:
    """Return the tree of a training set with class codes, and the impurity of each node."""
    growing = options_of(estimator, training, recoding)
    refuse_fractions(criterion, growing.stopping.max_pvalue, training.weights)
    if estimator.splitter == "purely_random":
        found = _purely_random(estimator, training, classes, growing.seed)
        return found, impurities_of(found, criterion)
    with announced():
        columns = Columns.of(training.x, training.y, classes, training.weights, engine())
        tree = grow(columns, criterion, replace(growing, look_ahead=_look_ahead(estimator, 2 * training.x.size)))
    return _finished(estimator, tree, criterion, training.weight)


def grown_drawn(
    estimator: Any, training: Training, classes: int, criterion: Criterion, ranks: Ranks
) -> tuple[Grown, Array] | None:
    """Return what ``grown_classes`` returns, from ranks that many trees share; None if only that does.

    ``training`` may hold rows of weight 0.
    """
    growing = options_of(estimator, training, None)
    if estimator.splitter != "best" or getattr(estimator, "look_ahead", None) is not None:
        return None
    tree = grow_drawn(ranks, training.y, classes, criterion, growing, training.weights)
    return None if tree is None else _finished(estimator, tree, criterion, training.weight)


def _finished(estimator: Any, tree: Grown, criterion: Criterion, weight: float) -> tuple[Grown, Array]:
    """Return a tree cut as the estimator says, and the impurity of each node."""
    impurity = impurities_of(tree, criterion)
    kept: Grown = cut(tree, estimator, impurity, weight)
    return kept, impurity if kept is tree else impurities_of(kept, criterion)


def _look_ahead(estimator: Any, most: int) -> LookAhead | None:
    count = getattr(estimator, "look_ahead", None)
    return None if count is None else LookAhead(min(int(count), most), estimator.min_difference)


def _purely_random(estimator: Any, training: Training, classes: int, seed: int) -> Grown:
    """Return a purely random partition; its rules are checked here, because only this splitter has them."""
    if estimator.n_splits is None or estimator.n_splits < 1:
        rule = "splitter='purely_random' makes n_splits splits"
        raise ValueError(complaint(rule, f"n_splits={estimator.n_splits}", "pass n_splits, a positive integer"))
    if estimator.categories_ is not None:
        rule, remedy = "a purely random split is one of numbers", "leave categorical_features out"
        raise ValueError(complaint(rule, "categorical features", remedy))
    if np.isnan(training.x).any():
        raise ValueError(complaint("a purely random split needs values", "nan in X", "fill in missing values first"))
    return purely_random(training.x, training.y, classes, estimator.n_splits, seed, weights=training.weights)


def shares_of(tree: Grown) -> Array:
    """Return the class proportions of each node; an empty leaf has those of its parent."""
    weights = tree.weights.copy()
    empty = tree.size == 0
    for parent in np.flatnonzero(tree.left >= 0) if empty.any() else ():
        for child in (tree.left[parent], tree.right[parent]):
            if not weights[child].any():
                weights[child] = weights[parent]
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def grown_responses(estimator: Any, training: Training, recoding: Recoding | None = None) -> Grown:
    """Return the tree of a training set with numbers as responses."""
    growing = options_of(estimator, training, recoding)
    with announced():
        tree = grow_regression(training.x, training.y, training.weights, estimator.criterion, growing)
    kept: Grown = cut(tree, estimator, tree.impurity, training.weight)
    return kept


def cut(tree: Any, estimator: Any, impurity: Array, weight: float) -> Any:
    """Return the tree with the splits that ``min_impurity_decrease`` and ``max_leaf_nodes`` allow."""
    kept = tree
    if estimator.min_impurity_decrease > 0:
        worth = decreases(tree, impurity) / weight
        kept = numbered(kept, worth + EPSILON >= estimator.min_impurity_decrease)
    return kept if estimator.max_leaf_nodes is None else best_first(kept, estimator.max_leaf_nodes)


def impurities_of(tree: Grown, criterion: Criterion) -> Array:
    """Return the impurity of each node: the one whose decrease the criterion is, or Gini's."""
    node = np.ascontiguousarray(tree.weights.T)
    impurity, p = node_impurity(criterion), shares(node, total(node), FLOAT)
    return np.asarray(answer(impurity.name, impurity.of, p, FLOAT, node.shape[1:]), dtype=float) + 0.0


def decreases(tree: Any, impurity: Array) -> Array:
    """Return how much each split lowers the sum of impurity times weight; 0 at a leaf."""
    risk = impurity * tree.weights.sum(axis=1)
    return np.where(tree.left < 0, 0.0, risk - risk[tree.left] - risk[tree.right])
