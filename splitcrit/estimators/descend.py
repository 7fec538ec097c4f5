"""Rows of features and of codes of categories on their way down a tree of scikit-learn, all rows a level at a time.

Main definitions: ``leaves``, ``passed``; ``sides_table``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array


def sides_table(sides: list[Array]) -> Array:
    """Return on which side each subset has each code ``(S, J + 1)``, 1 for right; the last column is for code -1.

    Examples
    --------
    >>> sides_table([np.array([1, 0, 1]), np.array([0, 1, 1, 0])]).astype(int).tolist()
    [[1, 0, 0, 1], [0, 1, 1, 0]]
    """
    table = np.zeros((len(sides), max(map(len, sides), default=1)), dtype=bool)
    for row, side in zip(table, sides, strict=True):
        row[: len(side) - 1], row[-1] = side[:-1], side[-1]
    return table


def leaves(tree: Any, x: Array, columns: Array, sides: Array) -> Array:
    """Return the leaf of each row of ``x (n, d)``, in which categories are codes.

    ``columns`` are the features of the columns of the tree; those behind the first ``d`` are subsets, with ``sides``.
    """
    left, right, feature, threshold = tree.children_left, tree.children_right, tree.feature, tree.threshold
    lost = tree.missing_go_to_left.astype(bool)
    leaf, rows = np.zeros(len(x), dtype=np.intp), np.arange(len(x))
    while len(rows := rows[left[leaf[rows]] >= 0]):
        node = leaf[rows]
        subset = feature[node] - x.shape[1]
        values, by_number = x[rows, columns[feature[node]]], subset < 0
        goes = np.where(np.isnan(values), lost[node], values <= threshold[node])
        some = np.flatnonzero(~by_number)
        goes[some] = ~sides[subset[some], values[some].astype(np.intp)]
        leaf[rows] = np.where(goes, left[node], right[node])
    return leaf


def passed(tree: Any, ends: Array) -> Any:
    """Return the nodes on the way to each row's leaf, as a sparse matrix ``(n, nodes)`` of 0 and 1."""
    from scipy.sparse import csr_matrix

    paths = {0: [0]}
    for node in np.flatnonzero(tree.children_left >= 0).tolist():
        for child in (int(tree.children_left[node]), int(tree.children_right[node])):
            paths[child] = [*paths[node], child]
    each = [paths[leaf] for leaf in ends.tolist()]
    starts = np.concatenate([[0], np.cumsum([len(path) for path in each])])
    nodes = np.concatenate(each)
    return csr_matrix((np.ones(len(nodes), np.intp), nodes, starts), shape=(len(ends), tree.node_count))
