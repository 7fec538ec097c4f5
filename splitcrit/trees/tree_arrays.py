"""The nodes of one fitted tree as plain arrays, whatever library grew it, and the same tree with splits taken back.

Main definitions: ``Structure``; ``nodes_kept``, ``without_splits``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.frozen import complaint


@dataclass(frozen=True, eq=False)
class Structure:
    """The nodes of a binary tree; node 0 is the root, and a child stands after its parent.

    Parameters
    ----------
    left, right : int array (nodes,)
        The children of each node, -1 at a leaf.
    feature : int array (nodes,)
        The column that a node divides by, -1 at a leaf.
    threshold : float array (nodes,)
        Rows of at most this value go left; with ``strict``, rows below it.
    missing_left : bool array (nodes,)
        Whether rows without a value go left.
    strict : bool
        Whether a value equal to the threshold goes right.
    single : bool
        Whether values are rounded to float32 before they are compared.
    subsets : mapping from node to set of int
        Of a node that divides by categories, the codes that go left; its threshold plays no part.
    """

    left: Array
    right: Array
    feature: Array
    threshold: Array
    missing_left: Array
    strict: bool = False
    single: bool = True
    subsets: Mapping[int, frozenset[int]] = field(default_factory=dict)

    @staticmethod
    def of(tree: Any) -> Structure:
        """Read scikit-learn's ``tree_``, or an estimator that has one.

        Raises
        ------
        TypeError
            If it is neither, or divides by categories, as trees of scikit-learn 1.10 may.

        Examples
        --------
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> fitted = DecisionTreeClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
        >>> Structure.of(fitted).rows([[1], [2], [3], [9]])
        [array([0, 1, 2, 3]), array([0, 1]), array([2, 3])]
        """
        nodes = getattr(tree, "tree_", tree)
        if not hasattr(nodes, "children_left"):
            remedy = "pass a fitted tree, whose tree_ holds its nodes"
            raise TypeError(complaint("a tree has nodes like those of scikit-learn", type(tree).__name__, remedy))
        leaf = nodes.children_left < 0
        arguments = nodes.__reduce__()[1] if hasattr(nodes, "__setstate__") else (0,)
        by = arguments[-1]  # since scikit-learn 1.10 the number of categories of each column, -1 of numbers
        if isinstance(by, np.ndarray) and (by[nodes.feature[~leaf]] > 0).any():
            rule, remedy = "a tree that is read divides by numbers", "fit it without categorical_features"
            raise TypeError(complaint(rule, "categories, as trees of scikit-learn 1.10 may have", remedy))
        missing = getattr(nodes, "missing_go_to_left", np.zeros(len(leaf)))
        feature, threshold = np.where(leaf, -1, nodes.feature), np.where(leaf, np.nan, nodes.threshold)
        return Structure(nodes.children_left, nodes.children_right, feature, threshold, missing.astype(bool))

    @property
    def depth(self) -> Array:
        """The depth of each node, 0 of the root."""
        depth = np.zeros(len(self.left), dtype=np.intp)
        for node in np.flatnonzero(self.left >= 0).tolist():
            depth[[self.left[node], self.right[node]]] = depth[node] + 1
        return depth

    def rows(self, x: Any) -> list[Array]:
        """Return the rows of ``x (n, d)`` that reach each node, in their order."""
        values = np.asarray(x, dtype=np.float32 if self.single else np.float64)
        reached = [np.empty(0, dtype=np.intp)] * len(self.left)
        reached[0] = np.arange(len(values))
        for node in np.flatnonzero(self.left >= 0).tolist():
            here = reached[node]
            goes = self.goes_left(node, values[here, self.feature[node]])
            reached[self.left[node]], reached[self.right[node]] = here[goes], here[~goes]
        return reached

    def leaves(self, rows: Sequence[Array], size: int) -> Array:
        """Return the leaf of each of ``size`` rows, given those that reach each node; 0 of one that reaches none."""
        leaf = np.zeros(size, dtype=np.intp)
        for node in np.flatnonzero(self.left < 0).tolist():
            leaf[rows[node]] = node
        return leaf

    def goes_left(self, node: int, values: Array) -> Array:
        """Tell which values of a node's feature go left."""
        if node in self.subsets:
            goes = np.isin(values, list(self.subsets[node]))
        else:
            goes = values < self.threshold[node] if self.strict else values <= self.threshold[node]
        return np.asarray(np.where(np.isnan(values), self.missing_left[node], goes))


def nodes_kept(tree: Any, divides: Array) -> Array:
    """Return the nodes, in order, whose ancestors all still divide; a tree is anything with ``left`` and ``right``.

    Examples
    --------
    >>> minus = np.full(5, -1)
    >>> tree = Structure(np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1]), minus, minus, minus)
    >>> nodes_kept(tree, np.array([True, False, False, False, False])).tolist()
    [0, 1, 2]
    """
    kept = np.arange(len(tree.left)) == 0
    for node in np.flatnonzero(divides & (tree.left >= 0)).tolist():
        kept[[tree.left[node], tree.right[node]]] |= kept[node]
    return np.flatnonzero(kept)


def without_splits(estimator: Any, divides: Array) -> Any:
    """Return a copy of a fitted tree in which only some nodes still divide.

    What stood below the others is cut off; values, sizes and impurities stay as they were in scikit-learn's ``tree_``.
    """
    structure = Structure.of(estimator)
    kept = nodes_kept(structure, divides)
    make, arguments, state = estimator.tree_.__reduce__()
    nodes, place = state["nodes"][kept], np.full(len(structure.left), -1)
    place[kept] = np.arange(len(kept))
    ends = ~divides[kept] | (structure.left[kept] < 0)
    leaf = state["nodes"][np.flatnonzero(structure.left < 0)[0]]
    for name in sorted({*nodes.dtype.names} - {"impurity", "n_node_samples", "weighted_n_node_samples"}):
        nodes[name][ends] = leaf[name]
    for name in ("left_child", "right_child"):
        nodes[name][~ends] = place[nodes[name][~ends]]
    values, depth = np.ascontiguousarray(state["values"][kept]), int(structure.depth[kept].max())
    fewer = copy(estimator)
    fewer.tree_ = make(*arguments)
    fewer.tree_.__setstate__(state | {"nodes": nodes, "values": values, "node_count": len(kept), "max_depth": depth})
    return fewer
