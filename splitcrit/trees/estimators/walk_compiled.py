"""Rows on their way down a fitted tree, compiled: from the root to a leaf by float64 thresholds and by subsets.

Layout: ``tree`` arrays by node, as in ``TreeNodes``: left and right child, column (-1 at a leaf), threshold, and
whether missing values go left. Invariant: a child stands after its parent, so that every walk ends. A row costs one
step a level, which reads one value of it.

Main definitions: ``walk`` (dense rows), ``walk_cells`` (rows of a sparse matrix).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import inlined, kernel
from splitcrit.trees.scan.scan_common import U


@inlined
def _goes_left(value, threshold, missing_left):
    # nan is not above anything, and an infinite threshold sends all known values left. A child that is read by what was
    # found, without a branch, would take twice as long: past a branch the processor reads on.
    return not value > threshold and (missing_left or value == value)


@kernel(_nrt=False)
def walk(x, left, right, column, threshold, missing_left, columns, sides, leaf):
    """Set ``leaf[i]`` to the node in which row ``i`` ends."""
    # x (n, d) features. The columns of the tree from d on are subsets: columns says of which feature, and
    # sides[s, code] is 1 where a category goes right; unknown ones, -1, stand last.
    features, last = x.shape[1], sides.shape[1] - 1
    for i in range(len(x)):
        row, node = x[U(i)], np.int64(0)
        c = column[U(0)]
        while c >= 0:
            if c < features:
                goes = _goes_left(np.float64(row[U(c)]), threshold[U(node)], missing_left[U(node)])
            else:
                code = np.int64(row[U(columns[U(c)])])
                goes = not sides[U(c - features), U(code if code >= 0 else last)]
            node = left[U(node)] if goes else right[U(node)]
            c = column[U(node)]
        leaf[U(i)] = node


@kernel(_nrt=False)
def walk_cells(data, indices, indptr, left, right, column, threshold, missing_left, values, owner, leaf):
    """Do what ``walk`` does for rows of a sparse matrix, whose values that are not stored are 0."""
    # data, indices and indptr are those of CSR; values (d,) holds the cells of the rows seen so far, by column, and
    # owner (d,) the row that each is of, -1 at first: nothing need be cleared between rows.
    for i in range(len(leaf)):
        for cell in range(indptr[U(i)], indptr[U(i + 1)]):
            at = indices[U(cell)]
            values[U(at)], owner[U(at)] = data[U(cell)], i
        node = np.int64(0)
        c = column[U(0)]
        while c >= 0:
            value = values[U(c)] if owner[U(c)] == i else 0.0
            goes = _goes_left(value, threshold[U(node)], missing_left[U(node)])
            node = left[U(node)] if goes else right[U(node)]
            c = column[U(node)]
        leaf[U(i)] = node
