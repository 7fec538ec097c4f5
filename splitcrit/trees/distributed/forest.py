"""A random forest of rows that lie on many machines.

Main definitions: ``DaskForestClassifier``.
"""

from __future__ import annotations

from functools import partial
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.utils import check_random_state

from splitcrit.data import training_inputs
from splitcrit.trees.distributed.fitting import DaskEstimator, resampled_from, spread_of, training_of, without_rows
from splitcrit.trees.distributed.histogram_source import grow_apart
from splitcrit.trees.distributed.histograms import Spread
from splitcrit.trees.distributed.partitions import Partitions
from splitcrit.trees.distributed.sketch import Bins
from splitcrit.trees.distributed.split_rules import ClassHistogramRule
from splitcrit.trees.distributed.sums import ClassSums
from splitcrit.trees.distributed.targets import PartitionLabels
from splitcrit.trees.distributed.training_summary import Reading, TrainingSummary, Weighing
from splitcrit.trees.estimators import sklearn_tree
from splitcrit.trees.estimators.classifier import TreeClassifier
from splitcrit.trees.estimators.criterion_argument import criterion_of, probe
from splitcrit.trees.estimators.forest import ForestClassifier
from splitcrit.trees.estimators.growing import SEEDS, Options, class_nodes, finished, growing_of, recoding_of
from splitcrit.trees.estimators.weighing import WeighedTraining, grid_of
from splitcrit.trees.growth.growth_options import refuse_fractions


@sklearn_tree.accepting(max_bins=[Integral])
class DaskForestClassifier(DaskEstimator, ForestClassifier):
    """A random forest grown over the partitions of a Dask array or data frame, one tree after another.

    Each tree has a bootstrap sample of its own; at each node some of the features are drawn, and the best of their
    splits is made. The forest predicts the class with the largest mean share of the trees' leaves.

    Parameters
    ----------
    n_estimators, criterion, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features, \
    draw, max_leaf_nodes, min_impurity_decrease, bootstrap, random_state, ccp_alpha, min_gain, categorical_features, \
    max_exact_categories
        As in ``ForestClassifier``.
    max_bins : int, default=255
        As in ``DaskTreeClassifier``.

    Attributes
    ----------
    estimators_ : list of TreeClassifier
        Each is what ``TreeClassifier(random_state=tree.random_state, ...)`` is on the codes of the classes, weighted
        by how often its sample holds each row, where each value has a bin of its own.
    classes_, n_classes_, n_features_in_, feature_names_in_, n_outputs_, categories_, is_categorical_
        As in ``ForestClassifier``.

    See Also
    --------
    ForestClassifier : Rows in memory.
    DaskTreeClassifier : A single tree.

    Notes
    -----
    How often a row is drawn follows from ``random_state``, the tree, and the number of the row or the weight before
    it, so the forest does not depend on partitions or workers. Samples have the law of those of ``ForestClassifier``,
    but are others. Lost partitions are treated as in ``DaskTreeClassifier``.

    Examples
    --------
    >>> import dask.array as da
    >>> from sklearn.datasets import load_iris
    >>> x, y = load_iris(return_X_y=True)
    >>> forest = DaskForestClassifier(5, max_depth=3, random_state=0)
    >>> forest = forest.fit(da.from_array(x, chunks=(40, 4)), da.from_array(y, chunks=40))
    >>> forest.predict(x[[0, 90, 140]])
    array([0, 1, 2])
    """

    def __init__(
        self, n_estimators: int = 100, *, criterion: Any = "gini", max_bins: int = 255, max_depth: int | None = None,
        min_samples_split: Any = 2, min_samples_leaf: Any = 1, min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt", draw: str = "all", max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0, bootstrap: bool = True, random_state: Any = None, ccp_alpha: float = 0.0,
        min_gain: float | None = 0.0, categorical_features: Any = None, max_exact_categories: int = 10,
    ) -> None:  # fmt: skip
        super().__init__()
        self._set(locals())

    @sklearn_tree.fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees of a training set.

        Parameters
        ----------
        X, y
            As in ``DaskTreeClassifier.fit``.
        sample_weight : Dask array (n,) or series, optional
            Not negative; rows are drawn in proportion to them, or without ``bootstrap`` weighted by them.

        Raises
        ------
        ValueError, TypeError
            If an input, a parameter or the criterion is invalid; the estimator stays as it was.
        RuntimeError
            If partitions are lost, or hold other rows when they are read again.
        """
        return self._fitted(X, y, sample_weight, PartitionLabels)

    def _grown_on(self, data: Partitions, summary: TrainingSummary) -> Self:
        """Grow the trees of partitions that have been summarised."""
        found: Any = summary.target
        classes, _ = training_inputs.classes_of(found.labels)
        training = training_of(summary, np.ones(len(classes)), data.features)
        given = None if training.weights is None else Weighing(np.ones(len(classes)), training.weight)
        reading = Reading(Bins.of(summary.sketches, self.max_bins, self.categories_), classes, given)
        unit = None if given is None or not self.bootstrap else grid_of(training.weight)
        sums = ClassSums(len(classes), weighted=given is not None)
        spread, weights = spread_of(data, summary, reading, sums, unit)
        criterion = criterion_of(self.criterion, len(classes), self.min_gain)
        refuse_fractions(criterion, None, *(np.empty((3, 0)) if self.bootstrap else weights))
        probe(criterion, spread.totals.astype(float))
        seeds = check_random_state(self.random_state).randint(SEEDS, size=self.n_estimators).tolist()
        counted = without_rows(summary.rows, float(summary.rows), False, data.features) if self.bootstrap else training
        self.estimators_ = [self._tree(seed, spread, unit, counted, criterion, len(classes)) for seed in seeds]
        self.classes_, self.n_classes_ = classes, np.intp(len(classes))
        self.n_features_in_, self.n_outputs_ = data.features, 1
        return self

    def _tree(
        self, seed: int, spread: Spread, unit: float | None, training: WeighedTraining, criterion: Any, classes: int
    ) -> TreeClassifier:
        """Grow one tree, on a bootstrap sample unless all have the whole training set."""
        names = {"n_estimators", "max_bins", "bootstrap"}
        given = {name: value for name, value in self.get_params(deep=False).items() if name not in names}
        tree = TreeClassifier(**given | {"random_state": seed})
        tree.categories_, tree.is_categorical_ = self.categories_, self.is_categorical_
        options = Options.of(tree.get_params(deep=False))
        sums = ClassSums(classes, weighted=training.weights is not None)
        if self.bootstrap:
            spread = resampled_from(spread, training.rows, seed, sums, unit)
        growing = growing_of(options, training, recoding_of(options, training, self.categories_))
        grown = grow_apart(spread, ClassHistogramRule.of(criterion, growing.stopping, spread.bins, sums), growing)
        fitted = finished(options, training, grown, partial(class_nodes, criterion), growing.recoding)
        tree._take(fitted, np.arange(classes, dtype=float))._in_forest = growing.recoding is not None
        return tree

    def predict(self, X: Any) -> Any:
        """Return the class of each row: an array, or a Dask array of the partitions of Dask's ``X``."""
        return self._each("predict", X)

    def predict_proba(self, X: Any) -> Any:
        """Return the mean class proportions ``(n, K)`` of each row's leaves, as ``predict`` returns classes."""
        return self._each("predict_proba", X)

    def apply(self, X: Any) -> Any:
        """Return the leaves of each row, as ``predict`` returns classes."""
        return self._each("apply", X)
