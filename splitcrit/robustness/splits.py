"""Two splits of one node, as cells of counts, and which of them scores higher.

Two splits cut a node into four cells (both left; left and right; right and left; both right).

Main definitions: ``cells_of``, ``SplitComparison``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.frozen import complaint
from splitcrit.table import Table

BAND = 1e-11  # of the node's scale: scores nearer than this are equal, as in the trees
LARGEST = 2**62  # samples of a node, so that counts fit an int64 and so do their sums


def cells_of(first: Any, second: Any = None) -> NDArray[np.int64]:
    """The cells ``(2, 2, K)`` of two splits, from themselves or from two nested tables."""
    if second is None:
        cells = np.asarray(Table.of(first).integers())
        if cells.ndim != 3 or cells.shape[:2] != (2, 2):
            rule, got = "the cells of two splits have shape (2, 2, K)", f"shape {cells.shape}"
            raise ValueError(complaint(rule, got, "pass two tables, or cells[side of one][of other]"))
    else:
        cells = _nested(*(np.asarray(Table.of(table).integers()) for table in (first, second)))
    if cells.sum(dtype=object) >= LARGEST:
        rule = "two splits are compared at nodes of fewer than 2**62 samples"
        raise ValueError(complaint(rule, cells.sum(dtype=object), "divide the counts by their common factor"))
    if not (cells.sum(axis=(1, 2)).all() and cells.sum(axis=(0, 2)).all()):
        raise ValueError(complaint("a split has samples on both sides", "an empty side", "pass proper splits"))
    return cells


def _nested(one: Array, two: Array) -> Array:
    if one.shape != two.shape or one.ndim != 2 or len(one) != 2:
        rule = "two splits are two tables of two rows and the same classes"
        raise ValueError(complaint(rule, f"shapes {one.shape} and {two.shape}", "pass (2, K) counts"))
    totals = [table.sum(axis=0, dtype=object).tolist() for table in (one, two)]
    if totals[0] != totals[1]:
        rule = "two splits of one node have the same class totals"
        got = f"{totals[0]} and {totals[1]}"
        raise ValueError(complaint(rule, got, "pass tables of one node"))
    nothing = np.zeros_like(one[0])
    if (one[0] <= two[0]).all():
        return np.array([[one[0], nothing], [two[0] - one[0], two[1]]])
    if (two[0] <= one[0]).all():
        return np.array([[two[0], one[0] - two[0]], [nothing, one[1]]])
    rule = "tables alone tell which samples two splits share only if one left side lies within the other"
    raise ValueError(complaint(rule, f"{one[0].tolist()} and {two[0].tolist()}", "pass the cells (2, 2, K)"))


class SplitComparison:
    """Compares the scores of two splits of one node: 1 where the first is higher, -1 where the second is, else 0."""

    def __init__(self, criterion: Criterion, cells: Array) -> None:
        criterion.check(2, cells.shape[-1])
        self.criterion = criterion
        self.sizes = tuple(cells.sum(axis=axis).sum(axis=-1) for axis in (1, 0))  # sides of the first, of the second
        self.two = cells.shape[-1] == 2
        self.clean = int(self(cells.astype(np.int64)[..., None])[0])
        if self.clean == 0:
            raise ValueError(complaint("the order of two splits is kept or lost", "a tie", "pass splits that differ"))

    def __call__(self, cells: Array) -> Array:
        """The order of batches of cells ``(2, 2, K, M)``."""
        tables = [cells.sum(axis=1), cells.sum(axis=0)]  # (2, K, M) of the first and of the second
        if self.two and (kind := self.criterion.search.two_classes) is not None:
            return self._integers(tables, kind == "squares")
        scores = [np.asarray(self.criterion.of_floats(table.astype(float))) for table in tables]
        scale = np.maximum(np.abs(scores[0]), np.abs(scores[1]))
        if self.criterion.impurity is not None:
            total = tables[0].sum(axis=0).astype(float)
            scale = np.asarray(self.criterion.impurity.of_floats(total / total.sum(axis=0)))
        apart = scores[0] - scores[1]
        return np.where(np.abs(apart) <= BAND * scale, 0, np.sign(apart)).astype(np.int64)

    def _integers(self, tables: list[Array], squared: bool) -> Array:
        one, two = (int(size[0]) * int(size[1]) for size in self.sizes)
        n = int(self.sizes[0].sum())
        kind = np.int64 if (n**6 < 2**69 if squared else n**2 < 2**64) else object  # D^2 N_L N_R <= N^6/64, D <= N^2/4
        worth = []
        for table, size, other in zip(tables, self.sizes, (two, one), strict=True):
            positive = table[:, 1].astype(kind)
            d = np.abs(positive[0] * int(size[1]) - positive[1] * int(size[0]))
            worth.append(d * d * other if squared else d)
        return np.asarray((worth[0] > worth[1]).astype(np.int64) - (worth[0] < worth[1]))
