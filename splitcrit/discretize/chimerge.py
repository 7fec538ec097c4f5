"""ChiMerge: neighbouring intervals are merged while their class counts do not differ by much.

Main definitions: ``ChiMerge``.
Source: wang2024, Section 5.2, after Kerber (1992).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array, between, whole
from splitcrit.compiling import reporting_compilation
from splitcrit.discretize.binning import Binning
from splitcrit.discretize.linkage_tree import counted, running_counts
from splitcrit.frozen import complaint, shown
from splitcrit.search import midpoint
from splitcrit.table.counting import as_array

MOST = 2**62  # intervals


class ChiMerge(Binning):
    """A transformer that replaces each feature by the number of its interval, found bottom-up from the labels.

    Every value begins as an interval of its own. The two neighbours with the least chi-square are merged, ::

        chi^2 = sum_j (b x_j - a y_j)^2 / (a b (x_j + y_j))

    for class counts ``x`` and ``y`` with totals ``a`` and ``b``, over the classes that occur in the two; of equal
    ones (to twelve digits) the first pair. Merging goes on while there are more than ``max_intervals``, and then while
    the least chi-square is below the threshold; it always stops at ``min_intervals``.

    Parameters
    ----------
    significance : float or None, default=0.05
        The threshold as the upper tail of the chi-square law with K - 1 degrees of freedom. None merges whatever the
        chi-square, down to ``min_intervals`` (which is ``max_intervals`` unless it is given).
    threshold : float or None, default=None
        The threshold itself; it replaces ``significance``.
    max_intervals : int, array of int (d,) or None, default=None
        The most intervals that a feature may keep.
    min_intervals : int or None, default=None
        The fewest intervals at which merging stops; None means 1, or ``max_intervals`` without a threshold.

    Attributes
    ----------
    edges_ : list of arrays
        The thresholds of each feature, halfway between neighbouring training values of two intervals; a value at a
        threshold belongs to the left.
    n_intervals_ : array (d,)
    n_features_in_, feature_names_in_
        As in scikit-learn.

    See Also
    --------
    GapClustering : Clusters by the gaps between values.
    equal_frequency : Intervals that ignore the labels.

    Notes
    -----
    O(V log V + V K) a feature with V values, by a heap. The labels of the training rows are used: to discretise before
    a training set is split from its test set leaks the labels of the test set. Kerber's original puts 0.1 in the place
    of expected counts of 0; here a class that occurs in neither interval adds nothing.

    References
    ----------
    wang2024, Section 5.2.

    Examples
    --------
    >>> x, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], [0, 0, 0, 1, 1, 1]
    >>> ChiMerge().fit_transform(x, y).ravel().tolist()
    [0, 0, 0, 1, 1, 1]
    >>> ChiMerge(significance=None, max_intervals=2).fit(x, y).edges_
    [array([3.5])]
    """

    def __init__(
        self, significance: float | None = 0.05, *, threshold: float | None = None, max_intervals: Any = None,
        min_intervals: int | None = None,
    ) -> None:  # fmt: skip
        self._set(locals())

    def _edges(self, x: Array, codes: Array) -> list[Array]:
        threshold, most = self._threshold(int(codes.max()) + 1), self._most(x.shape[1])
        if threshold == np.inf and self.max_intervals is None and self.min_intervals is None:
            rule = "merging needs a rule to stop"
            raise ValueError(complaint(rule, "no significance, threshold or number of intervals", "pass one of them"))
        with reporting_compilation():
            return [self._of_feature(*each, codes, threshold) for each in zip(x.T, most, strict=True)]

    def _of_feature(self, column: Array, most: int, codes: Array, threshold: float) -> Array:
        from splitcrit.search.linkage_compiled import chi_merge

        values, counts = counted(column, codes)
        fewest = self.min_intervals
        fewest = (most if threshold == np.inf else 1) if fewest is None else min(fewest, MOST)
        kept = np.ones(len(values) - 1, dtype=bool)
        chi_merge(running_counts(counts), threshold, fewest, most, kept)
        return midpoint(values[:-1][kept], values[1:][kept])

    def _threshold(self, classes: int) -> float:
        """Return the chi-square below which intervals are merged."""
        given: Any = self.significance if self.threshold is None else self.threshold
        if given is None:
            return np.inf
        bound = float(between(given, "a threshold", 0, np.inf, example=3.84))
        if self.threshold is not None:
            return bound
        if not 0 < bound < 1:
            rule = "significance lies strictly between 0 and 1"
            raise ValueError(complaint(rule, shown(given), "pass a probability such as 0.05, or None"))
        from scipy.stats import chi2

        return float(chi2.isf(bound, max(classes - 1, 1)))

    def _most(self, features: int) -> list[int]:
        """Return the most intervals of each feature."""
        if self.min_intervals is not None:
            whole(self.min_intervals, "min_intervals", 1)
        if self.max_intervals is None:
            return [MOST] * features
        given = as_array(self.max_intervals, "max_intervals")
        if given.ndim > 1 or given.shape not in ((), (features,)):
            rule = f"max_intervals is one integer, or one for each of {features} features"
            raise ValueError(complaint(rule, f"shape {given.shape}", "pass an integer"))
        one = not given.ndim and not np.iterable(self.max_intervals)
        each = [self.max_intervals] * features if one else np.broadcast_to(given, features).tolist()
        return [min(whole(number, "max_intervals", self.min_intervals or 1), MOST) for number in each]
