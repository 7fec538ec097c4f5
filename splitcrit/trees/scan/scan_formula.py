"""Scores of any formula: the one scan of all criteria that are not known to follow from sums.

Layout: ``order[start:stop]`` are entries ``index << bits | class`` of a node (``Segment``); ``data.table`` holds the
class weights of both sides, float64, the left ones first, as the code of the formula reads them (``formula_code``).
Invariant: before a place is looked at, the left ones are those of what lies left of it, the right ones those of the
rest; counts, and weights in some unit (``SampleWeights``), are integers, so that both are exact. A place where the
value changes costs the formula, any other two additions.

Two classes are read by blocks where a settled theorem says "concave", as in ``scan_sums``.

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
from splitcrit.trees.scan.scan_sums import BLOCK, ROUNDING
from splitcrit.trees.scan.ties_and_scores import TIE


@inlined
def _score(data, left, right):
    """The raw score of both sides; a score that is no number is noted."""
    if data.power > 0:  # a decrease
        score = -(call_formula(data.formula, left) + call_formula(data.formula, right))
    else:
        score = call_formula(data.formula, data.table)
    if np.isnan(score):
        data.phi[0] = 1.0
    return score


@inlined
def _units_of(units, entry, bits, within):
    """What the sample of an entry counts."""
    return np.float64(units[U((np.int64(entry) >> bits) & within)]) if len(units) > 0 else 1.0


@inlined
def _move(left, right, c, weight):
    """Move some weight of a class to the left."""
    left[U(c)] += weight
    right[U(c)] -= weight


@called(_nrt=False)
def formula_of_split(data, seen, totals):
    """The raw score of the split of a node with class counts ``totals`` that has ``seen`` on the left."""
    classes = len(totals)
    left, right = data.table[:classes], data.table[classes:]
    for c in range(classes):
        left[U(c)] = seen[U(c)] * data.unit
        right[U(c)] = (totals[U(c)] - seen[U(c)]) * data.unit
    return _score(data, left, right)


@addressed
def by_formula(segment, node, data, floor, scratch):
    """The best score (``floor`` is infinite) or the first place whose score reaches ``floor``.

    A place is one of the node even if none reached ``floor``, and blocks are compared, as in ``scan_sums.by_sums``.
    """
    order, column, start, stop, bits, least, (units, shift, light) = segment
    classes, mask, unit, top = len(node.counts), (1 << bits) - 1, data.unit, -np.inf
    whole, heavy, place, shift = 0, 0.0, start, shift if len(units) > 0 else bits
    within = (1 << (shift - bits)) - 1 if shift > bits else -1  # of an entry: its place among units
    left, right, last, begin = data.table[:classes], data.table[classes:], stop - least, start + least - 1
    step = BLOCK if data.convex else stop - start
    for c in range(classes):
        left[U(c)] = 0.0
        right[U(c)] = node.counts[U(c)] * unit
        whole += node.counts[U(c)]
    for first in range(start, last, step):
        beyond = min(first + step, last)
        if data.convex and first > start:
            # The block holds weight z, s of it in the second class. Its two corners: all zeros moved, then all ones.
            z, s = 0.0, 0.0
            for i in range(first, beyond):
                count = _units_of(units, order[U(i)], bits, within)
                s += count * np.float64(order[U(i)] & mask)
                z += count
            wanted = floor if floor < np.inf else max(node.constants[0], top)
            _move(left, right, 0, (z - s) * unit)
            corner = _score(data, left, right)
            _move(left, right, 0, (s - z) * unit)
            _move(left, right, 1, s * unit)
            if max(corner, _score(data, left, right)) < wanted - node.constants[1]:
                # Passed over: with the ones, which are moved already, the whole block lies on the left.
                _move(left, right, 0, (z - s) * unit)
                heavy += z
                continue
            _move(left, right, 1, -s * unit)
        for i in range(first, beyond):
            k, count = U(order[U(i)] & mask), _units_of(units, order[U(i)], bits, within)
            heavy += count
            _move(left, right, k, count * unit)
            if i >= begin and parted(order, column, i, shift) and (light <= 0 or min(heavy, whole - heavy) >= light):
                score = _score(data, left, right)
                if score > top:
                    top, place = score, i
                    if score >= floor:
                        return float(i)
    node.constants[0] = max(node.constants[0], top)
    return top if floor == np.inf else float(place)


@addressed
def numbers_of_formula(data, totals, constants):
    """The size of a node, a sum that is not used, base and rate of its scores, and the width of a tie."""
    n = np.int64(0)
    for c in range(len(totals)):
        n += totals[c]
        data.table[c] = totals[c] * data.unit
    if data.power > 0:
        whole, size = call_formula(data.formula, data.table), n * data.unit
        constants[0], constants[1] = -np.inf, 2 * TIE * abs(whole) + ROUNDING * (abs(whole) + size)
        return n, 0.0, -whole, 1.0 / size, TIE * abs(whole) / size
    scale = call_formula(data.scale, data.table) if data.scale else 1.0
    return n, 0.0, 0.0, 1.0, TIE * scale
