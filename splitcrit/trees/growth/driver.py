"""The driver: a tree grows level by level, whatever its candidates are and wherever its samples lie.

A source offers the candidates of the open nodes of a level. The driver knows which nodes are open, numbers them, hands
on the keys of their draws, and writes the tree down; ``docs/design.md`` describes the protocol.

Main definitions: ``Source`` (the interface of candidates), ``Step``, ``Draws``; ``levels``,
``assembled``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np

from splitcrit.arguments import Array
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.grown_tree import GrownTree
from splitcrit.trees.growth.growth_options import GrowthOptions, Stopping
from splitcrit.trees.scan.random_keys import drawn_ranks, side_keys


@dataclass(frozen=True, eq=False)
class LevelNodes:
    """What is known of the nodes of a level: sizes, weights ``(m, K)``, which are pure, and their description.

    Of responses that are numbers, ``weights`` has one column, and ``described (2, m)`` are their value (mean or median)
    and impurity (variance or mean deviation); nan for classes.
    """

    sizes: Array
    weights: Array
    pure: Array
    described: Array

    @staticmethod
    def of_classes(sizes: Array, weights: Array) -> LevelNodes:
        """Return nodes with these class weights; one with a single class is pure."""
        return LevelNodes(sizes, weights, (weights > 0).sum(axis=1) < 2, np.full((2, len(sizes)), np.nan))

    def some(self, here: Any) -> LevelNodes:
        """Return some of the nodes."""
        return LevelNodes(self.sizes[here], self.weights[here], self.pure[here], self.described[:, here])


@dataclass(frozen=True, eq=False)
class Step:
    """What happens to the open nodes of a level: which are split, how, and the children, node by node.

    ``held`` is what a source keeps of the children until it divides.
    """

    pays: Array
    splits: Any
    children: LevelNodes
    held: Any = None


@dataclass(frozen=True, eq=False)
class Draws:
    """The keys of open nodes, from which all that is random follows, and how many features each node draws, among all
    or among those that vary there.

    Where nothing is drawn and thresholds are not ``random``, keys stay those of the root.
    """

    keys: Array
    count: int | None
    random: bool
    varying: bool = False

    @staticmethod
    def of(growing: GrowthOptions) -> Draws:
        """Return the draws of the root."""
        return Draws(growing.root_key[None], growing.max_features, growing.random, growing.draw == "varying")

    def ranks(self, constant: Callable[[], Array], recoding: Recoding | None = None) -> Array | None:
        """Return the ranks of the drawn features ``(m, d)``, -1 where not drawn; None if all are.

        ``constant()`` tells which features have equal values in which node. Categories have ranks for values, which are
        equal where no cut is allowed; but a column varies where it holds two of them, as one of numbers does.
        """
        if self.count is None:
            return None
        found = constant()
        if recoding is not None:
            for f in recoding.columns:
                found[:, f] = recoding.ranked[f].present.sum(axis=1) < 2
        return drawn_ranks(self.keys, found, self.count, self.count if self.varying else 1)

    def some(self, here: slice) -> Draws:
        """Return the draws of some of the nodes."""
        return replace(self, keys=self.keys[here])

    def below(self, pays: Array, opened: Array) -> Draws:
        """Return the draws of the open children of the nodes that are split in two."""
        if self.count is None and not self.random:
            return self
        return replace(self, keys=np.stack(side_keys(self.keys), axis=1)[pays].reshape(-1)[opened])


class Source(Protocol):
    """The open nodes of a level: where their samples lie, and what candidates they have."""

    def root(self) -> LevelNodes:
        """Return the nodes of the first level, the root."""

    def split(self, draws: Draws) -> Step:
        """Return the best candidate of each open node, which of them pay, and the children of these."""

    def divide(self, step: Step, opened: Array) -> Self:
        """Return the next level: the samples are shared out among the children that are ``opened``."""


def open_nodes(stopping: Stopping, nodes: LevelNodes, depth: int) -> Array:
    """Tell which nodes of a depth may be split."""
    return np.asarray(~nodes.pure & stopping.open(nodes.sizes, depth))


def levels(source: Source, stopping: Stopping, draws: Draws) -> tuple[list[LevelNodes], list[tuple[Array, Step]]]:
    """Return the nodes of all levels, and for each level the numbers of those that are split, and the step.

    Nodes are numbered level by level, children in the order of their parents.
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
            source, draws = source.divide(step, opened), draws.below(step.pays, opened)
    return nodes, steps


def assembled(nodes: list[LevelNodes], steps: list[tuple[Array, Step]]) -> GrownTree:
    """Return a tree of splits in two, numbered level by level, without scores."""
    size, weights = (np.concatenate([getattr(level, name) for level in nodes]) for name in ("sizes", "weights"))
    value, impurity = np.concatenate([level.described for level in nodes], axis=1)
    depth = np.repeat(np.arange(len(nodes)), [len(level.sizes) for level in nodes])
    tree, first = replace(GrownTree.leaves(depth, size, weights), value=value, impurity=impurity), 1
    for ids, step in steps:
        for name in ("feature", "threshold", "missing_left"):
            getattr(tree, name)[ids] = getattr(step.splits, name)[step.pays]
        tree.left[ids] = first + 2 * np.arange(len(ids))
        tree.right[ids] = tree.left[ids] + 1
        first += 2 * len(ids)
    return tree
