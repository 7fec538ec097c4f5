"""The decrease of the largest entropy when some samples may fall into any class.

Layout as in ``scan_sums``. Invariant: ``low`` and ``high`` are the lowest counts of the left and the right side,
each with the number of classes that have it. A place costs a few steps, and as many as there are classes only where the
last class of the lowest count leaves it.

Main definitions: ``by_levels`` (a scan of one column), ``numbers_of_levels`` (what a node needs).
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import addressed, inlined
from splitcrit.trees.scan.scan_common import U, clear, counted_in, lowest_of, parted, summed
from splitcrit.trees.scan.ties_and_scores import TIE


@inlined
def _raised(lowest, ties, table, poured):  # type: ignore[no-untyped-def]
    """Return the rise of ``sum n_k log n_k`` when ``poured <= 1`` samples go to the classes of the lowest count."""
    size = len(table) // 3
    if ties == 1:
        return table[U(2 * size + lowest)] - table[U(lowest)]
    level = lowest + poured / ties
    return ties * (level * np.log(level) - table[U(lowest)])


@addressed
def by_levels(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite) or the first place whose score reaches ``floor``.

    The lowest count of each side and how many classes have it are kept up.
    ``table`` holds ``n log n``, ``log(n + poured)`` and ``(n + poured) log(n + poured)`` one after the other.
    """
    order, column, start, stop, bits, least = segment
    totals = node.counts
    steps, table, poured, seen = data.steps, data.table, data.power, scratch.seen
    half, mask, size = len(table) // 3, (1 << bits) - 1, stop - start
    rate = 1 / (size + poured)
    clear(seen)
    low, low_ties = 0, len(totals)
    high, high_ties = lowest_of(totals)
    raised_left, raised_right = _raised(low, low_ties, table, poured), _raised(high, high_ties, table, poured)
    left, right, top = 0.0, node.sums, -np.inf
    for i in range(start, stop - least):
        c, n = counted_in(order, i, mask, seen)
        left += steps[U(n)]
        if n == low:
            low_ties -= 1
            if low_ties == 0:
                low, low_ties = lowest_of(seen)
            raised_left = _raised(low, low_ties, table, poured)
        n = totals[U(c)] - n - 1
        right -= steps[U(n)]
        if n <= high:
            high_ties = high_ties + 1 if n == high else 1
            high = n
            raised_right = _raised(high, high_ties, table, poured)
        m = i - start + 1
        on_left = table[U(half + m)] - (left + raised_left) / (m + poured)
        on_right = table[U(half + size - m)] - (right + raised_right) / (size - m + poured)
        score = -(m * on_left + (size - m) * on_right + poured * max(on_left, on_right)) * rate
        if score > top and m >= least and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
    return top


@addressed
def numbers_of_levels(data, totals, constants):  # type: ignore[no-untyped-def]
    """Return the size of a node, the sum over its classes, base and rate of its scores, and the width of a tie."""
    n, _, sums = summed(data.phi, totals)
    (lowest, ties), poured = lowest_of(totals), data.power
    level = lowest + poured / ties  # of the classes to which the samples go that the node may have had
    raised = sums - ties * data.phi[lowest] + ties * level * np.log(level)
    return n, sums, raised / (n + poured) - np.log(n + poured), 1.0, TIE
