"""Twoing as the released code of wilton2024 searches for it: the search of a node may end before its best split.

That search draws features among those that vary in the node, takes them in the order drawn and thresholds upwards. It
ends at the first threshold where the best gain so far is the risk of the node: ``2 (1 - max p) n / N``, with ``n`` of
all ``N`` rows in the node. The gain of a loss, a share of all rows too, is never above the risk; that of twoing is one
of proportions in the node,

    (n_left n_right / n^2) (p_left - p_right)^2,

and in a node of few rows almost any gain is larger. For two classes, and to explain the printed rows only: where a
feature has several thresholds the released code also leaves out, but for the first, those with one row on a side.

Main definitions: ``Grower``, ``Tree``, ``EarlyExit``.
Source: the code that wilton2024 names, as read in 2026; the paper says nothing of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
NOTHING = float(np.finfo(float).eps)  # a gain up to that is none


@dataclass(frozen=True)
class Tree:
    """A fitted tree: of each node its feature (-1: a leaf), threshold, children and share of class 1."""

    feature: Array
    threshold: Array
    children: Array
    share: Array

    def shares(self, X: Array) -> Array:
        """Return the share of class 1 in the leaf of each row."""
        at, rows = np.zeros(len(X), dtype=int), np.arange(len(X))
        while (open_ := self.feature[at] >= 0).any():
            here, mine = at[open_], rows[open_]
            right = X[mine, self.feature[here]] > self.threshold[here]
            at[open_] = self.children[here, right.astype(int)]
        return np.asarray(self.share[at])

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        return int((self.feature < 0).sum())

    def get_depth(self) -> int:
        """Return the depth of the deepest leaf."""
        depth = np.zeros(len(self.feature), dtype=int)
        for node in np.flatnonzero(self.feature >= 0):  # parents come before their children
            depth[self.children[node]] = depth[node] + 1
        return int(depth.max())


@dataclass(frozen=True)
class Grower:
    """How a tree is grown from features ``X (n, d)`` and classes ``y`` 0 and 1.

    Parameters
    ----------
    X, y : arrays
    features : int
        How many are drawn at a node, among those that vary in it.
    early : bool
        Whether the search of a node may end early; if not, its best split is made.
    rng : numpy Generator
    """

    X: Array
    y: Array
    features: int
    early: bool
    rng: np.random.Generator

    def grown(self) -> Tree:
        """Return the tree."""
        nodes: list[tuple[int, float, tuple[int, int], float]] = []
        waiting: list[tuple[Array, int]] = [(np.arange(len(self.y)), -1)]
        while waiting:
            rows, place = waiting.pop()
            if place >= 0:  # a right child, whose parent knows its left one only
                f, cut, (left, _), share = nodes[place]
                nodes[place] = f, cut, (left, len(nodes)), share
            f, cut = self.split(rows)
            nodes.append((f, cut, (len(nodes) + 1, -1), float(self.y[rows].mean())))
            if f >= 0:
                goes = self.X[rows, f] <= cut
                waiting += [(rows[~goes], len(nodes) - 1), (rows[goes], -1)]
        return Tree(*(np.array(column) for column in zip(*nodes, strict=True)))

    def split(self, rows: Array) -> tuple[int, float]:
        """Return feature and threshold of the split of some rows; feature -1 if none gains."""
        X, y = self.X[rows], self.y[rows]
        errors = int(min(y.sum(), len(y) - y.sum()))
        varying = np.flatnonzero((X[0] != X).any(axis=0)) if errors else np.empty(0, dtype=int)
        if not varying.size:
            return -1, np.nan
        drawn = self.rng.permutation(varying)[: self.features]
        cuts, gains = gains_of(X[:, drawn], y)
        enough = 2 * errors / len(self.y) if self.early else np.inf
        ends = np.flatnonzero(gains + NOTHING >= enough)
        at = int(gains[: ends[0] + 1 if ends.size else None].argmax())
        return (int(drawn[at // (len(y) - 1)]), float(cuts[at])) if gains[at] > NOTHING else (-1, np.nan)


def gains_of(X: Array, y: Array) -> tuple[Array, Array]:
    """Return the thresholds of features ``X (n, d)``, feature by feature and upwards, and the twoing gain of each.

    A feature has ``n - 1``, halfway between neighbours; where these are equal it is no threshold, and the gain is 0.

    Examples
    --------
    >>> cuts, gains = gains_of(np.array([[1.0, 0.0], [2.0, 0.0], [4.0, 1.0]]), np.array([0, 1, 1]))
    >>> cuts.tolist(), gains.round(3).tolist()
    ([1.5, 3.0, 0.0, 0.5], [0.222, 0.056, 0.0, 0.056])
    """
    n, order = len(y), X.argsort(axis=0)
    values = np.take_along_axis(X, order, axis=0)
    left, ones = np.arange(1, n)[:, None], y[order].cumsum(axis=0)[:-1]
    right, others = n - left, y.sum() - ones
    gains = left * right / n**2 * (ones / left - others / right) ** 2
    gains[values[:-1] == values[1:]] = 0
    return ((values[:-1] + values[1:]) / 2).T.ravel(), gains.T.ravel()


class EarlyExit:
    """A tree, or a forest that averages leaf proportions; of each tree the training rows are all rows.

    Parameters
    ----------
    trees : int
    features : int, optional
        How many are drawn at a node; all by default.
    early : bool
    random_state : int
    """

    def __init__(
        self, trees: int = 1, features: int | None = None, *, early: bool = True, random_state: int = 0
    ) -> None:
        self.trees, self.features, self.early, self.random_state = trees, features, early, random_state

    def fit(self, X: Array, y: Array) -> Self:
        """Grow the trees."""
        rngs = np.random.default_rng(self.random_state).spawn(self.trees)
        drawn = X.shape[1] if self.features is None else self.features
        self.estimators_ = [Grower(X, y, drawn, self.early, rng).grown() for rng in rngs]
        return self

    def predict(self, X: Array) -> Array:
        """Return the class with the larger mean share, 0 if both are equal."""
        mean = np.mean([tree.shares(X) for tree in self.estimators_], axis=0)
        return (mean > 0.5).astype(np.int64)
