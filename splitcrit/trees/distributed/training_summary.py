"""What a tree needs to know of all rows before it grows, and how it tells that they are still the same.

Main definitions: ``TrainingSummary``, ``PartitionLabels``, ``Range``, ``summarised``, ``binned``, ``Census``,
``unchanged``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

from splitcrit import arguments
from splitcrit.arguments import Array
from splitcrit.frozen import complaint
from splitcrit.trees.distributed.histograms import Binned, Sums, rooted
from splitcrit.trees.distributed.sketch import Bins, Sized, Sketch
from splitcrit.trees.estimators.reading import bounded
from splitcrit.trees.estimators.weighing import summable


@dataclass(frozen=True, eq=False)
class PartitionLabels:
    """Sorted labels, with their rows, rows of positive weight, and weights."""

    labels: Array
    rows: Array
    positive: Array
    weights: Array

    @staticmethod
    def of(y: Array, weights: Array) -> PartitionLabels:
        """The labels of a partition.

        Raises
        ------
        ValueError, TypeError
            If labels are missing or of several kinds.
        """
        lost = y != y if y.dtype.kind in "fOMm" else np.zeros(0, dtype=bool)
        if np.any(lost) or (y.dtype.kind == "O" and any(label is None for label in y)):
            raise ValueError(complaint("every row needs a label", "a missing one", "drop rows without"))
        labels, codes = _distinct(y)
        rows, some, weight = (np.bincount(codes, a, len(labels)) for a in (None, weights > 0, weights))
        return PartitionLabels(labels, rows, some.astype(np.int64), weight)

    @staticmethod
    def merged(parts: Sequence[PartitionLabels]) -> PartitionLabels:
        """The labels of all parts together."""
        filled = [part for part in parts if len(part.labels)] or list(parts[:1])
        if len({part.labels.dtype.kind in "US" for part in filled}) > 1:
            raise TypeError(complaint("labels must be of one type", "strings and numbers", "convert y first"))
        labels, place = _distinct(np.concatenate([part.labels for part in filled]))
        sums = [np.concatenate([getattr(part, name) for part in filled]) for name in ("rows", "positive", "weights")]
        rows, some, weights = (np.bincount(place, a, len(labels)) for a in sums)
        return PartitionLabels(labels, rows.astype(np.int64), some.astype(np.int64), weights)


def _distinct(labels: Array) -> tuple[Array, Array]:
    try:
        names, place = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise TypeError(complaint("labels must be of one type", error, "convert y first")) from error
    return names, place.reshape(-1)


@dataclass(frozen=True)
class Range:
    """Least and largest response, rows, their weight, and the largest weight of a row."""

    low: float
    high: float
    rows: int
    weight: float
    heaviest: float

    @staticmethod
    def of(y: Array, weights: Array) -> Range:
        """The range of the responses of a partition, with a complaint if some are not finite."""
        values = finite(y)
        low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
        return Range(low, high, len(values), float(weights.sum()), float(weights.max(initial=0.0)))

    @staticmethod
    def merged(parts: Sequence[Range]) -> Range:
        """The range of all parts together."""
        low, high = min(part.low for part in parts), max(part.high for part in parts)
        rows, weight = sum(part.rows for part in parts), float(sum(part.weight for part in parts))
        return Range(low, high, rows, weight, max(part.heaviest for part in parts))


def finite(y: Array) -> Array:
    """Responses in float64.

    Raises
    ------
    ValueError, TypeError
        If they are no numbers, not finite, or so large that their squares are not.
    """
    return bounded(arguments.finite(y, "responses", 1))


Target = PartitionLabels | Range


@dataclass(frozen=True, eq=False)
class TrainingSummary(Sized):
    """Labels or responses, whether all weights are 1, the sketch of each feature, and of each partition its seal."""

    target: Target
    ones: bool
    sketches: list[Sketch]
    seals: list[Seal]

    @staticmethod
    def merged(parts: Sequence[TrainingSummary], capacity: int) -> TrainingSummary:
        """The summary of all parts together."""
        features = range(len(parts[0].sketches))
        sketches = [Sketch.merged([part.sketches[f] for part in parts], capacity) for f in features]
        seals = [seal for part in parts for seal in part.seals]
        kind: Any = type(parts[0].target)
        return TrainingSummary(
            kind.merged([part.target for part in parts]), all(p.ones for p in parts), sketches, seals
        )

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return sum(seal.rows for seal in self.seals)

    def own(self) -> list[tuple[int, Seal]]:
        """For each partition the number of its first row among all, and its seal."""
        firsts = np.cumsum([0, *(seal.rows for seal in self.seals)]).tolist()
        return list(zip(firsts, self.seals, strict=False))


@dataclass(frozen=True)
class Seal:
    """The number of rows of a partition, and checksums of its features, and of its labels and weights."""

    rows: int
    features: int
    labels: int

    @staticmethod
    def of(x: Array, y: Array, weights: Array | None) -> Seal:
        """The seal of a partition."""
        words = y if y.dtype.kind != "O" else np.array([repr(label) for label in y.tolist()], dtype=str)
        return Seal(len(x), checksum(x), checksum(words, weights))


def checksum(*arrays: Array | None) -> int:
    """A number that other rows do not have, but for one chance in 2^32."""
    crc = 0
    for array in arrays:
        crc = crc if array is None else crc32(np.ascontiguousarray(array).view(np.uint8).data, crc)
    return crc


def summarised(
    x: Array, y: Array, weights: Array | None, capacity: int, kind: type[Target] = PartitionLabels,
    categorical: Array | None = None, columns: list[Any] | None = None,
) -> TrainingSummary:  # fmt: skip
    """The summary of a partition; ``categorical`` tells which features are codes of known categories.

    ``columns`` are the features before they were floats.

    Raises
    ------
    ValueError, TypeError
        If labels are missing or of several kinds, or responses are no finite numbers.
    RuntimeError
        If a category is not known, because other rows were read before.
    """
    if categorical is not None and (x[:, categorical] < 0).any():
        raise changed("categories that were not there before")
    heavy = np.ones(len(y)) if weights is None else weights
    codes = np.zeros(x.shape[1], dtype=bool) if categorical is None or columns is None else categorical
    each = zip(np.ascontiguousarray(x.T), codes, x.T if columns is None else columns, strict=True)
    sketches = [Sketch.of(read if coded else column, capacity) for read, coded, column in each]
    return TrainingSummary(kind.of(y, heavy), bool((heavy == 1).all()), sketches, [Seal.of(x, y, weights)])


@dataclass(frozen=True, eq=False)
class Reading:
    """How partitions are binned: the bins, the classes (None: responses are numbers), and how weights are made.

    These are multiplied by a factor for each class, or one for all, and have this ``total``; no factors: all are 1.
    """

    bins: Bins
    classes: Array | None
    factors: Array | None
    total: float


def binned(x: Array, y: Array, weights: Array | None, reading: Reading, first: int, seal: Seal) -> Binned:
    """The rows of a partition in bins, without those of weight 0; they weigh 1 each without factors.

    The partition begins with row ``first`` of all, and had this seal when it was summarised.

    Raises
    ------
    RuntimeError
        If the rows are not those that were summarised.
    """
    bins, classes, factors = reading.bins, reading.classes, reading.factors
    target = finite(y) if classes is None else np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    if classes is not None:
        if (classes[target] != y).any():
            raise changed("values that were not there before")
        target = target.astype(np.min_scalar_type(len(classes)))
    now = Seal.of(x, y, weights)
    if now != seal:
        raise changed("other labels" if now.labels != seal.labels else "other values")
    places = np.arange(first, first + len(x))
    if factors is None:
        return Binned(bins.codes(x), target, None, places)
    factors = factors if classes is None else factors[target]
    each = summable(factors * (np.ones(len(x)) if weights is None else weights), reading.total)
    some = each > 0
    return Binned(bins.codes(x[some]), target[some], each[some], places[some])


def changed(got: str) -> RuntimeError:
    """The error of partitions that are not what they were."""
    rule, remedy = "partitions hold the same rows each time they are read", "persist them, or seed their source"
    return RuntimeError(complaint(rule, got, remedy))


@dataclass(frozen=True, eq=False)
class Census:
    """The sums of a partition, its rows, what is known of its weights, and a checksum.

    ``weights (m,)`` has one that is no integer, if there is one, and their sum; it is empty where all are 1.
    """

    sums: Array
    rows: int
    weights: Array
    checksum: int

    @staticmethod
    def of(part: Binned, sums: Sums) -> Census:
        """The summary of a partition for the client."""
        content = sums.held(part.target, part.weights)
        total = sums.parted(sums.added(np.zeros(len(part.target), np.intp), 1, content))[0][0]
        weights = np.empty(0)
        if part.weights is not None:
            broken = part.weights[part.weights != np.floor(part.weights)]
            weights = np.append(broken[:1], part.weights.sum())
        return Census(total, len(rooted(part).rows), weights, sealed(part))


def sealed(part: Binned) -> int:
    """The checksum of a partition in bins."""
    return checksum(part.bins, part.target, part.weights, part.numbers)


def unchanged(part: Binned, expected: int) -> Binned:
    """A partition itself, each time it is computed.

    Raises
    ------
    RuntimeError
        If it holds other rows than it did.
    """
    if sealed(part) != expected:
        raise changed("other values")
    return part
