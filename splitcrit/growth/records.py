"""What the compiled loop that grows a whole tree takes besides ``search.records``, as named tuples.

Main definitions: ``Rules``, ``Workspace``, ``Sorting``; ``Listed`` and ``Tries`` (responses that are numbers).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.growth.stopping import Stopping
from splitcrit.search.records import CONSTANTS, Scratch, apart
from splitcrit.search.regression_records import Centred, Ordered, Samples, Scan, Tried

Array = NDArray[Any]
ENDLESS = np.iinfo(np.int64).max


class Rules(NamedTuple):
    """Greatest depth, least size to split, least size of a side, least gain (nan: none), least weight of a side.

    In its ``zone`` an NE impurity is misclassification (nan: no impurity whose gain of 0 integers decide). At a node as
    many ``features`` are tried (0: all), and more until as many as ``varying`` of them vary there.
    """

    depth: int
    split: int
    leaf: int
    gain: float
    lightest: float
    zone: float
    features: int
    varying: int

    @staticmethod
    def of(stopping: Stopping, criterion: Criterion | None, features: int | None = None, varying: int = 1) -> Rules:
        """Return stopping rules as the loop takes them; where integers decide on a gain of 0, it splits anyway.

        Responses that are numbers have no criterion.
        """
        depth = ENDLESS if stopping.max_depth is None else stopping.max_depth
        least = max(stopping.min_samples_split, 2 * stopping.min_samples_leaf)
        integers = criterion is not None and stopping.in_integers(criterion)
        zone = float(criterion.search.zone) if criterion is not None and integers else np.nan
        gain = np.nan if stopping.min_gain is None or integers else float(stopping.min_gain)
        leaf, lightest = int(stopping.min_samples_leaf), float(stopping.min_weight_leaf)
        return Rules(int(depth), int(least), leaf, gain, lightest, zone, features or 0, varying)


class Workspace(NamedTuple):
    """Space for a loop: class counts and constants of a node, of scans, of features, and of samples that move."""

    counts: Array
    constants: Array
    seen: Array
    behind: Array
    best: Array
    places: Array
    spare: Array
    side: Array

    @staticmethod
    def of(scan: Scratch, features: int, entries: Array) -> Workspace:
        """Return space for a training set; of ``entries`` there are as many as samples."""
        counts, constants, best = apart(len(scan.seen), np.int64), apart(CONSTANTS, float), apart(features, float)
        spare, side = np.empty(len(entries) + 1, entries.dtype), np.zeros(len(entries), np.uint8)
        return Workspace(counts, constants, *scan, best, np.arange(features), spare, side)


class Sorting(NamedTuple):
    """What is sorted at nodes: entries, ranks and values by column, how far an index is shifted, space for keys."""

    entries: Array
    ranks: Array
    columns: Array
    low: int
    keys: Array
    histogram: Array


class Listed(NamedTuple):
    """Samples whose responses are numbers, in the order of these in each node, and space to search and move them.

    Keys are ``rank << low | place in the node``; ``described (6, 1)`` and the other records are those of one node. The
    error is its place in ``ERRORS``.
    """

    samples: Samples
    spare: Samples
    ranks: Array
    columns: Array
    low: int
    keys: Array
    histogram: Array
    described: Array
    scan: Scan
    front: Ordered
    node: Centred
    tried: Tried
    error: int

    @staticmethod
    def of(samples: Samples, ranks: Array, columns: Array, tries: int, error: int) -> Listed:
        """Return the root of samples, sorted by response, with space for the orders of ``tries`` features."""
        n, features = len(samples.rows), np.zeros(1, np.int64)
        low = max(1, (n - 1).bit_length())
        spare = Samples(*(np.empty_like(each) for each in samples))
        scan = Scan(features, np.empty(1), np.empty(1, np.int64), np.zeros(1, dtype=bool), False)
        orders, known = np.empty((tries, n), samples.rows.dtype), np.empty((1, 1), np.int64)
        front = Ordered(orders, np.zeros(2, np.int64), np.zeros(1, np.int64), known)
        node = Centred(np.empty(n), samples.weights, np.empty(1), np.empty(1))
        tried = Tried(np.zeros((1, 1), np.int64), np.empty((0, 0), np.int64), np.empty((0, 0), dtype=bool))
        keys, histogram, described = np.empty((2, n), np.int64), np.empty(2048, np.int64), np.empty((6, 1))
        return Listed(
            samples, spare, ranks, columns, low, keys, histogram, described, scan, front, node, tried, error
        )  # fmt: skip


class Tries(NamedTuple):
    """Of the features of a node, in the order in which they are tried: which they are (between nodes in their own
    order), best score, and row of the order.
    """

    places: Array
    best: Array
    rows: Array

    @staticmethod
    def of(features: int) -> Tries:
        """Return space for a number of features."""
        return Tries(np.arange(features), np.empty(features), np.empty(features, np.int64))
