"""The best splits of a node for many rows of labels, and whether ancestors divide their rows as before, compiled.

A node is a record of its columns, with space for a search; its type chooses how they are searched when a kernel is
compiled: a ``SurpriseNode`` here, or a source of the loop that grows trees, in ``grown_node_compiled``. A label is a
kind. In a ``SurpriseNode`` it is a row of ``vectors (T, q)``, centred in the node: a column scores what
``nulls.best_split`` says, and columns are compared by how surprising that is, or by the scores themselves.

A surprise is read off a table, which is linear between points at equal steps of ``log(1 + sqrt(score))``, so that it
grows with the score. A column costs a pass over the rows for each row of labels: numbers go in the order of their
values.

Main definitions: ``SurpriseNode``; ``best_surprises`` (with the ancestors' choices made again), of which ``permuted``
is the loop for any node, ``best_division``; ``best_column`` and ``divided_rows``, the operations of a node.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from __future__ import annotations

from math import inf, log1p
from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import by_type, called, kernel
from splitcrit.nulls.best_split_compiled import best_of_cuts, best_of_subsets
from splitcrit.nulls.monte_carlo import TIE


class SurpriseNode(NamedTuple):
    """The columns of a node, and how their splits score by sums of vectors.

    ``cells (C, n)``, their sizes ``sizes[first[c] : first[c + 1]]``, whether a split is of a ``subset`` of them, and
    how many rows of the last are ``lost``, without a value. ``orders (C, n)`` are the rows by cell. A cut after a place
    of the order, whose left side sums to s, scores ``slope |s|^2 - less``, the two ``lines (C, 2, 2, n)``: with the
    missing values on the right and on the left, and 0 where there is no cut. ``tables (C, points)`` has surprises at
    points that lie ``step`` apart; without points a score is its own surprise. ``vectors (T, q)`` are the labels less
    their mean in the node, ``unit |s|^2 / (m (n - m))`` scores a subset of m rows, ``least`` is the fewest rows on a
    side. Space: ``responses (q + 1, n)`` of the rows, ``sums (q, V)`` of the levels, ``places (2 V + 1,)``, ``share``.
    """

    cells: Array
    subset: Array
    lost: Array
    orders: Array
    sizes: Array
    first: Array
    lines: Array
    tables: Array
    step: float
    vectors: Array
    unit: float
    least: int
    responses: Array
    sums: Array
    places: Array
    share: Array


@by_type
def best_column(node, types):
    """The column that is worth most, the first of those that tie, and what it is worth; -1 without a split."""


@by_type
def divided_rows(node, c, side):
    """Set the rows that go left by the first best split of a column; return its score, and if missing ones do."""


# Columns that are scored by sums of vectors.


@called(_nrt=False)
def _by_sums(node, c, bar):
    """The best score of a column, and ``turn`` and place of the first split from ``bar`` on.

    ``turn`` is 1 if missing values go left. The place of a subset is how many levels it has, the first in ``places``.
    """
    q, v, responses, sums = node.vectors.shape[1], node.first[c + 1] - node.first[c], node.responses, node.sums
    if not node.subset[c]:
        slope, less, length = node.lines[c, 0], node.lines[c, 1], responses[q]
        return best_of_cuts(responses[:q], node.orders[c], slope, less, node.lost[c], length, bar)
    sizes, cells = node.sizes[node.first[c] : node.first[c + 1]], node.cells[c]
    sums[:, :v] = 0.0
    for k in range(q):
        for i in range(len(cells)):
            sums[k, cells[i]] += responses[k, i]
    best, place = best_of_subsets(sizes, sums, node.least, node.places, node.share, bar / node.unit)
    return best * node.unit, 0, place


@called(_nrt=False)
def surprise_in(table, step, score):
    """The surprise of a score, read off a table."""
    # table (points,) at equal steps; a score beyond the last point goes on along the last piece.
    x = log1p(score**0.5) / step
    i = np.int64(min(x, len(table) - 2))
    return table[i] + (table[i + 1] - table[i]) * (x - i)


@best_column.of(SurpriseNode)
def _best_by_surprise(node, types):
    chosen, top = -1, 0.0
    # The responses of each row, once for all columns: an order is then followed with one look-up a row.
    for k in range(node.vectors.shape[1]):
        for i in range(len(types)):
            node.responses[k, i] = node.vectors[types[i], k]
    for c in range(len(node.subset)):
        value = _by_sums(node, c, inf)[0]
        if node.tables.shape[1] > 0:
            value = surprise_in(node.tables[c], node.step, value)
        if value > top + TIE * (1 + top):
            chosen, top = c, value
    return chosen, top


@divided_rows.of(SurpriseNode)
def _divided_by_surprise(node, c, side):
    # The best score is found first, and then the first split that ties with it, so that rounding cannot choose.
    best = _by_sums(node, c, inf)[0]
    _, turn, place = _by_sums(node, c, best * (1 - TIE))
    n, lost, rows = len(side), node.lost[c], node.orders[c]
    side[:] = False
    if node.subset[c]:
        # share (V,) tells from here on which levels are on the left: the first of the order.
        node.share[:] = 0.0
        for i in range(place):
            node.share[node.places[i]] = 1.0
        for i in range(n):
            side[i] = node.share[node.cells[c, i]] > 0
    else:
        for i in range(place + 1):
            side[rows[i]] = True
        for i in range(n - lost if turn else n, n):
            side[rows[i]] = True
    return best, turn


@kernel(_nrt=False)
def best_division(node, types, side):
    """Column, worth, score and side of missing values of the best split; set the rows that go left."""
    c, top = best_column(node, types)
    if c < 0:
        return c, top, 0.0, 0
    score, lost = divided_rows(node, c, side)
    return c, top, score, lost


@called(_nrt=False)
def permuted(node, here, place, left, labels, side, out):
    """Set ``out[b]`` to what the best split of a node is worth if the first node of its path has ``labels[b]``.

    Of an ancestor, whose rows go ``left`` in the tree, it is nan unless the best split divides them so or the other
    way round; entries that are nan already are passed over. ``place (n,)`` is the row of the first node that a row is,
    -1 of none. ``here (n,)`` are the labels of the rows, which are overwritten; ``side (n,)`` is space.
    """
    n = len(here)
    for b in range(len(labels)):
        if np.isnan(out[b]):
            continue
        for i in range(n):
            if place[i] >= 0:
                # labels (B, rows of the path's first node); here (n,) are those of this node.
                here[i] = labels[b, place[i]]
        c, top = best_column(node, here)
        if not len(left):
            out[b] = top
            continue
        same = 0
        if c >= 0:
            divided_rows(node, c, side)
            for i in range(n):
                # All rows alike or all rows opposite: the division is the ancestor's.
                same += side[i] == left[i]
        if c < 0 or 0 < same < n:
            out[b] = np.nan


@kernel(_nrt=False)
def best_surprises(node, here, place, left, labels, side, out):
    """Do what ``permuted`` does for nodes of this kind."""
    permuted(node, here, place, left, labels, side, out)
