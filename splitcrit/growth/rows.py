"""The rows that a compiled loop fills node by node: see ``nodes_compiled``.

Main definitions: ``root_rows``, ``filled``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
FIRST = 2048  # a call of a compiled loop costs as much as some nodes


def root_rows(totals: Array, size: int, key: Array) -> list[Array]:
    """Return links and reals of a tree of one node, with rows for more; ``key`` is that of its draws."""
    rows = min(FIRST, 2 * size)
    links, reals = np.empty((rows, 8), np.int64), np.empty((rows, len(totals) + 1))
    links[0] = -1, -1, -1, -1, 0, size, 0, np.int64(key.astype(np.int64))
    reals[0] = np.nan, *totals
    return [links, reals]


def filled(rows: list[Array], grow: Callable[[tuple[Any, ...]], tuple[int, int]]) -> list[Array]:
    """Return the rows of a whole tree, with more space whenever ``grow(tree)`` says that they are full.

    ``tree`` is the rows, the node to look at and how many there are; of these two ``grow`` returns the next ones, and
    -1 for the first when it is done.
    """
    at, made = grow((*rows, 0, 1))
    while at >= 0:
        rows = [np.concatenate([part, np.empty_like(part)]) for part in rows]
        at, made = grow((*rows, at, made))
    return [part[:made] for part in rows]
