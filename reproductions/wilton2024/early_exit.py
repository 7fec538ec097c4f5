"""Twoing as the released code of wilton2024 searches for it: the search of a node may end before its best split.

That search draws features among those that vary in the node, takes them in the order drawn and thresholds upwards. It
ends at the first threshold where the best gain so far is the risk of the node: ``2 (1 - max p) n / N``, with ``n`` of
all ``N`` rows in the node. The gain of a loss, a share of all rows too, is never above the risk; that of twoing is one
of proportions in the node,

    (n_left n_right / n^2) (p_left - p_right)^2,

and in a node of few rows almost any gain is larger. For two classes, and to explain the printed rows only: where a
feature has several thresholds the released code also leaves out, but for the first, those with one row on a side.

Main definitions: ``Tree``, ``grown``, ``EarlyExit``.
Source: the code that wilton2024 names, as read in 2026; the paper says nothing of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from splitcrit.compiling import called, kernel

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
        """The share of class 1 in the leaf of each row."""
        at, rows = np.zeros(len(X), dtype=int), np.arange(len(X))
        while (open_ := self.feature[at] >= 0).any():
            here, mine = at[open_], rows[open_]
            right = X[mine, self.feature[here]] > self.threshold[here]
            at[open_] = self.children[here, right.astype(int)]
        return np.asarray(self.share[at])

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        return int((self.feature < 0).sum())

    def get_depth(self) -> int:
        """The depth of the deepest leaf."""
        depth = np.zeros(len(self.feature), dtype=int)
        for node in np.flatnonzero(self.feature >= 0):  # parents come before their children
            depth[self.children[node]] = depth[node] + 1
        return int(depth.max())


@called
def search(places: Array, many: Array, y: Array, rows: Array, order: Array, features: int, enough: float) -> Any:
    """The first split that gains ``enough``, or else the one that gains most.

    Parameters
    ----------
    places : int array (d, n)
        Of each feature, the places of the rows' values among all its values.
    many : int array (d,)
        How many values each feature has.
    y, rows : int arrays
        All classes, and the rows that are split.
    order : int array (d,)
        The features in the order in which they are searched; those that are constant in the rows are passed over.
    features : int
        How many are searched.
    enough : float

    Returns
    -------
    three integers
        The feature, -1 if no split gains, and the places on both sides of the threshold.

    Examples
    --------
    >>> places, y, rows = np.array([[0, 1, 2], [0, 0, 1]]), np.array([0, 1, 1]), np.arange(3)
    >>> np.array([search(places, np.array([3, 2]), y, rows, np.array([1, 0]), 2, enough) for enough in (0.05, np.inf)])
    array([[1, 0, 1],
           [0, 0, 1]])
    """
    n, positive, best, tried = len(rows), 0, NOTHING, 0
    split: Any = (-1, 0, 0)
    before: Any = -1
    for row in rows:
        positive += y[row]
    for f in order:
        if tried == features:
            break
        sizes, ones = np.zeros(many[f], np.int64), np.zeros(many[f], np.int64)
        for row in rows:
            sizes[places[f, row]] += 1
            ones[places[f, row]] += y[row]
        if sizes.max() == n:
            continue
        tried, left, right_ones, before = tried + 1, 0, positive, -1
        for place in np.flatnonzero(sizes):
            if left:
                apart = (positive - right_ones) / left - right_ones / (n - left)
                gain = left * (n - left) / n**2 * apart**2
                if gain > best:
                    best, split = gain, (f, before, place)
                if best + NOTHING >= enough:
                    return split
            left, right_ones, before = left + sizes[place], right_ones - ones[place], place
    return split


@kernel
def grown(places: Array, many: Array, y: Array, features: int, early: bool, rng: np.random.Generator) -> Any:
    """The nodes of a tree, parents before children.

    Returns
    -------
    arrays (m,), (m, 2), (m, 2), (m,)
        The feature (-1: a leaf), the places on both sides of the threshold, the children, the share of class 1.
    """
    (d, n), most = places.shape, 2 * places.shape[1] - 1
    feature, share, rows = np.full(most, -1), np.zeros(most), np.arange(n)
    sides, children, spans = np.zeros((3, most, 2), np.int64)
    spans[0, 1], count, node = n, 1, 0
    while node < count:
        start, stop = spans[node]
        mine = rows[start:stop].copy()
        positive = y[mine].sum()
        share[node], errors = positive / len(mine), min(positive, len(mine) - positive)
        if errors:
            enough = 2 * errors / n if early else np.inf
            feature[node], low, high = search(places, many, y, mine, rng.permutation(d), features, enough)
        if feature[node] >= 0:
            left = places[feature[node]][mine] <= low
            middle = start + left.sum()
            rows[start:middle], rows[middle:stop] = mine[left], mine[~left]
            sides[node, 0], sides[node, 1], children[node, 0], children[node, 1] = low, high, count, count + 1
            spans[count, 0], spans[count, 1], spans[count + 1, 0], spans[count + 1, 1] = start, middle, middle, stop
            count += 2
        node += 1
    return feature[:count], sides[:count], children[:count], share[:count]


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
        values, places = zip(*(np.unique(column, return_inverse=True) for column in X.T), strict=True)
        training = np.stack(places), np.array([len(known) for known in values]), y
        drawn = X.shape[1] if self.features is None else self.features
        self.estimators_ = []
        for rng in np.random.default_rng(self.random_state).spawn(self.trees):
            feature, sides, children, share = grown(*training, drawn, self.early, rng)
            cuts = [(values[f][low] + values[f][high]) / 2 for f, (low, high) in zip(feature, sides, strict=True)]
            self.estimators_.append(Tree(feature, np.array(cuts), children, share))
        return self

    def predict(self, X: Array) -> Array:
        """The class with the larger mean share, 0 if both are equal."""
        mean = np.mean([tree.shares(X) for tree in self.estimators_], axis=0)
        return np.asarray(mean > 0.5, dtype=np.int64)
