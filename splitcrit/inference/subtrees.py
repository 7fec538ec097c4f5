"""A fitted tree with some of its splits taken back: what stood below becomes a leaf, all else stays as it was.

Main definitions: ``nodes_kept``, ``without_splits``.
"""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.inference.structures import Structure

Array = NDArray[Any]


def nodes_kept(tree: Any, divides: Array) -> Array:
    """Return the nodes, in order, whose ancestors all still divide, of any tree with arrays ``left`` and ``right``.

    Examples
    --------
    >>> minus = np.full(5, -1)
    >>> tree = Structure(np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1]), minus, minus, minus)
    >>> nodes_kept(tree, np.array([True, False, False, False, False])).tolist()
    [0, 1, 2]
    """
    found = np.zeros(len(tree.left), dtype=bool)
    found[0] = True
    for node in np.flatnonzero(divides & (tree.left >= 0)).tolist():
        found[[tree.left[node], tree.right[node]]] = found[node]
    return np.flatnonzero(found)


def without_splits(estimator: Any, divides: Array) -> Any:
    """Return a copy of a fitted tree that has scikit-learn's ``tree_``, whose other nodes no longer divide."""
    structure = Structure.of(estimator)
    kept = nodes_kept(structure, divides)
    make, given, state = estimator.tree_.__reduce__()
    nodes, place = state["nodes"][kept], np.full(len(structure.left), -1)
    place[kept] = np.arange(len(kept))
    ends = ~divides[kept] | (structure.left[kept] < 0)
    leaf = state["nodes"][np.flatnonzero(structure.left < 0)[0]]
    for name in ("feature", "threshold", "left_child", "right_child", "missing_go_to_left"):
        nodes[name][ends] = leaf[name]
    for name in ("left_child", "right_child"):
        nodes[name][~ends] = place[nodes[name][~ends]]
    found, tree, depth = copy(estimator), make(*given), int(structure.depth[kept].max())
    values = np.ascontiguousarray(state["values"][kept])
    tree.__setstate__(state | {"nodes": nodes, "values": values, "node_count": len(kept), "max_depth": depth})
    found.tree_ = tree
    return found
