"""What the transformers share: thresholds of each feature in, numbers of intervals out.

Main definitions: ``Binning`` (``fit``, ``transform``), ``equal_width`` and ``equal_frequency`` (scikit-learn's own).
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.utils.validation import check_is_fitted, validate_data

from splitcrit.arguments import Array, whole
from splitcrit.frozen import complaint
from splitcrit.table.counting import as_array
from splitcrit.training_inputs import Parameters, classes_of, column, numbers

MOST = 2**24  # bins of a feature


class Binning(Parameters, OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer that finds thresholds on a training set: ``_edges(x, codes)`` says how.

    A value at a threshold belongs to the interval on its left; what lies outside of all training values belongs to the
    first or the last interval.
    """

    edges_: list[Array]

    @property
    def _needs_labels(self) -> bool:
        return True

    def _edges(self, x: Array, codes: Array) -> list[Array]:
        raise TypeError(complaint("a transformer finds its own thresholds", type(self).__name__, "use a subclass"))

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the thresholds of each feature on a training set, and on nothing else.

        Parameters
        ----------
        X : array (n, d)
            Dense and finite.
        y : array (n,)
            Class labels.

        Raises
        ------
        ValueError
            If an input or a parameter is invalid.
        """
        if y is None and not self._needs_labels:
            with numbers(X):
                x = validate_data(self, X, dtype=np.float64)
            codes = np.zeros(len(x), np.int64)
        else:
            labels = None if y is None else column(y)
            with numbers(X):
                x, labels = validate_data(self, X, labels, dtype=np.float64)
            codes = classes_of(labels)[1]
        self.edges_ = self._edges(x + 0.0, codes)
        self.n_intervals_ = np.array([len(edges) + 1 for edges in self.edges_])
        return self

    def transform(self, X: Any) -> Array:
        """Return the number of the interval, int64 ``(n, d)``, of each value.

        Raises
        ------
        ValueError
            If the features are not those of ``fit``, or not finite.
        """
        check_is_fitted(self)
        with numbers(X):
            x = validate_data(self, X, dtype=np.float64, reset=False)
        return np.column_stack([np.searchsorted(e, v, side="left") for e, v in zip(self.edges_, x.T, strict=True)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._needs_labels
        tags.transformer_tags.preserves_dtype = []
        return tags


def equal_width(n_bins: int = 5) -> KBinsDiscretizer:
    """Return scikit-learn's transformer into intervals of equal width, numbered from 0.

    Parameters
    ----------
    n_bins : int, default=5

    See Also
    --------
    equal_frequency : As many rows in each interval.

    Examples
    --------
    >>> equal_width(3).fit_transform([[0.0], [1.0], [2.0], [9.0]]).ravel().tolist()
    [0.0, 0.0, 0.0, 2.0]
    """
    return _numbering(n_bins, "uniform")


def equal_frequency(n_bins: int = 5) -> KBinsDiscretizer:
    """Return scikit-learn's transformer into intervals of about equally many training rows, numbered from 0.

    Parameters
    ----------
    n_bins : int, default=5

    See Also
    --------
    equal_width : Intervals of one width.

    Examples
    --------
    >>> equal_frequency(2).fit_transform([[0.0], [1.0], [2.0], [9.0]]).ravel().tolist()
    [0.0, 0.0, 1.0, 1.0]
    """
    return _numbering(n_bins, "quantile")


def _numbering(n_bins: Any, strategy: str) -> KBinsDiscretizer:
    """Return a transformer with a number of bins, or with one for each feature."""
    listed = as_array(n_bins, "n_bins")
    each = listed.tolist() if listed.ndim else [n_bins]
    bins = [whole(n, "n_bins", 2, MOST) for n in each]
    return KBinsDiscretizer(bins if listed.ndim else bins[0], encode="ordinal", strategy=strategy, subsample=None)
