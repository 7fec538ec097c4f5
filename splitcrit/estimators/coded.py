"""What trees, forests and tuned estimators with categorical features share: the categories, and features as codes.

Main definitions: ``Coded``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_array, validate_data

from splitcrit.estimators.coding import Coding, coded_by, coding_of
from splitcrit.estimators.columns import columns_of, names_of, numeric
from splitcrit.estimators.reading import Reader
from splitcrit.training_inputs import unmasked

Array = NDArray[Any]


class Coded(Reader):
    """An estimator that may have categorical features; ``categories_`` and ``is_categorical_`` are None without."""

    categorical_features: Any = None
    categories_: Any = None
    is_categorical_: Any = None

    def _numeric(self, X: Any) -> Any:
        """Cast features inside, or say which are words and what to pass."""
        how = f"pass {type(self).__name__}(categorical_features={{}}), or "
        how = how if "categorical_features" in vars(self) else ""
        return numeric(X, f"{how}encode or drop it first")

    def _coded(self, X: Any) -> Any:
        """Return a training set with categories as codes, and keep what they stand for."""
        coding = X if isinstance(X, Coding) else None
        if coding is None and self.categorical_features is not None:
            coding = coding_of(self.categorical_features, X)
        self._know(coding)
        return X if coding is None else coding.x

    def _know(self, coding: Coding | None) -> None:
        """Keep the categories of features, None where there are none."""
        self.categories_, self.is_categorical_ = (None, None) if coding is None else (coding.categories, coding.mask)

    def _coding(self, x: Array) -> Coding | None:
        """Return features whose categories are codes with what they stand for, None where there are no categories."""
        return None if self.categories_ is None else Coding(x, self.categories_, self.is_categorical_)

    def _codes(self, X: Any) -> Array:
        """Return features ``(n, d)`` in float32 with the codes of known categories, -1 for others."""
        if isinstance(X, Coding):
            return np.asarray(X.x)
        unmasked(X, "features")
        columns = columns_of(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        finite: Any = "allow-nan" if self.__sklearn_tags__().input_tags.allow_nan else True
        x = coded_by(columns, self.categories_, names_of(X))
        return np.asarray(check_array(x, dtype=np.float32, ensure_all_finite=finite, estimator=self))
