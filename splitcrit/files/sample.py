"""A uniform sample of a column that is read once, and the quantiles it gives.

Main definitions: ``Sample``, ``quantile_cuts``, ``below``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.files.cells import NONE, NaValues, magnitudes
from splitcrit.table.counting import Array
from splitcrit.table.integers import joined

SAMPLE = 65536  # values in a sample
FEW_CUTS = 32  # up to this number, comparing a value to each cut is faster than a search among them


class Sample:
    """At most `SAMPLE` of the values present in a column, each as likely as any other: those with the smallest keys."""

    def __init__(self) -> None:
        self.bound = 1.0
        self.size = 0
        self.parts: list[tuple[Array, Array]] = []  # keys and values, in which there are up to twice as many

    @property
    def whole(self) -> bool:
        """Whether all values present are in the sample."""
        return self.bound == 1 and self.size <= SAMPLE

    @property
    def values(self) -> Array:
        """The values in the sample."""
        return self.kept()[1]

    def draw(self, column: Any, keys: Array, na_values: NaValues = NONE) -> None:
        """Offer the values of a column with random keys between 0 and 1."""
        near = np.flatnonzero(keys < self.bound)
        values, present = magnitudes(column.take(near), na_values)
        self._keep(keys[near][present], values)

    def absorb(self, other: Sample) -> None:
        """Keep the smallest keys of both samples."""
        self._keep(*other.kept())
        self.bound = min(self.bound, other.bound)

    @staticmethod
    def of(keys: Array, values: Array, bound: float) -> Sample:
        """Return the sample whose keys and values these are, of keys below a bound."""
        found = Sample()
        found.bound = bound
        found._keep(keys, values)
        return found

    def _keep(self, keys: Array, values: Array) -> None:
        if len(keys):
            self.parts.append((keys, values))
            self.size += len(keys)
        if self.size > 2 * SAMPLE:
            self.kept()

    def kept(self) -> tuple[Array, Array]:
        """Return the smallest keys and their values, and forget the others."""
        if not self.parts:
            return np.empty(0), np.empty(0)
        keys, values = (joined(part) for part in zip(*self.parts, strict=True))
        if len(keys) > SAMPLE:
            smallest = np.argpartition(keys, SAMPLE)[:SAMPLE]
            keys, values = keys[smallest], values[smallest]
            self.bound = float(keys.max())
        self.parts, self.size = [(keys, values)], len(keys)
        return keys, values


def quantile_cuts(values: Array, bins: int) -> Array:
    """Return the ``ceil(n i/bins)``-th smallest of ``n`` values for ``i = 1, .., bins - 1``, each once.

    Examples
    --------
    >>> quantile_cuts(np.array([5, 1, 4, 2, 3, 6]), 3).tolist()
    [2, 4]
    """
    found, bins = np.sort(values), int(bins)
    return np.unique(found[[-(-len(found) * i // bins) - 1 for i in range(1, bins)]])


def below(cuts: Array, values: Array) -> Array:
    """Return for every value how many of the cuts, which are sorted, are below it.

    Examples
    --------
    >>> below(np.array([2, 4]), np.array([1, 2, 3, 5])).tolist()
    [0, 0, 1, 2]
    """
    if len(cuts) > FEW_CUTS:
        return np.searchsorted(cuts, values, side="left")
    found = np.zeros(len(values), dtype=np.int8)
    for cut in cuts:
        found += values > cut
    return found
