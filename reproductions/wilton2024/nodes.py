"""Which nodes of a tree still hold several classes, and which of them it could have split but did not.

Main definitions: ``Nodes``, ``nodes_of``, ``varying``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class Nodes:
    """For each node: its depth, whether it is a leaf, whether it is impure and its rows differ, class proportions."""

    depth: Array
    leaf: Array
    open: Array
    shares: Array
    children: Array

    @property
    def halted(self) -> Array:
        """The leaves that could be split and hold several classes: the criterion saw no gain."""
        return np.asarray(self.leaf & self.open)

    @property
    def pure(self) -> Array:
        """The nodes of one class."""
        return np.asarray(self.shares.max(axis=1) == 1)

    def pure_cuts(self) -> float | None:
        """The share of the splits that cut off a node of one class; none if the tree is its root."""
        inner = ~self.leaf
        return float(self.pure[self.children[inner]].any(axis=1).mean()) if inner.any() else None

    def outside(self, lam: float) -> Array:
        """Which nodes are outside the zone where the impurity ``ne(lam)`` is that of misclassification.

        The zone is ``1 - max p <= lam sqrt((1 - |p|^2)(K - 1)/K)``; a node of two or more classes that halts lies in
        it, or else all its splits have children of its own proportions.
        """
        k = self.shares.shape[1]
        spread = 1 - (self.shares**2).sum(axis=1)
        return np.asarray(1 - self.shares.max(axis=1) > lam * np.sqrt(spread * (k - 1) / k) + 1e-12)


def nodes_of(model: Any, X: Array) -> Nodes:
    """The nodes of a fitted tree and what its training rows say of its leaves."""
    tree = model.tree_
    children = np.stack([tree.children_left, tree.children_right], axis=1)
    leaf, depth = children[:, 0] < 0, np.zeros(tree.node_count, dtype=int)
    for node in np.flatnonzero(~leaf):  # parents come before their children
        depth[children[node]] = depth[node] + 1
    shares = tree.value[:, 0] / tree.value[:, 0].sum(axis=1, keepdims=True)
    varied = ~leaf
    varied[_varied(model.apply(X), np.asarray(X, dtype=np.float32))] = True
    return Nodes(depth, leaf, varied & (shares.max(axis=1) < 1), shares, children)


def _varied(leaves: Array, X: Array) -> Array:
    """The leaves that hold rows of different features."""
    names, low, high = _extremes(leaves, X)
    return np.asarray(names[(low < high).any(axis=1)])


def _extremes(leaves: Array, X: Array) -> tuple[Array, Array, Array]:
    """The leaves that hold rows, and the least and the largest value of each feature in them."""
    order = np.argsort(leaves, kind="stable")
    names, first = np.unique(leaves[order], return_index=True)
    return names, np.minimum.reduceat(X[order], first, axis=0), np.maximum.reduceat(X[order], first, axis=0)


def varying(model: Any, X: Array) -> Array:
    """For each inner node of a fitted tree, the share of features that vary among the rows that reach it."""
    tree = model.tree_
    low, high = np.full((tree.node_count, X.shape[1]), np.inf), np.full((tree.node_count, X.shape[1]), -np.inf)
    names, low_of, high_of = _extremes(model.apply(X), X)
    low[names], high[names] = low_of, high_of
    inner = np.flatnonzero(tree.children_left >= 0)
    for node in inner[::-1]:  # children come after their parents
        both = [tree.children_left[node], tree.children_right[node]]
        low[node], high[node] = low[both].min(axis=0), high[both].max(axis=0)
    return np.asarray((low[inner] < high[inner]).mean(axis=1))
