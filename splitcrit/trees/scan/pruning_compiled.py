"""Scans of two classes that score nothing: bounds of every threshold from a table, and the thresholds worth a score.

Layout: ``table[b]`` is the impurity at ``b / CELLS`` of class 1; its chords lie below it, since it is concave.
Invariant: ``b`` is the number of samples of class 1 up to the place. A place costs two chords.

Main definitions: ``scan_bounds``, ``fill_bounded``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import inlined, kernel


@inlined
def _chord(table, a, b):  # type: ignore[no-untyped-def]
    """Return the sum over a side of ``a`` and ``b`` samples of what lies below the tabulated impurity."""
    cells = len(table) - 1
    x = float(b) * cells / (a + b)
    k = min(int(x), cells - 1)
    return (a + b) * (table[k] + (x - k) * (table[k + 1] - table[k]))


@kernel(_nrt=False)
def scan_bounds(orders, level, table, wanted, best, place, ones):  # type: ignore[no-untyped-def]
    """Set ``best[f, j]`` to the largest bound of a threshold, with its place and how many of class 1 are left of it."""
    starts, totals, bits, least = level.starts, level.counts, orders.bits, level.least
    for f in range(len(orders.orders)):
        order, column = orders.orders[f], orders.columns[f]
        for j in range(len(starts) - 1):
            if not wanted[j, f]:
                continue
            b, top = 0, -np.inf
            for i in range(starts[j], starts[j + 1] - least):
                b += order[i] & ((1 << bits) - 1)
                m = i - starts[j] + 1
                bound = -_chord(table, m - b, b) - _chord(table, totals[j, 0] - m + b, totals[j, 1] - b)
                if bound > top and m >= least and column[order[i] >> bits] != column[order[i + 1] >> bits]:
                    top = bound
                    place[f, j] = i
                    ones[f, j] = b
            best[f, j] = top


@kernel(_nrt=False)
def fill_bounded(orders, level, table, wanted, floor, state, out):  # type: ignore[no-untyped-def]
    """Write the next thresholds whose bound reaches ``floor[j]`` to ``out``; see ``compiled.fill``.

    ``state`` is (feature, node, position, samples of class 1 left of it).
    """
    starts, totals, bits, least = level.starts, level.counts, orders.bits, level.least
    capacity, written = out.left.shape[1], 0
    f, j, i, b = state[0], state[1], state[2], state[3]
    while f < len(orders.orders):
        order, column = orders.orders[f], orders.columns[f]
        while j < len(starts) - 1:
            start, stop = starts[j], starts[j + 1]
            if wanted[j, f]:
                for at in range(max(i, start), stop - least):
                    if written == capacity:
                        state[0], state[1], state[2], state[3] = f, j, at, b
                        return written
                    b += order[at] & ((1 << bits) - 1)
                    m = at - start + 1
                    a, on_right = m - b, totals[j, 1] - b
                    bound = -_chord(table, a, b) - _chord(table, totals[j, 0] - a, on_right)
                    usable = bound >= floor[j] and m >= least
                    if usable and column[order[at] >> bits] != column[order[at + 1] >> bits]:
                        out.left[0, written], out.left[1, written] = a, b
                        out.right[0, written], out.right[1, written] = totals[j, 0] - a, on_right
                        out.feature[written], out.node[written], out.place[written] = f, j, at
                        written += 1
            j, i, b = j + 1, 0, 0
        f, j = f + 1, 0
    state[0], state[1] = f, j
    return written
