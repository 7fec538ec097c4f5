"""What belongs to a node in a compiled scan of its thresholds: its size, sums over classes, and the scale of scores.

Main definitions: ``numbers_of_node``, ``best_of_codes``; ``score_of_counts``, for one split by any criterion that is
data.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, inlined, kernel
from splitcrit.impurities.search_declaration import SUMS, TAIL
from splitcrit.trees.scan.pointers import call_numbers, call_prepared, call_scan
from splitcrit.trees.scan.records import FORMULA, Segment, Totals
from splitcrit.trees.scan.scan_formula import formula_of_split
from splitcrit.trees.scan.scan_pvalues import tail
from splitcrit.trees.scan.scan_standardised import independent, standardised, way_of
from splitcrit.trees.scan.scan_sums import of_split


@called
def score_of_counts(data, seen, counts, constants):
    """The raw score of the split of a node with these class counts that has ``seen`` on the left."""
    if data.kind == FORMULA:
        return formula_of_split(data, seen, counts)
    sums, m, n = of_split(way_of(data), data, seen, counts)
    if data.kind in SUMS:
        return sums
    if data.kind != TAIL:
        return standardised(data, sums, m, n, constants)
    return tail(sums - constants[0], constants[1], independent(m, n, data.table, constants), -np.inf)


@inlined
def numbers_of_node(scorer, counts, start, constants, behind):
    """The size of a node that begins at ``start``, and its sum, base, rate and width; prepare its scans."""
    size, sums, base, rate, width = call_numbers(scorer.numbers, scorer.data, counts, constants)
    if scorer.prepared:
        call_prepared(scorer.prepared, scorer.data, start, start + size, constants, behind)
    return size, sums, base, rate, width


@kernel(_nrt=False)
def best_of_codes(source, totals, scorer, constants, scratch):
    """The best score of a threshold on the one column of ``source`` (``Orders``), all of which is a node."""
    order, column = source.orders[0], source.columns[0]
    n, sums, base, rate, _ = numbers_of_node(scorer, totals, 0, constants, scratch.behind)
    segment, node = Segment(order, column, 0, n, source.bits, 1, source.weights), Totals(totals, sums, constants)
    return (call_scan(scorer.scan, segment, node, scorer.data, np.inf, scratch) - base) * rate
