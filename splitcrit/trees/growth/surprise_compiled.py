"""The best splits of the columns of a node for many rows of labels, columns compared by how surprising theirs are.

A column is the cell of each row, ``cells (n,)``: its values in increasing order and the missing ones last, or its
levels. A label is a kind, a row of ``vectors (T, q)``, centred in the node. The score of a column is that of
``nulls.best_split``, and its surprise is read off a table: linear between points at equal steps of
``log(1 + sqrt(score))``, so that it grows with the score. A column costs a pass over the rows for each row of labels:
numbers go in the order of their values.

Main definitions: ``SurpriseNode``; ``best_surprises`` (with the ancestors' choices made again), ``best_division``.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from __future__ import annotations

from math import inf, log1p
from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import called, kernel
from splitcrit.nulls.best_split_compiled import best_of_cuts, best_of_subsets
from splitcrit.nulls.monte_carlo import TIE


class SurpriseNode(NamedTuple):
    """The columns of a node.

    ``cells (C, n)``, their sizes ``sizes[first[c] : first[c + 1]]``, whether a split is of a ``subset`` of them, and
    how many rows of the last are ``lost``, without a value. ``orders (C, n)`` are the rows by cell. A cut after a place
    of the order, whose left side sums to s, scores ``weights |s|^2 - less``, both ``(C, 2, n)``: with the missing
    values on the right and on the left, and 0 where there is no cut. ``tables (C, points)`` has surprises at points
    that lie ``step`` apart. ``vectors (T, q)`` are the labels less their mean in the node, ``unit`` is ``n (n - 1)``
    over the sum of their squares, ``least`` the fewest rows on a side.
    """

    cells: Array
    sizes: Array
    first: Array
    subset: Array
    lost: Array
    orders: Array
    weights: Array
    less: Array
    tables: Array
    step: float
    vectors: Array
    unit: float
    least: int


@called
def _search(node, c, types, responses, sums, order, share, bar):
    """Return the best score of a column, and turn and place of the first split at ``bar``: of a subset, its levels.

    ``responses (q + 1, n)`` are those of the rows, and space.
    """
    q, v = node.vectors.shape[1], node.first[c + 1] - node.first[c]
    if not node.subset[c]:
        weights, less, length = node.weights[c], node.less[c], responses[q]
        return best_of_cuts(responses[:q], node.orders[c], weights, less, node.lost[c], length, bar)
    sizes, cells = node.sizes[node.first[c] : node.first[c + 1]], node.cells[c]
    sums[:, :v] = 0.0
    for k in range(q):
        for i in range(len(cells)):
            sums[k, cells[i]] += responses[k, i]
    best, place = best_of_subsets(sizes, sums, node.least, order, share, bar / node.unit)
    return best * node.unit, 0, place


@called(_nrt=False)
def surprise_in(table, step, score):
    """Return the surprise of a score, read off a table."""
    # table (points,) at equal steps; a score beyond the last point goes on along the last piece.
    x = log1p(score**0.5) / step
    i = np.int64(min(x, len(table) - 2))
    return table[i] + (table[i + 1] - table[i]) * (x - i)


@called
def _best(node, types, responses, sums, order, share):
    """Return the column of the largest surprise, the first of those that tie, and its surprise; -1 without a split.

    ``responses (q + 1, n)`` is space.
    """
    chosen, top = -1, 0.0
    # The responses of each row, once for all columns: an order is then followed with one look-up a row.
    for k in range(node.vectors.shape[1]):
        for i in range(len(types)):
            responses[k, i] = node.vectors[types[i], k]
    for c in range(len(node.subset)):
        score = _search(node, c, types, responses, sums, order, share, inf)[0]
        found = surprise_in(node.tables[c], node.step, score)
        if found > top + TIE * (1 + top):
            chosen, top = c, found
    return chosen, top


@called
def _divide(node, c, types, responses, sums, order, share, side):
    """Set the rows that go left by the first best split of a column; return its score, and if missing ones do.

    The best score is found first, and then the first split that ties with it, so that rounding cannot choose.
    """
    best = _search(node, c, types, responses, sums, order, share, inf)[0]
    _, turn, place = _search(node, c, types, responses, sums, order, share, best * (1 - TIE))
    n, v, lost, rows = len(types), node.first[c + 1] - node.first[c], node.lost[c], node.orders[c]
    side[:] = False
    if node.subset[c]:
        # share (v,) tells from here on which levels are on the left: the first of the order.
        share[:v] = 0.0
        for i in range(place):
            share[order[i]] = 1.0
        for i in range(n):
            side[i] = share[node.cells[c, i]] > 0
    else:
        for i in range(place + 1):
            side[rows[i]] = True
        for i in range(n - lost if turn else n, n):
            side[rows[i]] = True
    return best, turn


@called
def _space(node):
    """Return space for the sums of the levels of any column, their order twice, their shares, and the rows.

    Loops in place of numpy's ``diff`` and ``max``, which take two seconds to compile.
    """
    width, q = 0, node.vectors.shape[1]
    for c in range(len(node.first) - 1):
        width = max(width, node.first[c + 1] - node.first[c])
    rows = np.empty((q + 1, node.cells.shape[1]))
    return rows, np.empty((q, width)), np.empty(2 * width + 1, np.int64), np.empty(width + q)


@kernel
def best_division(node, types, side):
    """Return column, surprise, score and side of missing values of the best split; set the rows that go left."""
    responses, sums, order, share = _space(node)
    c, top = _best(node, types, responses, sums, order, share)
    if c < 0:
        return c, top, 0.0, 0
    score, lost = _divide(node, c, types, responses, sums, order, share, side)
    return c, top, score, lost


@kernel
def best_surprises(node, types, place, left, labels, out):
    """Set ``out[b]`` to the best surprise of a node if the first node of its path has ``labels[b]``.

    Of an ancestor, whose rows go ``left`` in the tree, it is nan unless the best split divides them so or the other
    way round; entries that are nan already are passed over. ``place (n,)`` is the row of the first node that a row is,
    -1 of none.
    """
    responses, sums, order, share = _space(node)
    n, here, side = len(types), types.copy(), np.zeros(len(types), np.bool_)
    for b in range(len(labels)):
        if np.isnan(out[b]):
            continue
        for i in range(n):
            if place[i] >= 0:
                # labels (B, rows of the path's first node); here (n,) are those of this node.
                here[i] = labels[b, place[i]]
        c, top = _best(node, here, responses, sums, order, share)
        if not len(left):
            out[b] = top
            continue
        same = 0
        if c >= 0:
            _divide(node, c, here, responses, sums, order, share, side)
            for i in range(n):
                # All rows alike or all rows opposite: the division is the ancestor's.
                same += side[i] == left[i]
        if c < 0 or 0 < same < n:
            out[b] = np.nan
