"""One random threshold a feature and node, as in extremely randomised trees.

The threshold is uniform between the smallest and the largest value of the feature in the node, and missing values go to
a random side; both depend on the node's key alone. Where all known values are equal,
the split divides missing from known ones.

Main definitions: ``random_thresholds``.
"""

from __future__ import annotations

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
