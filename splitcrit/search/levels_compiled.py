"""What scans of a node share, and the scan of the credal gain.

Indices are made unsigned (``U``), for which the compiler leaves out the test for negative ones: it halves the time of a
scan.

Main definitions: ``U``, ``clear``, ``parted``, ``lowest_of``; ``by_levels``.
"""

from __future__ import annotations

import numba
import numpy as np

U = np.uint64


@numba.njit(cache=True, nogil=True, inline="always")
def clear(counts):  # type: ignore[no-untyped-def]
    """Set counts to 0."""
    for c in range(len(counts)):
        counts[U(c)] = 0


@numba.njit(cache=True, nogil=True, inline="always")
def parted(order, column, i, bits):  # type: ignore[no-untyped-def]
    """Tell whether the values at a place and the next differ."""
    return column[U(order[U(i)] >> bits)] != column[U(order[U(i + 1)] >> bits)]


@numba.njit(cache=True, nogil=True)
def lowest_of(counts):  # type: ignore[no-untyped-def]
    """Return the lowest count and how many classes have it."""
    low, ties = counts[0], 0
    for c in range(len(counts)):
        ties = 1 if counts[U(c)] < low else ties + (counts[U(c)] == low)
        low = min(low, counts[U(c)])
    return low, ties


@numba.njit(cache=True, nogil=True, inline="always")
def _raised(lowest, ties, table, poured):  # type: ignore[no-untyped-def]
    """Return what ``sum n_k log n_k`` gains when ``poured <= 1`` samples go to the classes of the lowest count."""
    size = len(table) // 3
    if ties == 1:
        return table[U(2 * size + lowest)] - table[U(lowest)]
    level = lowest + poured / ties
    return ties * (level * np.log(level) - table[U(lowest)])


@numba.njit(cache=True, nogil=True, error_model="numpy")
def by_levels(order, column, start, stop, totals, sums, steps, table, bits, least, poured, floor, seen):  # type: ignore[no-untyped-def]
    """Scan for the decrease of the largest entropy: see ``scans_compiled``.

    The lowest count of each side and how many classes have it are kept up.
    ``table`` holds ``n log n``, ``log(n + poured)`` and ``(n + poured) log(n + poured)`` one after the other.
    """
    classes, half = len(totals), len(table) // 3
    mask = (1 << bits) - 1
    size = stop - start
    rate = 1 / (size + poured)
    clear(seen)
    low, low_ties = 0, classes
    high, high_ties = lowest_of(totals)
    raised_left, raised_right = _raised(low, low_ties, table, poured), _raised(high, high_ties, table, poured)
    left, right, top = 0.0, sums, -np.inf
    for i in range(start, stop - least):
        c = order[U(i)] & mask
        n = seen[U(c)]
        left += steps[U(n)]
        seen[U(c)] = n + 1
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
