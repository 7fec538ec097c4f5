"""What a fitted tree says of the rows of partitions, where they lie.

Main definitions: ``of_partitions``, ``share_of_hits``, ``share_explained``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np
from dask.base import compute
from dask.delayed import delayed

from splitcrit.arguments import Array
from splitcrit.data.training_inputs import compared
from splitcrit.frozen import complaint
from splitcrit.trees.distributed.partitions import Partitions
from splitcrit.trees.distributed.targets import finite


def of_partitions(local: Any, x: Any, method: str) -> Any:
    """Apply a method of a tree to each partition of a Dask array or data frame; return a Dask array."""
    none = _said(local, method, np.zeros((1, local.n_features_in_), np.float32))[:0]
    if not hasattr(x, "divisions") and len(x.chunks[1]) > 1:
        x = x.rechunk({1: -1})
    blocks = np.asarray(x.to_delayed(), dtype=object).reshape(-1)
    rows = x.chunks[0] if hasattr(x, "chunks") else (np.nan,) * len(blocks)
    task, held = delayed(_rows_of), delayed((local, method, none), traverse=False)
    each = zip(blocks, rows, strict=True)
    parts = [da.from_delayed(task(block, held), (n, *none.shape[1:]), none.dtype) for block, n in each]
    return da.concatenate(parts, allow_unknown_chunksizes=True)


def _said(local: Any, method: str, x: Array) -> Array:
    """Apply a method of a tree or forest to features without names; categories are codes."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        coding = local._coding(x)
        return np.asarray(getattr(local, method)(x if coding is None else coding))


def _rows_of(x: Any, held: tuple[Any, str, Array]) -> Array:
    """Apply a method of a tree to a partition, which may be empty."""
    local, method, none = held
    return np.asarray(getattr(local, method)(x)) if len(x) else none


def _of_each(task: Callable[..., Any], local: Any, data: Partitions) -> list[Any]:
    """Return the results of a task for all partitions; raise ValueError unless they have the features of the fit."""
    if data.features != local.n_features_in_:
        rule = f"X has {local.n_features_in_} features, as in fit"
        raise ValueError(complaint(rule, f"{data.features}", "pass the columns of the training set"))
    return list(compute(data.each(task, local))[0])


def _weighs(weight: float) -> None:
    """Raise ValueError unless the sum of the weights can be divided by."""
    if not 0 < weight < np.inf:
        rule = "the sum of the weights is positive and finite"
        raise ValueError(complaint(rule, weight, "pass rows, and weights that are neither all zero nor so large"))


def share_of_hits(local: Any, data: Partitions) -> float:
    """Return the share of the weight of rows whose class is predicted.

    Raises
    ------
    ValueError
        If there are other features than in fit, or the sum of the weights is 0 or overflows.
    """
    with np.errstate(over="ignore"):
        hits, weight = np.sum(_of_each(_hits, local, data), axis=0)
    _weighs(weight)
    return float(hits / weight)


def _hits(x: Array, y: Array, weights: Array | None, local: Any) -> tuple[float, float]:
    """Return the weight of the rows of a partition whose class is predicted, and that of all."""
    if not len(x):
        return 0.0, 0.0
    labels, weights = compared(local.classes_, y), np.ones(len(x)) if weights is None else weights
    with np.errstate(over="ignore"):
        return float(weights[_said(local, "predict", x) == labels].sum()), float(weights.sum())


def share_explained(local: Any, data: Partitions) -> float:
    """Return one less the ratio of the squared error of predictions to that of the mean response.

    Raises
    ------
    ValueError
        If there are other features than in fit, no rows, or weights that are all 0.
    """
    weight, mean, spread, error = np.array(_of_each(_errors, local, data)).T
    _weighs(weight.sum())
    whole = float(spread.sum() + weight @ (mean - weight @ mean / weight.sum()) ** 2)
    if whole == 0:
        return 1.0 if error.sum() == 0 else 0.0
    return 1 - float(error.sum()) / whole


def _errors(x: Array, y: Array, weights: Array | None, local: Any) -> tuple[float, float, float, float]:
    """Return weight and mean of the responses of a partition, and the squared errors of the mean and of predictions."""
    responses, weights = finite(y), np.ones(len(y)) if weights is None else weights
    if not (whole := float(weights.sum())) > 0:
        return 0.0, 0.0, 0.0, 0.0
    mean = float(weights @ responses / whole)
    missed = responses - _said(local, "predict", x)
    return whole, mean, float(weights @ (responses - mean) ** 2), float(weights @ missed**2)
