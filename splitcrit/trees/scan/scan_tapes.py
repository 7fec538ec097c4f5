"""A decrease of an impurity whose formula is a tape: stretches of thresholds are scored together.

Where the impurity is a minimised risk and not negative at the vertices, ``n phi`` grows with every class count, by
``(n + 1) phi >= n phi + phi(vertex)`` (concavity and homogeneity). Between two places that were scored the left side is
at least the left side of the first, the right side at least the right side of the second. So some places of a large
node are scored first, and between two of them only where the best is in reach.

Main definitions: ``by_taped`` (a scan of one column), ``numbers_of_taped`` (what a node needs).
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import addressed, called, inlined
from splitcrit.trees.scan.pruning import ROUNDING
from splitcrit.trees.scan.scan_common import U, clear, parted
from splitcrit.trees.scan.tapes_compiled import STRETCH, all_steps
from splitcrit.trees.scan.ties_and_scores import TIE

MIDDLE, LARGE = 128, 2048  # samples of nodes of which every 4th place is scored first, or every 8th
SIZE, PART, NODE = range(3)  # what a tape puts out of a side: its size, that times its impurity, its impurity


@inlined
def _output(data, which):  # type: ignore[no-untyped-def]
    """Return the start of the numbers of an output of the tape."""
    return int(data.steps[which]) * STRETCH


@inlined
def _waiting(data):  # type: ignore[no-untyped-def]
    """Return the start of the places that wait to be scored; sizes and parts of their left sides follow."""
    return len(data.table) - 3 * STRETCH


@inlined
def _wait(data, seen, place, turn):  # type: ignore[no-untyped-def]
    """Let a place wait, whose left side has the class counts ``seen``."""
    for c in range(len(seen)):
        data.table[U(c * STRETCH + turn)] = seen[U(c)]
    data.table[U(_waiting(data) + turn)] = place


@called(_nrt=False)
def _score(segment, node, data, count, top, floor):  # type: ignore[no-untyped-def]
    """Score the first places that wait; return the best score, and the first place that reaches the floor or -1.

    ``top`` is the best score so far. A score that is no number is left out, and ``data.phi`` tells.
    """
    order, column, start, stop, bits, least = segment
    flat, at, chosen = data.table, _waiting(data), -1
    size, part = _output(data, SIZE), _output(data, PART)
    all_steps(data.sides, flat, count)
    for i in range(count):
        flat[U(at + STRETCH + i)], flat[U(at + 2 * STRETCH + i)] = flat[U(size + i)], flat[U(part + i)]
    for c in range(len(node.counts)):
        for i in range(count):
            flat[U(c * STRETCH + i)] = node.counts[U(c)] - flat[U(c * STRETCH + i)]
    all_steps(data.sides, flat, count)
    for i in range(count):
        n, place = flat[U(at + STRETCH + i)] + flat[U(size + i)], int(flat[U(at + i)])
        score = (n * node.sums - (flat[U(at + 2 * STRETCH + i)] + flat[U(part + i)])) / n
        if np.isnan(score):
            data.phi[0] = 1.0
        if score > top and start + least <= place + 1 <= stop - least and parted(order, column, place, bits):
            top = score
            if score >= floor:
                chosen = place
                break
    return top, chosen


@called(_nrt=False)
def _scored_first(segment, node, data, scratch, stride):  # type: ignore[no-untyped-def]
    """Score every ``stride``-th place; return the best score, and their number if parts of sides grow with them, or 0.

    ``scratch.behind`` gets the parts of the left sides, then of the right ones.
    """
    order, start, stop, bits = segment.order, segment.start, segment.stop, segment.bits
    seen, behind, top = scratch.seen, scratch.behind, -np.inf
    some, count, left, right = (stop - start - 1) // stride, 0, _waiting(data) + 2 * STRETCH, _output(data, PART)
    clear(seen)
    for i in range(some * stride):
        seen[U(order[U(start + i)] & ((1 << bits) - 1))] += 1
        if (i + 1) % stride == 0:
            _wait(data, seen, start + i, count)
            count += 1
        if count == STRETCH or (count > 0 and i + 1 == some * stride):
            top, _ = _score(segment, node, data, count, top, np.inf)
            first = (i + 1) // stride - count
            for turn in range(count):
                behind[U(first + turn)] = data.table[U(left + turn)]
                behind[U(some + first + turn)] = data.table[U(right + turn)]
            count = 0
    for j in range(some - 1):
        before, slack = some + j, 1 - ROUNDING
        if not (behind[j + 1] >= slack * behind[j] and behind[before] >= slack * behind[before + 1]):
            return top, 0
    return top, some


@addressed
def by_taped(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite) or the first place whose score reaches ``floor``.

    What cannot come within a tie of the best of the node, ``node.constants[0]``, may be given less.
    """
    order, column, start, stop, bits, least = segment
    seen, behind = scratch.seen, scratch.behind
    size, some, count, alive, top = stop - start, 0, 0, True, -np.inf
    stride = 8 if size >= LARGE else 4 if size >= MIDDLE else size
    if stride < size and data.power > 0:
        top, some = _scored_first(segment, node, data, scratch, stride)
    wanted = max(top, node.constants[0]) - TIE * node.sums
    if floor < np.inf:
        top, wanted = -np.inf, floor
    reach = (node.sums * (1 + ROUNDING) - wanted) * size  # what the parts of both sides may add up to
    clear(seen)
    for i in range(start, stop - least):
        seen[U(order[U(i)] & ((1 << bits) - 1))] += 1
        if some > 0 and (i - start) % stride == 0:
            j = (i - start) // stride
            alive = (behind[U(j - 1)] if j > 0 else 0.0) + (behind[U(some + j)] if j < some else 0.0) <= reach
        if alive and i - start + 1 >= least and parted(order, column, i, bits):
            _wait(data, seen, i, count)
            count += 1
        if count == STRETCH or (count > 0 and i + 1 == stop - least):
            top, chosen = _score(segment, node, data, count, top, floor)
            count = 0
            if chosen >= 0:
                return float(chosen)
    node.constants[0] = max(node.constants[0], top)
    return top


@addressed
def numbers_of_taped(data, totals, constants):  # type: ignore[no-untyped-def]
    """Return the size of a node, its impurity, base and rate of its scores, and the width of a tie."""
    n = 0
    for c in range(len(totals)):
        n += totals[c]
        data.table[c * STRETCH] = totals[c]
    all_steps(data.sides, data.table, np.int64(1))
    whole = data.table[_output(data, NODE)]
    constants[0] = -np.inf
    return n, whole, 0.0, 1.0, TIE * abs(whole)
