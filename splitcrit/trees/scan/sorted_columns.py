"""A training set as the search takes it: columns side by side, each with its samples in sorted order.

Main definitions: ``sorted_columns``, ``orders_of``, ``by_column``, ``midpoint``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.frozen import complaint
from splitcrit.trees.scan.records import Orders

TURNED = 4096  # rows that are turned into columns at a time: what is read once is still in the cache for each column


def sorted_columns(x: Array, codes: Array, classes: int) -> Orders:
    """The columns of ``x (n, d)``, float32 or float64, each sorted once; missing values, nan, stand last.

    Raises
    ------
    TypeError
        If ``x`` is not float32 or float64.
    """
    if x.dtype not in (np.float32, np.float64):
        raise TypeError(complaint("the search sorts float32 or float64", x.dtype, "convert the features first"))
    values, bits = by_column(x), class_bits(classes)
    return Orders(orders_of(values, np.ascontiguousarray(codes, dtype=np.int64), bits), values, bits)


def orders_of(values: Array, codes: Array, bits: int) -> Array:
    """The orders of columns ``(d, n)``, each entry ``index << bits | class``."""
    from splitcrit.trees.scan.column_loops import sort_columns

    orders = np.empty(values.shape, np.uint32 if len(codes) << bits < 2**32 else np.int64)
    sort: Any = sort_columns
    for f in np.flatnonzero(~sort(values, codes, bits, orders)):
        order = np.argsort(values[f], kind="stable")
        orders[f] = (order << bits) | codes[order]
    return orders


def class_bits(classes: int) -> int:
    """The number of bits of an entry that hold a class."""
    return max(1, int(classes - 1).bit_length())


def by_column(x: Array) -> Array:
    """Features ``x (n, d)`` as columns ``(d, n)``, with 0.0 for -0.0.

    Examples
    --------
    >>> by_column(np.array([[1.0, -0.0], [2.0, 3.0]]))
    array([[1., 2.],
           [0., 3.]])
    """
    values = np.empty(x.shape[::-1], x.dtype)
    for start in range(0, len(x), TURNED):
        some = slice(start, start + TURNED)
        np.add(x[some].T, x.dtype.type(0), out=values[:, some])
    return values


def midpoint(low: Array, high: Array) -> Array:
    """Float64 thresholds ``t`` with ``low <= t < high`` halfway between, for float32 or float64 ``low < high``.

    Where no number lies between, or a half vanishes, it is ``low`` itself; above no value (``high`` missing) it is
    infinite.
    """
    with np.errstate(invalid="ignore"):
        half = low.astype(np.float64) / 2 + high.astype(np.float64) / 2
        return np.where(np.isnan(high), np.inf, np.where((half >= low) & (half < high), half, low.astype(np.float64)))
