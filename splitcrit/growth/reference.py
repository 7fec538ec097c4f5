"""The reference builder: the recursion that the papers define, in plain numpy, to be read and to be compared with.

It scores every threshold of every feature of a node by the criterion's formula, takes the best by the tie rule, splits,
and goes on. No speed is asked of it; ``grow`` builds the same tree level by level.

Main definitions: ``Node``, ``build``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arith import FLOAT
from splitcrit.criteria import Criterion
from splitcrit.growth.options import Growing
from splitcrit.growth.selection import narrowed, selecting
from splitcrit.growth.stopping import Stopping
from splitcrit.growth.weights import scale_of
from splitcrit.nulls.searched import MaxSelected
from splitcrit.search import midpoint
from splitcrit.search.draws import drawn_ranks, root_key, side_keys
from splitcrit.search.random import random_thresholds
from splitcrit.search.scoring import at_least, band, guard

Array = NDArray[Any]


@dataclass
class Node:
    """A node: its samples and class weights, and, unless it is a leaf, its split and its children."""

    samples: Array
    weights: Array
    depth: int
    feature: int = -1
    threshold: float = np.nan
    score: float = np.nan
    missing_left: bool = False
    left: Node | None = None
    right: Node | None = None

    def check(self) -> None:
        """Raise AssertionError unless the children share out the node's samples and weights."""
        assert (self.left is None) == (self.right is None) == (self.feature < 0)
        if self.left is None or self.right is None:
            return
        both = np.concatenate([self.left.samples, self.right.samples])
        assert np.array_equal(np.sort(both), np.sort(self.samples)), "children share out the samples"
        assert len(self.left.samples) and len(self.right.samples), "no child is empty"
        assert np.allclose(self.left.weights + self.right.weights, self.weights), "weights add up"
        assert not np.isnan(self.threshold) and np.isfinite(self.score)
        self.left.check()
        self.right.check()

    def walk(self) -> list[Node]:
        """Return the nodes depth first, left first."""
        found, waiting = [], [self]
        while waiting:
            node = waiting.pop()
            found.append(node)
            if node.left is not None and node.right is not None:
                waiting += [node.right, node.left]
        return found


def build(
    x: Array, codes: Array, classes: int, criterion: Criterion, growing: Growing = Growing(),  # noqa: B008
    *, weights: Array | None = None,
) -> Node:  # fmt: skip
    """Return the tree of a training set ``x (n, d)`` with class codes, grown depth first.

    Parameters
    ----------
    x : float array (n, d), without missing values
    codes : int array (n,), classes 0 to ``classes - 1``
    classes : int
    criterion : Criterion
    growing : Growing
        Its stopping rules, draws (in whose order features are compared), splitter and seed.
    weights : float array (n,), optional
        Positive sample weights; 1 by default.

    Examples
    --------
    >>> import numpy as np
    >>> from splitcrit import decrease, gini
    >>> root = build(np.array([[0.0], [1.0], [2.0]]), np.array([0, 0, 1]), 2, decrease(gini))
    >>> root.feature, root.threshold, root.left.weights.tolist()
    (0, 1.5, [2.0, 0.0])
    """
    x = x + x.dtype.type(0)
    selection = selecting(criterion, bool(np.isnan(x).any()), "random thresholds" * growing.random)
    criterion = criterion if selection is None else selection.cut
    scale = scale_of(weights, criterion.degree, growing.stopping.max_pvalue)
    heavy = np.ones(len(codes)) if weights is None else scale.weights(weights)
    hot = (codes[:, None] == np.arange(classes)) * heavy[:, None]
    recursion = _Recursion(x, hot, criterion, replace(growing, stopping=scale.stopping(growing.stopping)), selection)
    root = recursion.grown(np.arange(len(codes)), 0, root_key(growing.seed))
    for node in root.walk():
        node.weights, node.score = scale.restored(node.weights, node.score)
    return root


@dataclass(frozen=True, eq=False)
class _Recursion:
    """A training set, ``hot (n, K)`` the weight of each sample in the column of its class, and how its tree grows."""

    x: Array
    hot: Array
    criterion: Criterion
    growing: Growing
    selection: MaxSelected | None

    def grown(self, samples: Array, depth: int, key: Array) -> Node:
        """Return the tree of some samples."""
        node, stopping = Node(samples, self.hot[samples].sum(axis=0), depth), self.growing.stopping
        if (node.weights > 0).sum() < 2 or not stopping.open(len(samples), depth):
            return node
        chosen, goes = self.best(node, key)
        if chosen is None:
            return node
        lost = np.isnan(self.x[samples, chosen.feature]).any()
        node.feature, node.threshold, node.score = chosen.feature, chosen.threshold, chosen.score
        node.missing_left = chosen.missing_left if lost else bool(goes.sum() > (~goes).sum())
        low, high = side_keys(key[None])
        node.left = self.grown(samples[goes], depth + 1, low[0])
        node.right = self.grown(samples[~goes], depth + 1, high[0])
        return node

    def best(self, node: Node, key: Array) -> tuple[Candidate | None, Array]:
        """Return the split of a node, None if none pays, and which samples go left."""
        x, hot, stopping = self.x[node.samples], self.hot[node.samples], self.growing.stopping
        order = self.order(x, key)
        found = self.candidates(x, hot, key, order)
        found, surprising = narrowed(self.selection, found, x, hot, order, stopping)
        top, width = max((c.score for c in found), default=-np.inf), band(self.criterion, node.weights[None])[0]
        chosen = next((c for c in found if c.score >= top - width), None)
        if chosen is None:
            return None, np.empty(0)
        values = x[:, chosen.feature].astype(float)
        goes = (values <= chosen.threshold) | (np.isnan(values) & chosen.missing_left)
        if surprising is None:
            left, right = (hot[side].sum(axis=0)[None] for side in (goes, ~goes))
            surprising = bool(stopping.splits(self.criterion, np.array([top]), np.array([width]), left, right)[0])
        return chosen if surprising else None, goes

    def order(self, x: Array, key: Array) -> Any:
        """Return the features in the order in which they are tried."""
        if self.growing.max_features is None:
            return range(x.shape[1])
        ranks = drawn_ranks(key[None], _constant(x)[None], self.growing.max_features, self.growing.least_varying)[0]
        return sorted(np.flatnonzero(ranks >= 0), key=lambda f: ranks[f])

    def candidates(self, x: Array, hot: Array, key: Array, order: Any) -> list[Candidate]:
        """Return the splits of a node that are allowed, scored."""
        found: list[Candidate] = []
        for f in order:
            tried = _random_side(key, x, int(f)) if self.growing.random else _sides(x[:, f])
            found += _scored(int(f), x[:, f], tried, hot, self.criterion, self.growing.stopping)
        if guard(self.criterion) is not None and found:
            average = np.mean([c.undivided for c in found])
            found = [c for c in found if c.undivided >= at_least(average)]
        return found


def _constant(values: Array) -> Array:
    """Return which columns hold one value; a missing value is a value of its own."""
    return np.asarray([(column == column[0]).all() or np.isnan(column).all() for column in values.T])


@dataclass(frozen=True)
class Candidate:
    """A split: values up to the threshold go left, missing ones if ``missing_left``; its score, whole and undivided."""

    feature: int
    threshold: float
    missing_left: bool
    score: float
    undivided: float


def _sides(values: Array) -> list[tuple[float, bool]]:
    """Return every threshold between different values, with missing values right, then left."""
    lost = np.isnan(values)
    distinct = np.unique(values[~lost])
    cuts = midpoint(distinct[:-1], distinct[1:]).tolist()
    if not lost.any():
        return [(t, False) for t in cuts]
    return [(t, False) for t in [*cuts, np.inf][: len(distinct)]] + [(t, True) for t in cuts]


def _random_side(key: Array, values: Array, f: int) -> list[tuple[float, bool]]:
    """Return the one random threshold of a feature, and the side of its missing values."""
    ordered = np.sort(values, axis=0)
    last = np.maximum((~np.isnan(values)).sum(axis=0) - 1, 0)
    low, high = ordered[:1], ordered[last, np.arange(values.shape[1])][None]
    cuts, goes = random_thresholds(key[None], low, high)
    varies = low[0, f] < high[0, f] or (low[0, f] == high[0, f] and np.isnan(values[:, f]).any())
    return [(float(cuts[0, f]), bool(goes[0, f]))] if varies else []


def _scored(
    f: int, values: Array, tried: list[tuple[float, bool]], hot: Array, criterion: Criterion, stopping: Stopping
) -> list[Candidate]:
    """Return the splits that leave enough on both sides, scored."""
    order = np.argsort(values, kind="stable")
    known = int((~np.isnan(values)).sum())
    before = np.vstack([np.zeros(hot.shape[1]), np.cumsum(hot[order], axis=0)])
    found, sides = [], []
    for cut, goes in tried:
        at = int(np.searchsorted(values[order[:known]], cut, side="right"))
        left = before[at] + (before[-1] - before[known] if goes else 0.0)
        size = at + (len(values) - known if goes else 0)
        right = before[-1] - left
        if min(size, len(values) - size) < stopping.min_samples_leaf:
            continue
        if min(left.sum(), right.sum()) >= stopping.min_weight_leaf:
            found.append((cut, goes))
            sides.append((left, right))
    if not found:
        return []
    lefts, rights = (np.array(side).T for side in zip(*sides, strict=True))
    both = (np.ascontiguousarray(lefts), np.ascontiguousarray(rights))
    scores = np.asarray(criterion.score(both, FLOAT))
    undivided = scores if (inner := guard(criterion)) is None else np.asarray(inner.score(both, FLOAT))
    each = zip(found, scores, undivided, strict=True)
    return [Candidate(f, float(t), goes, float(s), float(u)) for (t, goes), s, u in each]
