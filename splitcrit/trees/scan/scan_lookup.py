"""Two classes, whose sides are looked up by their counts.

Layout: ``order[start:stop]`` are entries ``index << 1 | class``; ``sides[a, b]`` is what a side of ``a`` and ``b``
samples contributes. Invariant: ``a`` and ``b`` are the counts up to the place. A place costs two lookups.

Main definitions: ``by_sides`` (a scan of one column), ``numbers_of_sides`` (what a node needs).
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import addressed
from splitcrit.trees.scan.scan_common import U, parted
from splitcrit.trees.scan.ties_and_scores import TIE


@addressed
def by_sides(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite) or the first place whose score reaches ``floor``.

    A side contributes ``data.sides[a, b]``, where ``a`` and ``b`` are its counts.
    """
    order, column, start, stop, bits, least = segment
    totals = node.counts
    mask = (1 << bits) - 1
    a, b, top = 0, 0, -np.inf
    for i in range(start, stop - least):
        c = order[U(i)] & mask
        b += c
        a += 1 - c
        score = -(data.sides[U(a), U(b)] + data.sides[U(totals[0] - a), U(totals[1] - b)])
        if score > top and i - start + 1 >= least and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
    return top


@addressed
def numbers_of_sides(data, totals, constants):  # type: ignore[no-untyped-def]
    """Return the size of a node, the sum over its classes, base and rate of its scores, and the width of a tie."""
    n, base = totals[0] + totals[1], -data.sides[totals[0], totals[1]]
    return n, 0.0, base, 1 / float(n), TIE * abs(base) / float(n)
