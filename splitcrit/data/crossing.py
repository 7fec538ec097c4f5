"""Two vectors, feature and label, counted (or weighed) against one another.

Main definitions: ``crossed``.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.columns import coded
from splitcrit.data.counting import EXACT_FLOAT, as_array, count_array, narrowed, position, real_array
from splitcrit.data.values import Levels, with_missing_row
from splitcrit.frozen import complaint

Missing = Literal["error", "row"]  # what becomes of missing values of a feature
FILL = "fill it, drop it, or pass missing='row'"
Crossed = tuple[Array, tuple[Any, ...], tuple[Any, ...]]


def crossed(feature: Any, label: Any, weights: Any, missing: str) -> Crossed:
    """The counts, row names and class names of a feature against a label."""
    classes, rows = coded(label, "label"), coded(feature, "feature")
    if len(rows.codes) != len(classes.codes):
        got = f"{len(rows.codes)} feature values and {len(classes.codes)} labels"
        raise ValueError(complaint("feature and label must be equally long", got, "pass one label per observation"))
    if missing == "row":
        rows = with_missing_row(rows)
    _complete(rows, "feature", FILL)
    _complete(classes, "label", "drop the unlabelled observations")
    return _tallied(rows, classes, weights), rows.names, classes.names


def _complete(levels: Levels, noun: str, remedy: str) -> None:
    gaps = np.flatnonzero(levels.codes < 0)
    if gaps.size:
        raise ValueError(complaint(f"{noun} values must be present", f"a missing value at position {gaps[0]}", remedy))


def _tallied(rows: Levels, classes: Levels, weights: Any) -> Array:
    """Count, or add weights up: in float64 where that is exact or meant, in Python numbers elsewhere."""
    r, k = len(rows.names), len(classes.names)
    cells = rows.codes * k + classes.codes
    if weights is None:
        return np.bincount(cells, minlength=r * k).astype(np.int64).reshape(r, k)
    shape = as_array(weights, "weights").shape
    if shape != cells.shape:
        got = f"weights of shape {shape} for {len(cells)} observations"
        raise ValueError(complaint("weights must be one per observation", got, "pass a vector of equal length"))
    weighed = real_array(weights, "weights", position)
    if weighed.dtype != object and (weighed.dtype == np.float64 or weighed.sum(dtype=np.float64) < EXACT_FLOAT):
        return count_array(np.bincount(cells, weights=weighed, minlength=r * k).reshape(r, k))
    sums = np.zeros(r * k, dtype=object)
    np.add.at(sums, cells, weighed.astype(object))
    return narrowed(sums.reshape(r, k))
