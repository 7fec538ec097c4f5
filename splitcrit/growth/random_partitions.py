"""Purely random partitions: trees whose splits never look at a label.

Main definitions: ``purely_random``.
Source: ghosh2017, Section 3.5.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.growth.grown_tree import GrownTree, numbered


def purely_random(
    x: Array, codes: Array, classes: int, n_splits: int, rng: Any, *, weights: Array | None = None
) -> GrownTree:
    """Return a tree of ``n_splits`` random splits of the box that the samples span.

    Each time a leaf, a feature, and a threshold on that feature's interval in the leaf's cell are drawn, all uniform;
    labels are only counted. Equal features and seeds give equal partitions whatever the labels. A cell without samples
    is a leaf like any other, with no weight.

    Parameters
    ----------
    x : float array (n, d), without missing values
    codes : int array (n,), classes 0 to ``classes - 1``
    classes : int
    n_splits : int
    rng : anything ``numpy.random.default_rng`` takes
    weights : float array (n,), optional

    Returns
    -------
    GrownTree
        With nan for scores: nothing was scored.

    References
    ----------
    ghosh2017, Section 3.5.

    Examples
    --------
    >>> import numpy as np
    >>> x, codes = np.array([[0.0], [1.0], [2.0]]), np.array([0, 0, 1])
    >>> purely_random(x, codes, 2, 3, 0).size.tolist()[0]
    3
    """
    rng, count = np.random.default_rng(rng), 2 * n_splits + 1
    tree = GrownTree.leaves(np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros((count, classes)))
    boxes, leaves = {0: (x.min(axis=0).astype(float), x.max(axis=0).astype(float))}, [0]
    for made in range(n_splits):
        node = leaves.pop(int(rng.integers(len(leaves))))
        low, high = boxes.pop(node)
        f = int(rng.integers(x.shape[1]))
        t = float(low[f] + rng.random() * (high[f] - low[f]))
        left, right = 2 * made + 1, 2 * made + 2
        tree.feature[node], tree.threshold[node], tree.left[node], tree.right[node] = f, t, left, right
        tree.depth[[left, right]] = tree.depth[node] + 1
        cut = np.arange(x.shape[1]) == f
        boxes[left], boxes[right] = (low, np.where(cut, t, high)), (np.where(cut, t, low), high)
        leaves += [left, right]
    _count(tree, x, codes, np.ones(len(codes)) if weights is None else weights)
    return numbered(tree, tree.left >= 0)


def _count(tree: GrownTree, x: Array, codes: Array, weights: Array) -> None:
    """Add up how many samples, and which class weights, each node holds."""
    live, at = np.arange(len(codes)), np.zeros(len(codes), np.int64)
    while len(live):
        np.add.at(tree.size, at, 1)
        np.add.at(tree.weights, (at, codes[live]), weights[live])
        inner = tree.feature[at] >= 0
        live, at = live[inner], at[inner]
        at = np.where(x[live, tree.feature[at]] <= tree.threshold[at], tree.left[at], tree.right[at])
