"""The leaf at which each row of a table ends, and the nodes on its way: compiled for many rows, in numpy for few.

Main definitions: ``leaves``, ``passed``.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import compiles
from splitcrit.trees.tree_arrays import Structure, TreeNodes

MANY = 10_000  # rows whose walk takes numpy as long as it takes to load a compiled loop
LOOPS = "splitcrit.trees.growth.grow_compiled"  # once these are loaded, a compiled walk is faster for any rows
NO_COLUMNS = np.zeros(0, dtype=np.intp)
NO_SUBSETS = np.zeros((0, 1), dtype=bool)


def leaves(nodes: TreeNodes, x: Any, columns: Array | None = None, sides: Array = NO_SUBSETS) -> Array:
    """The leaf of each row of ``x (n, d)``, dense or CSR, in which categories are codes.

    ``columns`` are the features of the columns of the tree; those behind the first ``d`` are subsets. ``sides (S, J)``
    are 1 where a category goes right, by its code; unknown ones, of code -1, are last.

    Examples
    --------
    >>> one, no = np.array([1, 1, 1]), np.array([False] * 3)
    >>> stump = TreeNodes(*np.array([[1, -1, -1], [2, -1, -1], [0, -1, -1]]), np.array([0.5, 0, 0]), no, *[one] * 5, 1)
    >>> leaves(stump, np.array([[0.5], [np.nextafter(0.5, 1)]])).tolist()
    [1, 2]
    """
    if compiles() if LOOPS in sys.modules else x.shape[0] >= MANY and compiles():
        return _compiled(nodes, x, columns, sides)
    leaf, rows, features = np.zeros(x.shape[0], dtype=np.intp), np.arange(x.shape[0]), x.shape[1]
    left, right, feature = nodes.children_left, nodes.children_right, nodes.feature
    while len(rows := rows[left[leaf[rows]] >= 0]):
        node = leaf[rows]
        column = feature[node]
        values = x[rows, column if columns is None else columns[column]]
        values = np.asarray(values.toarray() if hasattr(values, "toarray") else values).reshape(-1)
        goes = (values <= nodes.threshold[node]) | (np.isnan(values) & nodes.missing_go_to_left[node])
        if len(some := np.flatnonzero(column >= features)):
            goes[some] = ~sides[column[some] - features, values[some].astype(np.intp)]
        leaf[rows] = np.where(goes, left[node], right[node])
    return leaf


def _compiled(nodes: TreeNodes, x: Any, columns: Array | None, sides: Array) -> Array:
    from splitcrit.trees.estimators.walk_compiled import walk, walk_cells

    leaf = np.empty(x.shape[0], dtype=np.intp)
    tree = nodes.children_left, nodes.children_right, nodes.feature, nodes.threshold, nodes.missing_go_to_left
    if hasattr(x, "tocsr"):
        cells = np.require(x.data, np.float64, "W"), np.require(x.indices, None, "W"), np.require(x.indptr, None, "W")
        walk_cells(*cells, *tree, np.empty(x.shape[1]), np.full(x.shape[1], -1), leaf)
    else:
        walk(np.require(x, requirements=["C", "W"]), *tree, NO_COLUMNS if columns is None else columns, sides, leaf)
    return leaf


def passed(nodes: TreeNodes, ends: Array) -> Any:
    """The nodes on the way to each row's leaf, as a sparse matrix ``(n, nodes)`` of 0 and 1."""
    from scipy.sparse import csr_matrix

    left, inner = nodes.children_left, np.flatnonzero(nodes.children_left >= 0)
    parent, lengths = np.zeros(nodes.node_count, dtype=np.intp), Structure.of(nodes).depth[ends] + 1
    parent[left[inner]] = parent[nodes.children_right[inner]] = inner
    starts = np.concatenate([[0], np.cumsum(lengths)])
    columns, node, place = np.zeros(starts[-1], dtype=np.intp), ends, starts[1:] - 1
    while len(node):  # from the leaves up, until the root, which is node 0
        columns[place] = node
        below = node > 0
        node, place = parent[node[below]], place[below] - 1
    return csr_matrix((np.ones(len(columns), np.intp), columns, starts), shape=(len(ends), nodes.node_count))
