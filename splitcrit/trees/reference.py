"""The reference builder: the recursion that the papers define, in plain numpy, to be read and to be compared with.

At each node it scores every split of every column by the criterion's formula, takes the best, shares out the samples
and goes on. It stands on numpy and the criteria alone, so that no mistake of the compiled trees can be one of its own;
`splitcrit.trees.kernel` holds what it does with one column.

**Splits.** A column of numbers is split halfway between two neighbouring values, missing values on the right and on the
left, and known values from missing ones. A column of categories is divided into two sets in every way. A side needs the
samples and the weight that the rules ask for.

**Ties.** Scores that differ by at most 1e-11 of the size of scores at the node are equal: the impurity of the node for
a decrease of impurity, else the scale of the criterion, else 1. The best score of all splits is found first, and then
the first split that equals it, in the order of columns and, within a column, of thresholds, those with missing values
on the right first, or of divisions. So the choice is a property of the node: no order of search can change it.

**Leaves.** A node is a leaf if it holds one class, if the rules say so, or if no split pays: the best score must exceed
``min_gain`` and a tie with 0.

Main definitions: ``reference_tree``, ``reference_regression``, ``ReferenceNode``, ``LeafRules``; ``Builder``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array, finite, of_kind, real, whole, wholes
from splitcrit.arguments import codes as class_codes
from splitcrit.arith import FLOAT
from splitcrit.criteria import Criterion, as_criterion, decrease
from splitcrit.display import shortened
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity, variance
from splitcrit.trees.kernel import divisions, positive_weights, scores, sides, thresholds

TIE = 1e-11  # of the size of scores at a node
MOST_LEVELS = 8  # of a column of categories: 127 divisions

Cuts = tuple[Array, Array]  # thresholds (t,) of a column, and whether each sends missing values left
Draw = Sequence[tuple[int, Cuts | None]]
ColumnDraws = Callable[[int, Array], Draw]
"""The columns that are tried at a node, in order, and the thresholds of each, None for all of them.

It is called once for each node that may be split, parents first, with the number of the node (1 for the root, ``2 i``
and ``2 i + 1`` for the children of ``i``) and the rows ``(n, d)`` of its samples.
"""


@dataclass(repr=False)
class ReferenceNode:
    """A node: its samples and class weights, and, unless it is a leaf, its split and its children.

    Values up to ``threshold`` go left, missing ones if ``missing_left``. Of categories those in ``left_levels`` do,
    and the threshold is nan. The root has the number 1, the children of node ``i`` have ``2 i`` and ``2 i + 1``.
    """

    samples: Array
    weights: Array
    depth: int
    feature: int = -1
    threshold: float = nan
    score: float = nan
    missing_left: bool = False
    left: ReferenceNode | None = None
    right: ReferenceNode | None = None
    left_levels: tuple[float, ...] = ()
    number: int = 1

    __repr__ = shortened

    def check(self) -> None:
        """Raise AssertionError unless the children share out the node's samples and weights."""
        for node in self.walk():
            assert (node.left is None) == (node.right is None) == (node.feature < 0)
            if node.left is None or node.right is None:
                continue
            both = np.concatenate([node.left.samples, node.right.samples])
            assert np.array_equal(np.sort(both), np.sort(node.samples)), "children share out the samples"
            assert len(node.left.samples) and len(node.right.samples), "no child is empty"
            assert np.allclose(node.left.weights + node.right.weights, node.weights), "weights add up"
            assert np.isnan(node.threshold) == bool(node.left_levels) and np.isfinite(node.score)

    def walk(self) -> list[ReferenceNode]:
        """The nodes depth first, left first."""
        nodes, waiting = [], [self]
        while waiting:
            node = waiting.pop()
            nodes.append(node)
            if node.left is not None and node.right is not None:
                waiting += [node.right, node.left]
        return nodes


@dataclass(frozen=True, repr=False)
class LeafRules:
    """When a node stays a leaf.

    Parameters
    ----------
    max_depth : int, optional
        The depth of the deepest leaf; the root has depth 0.
    min_samples_split, min_samples_leaf : int
        The fewest samples of a node that is split, and of a child.
    min_weight_leaf : float
        The least weight of a child.
    min_gain : float, optional
        A split needs a score above it, and above a tie with 0; None splits whatever the score.

    Raises
    ------
    ValueError, TypeError
        If a number is not what it should be.

    Examples
    --------
    >>> LeafRules(max_depth=3).min_samples_leaf
    1
    """

    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    min_gain: float | None = 0.0

    def __post_init__(self) -> None:
        for name, least in (("max_depth", 0), ("min_samples_split", 2), ("min_samples_leaf", 1)):
            if name != "max_depth" or self.max_depth is not None:
                vars(self)[name] = whole(getattr(self, name), name, least)
        rule, remedy = "min_weight_leaf is a number from 0", "pass min_weight_leaf=0.0"
        vars(self)["min_weight_leaf"] = real(self.min_weight_leaf, rule, remedy, lambda weight: weight >= 0)
        if self.min_gain is not None:
            vars(self)["min_gain"] = real(self.min_gain, "min_gain is a number, or None", "pass min_gain=0.0")

    __repr__ = shortened

    def open(self, size: int, depth: int) -> bool:
        """True if a node of this size and depth may be split at all."""
        least = max(self.min_samples_split, 2 * self.min_samples_leaf)
        return size >= least and (self.max_depth is None or depth < self.max_depth)

    def pays(self, score: float, width: float, left: Array, right: Array) -> bool:
        """True if a node's best split is made, given its score, the width of a tie, and the class weights of sides."""
        return score > (-inf if self.min_gain is None else max(self.min_gain, width))


def reference_tree(
    x: Any, codes: Any, classes: Any, criterion: Any, rules: LeafRules = LeafRules(),
    *, weights: Any = None, categories: Sequence[int] = (), draws: ColumnDraws | None = None,
) -> ReferenceNode:  # fmt: skip
    """Grow the tree of a training set ``x (n, d)`` with class codes, node by node.

    Parameters
    ----------
    x : float array (n, d)
        NaN is a missing value.
    codes : int array (n,), classes 0 to ``classes - 1``
    classes : int
    criterion : Criterion or Impurity
        What scores tables of two rows; an impurity means its decrease.
    rules : LeafRules
        When a node stays a leaf.
    weights : float array (n,), optional
        Positive sample weights; 1 by default.
    categories : sequence of int
        The columns of categories, each with at most 8 levels; missing is one of them.
    draws : callable, optional
        The columns, and thresholds, of each node, as ``ColumnDraws`` says; by default all in order.

    Raises
    ------
    ValueError, TypeError
        If an argument is not what it should be.

    Examples
    --------
    >>> import numpy as np
    >>> from splitcrit import gini
    >>> root = reference_tree(np.array([[0.0], [1.0], [2.0]]), np.array([0, 0, 1]), 2, gini)
    >>> root.feature, root.threshold, root.left.weights.tolist()
    (0, 1.5, [2.0, 0.0])
    >>> reference_tree([[0.0], [1.0], [2.0]], [0, 1, 0], 2, gini, categories=[0]).left_levels
    (1.0,)
    """
    rows, labels = finite(x, "features", 2, missing=True) + 0.0, class_codes(codes, "class codes")
    heavy, number = positive_weights(weights, len(labels)), whole(classes, "classes", 1, max(10_000, len(labels)))
    if not (len(rows) == len(labels) == len(heavy) > 0 and rows.shape[1]):
        got = f"shape {rows.shape}, {len(labels)} codes and {len(heavy)} weights"
        raise ValueError(complaint("rows have features, one class code and one weight each", got, "pass as many"))
    if (most := int(labels.max())) >= number:
        raise ValueError(complaint(f"class codes are below classes={number}", most, f"pass classes={most + 1}"))
    of_kind(rules, LeafRules, "rules are LeafRules", "pass LeafRules(max_depth=3) for instance")
    of_kind(draws, Callable | None, "draws are a function of a node's number and rows", "pass one, or None for all")
    columns = frozenset(wholes(categories, "columns of categories").tolist())
    for f in sorted(columns):
        levels = len(np.unique(rows[:, whole(f, "a column of categories", 0, rows.shape[1] - 1)]))
        if levels > MOST_LEVELS:
            rule, remedy = f"a column of categories has at most {MOST_LEVELS} levels", "join some, or leave it a number"
            raise ValueError(complaint(rule, f"{levels} in column {f}", remedy))
    hot = (labels[:, None] == np.arange(number)) * heavy[:, None]
    every = [(f, None) for f in range(rows.shape[1])]
    return Builder(rows, hot, as_criterion(criterion), rules, draws or (lambda number, x: every), columns).grown()


def reference_regression(
    x: Any, y: Any, rules: LeafRules = LeafRules(), *, impurity: Callable[[Any], Impurity] = variance,
    weights: Any = None, categories: Sequence[int] = (), draws: ColumnDraws | None = None,
) -> ReferenceNode:  # fmt: skip
    """Grow the tree of responses that are numbers: their distinct values are classes of an impurity that knows them.

    Parameters
    ----------
    x : float array (n, d)
        NaN is a missing value.
    y : float array (n,)
        The responses; the class weights of a node are those of their distinct values in order.
    rules : LeafRules
    impurity : callable
        ``variance`` (squared error), ``absolute_deviation``, or whatever makes an impurity of values.
    weights, categories, draws
        As in `reference_tree`.

    Raises
    ------
    ValueError, TypeError
        If an argument is not what it should be.

    Examples
    --------
    >>> root = reference_regression([[0.0], [1.0], [2.0]], [0.0, 0.0, 3.0])
    >>> root.threshold, root.score
    (1.5, 2.0)
    """
    values, codes = np.unique(finite(y, "responses", 1) + 0.0, return_inverse=True)
    if not len(values):
        raise ValueError(complaint("there are responses", "none", "pass one for each row"))
    of_kind(impurity, Callable, "impurity makes an impurity of values", "pass variance or absolute_deviation")
    criterion, number = decrease(impurity(tuple(values.tolist()))), len(values)
    return reference_tree(x, codes, number, criterion, rules, weights=weights, categories=categories, draws=draws)


class TriedSplits(NamedTuple):
    """Splits of a node in the order in which they are tried: column, place of the cut in it, weights of both sides.

    A cut is a threshold, and whether missing values go left; or the number of a division of categories.
    """

    feature: Array
    cut: Array
    missing_left: Array
    left: Array
    right: Array


@dataclass(frozen=True, eq=False)
class Builder:
    """A training set, ``hot (n, K)`` the weight of each sample in the column of its class, and how its tree grows."""

    x: Array
    hot: Array
    criterion: Criterion
    rules: LeafRules
    draws: ColumnDraws
    categories: frozenset[int] = field(default_factory=frozenset)
    pays: Callable[[float, float, Array, Array], bool] | None = None  # instead of that of the rules
    prepared: Callable[[ReferenceNode, Array, Draw], tuple[Array, Draw]] | None = None  # what is searched at a node

    def grown(self) -> ReferenceNode:
        """The tree of all samples."""
        root = self.node(np.arange(len(self.x)), 0, 1)
        waiting = [root]  # a list, as a chain of nodes may be deeper than Python recurses
        while waiting:
            node = waiting.pop()
            if (node.weights > 0).sum() < 2 or not self.rules.open(len(node.samples), node.depth):
                continue
            goes = self.best(node)
            if goes is not None:
                node.left, node.right = (
                    self.node(node.samples[side], node.depth + 1, 2 * node.number + i)
                    for i, side in enumerate((goes, ~goes))
                )
                waiting += [node.left, node.right]
        return root

    def node(self, samples: Array, depth: int, number: int) -> ReferenceNode:
        """Some samples as a node that is not split yet."""
        return ReferenceNode(samples, self.hot[samples].sum(axis=0), depth, number=number)

    def best(self, node: ReferenceNode) -> Array | None:
        """Write the best split into a node and return who goes left; None if no split pays."""
        x, hot = self.x[node.samples], self.hot[node.samples]
        drawn = self.draws(node.number, x)
        if self.prepared is not None:
            x, drawn = self.prepared(node, x, drawn)
        splits = self.splits(x, hot, drawn)
        if splits is None:
            return None
        score = scores(self.criterion, splits.left, splits.right)
        allowed = score > -inf
        if self.criterion.search.guarded:  # a ratio is compared among splits whose undivided score is not below average
            gains = scores(self.criterion.search.divided, splits.left, splits.right)
            allowed &= gains >= gains.mean() - 1e-12 * (1 + abs(gains.mean()))
        if not allowed.any():
            return None
        top, width = score[allowed].max(), self.tie(node.weights)
        at = int(np.flatnonzero(allowed & (score >= top - width))[0])  # of equal scores, the first
        if not (self.pays or self.rules.pays)(top, width, splits.left[at], splits.right[at]):
            return None
        node.feature, node.score = int(splits.feature[at]), float(score[at])
        node.missing_left = bool(splits.missing_left[at])
        return self.divide(node, x[:, node.feature], splits.cut[at])

    def splits(self, x: Array, hot: Array, drawn: Draw) -> TriedSplits | None:
        """The splits of a node, column after column in the order of the draw; None if there are none."""
        columns = []
        for f, cuts in drawn:
            if f in self.categories:
                cut, left, right, size = divisions(x[:, f], hot)
                goes = np.zeros(len(cut), dtype=bool)
            else:
                cut, goes = thresholds(x[:, f]) if cuts is None else cuts
                left, right, size = sides(x[:, f], hot, cut, goes)
            fits = np.minimum(size, len(x) - size) >= self.rules.min_samples_leaf
            fits &= np.minimum(left.sum(axis=1), right.sum(axis=1)) >= self.rules.min_weight_leaf
            columns.append((np.full(int(fits.sum()), f), *(part[fits] for part in (cut, goes, left, right))))
        if not any(len(column[0]) for column in columns):
            return None
        return TriedSplits(*map(np.concatenate, zip(*columns, strict=True)))

    def tie(self, weights: Array) -> float:
        """The width of a tie at a node with these class weights."""
        if self.criterion.impurity is not None:
            return float(TIE * abs(self.criterion.impurity(weights)))
        return float(TIE * (1 if self.criterion.scale is None else self.criterion.scale(weights, FLOAT)))

    def divide(self, node: ReferenceNode, values: Array, cut: Any) -> Array:
        """Write the cut into a node and return who goes left; where no value is missing, missing ones go with most."""
        if node.feature in self.categories:
            levels, place = np.unique(values, return_inverse=True)
            left = (int(cut) >> np.arange(len(levels)) & 1).astype(bool)
            node.left_levels, goes = tuple(levels[left].tolist()), left[place]
        else:
            node.threshold = float(cut)
            goes = (values <= cut) | (np.isnan(values) & node.missing_left)
        if node.feature in self.categories or not np.isnan(values).any():
            node.missing_left = bool(2 * goes.sum() > len(goes))
        return np.asarray(goes)
