"""The reference builder: the recursion that the papers define, in plain numpy, to be read and to be compared with.

It scores every threshold of every feature of a node by the criterion's formula, takes the best by the tie rule, splits,
and goes on. It grows small trees (``small``); ``grow`` builds the same trees, and larger ones sooner.

Main definitions: ``ReferenceNode``, ``reference_tree``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any

import numpy as np

from splitcrit.arguments import Array, of_kind
from splitcrit.criteria import Criterion, as_criterion
from splitcrit.display import shortened
from splitcrit.frozen import complaint
from splitcrit.growth.column_choice import node_rows, root_hashes, tested_feature
from splitcrit.growth.growth_options import GrowthOptions, Selection, refuse_untested
from splitcrit.growth.weights import Scale, scale_of
from splitcrit.search.random_keys import drawn_ranks, root_key, side_keys
from splitcrit.search.random_thresholds import random_thresholds
from splitcrit.search.ties_and_scores import at_least, band, guard
from splitcrit.training_inputs import coded_rows
from splitcrit.trees.kernel import positive_weights, scores, sides, thresholds


@dataclass(repr=False)
class ReferenceNode:
    """A node: its samples and class weights, and, unless it is a leaf, its split and its children."""

    samples: Array
    weights: Array
    depth: int
    feature: int = -1
    threshold: float = np.nan
    score: float = np.nan
    missing_left: bool = False
    left: ReferenceNode | None = None
    right: ReferenceNode | None = None

    __repr__ = shortened

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

    def walk(self) -> list[ReferenceNode]:
        """Return the nodes depth first, left first."""
        found, waiting = [], [self]
        while waiting:
            node = waiting.pop()
            found.append(node)
            if node.left is not None and node.right is not None:
                waiting += [node.right, node.left]
        return found


def reference_tree(
    x: Array, codes: Array, classes: int, criterion: Criterion, growing: GrowthOptions = GrowthOptions(),  # noqa: B008
    *, weights: Array | None = None,
) -> ReferenceNode:  # fmt: skip
    """Grow the tree of a training set ``x (n, d)`` with class codes, node by node.

    Parameters
    ----------
    x : float array (n, d)
        NaN is a missing value.
    codes : int array (n,), classes 0 to ``classes - 1``
    classes : int
    criterion : Criterion or Impurity
    growing : GrowthOptions
        Its stopping rules, draws (in whose order features are compared), splitter and seed.
    weights : float array (n,), optional
        Positive sample weights; 1 by default.

    Raises
    ------
    ValueError, TypeError
        If an argument is not what it should be.

    Examples
    --------
    >>> import numpy as np
    >>> from splitcrit import decrease, gini
    >>> root = reference_tree(np.array([[0.0], [1.0], [2.0]]), np.array([0, 0, 1]), 2, decrease(gini))
    >>> root.feature, root.threshold, root.left.weights.tolist()
    (0, 1.5, [2.0, 0.0])
    """
    x, codes, classes = coded_rows(x, codes, classes, missing=True)
    of_kind(growing, GrowthOptions, "growing is GrowthOptions", "pass GrowthOptions(seed=1) for instance")
    if weights is not None and len(weights := positive_weights(weights, len(codes))) != len(codes):
        raise ValueError(complaint("each row has one weight", f"{len(weights)} for {len(codes)}", "pass as many"))
    root = Builder.of(x, codes, classes, as_criterion(criterion), growing, weights).grown()
    assert root is not None
    return root


@dataclass(eq=False)
class Builder:
    """A training set, ``hot (n, K)`` the weight of each sample in the column of its class, and how its tree grows.

    ``steps`` counts the work in the steps of `steps_of`.
    """

    x: Array
    hot: Array
    criterion: Criterion
    growing: GrowthOptions
    selection: Selection | None
    scale: Scale
    hashes: Array
    steps: float = 0.0

    @staticmethod
    def of(
        x: Array, codes: Array, classes: int, criterion: Criterion, growing: GrowthOptions, weights: Array | None
    ) -> Builder:  # fmt: skip
        """Return the builder of a training set, with weights brought to a scale on which sums are exact."""
        x = x + x.dtype.type(0)
        selection: Selection | None = criterion.search.tested
        refuse_untested(selection, {"random thresholds": growing.random, "missing values": bool(np.isnan(x).any())})
        scale = scale_of(weights, criterion.degree)
        criterion = criterion if selection is None else selection.cut
        heavy = np.ones(len(codes)) if weights is None else scale.weights(weights)
        hot = (codes[:, None] == np.arange(classes)) * heavy[:, None]
        growing = replace(growing, stopping=scale.stopping(growing.stopping))
        return Builder(x, hot, criterion, growing, selection, scale, root_hashes(selection, partial(node_rows, x, hot)))

    def grown(self, most: float = inf) -> ReferenceNode | None:
        """Return the tree of all samples, None where that takes more than ``most`` steps."""
        root = self.node(np.arange(len(self.x)), 0)
        waiting = [(root, root_key(self.growing.seed))]
        while waiting:
            node, key = waiting.pop()
            if (node.weights > 0).sum() < 2 or not self.growing.stopping.open(len(node.samples), node.depth):
                continue
            self.steps += steps_of(len(node.samples), self.growing.max_features or self.x.shape[1], self.hot.shape[1])
            if self.steps > most:
                return None
            found = self.best(node, key)
            if found is None:
                continue
            node.feature, node.threshold, node.score, node.missing_left, goes = found
            if not np.isnan(self.x[node.samples, node.feature]).any():
                node.missing_left = bool(goes.sum() > (~goes).sum())
            node.left, node.right = (self.node(node.samples[side], node.depth + 1) for side in (goes, ~goes))
            low, high = side_keys(key[None])
            waiting += [(node.left, low[0]), (node.right, high[0])]
        for node in root.walk():
            node.weights, node.score = self.scale.restored(node.weights, node.score)
        return root

    def node(self, samples: Array, depth: int) -> ReferenceNode:
        """Return some samples as a node that is not split yet."""
        return ReferenceNode(samples, self.hot[samples].sum(axis=0), depth)

    def best(self, node: ReferenceNode, key: Array) -> tuple[int, float, float, bool, Array] | None:
        """Return feature, threshold, score, side of missing values and who goes left; None if no split pays."""
        x, hot, stopping = self.x[node.samples], self.hot[node.samples], self.growing.stopping
        order = self.order(x, key)
        feature, threshold, missing_left, left, right = self.candidates(x, hot, key, order)
        score = scores(self.criterion, left, right)
        allowed = np.ones(len(score), dtype=bool)
        if (undivided := guard(self.criterion)) is not None and len(score):
            gains = scores(undivided, left, right)
            allowed = gains >= at_least(np.mean(gains))
        surprising = None
        if self.selection is not None and len(score):
            chosen, surprising = tested_feature(self.selection, x, hot, order, stopping, self.hashes)
            allowed &= feature == chosen
        if not allowed.any():
            return None
        top, width = score[allowed].max(), band(self.criterion, node.weights[None])[0]
        at = int(np.flatnonzero(allowed & (score >= top - width))[0])  # of equal scores, the first that was tried
        values = x[:, feature[at]].astype(float)
        goes = (values <= threshold[at]) | (np.isnan(values) & missing_left[at])
        if surprising is None:
            sums = (hot[side].sum(axis=0)[None] for side in (goes, ~goes))
            surprising = bool(stopping.splits(self.criterion, np.array([top]), np.array([width]), *sums)[0])
        if not surprising:
            return None
        return int(feature[at]), float(threshold[at]), float(score[at]), bool(missing_left[at]), goes

    def order(self, x: Array, key: Array) -> Any:
        """Return the features in the order in which they are tried."""
        if self.growing.max_features is None:
            return range(x.shape[1])
        ranks = drawn_ranks(key[None], _constant(x)[None], self.growing.max_features, self.growing.least_varying)[0]
        return sorted(np.flatnonzero(ranks >= 0), key=lambda f: ranks[f])

    def candidates(self, x: Array, hot: Array, key: Array, order: Any) -> tuple[Array, ...]:
        """Return the splits of a node that leave enough on both sides, in the order in which they are tried.

        Their feature, threshold, side of missing values, and the class weights of both sides.
        """
        stopping, found = self.growing.stopping, []
        drawn = _random_thresholds(key, x) if self.growing.random else None
        for f in order:
            values = x[:, f]
            cuts, goes = thresholds(values) if drawn is None else drawn[f]
            left, right, size = sides(values, hot, cuts, goes)
            kept = np.minimum(size, len(values) - size) >= stopping.min_samples_leaf
            kept &= np.minimum(left.sum(axis=1), right.sum(axis=1)) >= stopping.min_weight_leaf
            found.append((np.full(int(kept.sum()), f), cuts[kept], goes[kept], left[kept], right[kept]))
        return tuple(np.concatenate(each) for each in zip(*found, strict=True))


def steps_of(samples: float, features: int, classes: int) -> float:
    """Return the cost of splitting a node, in microseconds or so: calls of numpy a feature, samples a class."""
    return features * (40 + samples * (0.4 + 0.05 * classes))


def _constant(values: Array) -> Array:
    """Tell which columns hold one value; a missing value is a value of its own."""
    return np.asarray([(column == column[0]).all() or np.isnan(column).all() for column in values.T])


def _random_thresholds(key: Array, values: Array) -> list[tuple[Array, Array]]:
    """Return the one random threshold of each feature, none where it is constant, and the side of missing values."""
    ordered = np.sort(values, axis=0)
    last = np.maximum((~np.isnan(values)).sum(axis=0) - 1, 0)
    low, high = ordered[:1], ordered[last, np.arange(values.shape[1])][None]
    cuts, goes = random_thresholds(key[None], low, high)
    varies = (low[0] < high[0]) | ((low[0] == high[0]) & np.isnan(values).any(axis=0))
    return [(cuts[:1, f][: int(one)], goes[:1, f][: int(one)]) for f, one in enumerate(varies)]
