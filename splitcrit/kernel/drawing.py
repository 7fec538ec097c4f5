"""Trees that draw features, grown from ranks that all trees of a forest share.

Main definitions: ``Ranked``, ``grow_drawn``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.kernel.arrays import Grown
from splitcrit.kernel.columns import Columns
from splitcrit.kernel.draws import root_key
from splitcrit.kernel.forms import form_of, sides_of
from splitcrit.kernel.growing import rules_of, told, written
from splitcrit.kernel.stopping import Stopping

Array = NDArray[Any]
EXPANDED = 8  # a sample counts so often on average at most: a scan takes a step for every count


@dataclass(frozen=True, eq=False)
class Ranked:
    """Values ``(d, n)`` by column, without missing ones, and the rank of each among the distinct values of its column.

    It is found once for all trees that are grown on the same features.
    """

    values: Array
    ranks: Array

    @staticmethod
    def of(x: Array) -> Ranked | None:
        """Return the ranks of features ``x (n, d)``, float32 or float64; None with missing values or without numba."""
        try:
            from splitcrit.kernel import compiled
            from splitcrit.kernel.drawing_compiled import dense_ranks
        except ModuleNotFoundError:
            return None
        if np.isnan(x.sum()) and np.isnan(x).any():
            return None
        columns = Columns.of(x, np.zeros(len(x), np.int64), 1, None, compiled)
        ranks = np.empty(columns.orders.shape, np.uint32)
        dense_ranks(columns.orders, columns.values, columns.bits, ranks)
        return Ranked(columns.values, ranks)


def grow_drawn(
    ranked: Ranked,
    codes: Array,
    classes: int,
    criterion: Criterion,
    stopping: Stopping,
    max_features: int,
    seed: int,
    counts: Array | None = None,
) -> Grown | None:
    """Return the tree that ``grow`` grows with these counts as weights, or None where the criterion is not data.

    Parameters
    ----------
    ranked : Ranked
        The features of all samples; it is not changed, and may be shared by threads.
    codes : int array (n,)
    classes : int
    criterion : Criterion
    stopping : Stopping
    max_features : int
        How many features are drawn at each node.
    seed : int
        What the draws depend on, with the path from the root.
    counts : int array (n,), optional
        How often the tree counts each sample; samples counted 0 times are left out. Once each by default.
    """
    kept = np.arange(len(codes)) if counts is None else np.flatnonzero(counts)
    often = np.ones(len(kept), np.int64) if counts is None else np.asarray(counts)[kept].astype(np.int64)
    size = int(often.sum())
    form = form_of(criterion, size, classes) or sides_of(criterion, size, classes)
    if (criterion_told := told(form, criterion, size)) is None or size > EXPANDED * len(kept):
        return None
    from splitcrit.kernel import drawing_compiled as loops

    bits = max(1, int(classes - 1).bit_length())
    low = bits + int(often.max() - 1).bit_length()
    kind = np.uint32 if max(len(codes) << low, size << bits) < 2**32 else np.int64
    entries = ((kept << low) | ((often - 1) << bits) | codes[kept]).astype(kind)
    totals = np.bincount(codes[kept], often, classes)
    data = ranked.ranks, ranked.values, entries, bits, low, totals
    found = loops.grow_drawn(*data, criterion_told, rules_of(stopping), root_key(seed)[()], max_features)
    return written(criterion, *found)
