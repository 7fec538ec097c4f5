"""What a fitted tree says of the rows of partitions, where they lie.

Main definitions: ``of_partitions``, ``share_of_hits``.
"""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from dask.base import compute
from dask.delayed import delayed
from numpy.typing import NDArray

from splitcrit.distributed.partitions import Partitions
from splitcrit.estimators import TreeClassifier
from splitcrit.inputs import compared
from splitcrit.values import complaint

Array = NDArray[Any]


def of_partitions(local: TreeClassifier, x: Any, method: str) -> Any:
    """Return what a method of a tree returns for each partition of a Dask array or data frame, as a Dask array."""
    none = getattr(local, method)(np.zeros((1, local.n_features_in_), np.float32), check_input=False)[:0]
    if not hasattr(x, "divisions") and len(x.chunks[1]) > 1:
        x = x.rechunk({1: -1})
    blocks = np.asarray(x.to_delayed(), dtype=object).reshape(-1)
    rows = x.chunks[0] if hasattr(x, "chunks") else (np.nan,) * len(blocks)
    task, held = delayed(_rows_of), delayed((local, method, none), traverse=False)
    each = zip(blocks, rows, strict=True)
    parts = [da.from_delayed(task(block, held), (n, *none.shape[1:]), none.dtype) for block, n in each]
    return da.concatenate(parts, allow_unknown_chunksizes=True)


def _rows_of(x: Any, held: tuple[TreeClassifier, str, Array]) -> Array:
    """Return what a method of a tree returns for a partition, which may be empty."""
    local, method, none = held
    return np.asarray(getattr(local, method)(x)) if len(x) else none


def share_of_hits(local: TreeClassifier, data: Partitions) -> float:
    """Return the share of the weight of rows whose class is predicted.

    Raises
    ------
    ValueError
        If there are other features than in fit, or the sum of the weights is 0 or overflows.
    """
    if data.features != local.n_features_in_:
        rule = f"X has {local.n_features_in_} features, as in fit"
        raise ValueError(complaint(rule, f"{data.features}", "pass the columns of the training set"))
    with np.errstate(over="ignore"):
        hits, weight = np.sum(compute(data.each(_hits, local))[0], axis=0)
    if not 0 < weight < np.inf:
        rule = "the sum of the weights is positive and finite"
        raise ValueError(complaint(rule, weight, "pass rows, and weights that are neither all zero nor so large"))
    return float(hits / weight)


def _hits(x: Array, y: Array, weights: Array | None, local: TreeClassifier) -> tuple[float, float]:
    """Return the weight of the rows of a partition whose class is predicted, and that of all."""
    if not len(x):
        return 0.0, 0.0
    labels, weights = compared(local.classes_, y), np.ones(len(x)) if weights is None else weights
    with np.errstate(over="ignore"):
        return float(weights[local.predict(x, check_input=False) == labels].sum()), float(weights.sum())
