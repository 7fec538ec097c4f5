"""From an estimator's parameters to a grown tree: the stopping rules as scikit-learn reads them.

Main definitions: ``stopping_of``, ``grown``, ``impurities_of``.
"""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arith import FLOAT, shares, total
from splitcrit.criteria import Criterion
from splitcrit.estimators.reading import Training
from splitcrit.grow import Grown, best_first, grow, numbered
from splitcrit.impurities import Impurity, gini
from splitcrit.kernel import Columns, engine
from splitcrit.kernel.compiling import announced
from splitcrit.tree import Stopping

Array = NDArray[Any]
EPSILON = float(np.finfo(float).eps)


def stopping_of(estimator: Any, training: Training) -> Stopping:
    """Return the stopping rules of an estimator on a training set.

    Fractions are of the rows passed, the least weight of a leaf of their weight; unweighted, it is a count.
    """
    leaf, split = (_count(getattr(estimator, f"min_samples_{end}"), training.rows) for end in ("leaf", "split"))
    lightest = estimator.min_weight_fraction_leaf * training.weight
    if training.weights is None:
        leaf, lightest = max(leaf, ceil(lightest)), 0.0
    return Stopping(estimator.max_depth, max(2, split), leaf, lightest, estimator.min_gain)


def _count(value: Any, rows: int) -> int:
    return int(value) if isinstance(value, int | np.integer) else ceil(value * rows)


def grown(estimator: Any, training: Training, classes: int, criterion: Criterion, seed: int) -> Grown:
    """Return the tree of a training set, by the parameters of an estimator."""
    drawn = estimator.max_features_ if estimator.max_features_ < training.x.shape[1] else None
    options: dict[str, Any] = {} if estimator.splitter == "best" else {"splitter": estimator.splitter}
    with announced():
        columns = Columns.of(training.x, training.y, classes, training.weights, engine())
        tree = grow(columns, criterion, stopping_of(estimator, training), max_features=drawn, seed=seed, **options)
    if estimator.min_impurity_decrease > 0:
        worth = decreases(tree, impurities_of(tree, criterion)) / training.weight
        tree = numbered(tree, worth + EPSILON >= estimator.min_impurity_decrease)
    return tree if estimator.max_leaf_nodes is None else best_first(tree, estimator.max_leaf_nodes)


def impurities_of(tree: Grown, criterion: Criterion) -> Array:
    """Return the impurity of each node: the one whose decrease the criterion is, or Gini's."""
    impurity: Impurity = gini if criterion.impurity is None else criterion.impurity
    node = np.ascontiguousarray(tree.weights.T)
    return np.asarray(impurity.of(shares(node, total(node), FLOAT), FLOAT), dtype=float) + 0.0


def decreases(tree: Grown, impurity: Array) -> Array:
    """Return how much each split lowers the sum of impurity times weight; 0 at a leaf."""
    risk = impurity * tree.weights.sum(axis=1)
    return np.where(tree.left < 0, 0.0, risk - risk[tree.left] - risk[tree.right])
