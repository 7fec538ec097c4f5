"""Small trees of every shape, with the shares of the children of each split.

A shape is None, a leaf, or the pair of what lies below a split; splits are named from the root down, left before right.

Main definitions: ``Tree``, ``trees``; ``structure_of``, ``splits_of``, ``below``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from splitcrit.trees.tree_arrays import Structure

Shape = Any
Pair = tuple[Fraction, Fraction]


class Tree(NamedTuple):
    """A shape, and the shares of the two children of each split."""

    shape: Shape
    pairs: tuple[Pair, ...]

    def __str__(self) -> str:
        shares = "; ".join(f"{left} and {right}" for left, right in self.pairs)
        return f"shape {drawn(self.shape)}, shares of the children {shares}"

    @property
    def structure(self) -> Structure:
        """The tree as the library has it."""
        return structure_of(self.shape)

    @property
    def shares(self) -> Any:
        """The share of every node, 1 for the root; each is a float without rounding."""
        shares = np.ones(len(self.structure.left))
        for node, pair in zip(splits_of(self.structure), self.pairs, strict=True):
            shares[list(below(self.structure, node))] = [float(x) for x in pair]
        return shares


def drawn(shape: Shape) -> str:
    """A shape with a dot for a leaf and brackets for a split."""
    return "." if shape is None else f"({drawn(shape[0])} {drawn(shape[1])})"


def shapes(splits: int) -> Iterator[Shape]:
    """Yield every shape with a number of splits."""
    if not splits:
        yield None
    for left in range(splits):
        yield from product(shapes(left), shapes(splits - 1 - left))


@cache
def structure_of(shape: Shape) -> Structure:
    """A tree of a shape; which features and thresholds it has plays no part."""
    left: list[int] = []
    right: list[int] = []

    def add(part: Shape) -> int:
        node = len(left)
        left.append(-1)
        right.append(-1)
        if part is not None:
            left[node], right[node] = add(part[0]), add(part[1])
        return node

    add(shape)
    none = np.full(len(left), -1)
    return Structure(np.array(left), np.array(right), none, none, none)


def shared(shape: Shape, pairs: tuple[Pair, ...]) -> Iterator[Tree]:
    """Yield a tree with each of the pairs of shares below each split, the first one where both children are leaves."""
    structure = structure_of(shape)
    leaves = [all(structure.left[child] < 0 for child in below(structure, node)) for node in splits_of(structure)]
    yield from (Tree(shape, chosen) for chosen in product(*(pairs[:1] if none else pairs for none in leaves)))


def trees(pairs: tuple[Pair, ...], most: int) -> Iterator[Tree]:
    """Yield every tree of up to that number of splits, with every choice of shares."""
    for splits in range(1, most + 1):
        yield from (tree for shape in shapes(splits) for tree in shared(shape, pairs))


def below(structure: Any, node: int) -> tuple[int, int]:
    """The children of a node."""
    return int(structure.left[node]), int(structure.right[node])


def splits_of(structure: Structure) -> list[int]:
    return [int(node) for node in np.flatnonzero(structure.left >= 0)]
