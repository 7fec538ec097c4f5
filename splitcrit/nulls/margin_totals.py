"""The margins of a contingency table: how they are validated, and when they leave nothing to chance.

Main definitions: ``margins`` (two arrays of totals, validated and broadcast), ``constant`` (is the null variance 0?);
``compact`` (a table without empty rows and columns).
Main results: the permutation variance of the Gini gain is 0 exactly when ``constant`` says so, in integers.
Source: wang2024, section 3 (which leaves the degenerate margins out).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import namespace
from splitcrit.data.counting import EXACT_INT, as_array, narrowed, real_array
from splitcrit.frozen import complaint


def margins(row_totals: Any, column_totals: Any) -> tuple[Array, Array]:
    """The totals as integer arrays ``(..., r)`` and ``(..., k)`` whose leading axes agree."""
    rows, columns = whole(row_totals, "row totals"), whole(column_totals, "column totals")
    if rows.shape[:-1] != columns.shape[:-1]:
        rows, columns = _broadcast(rows, columns)
    sums = summed(rows), summed(columns)
    differ = np.asarray(sums[0] != sums[1], dtype=bool)
    if differ.any():
        place = tuple(int(i) for i in np.argwhere(differ)[0])
        got = f"{sums[0][place]} and {sums[1][place]}" + (f" at table {place}" if place else "")
        rule = "row totals and column totals must have the same sum"
        raise ValueError(complaint(rule, got, "take both from one table"))
    return rows, columns


def _broadcast(rows: Array, columns: Array) -> tuple[Array, Array]:
    try:
        batch = np.broadcast_shapes(rows.shape[:-1], columns.shape[:-1])
    except ValueError:
        rule, got = "row and column totals must broadcast", f"shapes {rows.shape} and {columns.shape}"
        raise ValueError(complaint(rule, got, "give both the same leading axes")) from None
    return np.broadcast_to(rows, batch + rows.shape[-1:]), np.broadcast_to(columns, batch + columns.shape[-1:])


def whole(values: Any, noun: str) -> Array:
    """Non-negative integers of shape ``(..., n)``, ``n >= 1``: int64, or Python integers where that overflows.

    Raises
    ------
    ValueError
        If an entry is negative, not finite or fractional, or if the entries are ragged or none.
    TypeError
        If an entry is not a real number.
    """
    shape = as_array(values, noun).shape
    if not shape or shape[-1] == 0:
        raise ValueError(complaint(f"{noun} need at least one entry", f"shape {shape}", "pass a vector of totals"))
    numbers = real_array(values, noun, _place)
    if numbers.dtype == np.int64:
        return numbers
    good = np.array([x == x // 1 for x in numbers.ravel().tolist()], dtype=bool).reshape(shape)
    if not good.all():
        index = tuple(int(i) for i in np.argwhere(~good)[0])
        got, remedy = f"{numbers[index]} at {_place(index)}", "pass counts, not weights or proportions"
        raise ValueError(complaint(f"{noun} must be integers", got, remedy))
    exact = np.fromiter(map(int, numbers.ravel().tolist()), dtype=object, count=numbers.size)
    return narrowed(exact.reshape(shape))


def summed(totals: Array) -> Array:
    """The sums over the last axis, as Python integers where an int64 might overflow, and of one margin."""
    if totals.ndim == 1:
        return np.array(sum(totals.tolist()), dtype=object)
    if totals.dtype == np.int64 and totals.size and float(totals.max()) * totals.shape[-1] >= EXACT_INT:
        totals = totals.astype(object)
    return np.asarray(totals.sum(axis=-1))


def present(totals: Array) -> list[int]:
    """Return one margin as a list of Python integers without its zeros: rows or classes that occur."""
    return [x for x in totals.tolist() if x]


def compact(counts: Array) -> Array:
    """A table without its empty rows and columns."""
    return np.asarray(counts[(counts != 0).any(axis=1)][:, (counts != 0).any(axis=0)])


def constant(rows: Any, columns: Any) -> Any:
    """Tell where the gain is the same for every permutation, for totals ``(r, ...)`` and ``(k, ...)``.

    That is so for two observations or fewer, and where one margin is even while one (the same or the other) is thin:
    a single entry, ones only, or {n - 1, 1}.
    """
    even_rows, thin_rows = form(rows)
    even_columns, thin_columns = form(columns)
    return ((even_rows | even_columns) & (thin_rows | thin_columns)) | (namespace(rows).sum(rows, axis=0) <= 2)


def occurring(totals: Any) -> Any:
    """Count the positive totals along the first axis: floats if they are, else integers."""
    xp = namespace(totals)
    count = xp.count_nonzero(totals, axis=0)
    if xp is np:
        return np.asarray(count).astype(totals.dtype) if totals.dtype.kind == "f" else count
    return xp.astype(count, totals.dtype)


def form(totals: Any) -> tuple[Any, Any]:
    """Tell where the non-zero totals are all equal, and where they are thin."""
    xp = namespace(totals)
    most = xp.max(totals, axis=0)
    least = xp.min(xp.where(totals > 0, totals, most), axis=0)
    count = occurring(totals)
    return most == least, (count <= 1) | (most <= 1) | ((count == 2) & (least == 1))


def _place(index: tuple[int, ...]) -> str:
    *batch, last = index
    return f"position {last}" + (f" of table {batch[0] if len(batch) == 1 else tuple(batch)}" if batch else "")
