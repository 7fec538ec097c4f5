"""Deviations about the median on both sides of every threshold, in numpy: what ``regression_medians`` does.

The medians of all prefixes of all nodes are found together, one bit of their rank at a time: at each bit the samples
are grouped by the higher bits of their ranks, in the order of the feature, and running sums over a group tell how much
weight of a prefix lies in its lower half.

Main definitions: ``deviations``; ``prefix_sums``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.search.plain import nodes_of

Array = NDArray[Any]


def prefix_sums(values: Array) -> Array:
    """Return the sums of the first 0, 1, ... values."""
    return np.concatenate([[0.0], np.cumsum(values, dtype=float)])


def deviations(rank: Array, starts: Array, centred: Array, weights: Array) -> Array:
    """Return, for each entry, the sum of deviations from their median of the node's entries up to it.

    Parameters
    ----------
    rank : int array (e,)
        The rank, from 0, of an entry's response in its node.
    starts : int array (m + 1,)
    centred, weights : array (e,)
        By node and rank: responses with mean 0 in each node, and weights.
    """
    owner = nodes_of(starts)
    base, last = starts[:-1][owner], np.diff(starts)[owner] - 1
    place, count = np.arange(len(rank)), len(rank)
    running, sums = prefix_sums(weights[base + rank]), prefix_sums((weights * centred)[base + rank])
    weight, total = running[1:] - running[base], sums[1:] - sums[base]
    below, lower, at, inside = np.zeros(count), np.zeros(count), np.zeros(count, np.int64), place - base + 1
    for bit in range(int(last.max()).bit_length() - 1, -1, -1):
        low = (rank >> bit) & 1 == 0
        lows = np.concatenate([[0], np.cumsum(low)])
        group = base + ((rank >> (bit + 1)) << (bit + 1))
        ahead = lows[:-1] - lows[group]
        target = np.where(low, group + ahead, place + (1 << bit) - ahead)
        rank = rank[np.argsort(target)]
        running, sums = prefix_sums(weights[base + rank]), prefix_sums((weights * centred)[base + rank])
        here = np.minimum(base + at, count)
        lowest = lows[np.minimum(here + inside, count)] - lows[here]
        w, s = running[here + lowest] - running[here], sums[here + lowest] - sums[here]
        up = below + w <= weight / 2
        below, lower = below + np.where(up, w, 0.0), lower + np.where(up, s, 0.0)
        at, inside = at + np.where(up, 1 << bit, 0), np.where(up, inside - lowest, lowest)
    median = centred[base + np.minimum(at, last)]
    return np.asarray(median * (2 * below - weight) + total - 2 * lower)
