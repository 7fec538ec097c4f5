"""Scans for gains corrected for chance: what a place needs is prepared once a node, for all of its columns.

Main definitions: ``numbers_by_chance``, ``prepared`` (what a node needs), ``by_chance`` (a scan of one column).
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import addressed, called
from splitcrit.impurities.search_declaration import AGINI, AGINI_PERMUTED, SGINI, TAIL
from splitcrit.trees.scan.formulas_compiled import class_law, independent_spread, spread
from splitcrit.trees.scan.scan_common import U, clear, counted_in, parted, summed
from splitcrit.trees.scan.ties_and_scores import TIE


@called(_nrt=False)
def independent(m, n, table, constants):  # type: ignore[no-untyped-def]
    """Return the variance of ``n`` times the gain under the multinomial model, ``m`` samples on the left."""
    w, w_rest = table[U(m)], table[U(n - m)]
    return max(independent_spread(float(n), float(m), w, w_rest, constants[2], constants[3]), 0.0)


@called(_nrt=False)
def gain_of_split(data, seen, counts, constants):  # type: ignore[no-untyped-def]
    """Return ``n`` times the gain of a split less its mean, the size of its left side, and that of the node."""
    left, right, m, n = 0.0, 0.0, 0, 0
    for c in range(len(seen)):
        left += data.phi[U(seen[U(c)])]
        right += data.phi[U(counts[U(c)] - seen[U(c)])]
        m += seen[U(c)]
        n += counts[U(c)]
    return left * data.table[U(m)] + right * data.table[U(n - m)] - constants[0] - constants[1], m, n


@called(_nrt=False)
def corrected(data, gain, m, n, constants):  # type: ignore[no-untyped-def]
    """Return a gain less its mean in standard deviations (SGini), or less one more deviation (AGini)."""
    if data.kind == AGINI:
        return gain - np.sqrt(independent(m, n, data.table, constants))
    w, w_rest = data.table[U(m)], data.table[U(n - m)]
    deviation = np.sqrt(max(spread(float(n), float(m), w, w_rest, constants[2], constants[3]), 0.0))
    if data.kind == SGINI:
        return gain / deviation if deviation > 0.0 else 0.0
    return gain - deviation


@addressed
def numbers_by_chance(data, totals, constants):  # type: ignore[no-untyped-def]
    """Return the size of a node, the sum over its classes, base and rate of its scores, and the width of a tie.

    The law of its gains is set in ``constants``.
    """
    n, _, sums = summed(data.phi, totals)
    size = float(n)
    class_law(totals, size, sums, data.kind in (AGINI, TAIL), constants)
    if data.kind in (AGINI, AGINI_PERMUTED):
        constants[2] *= data.power
        constants[3] *= data.power
        return n, sums, 0.0, 1 / size, TIE * (1 - sums / (size * size))
    return n, sums, 0.0, 1.0, TIE * size


@addressed
def prepared(data, start, stop, constants, behind):  # type: ignore[no-untyped-def]
    """Set ``behind[i]`` to what a gain corrected for chance needs at the threshold after place ``i`` of a node.

    That is the reciprocal of the standard deviation for SGini, the deviation for AGini.
    """
    kind, table = data.kind, data.table
    n = stop - start
    for i in range(start, stop - 1):
        m = i - start + 1
        if kind == AGINI:
            behind[U(i)] = np.sqrt(independent(m, n, table, constants))
            continue
        variance = spread(float(n), float(m), table[U(m)], table[U(n - m)], constants[2], constants[3])
        variance = max(variance, 0.0)
        if kind == SGINI:
            behind[U(i)] = 1 / np.sqrt(variance) if variance > 0.0 else 0.0
        else:
            behind[U(i)] = np.sqrt(variance)


@addressed
def by_chance(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite), or the first place whose score reaches ``floor``."""
    order, column, start, stop, bits, least, _ = segment
    totals = node.counts
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
        score = above * behind[U(i)] if kind == SGINI else above - behind[U(i)]
        if score > top and m >= least and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
    return top
