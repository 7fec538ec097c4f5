"""The work of a fit: how often its loops are entered and how many bytes they load and store, counted from the tree.

A tree of float32 features without ties, sorted once: orders of 4 bytes an entry, tables of 8 bytes. Histograms, and
what a node needs once, stay in the first cache and are not counted.

Main definitions: ``Work``, ``Shape``, ``sorting``, ``scanning``, ``partitioning``; ``scaled``, time on several threads;
``together``, the part of growing in which they share out columns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from splitcrit.growth.threaded import is_shared

ENTRY, TABLE, MARK, PAIR, CODE = 4, 8, 1, 8, 8  # bytes


class Work(NamedTuple):
    """How often loops over samples are entered, how many values they pass, how many bytes they load and store."""

    loops: int
    values: int
    bytes: int


class Shape(NamedTuple):
    """The nodes of a grown tree: size, left child, right child (-1: none), and which were searched for a split."""

    sizes: np.ndarray
    left: np.ndarray
    right: np.ndarray
    searched: np.ndarray

    @staticmethod
    def of(tree: Any, deepest: int | None) -> Shape:
        """Return the shape of a tree in scikit-learn's structure, grown to a depth without other rules."""
        left, right, sizes = tree.children_left, tree.children_right, tree.n_node_samples
        depth = np.zeros(len(left), int)
        for node in np.flatnonzero(left >= 0):  # parents come first
            depth[[left[node], right[node]]] = depth[node] + 1
        searched = (tree.impurity > 0) & (sizes > 1)
        return Shape(sizes, left, right, searched if deepest is None else searched & (depth < deepest))

    @property
    def split(self) -> np.ndarray:
        return np.flatnonzero(self.left >= 0)


def sorting(n: int, d: int) -> Work:
    """Return the work of sorting columns: keys are made, moved three times beside their row, and packed."""
    value = (ENTRY + PAIR) + 3 * 2 * PAIR + (PAIR + CODE + ENTRY)
    return Work(5 * d, 5 * n * d, n * d * value)


def scanning(shape: Shape, d: int) -> Work:
    """Return the work of scans: every column of a searched node, and the chosen one again up to the threshold.

    A scan by sums loads an entry, and of both sides what the sum gains and one over the size.
    """
    searched, again = shape.sizes[shape.searched], shape.sizes[shape.left[shape.split]]
    values = int((searched - 1).sum()) * d + int(again.sum())  # the last entry has nothing on its right
    return Work(len(searched) * d + len(again), values, values * (ENTRY + 4 * TABLE))


def partitioning(shape: Shape, d: int) -> Work:
    """Return the work of splits: samples are marked along the chosen column, and the other columns shared out.

    Two children that are leaves get nothing; one child that is searched gets its entries in one pass; where both are,
    the right child's entries go through spare space.
    """
    sizes, split = shape.sizes, shape.split
    on_left, on_right = shape.searched[shape.left[split]], shape.searched[shape.right[split]]
    size, right = sizes[split], sizes[shape.right[split]]
    loops, values, moved = len(split), int(size.sum()), int(size.sum()) * (ENTRY + MARK)
    for chosen, stores, again in ((~on_left & on_right, 1, 0), (on_left & ~on_right, 2, 0), (on_left & on_right, 2, 1)):
        here, back = int(size[chosen].sum()), again * int(right[chosen].sum())
        loops += (1 + again) * (d - 1) * int(chosen.sum())
        values += (d - 1) * (here + back)
        moved += (d - 1) * (here * (ENTRY + MARK + stores * ENTRY) + back * 2 * ENTRY)
    return Work(loops, values, moved)


def together(shape: Shape, d: int, threads: int) -> float:
    """Return the part of the samples that are searched in nodes whose columns threads share out."""
    waiting, shared = {0}, 0
    while waiting and threads > 1:
        largest = max(waiting, key=lambda node: shape.sizes[node])
        size = int(shape.sizes[largest])
        if not is_shared(size, sum(int(shape.sizes[node]) for node in waiting), d, threads):
            break
        waiting.remove(largest)
        if shape.searched[largest]:
            shared += size
            waiting |= {int(side[largest]) for side in (shape.left, shape.right)} - {-1}
    return shared / int(shape.sizes[shape.searched].sum())


def scaled(seconds: float, columns: int, threads: int) -> float:
    """Return the time of loops over columns that threads share out; one column is one thread's."""
    return seconds * -(-columns // threads) / columns
