"""What the compiled loop needs to compare columns by the laws of their best splits.

Main definitions: ``comparison_of``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.nulls.calibration import Calibrated
from splitcrit.nulls.hypergeometric import remainders
from splitcrit.trees.growth.growth_options import GrowthOptions
from splitcrit.trees.growth.records import CellSpace, ColumnComparison


def comparison_of(
    selection: Calibrated, growing: GrowthOptions, shape: tuple[int, int], objects: int
) -> ColumnComparison:
    """How columns are compared in a training set of this ``shape (d, n)``, with so many objects."""
    (d, n), log_factorials = shape, np.log(np.maximum(np.arange(objects + 1.0), 1)).cumsum()
    recoding, least, lightest = growing.recoding, growing.stopping.min_samples_leaf, growing.stopping.min_weight_leaf
    levels, codes = np.zeros(d, np.int64), np.empty((0, 0), np.int64)
    if recoding is not None:
        levels, codes = recoding.levels.astype(np.int64), recoding.codes
    how = int(least), float(lightest), selection.draws or 0, selection.seed, selection.weights == "rows"
    space = np.ones(d, dtype=bool), CellSpace.of(n, levels)
    return ColumnComparison(*how, levels, codes, np.empty(d, np.uint64), log_factorials, remainders(objects), *space)
