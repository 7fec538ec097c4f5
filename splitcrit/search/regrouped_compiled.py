"""Sorted columns shared out among many nodes at once: see ``multiway.grow``.

Main definitions: ``regroup``.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from splitcrit.jit import kernel


@kernel
def regroup(order, place, starts, out):
    """Set ``out[f]`` to the samples of ``order[f]`` node by node, in the order in which they stand.

    ``place`` is the node of each sample, -1 where it is left out; node ``j`` begins at ``starts[j]``.
    """
    for f in range(len(order)):
        free = starts.copy()
        for i in order[f]:
            if place[i] >= 0:
                out[f, free[place[i]]] = i
                free[place[i]] += 1
