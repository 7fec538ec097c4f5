"""What a user passes to ``fit`` becomes a training set, or one sentence.

Main definitions: ``Training``, ``Reader``, ``weighed``.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import validate_data

from splitcrit.inputs import Parameters, class_weights, column, numbers, unmasked, weights_of
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


class Reader(Parameters):
    """An estimator of dense features and one output, which reads training sets."""

    monotonic_cst: Any

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = tags.target_tags.multi_output = False
        if tags.classifier_tags is not None:
            tags.classifier_tags.multi_label = False
        return tags

    def _coded(self, X: Any) -> Any:
        """Return features with categories as codes, where an estimator has categorical features."""
        return X

    def _read(self, X: Any, y: Any, check_input: bool = True, numeric: bool = False) -> tuple[Array, Array]:
        """Return features in float32 and the responses, validated, and keep number and names of the features.

        ``numeric`` asks for responses in float64.

        Raises
        ------
        ValueError, TypeError
            If an input is sparse, has several outputs, is not numeric, is empty or is not finite.
        """
        if self.monotonic_cst is not None:
            rule = "monotonicity constraints are not supported"
            raise ValueError(complaint(rule, "monotonic_cst", "leave it None, or use the trees of scikit-learn"))
        if hasattr(X, "tocsr"):
            raise TypeError(complaint("features are dense", f"a sparse {type(X).__name__}", "pass X.toarray()"))
        if y is not None and column(y).dtype.kind in "OSU" and numeric:
            with numbers(y, "responses"):
                y = np.asarray(y, dtype=float)
        unmasked(X, "features")
        x = self._coded(X)
        if not check_input:
            return np.asarray(x, dtype=np.float32), np.asarray(y, dtype=float if numeric else None).reshape(-1)
        with numbers(x):
            if _plain(x, y):
                found, self.n_features_in_ = x.astype(np.float32, copy=False), x.shape[1]
                vars(self).pop("feature_names_in_", None)
            else:
                found, y = validate_data(self, x, y, dtype=np.float32, ensure_all_finite=False, y_numeric=numeric)
        if x is not X:
            validate_data(self, X, skip_check_array=True)  # the names of its features
        names = getattr(self, "feature_names_in_", range(found.shape[1]))
        _check_finite(found, names, self.__sklearn_tags__().input_tags.allow_nan)
        return found, _responses(y) if numeric else y


def _plain(x: Any, y: Any) -> bool:
    """Tell whether the checks of scikit-learn would pass arrays as they are; for few rows they outlast a tree.

    They are left to word what is wrong, and to read everything else.
    """
    if not (type(x) is type(y) is np.ndarray and x.ndim == 2 and x.size and y.shape == x.shape[:1]):
        return False
    return x.dtype in (np.float32, np.float64) and (y.dtype.kind in "iu" or (y.dtype == float and isfinite(y.sum())))


def _responses(y: Array) -> Array:
    """Return responses in float64 whose squares add up to a float."""
    found = y.astype(float)
    if (large := float(np.abs(found).max(initial=0))) > LARGEST:
        raise ValueError(complaint(f"responses lie within {LARGEST:g} of 0", large, "divide them by a constant"))
    return found


def _check_finite(x: Array, names: Any, missing: bool) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(x.sum()):
            return
    bad = np.isinf(x) if missing else ~np.isfinite(x)
    if bad.any():
        row, place = np.argwhere(bad)[0]
        value = "NaN" if np.isnan(x[row, place]) else x[row, place]
        rule = f"features are finite in float32{' or NaN' * missing}"
        raise ValueError(complaint(rule, f"{value} at row {row}, column {names[place]}", "drop, clip or rescale it"))


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
    weight, kept, exact = total_weight(weights), weights != 0, summable(weights)
    if kept.all():
        return Training(x, y, exact, n, weight)
    if not kept.any():
        raise ValueError(complaint("some sample has weight above zero", "only zero weights", "mend class_weight"))
    return Training(x[kept], y[kept], exact[kept], n, weight)


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
