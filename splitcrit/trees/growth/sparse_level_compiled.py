"""The thresholds of columns of cells, with class weights of both sides, for criteria that are scored by their formula.

The nodes of a level stand one after the other in ``columns`` (``SparseColumns``); ``node[c]`` is the node of a column.
A column takes time in its cells, and a threshold as many steps as there are classes.

Main definitions: ``rank_columns``, ``thresholds_of_cells``.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import kernel
from splitcrit.trees.growth.cell_sources_compiled import cells_of, cut_of, next_column, number_columns, only_tried
from splitcrit.trees.scan.scan_common import U
from splitcrit.trees.scan.scan_sparse import LOW, ROW, is_tried


@kernel
def rank_columns(columns, node, sizes, keys, rules, places, ranks):
    """Set the rank of each column that is tried in the order of its node; ``sizes`` and ``keys`` are by node.

    Every feature stands in its own place.
    """
    first = 0
    while first < len(node):
        j, end, tried, drawn, enough = node[first], first, 0, 0, rules.varying
        while end < len(node) and node[end] == j:
            end += 1
        number_columns(columns, first, end)
        while True:
            c, found, drawn, enough = next_column(
                columns, first, end, j, sizes[j], tried, drawn, enough, rules, keys[j], places
            )
            if found == 0:
                break
            ranks[c] = tried
            tried += 1
        first = end


@kernel
def _walk(local, n, totals, codes, weights, size, rules, only, out, written):
    """Write the thresholds of one column of a node, from place ``written``; return the number then written."""
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
            m += size - n + 1
        else:
            row = U(local[U(i)] & ROW)
            seen[U(codes[row])] += weights[row]
            heavy += weights[row]
            m += 1
        if above != key and is_tried(m, heavy, whole, size, rules.leaf, rules.lightest, only):
            out.left[:, written] = seen
            out.right[:, written] = totals - seen
            out.low[written], out.high[written] = key, above
            written += 1
    return written


@kernel
def thresholds_of_cells(columns, node, ranks, sizes, totals, keys, random, codes, weights, rules, first, last, out):
    """Write the thresholds of columns ``first`` to ``last`` that are tried; return their number.

    ``ranks`` are those of ``rank_columns`` (-1: not tried); ``sizes``, class weights ``totals`` and ``keys`` of draws
    are by node, ``codes`` and ``weights`` by row. ``out`` is ``CellThresholds``.
    """
    written = 0
    for c in range(first, last):
        j, begun = node[c], written
        if ranks[c] >= 0:
            n = cells_of(columns, c, j, sizes[j])
            only, cut = only_tried(columns, c, n, sizes[j], keys[j], random), np.nan
            if random:
                cut = cut_of(columns, c, columns.local[0] >> LOW, columns.local[n - 1] >> LOW, keys[j])
            written = _walk(columns.local, n, totals[j], codes, weights, sizes[j], rules, only, out, written)
            for i in range(begun, written):
                out.column[i], out.cut[i] = c, cut
    return written
