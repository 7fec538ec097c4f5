"""Tests of the splits of one tree on the rows that grew it, from the root down, with what is not rejected cut off.

Main definitions: ``NodeTest``, the test of a split; ``Trained``, a tree with the training set that grew it;
``top_down``, ``permuted_test``; ``grown_as_tested``, where columns are compared by how surprising their best splits
are.
Main results: permute the labels inside node ``v`` only, and keep the permutations in which every ancestor of ``v``
still divides its rows alike; given that ``v`` is in the tree, as a leaf (p = 1) or divided, the order of its labels is
uniform over those kept, if its labels are exchangeable given the features and all other labels. So
``P(p_v <= a) <= a``. Test each node at level ``alpha / 2**depth``, and only below rejected ancestors: the probability
of rejecting any true null is at most ``alpha``, since the true nulls without a true one above them form an antichain,
whose levels sum to at most ``alpha`` (Kraft).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from splitcrit.arguments import Array
from splitcrit.display import shortened
from splitcrit.nulls.monte_carlo import random_orders, tallied
from splitcrit.trees.growth import GrownTree
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.growth_options import Stopping
from splitcrit.trees.growth.paths import Path
from splitcrit.trees.reference import ReferenceNode
from splitcrit.trees.tree_arrays import Structure

BLOCK = 64  # permutations drawn together
Ancestors = tuple[tuple[Array, Array], ...]  # the rows of a node and of each above it, and which of them go left


class PermutedPath(Protocol):
    """A path of nodes whose first one is scored under permuted labels: ``CriterionPath`` or ``PermutedNodes``."""

    @property
    def band(self) -> float:
        """The difference that rounding may make to two scores of the first node."""

    def scores(self, labels: Array) -> Array:
        """The best score of the first node for each row of labels, nan where an ancestor chooses otherwise."""


@dataclass(frozen=True, repr=False)
class NodeTest:
    """The test of one split of a tree.

    Parameters
    ----------
    node : int
        Its place in ``tree_``.
    depth : int
        0 at the root.
    level : float
        The largest p-value at which it is kept.
    pvalue : float
        The p-value of the best split of the node.
    score : float
        The best score over all features, in the unit of the criterion; where columns are compared by them, the largest
        surprise, ``-log`` of a chance in nats.
    verdict : str
        ``"split"``; ``"not significant"``; or ``"not testable"``: too few permutations kept the ancestors' choices.
    drawn, consistent, exceeding : int
        Permutations of the labels; those that kept the ancestors' choices; those of these that score as high. The last
        is 0 where the p-value is that of a feature, and the first two are as well if that is exact.

    Examples
    --------
    >>> NodeTest(node=0, depth=0, level=0.05, pvalue=0.01, score=6.6, verdict="split").verdict
    'split'
    """

    node: int
    depth: int
    level: float
    pvalue: float
    score: float
    verdict: str
    drawn: int = 0
    consistent: int = 0
    exceeding: int = 0

    __repr__ = shortened


@dataclass(frozen=True, eq=False)
class Trained:
    """A tree and the training set that grew it, each node with its rows and its ancestors."""

    tree: GrownTree
    x: Array
    y: Array

    @staticmethod
    def of(tree: GrownTree, x: Array, y: Array, recoding: Recoding | None) -> Trained:
        """A tree with the features ``x`` and, where some are categories, the columns of its subsets."""
        return Trained(tree, x if recoding is None else recoding.widened(x), y)

    @cached_property
    def rows(self) -> list[Array]:
        """The rows of each node."""
        return self._structure.rows(self.x)

    @cached_property
    def parent(self) -> Array:
        """The parent of each node, -1 for the root."""
        parent = np.full(len(self.tree.left), -1)
        inner = np.flatnonzero(self.tree.left >= 0)
        parent[self.tree.left[inner]] = parent[self.tree.right[inner]] = inner
        return parent

    def path(self, node: int) -> Path:
        """A node with its ancestors."""
        nodes = [node]
        while self.parent[nodes[-1]] >= 0:
            nodes.append(int(self.parent[nodes[-1]]))
        rows = [self.rows[v] for v in nodes]
        values = [self.x[here, self.tree.feature[v]] for v, here in zip(nodes, rows, strict=True)]
        return Path.of(rows, list(map(self._structure.goes_left, nodes, values)))

    @cached_property
    def _structure(self) -> Structure:
        tree = self.tree
        return Structure(tree.left, tree.right, tree.feature, tree.threshold, tree.missing_left, single=False)


def top_down(trained: Trained, test: Callable[[int, float], NodeTest], level: Callable[[int], float]) -> list[NodeTest]:
    """The tests of the root and of the children of rejected nodes, where the tree splits them; parents come first.

    ``level(depth)`` is the level of a node, ``test(node, level)`` its test.
    """
    tree, tests, open_ = trained.tree, [], {0}
    for node in np.flatnonzero(tree.left >= 0).tolist():
        if node in open_:
            tests.append(test(node, level(int(tree.depth[node]))))
            if tests[-1].verdict == "split":
                open_ |= {int(tree.left[node]), int(tree.right[node])}
    return tests


def permuted_test(
    labels: Array, node: int, depth: int, level: float, permuted: PermutedPath, permutations: int, most: int | None,
    seed: int, say: Callable[[str, int, int], None] | None = None,
) -> NodeTest:  # fmt: skip
    """The test of a node with these labels, permuted by a generator of its own and scored by a path.

    ``say`` is told how many orders are scored.
    """
    observed, where = float(permuted.scores(labels[None])[0]), f"random orders in node {node}, depth {depth}"
    orders = random_orders(labels, permutations, np.random.default_rng([seed, node]), BLOCK)

    def scored() -> Iterator[Array]:
        done = 0
        for block in map(permuted.scores, orders):
            done += len(block)
            if say is not None:
                say(where, done, permutations)
            yield block

    tally = tallied(scored(), observed - permuted.band, most)
    verdict = "not significant" if tally.can_reach(level) else "not testable"
    return NodeTest(
        node, depth, level, tally.pvalue, observed,
        "split" if tally.pvalue <= level else verdict, tally.drawn, tally.kept, tally.exceeding,
    )  # fmt: skip


def grown_as_tested(
    search: Any, stopping: Stopping, test: Callable[[int, int, Path, int], NodeTest]
) -> tuple[GrownTree, list[NodeTest]]:
    """Grow a tree from the root down while its splits are rejected; return it, and the tests of its splits.

    ``search`` is a ``SurpriseSearch``: the training set, and the best split of some of its rows.
    ``test(number, depth, path, feature)`` is that of a node with its ancestors, which is divided by a feature. A split
    that is not rejected stays in the tree, divided into leaves.
    """

    def node_of(rows: Array, depth: int, number: int) -> ReferenceNode:
        types = search.types[rows]
        classes = search.values is None
        weights = np.bincount(types, minlength=search.classes) if classes else np.array([len(rows)])
        return ReferenceNode(rows, weights.astype(float), depth, number=number)

    root = node_of(np.arange(len(search.x)), 0, 0)
    waiting: list[tuple[ReferenceNode, Ancestors]] = [(root, ())]
    tests, many = dict[int, NodeTest](), 1
    while waiting:
        node, above = waiting.pop(0)
        size = np.array([len(node.samples)])
        best = search.best(node.samples) if stopping.open(size, node.depth)[0] else None
        if best is None:
            continue
        node.feature, node.threshold, node.missing_left = best.feature, best.threshold, best.missing_left
        sides = enumerate((best.left, ~best.left))
        low, high = (node_of(node.samples[side], node.depth + 1, many + i) for i, side in sides)
        node.left, node.right, many, above = low, high, many + 2, ((node.samples, best.left), *above)
        path = Path.of([rows for rows, _ in above], [left for _, left in above])
        tests[id(node)] = test(node.number, node.depth, path, best.feature)
        if tests[id(node)].verdict == "split":
            waiting += [(low, above), (high, above)]
    nodes, tree = root.walk(), GrownTree.of(root, search.x)
    each = [(i, tests[id(node)]) for i, node in enumerate(nodes) if id(node) in tests]
    if search.values is not None:
        moments = [[y.mean(), y.var()] for y in (search.values[search.types[node.samples]] for node in nodes)]
        tree = replace(tree, **dict(zip(("value", "impurity"), np.array(moments).T, strict=True)))
    return tree, [replace(tested, node=i) for i, tested in each]
