"""A decision tree of rows that lie on many machines.

Main definitions: ``DaskTreeClassifier``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from numbers import Integral
from typing import Any, Self

import numpy as np
from dask.base import compute, is_dask_collection, persist
from dask.delayed import delayed
from numpy.typing import NDArray
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import check_is_fitted

from splitcrit import inputs
from splitcrit.distributed.grow import Spread, grow_apart
from splitcrit.distributed.histograms import beside, joined, merged
from splitcrit.distributed.partitions import Partitions
from splitcrit.distributed.predicting import of_partitions, share_of_hits
from splitcrit.distributed.sketch import SPARE, Bins
from splitcrit.distributed.summary import Census, Summary, Weighing, binned, changed, summarised, unchanged
from splitcrit.estimators import TreeClassifier, structure
from splitcrit.estimators.growing import class_nodes, finished, stopping_of
from splitcrit.estimators.names import criterion_of, probe
from splitcrit.estimators.reading import Training, total_weight
from splitcrit.growth import Growing
from splitcrit.growth.stopping import refuse_fractions
from splitcrit.values import complaint

Array = NDArray[Any]
LOST = ("KilledWorker", "FutureCancelledError", "FuturesCancelledError", "CancelledError", "CommClosedError")


@structure.accepting(max_bins=[Integral])
class DaskTreeClassifier(TreeClassifier):
    """A decision tree grown level by level over the partitions of a Dask array or data frame.

    For every open node, feature, bin and class each partition counts its rows; only these counts travel, and they are
    added up on the way. What splits a node is then what would split it in memory: any criterion of the library, and
    the same rule of ties. What is fitted is an ordinary ``TreeClassifier``.

    Parameters
    ----------
    criterion, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features, random_state, \
    max_leaf_nodes, min_impurity_decrease, class_weight, ccp_alpha, min_gain, max_pvalue
        As in ``TreeClassifier``.
    max_bins : int, default=255
        How many bins a feature has at most; missing values are in one more. With as many bins as a feature has
        different values, each is a bin of its own, and the tree is node for node that of ``TreeClassifier``. Otherwise
        bins hold about as many rows each: their edges come from quantile sketches, which see no label, and are off by
        at most ``(1 + log_8 partitions) / 8`` of a bin, besides ties.

    Attributes
    ----------
    tree_, classes_, n_classes_, n_features_in_, feature_names_in_, max_features_, n_outputs_
        As in ``TreeClassifier``.

    Notes
    -----
    Without a ``distributed.Client`` the scheduler of Dask grows the tree, in threads by default. Rows are read twice,
    then kept in bins where they were read, in one or two bytes for each value. Partitions lost with a worker are
    computed again; if they then hold other rows, or cannot be computed, ``fit`` raises ``RuntimeError`` and leaves the
    estimator as it was. The criterion is evaluated by the client only.

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
        self,
        *,
        criterion: Any = "gini",
        max_bins: int = 255,
        max_depth: int | None = None,
        min_samples_split: Any = 2,
        min_samples_leaf: Any = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        min_gain: float | None = 0.0,
        max_pvalue: float | None = None,
    ) -> None:
        super().__init__()
        self._set(locals())

    @structure.fitting
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
        if self.max_bins < 2:
            raise ValueError(complaint("a feature has at least two bins", f"max_bins={self.max_bins}", "pass more"))
        with _workers_may_die():
            data = Partitions.of(X, y, sample_weight)
            self.__dict__.pop("feature_names_in_", None)
            if data.names is not None and all(isinstance(name, str) for name in data.names):
                self.feature_names_in_ = np.asarray(data.names, dtype=object)
            most = SPARE * self.max_bins
            summary: Summary = merged(data.each(summarised, most), Summary.merged, most).compute()
            return self._grow(data, summary)

    def _grow(self, data: Partitions, summary: Summary) -> Self:
        """Grow the tree of partitions that have been summarised."""
        if not len(summary.labels):
            raise ValueError(complaint("a training set has rows", "empty partitions only", "look at how X is made"))
        classes, _ = inputs.classes_of(summary.labels)
        factors = _factors(self.class_weight, classes, summary)
        training = _training(summary, factors, data.features)
        criterion, options = criterion_of(self.criterion, len(classes), self.min_gain), self._options()
        stopping = stopping_of(options, training)
        weighing = None if training.weights is None else Weighing(factors, training.weight)
        bins = Bins.of(summary.sketches, self.max_bins)
        parts = list(persist(*data.each(binned, bins, classes, weighing)))
        found = compute([delayed(Census.of)(part, len(factors)) for part in parts])[0]
        totals, rows = (sum(getattr(each, name) for each in found) for name in ("weights", "rows"))
        if not np.array_equal(rows, np.where(factors > 0, summary.kept, 0)):
            raise changed("other labels")
        refuse_fractions(criterion, stopping.max_pvalue, np.concatenate([each.fractions for each in found]))
        probe(criterion, totals)
        sums = {part.key: each.checksum for part, each in zip(parts, found, strict=True)}
        near = [[[delayed(unchanged)(p, sums[p.key]) for p in group] for group in groups] for groups in beside(parts)]
        (groups,) = persist([[delayed(joined)(group) for group in groups] for groups in near])
        del parts, near
        spread = Spread(groups, bins, totals, int(rows.sum()))
        drawn, seed = options.draws(data.features)
        tree = grow_apart(spread, criterion, Growing(stopping, drawn, seed=seed))
        return self._take(finished(options, training, tree, partial(class_nodes, criterion)), classes)

    def to_local(self) -> TreeClassifier:
        """Return the fitted tree as a ``TreeClassifier`` with the same parameters."""
        check_is_fitted(self)
        parameters = self.get_params(deep=False)
        del parameters["max_bins"]
        local = TreeClassifier(**parameters)
        local.__dict__.update({name: value for name, value in vars(self).items() if name.endswith("_")})
        return local

    def predict(self, X: Any, check_input: bool = True) -> Any:
        """Return the class of each row: an array, or a Dask array of the partitions of a Dask array or data frame."""
        return self._each("predict", X, check_input)

    def predict_proba(self, X: Any, check_input: bool = True) -> Any:
        """Return the class proportions ``(n, K)`` of each row's leaf, as ``predict`` returns classes."""
        return self._each("predict_proba", X, check_input)

    def apply(self, X: Any, check_input: bool = True) -> Any:
        """Return the leaf of each row, as ``predict`` returns classes."""
        return self._each("apply", X, check_input)

    def _each(self, method: str, X: Any, check_input: bool) -> Any:
        if is_dask_collection(X):
            return of_partitions(self.to_local(), X, method)
        return getattr(super(), method)(X, check_input)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows, or of their weight, whose class is predicted."""
        if not is_dask_collection(X):
            return float(super().score(X, y, sample_weight))
        return share_of_hits(self.to_local(), Partitions.of(X, y, sample_weight))


def _factors(class_weight: Any, classes: Array, summary: Summary) -> Array:
    """Return the factor of each class in the weights."""
    if class_weight == "balanced":
        return np.asarray(summary.rows.sum() / (len(classes) * summary.rows.astype(float)))
    inputs.class_weights(class_weight)
    return np.ones(len(classes)) if class_weight is None else compute_sample_weight(class_weight, classes)


def _training(summary: Summary, factors: Array, features: int) -> Training:
    """Return what is known of the training set as a whole, without its rows."""
    rows, ones = int(summary.rows.sum()), summary.ones and bool((factors == 1).all())
    weight = float(rows) if ones else total_weight(summary.weights * factors)
    if not weight > 0:
        raise ValueError(complaint("some sample has weight above zero", "only zero weights", "mend the weights"))
    none = np.empty((0, features), np.float32)
    return Training(none, np.empty(0), None if ones else np.empty(0), rows, weight)


@contextmanager
def _workers_may_die() -> Iterator[None]:
    """Say in one sentence that partitions are lost for good."""
    try:
        yield
    except Exception as error:
        if type(error).__name__ not in LOST:
            raise
        rule, remedy = "lost partitions can be computed again", "keep their source, or more workers"
        raise RuntimeError(complaint(rule, f"{type(error).__name__}: {error}", remedy)) from error
