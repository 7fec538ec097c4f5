"""The size and form of trees, and what they cost to grow.

Main definitions: ``shape``, ``times``.
Source: yang2019, Figures 1 and 2.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..results import Row

Array = NDArray[Any]
REPEATS = 3  # of which the fastest counts


def shape(grown: Any) -> Row:
    """Leaves, depth, rows scanned (those of all nodes that were split) and balance of a grown tree.

    Balance is the share of rows in the smaller child, at most 1/2, in the mean over splits weighted by their rows.
    """
    inner = grown.children_left >= 0
    size, left = grown.n_node_samples, grown.n_node_samples[grown.children_left[inner]]
    smaller = np.minimum(left, size[inner] - left)
    scanned = int(size[inner].sum())
    balance = float(smaller.sum() / scanned) if scanned else 0.0
    return {"leaves": int(grown.n_leaves), "depth": int(grown.max_depth), "scanned": scanned, "balance": balance}


def times(grow: Callable[[str, int], Any], sizes: dict[str, int], X: Array, y: Array) -> dict[str, Row]:
    """For each criterion, seconds of a tree stopped as chosen, of one grown to the end, and of a first split.

    All criteria take turns, so that what else the machine does falls on all of them.

    Parameters
    ----------
    grow : callable
        ``grow(method, size)`` returns an unfitted tree.
    sizes : dict
        The chosen stopping size of every criterion.
    X, y : arrays
    """
    rows: dict[str, Row] = {}
    for _ in range(REPEATS):
        for method, size in sizes.items():
            stopped, chosen = _fit(grow(method, size), X, y)
            full, whole = _fit(grow(method, 2), X, y)
            first, _one = _fit(grow(method, 2).set_params(max_depth=1), X, y)
            spent = {"seconds": stopped, "seconds_full": full, "seconds_root": first}
            before = rows.get(method, spent)
            rows[method] = {name: min(value, before[name]) for name, value in spent.items()}
            rows[method] |= {"splits": chosen.n_leaves - 1, "scanned": shape(chosen)["scanned"]}
            rows[method] |= {"splits_full": whole.n_leaves - 1, "scanned_full": shape(whole)["scanned"]}
    return rows


def _fit(model: Any, X: Array, y: Array) -> tuple[float, Any]:
    start = time.process_time()
    model.fit(X, y)
    return time.process_time() - start, model.tree_
