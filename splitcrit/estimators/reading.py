"""The door of the estimators: what a user passes to ``fit`` becomes a training set, or one sentence.

Main definitions: ``Training``, ``read``, ``weighed``, ``drawn_features``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import validate_data

from splitcrit.estimators.categories import coded_features
from splitcrit.inputs import class_weights, column, numbers, unmasked, weights_of
from splitcrit.values import complaint

Array = NDArray[Any]
LARGEST = 1e150  # of responses: the squares of many of them have a finite sum


@dataclass(frozen=True, eq=False)
class Training:
    """Features ``(n, d)`` in float32, responses or class codes ``(n,)``, weights (None: all 1).

    ``rows`` is how many rows were passed and ``weight`` their weight, before rows of weight 0 were dropped.
    """

    x: Array
    y: Array
    weights: Array | None
    rows: int
    weight: float


def read(estimator: Any, x: Any, y: Any, check_input: bool, numeric: bool = False) -> tuple[Array, Array]:
    """Return features in float32 and the responses, validated; feature names go to the estimator.

    ``numeric`` asks for responses in float64.

    Raises
    ------
    ValueError, TypeError
        If an input is sparse, has several outputs, is not numeric, is empty or is not finite.
    """
    if estimator.monotonic_cst is not None:
        rule = "monotonicity constraints are not supported"
        raise ValueError(complaint(rule, "monotonic_cst", "leave it None, or use the trees of scikit-learn"))
    if hasattr(x, "tocsr"):
        raise TypeError(complaint("features are dense", f"a sparse {type(x).__name__}", "pass X.toarray()"))
    if y is not None and column(y).dtype.kind in "OSU" and numeric:
        with numbers(y, "responses"):
            y = np.asarray(y, dtype=float)
    unmasked(x, "features")
    given, x = x, coded_features(estimator, x)
    if not check_input:
        x, y = np.asarray(x, dtype=np.float32), np.asarray(y, dtype=float if numeric else None).reshape(-1)
        estimator.n_features_in_ = x.shape[1]
        return x, y
    with numbers(x):
        x, y = validate_data(estimator, x, y, dtype=np.float32, ensure_all_finite=False, y_numeric=numeric)
    if getattr(estimator, "categories_", None) is not None:
        validate_data(estimator, given, skip_check_array=True)  # the names of its features
    _check_finite(estimator, x)
    return x, _responses(y) if numeric else y


def _responses(y: Array) -> Array:
    """Return responses in float64 whose squares add up to a float."""
    found = y.astype(float)
    if (large := float(np.abs(found).max(initial=0))) > LARGEST:
        raise ValueError(complaint(f"responses lie within {LARGEST:g} of 0", large, "divide them by a constant"))
    return found


def _check_finite(estimator: Any, x: Array) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(x.sum()):
            return
    missing = estimator.__sklearn_tags__().input_tags.allow_nan
    bad = np.isinf(x) if missing else ~np.isfinite(x)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        name = getattr(estimator, "feature_names_in_", range(x.shape[1]))[column]
        value = "NaN" if np.isnan(x[row, column]) else x[row, column]
        rule = f"features are finite in float32{' or NaN' * missing}"
        raise ValueError(complaint(rule, f"{value} at row {row}, column {name}", "drop, clip or rescale it"))


def weighed(x: Array, y: Array, sample_weight: Any, class_weight: Any = None, labels: Any = None) -> Training:
    """Return the training set, with weights as products of sample and class weights, without rows of weight 0.

    Raises
    ------
    ValueError
        If weights are negative, not finite or all zero, or class weights name no class.
    """
    n = len(x)
    weights = None if sample_weight is None else weights_of(sample_weight, n)
    if class_weight is not None:
        class_weights(class_weight)
        by_class = compute_sample_weight(class_weight, labels)
        weights = by_class if weights is None else weights * by_class
    if weights is None or (weights == 1).all():
        return Training(x, y, None, n, float(n))
    weight = total_weight(weights)
    found = Training(x, y, summable(weights), n, weight)
    kept = weights != 0
    if kept.all():
        return found
    if not kept.any():
        raise ValueError(complaint("some sample has weight above zero", "only zero weights", "mend class_weight"))
    assert found.weights is not None
    return replace(found, x=x[kept], y=y[kept], weights=found.weights[kept])


def total_weight(weights: Array) -> float:
    """Return the sum of weights.

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
    """Return sample weights that have been checked, None where none are given.

    Raises
    ------
    ValueError
        If they are negative, not finite, all zero, or overflow.
    """
    if sample_weight is None:
        return None
    weights = weights_of(sample_weight, len(x))
    total_weight(weights)
    return weights


def summable(weights: Array, total: float | None = None) -> Array:
    """Return weights rounded to a grid on which all their sums are exact, whatever the order of summation.

    A pure node then has no weight of another class left over by rounding. The grid is the total divided by some
    2^52; a positive weight stays positive. ``total`` is that of all weights where these are only some.

    Examples
    --------
    >>> w = summable(np.array([0.1, 0.2, 0.3]))
    >>> bool((w[0] + w[1]) + w[2] == w[0] + (w[1] + w[2]))
    True
    """
    total = weights.sum() if total is None else total
    if not total > 0:
        return weights
    grid = 2.0 ** max(np.floor(np.log2(total)) - 51, -1022)
    return np.asarray(np.where(weights > 0, np.maximum(np.round(weights / grid), 1) * grid, 0.0))


def drawn_features(max_features: Any, features: int) -> int:
    """Return how many features ``max_features`` asks for, as scikit-learn reads it.

    Examples
    --------
    >>> [drawn_features(m, 10) for m in (None, 3, 0.5, "sqrt", "log2")]
    [10, 3, 5, 3, 3]
    """
    if max_features is None:
        return features
    if isinstance(max_features, str):
        return max(1, int(np.sqrt(features) if max_features == "sqrt" else np.log2(features)))
    if isinstance(max_features, int | np.integer):
        return int(max_features)
    return max(1, int(max_features * features))
