"""Scans for gains corrected for chance: what a place needs is prepared once a node, for all of its columns.

Main definitions: ``prepared``, ``by_chance``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.impurities.forms import AGINI, AGINI_PERMUTED, SGINI, TAIL
from splitcrit.jit import kernel
from splitcrit.search.formulas_compiled import independent_spread, most_surprise, spread, surprise
from splitcrit.search.segments_compiled import U, clear, counted_in, parted

CORRECTED = (SGINI, AGINI, AGINI_PERMUTED, TAIL)


@kernel
def prepared(data, start, stop, constants, behind):  # type: ignore[no-untyped-def]
    """Set ``behind[i]`` to what a gain corrected for chance needs at the threshold after place ``i`` of a node.

    That is the reciprocal of the standard deviation for SGini, the deviation for AGini, the variance for a tail.
    """
    kind, table = data.kind, data.table
    if kind not in CORRECTED:
        return
    n = float(stop - start)
    for i in range(start, stop - 1):
        m = i - start + 1
        w, w_rest = table[U(m)], table[U(stop - start - m)]
        if kind in (SGINI, AGINI_PERMUTED):
            variance = spread(n, float(m), w, w_rest, constants[2], constants[3])
        else:
            variance = independent_spread(n, float(m), w, w_rest, constants[2], constants[3])
        variance = max(variance, 0.0)
        if kind == SGINI:
            behind[U(i)] = 1 / np.sqrt(variance) if variance > 0.0 else 0.0
        else:
            behind[U(i)] = variance if kind == TAIL else np.sqrt(variance)


@kernel
def _tail(gain, mean, variance, wanted):  # type: ignore[no-untyped-def]
    """Return how surprising a gain is under a gamma law, or -inf where that falls short of what is wanted."""
    if variance <= 0.0:
        return 0.0
    shape, reach = mean * mean / variance, gain * mean / variance
    if most_surprise(shape, reach) < wanted - 1e-9 * (1.0 + abs(wanted)):
        return -np.inf
    return surprise(shape, reach)


@kernel(_nrt=False)
def by_chance(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite), or the first place whose score reaches ``floor``.

    A tail is computed only where its bound does not fall short, by more than rounding, of the best and of ``floor``.
    """
    (order, column, start, stop, bits, least), totals = segment, node.counts
    kind, steps, table, seen, behind = data.kind, data.steps, data.table, scratch.seen, scratch.behind
    mask, size, square, mean = (1 << bits) - 1, stop - start, node.constants[0], node.constants[1]
    clear(seen)
    left, right, top = 0.0, node.sums, -np.inf
    for i in range(start, stop - least):
        c, n = counted_in(order, i, mask, seen)
        left += steps[U(n)]
        right -= steps[U(totals[U(c)] - n - 1)]
        m = i - start + 1
        above = left * table[U(m)] + right * table[U(size - m)] - square - mean
        if kind == SGINI:
            score = above * behind[U(i)]
        elif kind == TAIL:
            score = _tail(above + mean, mean, behind[U(i)], max(top, floor) if floor < np.inf else top)
        else:
            score = above - behind[U(i)]
        if score > top and m >= least and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
    return top
