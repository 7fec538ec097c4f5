"""Where floats, in which trees compare features, make equal what a tree could want apart: one sentence at ``fit``.

Features of float32 stay so, all others are float64, which holds whole numbers within 2^53 of 0. scikit-learn's own
trees round to float32: there no whole numbers of a column may become equal, and of others not nearly all.

Main definitions: ``finite_ends``; ``refuse_merged`` (a table), ``refuse_merged_levels`` (the values of a column).
"""

from __future__ import annotations

from math import floor
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.columns import columns_of, read_in_order
from splitcrit.data.counting import EXACT_FLOAT
from splitcrit.frozen import complaint

MOST = 0.9  # of the neighbours in a column, which may become equal
RANKS = "pass its ranks (scipy.stats.rankdata(x, 'dense', nan_policy='omit')), and code new rows by the same values"


def finite_ends(x: Array) -> Array:
    """Features whose infinite values are the largest and the least numbers of their dtype.

    Every threshold lies between two values, so that they are on the side of infinite ones.

    Examples
    --------
    >>> finite_ends(np.array([[0.0], [-np.inf]])).tolist()
    [[0.0], [-1.7976931348623157e+308]]
    """
    if x.dtype.kind != "f" or not np.isinf(x).any():
        return x
    return np.where(np.isinf(x), np.copysign(np.finfo(x.dtype).max, x), x)


def refuse_merged(
    x: Any, read: Array, names: Any = None, categorical: Array | None = None, kind: Any = np.float64
) -> None:
    """Raise ValueError if values of a feature are equal in a ``kind`` of floats that a tree could want apart.

    Parameters
    ----------
    x : array (n, d), data frame or list
        What the user passed.
    read : float array (n, d)
        The same features, finite or nan.
    names : of the features
    categorical : bool array (d,), optional
        Features whose values are categories.
    kind : dtype
        float64 or float32.
    """
    dtype = x.dtype if isinstance(getattr(x, "dtype", None), np.dtype) else np.dtype(object)
    if dtype.kind in "fb" and np.can_cast(dtype, kind):
        return
    with np.errstate(invalid="ignore"):
        doubtful = (np.abs(read) >= EXACT_FLOAT).any(axis=0) | (kind == np.float32)
    doubtful &= True if categorical is None else ~categorical
    columns = columns_of(x) if doubtful.any() else []
    for f in np.flatnonzero(doubtful).tolist():
        name = f if names is None else names[f]
        column = read_in_order(columns[f], name)
        refuse_merged_levels(column.values[column.present], name, kind)


def refuse_merged_levels(values: Array, name: Any, kind: Any = np.float64) -> None:
    """Raise ValueError as ``refuse_merged`` does, for the values of a column.

    Examples
    --------
    >>> refuse_merged_levels(2**60 + np.arange(40), "t")
    Traceback (most recent call last):
    ...
    ValueError: trees compare features in float64, in which values that differ stay apart; got 1152921504606846976 and \
1152921504606846977 in column t; subtract 1152921504606846976 from it, in new rows too
    """
    levels = np.unique(values[np.isfinite(values.astype(float))])  # infinite values are the ends of the floats
    whole = levels.dtype.kind in "iuO" or (bool((levels % 1 == 0).all()) and not (np.abs(levels) > EXACT_FLOAT).any())
    if len(places := _merged(levels, whole, kind)):
        low, exact = floor(levels[0]), levels.astype(object) if whole else levels
        rule = f"trees compare features in {np.dtype(kind)}, in which values that differ stay apart"
        helps = not len(_merged(exact - low, whole, kind))
        remedy = f"subtract {low} from it, in new rows too" if helps else RANKS
        raise ValueError(complaint(rule, f"{levels[places[0]]} and {levels[places[0] + 1]} in column {name}", remedy))


def _merged(levels: Array, whole: bool, kind: Any) -> Array:
    """The places of the distinct values of a column that the next one becomes equal to and should not."""
    with np.errstate(over="ignore"):
        equal = np.diff(levels.astype(kind)) == 0
    return np.flatnonzero(equal & (whole or (equal.any() and equal.mean() > MOST)))
