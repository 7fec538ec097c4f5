"""What the compiled loop that grows a whole tree takes besides ``search.records``, as named tuples.

Main definitions: ``Rules``, ``Workspace``, ``Sorting``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.growth.stopping import Stopping
from splitcrit.search.records import CONSTANTS, Scratch

Array = NDArray[Any]


class Rules(NamedTuple):
    """Greatest depth, least size to split, least size of a side, least gain (nan: none), least weight of a side.

    In its ``zone`` an NE impurity is misclassification (nan: no impurity whose gain of 0 integers decide).
    """

    depth: int
    split: int
    leaf: int
    gain: float
    lightest: float
    zone: float

    @staticmethod
    def of(stopping: Stopping, criterion: Criterion | None) -> Rules:
        """Return stopping rules as the loop takes them; where integers decide on a gain of 0, it splits anyway.

        Responses that are numbers have no criterion.
        """
        depth = np.iinfo(np.int64).max if stopping.max_depth is None else stopping.max_depth
        least = max(stopping.min_samples_split, 2 * stopping.min_samples_leaf)
        integers = criterion is not None and stopping.in_integers(criterion)
        zone = float(criterion.search.zone) if criterion is not None and integers else np.nan
        gain = np.nan if stopping.min_gain is None or integers else float(stopping.min_gain)
        lightest = float(stopping.min_weight_leaf)
        return Rules(int(depth), int(least), int(stopping.min_samples_leaf), gain, lightest, zone)


class Workspace(NamedTuple):
    """Space for a loop: class counts and constants of a node, of scans, of features, and of samples that move."""

    counts: Array
    constants: Array
    seen: Array
    behind: Array
    best: Array
    lots: Array
    tried: Array
    spare: Array
    side: Array

    @staticmethod
    def of(scan: Scratch, features: int, entries: Array) -> Workspace:
        """Return space for a training set; of ``entries`` there are as many as samples."""
        best, lots, tried = np.empty(features), np.empty(features, np.uint64), np.empty(features, np.int64)
        spare, side = np.empty(len(entries) + 1, entries.dtype), np.zeros(len(entries), np.uint8)
        return Workspace(np.empty_like(scan.seen), np.empty(CONSTANTS), *scan, best, lots, tried, spare, side)


class Sorting(NamedTuple):
    """What is sorted at nodes: entries, ranks and values by column, how far an index is shifted, space for keys."""

    entries: Array
    ranks: Array
    columns: Array
    low: int
    keys: Array
    histogram: Array
