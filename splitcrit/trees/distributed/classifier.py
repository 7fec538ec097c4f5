"""A decision tree of rows that lie on many machines.

Main definitions: ``DaskTreeClassifier``.
"""

from __future__ import annotations

from functools import partial
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.utils import compute_sample_weight

from splitcrit.arguments import Array
from splitcrit.data import training_inputs
from splitcrit.trees.distributed.fitting import DaskTree, spread_of, training_of
from splitcrit.trees.distributed.histogram_source import grow_apart
from splitcrit.trees.distributed.partitions import Partitions
from splitcrit.trees.distributed.sketch import Bins
from splitcrit.trees.distributed.split_rules import ClassHistogramRule
from splitcrit.trees.distributed.sums import ClassSums
from splitcrit.trees.distributed.targets import PartitionLabels
from splitcrit.trees.distributed.training_summary import Reading, TrainingSummary, Weighing
from splitcrit.trees.estimators import sklearn_tree
from splitcrit.trees.estimators.classifier import TreeClassifier
from splitcrit.trees.estimators.criterion_argument import criterion_of, probe
from splitcrit.trees.estimators.growing import class_nodes, finished, growing_of, recoding_of
from splitcrit.trees.growth.growth_options import refuse_fractions


@sklearn_tree.accepting(max_bins=[Integral])
class DaskTreeClassifier(DaskTree, TreeClassifier):
    """A decision tree grown level by level over the partitions of a Dask array or data frame.

    For every open node, feature, bin and class each partition counts its rows; only these counts travel, and they are
    added up on the way. What splits a node is then what would split it in memory: any criterion of the library, and
    the same rule of ties. What is fitted is an ordinary ``TreeClassifier``.

    Parameters
    ----------
    criterion, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features, draw, \
    random_state, max_leaf_nodes, min_impurity_decrease, class_weight, ccp_alpha, min_gain, \
    categorical_features, max_exact_categories
        As in ``TreeClassifier``.
    max_bins : int, default=255
        How many bins a feature has at most; missing values are in one more. With as many bins as a feature has
        different values, each is a bin of its own, and the tree is node for node that of ``TreeClassifier``. Otherwise
        bins hold about as many rows each: their edges come from quantile sketches, which see no label, and are off by
        at most ``(1 + log_8 partitions) / 8`` of a bin, besides ties.

    Attributes
    ----------
    tree_, classes_, n_classes_, n_features_in_, feature_names_in_, max_features_, n_outputs_, categories_, \
    is_categorical_, splits_, split_names_
        As in ``TreeClassifier``.

    See Also
    --------
    TreeClassifier : Rows in memory: exact thresholds.
    DaskForestClassifier : Many such trees.

    Notes
    -----
    Without a ``distributed.Client`` the scheduler of Dask grows the tree, in threads by default. Rows are read twice,
    three times with categorical features, then kept in bins where they were read, in one or two bytes for each value.
    Partitions lost with a worker are computed again; if they then hold other rows, or cannot be computed, ``fit``
    raises ``RuntimeError`` and leaves the estimator as it was. The criterion is evaluated by the client only.

    Examples
    --------
    >>> import dask.array as da
    >>> from sklearn.datasets import load_iris
    >>> x, y = load_iris(return_X_y=True)
    >>> model = DaskTreeClassifier(criterion="sgini", max_depth=2)
    >>> model = model.fit(da.from_array(x, chunks=(40, 4)), da.from_array(y, chunks=40))
    >>> model.score(x, y)
    0.96
    >>> model.predict(da.from_array(x, chunks=(40, 4))).compute()[:3]
    array([0, 0, 0])
    >>> model.to_local()
    TreeClassifier(criterion='sgini', max_depth=2)
    """

    def __init__(
        self, *, criterion: Any = "gini", max_bins: int = 255, max_depth: int | None = None, min_samples_split: Any = 2,
        min_samples_leaf: Any = 1, min_weight_fraction_leaf: float = 0.0, max_features: Any = None, draw: str = "all",
        random_state: Any = None, max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0,
        class_weight: Any = None, ccp_alpha: float = 0.0, min_gain: float | None = 0.0,
        categorical_features: Any = None, max_exact_categories: int = 10,
    ) -> None:  # fmt: skip
        super().__init__()
        self._set(locals())

    @sklearn_tree.fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree of a training set in partitions.

        Parameters
        ----------
        X : Dask array (n, d) or data frame
            Numbers, cast to float32; NaN is a missing value.
        y : Dask array (n,) or series
            Class labels, in partitions of the same rows.
        sample_weight : Dask array (n,) or series, optional
            Not negative; rows of weight 0 are left out before growth.

        Raises
        ------
        ValueError, TypeError
            If an input, a parameter or the criterion is invalid; the estimator stays as it was.
        RuntimeError
            If partitions are lost, or hold other rows when they are read again.
        """
        return self._fitted(X, y, sample_weight, PartitionLabels)

    def _grown_on(self, data: Partitions, summary: TrainingSummary) -> Self:
        """Grow the tree of partitions that have been summarised."""
        found: Any = summary.target
        classes, _ = training_inputs.classes_of(found.labels)
        factors = _factors(self.class_weight, classes, found)
        training = training_of(summary, factors, data.features)
        criterion, options = criterion_of(self.criterion, len(classes), self.min_gain), self._options()
        growing = growing_of(options, training, recoding_of(options, training, self.categories_))
        weighing = None if training.weights is None else Weighing(factors, training.weight)
        reading = Reading(Bins.of(summary.sketches, self.max_bins, self.categories_), classes, weighing)
        sums = ClassSums(len(classes), weighing is not None)
        spread, weights = spread_of(data, summary, reading, sums)
        refuse_fractions(criterion, *weights)
        probe(criterion, spread.totals)
        rule = ClassHistogramRule.of(criterion, growing.stopping, reading.bins, sums)
        tree = grow_apart(spread, rule, growing)
        return self._take(finished(options, training, tree, partial(class_nodes, criterion), growing.recoding), classes)

    def predict_proba(self, X: Any, check_input: bool = True) -> Any:
        """Return the class proportions ``(n, K)`` of each row's leaf, as ``predict`` returns classes."""
        return self._each("predict_proba", X, check_input)


def _factors(class_weight: Any, classes: Array, found: PartitionLabels) -> Array:
    """Return the factor of each class in the weights."""
    if class_weight == "balanced":
        return np.asarray(found.rows.sum() / (len(classes) * found.rows.astype(float)))
    training_inputs.class_weights(class_weight)
    return np.ones(len(classes)) if class_weight is None else compute_sample_weight(class_weight, classes)
