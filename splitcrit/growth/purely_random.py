"""Purely random partitions: trees whose splits never look at a label.

Main definitions: ``purely_random``.
Source: ghosh2017, Section 3.5.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.growth.arrays import Grown, numbered

Array = NDArray[Any]


def purely_random(
    x: Array, codes: Array, classes: int, n_splits: int, rng: Any, *, weights: Array | None = None
) -> Grown:
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
    Grown
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
    feature, threshold = np.full(count, -1), np.full(count, np.nan)
    left, right, depth = np.full(count, -1), np.full(count, -1), np.zeros(count, np.int64)
    boxes = {0: (x.min(axis=0).astype(float), x.max(axis=0).astype(float))}
    leaves = [0]
    for made in range(n_splits):
        node = leaves.pop(int(rng.integers(len(leaves))))
        low, high = boxes.pop(node)
        f = int(rng.integers(x.shape[1]))
        t = float(low[f] + rng.random() * (high[f] - low[f]))
        feature[node], threshold[node], left[node], right[node] = f, t, 2 * made + 1, 2 * made + 2
        depth[[left[node], right[node]]] = depth[node] + 1
        cut = np.arange(x.shape[1]) == f
        boxes[int(left[node])] = (low, np.where(cut, t, high))
        boxes[int(right[node])] = (np.where(cut, t, low), high)
        leaves += [int(left[node]), int(right[node])]
    size, total = _counted(x, codes, classes, weights, feature, threshold, left, right, depth)
    goes = np.zeros(count, dtype=bool)
    tree = Grown(feature, threshold, left, right, np.full(count, np.nan), depth, size, total, goes)
    return numbered(tree, np.ones(count, dtype=bool))


def _counted(
    x: Array, codes: Array, classes: int, weights: Array | None, feature: Array, threshold: Array, left: Array,
    right: Array, depth: Array,
) -> tuple[Array, Array]:  # fmt: skip
    """Return how many samples, and which class weights, each node holds."""
    hot = (codes[:, None] == np.arange(classes)) * (np.ones(len(codes)) if weights is None else weights)[:, None]
    size, total = np.zeros(len(feature), np.int64), np.zeros((len(feature), classes))
    at = np.zeros(len(codes), np.int64)
    for _ in range(int(depth.max()) + 1):
        live = at >= 0
        np.add.at(size, at[live], 1)
        np.add.at(total, at[live], hot[live])
        inner = live & (feature[at] >= 0)
        goes = x[np.arange(len(codes)), feature[at]] <= threshold[at]
        at = np.where(inner, np.where(goes, left[at], right[at]), -1)
    return size, total
