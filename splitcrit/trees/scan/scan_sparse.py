"""Compiled scans of one column of cells in a node, whose zeros are one entry.

Layout: ``local[:n]`` are entries ``key << 32 | sample`` in the order of keys, all zeros of the node as one entry 0.
Invariant: ``m`` and ``heavy`` are number and weight of the samples left of the threshold, zeros among them once they
are passed. A scan takes time in the cells of the node.

Main definitions: ``kept`` (the cells of a node); ``by_classes`` and ``by_responses`` (the best threshold among them);
``is_constant``, ``on_left``, ``is_tried``, ``value_of``.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import inlined, kernel
from splitcrit.trees.scan.scan_common import U, clear, units_of_place
from splitcrit.trees.scan.scan_node import score_of_counts
from splitcrit.trees.scan.scan_poisson import deviant
from splitcrit.trees.scan.scan_squared import gained

LOW, ROW = 32, (1 << 32) - 1


@inlined
def value_of(values, key):
    """The value whose key this is: the one so many places above 0, or the float32 of these bits."""
    # values lists all values of the cells and, at the end, the place of 0 among them; empty where float32 holds them.
    if len(values) > 0:
        return values[key + np.int64(values[-1])]
    return np.float64(np.int32(key ^ ((key >> 31) & 0x7FFFFFFF)).view(np.float32))


@kernel(_nrt=False)
def kept(entries, marks, label, size, local):
    """Write ``key << 32 | sample`` of the cells of a node, in order, and 0 for its zeros; return their number.

    ``marks[row]`` is ``label << 32 | sample``, where the ``size`` samples of the node have this label. If all of them
    have cells, the node has no zeros.
    """
    # entries are one column, sorted key << 32 | row, of this node and of others; what has another label is overwritten.
    n, i = 0, 0
    while i < len(entries) and entries[U(i)] < 0:
        mark = marks[U(entries[U(i)] & ROW)]
        local[U(n)] = (entries[U(i)] & ~ROW) | (mark & ROW)
        n += mark >> LOW == label
        i += 1
    # Between the negative values and the positive ones: the place of the zeros, one entry for all of them.
    zero = n
    n += 1
    for j in range(i, len(entries)):
        mark = marks[U(entries[U(j)] & ROW)]
        local[U(n)] = (entries[U(j)] & ~ROW) | (mark & ROW)
        n += mark >> LOW == label
    if n <= size:
        local[U(zero)] = 0
        return n
    # Every sample has a cell: the place that was left for zeros is closed.
    for i in range(zero, n - 1):
        local[U(i)] = local[U(i + 1)]
    return n - 1


@inlined
def is_constant(local, n):
    """Whether all values of a node are equal."""
    return local[0] >> LOW == local[n - 1] >> LOW


@kernel(_nrt=False)
def on_left(local, n, size, cut, values):
    """Count the samples of a node with values up to a threshold."""
    number = 0
    for i in range(n):
        key = local[U(i)] >> LOW
        if value_of(values, key) <= cut:
            number += 1 if key != 0 else size - n + 1
    return number


@inlined
def is_tried(m, heavy, whole, size, least, lightest, only):
    """Whether a threshold with ``m`` samples on the left, of weight ``heavy`` of the ``whole``, leaves enough.

    ``size`` is that of the node, ``least`` and ``lightest`` are the least size and weight of a side, and ``only`` the
    one size of the left side that is tried (-1: all).
    """
    enough = min(m, size - m) >= least and min(heavy, whole - heavy) >= lightest
    return enough and (only < 0 or m == only) and whole > heavy


@kernel(_nrt=False)
def by_classes(local, n, bits, units, totals, data, size, least, lightest, only, floor, seen, zeros, constants):
    """The best score of a threshold (``floor`` is infinite) or the first to reach ``floor``, and its two keys.

    ``local`` are the ``n`` entries that ``kept`` writes; ``bits`` bits of a sample are its class, the others its place
    in ``units`` or, where these are empty, one less than how often it counts. For the limits see ``is_tried``; ``seen``
    and ``zeros`` are space for class counts.
    """
    mask, last, heavy, m, top, low, high = (1 << bits) - 1, local[n - 1] >> LOW, 0, 0, -np.inf, 0, 0
    clear(seen)
    for i in range(n):
        if local[U(i)] != 0:
            seen[U(local[U(i)] & mask)] += units_of_place(units, (local[U(i)] & ROW) >> bits)
    # What the cells leave of the node's class counts are its zeros.
    whole, blank = 0, 0
    for c in range(len(totals)):
        zeros[U(c)] = totals[U(c)] - seen[U(c)]
        whole += totals[U(c)]
        blank += zeros[U(c)]
    clear(seen)
    i, key = 0, local[0] >> LOW
    # The largest value is never left of a threshold. Zeros are passed in one step, whatever their number.
    while key < last:
        if key == 0:
            for c in range(len(totals)):
                seen[U(c)] += zeros[U(c)]
            heavy += blank
            m += size - n + 1
        else:
            often = units_of_place(units, (local[U(i)] & ROW) >> bits)
            seen[U(local[U(i)] & mask)] += often
            heavy += often
            m += 1
        i += 1
        above = local[U(i)] >> LOW
        if above != key and is_tried(m, heavy, whole, size, least, lightest, only):
            score = score_of_counts(data, seen, totals, constants)
            if score > top:
                top, low, high = score, key, above
                if score >= floor:
                    break
        key = above
    return top, low, high


@inlined
def _of_cell(entry, responses, weights, lowest):
    """What a cell adds to the sums of a side: response times weight, weight, 1 if the response is above ``lowest``."""
    number = U(entry & ROW)
    w = weights[number] if len(weights) > 0 else 1.0
    return w * responses[number], w, int(responses[number] > lowest)


@kernel(_nrt=False)
def by_responses(local, n, responses, weights, lowest, rest, blank, others, size, least, lightest, only, floor):
    """Do what ``by_classes`` does for squared error or Poisson deviance; entries have numbers of samples.

    By number there are responses, as ``centred_at`` makes them, and weights (empty: all 1). ``lowest`` is -1 for
    Poisson deviance, which wants other responses on both sides, else -inf. ``rest``, ``blank`` and ``others`` are the
    sums of the node that ``_of_cell`` adds to: of responses, of weights, and the number of responses above the lowest.
    """
    last, s, heavy, more, m, top, low, high = local[n - 1] >> LOW, 0.0, 0.0, 0, 0, -np.inf, 0, 0
    whole, some, poisson = blank, others, lowest > -np.inf
    # rest, blank and others become the sums over the zeros, once those of the cells are taken off.
    for i in range(n):
        if local[U(i)] >> LOW != 0:
            product, w, above_least = _of_cell(local[U(i)], responses, weights, lowest)
            rest, blank, others = rest - product, blank - w, others - above_least
    i, key = 0, local[0] >> LOW
    while key < last:
        if key == 0:
            s, heavy, more = s + rest, heavy + blank, more + others
            m += size - n + 1
        else:
            product, w, above_least = _of_cell(local[U(i)], responses, weights, lowest)
            s, heavy, more = s + product, heavy + w, more + above_least
            m += 1
        i += 1
        above = local[U(i)] >> LOW
        if above != key and is_tried(m, heavy, whole, size, least, lightest, only) and 0 < more < some:
            score = gained(s, heavy, whole)
            # No deviance is more than the squared error saves: the logarithm is asked for only where that could win.
            if poisson and score > top:
                score = deviant(s, heavy, whole)
            if score > top:
                top, low, high = score, key, above
                if score >= floor:
                    break
        key = above
    return top, low, high
