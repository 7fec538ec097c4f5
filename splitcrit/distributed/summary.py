"""What a tree needs to know of all rows before it grows: how many, their classes, weights and quantiles.

Main definitions: ``Summary``, ``summarised``, ``binned``, ``Census``, ``unchanged``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from dask.sizeof import sizeof
from numpy.typing import NDArray

from splitcrit.distributed.histograms import Binned
from splitcrit.distributed.sketch import Bins, Sketch
from splitcrit.estimators.reading import summable
from splitcrit.values import complaint

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Summary:
    """Sorted labels with their rows, rows of positive weight and weights, and the sketch of each feature."""

    labels: Array
    rows: Array
    kept: Array
    weights: Array
    ones: bool
    sketches: list[Sketch]

    def __sizeof__(self) -> int:
        """Return the size that Dask goes by when it chooses where to work."""
        return int(sizeof(list(vars(self).values())))

    @staticmethod
    def merged(parts: Sequence[Summary], capacity: int) -> Summary:
        """Return the summary of all parts together."""
        filled = [part for part in parts if len(part.labels)] or list(parts[:1])
        words = {part.labels.dtype.kind in "US" for part in filled}
        if len(words) > 1:
            raise TypeError(complaint("labels are of one kind", "words and numbers", "convert y first"))
        labels, place = _distinct(np.concatenate([part.labels for part in filled]))
        sums = [np.concatenate([getattr(part, name) for part in filled]) for name in ("rows", "kept", "weights")]
        rows, kept, weights = (np.bincount(place, a, len(labels)) for a in sums)
        features = range(len(parts[0].sketches))
        sketches = [Sketch.merged([part.sketches[f] for part in parts], capacity) for f in features]
        ones = all(part.ones for part in parts)
        return Summary(labels, rows.astype(np.int64), kept.astype(np.int64), weights, ones, sketches)


def summarised(x: Array, y: Array, weights: Array | None, capacity: int) -> Summary:
    """Return the summary of a partition.

    Raises
    ------
    ValueError, TypeError
        If labels are missing or of several kinds.
    """
    given = np.ones(len(y)) if weights is None else weights
    lost = y != y if y.dtype.kind in "fO" else np.zeros(0, dtype=bool)
    if np.any(lost) or (y.dtype.kind == "O" and any(label is None for label in y)):
        raise ValueError(complaint("every row has a label", "a missing one", "drop rows without"))
    labels, codes = _distinct(y)
    rows, kept, weight = (np.bincount(codes, a, len(labels)) for a in (None, given > 0, given))
    sketches = [Sketch.of(column, capacity) for column in np.ascontiguousarray(x.T)]
    return Summary(labels, rows, kept.astype(np.int64), weight, bool((given == 1).all()), sketches)


def _distinct(labels: Array) -> tuple[Array, Array]:
    try:
        found, place = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise TypeError(complaint("labels are of one kind", error, "convert y first")) from error
    return found, place.reshape(-1)


@dataclass(frozen=True, eq=False)
class Weighing:
    """How weights are made: a factor for each class, and the total of all."""

    factors: Array
    total: float


def binned(x: Array, y: Array, weights: Array | None, bins: Bins, classes: Array, weighing: Weighing | None) -> Binned:
    """Return the rows of a partition in bins, without those of weight 0; they weigh 1 each without ``weighing``.

    Raises
    ------
    RuntimeError
        If the rows are not those that were summarised.
    """
    codes = np.minimum(np.searchsorted(classes, y), len(classes) - 1).astype(np.min_scalar_type(len(classes)))
    if (classes[codes] != y).any() or (np.isnan(x).any(axis=0) & ~bins.missing).any():
        raise changed("values that were not there before")
    if weighing is None:
        return Binned(bins.codes(x), codes, None)
    weights = weighing.factors[codes] * (1.0 if weights is None else np.asarray(weights, dtype=float))
    weights = summable(weights, weighing.total)
    kept = weights > 0
    return Binned(bins.codes(x[kept]), codes[kept], weights[kept])


def changed(got: str) -> RuntimeError:
    """Return the error of partitions that are not what they were."""
    rule, remedy = "partitions hold the same rows each time they are read", "persist them, or seed their source"
    return RuntimeError(complaint(rule, got, remedy))


@dataclass(frozen=True, eq=False)
class Census:
    """Weight and rows of each class of a partition, a weight that is no integer if there is one, and a checksum."""

    weights: Array
    rows: Array
    fractions: Array
    checksum: int

    @staticmethod
    def of(part: Binned, classes: int) -> Census:
        """Return what the client wants to know of a partition."""
        weights, rows = (np.bincount(part.codes, w, classes) for w in (part.weights, None))
        given = np.empty(0) if part.weights is None else part.weights
        return Census(weights.astype(float), rows, given[given != np.floor(given)][:1], checksum(part))


def checksum(part: Binned) -> int:
    """Return a number that other rows do not have, but for one chance in 2^32."""
    found = 0
    for array in (part.bins, part.codes, part.weights):
        found = found if array is None else crc32(np.ascontiguousarray(array).data, found)
    return found


def unchanged(part: Binned, expected: int) -> Binned:
    """Return a partition itself, each time it is computed.

    Raises
    ------
    RuntimeError
        If it holds other rows than it did.
    """
    if checksum(part) != expected:
        raise changed("other values")
    return part
