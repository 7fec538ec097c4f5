"""A uniform sample of a column that is read once, and the quantiles it gives.

Main definitions: ``Sample``, ``quantile_cuts``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.table.arrow import magnitudes
from splitcrit.table.counting import Array

SAMPLE = 65536  # values in a sample


class Sample:
    """At most `SAMPLE` of the values present in a column, each as likely as any other: those with the smallest keys."""

    def __init__(self) -> None:
        self.bound = 1.0
        self.keys: Array = np.empty(0)
        self.held: Array | None = None

    @property
    def whole(self) -> bool:
        """Whether all values present are in the sample."""
        return self.bound == 1 and len(self.keys) <= SAMPLE

    @property
    def values(self) -> Array:
        """The values in the sample."""
        self._shrink()
        return np.empty(0) if self.held is None else self.held

    def draw(self, column: Any, keys: Array) -> None:
        """Offer the values of an array with random keys between 0 and 1."""
        near = np.flatnonzero(keys < self.bound)
        values, present = magnitudes(column.take(near))
        self._keep(keys[near][present], values)

    def absorb(self, other: Sample) -> None:
        """Keep the smallest keys of both samples."""
        values = other.values
        self._keep(other.keys, values)
        self.bound = min(self.bound, other.bound)
        self._shrink()

    def _keep(self, keys: Array, values: Array) -> None:
        if len(keys):
            self.keys = np.concatenate([self.keys, keys])
            self.held = values if self.held is None else np.concatenate([self.held, values])
        if len(self.keys) > 2 * SAMPLE:
            self._shrink()

    def _shrink(self) -> None:
        if self.held is not None and len(self.keys) > SAMPLE:
            smallest = np.argpartition(self.keys, SAMPLE)[:SAMPLE]
            self.keys, self.held = self.keys[smallest], self.held[smallest]
            self.bound = float(self.keys.max())


def quantile_cuts(values: Array, bins: int) -> Array:
    """Return the ``ceil(n i/bins)``-th smallest of ``n`` values for ``i = 1, .., bins - 1``, each once.

    Examples
    --------
    >>> quantile_cuts(np.array([5, 1, 4, 2, 3, 6]), 3).tolist()
    [2, 4]
    """
    found = np.sort(values)
    return np.unique(found[[-(-len(found) * i // bins) - 1 for i in range(1, bins)]])
