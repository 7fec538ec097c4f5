"""Exact p-values of many 2 x K tables at once: every table with the same margins, weighed.

With n observations, a of them on the first side and b_j of class j, the first side holds x_j of class j in
prod_j C(b_j, x_j) of C(n, a) equally likely ways, and the Gini gain grows with the integer
``sum_j (n x_j^2 - 2 a b_j x_j)``, so that ties are decided in integers.

Main definitions: ``tails``, ``in_order`` (tables that have the same p-value become equal), ``score``; ``ROUNDING``.
Source: wang2024, Lemma 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
MOST_CELLS = 5_000  # of a table of three or more classes, beyond which random tables are quicker
MOST_ROWS = 1_000_000  # n^3 fits an int64
BLOCK = 1 << 20  # cells weighed at a time
ROUNDING = 1e-9  # relative, of a p-value: sums of logarithms of factorials


def in_order(tables: Array) -> Array:
    """Return tables ``(m, 2, K)`` with the smaller side first and the classes in the order of their totals.

    Examples
    --------
    >>> in_order(np.array([[[5, 3], [0, 1]], [[1, 0], [3, 5]]])).tolist()
    [[[1, 0], [3, 5]], [[1, 0], [3, 5]]]
    """
    sides = tables.sum(axis=2)
    turned = np.where((sides[:, 0] > sides[:, 1])[:, None, None], tables[:, ::-1], tables)
    order = np.argsort(turned.sum(axis=1) * (turned.max(initial=0) + 1) + turned[:, 0], axis=1, kind="stable")
    return np.take_along_axis(turned, order[:, None, :], axis=2)


def score(x: Array, n: Array, a: Array, b: Array) -> Array:
    """Return the part of one class in the integer that grows with the gain."""
    return np.asarray(x * (n * x - 2 * a * b))


def tails(tables: Array) -> Array:
    """Return the probability of a Gini gain at least that of each table, over all orders of the labels.

    Parameters
    ----------
    tables : int array (m, 2, K)
        As ``in_order`` returns them, with rows on both sides.

    Returns
    -------
    array (m,)
        Relatively within ``ROUNDING``; nan where over 5000 tables, or a million rows, would have to be gone through.

    Examples
    --------
    >>> tails(np.array([[[3, 0], [1, 6]]])).round(6).tolist()
    [0.033333]
    """
    a, b = tables[:, 0].sum(axis=1), tables.sum(axis=1)
    caps = np.minimum(b[:, :-1], a[:, None]) + 1
    cells = caps.prod(axis=1, dtype=np.float64)
    here = np.flatnonzero(((cells <= MOST_CELLS) | ((caps > 1).sum(axis=1) <= 1)) & (b.sum(axis=1) <= MOST_ROWS))
    found = np.full(len(tables), np.nan)
    here = here[np.argsort(cells[here], kind="stable")]
    blocks = np.cumsum(cells[here]) // BLOCK
    for part in np.split(here, np.flatnonzero(np.diff(blocks)) + 1):
        if len(part):
            found[part] = _weighed(tables[part], caps[part])
    return found


def _weighed(tables: Array, caps: Array) -> Array:
    """Return the p-values of some tables; the counts of the first side are the digits of a cell's number."""
    from scipy.special import gammaln

    x, b = tables[:, 0], tables.sum(axis=1)
    a, n = x.sum(axis=1), b.sum(axis=1)
    logs = gammaln(np.arange(n.max() + 1) + 1.0)
    cells = caps.prod(axis=1)
    starts = np.cumsum(cells) - cells
    owner = np.repeat(np.arange(len(tables)), cells)
    rest, left = np.arange(cells.sum()) - starts[owner], a[owner]
    weight, value = np.zeros(len(owner)), np.zeros(len(owner), dtype=np.int64)
    fits = np.ones(len(owner), dtype=bool)
    for j in range(b.shape[1]):
        total = b[owner, j]
        if j < caps.shape[1]:
            rest, digit = np.divmod(rest, caps[owner, j])
            left = left - digit
        else:
            fits = (left >= 0) & (left <= total)
            digit = np.where(fits, left, 0)
        weight -= logs[digit] + logs[total - digit]
        value += score(digit, n[owner], a[owner], total)
    weight[~fits] = -np.inf
    seen = score(x, n[:, None], a[:, None], b).sum(axis=1)
    ways = np.exp(weight - np.maximum.reduceat(weight, starts)[owner])
    reached = np.add.reduceat(np.where(value >= seen[owner], ways, 0.0), starts)
    return np.asarray(reached / np.add.reduceat(ways, starts))
