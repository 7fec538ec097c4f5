"""Scans for gains in standard deviations above chance, for two classes and impurities that are sums over classes.

Mean and standard deviation of a threshold with m of n samples on its left are sums over one hypergeometric count, and
the same for all columns of a node: they are prepared once, in O(n sqrt(n)) steps, since likely counts lie within some
ten standard deviations of the mean. The law is that of `splitcrit.nulls.threshold_moments`.

Main definitions: ``numbers_of_standardised``, ``prepared`` (what a node needs), ``by_standardised`` (a scan of one
column).
"""

from __future__ import annotations

import numpy as np

from splitcrit.jit import addressed, inlined
from splitcrit.search.scoring import TIE
from splitcrit.search.segments_compiled import U, clear, counted_in, parted, summed
from splitcrit.search.sums_compiled import combined

UNLIKELY = 1e-17  # of the likeliest count, after which no more are looked at
NOISE = 1e-13  # a standard deviation that is less of the score is what rounding leaves of 0


@addressed
def numbers_of_standardised(data, totals, constants):  # type: ignore[no-untyped-def]
    """Return the size of a node, the sum over its classes, base and rate of its scores, and the width of a tie.

    The number of samples of the first class is set in ``constants``.
    """
    n, _, sums = summed(data.phi, totals)
    constants[0] = totals[0]
    return n, sums, 0.0, 1.0, TIE * n


@inlined
def _score(data, x, m, ones, n):  # type: ignore[no-untyped-def]
    """Return the score of a threshold with ``x`` of the first class among ``m`` on its left."""
    phi = data.phi
    left, right = phi[U(x)] + phi[U(m - x)], phi[U(ones - x)] + phi[U(n - m - ones + x)]
    return combined(int(data.power), left, right, m, n - m, data.table)


@addressed
def prepared(data, start, stop, constants, behind):  # type: ignore[no-untyped-def]
    """Set ``behind[i]`` to the mean at the threshold after place ``i`` of a node, and in its second half one over the
    standard deviation, 0 where the score cannot vary. Chances are added up outward from the likeliest count.
    """
    n, ones, half = stop - start, int(constants[0]), len(behind) // 2
    for m in range(1, n // 2 + 1):
        low, high, rest = max(0, m + ones - n), min(m, ones), n - m - ones
        top = min(max((m + 1) * (ones + 1) // (n + 2), low), high)
        middle = _score(data, top, m, ones, n)
        whole, first, second = 1.0, 0.0, 0.0
        chance, x = 1.0, top
        while x < high and chance > UNLIKELY:
            chance *= float(m - x) * (ones - x) / (float(x + 1) * (rest + x + 1))
            x += 1
            apart = _score(data, x, m, ones, n) - middle
            whole, first, second = whole + chance, first + chance * apart, second + chance * apart * apart
        chance, x = 1.0, top
        while x > low and chance > UNLIKELY:
            chance *= float(x) * (rest + x) / (float(m - x + 1) * (ones - x + 1))
            x -= 1
            apart = _score(data, x, m, ones, n) - middle
            whole, first, second = whole + chance, first + chance * apart, second + chance * apart * apart
        first /= whole
        spread = np.sqrt(max(second / whole - first * first, 0.0))
        rate = 1 / spread if spread > NOISE * (abs(middle) + abs(first)) else 0.0
        for i in (start + m - 1, start + n - m - 1):
            behind[U(i)], behind[U(half + i)] = middle + first, rate


@addressed
def by_standardised(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite), or the first place whose score reaches ``floor``."""
    (order, column, start, stop, bits, least), totals = segment, node.counts
    kind, steps, table, seen, behind = int(data.power), data.steps, data.table, scratch.seen, scratch.behind
    mask, size, half = (1 << bits) - 1, stop - start, len(behind) // 2
    clear(seen)
    left, right, top = 0.0, node.sums, -np.inf
    for i in range(start, stop - least):
        c, n = counted_in(order, i, mask, seen)
        left += steps[U(n)]
        right -= steps[U(totals[U(c)] - n - 1)]
        m = i - start + 1
        score = (combined(kind, left, right, m, size - m, table) - behind[U(i)]) * behind[U(half + i)]
        if score > top and m >= least and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
    return top
