"""Read what a user passes to ``fit``: features and responses, or one sentence that says what is wrong.

Main definitions: ``TrainingReader``, ``responses_of``, ``counted``.
"""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from splitcrit.arguments import Array
from splitcrit.data.categories_input import CategoryCoding, are_numbers, coded_by, coding_of
from splitcrit.data.training_inputs import Parameters, column, numbers, unmasked
from splitcrit.frozen import complaint
from splitcrit.trees.estimators import sparse_input
from splitcrit.trees.estimators.narrowing import finite_ends, refuse_merged, refuse_merged_levels

FLOATS = [np.float64, np.float32]
LARGEST = 1e150  # of responses: the squares of many of them have a finite sum
LEAST = 1e-150  # of the largest response: its square is not 0


class TrainingReader(Parameters):
    """An estimator of dense or sparse features, some of which may be categories, and of one output.

    ``categories_`` and ``is_categorical_`` are None where no feature is categorical.
    """

    monotonic_cst: Any
    categorical_features: Any = None
    categories_: Any = None
    is_categorical_: Any = None
    _missing: Array | None = None  # which features of the training set have missing values

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.target_tags.multi_output = False
        tags.input_tags.sparse &= self.categorical_features is None
        if tags.classifier_tags is not None:
            tags.classifier_tags.multi_label = False
        return tags

    def _read(self, X: Any, y: Any, check_input: bool = True, numeric: bool = False) -> tuple[Array, Array]:
        """Features in float64, or in float32 if they come so, and the responses, validated.

        Number and names of the features are kept. ``numeric`` asks for responses in float64.

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
        x = self._ended(self._coded(X))
        if not check_input:
            x = x if sparse_input.is_sparse(x) or x.dtype in FLOATS else np.asarray(x, dtype=np.float64)
            return x, np.asarray(y, dtype=float if numeric else None).reshape(-1)
        options: dict[str, Any] = {"dtype": FLOATS, "ensure_all_finite": False, "y_numeric": numeric}
        if sparse_input.is_sparse(x):
            x, y = validate_data(self, x, y, accept_sparse="csr", **options)
            sparse_input.refuse_missing(x, range(x.shape[1]))
            if X.dtype.kind in "iu":
                refuse_merged_levels(X.tocsr().data, "of cells")
            return x, responses_of(y) if numeric else labels
        with numbers(x):
            if _plain(x, y):
                read, self.n_features_in_ = x, x.shape[1]
                vars(self).pop("feature_names_in_", None)
            else:
                read, y = validate_data(self, x, y, **options)
        if x is not X:
            validate_data(self, X, skip_check_array=True)  # the names of its features
        names = getattr(self, "feature_names_in_", range(read.shape[1]))
        self._missing = _missing_in(read, names, self.__sklearn_tags__().input_tags.allow_nan)
        refuse_merged(x if isinstance(X, CategoryCoding) else X, read, names, self.is_categorical_)
        return read, responses_of(y) if numeric else labels

    @property
    def _remedy(self) -> str:
        """What to do about words among numbers, with a place for what names the column."""
        return f"pass {type(self).__name__}(categorical_features={{}}), or encode or drop it first"

    def _coded(self, X: Any) -> Any:
        """Return a training set as numbers, with categories as codes, and keep what they stand for."""
        coding = X if isinstance(X, CategoryCoding) else None
        if coding is None and (self.categorical_features is not None or not are_numbers(X)):
            coding = coding_of(self.categorical_features, X, self._remedy)
        self._know(coding)
        return X if coding is None else coding.x

    def _know(self, coding: CategoryCoding | None) -> None:
        """Keep the categories of features, None where there are none."""
        some = coding is not None and coding.mask.any()
        self.categories_, self.is_categorical_ = (coding.categories, coding.mask) if coding and some else (None, None)

    def _coding(self, x: Array) -> CategoryCoding | None:
        """Features whose categories are codes with what they stand for, None where there are no categories."""
        return None if self.categories_ is None else CategoryCoding(x, self.categories_, self.is_categorical_)

    def _codes(self, X: Any) -> Array:
        """Features as numbers with the codes of known categories, -1 for others."""
        if isinstance(X, CategoryCoding):
            return np.asarray(X.x)
        unmasked(X, "features")
        x = self._ended(coded_by(X, self.categories_ or [], self._remedy))
        validate_data(self, X, reset=False, skip_check_array=True)
        finite: Any = "allow-nan" if self.__sklearn_tags__().input_tags.allow_nan else True
        return np.asarray(check_array(x, dtype=FLOATS, ensure_all_finite=finite, estimator=self))

    def _to_predict(self, X: Any) -> Any:
        """Features as numbers, which scikit-learn has validated unless they are as it would leave them."""
        check_is_fitted(self)
        if self.categories_ is not None or not are_numbers(X):
            return self._codes(X)
        missing = self.__sklearn_tags__().input_tags.allow_nan
        as_is = type(X) is np.ndarray and X.dtype in FLOATS and X.ndim == 2 and X.shape[1:] == (self.n_features_in_,)
        if as_is and X.size and not hasattr(self, "feature_names_in_") and (missing or isfinite(X.sum())):
            return X
        with numbers(X):
            x, finite = self._ended(X), "allow-nan" if missing else True  # type: Any, Any
            return validate_data(self, x, dtype=FLOATS, accept_sparse="csr", reset=False, ensure_all_finite=finite)

    def _ended(self, x: Any) -> Any:
        """Canonical sparse features, or dense ones without infinite values where some may be missing."""
        if sparse_input.is_sparse(x):
            return sparse_input.canonical(x)
        return finite_ends(x) if self.__sklearn_tags__().input_tags.allow_nan else x


def _plain(x: Any, y: Any) -> bool:
    """Whether the checks of scikit-learn would pass arrays as they are; for few rows they take longer than a tree.

    Everything else is left to these checks, which also say what is wrong.
    """
    if not (type(x) is type(y) is np.ndarray and x.ndim == 2 and x.size and y.shape == x.shape[:1]):
        return False
    return x.dtype in FLOATS and (y.dtype.kind in "iu" or (y.dtype == float and isfinite(y.sum())))


def responses_of(y: Array) -> Array:
    """Responses in float64 whose squares add up to a float, neither too large nor 0."""
    responses = bounded(y)
    refuse_tiny(float(np.abs(responses).max(initial=0)))
    return responses


def bounded(y: Array) -> Array:
    """Responses in float64 whose squares do not overflow."""
    responses = np.asarray(y, dtype=float)
    if (large := float(np.abs(responses).max(initial=0))) > LARGEST:
        raise ValueError(complaint(f"responses lie within {LARGEST:g} of 0", large, "divide them by a constant"))
    return responses


def refuse_tiny(large: float) -> None:
    """Raise ValueError if the squares of responses vanish whose largest size this is; all may be 0."""
    if 0 < large < LEAST:
        rule = f"the largest response is {LEAST:g} or more from 0, so that squares do not vanish"
        raise ValueError(complaint(rule, large, "divide them by a constant"))


def counted(y: Array) -> Array:
    """Responses that have a Poisson deviance.

    Raises
    ------
    ValueError
        If one is below 0, or none is above it.
    """
    rule = "responses are 0 or more and not all 0"
    remedy = "pass counts, or choose another criterion than Poisson deviance"
    if (least := float(y.min())) < 0:
        raise ValueError(complaint(rule, f"{least} (Some y are negative)", remedy))
    if not y.any():
        raise ValueError(complaint(rule, "only 0 (Sum of y is not positive)", remedy))
    return y


def _missing_in(x: Array, names: Any, missing: bool) -> Array:
    """A mask of the columns with missing values; raise ValueError if they may have none, or are infinite."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(x.sum()):
            return np.zeros(x.shape[1], dtype=bool)
    bad = np.isinf(x) if missing else ~np.isfinite(x)
    if bad.any():
        row, place = np.argwhere(bad)[0]
        value = "NaN" if np.isnan(x[row, place]) else x[row, place]
        rule = f"features are finite in {x.dtype}{' or NaN' if missing else ''}"
        raise ValueError(complaint(rule, f"{value} at row {row}, column {names[place]}", "drop, clip or rescale it"))
    return np.asarray(np.isnan(x).any(axis=0))
