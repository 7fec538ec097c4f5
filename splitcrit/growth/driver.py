"""The driver: a tree grows level by level, whatever its candidates are and wherever its samples lie.

A source offers the candidates of the open nodes of a level. The driver knows which nodes are open, numbers them, hands
on the keys of their draws, and writes the tree down; ``docs/second-design.md`` describes the protocol.

Main definitions: ``Source`` (what is asked of candidates), ``Step``, ``Draws``, ``levels``, ``assembled``,
``finished``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from splitcrit.growth.arrays import Grown, best_first
from splitcrit.growth.options import Growing
from splitcrit.growth.stopping import Stopping
from splitcrit.growth.weights import Scale
from splitcrit.search.draws import drawn_ranks, root_key, side_keys

Array = NDArray[Any]


class Nodes(Protocol):
    """What is known of the nodes of a level: sizes, weights ``(m, K)``, which are pure, and their description."""

    @property
    def sizes(self) -> Array:
        """The number of samples of each node."""

    @property
    def weights(self) -> Array:
        """The weight of each class ``(m, K)``; of responses that are numbers, that of each node ``(m, 1)``."""

    @property
    def pure(self) -> Array:
        """Which nodes have nothing to split."""

    @property
    def value(self) -> Array:
        """The mean or median of responses; nan for classes."""

    @property
    def impurity(self) -> Array:
        """The variance or mean deviation of responses; nan for classes."""


@dataclass(frozen=True, eq=False)
class ClassNodes:
    """Nodes whose samples have classes: their number, and the weight ``(m, K)`` of each class."""

    sizes: Array
    weights: Array

    @property
    def pure(self) -> Array:
        """Which nodes have one class at most."""
        return np.asarray((self.weights > 0).sum(axis=1) < 2)

    @property
    def value(self) -> Array:
        """Nan."""
        return np.full(len(self.sizes), np.nan)

    impurity = value


@dataclass(frozen=True, eq=False)
class Step:
    """What happens to the open nodes of a level: which are split, how, and the children, node by node."""

    pays: Array
    splits: Any
    children: Any


@dataclass(frozen=True, eq=False)
class Draws:
    """The keys of open nodes, from which all that is random follows, and how many features each node draws."""

    keys: Array
    count: int | None

    @staticmethod
    def of(growing: Growing) -> Draws:
        """Return the draws of the root."""
        return Draws(root_key(growing.seed)[None], growing.max_features)

    def ranks(self, constant: Callable[[], Array]) -> Array | None:
        """Return the ranks of the drawn features ``(m, d)``, -1 where not drawn; None if all are.

        ``constant()`` tells which features are constant in which node.
        """
        return None if self.count is None else drawn_ranks(self.keys, constant(), self.count)

    def some(self, here: slice) -> Draws:
        """Return the draws of some of the nodes."""
        return Draws(self.keys[here], self.count)

    def below(self, pays: Array, opened: Array) -> Draws:
        """Return the draws of the open children of the nodes that are split in two."""
        return Draws(np.stack(side_keys(self.keys), axis=1)[pays].reshape(-1)[opened], self.count)


class Source(Protocol):
    """The open nodes of a level: where their samples lie, and what candidates they have."""

    def root(self) -> Nodes:
        """Return the nodes of the first level, the root."""

    def split(self, draws: Any) -> Step:
        """Return the best candidate of each open node, which of them pay, and the children of these."""

    def divide(self, step: Step, opened: Array) -> Self:
        """Return the next level: the samples are shared out among the children that are ``opened``."""


def open_nodes(stopping: Stopping, nodes: Nodes, depth: int) -> Array:
    """Return which nodes of a depth may be split."""
    return np.asarray(~nodes.pure & stopping.open(nodes.sizes, depth))


def levels(source: Source, stopping: Stopping, draws: Draws | None) -> tuple[list[Nodes], list[tuple[Array, Step]]]:
    """Return the nodes of all levels, and for each level the numbers of those that are split, and the step.

    Nodes are numbered level by level, children in the order of their parents. Without ``draws`` nothing is random.
    """
    nodes, steps, first = [source.root()], list[tuple[Array, Step]](), 0
    opened = open_nodes(stopping, nodes[0], 0)
    while opened.any():
        step = source.split(draws)
        steps.append((first + np.flatnonzero(opened)[step.pays], step))
        first += len(opened)
        nodes.append(step.children)
        opened = open_nodes(stopping, step.children, len(steps))
        if opened.any():
            source, draws = source.divide(step, opened), draws and draws.below(step.pays, opened)
    return nodes, steps


def assembled(nodes: list[Nodes], steps: list[tuple[Array, Step]]) -> Grown:
    """Return a tree of splits in two, numbered level by level, without scores."""
    names = ("sizes", "weights", "value", "impurity")
    size, weights, value, impurity = (np.concatenate([getattr(level, name) for level in nodes]) for name in names)
    depth = np.repeat(np.arange(len(nodes)), [len(level.sizes) for level in nodes])
    tree, first = replace(Grown.leaves(depth, size, weights), value=value, impurity=impurity), 1
    for ids, step in steps:
        for name in ("feature", "threshold", "missing_left"):
            getattr(tree, name)[ids] = getattr(step.splits, name)[step.pays]
        tree.left[ids] = first + 2 * np.arange(len(ids))
        tree.right[ids] = tree.left[ids] + 1
        first += 2 * len(ids)
    return tree


def finished(tree: Grown, growing: Growing, scale: Scale) -> Grown:
    """Return a tree with its best splits only, as many as are asked for, in the unit of the weights that were given."""
    tree = tree if growing.max_leaf_nodes is None else best_first(tree, growing.max_leaf_nodes)
    weights, score = scale.restored(tree.weights, tree.score)
    return replace(tree, weights=weights, score=score)
