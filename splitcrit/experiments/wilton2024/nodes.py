"""Which nodes of a tree still hold several classes, and which of them it could have split but did not.

Main definitions: ``Nodes``, ``nodes_of``.
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
        """Return the share of the splits that cut off a node of one class; none if the tree is its root."""
        inner = ~self.leaf
        return float(self.pure[self.children[inner]].any(axis=1).mean()) if inner.any() else None

    def outside(self, lam: float) -> Array:
        """Return which nodes are outside the zone where the impurity ``ne(lam)`` is that of misclassification.

        The zone is ``1 - max p <= lam sqrt((1 - |p|^2)(K - 1)/K)``; a node of two or more classes that halts lies in
        it, or else all its splits have children of its own proportions.
        """
        k = self.shares.shape[1]
        spread = 1 - (self.shares**2).sum(axis=1)
        return np.asarray(1 - self.shares.max(axis=1) > lam * np.sqrt(spread * (k - 1) / k) + 1e-12)


def nodes_of(model: Any, X: Array) -> Nodes:
    """Return the nodes of a fitted tree and what its training rows say of its leaves."""
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
    """Return the leaves that hold rows of different features."""
    order = np.argsort(leaves, kind="stable")
    names, first = np.unique(leaves[order], return_index=True)
    low, high = (extreme.reduceat(X[order], first, axis=0) for extreme in (np.minimum, np.maximum))
    return np.asarray(names[(low < high).any(axis=1)])
