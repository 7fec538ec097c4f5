"""What belongs to a node in a compiled scan of its thresholds: its size, sums over classes, and the scale of scores.

Main definitions: ``numbers_of_node``, ``numbers_of_nodes``, ``best_of_codes``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import inlined, kernel
from splitcrit.trees.scan.pointers import call_numbers, call_prepared, call_scan
from splitcrit.trees.scan.records import Segment, Totals


@inlined
def numbers_of_node(scorer, counts, start, constants, behind):  # type: ignore[no-untyped-def]
    """Return the size of a node that begins at ``start``, and its sum, base, rate and width; prepare its scans."""
    size, sums, base, rate, width = call_numbers(scorer.numbers, scorer.data, counts, constants)
    if scorer.prepared:
        call_prepared(scorer.prepared, scorer.data, start, start + size, constants, behind)
    return size, sums, base, rate, width


@kernel(_nrt=False)
def numbers_of_nodes(scorer, totals, sums, base, rate, constants):  # type: ignore[no-untyped-def]
    """Set sums, base, rate and constants ``(m, 4)`` of nodes with class counts ``(m, K)``."""
    for i in range(len(totals)):
        _, sums[i], base[i], rate[i], _ = call_numbers(scorer.numbers, scorer.data, totals[i], constants[i])


@kernel(_nrt=False)
def best_of_codes(source, totals, scorer, constants, scratch):  # type: ignore[no-untyped-def]
    """Return the best score of a threshold on the one column of ``source`` (``Orders``), all of which is a node."""
    order, column = source.orders[0], source.columns[0]
    n, sums, base, rate, _ = numbers_of_node(scorer, totals, 0, constants, scratch.behind)
    segment, node = Segment(order, column, 0, n, source.bits, 1), Totals(totals, sums, constants)
    return (call_scan(scorer.scan, segment, node, scorer.data, np.inf, scratch) - base) * rate
