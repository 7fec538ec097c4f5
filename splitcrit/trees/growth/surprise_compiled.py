"""The best splits of the columns of a node for many rows of labels, columns compared by how surprising theirs are.

A column is the cell of each row, ``cells (n,)``: its values in increasing order and the missing ones last, or its
levels. A label is a type, a row of ``vectors (T, Q)``. A *try* is a column with some of the Q coordinates: all of them
for classes and for numbers, one of them for one of several ways to cut responses in two. Its score is that of
``nulls.best_split``, and its surprise is read off a table: linear between points at equal steps of
``log(1 + sqrt(score))``, so that it grows with the score. A try costs a pass over the rows for each row of labels:
numbers go in the order of their values.

Main definitions: ``SurpriseNode``; ``best_surprises`` (with the ancestors' choices made again), ``best_division``.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from __future__ import annotations

from math import log1p
from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import called, kernel
from splitcrit.nulls.best_split_compiled import best_of_subsets, sort_by_share
from splitcrit.nulls.monte_carlo import TIE


class SurpriseNode(NamedTuple):
    """The columns of a node, and what they are tried with.

    ``cells (C, n)``, their sizes ``sizes[first[c] : first[c + 1]]``, whether a split is of a ``subset`` of them, and
    whether the last holds missing values, ``gaps``. ``orders (C, n)`` are the rows by cell; ``weights (C, 2, n)`` is
    ``1 / (m (n - m))`` where a cut after a place of the order leaves m rows left, without the missing values and with
    them, and 0 where there is no cut. Of each try its ``column``, the coordinates from ``start`` up to
    ``stop``, the sum of squared responses ``square``, and a row of ``tables``, whose points lie ``step`` apart. ``mean
    (Q,)`` is that of the node's labels, ``least`` the fewest rows on a side.
    """

    cells: Array
    sizes: Array
    first: Array
    subset: Array
    gaps: Array
    orders: Array
    weights: Array
    column: Array
    start: Array
    stop: Array
    square: Array
    tables: Array
    step: float
    mean: Array
    least: int


@called(_nrt=False)
def _sums(node, t, vectors, types, sums):
    """Set ``sums (V, q)`` to the centred sums of the cells of a try."""
    # sums (V, q) by cell, in the unit of a response; types (n,) are rows of vectors (T, Q).
    c, start, stop = node.column[t], node.start[t], node.stop[t]
    cells, first, v = node.cells[c], node.first[c], node.first[c + 1] - node.first[c]
    for i in range(v):
        for k in range(stop - start):
            sums[i, k] = 0.0
    # One coordinate, the usual case, without a loop inside the loop over rows.
    if stop - start == 1:
        for i in range(len(cells)):
            sums[cells[i], 0] += vectors[types[i], start]
    else:
        for i in range(len(cells)):
            for k in range(stop - start):
                sums[cells[i], k] += vectors[types[i], start + k]
    for i in range(v):
        for k in range(stop - start):
            # Centred once for each cell, not once for each row.
            sums[i, k] -= node.sizes[first + i] * node.mean[start + k]


@called(_nrt=False)
def _best_cut(node, t, responses, length):
    """Return the largest squared length, over m (n - m), of the centred sums to the left of the cuts of a try.

    ``responses (q, n)`` are those of the rows; missing values, last in the order, are added to both sides in turn.
    """
    # length (n,) is space; weights are 0 where no cut is allowed, also within a run of equal values.
    c, n, best = node.column[t], node.cells.shape[1], 0.0
    order, weights = node.orders[c], node.weights[c]
    last = node.first[c + 1] - 1
    lost = node.sizes[last] if node.gaps[c] else 0
    if len(responses) == 1 and lost == 0:
        y, mean, weight, running = responses[0], node.mean[node.start[t]], weights[0], 0.0
        for i in range(n):
            running += y[order[i]]
            apart = running - (i + 1) * mean
            best = max(best, apart * apart * weight[i])
        return best
    for side in range(2 if lost else 1):
        for i in range(n):
            length[i] = 0.0
        for k in range(len(responses)):
            y, mean, running = responses[k], node.mean[node.start[t] + k], 0.0
            # The missing values first, if they go left.
            for i in range(n - lost if side else n, n):
                running += y[order[i]]
            for i in range(n - lost):
                running += y[order[i]]
                apart = running - (i + 1 + (lost if side else 0)) * mean
                length[i] += apart * apart
        for i in range(n - lost):
            best = max(best, length[i] * weights[side, i])
    return best


@called
def _score(node, t, vectors, types, responses, sums, order, share):
    """Return the best score of a try; ``responses (Q, n)`` are those of the rows, if a cut needs them."""
    c, n, start, stop = node.column[t], node.cells.shape[1], node.start[t], node.stop[t]
    if not node.subset[c]:
        return _best_cut(node, t, responses[start:stop], responses[len(responses) - 1]) * n * (n - 1.0) / node.square[t]
    sizes = node.sizes[node.first[c] : node.first[c + 1]]
    _sums(node, t, vectors, types, sums)
    return best_of_subsets(sizes, sums[: len(sizes), : stop - start], node.least, n, node.square[t], order, share)


@called(_nrt=False)
def surprise_in(table, step, score):
    """Return the surprise of a score, read off a table."""
    # table (points,) at equal steps; a score beyond the last point goes on along the last piece.
    x = log1p(score**0.5) / step
    i = np.int64(min(x, len(table) - 2))
    return table[i] + (table[i + 1] - table[i]) * (x - i)


@called
def _best(node, vectors, types, responses, sums, order, share):
    """Return the try of the largest surprise, the first of those that tie, and its surprise; -1 without a split.

    ``responses (Q + 1, n)`` is space.
    """
    chosen, top = -1, 0.0
    # The responses of each row, once for all columns: an order is then followed with one look-up a row.
    for k in range(vectors.shape[1]):
        for i in range(len(types)):
            responses[k, i] = vectors[types[i], k]
    for t in range(len(node.column)):
        found = surprise_in(node.tables[t], node.step, _score(node, t, vectors, types, responses, sums, order, share))
        if found > top + TIE * (1 + top):
            chosen, top = t, found
    return chosen, top


@called
def _divide(node, t, vectors, types, sums, order, share, side):
    """Set the rows that go left by the first best split of a try; tell whether missing ones do.

    Of levels it is a prefix in the order of one coordinate of their means.
    """
    c, n, q = node.column[t], node.cells.shape[1], node.stop[t] - node.start[t]
    sizes, cells = node.sizes[node.first[c] : node.first[c + 1]], node.cells[c]
    # rank (v,) of each cell in the order of the best prefix so far, place its last cell; lost 1: missing values go
    # left.
    v, best, place, lost, by = len(sizes), 0.0, -1, 0, 0
    running, rank = np.zeros(q), np.zeros(v, np.int64)
    _sums(node, t, vectors, types, sums)
    for coordinate in range(q if node.subset[c] else 1):
        for i in range(v):
            order[i], share[i] = i, sums[i, coordinate] / sizes[i]
        if node.subset[c]:
            sort_by_share(share[:v], order, order[v:])
        for k in range(q):
            running[k] = 0.0
        m = 0
        for i in range(v - 1):
            m += sizes[order[i]]
            for k in range(q):
                running[k] += sums[order[i], k]
            for more in range(2 if node.gaps[c] and i < v - 2 else 1):
                there, length = m + more * sizes[v - 1], 0.0
                for k in range(q):
                    x = running[k] + more * sums[v - 1, k]
                    length += x * x
                if there >= node.least and n - there >= node.least:
                    length /= float(there) * (n - there)
                    # The first of those that tie, so that rounding cannot choose.
                    if length > best * (1 + TIE):
                        best, place, lost, by = length, i, more, coordinate
        for i in range(v if by == coordinate else 0):
            rank[order[i]] = i
    for i in range(n):
        left = rank[cells[i]] <= place
        side[i] = lost > 0 if node.gaps[c] and cells[i] == v - 1 else left
    return lost


@called
def _space(node):
    """Return space for the sums of the levels of any column, their order twice, and their shares.

    Loops in place of numpy's ``diff`` and ``max``, which take two seconds to compile.
    """
    width, q = 0, 0
    for c in range(len(node.first) - 1):
        width = max(width, node.first[c + 1] - node.first[c])
    for t in range(len(node.start)):
        q = max(q, node.stop[t] - node.start[t])
    return np.empty((width, q)), np.empty(2 * width + 1, np.int64), np.empty(width + q)


@kernel
def best_division(node, vectors, types, side):
    """Return try, surprise, score and side of missing values of the best split; set the rows that go left."""
    sums, order, share = _space(node)
    responses = np.empty((vectors.shape[1] + 1, len(types)))
    t, top = _best(node, vectors, types, responses, sums, order, share)
    if t < 0:
        return t, top, 0.0, 0
    score = _score(node, t, vectors, types, responses, sums, order, share)
    return t, top, score, _divide(node, t, vectors, types, sums, order, share, side)


@kernel
def best_surprises(node, vectors, types, place, left, labels, out):
    """Set ``out[b]`` to the best surprise of a node if the first node of its path has ``labels[b]``.

    Of an ancestor, whose rows go ``left`` in the tree, it is nan unless the best split divides them so or the other
    way round; entries that are nan already are passed over. ``place (n,)`` is the row of the first node that a row is,
    -1 of none.
    """
    sums, order, share = _space(node)
    n, here, side = len(types), types.copy(), np.zeros(len(types), np.bool_)
    responses = np.empty((vectors.shape[1] + 1, n))
    for b in range(len(labels)):
        if np.isnan(out[b]):
            continue
        for i in range(n):
            if place[i] >= 0:
                # labels (B, rows of the path's first node); here (n,) are those of this node.
                here[i] = labels[b, place[i]]
        t, top = _best(node, vectors, here, responses, sums, order, share)
        if not len(left):
            out[b] = top
            continue
        same = 0
        if t >= 0:
            _divide(node, t, vectors, here, sums, order, share, side)
            for i in range(n):
                # All rows alike or all rows opposite: the division is the ancestor's.
                same += side[i] == left[i]
        if t < 0 or 0 < same < n:
            out[b] = np.nan
