"""Scores by the differences between both sides, class by class.

Layout as in ``scan_sums``. Invariant: ``seen`` are the class counts up to the place. A place where the value
changes costs as many steps as there are classes, any other one.

Main definitions: ``by_crossings`` (a scan of one column), ``numbers_of_crossings`` (what a node needs).
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import addressed
from splitcrit.trees.scan.scan_common import U, clear, counted_in, parted, summed
from splitcrit.trees.scan.ties_and_scores import TIE


@addressed
def by_crossings(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite) or the first place whose score reaches ``floor``.

    A score is a power of ``sum_k |N l_k - m t_k|``; power 2 is over the product of the sizes.
    """
    order, column, start, stop, bits, least = segment
    totals = node.counts
    mask, seen, power = (1 << bits) - 1, scratch.seen, data.power
    size = stop - start
    clear(seen)
    top = -np.inf
    for i in range(start, stop - least):
        counted_in(order, i, mask, seen)
        m = i - start + 1
        if m >= least and parted(order, column, i, bits):
            score = 0.0
            for c in range(len(totals)):
                score += abs(float(size) * seen[U(c)] - float(m) * totals[U(c)])
            if power == 2.0:
                score = score / m * (score / (size - m))
            if score > top:
                top = score
                if score >= floor:
                    return float(i)
    return top


@addressed
def numbers_of_crossings(data, totals, constants):  # type: ignore[no-untyped-def]
    """Return the size of a node, the sum over its classes, base and rate of its scores, and the width of a tie."""
    n, _, sums = summed(data.phi, totals)
    size = float(n)
    if data.power == 2.0:
        return n, sums, 0.0, 1 / (4 * size * size), TIE * (1 - sums / (size * size))
    return n, sums, 0.0, 0.25, TIE * (size * size - sums) / 4
