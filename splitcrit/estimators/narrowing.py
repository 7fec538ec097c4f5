"""Where float32, in which trees compare features, makes equal what a tree could want apart: one sentence at ``fit``.

In a column of whole numbers no two values may become equal; float64 holds those within 2^53 of 0. In another column
no two that differ by more than 1e-4 of the range between its 5 % and 95 % points, or of its whole range if that is 0.

Main definitions: ``refuse_merged`` (a table), ``refuse_merged_cells`` (a sparse one), ``refuse_merged_levels`` (the
distinct values of a column).
"""

from __future__ import annotations

from math import floor
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import EXACT_FLOAT32
from splitcrit.estimators.categories_input import columns_of
from splitcrit.files.arrow_columns import in_order, magnitudes
from splitcrit.frozen import complaint
from splitcrit.table.counting import EXACT_FLOAT

SHARE = 1e-4  # of the range of a column, within which values may become equal
TAILS = 0.05, 0.95
LEAST = 2.0**-100  # below it the unit of float32 is not relative
FEW = 128  # values that guess where the tails of a column begin
BLOCK = 1 << 20  # values that are looked at together
RANKS = "pass its ranks (scipy.stats.rankdata(x, 'dense', nan_policy='omit')), and code new rows by the same values"


def refuse_merged(x: Any, read: Array, names: Any = None, categorical: Array | None = None) -> None:
    """Raise ValueError if two values of a feature are equal in float32 that a tree could want apart.

    Parameters
    ----------
    x : array (n, d), data frame or list
        What the user passed.
    read : float32 array (n, d)
        The same features, finite or nan.
    names : of the features
    categorical : bool array (d,), optional
        Features whose values are categories.
    """
    dtype = getattr(x, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype != object and np.can_cast(dtype, np.float32):
        return
    doubtful = _doubtful(read, whole=isinstance(dtype, np.dtype) and dtype.kind in "iu")
    doubtful &= True if categorical is None else ~categorical
    if doubtful.any():
        columns, names = columns_of(x), range(len(doubtful)) if names is None else names
        for f in np.flatnonzero(doubtful).tolist():
            refuse_merged_values(present(columns[f], names[f]), names[f])


def refuse_merged_cells(x: Any, names: Any) -> None:
    """Raise ValueError as ``refuse_merged`` does, for a sparse matrix; what it does not store is 0."""
    if np.can_cast(x.dtype, np.float32):
        return
    by_column, rows = x.tocsc(copy=True), x.shape[0]
    by_column.sum_duplicates()
    cells, sizes = by_column.data, np.diff(by_column.indptr)
    odd = (np.abs(cells) >= EXACT_FLOAT32) | ((np.abs(cells) < LEAST) & (cells != 0))
    doubtful = sizes >= TAILS[0] * rows  # in others most are 0, and the unit of float32 is small beside the range
    doubtful[np.repeat(np.arange(len(sizes)), sizes)[odd]] = True
    for f in np.flatnonzero(doubtful).tolist():
        column = cells[by_column.indptr[f] : by_column.indptr[f + 1]]
        refuse_merged_values(np.append(column, np.zeros(rows - len(column), cells.dtype)), names[f])


def present(column: Any, name: Any) -> Array:
    """Return the values of a column that are not missing, as they are."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "fiu":
        return np.asarray(column[column == column])
    return magnitudes(in_order(column, name))[0]


def refuse_merged_values(values: Array, name: Any) -> None:
    """Raise ValueError as ``refuse_merged`` does, for the values present in one column."""
    narrow = values.astype(np.float32)
    if (narrow == values).all() and (np.abs(narrow) < EXACT_FLOAT).all():
        return
    if _whole(values) or not _apart(values.astype(float)[None], np.abs(narrow).max())[0]:
        refuse_merged_levels(*np.unique(values, return_counts=True), name)


def refuse_merged_levels(levels: Array, counts: Array, name: Any) -> None:
    """Raise ValueError as ``refuse_merged`` does, for the distinct values of a column, ascending, and their counts.

    Examples
    --------
    >>> refuse_merged_levels(1_700_000_000 + np.arange(40), np.ones(40), "t")
    Traceback (most recent call last):
    ...
    ValueError: trees compare features in float32, in which values that differ stay apart; got 1700000000 and \
1700000001 in column t; subtract 1700000000 from it, in new rows too
    """
    whole = _whole(levels)
    pair = _pair(levels, counts, whole)
    if pair is None:
        return
    low = floor(levels[0])
    shifted = (levels.astype(object) if whole else levels) - low
    helps = _pair(shifted, counts, whole) is None
    rule = "trees compare features in float32, in which values that differ stay apart"
    got = f"{pair[0]} and {pair[1]} in column {name}"
    raise ValueError(complaint(rule, got, f"subtract {low} from it, in new rows too" if helps else RANKS))


def _doubtful(read: Array, whole: bool) -> Array:
    """Tell which columns need a closer look, by their values in float32."""
    n, d = read.shape
    found = []
    for start in range(0, d, step := max(1, BLOCK // n)):
        block = np.ascontiguousarray(read[:, start : start + step].T)
        largest = np.maximum(np.fmax.reduce(block, axis=1), -np.fmin.reduce(block, axis=1))
        large = largest >= EXACT_FLOAT32
        found.append(large if whole else large | ~_apart(block, largest))
    return np.concatenate(found)


def _apart(table: Array, largest: Array) -> Array:
    """Tell in which rows of a table, each a column, values that become equal differ by less than ``SHARE`` of its range.

    A sufficient condition, by a little more than the unit of float32 at the largest absolute value, so that the table may be rounded
    to float32. Some of the values guess two between which the range lies; all are counted to see that it does.
    """
    n = table.shape[1]
    some = np.sort(table[:, :: max(1, n // FEW)], axis=1)
    low, high = (some[:, place * some.shape[1] // 8, None] for place in (1, 7))
    least = int(TAILS[0] * n) + 1
    outside = [np.count_nonzero(side, axis=1) >= least for side in (table <= low, table >= high)]
    wide = np.maximum(largest * (1.001 * 2.0**-23), 2.0**-148) <= SHARE * (high - low)[:, 0]
    return np.asarray(wide & outside[0] & outside[1])


def _whole(values: Array) -> bool:
    """Tell whether values are whole numbers that float64 tells apart, or integers of any size."""
    if values.dtype.kind != "f":
        return values.dtype.kind in "iu" or all(value % 1 == 0 for value in values.tolist())
    return bool((np.abs(values) <= EXACT_FLOAT).all() and (values == np.floor(values)).all())


def _pair(levels: Array, counts: Array, whole: bool) -> tuple[Any, Any] | None:
    """Return two of the distinct values of a column that become equal and should not, None without any."""
    narrow = levels.astype(np.float32)
    first = np.flatnonzero(np.append(True, narrow[1:] != narrow[:-1]))  # of the values that become equal to it
    last = np.append(first[1:], len(levels)) - 1
    if whole:
        merged, last = last > first, np.minimum(first + 1, last)
    else:
        ranks = np.cumsum(counts)
        low, high = levels[np.searchsorted(ranks, [np.ceil(tail * ranks[-1]) for tail in TAILS])]
        merged = levels[last] - levels[first] > SHARE * (high - low or levels[-1] - levels[0])
    return (levels[first[place]], levels[last[place]]) if merged[place := int(merged.argmax())] else None
