"""Random draws that depend on the seed and a node's path from the root alone, so that any order of growth agrees.

A node has a 64-bit key: the root's comes from the seed, a child's from its parent's and its side. Numbers are the keys
mixed with a counter by the finaliser of splitmix64.

Main definitions: ``root_key``, ``side_keys``, ``uniforms``, ``drawn_ranks``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def mixed(z: Any) -> Any:
    """Return the finaliser of splitmix64 of unsigned 64-bit integers; compiled loops run the same lines."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _mixed(z: Array) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(mixed(z))


def root_key(seed: int) -> Array:
    """Return the key of the root, an unsigned 64-bit number, for any non-negative seed."""
    return _mixed(np.asarray(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]))


def side_keys(keys: Array) -> tuple[Array, Array]:
    """Return the keys of the left and the right children."""
    with np.errstate(over="ignore"):
        return _mixed(keys + GOLDEN), _mixed(keys + GOLDEN * np.uint64(2))


def uniforms(keys: Array, count: int, stream: int = 0) -> Array:
    """Return ``count`` uniform numbers in [0, 1) for each key, shape ``(..., count)``; streams are independent."""
    with np.errstate(over="ignore"):
        counters = (np.arange(count, dtype=np.uint64) + np.uint64(3 + (stream << 32))) * GOLDEN
        return (_mixed(_mixed(keys[..., None] + counters)) >> np.uint64(11)) * 2.0**-53


def drawn_ranks(keys: Array, constant: Array, max_features: int, varying: int = 1) -> Array:
    """Return the rank ``(m, d)`` of each feature among those drawn for each node, -1 where it is not drawn.

    The first ``max_features`` of a random order are drawn; if fewer than ``varying`` of them vary in the node, so are
    the next, until as many do. With 1 that is what scikit-learn does; with ``max_features`` the features that vary are
    drawn uniformly among all that do, and are the same if all do.
    """
    m, d = constant.shape
    order = np.argsort(uniforms(keys, d), axis=1, kind="stable")
    rank = np.empty((m, d), dtype=np.int64)
    np.put_along_axis(rank, order, np.broadcast_to(np.arange(d), (m, d)), axis=1)
    place = min(varying, d) - 1
    last_useful = np.partition(np.where(constant, d, rank), place, axis=1)[:, place]
    last = np.maximum(max_features - 1, last_useful)
    return np.where(rank <= last[:, None], rank, -1)
