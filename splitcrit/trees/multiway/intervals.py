"""Discretisation, by transformers: thresholds of each feature in, numbers of intervals out.

Main definitions: ``ChiMerge``, ``GapClustering``; ``clusterings`` (one feature in every number of clusters, scored) and
its ``Clusterings``; ``criterion_for_rows``.
Source: wang2024, Algorithm 1, lines 7 to 12, and Section 5.2, after Kerber (1992).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self, final

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from splitcrit.arguments import Array, between, finite, one_of, whole
from splitcrit.criteria import Criterion, as_criterion
from splitcrit.data.counting import as_array
from splitcrit.data.training_inputs import Parameters, all_or_nothing, classes_of, column, numbers
from splitcrit.data.values import as_numbers, is_beyond, middle, values_of
from splitcrit.display import shortened
from splitcrit.frozen import complaint, shown
from splitcrit.nulls import sgini
from splitcrit.nulls.criterion_names import NAMES, written
from splitcrit.table import Table
from splitcrit.trees.multiway.hierarchy import Hierarchy, Linkage, entries, running_counts, state_scores
from splitcrit.trees.multiway.merging import CHI, merge
from splitcrit.trees.scan import midpoint

MOST = 2**62  # intervals
FARTHEST = 2.0**1023  # distance of two integers that is finite in float64


@final
@dataclass(frozen=True, eq=False, repr=False)
class Clusterings:
    """A feature clustered into 2, 3, ... up to as many clusters as it has values, as far as these numbers occur.

    Parameters
    ----------
    hierarchy : Hierarchy
        Of one segment.
    numbers : int array (m,)
        The numbers of clusters that occur, 2 or more.
    scores : array (m,)
        The score of the table of as many clusters by classes.
    classes : tuple
        The class of each column.

    Examples
    --------
    >>> found = clusterings([1, 2, 10, 11, 50], ["a", "a", "b", "b", "a"])
    >>> found.numbers.tolist(), found.best, found.thresholds(3).tolist()
    ([2, 3, 5], 3, [6.0, 30.5])
    >>> found.table(3).integers().tolist()
    [[2, 0], [0, 2], [1, 0]]
    """

    hierarchy: Hierarchy
    numbers: Array
    scores: Array
    classes: tuple[Any, ...]

    __repr__ = shortened

    @property
    def best(self) -> int:
        """The number of clusters with the largest score, the smallest of equals; 1 if there is one value only."""
        return int(self.numbers[np.argmax(self.scores)]) if len(self.scores) else 1

    def _state(self, k: int) -> int:
        number = whole(k, "the number of clusters", 1, len(self.hierarchy.values))
        if number > 1 and number not in self.numbers:
            rule = "a number of clusters is one that occurs: equal distances are cut at once"
            raise ValueError(complaint(rule, number, f"pass {self.best} for instance"))
        return int(np.searchsorted(self.numbers, number, side="right"))

    def thresholds(self, k: int) -> Array:
        """The ``k - 1`` thresholds halfway between neighbouring clusters; a threshold belongs to the left."""
        first, values = self.hierarchy.first(self._state(k))[1:-1], self.hierarchy.values
        if is_beyond(values):
            return as_numbers(list(map(middle, values[first - 1], values[first])))
        return midpoint(values[first - 1], values[first])

    def table(self, k: int) -> Table:
        """The table of ``k`` clusters by classes."""
        return Table(self.hierarchy.table(self._state(k)), tuple(range(k)), self.classes)


def clusterings(feature: Any, label: Any, criterion: Any = sgini, *, linkage: Linkage = "single") -> Clusterings:
    """Every clustering of a feature with the score of its table.

    Under single linkage clusters are what wide gaps between neighbouring values leave. Of equal gaps (to 30
    bits) the one between the most observations is cut first, and all together where that is equal too: clusters depend
    on neither sign nor unit of the feature. A number of clusters that this leaps over does not occur.

    Parameters
    ----------
    feature : array (n,)
        Finite numbers.
    label : array (n,)
        The class of each observation.
    criterion : Criterion, Impurity or str
        For tables of any number of rows.
    linkage : {"single", "complete", "average"}
        The distance of two clusters: that of their nearest values, of their farthest, or of their means, the average
        over pairs of observations.

    Returns
    -------
    Clusterings

    Raises
    ------
    ValueError
        If a value is not finite, lengths differ, or the criterion has a fixed number of rows.

    Notes
    -----
    For V values and K classes O(V log V + V K) with SGini, decreases of impurities and gain ratios, O(V^2 K) with any
    other criterion. Gaps are differences in float64, of integers beyond 2**53 those to the smallest value.

    References
    ----------
    wang2024, Algorithm 1.

    Examples
    --------
    >>> clusterings([1, 2, 10, 11, 50], ["a", "a", "b", "b", "a"]).scores.round(3).tolist()
    [-0.816, 1.604, 0.0]
    """
    scored = criterion_for_rows(criterion)
    flags = isinstance(feature, np.ndarray) and feature.dtype == bool
    values = finite(feature.astype(float) if flags else feature, "the values of a feature", 1)
    one_of(linkage, Linkage, "linkage")
    labels = column(label)
    if not len(labels) == len(values) > 0:
        rule = "feature and label must be equally long, at least 1"
        raise ValueError(complaint(rule, f"{len(values)} and {len(labels)}", "pass one label for each value"))
    classes, codes = classes_of(labels)
    exact = as_numbers(exact.tolist()) if is_beyond(exact := values_of(feature)) else values
    exactly = (exact.astype(object) if is_beyond(exact) else values + 0.0)[None]
    distinct, counts, starts = entries(exactly, codes, len(classes))
    apart = distinct
    if is_beyond(distinct):
        apart = (distinct - (distinct[0] if distinct[-1] - distinct[0] < FARTHEST else 0)).astype(float)
    hierarchy = Hierarchy.of(apart, counts, starts, linkage)
    scores = state_scores(scored, hierarchy)[1:]
    return Clusterings(replace(hierarchy, values=distinct), hierarchy.clusters[1:], scores, tuple(classes.tolist()))


def criterion_for_rows(value: Any) -> Criterion:
    """The criterion that a name, an impurity or a criterion stands for, if it takes any number of rows.

    Raises
    ------
    ValueError
        If there is no such name, or the criterion has a fixed number of rows.
    """
    if isinstance(value, str) and value not in NAMES:
        known = ", ".join(repr(name) for name in NAMES)
        remedy = written(value) or f"pass one of {known}, or a value"
        raise ValueError(complaint("a criterion has a known name", repr(value), remedy))
    criterion = as_criterion(NAMES[value] if isinstance(value, str) else value)
    if criterion.rows is not None:
        rule = "a split into many rows needs a criterion for any number of them"
        raise ValueError(complaint(rule, f"{criterion!r}, for {criterion.rows}", "pass sgini, or decrease(gini)"))
    return criterion


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
        labels = () if y is None and not self._needs_labels else (None if y is None else column(y),)
        with all_or_nothing(self), numbers(X):
            checked = validate_data(self, X, *labels, dtype=np.float64)
            x, classes = checked if labels else (checked, np.zeros(len(checked), np.int64))
            self.edges_ = self._edges(x + 0.0, classes_of(classes)[1])
        self.n_intervals_ = np.array([len(edges) + 1 for edges in self.edges_])
        return self

    def transform(self, X: Any) -> Array:
        """The number of the interval, int64 ``(n, d)``, of each value.

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


class GapClustering(Binning):
    """A transformer that replaces each feature by the number of its cluster, 0, 1, ... from the smallest value on.

    Parameters
    ----------
    n_clusters : int or None, default=None
        The number of clusters of each feature, or the largest below that occurs; None takes the number with the best
        score, for which ``fit`` needs labels.
    criterion : str, Impurity or Criterion, default="sgini"
        What scores a number of clusters.
    linkage : {"single", "complete", "average"}, default="single"
        As in ``clusterings``.
    max_clusters : int or None, default=None
        The largest number of clusters to choose from.

    Attributes
    ----------
    edges_ : list of arrays
        The thresholds of each feature, halfway between clusters; a value at a threshold belongs to the left.
    n_intervals_ : array (d,)
        How many clusters each feature has.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    See Also
    --------
    ChiMerge : Merges intervals by a chi-square test.
    MultiwayTreeClassifier : Branches on such clusters.

    References
    ----------
    wang2024, Algorithm 1.

    Examples
    --------
    >>> x = [[1.0], [2.0], [10.0], [11.0], [50.0]]
    >>> GapClustering().fit_transform(x, ["a", "a", "b", "b", "a"]).ravel().tolist()
    [0, 0, 1, 1, 2]
    >>> GapClustering(n_clusters=2).fit_transform(x).ravel().tolist()
    [0, 0, 0, 0, 1]
    """

    def __init__(
        self, n_clusters: int | None = None, *, criterion: Any = "sgini", linkage: Linkage = "single",
        max_clusters: int | None = None,
    ) -> None:  # fmt: skip
        self._set(locals())

    @property
    def _needs_labels(self) -> bool:
        return self.n_clusters is None

    def _edges(self, x: Array, codes: Array) -> list[Array]:
        one_of(self.linkage, Linkage, "linkage")
        for number, least, name in ((self.n_clusters, 1, "n_clusters"), (self.max_clusters, 2, "max_clusters")):
            if number is not None:
                whole(number, name, least)
        criterion = criterion_for_rows(self.criterion)
        return [self._of_feature(clusterings(column, codes, criterion, linkage=self.linkage)) for column in x.T]

    def _of_feature(self, split: Clusterings) -> Array:
        most = self.n_clusters or self.max_clusters or np.inf
        numbers = split.numbers[split.numbers <= most]
        if self.n_clusters is None:
            numbers = numbers[: 1 + int(np.argmax(split.scores[: len(numbers)]))] if len(numbers) else numbers
        return split.thresholds(int(numbers.max(initial=1)))


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
        return [self._of_feature(*each, codes, threshold) for each in zip(x.T, most, strict=True)]

    def _of_feature(self, column: Array, most: int, codes: Array, threshold: float) -> Array:
        values, counts, _ = entries(column[None], codes, int(codes.max()) + 1)
        size = len(values)
        number, chi_square = np.zeros(size + 1, np.int64), np.zeros(size)
        merge(np.zeros(size), running_counts(counts), CHI, number, chi_square, np.empty((size, 3), np.int64))
        fewest = (most if threshold == np.inf else 1) if self.min_intervals is None else self.min_intervals
        intervals = size - np.arange(size)  # before each merge, and after the last
        stops = (intervals <= fewest) | ((intervals <= most) & (chi_square >= threshold))
        ends = number[1:-1] > np.argmax(stops)
        return midpoint(values[:-1][ends], values[1:][ends])

    def _threshold(self, classes: int) -> float:
        """The chi-square below which intervals are merged."""
        level: Any = self.significance if self.threshold is None else self.threshold
        if level is None:
            return np.inf
        bound = float(between(level, "a threshold", 0, np.inf, example=3.84))
        if self.threshold is not None:
            return bound
        if not 0 < bound < 1:
            rule = "significance lies strictly between 0 and 1"
            raise ValueError(complaint(rule, shown(level), "pass a probability such as 0.05, or None"))
        from scipy.stats import chi2

        return float(chi2.isf(bound, max(classes - 1, 1)))

    def _most(self, features: int) -> list[int]:
        """The most intervals of each feature."""
        least = 1 if self.min_intervals is None else whole(self.min_intervals, "min_intervals", 1)
        most = MOST if self.max_intervals is None else self.max_intervals
        shape = as_array(most, "max_intervals").shape
        if shape not in ((), (features,)):
            rule = f"max_intervals is one integer, or one for each of {features} features"
            raise ValueError(complaint(rule, f"shape {shape}", "pass an integer"))
        each = np.array(most, dtype=object).tolist() if shape else [most] * features
        return [min(whole(number, "max_intervals", least), MOST) for number in each]
