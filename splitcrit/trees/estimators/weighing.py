"""Features and responses with sample and class weights become a training set.

Main definitions: ``WeighedTraining``, ``weighed``; ``given_weights``, ``summable``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import check_consistent_length

from splitcrit.arguments import Array
from splitcrit.data.training_inputs import class_weights, weights_of
from splitcrit.frozen import complaint
from splitcrit.trees.growth.training import Sparse
from splitcrit.trees.growth.weights import grid_of


@dataclass(frozen=True, eq=False)
class WeighedTraining:
    """Features ``(n, d)``, dense, CSR or cells, responses or class codes ``(n,)``, weights (None: all 1).

    ``rows`` is how many rows were passed and ``weight`` their weight, before rows of weight 0 were dropped; of features
    that trees share these stay.
    """

    x: Array
    y: Array
    weights: Array | None
    rows: int
    weight: float


def weighed(
    x: Any, y: Array, sample_weight: Any, class_weight: Any = None, labels: Any = None, shared: bool = False
) -> WeighedTraining:
    """The training set, with weights as products of sample and class weights, without rows of weight 0.

    Those of features that are ``shared``, or cells, stay.

    Raises
    ------
    ValueError
        If weights are negative, not finite or all zero, or class weights name no class.
    """
    n = x.shape[0]
    weights = given_weights(sample_weight, x)
    if class_weight is not None:
        class_weights(class_weight)
        by_class = compute_sample_weight(class_weight, labels)
        weights = by_class if weights is None else weights * by_class
    if weights is None or (weights == 1).all():
        return WeighedTraining(x, y, None, n, float(n))
    weight, some, exact = total_weight(weights), weights != 0, summable(weights)
    if not some.any():
        raise ValueError(complaint("some weight must be positive", "only zeros", "correct class_weight"))
    if shared or some.all() or isinstance(x, Sparse):
        return WeighedTraining(x, y, exact, n, weight)
    return WeighedTraining(x[some], y[some], exact[some], n, weight)


def total_weight(weights: Array) -> float:
    """The sum of weights.

    Raises
    ------
    ValueError
        If it overflows.
    """
    with np.errstate(over="ignore"):
        weight = float(weights.sum())
    if weight == np.inf:
        raise ValueError(complaint("the sum of the weights is finite in float64", weight, "divide them by a constant"))
    return weight


def given_weights(sample_weight: Any, x: Array) -> Array | None:
    """Sample weights that have been checked, None where none are given.

    Raises
    ------
    ValueError
        If they are negative, not finite, all zero, or overflow.
    """
    if sample_weight is None:
        return None
    if isinstance(sample_weight, np.ndarray) and not sample_weight.ndim:
        check_consistent_length(sample_weight.astype(float))  # refuses it in the words of scikit-learn
    weights = weights_of(sample_weight, x.shape[0])
    total_weight(weights)
    return weights


def summable(weights: Array, total: float | None = None) -> Array:
    """Weights rounded to a grid on which all their sums are exact, whatever the order of summation.

    A pure node then has no weight of another class left over by rounding. The grid is the total divided by some
    2^52; a positive weight stays positive. ``total`` is that of all weights where these are only some.

    Examples
    --------
    >>> w = summable(np.array([0.1, 0.2, 0.3]))
    >>> bool((w[0] + w[1]) + w[2] == w[0] + (w[1] + w[2]))
    True
    """
    total = weights.sum() if total is None else total
    if not total > 0 or (total < 2.0**50 and (np.floor(weights) == weights).all()):  # nothing, or on the grid
        return weights
    grid = grid_of(total)
    return np.asarray(np.where(weights > 0, np.maximum(np.round(weights / grid), 1) * grid, 0.0))
