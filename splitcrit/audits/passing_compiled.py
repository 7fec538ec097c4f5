"""Rows that pass through a tree in the order of their responses: pairs left and right, and rows above a cut.

Main definitions: ``pass_rows``, in ``O(n depth)``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import kernel


@kernel
def pass_rows(
    parent: Array, left: Array, ends: Array, values: Array, cuts: Array, places: Array
) -> tuple[Array, Array, Array]:
    """Twice the pairs ``(nodes,)`` of a row left and right whose left one has the larger response, ties counting half;
    the rows ``(nodes, 2)`` on each side; and of each child those up to the cut of its parent, and above.

    ``parent`` and ``left (nodes,)`` are those of a tree whose root is node 0; rows ``ends, values (n,)`` come by their
    responses, the least first. ``cuts (nodes,)`` are of the nodes that split; with ``places (nodes,)`` above 0 a cut is
    infinite, and becomes the response of the row of that number, from 1, when it comes by.

    Examples
    --------
    >>> stump, cuts = (np.array([0, 0, 0]), np.array([1, -1, -1])), np.array([2.0, 0, 0])
    >>> rows = np.array([1, 2, 1]), np.array([2.0, 2.0, 3.0])
    >>> twice, sides, above = pass_rows(*stump, *rows, cuts, np.zeros(3, dtype=int))
    >>> twice.tolist(), sides[0].tolist(), above.tolist()
    ([3, 0, 0], [2, 1], [[0, 0], [1, 1], [1, 0]])
    """
    # Of the rows that ``came`` by on either side, those ``before`` have smaller responses than the ``last`` one.
    twice, last = np.zeros(len(left), np.int64), np.full(len(left), np.nan)
    came, before, above = np.zeros((3, len(left), 2), np.int64)
    for i in range(len(ends)):
        child, value = ends[i], values[i]
        while child > 0:
            node = parent[child]
            side = int(child != left[node])
            if value != last[node]:
                before[node, 0], before[node, 1], last[node] = came[node, 0], came[node, 1], value
            # A row on the left is ahead of those before on the right, and ties; one on the right ties with the left.
            twice[node] += came[node, 1 - side] + (1 - 2 * side) * before[node, 1 - side]
            came[node, side] += 1
            if came[node, 0] + came[node, 1] == places[node]:
                cuts[node] = value
            above[child, int(value > cuts[node])] += 1
            child = node
    return twice, came, above
