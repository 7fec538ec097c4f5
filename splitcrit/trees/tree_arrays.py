"""The nodes of one fitted tree as plain arrays, whatever library grew it.

A tree of this library keeps ``TreeNodes``, in float64; scikit-learn's ``tree_`` is made of them on demand, by
``estimators.sklearn_tree``.

Main definitions: ``TreeNodes``; ``nodes_of`` (those of an estimator, or scikit-learn's), ``Structure``; ``nodes_kept``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.display import shortened
from splitcrit.frozen import complaint


@dataclass(frozen=True, eq=False, repr=False)
class TreeNodes:
    """The nodes of a tree of this library, under the names that scikit-learn's ``tree_`` has for them.

    A row whose value is at most the threshold goes left; both are float64.

    Parameters
    ----------
    children_left, children_right : int array (nodes,)
        -1 at a leaf. Node 0 is the root, and a child stands after its parent.
    feature : int array (nodes,)
        The column of a split, -1 at a leaf; columns beyond the features are subsets of categories.
    threshold : float array (nodes,)
        nan at a leaf, infinite where missing values alone go right.
    missing_go_to_left : bool array (nodes,)
    value : float array (nodes, outputs, K)
        The class proportions, or a response in an array of one.
    impurity, weighted_n_node_samples : float array (nodes,)
    n_node_samples : int array (nodes,)
    in_float32 : bool array (nodes,)
        Whether the training rows of a node go the same ways if their values are rounded to float32.
    n_features : int
        The number of columns.
    """

    children_left: Array
    children_right: Array
    feature: Array
    threshold: Array
    missing_go_to_left: Array
    value: Array
    impurity: Array
    n_node_samples: Array
    weighted_n_node_samples: Array
    in_float32: Array
    n_features: int

    __repr__ = shortened

    @staticmethod
    def of(tree: Any, features: int, values: Array, impurity: Array) -> TreeNodes:
        """The nodes of a ``GrownTree``, with ``values`` of each, ``(nodes, K)`` or ``(nodes, outputs, 1)``."""
        return TreeNodes(
            tree.left, tree.right, tree.feature, tree.threshold, tree.missing_left,
            np.ascontiguousarray(values if values.ndim == 3 else values[:, None, :], dtype=np.float64), impurity,
            tree.size, tree.weights.sum(axis=1), tree.in_float32, features,
        )  # fmt: skip

    @property
    def node_count(self) -> int:
        """The number of nodes."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return int((self.children_left < 0).sum())

    @property
    def max_depth(self) -> int:
        """The depth of the deepest leaf."""
        return int(Structure.of(self).depth.max())

    @staticmethod
    def read(tree: Any) -> TreeNodes:
        """The nodes of scikit-learn's ``tree_``, which has thresholds for float32."""
        same: Any = np.ones(tree.node_count, dtype=bool)
        return TreeNodes(**{name: getattr(tree, name, same) for name in TreeNodes.__dataclass_fields__})

    def taken(self, nodes: Array, divides: Array) -> TreeNodes:
        """Some of the nodes, of which only those that a mask of all nodes names still divide."""
        place, ends = np.full(self.node_count, -1), ~divides[nodes] | (self.children_left[nodes] < 0)
        place[nodes] = np.arange(len(nodes))
        parts = {name: getattr(self, name)[nodes] for name in self.__dataclass_fields__ if name != "n_features"}
        for name in ("children_left", "children_right"):
            parts[name] = np.where(ends, -1, place[parts[name]])
        for name, of_leaf in (("feature", -1), ("threshold", np.nan), ("missing_go_to_left", False)):
            parts[name] = np.where(ends, of_leaf, parts[name])
        return TreeNodes(n_features=self.n_features, **parts | {"in_float32": parts["in_float32"] | ends})


def nodes_of(tree: Any) -> Any:
    """The nodes of a fitted tree: ``TreeNodes`` or scikit-learn's ``tree_``, which name the same things alike."""
    return getattr(tree, "nodes_", None) or getattr(tree, "tree_", tree)


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
        Of a node that divides by categories, the codes that go left, whatever fraction a value adds to its code; its
        threshold plays no part.
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
        """Read ``TreeNodes``, scikit-learn's ``tree_``, or an estimator that has one.

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
        nodes = nodes_of(tree)
        if not hasattr(nodes, "children_left"):
            remedy = "pass a fitted tree, whose tree_ holds its nodes"
            raise TypeError(complaint("a tree has nodes like those of scikit-learn", type(tree).__name__, remedy))
        leaf = nodes.children_left < 0
        own = isinstance(nodes, TreeNodes)
        arguments = nodes.__reduce__()[1] if hasattr(nodes, "__setstate__") and not own else (0,)
        by = arguments[-1]  # since scikit-learn 1.10 the number of categories of each column, -1 of numbers
        if isinstance(by, np.ndarray) and (by[nodes.feature[~leaf]] > 0).any():
            rule, remedy = "a tree that is read divides by numbers", "fit it without categorical_features"
            raise TypeError(complaint(rule, "categories, as trees of scikit-learn 1.10 may have", remedy))
        missing = getattr(nodes, "missing_go_to_left", np.zeros(len(leaf)))
        feature, threshold = np.where(leaf, -1, nodes.feature), np.where(leaf, np.nan, nodes.threshold)
        children = nodes.children_left, nodes.children_right
        return Structure(*children, feature, threshold, missing.astype(bool), single=not own)

    @property
    def depth(self) -> Array:
        """The depth of each node, 0 of the root."""
        depth, level = np.zeros(len(self.left), dtype=np.intp), np.array([0])
        while len(level := level[self.left[level] >= 0]):
            below = np.concatenate([self.left[level], self.right[level]])
            depth[below], level = depth[level[0]] + 1, below
        return depth

    def rows(self, x: Any) -> list[Array]:
        """The rows of ``x (n, d)`` that reach each node, in their order."""
        values = np.asarray(x, dtype=np.float32 if self.single else np.float64)
        reached = [np.empty(0, dtype=np.intp)] * len(self.left)
        reached[0] = np.arange(len(values))
        for node in np.flatnonzero(self.left >= 0).tolist():
            here = reached[node]
            goes = self.goes_left(node, values[here, self.feature[node]])
            reached[self.left[node]], reached[self.right[node]] = here[goes], here[~goes]
        return reached

    def leaves(self, rows: Sequence[Array], size: int) -> Array:
        """The leaf of each of ``size`` rows, given those that reach each node; 0 of one that reaches none."""
        leaf = np.zeros(size, dtype=np.intp)
        for node in np.flatnonzero(self.left < 0).tolist():
            leaf[rows[node]] = node
        return leaf

    def goes_left(self, node: int, values: Array) -> Array:
        """Tell which values of a node's feature go left."""
        if node in self.subsets:
            goes = np.isin(np.trunc(values), list(self.subsets[node]))
        else:
            goes = values < self.threshold[node] if self.strict else values <= self.threshold[node]
        return np.asarray(np.where(np.isnan(values), self.missing_left[node], goes))


def nodes_kept(tree: Any, divides: Array) -> Array:
    """The nodes, in order, whose ancestors all still divide; a tree is anything with ``left`` and ``right``.

    Examples
    --------
    >>> minus = np.full(5, -1)
    >>> tree = Structure(np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1]), minus, minus, minus)
    >>> nodes_kept(tree, np.array([True, False, False, False, False])).tolist()
    [0, 1, 2]
    """
    whole = np.arange(len(tree.left)) == 0
    for node in np.flatnonzero(divides & (tree.left >= 0)).tolist():
        whole[[tree.left[node], tree.right[node]]] |= whole[node]
    return np.flatnonzero(whole)
