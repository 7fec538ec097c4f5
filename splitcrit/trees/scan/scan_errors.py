"""Scores that add one side to the other: minus the smaller of its errors and a multiple of a root.

Layout as in ``scan_sums``; ``behind[i]`` is the square of what the side right of place ``i`` contributes.
Invariant: ``worth`` is the square of the best score so far. Two passes over the node, and two roots where a place may
be better.

Main definitions: ``by_errors`` (a scan of one column), ``numbers_of_errors`` (what a node needs).
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import addressed, inlined
from splitcrit.trees.scan.scan_common import U, clear, counted_in, parted, summed
from splitcrit.trees.scan.ties_and_scores import TIE

ROUNDING = 1e-12


@inlined
def _squared(total, most, m, table, power):  # type: ignore[no-untyped-def]
    """Return the square of what one side contributes: the smaller of its errors and a multiple of a root."""
    errors = float(m - most)
    return min(errors * errors, power * power * max(table[U(m)] - total, 0.0))


@addressed
def by_errors(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite) or the first place whose score reaches ``floor``.

    Each side's sum is gathered from its own end. A score is ``-(sqrt a + sqrt b)``, whose square is at most ``t`` where
    ``4 a b <= (t - a - b)^2``: roots are taken only where it may be better than the best so far and than ``floor``.
    """
    order, column, start, stop, bits, least = segment
    steps, table, power, seen, behind = data.steps, data.table, data.power, scratch.seen, scratch.behind
    mask = (1 << bits) - 1
    clear(seen)
    total, most = 0.0, 0
    for i in range(stop - 1, start, -1):
        _, n = counted_in(order, i, mask, seen)
        total += steps[U(n)]
        most = max(most, n + 1)
        behind[U(i - 1)] = _squared(total, most, stop - i, table, power)
    clear(seen)
    total, most, top, worth = 0.0, 0, -np.inf, floor * floor * (1 + ROUNDING)
    for i in range(start, stop - least):
        _, n = counted_in(order, i, mask, seen)
        total += steps[U(n)]
        most = max(most, n + 1)
        m, rest = i - start + 1, behind[U(i)]
        here = _squared(total, most, m, table, power)
        left = worth - here - rest
        if (left >= 0) & (4 * here * rest <= left * left) and m >= least and parted(order, column, i, bits):
            score = -(np.sqrt(here) + np.sqrt(rest))
            if score > top:
                top = score
                if score >= floor:
                    return float(i)
                worth = min(worth, top * top * (1 + ROUNDING))
    return top


@addressed
def numbers_of_errors(data, totals, constants):  # type: ignore[no-untyped-def]
    """Return the size of a node, the sum over its classes, base and rate of its scores, and the width of a tie."""
    n, most, sums = summed(data.phi, totals)
    rate, base = data.unit / n, -np.sqrt(_squared(sums, most, n, data.table, data.power))
    return n, sums, base, rate, data.tie * TIE * -base * rate
