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
SLACK = 1e-9  # by which a bound must fall short, of 1 + what is wanted


@kernel
def _independent(m, n, table, constants):  # type: ignore[no-untyped-def]
    """Return the variance of ``n`` times the gain under the multinomial model, ``m`` samples on the left."""
    w, w_rest = table[U(m)], table[U(n - m)]
    return max(independent_spread(float(n), float(m), w, w_rest, constants[2], constants[3]), 0.0)


@kernel
def prepared(data, start, stop, constants, behind):  # type: ignore[no-untyped-def]
    """Set ``behind[i]`` to what a gain corrected for chance needs at the threshold after place ``i`` of a node.

    That is the reciprocal of the standard deviation for SGini, the deviation for AGini.
    """
    kind, table = data.kind, data.table
    if kind not in CORRECTED or kind == TAIL:
        return
    n = stop - start
    for i in range(start, stop - 1):
        m = i - start + 1
        if kind == AGINI:
            behind[U(i)] = np.sqrt(_independent(m, n, table, constants))
            continue
        variance = spread(float(n), float(m), table[U(m)], table[U(n - m)], constants[2], constants[3])
        variance = max(variance, 0.0)
        if kind == SGINI:
            behind[U(i)] = 1 / np.sqrt(variance) if variance > 0.0 else 0.0
        else:
            behind[U(i)] = np.sqrt(variance)


@kernel
def _tail(gain, mean, variance, wanted):  # type: ignore[no-untyped-def]
    """Return how surprising a gain is under a gamma law, or -inf where that falls short of what is wanted."""
    if variance <= 0.0:
        return 0.0
    shape, reach = mean * mean / variance, gain * mean / variance
    if most_surprise(shape, reach) < wanted - SLACK * (1.0 + abs(wanted)):
        return -np.inf
    return surprise(shape, reach)


@kernel
def _short(shape, wanted, near):  # type: ignore[no-untyped-def]
    """Return a reach up to which the surprise is at most what is wanted, and hardly further if ``near`` is close.

    The surprise is 0 at 0, and rises with the reach: convex and by 1 at most where the shape is at least 1, elsewhere
    concave, by 1 at least and by ``1 + (1 - shape)/reach`` at most.
    """
    found = surprise(shape, near)
    if found <= wanted:
        return near + (wanted - found) / (1.0 + max(1.0 - shape, 0.0) / near)
    return near * wanted / found if shape >= 1.0 else near - (found - wanted)


@kernel(_nrt=False)
def _gains(segment, node, data, scratch):  # type: ignore[no-untyped-def]
    """Set ``behind[i]`` to ``n`` times the gain, -inf where no threshold is; return the place of the largest, or -1."""
    (order, column, start, stop, bits, least), totals = segment, node.counts
    steps, table, seen, behind = data.steps, data.table, scratch.seen, scratch.behind
    mask, size, square, mean = (1 << bits) - 1, stop - start, node.constants[0], node.constants[1]
    clear(seen)
    left, right, top, at = 0.0, node.sums, -np.inf, -1
    for i in range(start, stop - least):
        c, n = counted_in(order, i, mask, seen)
        left += steps[U(n)]
        right -= steps[U(totals[U(c)] - n - 1)]
        m = i - start + 1
        above = left * table[U(m)] + right * table[U(size - m)] - square - mean
        behind[U(i)] = above + mean if m >= least and parted(order, column, i, bits) else -np.inf
        if behind[U(i)] > top:
            top, at = behind[U(i)], i
    return at


@kernel(_nrt=False)
def _by_tails(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Do what ``by_chance`` does for p-values.

    The variance is a constant and a multiple of ``1/m + 1/(n - m)``; so between both edges of a node it lies between
    its values at an edge and in the middle. Surprise falls with the shape: one gain is too small for all these places.
    """
    start, stop, least, constants, table = segment.start, segment.stop, segment.least, node.constants, data.table
    n, mean, behind, at = stop - start, constants[1], scratch.behind, _gains(segment, node, data, scratch)
    if at < 0:
        return -np.inf
    variance, top = _independent(at - start + 1, n, table, constants), -np.inf
    if floor == np.inf:
        top = _tail(behind[at], mean, variance, -np.inf)
    wanted, edge, dull = max(top, floor) if floor < np.inf else top, n // 64 + 4, -np.inf
    ends = _independent(min(edge, n - 1), n, table, constants), _independent(n // 2, n, table, constants)
    if n > 2 * edge and min(ends) > 0.0 and variance > 0.0 and behind[at] > 0.0:
        lower = wanted - SLACK * (1.0 + abs(wanted))
        dull = _short(mean * mean / max(ends), lower, behind[at] * mean / variance) * min(ends) / mean
    for i in range(start + least - 1, stop - least):
        gain, m = behind[U(i)], i - start + 1
        if gain > dull or m < edge or m > n - edge:
            if gain == -np.inf:
                continue
            score = _tail(gain, mean, _independent(m, n, table, constants), max(top, wanted))
            if score > top:
                top = score
                if score >= floor:
                    return float(i)
    return top


@kernel(_nrt=False)
def by_chance(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite), or the first place whose score reaches ``floor``."""
    (order, column, start, stop, bits, least), totals = segment, node.counts
    kind, steps, table, seen, behind = data.kind, data.steps, data.table, scratch.seen, scratch.behind
    if kind == TAIL:
        return _by_tails(segment, node, data, floor, scratch)
    mask, size, square, mean = (1 << bits) - 1, stop - start, node.constants[0], node.constants[1]
    clear(seen)
    left, right, top = 0.0, node.sums, -np.inf
    for i in range(start, stop - least):
        c, n = counted_in(order, i, mask, seen)
        left += steps[U(n)]
        right -= steps[U(totals[U(c)] - n - 1)]
        m = i - start + 1
        above = left * table[U(m)] + right * table[U(size - m)] - square - mean
        score = above * behind[U(i)] if kind == SGINI else above - behind[U(i)]
        if score > top and m >= least and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
    return top
