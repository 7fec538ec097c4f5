"""What a tree is grown from: features, labels or responses, and weights.

Main definitions: ``Training``; ``Sparse`` (features of which only the values that are not 0 are kept), ``Ranks``
(what trees on the same features share).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.trees.growth.records import Cells
from splitcrit.trees.scan.sorted_columns import by_column, orders_of


@dataclass(frozen=True, eq=False)
class Sparse:
    """Features of which the cells are kept, row by row, and how many rows and columns there are."""

    cells: Cells
    shape: tuple[int, int]

    @staticmethod
    def of(x: Any) -> Sparse:
        """The features of a sparse matrix of floats, each cell once and none of them 0; ``Sparse`` as it is.

        Examples
        --------
        >>> from scipy.sparse import csr_array
        >>> Sparse.of(csr_array(np.array([[0, 1.5], [-1, 0]], np.float32))).cells.features
        array([1, 0], dtype=int32)
        """
        if isinstance(x, Sparse):
            return x
        x = x.tocsr()
        with np.errstate(over="ignore"):
            rounded, values = np.ascontiguousarray(x.data, dtype=np.float32), np.empty(0)
        words = rounded.view(np.int32)
        keys = words ^ ((words >> 31) & np.int32(0x7FFFFFFF))
        if (rounded != x.data).any():
            levels = np.unique(np.append(x.data, 0.0))
            zero = np.searchsorted(levels, 0.0)
            keys, values = (np.searchsorted(levels, x.data) - zero).astype(np.int32), np.append(levels, zero)
        return Sparse(Cells(x.indptr.astype(np.int64), x.indices, keys, values), x.shape)


@dataclass(frozen=True, eq=False)
class Ranks:
    """Values ``(d, n)`` by column, missing ones infinite, and the rank of each among the distinct values of its column.

    ``lost (d,)`` is the rank that missing values share, the last one, or -1 where none is missing.

    They are found once for all trees that are grown on the same features.
    """

    values: Array
    ranks: Array
    lost: Array

    @staticmethod
    def of(x: Array, random: bool = False, levels: Any = 0) -> Ranks:
        """The ranks of features ``x (n, d)``, float32 or float64, but for those with ``levels``, which are categories.

        Splits at ``random`` need none.
        """
        from splitcrit.trees.growth.class_sources_compiled import dense_ranks

        values, codes = by_column(x), np.zeros(len(x), np.int64)
        if random:
            return Ranks.unsorted(values)
        ranks, lost = np.empty(values.shape, np.uint32), np.full(len(values), -1)
        for f in np.flatnonzero(np.broadcast_to(levels, len(values)) == 0).tolist():
            one = slice(f, f + 1)  # column by column, so that no order is kept
            dense_ranks(orders_of(values[one], codes, 1), values[one], 1, ranks[one], lost[one])
        return replace(Ranks.unsorted(values), ranks=ranks, lost=lost)

    @staticmethod
    def unsorted(values: Array) -> Ranks:
        """Values ``(d, n)`` by column without ranks."""
        if np.isnan(values.min(initial=0)):
            values = np.where(np.isnan(values), np.inf, values)
        return Ranks(values, np.empty((len(values), 0), np.uint32), np.full(len(values), -1))


@dataclass(frozen=True, eq=False)
class Training:
    """A training set.

    Parameters
    ----------
    x : float32 or float64 array (n, d), or Sparse
        Nan is a missing value. Features are not changed, and may be shared by threads.
    y : array (n,)
        Class codes or, of 0 ``classes``, finite responses.
    classes : int
    weights : array (n,), optional
        What each sample weighs, 0 to leave it out; 1 by default.
    ranks : Ranks, optional
        Those of the features, where trees share them.
    """

    x: Any
    y: Array
    classes: int = 0
    weights: Array | None = None
    ranks: Ranks | None = None

    @property
    def sparse(self) -> bool:
        """Whether the features are cells."""
        return isinstance(self.x, Sparse)

    @property
    def features(self) -> int:
        """The number of features."""
        return int(self.x.shape[1])

    @property
    def size(self) -> int:
        """The number of samples, each as often as it counts, or their weight."""
        return len(self.y) if self.weights is None else int(np.ceil(self.weights.sum()))

    @property
    def positive(self) -> Training:
        """The training set without samples of weight 0, unless features are shared or cells."""
        if self.weights is None or self.sparse or self.ranks is not None or self.weights.all():
            return self
        some = self.weights > 0
        return replace(self, x=self.x[some], y=self.y[some], weights=self.weights[some])
