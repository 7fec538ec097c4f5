"""The thresholds of columns of cells, with class weights of both sides, for criteria that are scored by their formula.

Main definitions: ``rank_columns``, ``thresholds_of_cells``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth.sparse_columns_compiled import numbered
from splitcrit.growth.sparse_compiled import cells_of, cut_of, next_column, only_tried
from splitcrit.jit import kernel
from splitcrit.search.segments_compiled import U
from splitcrit.search.sparse_compiled import LOW, ROW, is_tried


@kernel
def rank_columns(held, node, nodes, rules, places, ranks):  # type: ignore[no-untyped-def]
    """Set the rank of each column that is tried in the order of its node, ``node[c]``.

    ``nodes`` are sizes and keys of draws; every feature stands in its own place.
    """
    (sizes, keys), begin = nodes, 0
    while begin < len(node):
        j, end, turn = node[begin], begin, (0, 0, rules.varying)
        while end < len(node) and node[end] == j:
            end += 1
        numbered(held, (begin, end))
        while True:
            c, found, drawn, enough = next_column(held, (begin, end), (j, sizes[j]), turn, rules, keys[j], places)
            if found == 0:
                break
            ranks[c], turn = turn[0], (turn[0] + 1, drawn, enough)
        begin = end


@kernel
def _walk(held, n, totals, samples, limits, out):  # type: ignore[no-untyped-def]
    """Write the thresholds of one column of a node, from place ``out.written``; return how many there are then."""
    (left, right, low, high, _, _, written), (codes, weights), local = out, samples, held.local
    zeros, seen, whole, heavy, blank, m = totals.copy(), np.zeros(len(totals)), totals.sum(), 0.0, 0.0, 0
    for i in range(n):
        if local[U(i)] >> LOW != 0:
            row = U(local[U(i)] & ROW)
            zeros[U(codes[row])] -= weights[row]
    blank = zeros.sum()
    for i in range(n - 1):
        key, above = local[U(i)] >> LOW, local[U(i + 1)] >> LOW
        if key == 0:
            seen += zeros
            heavy += blank
            m += limits[0] - n + 1
        else:
            row = U(local[U(i)] & ROW)
            seen[U(codes[row])] += weights[row]
            heavy += weights[row]
            m += 1
        if above != key and is_tried(m, heavy, limits, whole):
            left[:, written] = seen
            right[:, written] = totals - seen
            low[written], high[written] = key, above
            written += 1
    return written


@kernel
def thresholds_of_cells(held, pairs, nodes, samples, rules, some, out):  # type: ignore[no-untyped-def]
    """Write the thresholds of columns ``some[0]`` to ``some[1]``, those that are tried; return how many there are.

    ``pairs`` are the node of each column and its rank there (-1: it is not tried); ``nodes`` are sizes, class
    weights, keys of draws, and whether thresholds are random; ``samples`` classes and weights by row. ``out`` are
    class weights on both sides, keys around the threshold, the column, and the threshold if it is random.
    """
    (node, ranks), (sizes, totals, keys, random), written = pairs, nodes, 0
    for c in range(some[0], some[1]):
        j, begun = node[c], written
        if ranks[c] >= 0:
            n = cells_of(held, c, j, sizes[j])
            limits = sizes[j], rules.leaf, rules.lightest, only_tried(held, c, n, sizes[j], keys[j], random)
            ends = held.local[0] >> LOW, held.local[n - 1] >> LOW
            cut = cut_of(held, c, ends, keys[j], random)
            left, right, low, high, column, cuts = out
            written = _walk(held, n, totals[j], samples, limits, (left, right, low, high, column, cuts, written))
            for i in range(begun, written):
                column[i], cuts[i] = c, cut
    return written
