"""The steps of one node over some of its columns, which threads take at the same time.

Main definitions: ``scan_columns``, ``mark_split``, ``share_columns``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth.sorted_compiled import marked, shared_out
from splitcrit.jit import kernel
from splitcrit.search.constants_compiled import numbers_of_node
from splitcrit.search.pointers import call_scan
from splitcrit.search.records import Scratch, Segment, Totals


@kernel(_nrt=False)
def scan_columns(source, here, scorer, rules, floor, scratch):  # type: ignore[no-untyped-def]
    """Set ``scratch.best`` to the best raw score of each column, or to the first place that reaches a finite floor.

    Return base and rate of the scores, and the width of a tie.
    """
    (orders, columns, bits), (start, stop) = source, here
    _, sums, base, rate, width = numbers_of_node(scorer, scratch.counts, start, scratch.constants, scratch.behind)
    node, scan = Totals(scratch.counts, sums, scratch.constants), Scratch(scratch.seen, scratch.behind)
    for f in range(len(orders)):
        order, column = orders[f], columns[f]
        scratch.best[f] = -np.inf
        if column[order[start] >> bits] != column[order[stop - 1] >> bits]:
            segment = Segment(order, column, start, stop, bits, rules.leaf)
            scratch.best[f] = call_scan(scorer.scan, segment, node, scorer.data, floor, scan)
    return base, rate, width


@kernel(_nrt=False)
def mark_split(source, here, cut, rows, rules, scratch):  # type: ignore[no-untyped-def]
    """Mark the samples that go left, fill the rows of the node and its left child; tell which children are leaves."""
    return marked(source, here, cut, rows, rules, scratch)


@kernel(_nrt=False)
def share_columns(source, here, skipped, closed, scratch):  # type: ignore[no-untyped-def]
    """Share the samples of each column but one out among the children."""
    shared_out(source, here, skipped, closed, scratch)
