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
from splitcrit.data.columns import columns_of, read_in_order
from splitcrit.data.counting import EXACT_FLOAT
from splitcrit.frozen import complaint

SHARE = 1e-4  # of the range of a column, within which values may become equal
TAILS = np.array([0.05, 0.95])
NORMAL = 2.0**-100, 2.0**24  # below these the unit of float32 is not relative; all whole numbers are exact
FEW = 128  # values that guess where the tails of a column begin
BLOCK = 1 << 20  # values that are looked at together
RANKS = "pass its ranks (scipy.stats.rankdata(x, 'dense', nan_policy='omit')), and code new rows by the same values"


def within_float32(x: Array) -> Array:
    """Return features whose infinite values are the largest and the least numbers of float32.

    Every threshold lies between two values, so that they are on the side of infinite ones.

    Examples
    --------
    >>> within_float32(np.array([[0.0], [-np.inf]])).tolist()
    [[0.0], [-3.4028234663852886e+38]]
    """
    if x.dtype.kind != "f" or not np.isinf(x).any():
        return x
    return np.where(np.isinf(x), np.copysign(np.finfo(np.float32).max, x), x)


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
    kind = x.dtype if isinstance(getattr(x, "dtype", None), np.dtype) else np.dtype(object)
    if kind.hasobject or not np.can_cast(kind, np.float32):
        doubtful = _doubtful(read, kind.kind in "iu") & (True if categorical is None else ~categorical)
        columns = columns_of(x) if doubtful.any() else []
        for f in np.flatnonzero(doubtful).tolist():
            name = f if names is None else names[f]
            column = read_in_order(columns[f], name)
            _refuse_merged_values(column.values[column.present], name)


def refuse_merged_cells(x: Any) -> None:
    """Raise ValueError as ``refuse_merged`` does, for a sparse matrix; what it does not store is 0."""
    by_column, n = x.tocsc(copy=True), x.shape[0]
    by_column.sum_duplicates()
    sizes, cells = np.diff(by_column.indptr), np.abs(by_column.data)
    odd = (cells >= NORMAL[1]) | ((cells < NORMAL[0]) & (cells > 0))
    doubtful = sizes >= TAILS[0] * n  # in others most are 0, and the unit of float32 is small beside the range
    doubtful[np.repeat(np.arange(len(sizes)), sizes)[odd]] = True
    for f in np.flatnonzero(doubtful).tolist():
        stored = by_column.data[by_column.indptr[f] : by_column.indptr[f + 1]]
        _refuse_merged_values(np.append(stored, np.zeros(n - len(stored), stored.dtype)), f)


def _refuse_merged_values(values: Array, name: Any) -> None:
    """Raise ValueError as ``refuse_merged`` does, for the values present in one column."""
    narrow = values.astype(np.float32)
    if (narrow != values).any() or (np.abs(narrow) >= EXACT_FLOAT).any():
        refuse_merged_levels(*np.unique(values, return_counts=True), name)


def refuse_merged_levels(levels: Array, counts: Array, name: Any) -> None:
    """Raise ValueError as ``refuse_merged`` does, for the distinct values of a column, ascending, and their counts.

    Examples
    --------
    >>> refuse_merged_levels(1_700_000_000 + np.arange(40), np.ones(40), "t")
    Traceback (most recent call last):
    ...
    ValueError: trees compare features in float32, in which values that differ stay apart; got 1700000000 and \
1700000039 in column t; subtract 1700000000 from it, in new rows too
    """
    finite = np.isfinite(levels.astype(float))  # infinite values are the ends of float32
    levels, counts = levels[finite], counts[finite]
    beyond = levels.dtype.kind == "f" and (np.abs(levels) > EXACT_FLOAT).any()
    whole, ranks = not beyond and bool((levels % 1 == 0).all()), np.cumsum(counts)
    if len(levels) and len(pair := _merged(levels, ranks, whole)):
        low, exact = floor(levels[0]), levels.astype(object) if whole else levels
        helps = not len(_merged(exact - low, ranks, whole))
        rule, got = "trees compare features in float32, in which values that differ stay apart", f"in column {name}"
        remedy = f"subtract {low} from it, in new rows too" if helps else RANKS
        raise ValueError(complaint(rule, f"{pair[0]} and {pair[1]} {got}", remedy))


def _merged(levels: Array, ranks: Array, whole: bool) -> Array:
    """Return two of the distinct values of a column that become equal and should not, or an empty array."""
    narrow, reach = levels.astype(np.float32), 0.0
    first = np.flatnonzero(np.append(True, narrow[1:] != narrow[:-1]))  # of the values that become equal to it
    last = np.append(first[1:], len(levels)) - 1
    if not whole:
        low, high = levels[np.searchsorted(ranks, TAILS * ranks[-1])]
        reach = SHARE * (high - low or levels[-1] - levels[0])
    wide = np.flatnonzero(levels[last] - levels[first] > reach)[:1]
    return np.asarray(levels[np.append(first[wide], last[wide])])


def _doubtful(read: Array, integers: bool) -> Array:
    """Tell which columns need a closer look, by their values in float32.

    Those with large whole numbers, and those whose range may be narrow beside the unit of float32 at the largest
    absolute value. Some values guess two between which the range lies; all are counted to see that it does, so that the
    order of the rows decides nothing.
    """
    n, d = read.shape
    found = []
    for start in range(0, d, step := max(1, BLOCK // n)):
        block = np.ascontiguousarray(read[:, start : start + step].T)
        largest = np.maximum(np.fmax.reduce(block, axis=1), -np.fmin.reduce(block, axis=1))
        found.append(largest >= NORMAL[1])
        if not integers:
            some = np.sort(block[:, :: max(1, n // FEW)], axis=1)
            known = (some == some).sum(axis=1)  # missing values, unequal to themselves, stand last
            low, high = (some[np.arange(len(some)), known * place // 8, None] for place in (1, 6))
            least = TAILS[0] * (n if known.min() == some.shape[1] else (block == block).sum(axis=1))
            below, above = (np.count_nonzero(side, axis=1) for side in (block <= low, block >= high))
            wide = np.maximum(largest * (1.001 * 2.0**-23), 2.0**-148) <= SHARE * (high - low)[:, 0]
            found[-1] |= ~(wide & (np.minimum(below, above) > least))
    return np.concatenate(found)
