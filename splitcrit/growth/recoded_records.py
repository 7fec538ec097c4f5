"""What the compiled loop that grows a tree over categories takes of them, as a named tuple.

Main definitions: ``Coded``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class Coded(NamedTuple):
    """Columns of categories: how many each has (0: a column of numbers), and codes ``(d, n)``.

    ``ordered`` tells whether the cuts of the order by response are enough. The rest is space: the table of a node, its
    categories, the ranks of all, class counts of a side, and scores of subsets.
    """

    levels: Array
    codes: Array
    ordered: bool
    table: Array
    there: Array
    ranks: Array
    seen: Array
    scores: Array

    @staticmethod
    def of(levels: Array, codes: Array, ordered: bool, classes: int) -> Coded:
        """Return columns of categories with the space that nodes of some classes need."""
        most = int(levels.max())
        table, seen = np.empty((most, classes), np.int64), np.empty(classes, np.int64)
        there, ranks = np.empty(most, np.int64), np.empty(most, np.int64)
        scores = np.empty(1 if ordered else 2 ** (most - 1))
        return Coded(levels.astype(np.int64), codes, ordered, table, there, ranks, seen, scores)
