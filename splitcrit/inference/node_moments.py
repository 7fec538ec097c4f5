"""How many rows reach each node of a tree, their mean and their impurity, all nodes at once.

A label of K classes is the vector with a one at its class, a response y the vector (y). Then the mean squared distance
of these vectors from their mean is the Gini impurity, respectively the variance, so that one set of formulas serves
classes and numbers.

Main definitions: ``Labels``, ``Moments``, ``node_sums``, ``moments``, ``levels``, ``inner``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.inference.structures import Structure

Array = NDArray[Any]


POWERS = 5  # of responses that are summed: the law of a gain by chance needs the fourth


class Labels(NamedTuple):
    """Class codes ``(n,)`` and the number of classes, or responses less a ``centre``, and None."""

    values: Array
    n_classes: int | None
    centre: float = 0.0


class Moments(NamedTuple):
    """Of each node the weight ``n (nodes,)`` of its rows, their ``mean (nodes, c)``, their Gini impurity or variance.

    A node that no row reaches has impurity 0.
    """

    n: Array
    mean: Array
    impurity: Array


def inner(structure: Structure) -> tuple[Array, Array, Array]:
    """Return the nodes that split, their left and their right children."""
    nodes = np.flatnonzero(structure.left >= 0)
    return nodes, structure.left[nodes], structure.right[nodes]


def levels(structure: Structure) -> list[Array]:
    """Return the nodes that split by depth, the root first.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier(random_state=0).fit([[1], [2], [3], [4]], [0, 1, 0, 0])
    >>> [level.tolist() for level in levels(Structure.of(tree))]
    [[0], [1]]
    """
    found, here = [], np.zeros(1, dtype=np.intp)
    while len(here := here[structure.left[here] >= 0]):
        found.append(here)
        here = np.concatenate([structure.left[here], structure.right[here]])
    return found


def node_sums(structure: Structure, ends: Array, labels: Labels, weights: Array | None = None) -> Array:
    """Return what the rows at each node sum to: the count of each class, or ``1, y, y^2, y^3, y^4``, centred.

    ``ends (n,)`` is the leaf at which each row ends. O(n + K nodes): leaves are counted, and each level of the tree
    adds up the one below.
    """
    values, classes = labels.values, labels.n_classes
    nodes = len(structure.left)
    if classes is None:
        w = np.ones(len(values)) if weights is None else weights
        found = np.stack([np.bincount(ends, w * values**k, nodes) for k in range(POWERS)], axis=1)
    else:
        found = np.bincount(ends * classes + values, weights, nodes * classes).reshape(nodes, classes)
    for level in reversed(levels(structure)):
        found[level] = found[structure.left[level]] + found[structure.right[level]]
    return found


def moments(sums: Array, labels: Labels) -> Moments:
    """Return weight, mean and impurity of each node.

    Examples
    --------
    >>> moments(np.array([[3, 1], [0, 0]]), Labels(np.array([0, 1]), 2)).impurity.tolist()
    [0.375, 0.0]
    """
    if labels.n_classes is None:
        n = sums[:, 0]
        mean, square = (sums[:, i] / np.where(n > 0, n, 1) for i in (1, 2))
        return Moments(n, mean[:, None] + labels.centre, np.maximum(square - mean**2, 0))
    n = sums.sum(axis=1)
    shares = sums / np.where(n > 0, n, 1)[:, None]
    return Moments(n, shares, (shares * (1 - shares)).sum(axis=1))
