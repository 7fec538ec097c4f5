"""Random draws that depend on the seed and a node's path from the root alone, so that any order of growth agrees.

A node has a 64-bit key: the root's comes from the seed, a child's from its parent's and its side. Numbers are the keys
mixed with a counter by the finaliser of splitmix64. Features are drawn one after another, without replacement, by the
first steps of a Fisher-Yates shuffle; compiled loops do the same in ``nodes_compiled.draw_next``.

One random threshold a feature and node, as in extremely randomised trees, is uniform between the smallest and the
largest value of the feature in the node. Where all known values are equal, the split divides missing from known ones.

Main definitions: ``root_key``, ``side_keys``, ``uniform`` and ``uniforms``, ``drawn_ranks``, ``random_thresholds``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.nulls.monte_carlo import GOLDEN, mixed


def _mixed(z: Array) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(mixed(z))


def root_key(seed: int) -> Array:
    """The key of the root, an unsigned 64-bit number, for any non-negative seed."""
    return _mixed(np.asarray(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]))


def side_keys(keys: Array) -> tuple[Array, Array]:
    """The keys of the left and the right children."""
    with np.errstate(over="ignore"):
        return _mixed(keys + GOLDEN), _mixed(keys + GOLDEN * np.uint64(2))


def uniform(keys: Array, number: Any, stream: int = 0) -> Array:
    """The uniform number in [0, 1) that has some number in a stream of each key; streams are independent."""
    with np.errstate(over="ignore"):
        counters = (np.asarray(number, dtype=np.uint64) + np.uint64(3 + (stream << 32))) * GOLDEN
        return np.asarray((_mixed(_mixed(keys + counters)) >> np.uint64(11)) * 2.0**-53)


def uniforms(keys: Array, count: int, stream: int = 0) -> Array:
    """The first ``count`` uniform numbers of each key, shape ``(..., count)``."""
    return uniform(keys[..., None], np.arange(count), stream)


def drawn_ranks(keys: Array, constant: Array, max_features: int, varying: int = 1) -> Array:
    """The rank ``(m, d)`` of each feature among those drawn for each node, -1 where it is not drawn.

    Features are drawn until they are ``max_features``, and if fewer than ``varying`` of them vary in the node, until as
    many do or all that vary are drawn. With 1 that is what scikit-learn does; with ``max_features`` the features that
    vary are drawn uniformly among all that do, and are the same if all do.
    """
    m, d = constant.shape
    ranks, places, here = np.full((m, d), -1), np.tile(np.arange(d), (m, 1)), np.arange(m)
    lacking = np.minimum(varying, d - constant.sum(axis=1))
    for i in range(d):
        here = here[(lacking[here] > 0) | (i < max_features)]
        if not len(here):
            break
        at = i + (uniform(keys[here], i) * (d - i)).astype(np.int64)
        drawn = places[here, at]
        places[here, at] = places[here, i]
        ranks[here, drawn] = i
        lacking[here] -= ~constant[here, drawn]
    return ranks


def random_thresholds(keys: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Thresholds ``low <= t < high`` of shape ``(m, d)`` for nodes with these keys, and where missing go.

    Where ``low == high`` that is the threshold, and missing values go right.
    """
    u = uniforms(keys, low.shape[1], stream=1)
    with np.errstate(invalid="ignore"):
        cuts = low.astype(float) + u * (high.astype(float) - low.astype(float))
        cuts = np.where(cuts < high, cuts, low.astype(float))
    return cuts, (uniforms(keys, low.shape[1], stream=2) < 0.5) & (low != high)
