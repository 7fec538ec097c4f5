"""One random threshold a feature and node, as in extremely randomised trees.

The threshold is uniform between the smallest and the largest value of the feature in the node, and missing values go to
a random side; both depend on the node's key alone. Where all known values are equal,
the split divides missing from known ones.

Main definitions: ``random_thresholds``, ``random_places``, ``Places``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from splitcrit.arguments import Array
from splitcrit.trees.scan.random_keys import uniforms


def random_thresholds(keys: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Return thresholds ``low <= t < high`` of shape ``(m, d)`` for nodes with these keys, and where missing go.

    Where ``low == high`` that is the threshold, and missing values go right.
    """
    u = uniforms(keys, low.shape[1], stream=1)
    with np.errstate(invalid="ignore"):
        found = low.astype(float) + u * (high.astype(float) - low.astype(float))
        found = np.where(found < high, found, low.astype(float))
    return found, (uniforms(keys, low.shape[1], stream=2) < 0.5) & (low != high)


@dataclass(frozen=True, eq=False)
class Places:
    """Random thresholds ``(m, d)``, the last places on their left (behind all: none), and where missing values go."""

    cuts: Array
    places: Array
    goes: Array


def random_places(keys: Array, value: Callable[[Array, Array], Array], starts: Array, known: Array) -> Places:
    """Return the random thresholds of nodes with these keys; ``value(feature, place)`` are values in sorted order.

    ``known (d, m)`` samples of each node have a value, and stand first.
    """
    features, start = np.arange(len(known))[:, None], starts[:-1]
    last = np.maximum(start + known - 1, start)
    least, most = value(features, start[None]), value(features, last)
    cuts, goes = random_thresholds(keys, least.T, most.T)
    low, high = np.broadcast_to(start, known.shape), last + 1
    while (low < high).any():
        middle = np.minimum((low + high) // 2, last)
        left = (value(features, middle) <= cuts.T) & (low < high)
        low, high = np.where(left, middle + 1, low), np.where(left | (low >= high), high, middle)
    lost = known < np.diff(starts)
    varies = (least < most) | ((least == most) & lost)
    return Places(cuts, np.ascontiguousarray(np.where(varies, low - 1, starts[-1]).T), goes & lost.T)
