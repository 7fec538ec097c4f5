"""A grown tree as arrays: how nodes are numbered and scored, and how a tree is cut back to its best splits.

Main definitions: ``GrownTree``, ``numbered``, ``with_scores``, ``best_first``; ``root_rows``
(the rows that a compiled loop fills node by node: see ``nodes_compiled``).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.display import shortened
from splitcrit.trees.growth.records import TreeRows
from splitcrit.trees.scan.ties_and_scores import formula_scores, own_impurity

FIRST = 2048  # rows: a call of a compiled loop costs as much as some nodes


@dataclass(frozen=True, eq=False, repr=False)
class GrownTree:
    """A tree as arrays over its nodes, depth first, left first; a leaf has feature -1 and children -1.

    ``weights (nodes, K)`` are those of the classes. Where responses are numbers it has one column, ``value`` is their
    mean and ``impurity`` their variance; for absolute error the median (halfway between where half the weight is on
    each side) and the mean deviation about it. Where they are classes, ``value`` is nan, and ``impurity`` that whose
    decrease the scores are, or nan. ``in_float32`` tells whether the samples of a node go the same ways if their values
    are rounded to float32.
    """

    feature: Array
    threshold: Array
    left: Array
    right: Array
    score: Array
    depth: Array
    size: Array
    weights: Array
    missing_left: Array
    value: Array
    impurity: Array
    in_float32: Array

    __repr__ = shortened

    @staticmethod
    def leaves(depth: Array, size: Array, weights: Array) -> GrownTree:
        """Nodes of which none is split yet, and which have no value."""
        n = len(size)
        (feature, left, right), (threshold, score, value, impurity) = np.full((3, n), -1), np.full((4, n), np.nan)
        goes, same = np.zeros(n, dtype=bool), np.ones(n, dtype=bool)
        return GrownTree(feature, threshold, left, right, score, depth, size, weights, goes, value, impurity, same)

    @staticmethod
    def of(root: Any, x: Array | None = None) -> GrownTree:
        """The arrays of a reference tree, given its root (a ``ReferenceNode``) and its features ``x (n, d)``."""
        nodes = root.walk()
        number = {id(node): i for i, node in enumerate(nodes)}
        depth, size = np.array([node.depth for node in nodes]), np.array([len(node.samples) for node in nodes])
        fields: dict[str, Any] = {
            name: np.array([getattr(node, name) for node in nodes])
            for name in ("feature", "threshold", "score", "missing_left")
        }
        for name in ("left", "right"):
            fields[name] = np.array([number.get(id(getattr(node, name)), -1) for node in nodes])
        fields["in_float32"] = np.array([x is None or _same_in_float32(node, x) for node in nodes])
        return replace(GrownTree.leaves(depth, size, np.array([node.weights for node in nodes])), **fields)

    def take(self, nodes: Array, left: Array, right: Array) -> GrownTree:
        """The nodes ``nodes``, with new numbers of their children."""
        chosen = {name: getattr(self, name)[nodes] for name in self.__dataclass_fields__}
        return replace(GrownTree(**chosen), left=left, right=right)


def _same_in_float32(node: Any, x: Array) -> bool:
    """Whether the samples of a reference node go the same ways if their values are rounded to float32."""
    if x.dtype == np.float32 or not 0 <= node.feature < x.shape[1]:
        return True
    values = x[node.samples, node.feature]
    with np.errstate(over="ignore"):
        return bool(((values.astype(np.float32) <= np.float64(node.threshold)) == (values <= node.threshold)).all())


def numbered(tree: GrownTree, inner: Array) -> GrownTree:
    """The tree with nodes in depth-first order, in which only the splits of ``inner`` are kept."""
    split, order, waiting = (tree.left >= 0) & inner, list[int](), [0]
    left, right, divides = tree.left.tolist(), tree.right.tolist(), split.tolist()
    while waiting:
        order.append(node := waiting.pop())
        if divides[node]:
            waiting += [right[node], left[node]]
    nodes, place = np.array(order), np.full(len(split), -1)
    place[nodes] = np.arange(len(nodes))
    children = (np.where(split, place[side], -1)[nodes] for side in (tree.left, tree.right))
    part = tree.take(nodes, *children)
    leaf = part.left < 0
    of_leaf = {"feature": -1, "threshold": np.nan, "score": np.nan, "missing_left": False, "in_float32": True}
    return replace(part, **{name: np.where(leaf, end, getattr(part, name)) for name, end in of_leaf.items()})


def with_scores(tree: GrownTree, criterion: Criterion) -> GrownTree:
    """A tree with the scores of its splits, and the impurity of its nodes if the scores are decreases of it."""
    score, inner = np.full(len(tree.left), np.nan), tree.left >= 0
    if criterion.impurity is not None:
        impurity, n = own_impurity(criterion, tree.weights), tree.weights.sum(axis=1)
        risk = n * impurity
        score[inner] = (risk[inner] - (risk[tree.left[inner]] + risk[tree.right[inner]])) / n[inner]
        return replace(tree, score=score, impurity=impurity)
    if inner.any():
        sides = (np.ascontiguousarray(tree.weights[side[inner]].T) for side in (tree.left, tree.right))
        score[inner] = formula_scores(criterion, *sides)
    return replace(tree, score=score)


def best_first(tree: GrownTree, max_leaf_nodes: int) -> GrownTree:
    """The tree cut back to the splits a best-first search makes: by score times weight, largest first."""
    worth = tree.score * tree.weights.sum(axis=1)
    inner = np.zeros(len(worth), dtype=bool)
    waiting = [(-worth[0], 0)] if tree.left[0] >= 0 else []
    leaves = 1
    while waiting and leaves < max_leaf_nodes:
        _, node = heapq.heappop(waiting)
        inner[node] = True
        leaves += 1
        for child in (tree.left[node], tree.right[node]):
            if tree.left[child] >= 0:
                heapq.heappush(waiting, (-worth[child], int(child)))
    return numbered(tree, inner)


def root_rows(totals: Array, size: int, key: Array, width: int = 0) -> TreeRows:
    """A tree of one node, with rows for more; ``key`` is of its draws, ``width`` the numbers of a source."""
    rows = min(FIRST, 2 * size)
    links, reals = np.empty((rows, 9), np.int64), np.empty((rows, len(totals) + 1))
    links[0] = -1, -1, -1, -1, 0, size, 0, np.int64(key.astype(np.int64)), 0
    reals[0] = np.nan, *totals
    return TreeRows(links, reals, np.zeros((rows, width), np.int8))
