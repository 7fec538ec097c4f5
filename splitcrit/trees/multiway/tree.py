"""A grown multiway tree as arrays over its nodes, the way of a value through it, and the tree in words.

Main definitions: ``MultiwayTree``; ``text_of``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from splitcrit.arguments import Array
from splitcrit.display import shortened
from splitcrit.trees.scan import midpoint

LEAF = {"feature": -1, "by_value": False, "first": -1, "width": 0, "score": np.nan}


@dataclass(frozen=True, eq=False, repr=False)
class MultiwayTree:
    """A tree whose nodes are numbered level by level; the children of a node stand side by side, in rising order.

    Parameters
    ----------
    feature : int array (nodes,)
        What an inner node branches on; -1 at a leaf.
    by_value : bool array (nodes,)
        Whether each child has one value of the feature, rather than a cluster of values.
    first, width : int arrays (nodes,)
        The first child and the number of children; -1 and 0 at a leaf.
    parent : int array (nodes,)
        -1 at the root.
    low, high : float arrays (nodes,)
        The training values of the parent's feature that a node holds lie from ``low`` to ``high``; nan at the root.
    counts : int array (nodes, K)
    score : float array (nodes,)
        Of the split; nan at a leaf.
    depth : int array (nodes,)
    """

    feature: Array
    by_value: Array
    first: Array
    width: Array
    parent: Array
    low: Array
    high: Array
    counts: Array
    score: Array
    depth: Array

    __repr__ = shortened

    @property
    def inner(self) -> Array:
        """Which nodes branch."""
        return np.asarray(self.width > 0)

    @property
    def size(self) -> Array:
        """How many training rows each node has."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def max_depth(self) -> int:
        """The depth of the deepest leaf; the root has depth 0."""
        return int(self.depth.max())

    def children(self, node: int) -> range:
        """The children of a node."""
        return range(int(self.first[node]), int(self.first[node]) + int(self.width[node]))

    def truncated(self, keep: Array) -> MultiwayTree:
        """The tree in which only the inner nodes of ``keep`` that are reached through such nodes branch."""
        branch = self.inner & keep
        there = np.zeros(len(branch), dtype=bool)
        there[0] = True
        for depth in range(1, self.max_depth + 1):
            level = np.flatnonzero(self.depth == depth)
            there[level] = (there & branch)[self.parent[level]]
        number, branch = np.cumsum(there) - 1, (branch & there)[there]
        cut = {name: getattr(self, name)[there] for name in self.__dataclass_fields__}
        cut["parent"] = np.where(cut["parent"] < 0, -1, number[cut["parent"]])
        cut["first"] = number[cut["first"]]
        for name, at_leaf in LEAF.items():
            cut[name] = np.where(branch, cut[name], at_leaf)
        return replace(self, **cut)

    def apply(self, x: Array, unseen: str = "nearest") -> Array:
        """The node at which each row of ``x (n, d)`` ends: a leaf, or the node where it stops.

        A value between two clusters goes to the nearer, to the left in the middle; ``unseen`` says where a value goes
        that no child has.
        """
        node, waiting = np.zeros(len(x), np.int64), np.arange(len(x))
        while len(waiting := waiting[self.inner[node[waiting]]]):
            order = waiting[np.argsort(node[waiting], kind="stable")]
            here, starts = np.unique(node[order], return_index=True)
            going = []
            for one, rows in zip(here.tolist(), np.split(order, starts[1:]), strict=True):
                child = self._child(one, x[rows, self.feature[one]], unseen)
                node[rows] = np.where(child < 0, one, self.first[one] + child)
                going.append(rows[child >= 0])
            waiting = np.concatenate(going)
        return node

    def _child(self, node: int, values: Array, unseen: str) -> Array:
        """The child of each value, counted from 0; -1 where it stops."""
        here = slice(self.first[node], self.first[node] + self.width[node])
        low, high = self.low[here], self.high[here]
        if self.by_value[node] and unseen != "nearest":
            at = np.minimum(np.searchsorted(low, values), len(low) - 1)
            other = -1 if unseen == "stop" else int(np.argmax(self.counts[here].sum(axis=1)))
            return np.where(low[at] == values, at, other)
        return np.searchsorted(midpoint(high[:-1], low[1:]), values)


def text_of(tree: MultiwayTree, names: Sequence[str], classes: Sequence[str], digits: int, most: float) -> str:
    """One line a node, indented by depth: the values that lead to it; its class and class counts at a leaf.

    ``names`` are those of the features, ``classes`` that of each node. Of nodes below depth ``most`` dots are left.
    """
    lines, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        cut = tree.depth[node] >= most and tree.width[node] > 0
        low, high = (f"{side[node]:.{digits}g}" for side in (tree.low, tree.high))
        span = f"= {low}" if tree.low[node] == tree.high[node] else f"in [{low}, {high}]"
        words = [f"{names[tree.feature[tree.parent[node]]]} {span}"] if node else []
        words += ["..."] if cut else [] if tree.width[node] else [f"class {classes[node]} {tree.counts[node].tolist()}"]
        if words:
            lines.append("|   " * (int(tree.depth[node]) - 1) + "|--- " * (node > 0) + ": ".join(words))
        waiting += [] if cut else reversed(tree.children(node))
    return "\n".join(lines) + "\n"
