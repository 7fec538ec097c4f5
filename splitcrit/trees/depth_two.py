"""The exactly best tree of depth 2, under any impurity: how far is a greedy tree from it?

Cut column i into bins 0, 1, ... and let ``C[a, b, k]`` be the weight of class k among rows whose column i lies in bins
up to a and column j in bins up to b. Every tree with its root at (i, a) and a child at (j, b) reads its leaves off C:
left of the root ``C[a, b]`` and ``C[a, end] - C[a, b]``, right of it the remainders of ``C[end, b]`` and of all. So the
best child of each side, for every root on i, is a minimum over j and b, and both sides are chosen apart. With B bins
that is ``O(d^2 (n + B^2 K))``. The tree is the best of all whose thresholds lie between bins; where a column has at
most B values each has a bin of its own, and every threshold does.

Arrays: ``d`` columns, ``n`` rows, ``K`` classes, ``B`` bins; ``coded (d, n)`` holds the bin of each row in each
column, ``edges`` the thresholds between bins of each column.

Main definitions: ``best_depth_two``, ``DepthTwoTree``.
Source: breiman1996, Section 4, which recommends to look ahead of a split.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Any, final

import numpy as np

from splitcrit.arguments import Array, finite, of_kind, whole
from splitcrit.data.training_inputs import classes_of, column, numbers, one_for_each
from splitcrit.display import shortened
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity

TIE = 1e-12  # of the loss of the root: losses closer than this are equal, and the first of them is taken
LARGEST = 2**24  # cells of a cumulative histogram

Split = tuple[int, float]  # column, threshold
Place = tuple[int, int]  # column, bin


@final
@dataclass(frozen=True, repr=False)
class DepthTwoTree:
    """A tree of depth 2: rows with ``x[feature] <= threshold`` go left.

    ``root``, ``left`` and ``right`` are the splits ``(feature, threshold)`` of the root and of its children, None where
    a node is a leaf. ``loss`` is the mean impurity of the leaves, each weighted by its share of rows, and
    ``exact`` says whether every threshold of every column was tried.
    """

    root: Split | None
    left: Split | None
    right: Split | None
    loss: float
    exact: bool
    classes: tuple[Any, ...]
    leaf_classes: tuple[Any, ...]

    __repr__ = shortened

    def apply(self, X: Any) -> Array:
        """The leaf 0 to 3 of each row, from left to right; a leaf that is not split is its first place."""
        x = _rows(X)
        right = _beyond(x, self.root)
        return 2 * right + np.where(right, _beyond(x, self.right), _beyond(x, self.left))

    def predict(self, X: Any) -> Array:
        """The commonest class of the training rows of each row's leaf."""
        return np.asarray(self.leaf_classes)[self.apply(X)]


def best_depth_two(X: Any, y: Any, impurity: Any, *, bins: int = 64, min_samples_leaf: int = 1) -> DepthTwoTree:
    """Find the tree of depth at most 2 whose leaves have the least mean impurity.

    The loss is ``sum_leaf (n_leaf / n) impurity(leaf)``. Of equal trees the first is taken: least root column, least
    threshold; then for each child, no split, else least column, least threshold.

    Parameters
    ----------
    X : array (n, d)
        Numbers without gaps.
    y : array (n,)
        Classes.
    impurity : Impurity
        Any of the library, or your own; ``misclassification`` gives the tree of fewest errors.
    bins : int, default=64
        A column with more distinct values is cut at that many quantiles, and the result is not ``exact``.
    min_samples_leaf : int, default=1

    Returns
    -------
    DepthTwoTree

    Raises
    ------
    TypeError, ValueError
        If the impurity is none, data are no numbers or have gaps, or the histogram of two columns is too large.

    See Also
    --------
    TreeClassifier : Greedy, of any depth.

    References
    ----------
    breiman1996, Section 4, which recommends to look ahead.

    Examples
    --------
    On a checkerboard no first split gains anything; two levels separate the classes.

    >>> from splitcrit import best_depth_two, gini
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 1, 1, 0] * 5
    >>> tree = best_depth_two(X, y, gini)
    >>> tree.root, tree.left, tree.right, tree.loss, tree.exact
    ((0, 0.5), (1, 0.5), (1, 0.5), 0.0, True)
    >>> tree.predict([[0, 1], [1, 1]]).tolist()
    [1, 0]
    """
    of_kind(impurity, Impurity, "the best tree is that of an impurity", "pass an Impurity, such as splitcrit.gini")
    bins, least = whole(bins, "bins", 2), whole(min_samples_leaf, "min_samples_leaf", 1)
    x, labels = _rows(X), column(y)
    one_for_each(labels, len(x))
    classes, codes = classes_of(labels)
    if bins**2 * len(classes) > LARGEST:
        most = int((LARGEST / len(classes)) ** 0.5)
        raise ValueError(complaint(f"a histogram of two columns has at most {LARGEST} cells", f"bins={bins}",
                                   f"pass bins={most} or fewer"))  # fmt: skip
    edges = [_edges(values, bins) for values in x.T]
    coded = np.array([np.searchsorted(cuts, values) for cuts, values in zip(edges, x.T, strict=True)])
    loss, root, children = _Search(coded, codes, len(classes), impurity, least).best()
    exact = all(len(np.unique(values)) <= bins for values in x.T)

    def split(place: Place | None) -> Split | None:
        return None if place is None else (place[0], float(edges[place[0]][place[1]]))

    left, right = map(split, children)
    tree = DepthTwoTree(split(root), left, right, loss / len(x), exact, tuple(classes.tolist()), ())
    leaves = np.zeros((4, len(classes)), dtype=np.int64)
    np.add.at(leaves, (tree.apply(x), codes), 1)
    return replace(tree, leaf_classes=tuple(classes[leaves.argmax(axis=1)].tolist()))


class _Search:
    """The least loss of each side of each root, over all second columns."""

    def __init__(self, coded: Array, codes: Array, classes: int, impurity: Impurity, least: int) -> None:
        self.coded, self.codes, self.classes, self.impurity, self.least = coded, codes, classes, impurity, least
        self.bins = int(coded.max(initial=0)) + 1

    def best(self) -> tuple[float, Place | None, list[Place | None]]:
        """The loss, the root as (column, bin) and the split of each of its children, None where there is none."""
        d, n = self.coded.shape
        whole_node = np.bincount(self.codes, minlength=self.classes)
        loss = n * float(self.impurity(whole_node))
        tie = TIE * max(loss, n * TIE)
        root: Place | None = None
        children: list[Place | None] = [None, None]
        for i in range(d):
            # children that are leaves come first: a split of a child must gain something
            sums = self._cumulative(i, i)[:, -1]
            least = [self._losses(sums), self._losses(whole_node - sums)]
            chosen: list[list[Place | None]] = [[None] * self.bins, [None] * self.bins]
            for j in range(d):
                pairs = self._cumulative(i, j)
                for side, cells in enumerate((pairs, pairs[-1:] - pairs)):
                    losses = self._losses(cells) + self._losses(cells[:, -1:] - cells)
                    at = _first_least(losses, tie)
                    losses_of = losses[np.arange(self.bins), at]
                    for a in np.flatnonzero(losses_of < least[side] - tie).tolist():
                        least[side][a], chosen[side][a] = losses_of[a], (j, int(at[a]))
            total = least[0] + least[1]
            a = int(_first_least(total[None], tie)[0])
            if total[a] < loss - tie:
                loss, root, children = float(total[a]), (i, a), [side[a] for side in chosen]
        return loss, root, children

    def _cumulative(self, i: int, j: int) -> Array:
        """``C (B, B, K)``: how many rows of each class lie in bins up to a of column i and up to b of column j."""
        cells = (self.coded[i] * self.bins + self.coded[j]) * self.classes + self.codes
        counts = np.bincount(cells, minlength=self.bins**2 * self.classes)
        return counts.reshape(self.bins, self.bins, self.classes).cumsum(axis=0).cumsum(axis=1)

    def _losses(self, counts: Array) -> Array:
        """Rows times impurity of nodes with these class counts; infinite where a node is too small to be a leaf."""
        sizes = counts.sum(axis=-1)
        losses: Array = np.full(sizes.shape, inf)
        large = sizes >= self.least
        if large.any():
            losses[large] = sizes[large] * np.asarray(self.impurity(counts[large]), dtype=float)
        return losses


def _first_least(losses: Array, tie: float) -> Array:
    """The first place of each row whose loss is the least but for rounding."""
    places: Array = (losses <= losses.min(axis=-1, keepdims=True) + tie).argmax(axis=-1)
    return places


def _edges(values: Array, bins: int) -> Array:
    """The thresholds between the bins of a column: halfway between neighbours, all of them where there are few."""
    distinct = np.unique(values)
    if len(distinct) > bins:
        ends = np.unique(np.quantile(values, np.arange(1, bins) / bins, method="lower"))
        at = np.searchsorted(distinct, ends[ends < distinct[-1]])
    else:
        at = np.arange(len(distinct) - 1)
    low, high = distinct[at], distinct[at + 1]
    middle: Array = low + (high - low) / 2
    middle[middle >= high] = low[middle >= high]  # neighbours in floating point have nothing between them
    return middle


def _beyond(x: Array, split: Split | None) -> Array:
    """Whether each row goes right."""
    return np.zeros(len(x), dtype=np.int64) if split is None else (x[:, split[0]] > split[1]).astype(np.int64)


def _rows(X: Any) -> Array:
    """The rows of a table of finite numbers."""
    with numbers(X):
        rows = finite(X, "X", 2)
    if not rows.shape[1]:
        raise ValueError(complaint("a tree splits columns", f"shape {rows.shape}", "pass X with one at least"))
    return rows
