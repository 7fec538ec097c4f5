"""What compiled loops over sparse features take, as named tuples.

A *cell* is a value that is not 0. The *key* of a float32 is the signed integer in whose order the values are; that of 0
is 0. A column of cells lists ``key << 32 | row``, sorted.

Main definitions: ``Cells``, ``Held``, ``Space``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.search.records import CONSTANTS, apart

Array = NDArray[Any]
LOW = 32  # bits of a row
FRAMES = 72  # each has at most half the cells of the one before


class Cells(NamedTuple):
    """The cells of a training set row by row: where each row starts, and the features and keys of the cells."""

    starts: Array
    features: Array
    keys: Array


class Held(NamedTuple):
    """Columns of some nodes on the path from the root, each of which has at most half the cells of the one before.

    ``frames[1 + t]`` are start and stop of the samples of node ``t``, its first column, how many there are, and its
    cells; ``frames[0, 0]`` is how many nodes there are. Column ``c`` is that of feature ``columns[c]``, and has the
    entries from ``firsts[c]`` to ``firsts[c + 1]``. ``counts`` are cells by feature while columns are gathered, then
    ``~c`` for the columns ``c`` of node ``frames[0, 1]``. The rest is space: for sorting, for the cells of one column
    in a node, label and sample of each row, and the keys of one column by row.
    """

    frames: Array
    columns: Array
    firsts: Array
    entries: Array
    counts: Array
    spare: Array
    histogram: Array
    local: Array
    marks: Array
    column: Array

    @staticmethod
    def of(cells: Cells, features: int) -> Held:
        """Return space for a number of features."""
        rows, size = len(cells.starts) - 1, len(cells.keys)
        longest = int(np.bincount(cells.features, minlength=1).max())
        most = min(2 * size, FRAMES * features) + FRAMES
        columns, firsts = np.empty((2, most), np.int64 if 2 * size > np.iinfo(np.int32).max else np.int32)
        spare, local = np.empty(max(longest, min(size, features), 1), np.int64), np.empty(longest + 2, np.int64)
        frames, counts = np.zeros((FRAMES, 5), np.int64), np.zeros(features, np.int64)
        rest = counts, spare, np.empty(2048, np.int64), local, np.full(rows, -1), np.zeros(rows, np.int64)
        return Held(frames, columns, firsts, np.empty(2 * size + 1, np.int64), *rest)


class Space(NamedTuple):
    """Space for a node: its class counts and constants, those left of a threshold and of zeros; the columns that are
    tried and their scores; the features in the order in which they are drawn, between nodes in their own."""

    counts: Array
    constants: Array
    seen: Array
    zeros: Array
    best: Array
    tried: Array
    places: Array

    @staticmethod
    def of(classes: int, features: int) -> Space:
        """Return space that shares no line of a cache with that of another thread."""
        counts, seen, zeros = (apart(classes, np.int64) for _ in range(3))
        best, tried = np.empty(features), np.empty(features, np.int64)
        return Space(counts, np.empty(CONSTANTS), seen, zeros, best, tried, np.arange(features))
