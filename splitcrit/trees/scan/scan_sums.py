"""Scores that combine the sums over the classes of both sides, kept up sample by sample.

Layout: ``order[start:stop]`` are entries ``index << bits | class`` of a node (``Segment``); ``phi[n]`` is what a class
with ``n`` samples adds to a side, ``steps[n] = phi[n + 1] - phi[n]``, and ``table`` is by the size of a side.
Invariant: before place ``i`` is looked at, ``left`` and ``right`` are the sums over the classes of what lies left of
it, ``seen``, and of the rest. A place costs one step of each sum, whatever the number of classes.

Main definitions: ``by_sums`` (a scan of one column), ``of_split`` (one split), ``numbers_of_sums`` (what a node needs).
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import addressed, called, inlined
from splitcrit.impurities.search_declaration import DIFFERENCE, RATIO
from splitcrit.trees.scan.scan_common import U, clear, counted_in, parted, summed
from splitcrit.trees.scan.ties_and_scores import TIE


@inlined
def combined(kind, left, right, m, rest, table):  # type: ignore[no-untyped-def]
    """Combine the sums over classes of both sides, of sizes ``m`` and ``rest``."""
    if kind == RATIO:
        return left * table[U(m)] + right * table[U(rest)]
    if kind == DIFFERENCE:
        return (left - table[U(m)]) + (right - table[U(rest)])
    return -(np.sqrt(max(table[U(m)] - left, 0.0)) + np.sqrt(max(table[U(rest)] - right, 0.0)))


@called(_nrt=False)
def of_split(data, seen, totals):  # type: ignore[no-untyped-def]
    """Return the score of the split of a node with class counts ``totals`` that has ``seen`` on the left."""
    left, right, m, size = 0.0, 0.0, 0, 0
    for c in range(len(seen)):
        left += data.phi[U(seen[U(c)])]
        right += data.phi[U(totals[U(c)] - seen[U(c)])]
        m += seen[U(c)]
        size += totals[U(c)]
    return combined(data.kind, left, right, m, size - m, data.table)


@addressed
def by_sums(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite) or the first place whose score reaches ``floor``."""
    order, column, start, stop, bits, least, _ = segment
    totals = node.counts
    kind, steps, table, seen = data.kind, data.steps, data.table, scratch.seen
    mask = (1 << bits) - 1
    size = stop - start
    clear(seen)
    left, right, top = 0.0, node.sums, -np.inf
    for i in range(start, stop - least):
        c, n = counted_in(order, i, mask, seen)
        left += steps[U(n)]
        right -= steps[U(totals[U(c)] - n - 1)]
        m = i - start + 1
        score = combined(kind, left, right, m, size - m, table)
        if score > top and m >= least and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
    return top


@addressed
def numbers_of_sums(data, totals, constants):  # type: ignore[no-untyped-def]
    """Return the size of a node, the sum over its classes, base and rate of its scores, and the width of a tie."""
    n, _, sums = summed(data.phi, totals)
    rate, pure = data.unit / n, 0.0
    if data.kind == RATIO:
        base, pure = sums * data.table[n], float(n)
    elif data.kind == DIFFERENCE:
        base = sums - data.table[n]
    else:
        base = -np.sqrt(max(data.table[n] - sums, 0.0))
    return n, sums, base, rate, data.tie * TIE * abs(pure - base) * rate
