"""What belongs to a node in a compiled scan of its thresholds: its size, sums over classes, and the scale of scores.

Main definitions: ``numbers_of_node``, ``best_of_codes``; ``score_of_counts`` and ``numbers_of_counts``, which serve
sums over the classes and formulas.
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, inlined, kernel
from splitcrit.trees.scan.pointers import call_numbers, call_prepared, call_scan
from splitcrit.trees.scan.records import FORMULA, Segment, Totals
from splitcrit.trees.scan.scan_formula import formula_of_split, numbers_of_formula
from splitcrit.trees.scan.scan_sums import numbers_of_sums, of_split


@called(_nrt=False)
def score_of_counts(data, seen, totals):  # type: ignore[no-untyped-def]
    """Return the raw score of the split of a node with class counts ``totals`` that has ``seen`` on the left."""
    return formula_of_split(data, seen, totals) if data.kind == FORMULA else of_split(data, seen, totals)


@called(_nrt=False)
def numbers_of_counts(data, totals, constants):  # type: ignore[no-untyped-def]
    """Return size, sum, base, rate and width of a node with these class counts."""
    if data.kind == FORMULA:
        return numbers_of_formula(data, totals, constants)
    return numbers_of_sums(data, totals, constants)


@inlined
def numbers_of_node(scorer, counts, start, constants, behind):  # type: ignore[no-untyped-def]
    """Return the size of a node that begins at ``start``, and its sum, base, rate and width; prepare its scans."""
    size, sums, base, rate, width = call_numbers(scorer.numbers, scorer.data, counts, constants)
    if scorer.prepared:
        call_prepared(scorer.prepared, scorer.data, start, start + size, constants, behind)
    return size, sums, base, rate, width


@kernel(_nrt=False)
def best_of_codes(source, totals, scorer, constants, scratch):  # type: ignore[no-untyped-def]
    """Return the best score of a threshold on the one column of ``source`` (``Orders``), all of which is a node."""
    order, column = source.orders[0], source.columns[0]
    n, sums, base, rate, _ = numbers_of_node(scorer, totals, 0, constants, scratch.behind)
    segment, node = Segment(order, column, 0, n, source.bits, 1), Totals(totals, sums, constants)
    return (call_scan(scorer.scan, segment, node, scorer.data, np.inf, scratch) - base) * rate
