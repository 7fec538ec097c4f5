"""The contingency table: frozen counts, rows by classes, with their names.

Main definitions: ``Table``; ``Table.of`` is the one door that validates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from splitcrit.table.counting import Array, count_array, summed
from splitcrit.values import complaint


@final
@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Counts of shape ``(..., r, k)``: rows are children or feature values, columns are classes."""

    counts: Array
    row_names: tuple[Any, ...]
    class_names: tuple[Any, ...]

    def __post_init__(self) -> None:
        held = np.asarray(self.counts).view()
        held.flags.writeable = False
        object.__setattr__(self, "counts", held)

    @staticmethod
    def of(counts: Any) -> Table:
        """Return the table of anything array-like."""
        if isinstance(counts, Table):
            return counts
        held = count_array(counts)
        return Table(held, tuple(range(held.shape[-2])), tuple(range(held.shape[-1])))

    @property
    def faces(self) -> Array:
        """The counts as a view ``(r, k, ...)``: rows, then classes, then the batch."""
        return np.moveaxis(self.counts, (-2, -1), (0, 1))

    def integers(self) -> Array:
        """Return the counts if they are integers (int64, or Python integers beyond it)."""
        if not all(x == int(x) for x in self.counts.ravel().tolist()):
            raise ValueError(complaint("counts must be integers", "fractional counts", "pass whole counts"))
        return self.counts if self.counts.dtype != np.float64 else np.vectorize(int, otypes=[object])(self.counts)
