"""Where subsets of categories send rows: a table by subset and code, in place of a threshold.

Main definitions: ``SubsetSides``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from splitcrit.arguments import Array
from splitcrit.trees.growth.category_ranks import Subset


@dataclass(frozen=True, eq=False)
class SubsetSides:
    """The feature of each column of a tree, of which the last are subsets, and what these send right ``(S, J)``."""

    feature: Array
    right: Array

    @staticmethod
    def of(features: int, subsets: Sequence[Subset] = ()) -> SubsetSides:
        """Return the sides of subsets; rows have the codes that a node has seen.

        Examples
        --------
        >>> sides = SubsetSides.of(3, [Subset(1, (0, 3), (2,), True, "all subsets")])
        >>> sides.feature.tolist(), sides.right.astype(int).tolist()
        ([0, 1, 2, 1], [[0, 0, 1, 0]])
        """
        codes = 1 + max((max(subset.left + subset.right) for subset in subsets), default=-1)
        right = [np.isin(np.arange(codes), subset.right) for subset in subsets]
        feature = np.array([*range(features), *(subset.feature for subset in subsets)])
        return SubsetSides(feature, np.array(right, dtype=bool).reshape(len(subsets), codes))

    def put(self, left: Array, column: Array, codes: Array) -> Array:
        """Return who goes left, as given but where ``column`` is a subset: there ``codes`` tell."""
        subset = column - (len(self.feature) - len(self.right))
        some = np.flatnonzero(subset >= 0)
        left[some] = ~self.right[subset[some], codes[some].astype(np.intp)]
        return left
