"""What the estimators of partitions share: two passes over the rows, and a fitted tree that predicts where rows lie.

Main definitions: ``DaskEstimator``, ``DaskTree``; ``of_partitions``, ``share_predicted`` (what a fitted tree says of
the rows of partitions, where they lie); ``SpreadClasses``, ``spread_of``, ``without_rows``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import dask.array as da
import numpy as np
from dask.base import compute, is_dask_collection, persist
from dask.delayed import delayed
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import check_is_fitted

from splitcrit.arguments import Array
from splitcrit.data.training_inputs import class_weights, classes_of, compared
from splitcrit.frozen import complaint, shown
from splitcrit.trees.distributed.histogram_source import grow_apart
from splitcrit.trees.distributed.histograms import Spread, Sums, beside, joined, merged, placed, resampled
from splitcrit.trees.distributed.partitions import Partitions, asked, blocks_of, coding_of
from splitcrit.trees.distributed.sketch import SPARE, Bins
from splitcrit.trees.distributed.split_rules import ClassHistogramRule
from splitcrit.trees.distributed.sums import ClassSums
from splitcrit.trees.distributed.training_summary import (
    Census,
    Reading,
    Target,
    TrainingSummary,
    binned,
    finite,
    summarised,
    unchanged,
)
from splitcrit.trees.estimators.criterion_argument import criterion_of, probe
from splitcrit.trees.estimators.growing import Categories, Fitted, Options, class_nodes, finished, growing_of
from splitcrit.trees.estimators.reading import TrainingReader
from splitcrit.trees.estimators.weighing import WeighedTraining, total_weight
from splitcrit.trees.growth.growth_options import refuse_fractions
from splitcrit.trees.growth.weights import grid_of


def of_partitions(local: Any, x: Any, method: str) -> Any:
    """Apply a method of a tree to each partition of a Dask array or data frame; return a Dask array."""
    none = _said(local, method, np.zeros((1, local.n_features_in_), np.float32))[:0]
    blocks, x = blocks_of(x)
    rows = x.chunks[0] if hasattr(x, "chunks") else (np.nan,) * len(blocks)
    task, shared = delayed(_rows_of), delayed((local, method, none), traverse=False)
    each = zip(blocks, rows, strict=True)
    parts = [da.from_delayed(task(block, shared), (n, *none.shape[1:]), none.dtype) for block, n in each]
    return da.concatenate(parts, allow_unknown_chunksizes=True)


def _said(local: Any, method: str, x: Array) -> Array:
    """Apply a method of a tree or forest to features without names; categories are codes."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        coding = local._coding(x)
        return np.asarray(getattr(local, method)(x if coding is None else coding))


def _rows_of(x: Any, shared: tuple[Any, str, Array]) -> Array:
    """Apply a method of a tree to a partition, which may be empty."""
    local, method, none = shared
    return np.asarray(getattr(local, method)(x)) if len(x) else none


def share_predicted(local: Any, data: Partitions) -> float:
    """The share of the weight of rows whose class is predicted.

    Of numbers it is one less the ratio of the squared error of predictions to that of the mean response.

    Raises
    ------
    ValueError
        If there are other features than in fit, or the sum of the weights is 0 or overflows.
    """
    if data.features != local.n_features_in_:
        rule = f"X has {local.n_features_in_} features, as in fit"
        raise ValueError(complaint(rule, f"{data.features}", "pass the columns of the training set"))
    task = _hits if hasattr(local, "classes_") else _errors
    weight, *each = np.array(compute(data.each(task, local))[0]).T
    with np.errstate(over="ignore"):
        total = weight.sum()
    if not 0 < total < np.inf:
        rule = "the sum of the weights is positive and finite"
        raise ValueError(complaint(rule, total, "pass rows, and weights that are neither all zero nor so large"))
    if task is _hits:
        return float(each[0].sum() / total)
    mean, spread, error = each
    whole = float(spread.sum() + weight @ (mean - weight @ mean / total) ** 2)
    if whole == 0:
        return 1.0 if error.sum() == 0 else 0.0
    return 1 - float(error.sum()) / whole


def _hits(x: Array, y: Array, weights: Array | None, local: Any) -> tuple[float, float]:
    """The weight of the rows of a partition, and that of those whose class is predicted."""
    if not len(x):
        return 0.0, 0.0
    labels, weights = compared(local.classes_, y), np.ones(len(x)) if weights is None else weights
    with np.errstate(over="ignore"):
        return float(weights.sum()), float(weights[_said(local, "predict", x) == labels].sum())


def _errors(x: Array, y: Array, weights: Array | None, local: Any) -> tuple[float, float, float, float]:
    """Weight and mean of the responses of a partition, and the squared errors of the mean and of predictions."""
    responses, weights = finite(y), np.ones(len(y)) if weights is None else weights
    if not (whole := float(weights.sum())) > 0:
        return 0.0, 0.0, 0.0, 0.0
    mean = float(weights @ responses / whole)
    missed = responses - _said(local, "predict", x)
    return whole, mean, float(weights @ (responses - mean) ** 2), float(weights @ missed**2)


LOST = ("KilledWorker", "FutureCancelledError", "FuturesCancelledError", "CancelledError", "CommClosedError")


class DaskEstimator(TrainingReader):
    """An estimator that is fitted on partitions, and what it predicts: for partitions, or for rows in memory."""

    max_bins: int
    _grown_on: Callable[[Partitions, TrainingSummary], Any]  # grows trees from summarised partitions

    def _fitted(self, X: Any, y: Any, sample_weight: Any, kind: type[Target]) -> Self:
        """Read the rows once, and grow the trees."""
        if self.max_bins < 2:
            got = f"max_bins={shown(self.max_bins)}"
            raise ValueError(complaint("a feature has at least two bins", got, "pass more"))
        with _workers_may_die():
            mask = asked(self.categorical_features, X)
            data = Partitions.of(X, y, sample_weight)
            self.__dict__.pop("feature_names_in_", None)
            if data.names is not None and all(isinstance(name, str) for name in data.names):
                self.feature_names_in_ = np.asarray(data.names, dtype=object)
            coding = None if mask is None else coding_of(data, mask, isinstance(self.categorical_features, str))
            self._know(coding)
            data, most = replace(data, categories=self.categories_), SPARE * self.max_bins
            parts = replace(data, wide=True).each(summarised, most, kind, None if coding is None else coding.mask)
            summary: TrainingSummary = merged(parts, TrainingSummary.merged, most).compute()
            if not summary.rows:
                raise ValueError(complaint("a training set needs rows", "empty partitions only", "check how X is made"))
            names = range(data.features) if data.names is None else data.names
            narrow = [sketch.as_floats(name) for sketch, name in zip(summary.sketches, names, strict=True)]
            self._grown_on(data, replace(summary, sketches=narrow))
            return self

    def to_local(self) -> Any:
        """The fitted model as the estimator in memory, with the same parameters."""
        check_is_fitted(self)
        parameters = self.get_params(deep=False)  # type: ignore[attr-defined]
        del parameters["max_bins"]
        local: Any = next(kind for kind in type(self).__mro__ if "trees.estimators" in kind.__module__)(**parameters)
        subsets = "_subsets", "_sides"  # of a tree with categorical features
        learnt = {name: value for name, value in vars(self).items() if name.endswith("_") or name in subsets}
        local.__dict__.update(learnt)
        return local

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows, or of their weight, whose class is predicted.

        Of numbers it is one less the ratio of the squared error to that of the mean of ``y``.
        """
        if not is_dask_collection(X):
            return float(super().score(X, y, sample_weight))  # type: ignore[misc]
        data = replace(Partitions.of(X, y, sample_weight), categories=self.categories_)
        return share_predicted(self.to_local(), data)

    def _each(self, method: str, X: Any, *others: Any) -> Any:
        if is_dask_collection(X):
            return of_partitions(self.to_local(), X, method)
        return getattr(super(), method)(X, *others)


class DaskTree(DaskEstimator):
    """A tree that is fitted on partitions."""

    def predict(self, X: Any, check_input: bool = True) -> Any:
        """The prediction of each row: an array, or a Dask array of the partitions of Dask's ``X``."""
        return self._each("predict", X, check_input)

    def apply(self, X: Any, check_input: bool = True) -> Any:
        """The leaf of each row, as ``predict`` returns predictions."""
        return self._each("apply", X, check_input)


@dataclass(frozen=True, eq=False)
class SpreadClasses:
    """A training set of classes: these, its summary, its rows in bins, their sums, and the criterion of its trees.

    With a ``unit`` rows are drawn by the weights before them.
    """

    classes: Array
    training: WeighedTraining
    spread: Spread
    sums: ClassSums
    criterion: Any
    unit: float | None

    @staticmethod
    def of(
        model: Any, data: Partitions, summary: TrainingSummary, class_weight: Any = None, *, drawn: bool = False
    ) -> SpreadClasses:
        """The rows of partitions that have been summarised."""
        target: Any = summary.target
        classes, _ = classes_of(target.labels)
        factors = _factors(class_weight, classes, target)
        ones = summary.ones and bool((factors == 1).all())
        weight = float(summary.rows) if ones else total_weight(target.weights * factors)
        training = without_rows(summary.rows, weight, ones, data.features)
        criterion = criterion_of(model.criterion, len(classes), model.min_gain)
        bins = Bins.of(summary.sketches, model.max_bins, model.categories_)
        reading = Reading(bins, classes, None if ones else factors, weight)
        sums = ClassSums(len(classes), not ones)
        unit = grid_of(weight) if drawn and not ones else None
        spread, weights = spread_of(data, summary, reading, sums, unit)
        refuse_fractions(criterion, None if drawn else weights)
        probe(criterion, spread.totals.astype(float))
        return SpreadClasses(classes, training, spread, sums, criterion, unit)

    def drawn(self, seed: int) -> SpreadClasses:
        """A bootstrap sample of as many rows, where they lie."""
        rows, sums = self.training.rows, ClassSums(self.sums.classes, True)
        whole = None if self.unit is None else round(float(self.spread.totals.sum()) / self.unit)
        sample, groups = delayed(resampled), self.spread.groups
        (groups,) = persist([[sample(part, rows, seed, self.unit, whole) for part in group] for group in groups])
        census = compute([delayed(Census.of)(part, sums) for group in groups for part in group])[0]
        training = without_rows(rows, float(rows), False, self.training.x.shape[1])
        return replace(self, training=training, spread=_summed(groups, self.spread.bins, census), sums=sums)

    def fitted(self, options: Options, categories: Categories) -> Fitted:
        """Grow a tree."""
        growing = growing_of(options, self.training, categories)
        rule = ClassHistogramRule(self.criterion, growing.stopping, self.sums)
        tree = grow_apart(self.spread, rule, growing)
        return finished(options, self.training, tree, partial(class_nodes, self.criterion), growing.recoding)


def _factors(class_weight: Any, classes: Array, seen: Any) -> Array:
    """The factor of each class in the weights."""
    if class_weight == "balanced":
        return np.asarray(seen.rows.sum() / (len(classes) * seen.rows.astype(float)))
    class_weights(class_weight)
    return np.ones(len(classes)) if class_weight is None else compute_sample_weight(class_weight, classes)


def without_rows(rows: int, weight: float, ones: bool, features: int) -> WeighedTraining:
    """The summary of a training set, without its rows.

    Raises
    ------
    ValueError
        If no row weighs anything.
    """
    if not weight > 0:
        raise ValueError(complaint("some weight must be positive", "only zeros", "correct the weights"))
    none = np.empty((0, features), np.float32)
    return WeighedTraining(none, np.empty(0), None if ones else np.empty(0), rows, weight)


def spread_of(
    data: Partitions, summary: TrainingSummary, reading: Reading, sums: Sums, unit: float | None = None
) -> tuple[Spread, Array]:
    """The rows in bins, put together where they lie, and what is known of weights; see ``Census``.

    With a ``unit`` rows are placed by the weights before them.
    """
    parts = list(persist(*data.each(binned, reading, own=summary.own())))
    census = compute([delayed(Census.of)(part, sums) for part in parts])[0]
    seals = {part.key: each.checksum for part, each in zip(parts, census, strict=True)}
    heavy = np.cumsum([0.0, *(each.sums.sum() for each in census)]).tolist()
    before = {part.key: weight for part, weight in zip(parts, heavy, strict=False)}

    def known(part: Any) -> Any:
        same = delayed(unchanged)(part, seals[part.key])
        return same if unit is None else delayed(placed)(same, before[part.key], unit)

    near = [[[known(part) for part in group] for group in groups] for groups in beside(parts)]
    (groups,) = persist([[delayed(joined)(group) for group in groups] for groups in near])
    return _summed(groups, reading.bins, census), np.concatenate([each.weights for each in census])


def _summed(groups: list[list[Any]], bins: Bins, census: list[Census]) -> Spread:
    return Spread(groups, bins, np.sum([each.sums for each in census], axis=0), sum(each.rows for each in census))


@contextmanager
def _workers_may_die() -> Iterator[None]:
    """Say in one sentence that partitions are lost for good."""
    try:
        yield
    except Exception as error:
        if type(error).__name__ not in LOST:
            raise
        rule, remedy = "lost partitions must be computable again", "keep their source, or use more workers"
        raise RuntimeError(complaint(rule, f"{type(error).__name__}: {error}", remedy)) from error
