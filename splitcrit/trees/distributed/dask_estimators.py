"""Trees and a forest of rows that lie on many machines.

Main definitions: ``DaskTreeClassifier``, ``DaskTreeRegressor``, ``DaskForestClassifier``.
"""

from __future__ import annotations

from math import floor, log2
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.utils import check_random_state

from splitcrit.frozen import complaint
from splitcrit.trees.distributed.fitting import DaskEstimator, DaskTree, SpreadClasses, spread_of, without_rows
from splitcrit.trees.distributed.histogram_source import grow_apart
from splitcrit.trees.distributed.partitions import Partitions
from splitcrit.trees.distributed.sketch import Bins
from splitcrit.trees.distributed.split_rules import ResponseRule
from splitcrit.trees.distributed.sums import ResponseSums
from splitcrit.trees.distributed.training_summary import PartitionLabels, Range, Reading, TrainingSummary
from splitcrit.trees.estimators import sklearn_tree
from splitcrit.trees.estimators.classifier import TreeClassifier
from splitcrit.trees.estimators.criterion_argument import CriterionArgument, PlainError
from splitcrit.trees.estimators.forest import ForestClassifier
from splitcrit.trees.estimators.growing import SEEDS, Options, finished, growing_of, response_nodes
from splitcrit.trees.estimators.reading import refuse_tiny
from splitcrit.trees.estimators.regressor import TreeRegressor
from splitcrit.trees.growth.growth_options import Drawing


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
        self, *, criterion: CriterionArgument = "gini", max_bins: int = 255, max_depth: int | None = None,
        min_samples_split: Any = 2, min_samples_leaf: Any = 1, min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None, draw: Drawing = "all", random_state: Any = None, max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0, class_weight: Any = None, ccp_alpha: float = 0.0,
        min_gain: float | None = 0.0, categorical_features: Any = None, max_exact_categories: int = 10,
    ) -> None:  # fmt: skip
        super().__init__()
        self._set(locals())

    @sklearn_tree.fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree of a training set in partitions.

        Parameters
        ----------
        X : Dask array (n, d) or data frame
            Numbers, of which those of float32 stay so, others are float64; NaN is a missing value.
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
        rows = SpreadClasses.of(self, data, summary, self.class_weight)
        return self._take(rows.fitted(self._options(), self.categories_), rows.classes)

    def predict_proba(self, X: Any, check_input: bool = True) -> Any:
        """The class proportions ``(n, K)`` of each row's leaf, as ``predict`` returns classes."""
        return self._each("predict_proba", X, check_input)


@sklearn_tree.accepting(max_bins=[Integral])
class DaskTreeRegressor(DaskTree, TreeRegressor):
    """A regression tree grown level by level over the partitions of a Dask array or data frame.

    For every open node, feature and bin each partition adds up its responses, in digits whose sums are exact; only
    these sums travel until a node has few rows, which one worker then finishes. What is fitted is an ordinary
    ``TreeRegressor``.

    Parameters
    ----------
    criterion : {"squared_error"}, default="squared_error"
        Absolute error is refused: medians do not follow from sums over bins.
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features, draw, random_state, \
    max_leaf_nodes, min_impurity_decrease, ccp_alpha, min_gain, categorical_features, max_exact_categories
        As in ``TreeRegressor``.
    max_bins : int, default=255
        As in ``DaskTreeClassifier``.

    Attributes
    ----------
    tree_, n_features_in_, feature_names_in_, max_features_, n_outputs_, categories_, is_categorical_, splits_, \
    split_names_
        As in ``TreeRegressor``.

    See Also
    --------
    TreeRegressor : Rows in memory: exact thresholds, more criteria.

    Notes
    -----
    The tree does not depend on partitions or workers, to the last bit. Its splits are those of ``TreeRegressor`` where
    each value has a bin of its own; means and variances of large nodes are rounded once, which in memory they are not.
    Sums of ``n`` responses are exact on a grid of ``2 ** -(2 * b)`` of the largest distance from the middle of their
    range, ``b = 52 - log2(n)``. Lost partitions are treated as in ``DaskTreeClassifier``.

    Examples
    --------
    >>> import dask.array as da
    >>> x, y = np.arange(8.0)[:, None], np.repeat([1.0, 5.0], 4)
    >>> model = DaskTreeRegressor().fit(da.from_array(x, chunks=(3, 1)), da.from_array(y, chunks=3))
    >>> model.predict(np.array([[0.0], [7.0]]))
    array([1., 5.])
    """

    def __init__(
        self, *, criterion: PlainError = "squared_error", max_bins: int = 255, max_depth: int | None = None,
        min_samples_split: Any = 2, min_samples_leaf: Any = 1, min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None, draw: Drawing = "all", random_state: Any = None, max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0, ccp_alpha: float = 0.0, min_gain: float | None = 0.0,
        categorical_features: Any = None, max_exact_categories: int = 10,
    ) -> None:  # fmt: skip
        super().__init__(criterion=criterion)
        criterion = self.criterion
        self._set(locals())

    @sklearn_tree.fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree of a training set.

        Parameters
        ----------
        X, sample_weight
            As in ``DaskTreeClassifier.fit``.
        y : Dask array (n,) or series
            Finite numbers, in partitions of the same rows.

        Raises
        ------
        ValueError, TypeError
            If an input or a parameter is invalid; the estimator stays as it was.
        RuntimeError
            If partitions are lost, or hold other rows when they are read again.
        """
        if self.criterion == "absolute_error":
            rule = "distributed trees support squared error only, since sums over bins give no medians"
            remedy = "pass squared_error, or rows in memory to TreeRegressor"
            raise ValueError(complaint(rule, "absolute_error", remedy))
        return self._fitted(X, y, sample_weight, Range)

    def _grown_on(self, data: Partitions, summary: TrainingSummary) -> Self:
        """Grow the tree of partitions that have been summarised."""
        target: Any = summary.target
        refuse_tiny(max(-target.low, target.high))
        training = without_rows(summary.rows, target.weight, summary.ones, data.features)
        options = self._options()
        weighted = not summary.ones
        growing = growing_of(options, training, self.categories_)
        bins = Bins.of(summary.sketches, self.max_bins, self.categories_)
        reading = Reading(bins, None, np.ones(1) if weighted else None, target.weight)
        unit = max(floor(log2(target.weight)) - 51, -1074) if weighted else 0
        sums = ResponseSums.of(target.low, target.high, summary.rows, target.heaviest if weighted else None, unit)
        spread, _ = spread_of(data, summary, reading, sums)
        rule = ResponseRule(growing.stopping, sums, target.heaviest * (target.high - target.low) ** 2)
        tree = grow_apart(spread, rule, growing)
        return self._take(finished(options, training, tree, response_nodes, growing.recoding))


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
        self, n_estimators: int = 100, *, criterion: CriterionArgument = "gini", max_bins: int = 255,
        max_depth: int | None = None, min_samples_split: Any = 2, min_samples_leaf: Any = 1,
        min_weight_fraction_leaf: float = 0.0, max_features: Any = "sqrt", draw: Drawing = "all",
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0, bootstrap: bool = True,
        random_state: Any = None, ccp_alpha: float = 0.0, min_gain: float | None = 0.0,
        categorical_features: Any = None, max_exact_categories: int = 10,
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
        rows = SpreadClasses.of(self, data, summary, drawn=self.bootstrap)
        seeds = check_random_state(self.random_state).randint(SEEDS, size=int(self.n_estimators)).tolist()
        self.estimators_ = [self._tree(seed, rows.drawn(seed) if self.bootstrap else rows) for seed in seeds]
        self.classes_, self.n_classes_ = rows.classes, np.intp(len(rows.classes))
        self.n_features_in_, self.n_outputs_ = data.features, 1
        return self

    def _tree(self, seed: int, rows: SpreadClasses) -> TreeClassifier:
        """Grow one tree."""
        names = {"n_estimators", "max_bins", "bootstrap"}
        options = {name: value for name, value in self.get_params(deep=False).items() if name not in names}
        tree = TreeClassifier(**options | {"random_state": seed})
        tree.categories_, tree.is_categorical_ = self.categories_, self.is_categorical_
        fitted = rows.fitted(Options.of(tree.get_params(deep=False)), self.categories_)
        tree._take(fitted, np.arange(rows.sums.classes, dtype=float))._in_forest = self.categories_ is not None
        return tree

    def predict(self, X: Any) -> Any:
        """The class of each row: an array, or a Dask array of the partitions of Dask's ``X``."""
        return self._each("predict", X)

    def predict_proba(self, X: Any) -> Any:
        """The mean class proportions ``(n, K)`` of each row's leaves, as ``predict`` returns classes."""
        return self._each("predict_proba", X)

    def apply(self, X: Any) -> Any:
        """The leaves of each row, as ``predict`` returns classes."""
        return self._each("apply", X)
