"""Where floats, in which trees compare features, make equal what a tree could want apart: one sentence at ``fit``.

Features of float32 stay so, all others are float64, which holds whole numbers within 2^53 of 0. Cells of sparse
features, and scikit-learn's own trees, are float32: in a column of whole numbers no two values may become equal there,
in another column no two that differ by more than 1e-4 of the range between its 5 % and 95 % points, or of its whole
range if that is 0.

Main definitions: ``finite_ends``; ``refuse_merged`` (a table), ``refuse_merged_cells`` (a sparse one),
``refuse_merged_levels`` (the distinct values of a column).
"""

from __future__ import annotations

from math import floor
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.columns import columns_of, read_in_order
from splitcrit.data.counting import EXACT_FLOAT
from splitcrit.frozen import complaint

SHARE = 1e-4  # of the range of a column, within which values may become equal
TAILS = np.array([0.05, 0.95])
RANKS = "pass its ranks (scipy.stats.rankdata(x, 'dense', nan_policy='omit')), and code new rows by the same values"


def finite_ends(x: Array) -> Array:
    """Return features whose infinite values are the largest and the least numbers of their dtype.

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
        _refuse_merged_values(column.values[column.present], name, kind)


def refuse_merged_cells(x: Any) -> None:
    """Raise ValueError as ``refuse_merged`` does, for a sparse matrix in float32; what it does not store is 0."""
    by_column, n = x.tocsc(copy=True), x.shape[0]
    by_column.sum_duplicates()
    for f, (start, end) in enumerate(zip(by_column.indptr[:-1], by_column.indptr[1:], strict=True)):
        stored = by_column.data[start:end]
        if (stored.astype(np.float32) != stored).any():
            _refuse_merged_values(np.append(stored, np.zeros(n - len(stored), stored.dtype)), f, np.float32)


def _refuse_merged_values(values: Array, name: Any, kind: Any) -> None:
    """Raise ValueError as ``refuse_merged`` does, for the values present in one column."""
    narrow = values.astype(kind)
    if (narrow != values).any() or (np.abs(narrow) >= EXACT_FLOAT).any():
        refuse_merged_levels(*np.unique(values, return_counts=True), name, kind)


def refuse_merged_levels(levels: Array, counts: Array, name: Any, kind: Any = np.float64) -> None:
    """Raise ValueError as ``refuse_merged`` does, for the distinct values of a column, ascending, and their counts.

    Examples
    --------
    >>> refuse_merged_levels(2**60 + np.arange(40), np.ones(40), "t")
    Traceback (most recent call last):
    ...
    ValueError: trees compare features in float64, in which values that differ stay apart; got 1152921504606846976 and \
1152921504606847015 in column t; subtract 1152921504606846976 from it, in new rows too
    """
    finite = np.isfinite(levels.astype(float))  # infinite values are the ends of the floats
    levels, counts = levels[finite], counts[finite]
    beyond = levels.dtype.kind == "f" and (np.abs(levels) > EXACT_FLOAT).any()
    whole, ranks = not beyond and bool((levels % 1 == 0).all()), np.cumsum(counts)
    if len(levels) and len(pair := _merged(levels, ranks, whole, kind)):
        low, exact = floor(levels[0]), levels.astype(object) if whole else levels
        helps = not len(_merged(exact - low, ranks, whole, kind))
        rule = f"trees compare features in {np.dtype(kind)}, in which values that differ stay apart"
        remedy = f"subtract {low} from it, in new rows too" if helps else RANKS
        raise ValueError(complaint(rule, f"{pair[0]} and {pair[1]} in column {name}", remedy))


def _merged(levels: Array, ranks: Array, whole: bool, kind: Any) -> Array:
    """Return two of the distinct values of a column that become equal and should not, or an empty array."""
    narrow, reach = levels.astype(kind), 0.0
    first = np.flatnonzero(np.append(True, narrow[1:] != narrow[:-1]))  # of the values that become equal to it
    last = np.append(first[1:], len(levels)) - 1
    if not whole:
        low, high = levels[np.searchsorted(ranks, TAILS * ranks[-1])]
        reach = SHARE * (high - low or levels[-1] - levels[0])
    wide = np.flatnonzero(levels[last] - levels[first] > reach)[:1]
    return np.asarray(levels[np.append(first[wide], last[wide])])
