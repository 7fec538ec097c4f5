"""Counts of one column by class, which grow as batches come.

Main definitions: ``Tally``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.table.counting import Array
from splitcrit.table.value_codes import in_order, union


class Tally:
    """The counts of one column by class; it forgets them when there are more values than its limit."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.over = False
        self.places: dict[Any, int] = {}
        self.declared: tuple[Any, ...] | None = None
        self.counts: Array = np.zeros((0, 0), dtype=np.int64)
        self.last: tuple[list[Any], Array] = [], np.zeros(0, dtype=np.intp)  # names, and their places, -1 of new ones

    def put(self, names: list[Any], block: Array) -> None:
        """Add counts whose rows are the given names; a name may stand twice, None is missing."""
        seen = np.flatnonzero(block.any(axis=1))
        if self.over or not len(seen):
            return
        if names is not self.last[0]:  # the bins of a column that is cut come with every part
            self.last = names, np.full(len(names), -1)
        at = self.last[1][seen]
        if at.min() < 0:
            at = np.array([self.places.setdefault(names[i], len(self.places)) for i in seen])
            self.last[1][seen] = at
            if self.values > self.limit:
                self.forget()
                return
        self._reserve(len(self.places), block.shape[1])
        np.add.at(self.counts[:, : block.shape[1]], at, block[seen])

    def forget(self) -> None:
        """Give the column up: it has too many values."""
        self.over, self.places, self.counts, self.last = True, {}, self.counts[:0], ([], self.last[1][:0])

    def declare(self, names: tuple[Any, ...]) -> None:
        """Take note of the names of a dictionary, in its order."""
        self.declared = names if self.declared in (None, names) else union(self.declared or (), names)

    def _reserve(self, r: int, k: int) -> None:
        rows, classes = self.counts.shape
        if r > rows or k > classes:
            grown = np.zeros((max(rows, 2 * r if r > rows else r), max(k, classes)), dtype=np.int64)
            grown[:rows, :classes] = self.counts
            self.counts = grown

    @property
    def values(self) -> int:
        """The number of values that some entry has."""
        return len(self.places) - (None in self.places)

    def names(self) -> tuple[Any, ...]:
        """Return the names in order, None last if entries are missing."""
        present = (name for name in self.places if name is not None)
        names = in_order(present) if self.declared is None else self.declared
        return (*names, None) if None in self.places else names

    def at(self, names: tuple[Any, ...]) -> list[int]:
        """Return the rows of names in the counts, -1 for a declared name that no entry has."""
        return [self.places.get(name, -1) for name in names]
