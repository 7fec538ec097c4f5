"""What compiled scans of one node share.

Indices are made unsigned (``U``), for which the compiler leaves out the test for negative ones: it halves the time of a
scan.

Main definitions: ``U``, ``clear``, ``counted_in``, ``units_of_place``, ``code_of``, ``parted``, ``step_of`` and
``summed``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import inlined

U = np.uint64


@inlined
def clear(counts):  # type: ignore[no-untyped-def]
    """Set counts to 0."""
    for c in range(len(counts)):
        counts[U(c)] = 0


@inlined
def counted_in(order, i, mask, seen):  # type: ignore[no-untyped-def]
    """Count the sample at a place on its side; return its class and how many of it were there before."""
    c = order[U(i)] & mask
    n = seen[U(c)]
    seen[U(c)] = n + 1
    return c, n


@inlined
def step_of(phi, n):  # type: ignore[no-untyped-def]
    """What one more sample of a class that has ``n`` adds to the sum of ``phi`` over classes."""
    return phi[U(n + 1)] - phi[U(n)]


@inlined
def units_of_place(units, place):  # type: ignore[no-untyped-def]
    """What a sample counts, given what stands in its entry: a place among units or, without, one less."""
    return units[U(place)] if len(units) > 0 else place + 1


@inlined
def code_of(codes, row):  # type: ignore[no-untyped-def]
    """The code of the category of a row, of a column that holds floats."""
    return U(np.int64(codes[U(row)]))


@inlined
def parted(order, column, i, bits):  # type: ignore[no-untyped-def]
    """Whether the value at a place is known, and the next is another one or missing."""
    # A missing value differs from itself: none is parted from what follows, so that missing ones stay together, and
    # where they stand first they go left with the least value.
    here = column[U(order[U(i)] >> bits)]
    return here != column[U(order[U(i + 1)] >> bits)] and here == here


@inlined
def summed(phi, totals):  # type: ignore[no-untyped-def]
    """The size of a node, its largest class count, and the sum of ``phi`` over its classes."""
    n, most, sums = 0, 0, 0.0
    for c in range(len(totals)):
        n += totals[c]
        most = max(most, totals[c])
        sums += phi[totals[c]]
    return n, most, sums
