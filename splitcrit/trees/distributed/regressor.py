"""A regression tree of rows that lie on many machines.

Main definitions: ``DaskTreeRegressor``.
"""

from __future__ import annotations

from math import floor, log2
from numbers import Integral
from typing import Any, Self

import numpy as np

from splitcrit.frozen import complaint
from splitcrit.trees.distributed.fitting import DaskTree, spread_of, without_rows
from splitcrit.trees.distributed.histogram_source import grow_apart
from splitcrit.trees.distributed.partitions import Partitions
from splitcrit.trees.distributed.sketch import Bins
from splitcrit.trees.distributed.split_rules import ResponseRule
from splitcrit.trees.distributed.sums import ResponseSums
from splitcrit.trees.distributed.targets import Range
from splitcrit.trees.distributed.training_summary import Reading, TrainingSummary, Weighing
from splitcrit.trees.estimators import sklearn_tree
from splitcrit.trees.estimators.growing import finished, growing_of, recoding_of, response_nodes
from splitcrit.trees.estimators.reading import refuse_tiny
from splitcrit.trees.estimators.regressor import TreeRegressor


@sklearn_tree.accepting(criterion=[{"squared_error", "absolute_error"}], max_bins=[Integral])
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
        self, *, criterion: str = "squared_error", max_bins: int = 255, max_depth: int | None = None,
        min_samples_split: Any = 2, min_samples_leaf: Any = 1, min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None, draw: str = "all", random_state: Any = None, max_leaf_nodes: int | None = None,
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
        found: Any = summary.target
        refuse_tiny(max(-found.low, found.high))
        training = without_rows(summary.rows, found.weight, summary.ones, data.features)
        options, weighted = self._options(), not summary.ones
        growing = growing_of(options, training, recoding_of(options, training, self.categories_))
        weighing = Weighing(np.ones(1), found.weight) if weighted else None
        reading = Reading(Bins.of(summary.sketches, self.max_bins, self.categories_), None, weighing)
        unit = max(floor(log2(found.weight)) - 51, -1022) if weighted else 0
        sums = ResponseSums.of(found.low, found.high, summary.rows, found.heaviest if weighted else None, unit)
        spread, _ = spread_of(data, summary, reading, sums)
        rule = ResponseRule(growing.stopping, sums, found.heaviest * (found.high - found.low) ** 2)
        tree = grow_apart(spread, rule, growing)
        return self._take(finished(options, training, tree, response_nodes, growing.recoding))
