"""Scores of any formula: the one scan of all criteria that are not known to follow from sums.

Layout: ``order[start:stop]`` are entries ``index << bits | class`` of a node (``Segment``); ``data.table`` holds the
class weights of both sides, float64, the left ones first, as the code of the formula reads them (``formula_code``).
Invariant: before a place is looked at, the left ones are those of what lies left of it, the right ones those of the
rest; counts, and weights in some unit (``SampleWeights``), are integers, so that both are exact. A place where the
value changes costs the formula, any other two additions.

Of a decrease the raw score is minus what both sides contribute, and the node's own is its base; any other formula
scores both sides at once.

Main definitions: ``by_formula`` (a scan of one column), ``formula_of_split`` (one split), ``numbers_of_formula`` (what
a node needs).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import addressed, called, inlined
from splitcrit.trees.scan.pointers import call_formula
from splitcrit.trees.scan.scan_common import U, parted
from splitcrit.trees.scan.ties_and_scores import TIE


@inlined
def _score(data, left, right):
    """Return the raw score of both sides; a score that is no number is noted."""
    if data.power > 0:  # a decrease
        score = -(call_formula(data.formula, left) + call_formula(data.formula, right))
    else:
        score = call_formula(data.formula, data.table)
    if np.isnan(score):
        data.phi[0] = 1.0
    return score


@called(_nrt=False)
def formula_of_split(data, seen, totals):
    """Return the raw score of the split of a node with class counts ``totals`` that has ``seen`` on the left."""
    classes = len(totals)
    left, right = data.table[:classes], data.table[classes:]
    for c in range(classes):
        left[U(c)] = seen[U(c)] * data.unit
        right[U(c)] = (totals[U(c)] - seen[U(c)]) * data.unit
    return _score(data, left, right)


@addressed
def by_formula(segment, node, data, floor, scratch):
    """Return the best score (``floor`` is infinite) or the first place whose score reaches ``floor``."""
    order, column, start, stop, bits, least, (units, shift, lightest) = segment
    classes, mask, unit, top = len(node.counts), (1 << bits) - 1, data.unit, -np.inf
    weighted, whole, heavy = len(units) > 0, 0, 0
    shift = shift if weighted else bits
    within = (1 << (shift - bits)) - 1 if shift > bits else -1  # of an entry: its place among units
    left, right = data.table[:classes], data.table[classes:]
    for c in range(classes):
        left[U(c)] = 0.0
        right[U(c)] = node.counts[U(c)] * unit
        whole += node.counts[U(c)]
    for i in range(start, stop - least):
        k, w = U(order[U(i)] & mask), 1.0
        if weighted:
            count = units[U((np.int64(order[U(i)]) >> bits) & within)]
            heavy += count
            w = count * unit
        left[k] += w
        right[k] -= w
        if i - start + 1 >= least and parted(order, column, i, shift):
            if weighted and (heavy < lightest or whole - heavy < lightest):
                continue
            score = _score(data, left, right)
            if score > top:
                top = score
                if score >= floor:
                    return float(i)
    return top


@addressed
def numbers_of_formula(data, totals, constants):
    """Return the size of a node, a sum that is not used, base and rate of its scores, and the width of a tie."""
    n = np.int64(0)
    for c in range(len(totals)):
        n += totals[c]
        data.table[c] = totals[c] * data.unit
    if data.power > 0:
        whole, size = call_formula(data.formula, data.table), n * data.unit
        return n, 0.0, -whole, 1.0 / size, TIE * abs(whole) / size
    scale = call_formula(data.scale, data.table) if data.scale else 1.0
    return n, 0.0, 0.0, 1.0, TIE * scale
