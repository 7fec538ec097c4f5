"""Gap clustering: the values of one feature in clusters that lie far apart, scored for every number of clusters.

Main definitions: ``Clusterings``, ``clusterings`` (one feature), ``GapClustering`` (a transformer of many).
Source: wang2024, Algorithm 1, lines 7 to 12.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from splitcrit.arguments import Array, finite, whole
from splitcrit.compiling import reporting_compilation
from splitcrit.criteria import Criterion, as_criterion
from splitcrit.criterion_names import NAMES, written
from splitcrit.discretize.binning import Binning
from splitcrit.discretize.hierarchy_scores import cut_scores
from splitcrit.discretize.linkage_tree import LINKAGES, Hierarchy, counted
from splitcrit.display import shortened
from splitcrit.frozen import complaint
from splitcrit.nulls import sgini
from splitcrit.search import midpoint
from splitcrit.table import Table
from splitcrit.table.counting import as_array
from splitcrit.table.integers import as_numbers, is_beyond, middle, values_of
from splitcrit.table.value_codes import coded
from splitcrit.training_inputs import unmasked

FARTHEST = 2.0**1023  # distance of two integers that is finite in float64


@final
@dataclass(frozen=True, eq=False, repr=False)
class Clusterings:
    """A feature clustered into 2, 3, ... up to as many clusters as it has values.

    Parameters
    ----------
    hierarchy : Hierarchy
        Of one segment.
    scores : array (V - 1,)
        ``scores[k - 2]`` is the score of the table of ``k`` clusters by classes.
    classes : tuple
        The class of each column.

    Examples
    --------
    >>> found = clusterings([1, 2, 10, 11, 50], ["a", "a", "b", "b", "a"])
    >>> found.best, found.thresholds(3).tolist()
    (3, [6.0, 30.5])
    >>> found.table(3).integers().tolist()
    [[2, 0], [0, 2], [1, 0]]
    """

    hierarchy: Hierarchy
    scores: Array
    classes: tuple[Any, ...]

    __repr__ = shortened

    @property
    def best(self) -> int:
        """The number of clusters with the largest score, the smallest of equals; 1 if there is one value only."""
        return int(np.argmax(self.scores)) + 2 if len(self.scores) else 1

    def _first(self, k: int) -> Array:
        whole(k, "the number of clusters", 1, len(self.scores) + 1)
        return self.hierarchy.clustered(np.array([k]))

    def thresholds(self, k: int) -> Array:
        """Return the ``k - 1`` thresholds halfway between neighbouring clusters; a threshold belongs to the left."""
        first, values = self._first(k)[1:], self.hierarchy.values
        if is_beyond(values):
            return as_numbers(list(map(middle, values[first - 1], values[first])))
        return midpoint(values[first - 1], values[first])

    def table(self, k: int) -> Table:
        """Return the table of ``k`` clusters by classes."""
        running = self.hierarchy.running
        return Table(
            np.diff(running[np.append(self._first(k), len(running) - 1)], axis=0), tuple(range(k)), self.classes
        )


def clusterings(feature: Any, label: Any, criterion: Any = sgini, *, linkage: str = "single") -> Clusterings:
    """Return every clustering of a feature with the score of its table.

    Under single linkage ``k`` clusters are what the ``k - 1`` largest gaps between neighbouring values leave.

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
        over pairs of observations. Of equally close neighbours the first two are merged.

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
    [-0.816, 1.604, 1.225, 0.0]
    """
    scored = criterion_for_rows(criterion)
    flags = isinstance(feature, np.ndarray) and feature.dtype == bool
    values = finite(feature.astype(float) if flags else feature, "the values of a feature", 1)
    one_linkage(linkage)
    classes, codes = _coded(label, len(values))
    exact = as_numbers(given.tolist()) if is_beyond(given := values_of(feature)) else values
    entries, counts = counted(exact.astype(object) if is_beyond(exact) else values + 0.0, codes)
    apart = entries
    if is_beyond(entries):
        apart = (entries - (entries[0] if entries[-1] - entries[0] < FARTHEST else 0)).astype(float)
    with reporting_compilation():
        hierarchy = Hierarchy.of(apart, counts, np.array([0, len(entries)]), linkage)
        scores = cut_scores(scored, hierarchy)
    return Clusterings(replace(hierarchy, values=entries), scores, tuple(classes.tolist()))


def _coded(label: Any, n: int) -> tuple[Array, Array]:
    """Return the classes and the class code of each observation."""
    unmasked(label, "labels")
    labels = as_array(label, "labels")
    if labels.shape != (n,) or n == 0:
        rule = "feature and label must be equally long, at least 1"
        raise ValueError(complaint(rule, f"{n} and shape {labels.shape}", "pass one label for each value"))
    if labels.dtype.kind not in "biuSU":
        Table.of(labels, labels)  # which refuses what is missing
    if labels.dtype.kind not in "biuSUmM":
        levels = coded(labels, "label")
        return np.array(levels.names), levels.codes
    return np.unique(labels, return_inverse=True)


def criterion_for_rows(value: Any) -> Criterion:
    """Return the criterion that a name, an impurity or a criterion stands for, if it takes any number of rows.

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


def one_linkage(linkage: Any) -> None:
    """Raise ValueError unless it is the name of a linkage."""
    if not isinstance(linkage, str) or linkage not in LINKAGES:
        known = ", ".join(repr(name) for name in LINKAGES)
        raise ValueError(complaint("a linkage has a known name", repr(linkage), f"pass one of {known}"))


class GapClustering(Binning):
    """A transformer that replaces each feature by the number of its cluster, 0, 1, ... from the smallest value on.

    Parameters
    ----------
    n_clusters : int or None, default=None
        The number of clusters of each feature, or of as many as it has values; None takes the number with the
        best score, for which ``fit`` needs labels.
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
        self, n_clusters: int | None = None, *, criterion: Any = "sgini", linkage: str = "single",
        max_clusters: int | None = None,
    ) -> None:  # fmt: skip
        self._set(locals())

    @property
    def _needs_labels(self) -> bool:
        return self.n_clusters is None

    def _edges(self, x: Array, codes: Array) -> list[Array]:
        one_linkage(self.linkage)
        for number, least, name in ((self.n_clusters, 1, "n_clusters"), (self.max_clusters, 2, "max_clusters")):
            if number is not None:
                whole(number, name, least)
        criterion = criterion_for_rows(self.criterion)
        return [self._of_feature(clusterings(column, codes, criterion, linkage=self.linkage)) for column in x.T]

    def _of_feature(self, found: Clusterings) -> Array:
        most = len(found.scores) + 1
        if self.n_clusters is not None:
            return found.thresholds(min(self.n_clusters, most))
        number = int(np.argmax(found.scores[: (self.max_clusters or most) - 1])) + 2 if most > 1 else 1
        return found.thresholds(number)
