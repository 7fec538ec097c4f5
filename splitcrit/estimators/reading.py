"""What a user passes to ``fit`` becomes features and responses, or one sentence.

Main definitions: ``Reader``, ``responses_of``, ``counted``.
"""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from splitcrit.estimators import sparse
from splitcrit.estimators.columns import columns_of
from splitcrit.files.arrow_columns import in_order, magnitudes
from splitcrit.frozen import complaint
from splitcrit.table.counting import EXACT_FLOAT
from splitcrit.training_inputs import Parameters, column, numbers, unmasked

Array = NDArray[Any]
LARGEST = 1e150  # of responses: the squares of many of them have a finite sum


class Reader(Parameters):
    """An estimator of dense or sparse features and one output, which reads training sets."""

    monotonic_cst: Any
    _missing: Array | None = None  # which features of the training set have missing values

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.target_tags.multi_output = False
        coded = getattr(self, "categorical_features", None) is not None
        tags.input_tags.sparse &= not coded and not sparse.looks_ahead(getattr(self, "look_ahead", None))
        if tags.classifier_tags is not None:
            tags.classifier_tags.multi_label = False
        return tags

    def _numeric(self, X: Any) -> Any:
        """Cast features inside, or say what is no number."""
        return numbers(X)

    def _coded(self, X: Any) -> Any:
        """Return features with categories as codes, where an estimator has categorical features."""
        return X

    def _read(self, X: Any, y: Any, check_input: bool = True, numeric: bool = False) -> tuple[Array, Array]:
        """Return features in float32 and the responses, validated, and keep number and names of the features.

        ``numeric`` asks for responses in float64.

        Raises
        ------
        ValueError, TypeError
            If an input has several outputs, is not numeric, is empty or is not finite.
        """
        if self.monotonic_cst is not None:
            rule = "monotonicity constraints are not supported"
            raise ValueError(complaint(rule, "monotonic_cst", "leave it None, or use the trees of scikit-learn"))
        if y is not None and (labels := column(y)).dtype.kind in "OSU":
            with numbers(y, "responses"):
                y = np.asarray(y, dtype=float) if numeric else labels if isinstance(y, list | tuple) else y
        unmasked(X, "features")
        x = self._coded(X)
        if sparse.is_sparse(x):
            return self._read_sparse(sparse.canonical(x), y, check_input, numeric)
        if not check_input:
            return np.asarray(x, dtype=np.float32), np.asarray(y, dtype=float if numeric else None).reshape(-1)
        with self._numeric(x):
            if _plain(x, y):
                found, self.n_features_in_ = x.astype(np.float32, copy=False), x.shape[1]
                vars(self).pop("feature_names_in_", None)
            else:
                found, y = validate_data(self, x, y, dtype=np.float32, ensure_all_finite=False, y_numeric=numeric)
        if x is not X:
            validate_data(self, X, skip_check_array=True)  # the names of its features
        names = getattr(self, "feature_names_in_", range(found.shape[1]))
        _keep_apart(x, found, names)
        self._missing = _missing_in(found, names, self.__sklearn_tags__().input_tags.allow_nan)
        return found, responses_of(y) if numeric else y

    def _read_sparse(self, x: Any, y: Any, check_input: bool, numeric: bool) -> tuple[Any, Array]:
        """Do what ``_read`` does for sparse features in canonical form."""
        if not check_input:
            return x, np.asarray(y, dtype=float if numeric else None).reshape(-1)
        x, y = validate_data(
            self, x, y, accept_sparse="csr", dtype=np.float32, ensure_all_finite=False, y_numeric=numeric
        )  # fmt: skip
        sparse.refuse_missing(x, range(x.shape[1]))
        return x, responses_of(y) if numeric else y


def _plain(x: Any, y: Any) -> bool:
    """Tell whether the checks of scikit-learn would pass arrays as they are; for few rows they outlast a tree.

    They are left to word what is wrong, and to read everything else.
    """
    if not (type(x) is type(y) is np.ndarray and x.ndim == 2 and x.size and y.shape == x.shape[:1]):
        return False
    return x.dtype in (np.float32, np.float64) and (y.dtype.kind in "iu" or (y.dtype == float and isfinite(y.sum())))


def _keep_apart(x: Any, found: Array, names: Any) -> None:
    """Raise ValueError if float32 makes one of integers beyond 2**53 that differ, as of most identities."""
    if getattr(getattr(x, "dtype", None), "kind", "") in ("f", "b"):
        return
    large = np.flatnonzero((np.abs(found) >= EXACT_FLOAT).any(axis=0))
    for j in large.tolist():
        values, _ = magnitudes(in_order(columns_of(x)[j], names[j]))
        if values.dtype.kind in "iuO":
            levels = np.unique(values)
            same = np.flatnonzero((np.diff(levels.astype(np.float32)) == 0) & (np.abs(levels[1:]) >= EXACT_FLOAT))
            if len(same):
                rule = "integers of a feature beyond 2**53 differ in float32 as well"
                got = f"{levels[same[0]]} and {levels[same[0] + 1]} in column {names[j]}"
                raise ValueError(complaint(rule, got, "pass ranks, or what they exceed their least by, or categories"))


def responses_of(y: Array) -> Array:
    """Return responses in float64 whose squares add up to a float."""
    found = y.astype(float)
    if (large := float(np.abs(found).max(initial=0))) > LARGEST:
        raise ValueError(complaint(f"responses lie within {LARGEST:g} of 0", large, "divide them by a constant"))
    return found


def counted(y: Array) -> Array:
    """Return responses that have a Poisson deviance.

    Raises
    ------
    ValueError
        If one is below 0, or none is above it.
    """
    rule, remedy = (
        "responses are 0 or more and not all 0",
        "for Poisson deviance pass such, or choose another criterion",
    )
    if (least := float(y.min())) < 0:
        raise ValueError(complaint(rule, f"{least} (Some y are negative)", remedy))
    if not y.any():
        raise ValueError(complaint(rule, "only 0 (Sum of y is not positive)", remedy))
    return y


def _missing_in(x: Array, names: Any, missing: bool) -> Array:
    """Return which columns ``(d,)`` have missing values, or raise ValueError if they may have none or are infinite."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(x.sum()):
            return np.zeros(x.shape[1], dtype=bool)
    bad = np.isinf(x) if missing else ~np.isfinite(x)
    if bad.any():
        row, place = np.argwhere(bad)[0]
        value = "NaN" if np.isnan(x[row, place]) else x[row, place]
        rule = f"features are finite in float32{' or NaN' * missing}"
        raise ValueError(complaint(rule, f"{value} at row {row}, column {names[place]}", "drop, clip or rescale it"))
    return np.asarray(np.isnan(x).any(axis=0))
