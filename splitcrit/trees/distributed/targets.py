"""A summary of all labels or responses, made before a tree grows.

Main definitions: ``PartitionLabels``, ``Range``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.training_inputs import numbers
from splitcrit.frozen import complaint
from splitcrit.trees.estimators.reading import bounded


@dataclass(frozen=True, eq=False)
class PartitionLabels:
    """Sorted labels, with their rows, rows of positive weight, and weights."""

    labels: Array
    rows: Array
    kept: Array
    weights: Array

    @staticmethod
    def of(y: Array, weights: Array) -> PartitionLabels:
        """Return the labels of a partition.

        Raises
        ------
        ValueError, TypeError
            If labels are missing or of several kinds.
        """
        lost = y != y if y.dtype.kind in "fO" else np.zeros(0, dtype=bool)
        if np.any(lost) or (y.dtype.kind == "O" and any(label is None for label in y)):
            raise ValueError(complaint("every row needs a label", "a missing one", "drop rows without"))
        labels, codes = _distinct(y)
        rows, kept, weight = (np.bincount(codes, a, len(labels)) for a in (None, weights > 0, weights))
        return PartitionLabels(labels, rows, kept.astype(np.int64), weight)

    @staticmethod
    def merged(parts: Sequence[PartitionLabels]) -> PartitionLabels:
        """Return the labels of all parts together."""
        filled = [part for part in parts if len(part.labels)] or list(parts[:1])
        if len({part.labels.dtype.kind in "US" for part in filled}) > 1:
            raise TypeError(complaint("labels must be of one type", "strings and numbers", "convert y first"))
        labels, place = _distinct(np.concatenate([part.labels for part in filled]))
        sums = [np.concatenate([getattr(part, name) for part in filled]) for name in ("rows", "kept", "weights")]
        rows, kept, weights = (np.bincount(place, a, len(labels)) for a in sums)
        return PartitionLabels(labels, rows.astype(np.int64), kept.astype(np.int64), weights)


def _distinct(labels: Array) -> tuple[Array, Array]:
    try:
        found, place = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise TypeError(complaint("labels must be of one type", error, "convert y first")) from error
    return found, place.reshape(-1)


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
        """Return the range of the responses of a partition, with a complaint if some are not finite."""
        found = finite(y)
        low, high = float(found.min(initial=np.inf)), float(found.max(initial=-np.inf))
        return Range(low, high, len(found), float(weights.sum()), float(weights.max(initial=0.0)))

    @staticmethod
    def merged(parts: Sequence[Range]) -> Range:
        """Return the range of all parts together."""
        low, high = min(part.low for part in parts), max(part.high for part in parts)
        rows, weight = sum(part.rows for part in parts), float(sum(part.weight for part in parts))
        return Range(low, high, rows, weight, max(part.heaviest for part in parts))


def finite(y: Array) -> Array:
    """Return responses in float64.

    Raises
    ------
    ValueError, TypeError
        If they are no numbers, not finite, or so large that their squares are not.
    """
    with numbers(y, "responses"):
        found = np.asarray(y, dtype=float)
    if (bad := found[~np.isfinite(found)]).size:
        raise ValueError(complaint("responses are finite numbers", bad[0], "drop or correct these rows"))
    return bounded(found)
