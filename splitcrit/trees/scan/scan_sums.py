"""Scores that combine the sums over the classes of both sides, kept up sample by sample.

Layout: ``order[start:stop]`` are entries ``index << bits | class`` of a node (``Segment``); ``phi[n]`` is what a class
with ``n`` samples adds to a side, and ``table`` is by the size of a side.
Invariant: before place ``i`` is looked at, ``left`` and ``right`` are the sums over the classes of what lies left of
it, ``seen``, and of the rest. A place costs one step of each sum, whatever the number of classes.

*Blocks* of two classes. Let ``z`` of the first class and ``s`` of the second lie on the left. Where the criterion is
the decrease of a concave impurity, a settled theorem, the score of ``(z, s)`` is at most the larger of ``(z', s)`` and
``(z, s')`` for all that lies from ``(z, s)`` to ``(z', s')``: a block of places whose two corners fall short of the
best so far is counted, and not scored.

Main definitions: ``by_sums`` (a scan of one column), ``of_split`` (one split), ``numbers_of_sums`` (what a node needs).
Proved: gain.block_gains_at_most_a_corner_of_concave_impurity.
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import addressed, called, inlined
from splitcrit.impurities.search_declaration import DIFFERENCE, POWER, RATIO
from splitcrit.trees.scan.scan_common import U, clear, counted_in, parted, step_of, summed
from splitcrit.trees.scan.ties_and_scores import TIE

FEWEST, BLOCK = 64, 32  # samples of a node that is read by blocks, and places of a block
ROUNDING = 1e-12  # of the sums, far above what rounding may add to a score


@inlined
def combined(kind, left, right, m, rest, table, power):  # type: ignore[no-untyped-def]
    """Combine the sums over classes of both sides, of sizes ``m`` and ``rest``."""
    if kind == RATIO:
        return left * table[U(m)] + right * table[U(rest)]
    if kind == DIFFERENCE:
        return (left - table[U(m)]) + (right - table[U(rest)])
    if kind == POWER:
        return left**power + right**power
    return -(np.sqrt(max(table[U(m)] - left, 0.0)) + np.sqrt(max(table[U(rest)] - right, 0.0)))


@called(_nrt=False)
def of_split(way, data, seen, totals):  # type: ignore[no-untyped-def]
    """The combined sums of the split of a node with class counts ``totals`` that has ``seen`` on the left.

    After them come the sizes of the left side and of the node. ``way`` is the kind of ``combined``.
    """
    left, right, m, size = 0.0, 0.0, 0, 0
    for c in range(len(seen)):
        left += data.phi[U(seen[U(c)])]
        right += data.phi[U(totals[U(c)] - seen[U(c)])]
        m += seen[U(c)]
        size += totals[U(c)]
    return combined(way, left, right, m, size - m, data.table, data.power), m, size


@inlined
def _of_two(data, z, s, totals):  # type: ignore[no-untyped-def]
    """The score with ``z`` and ``s`` of two classes on the left, one of them at least."""
    phi, zeros, ones = data.phi, totals[0] - z, totals[1] - s
    left, right = phi[U(z)] + phi[U(s)], phi[U(zeros)] + phi[U(ones)]
    return combined(data.kind, left, right, z + s, zeros + ones, data.table, data.power)


@addressed
def by_sums(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """The best score (``floor`` is infinite) or the first place whose score reaches ``floor``.

    A place is one of the node even if none reached ``floor``, as where a criterion is said to be concave and is not.
    Blocks are compared with the best score of all columns of the node so far: of a column whose best is smaller by more
    than a tie, a smaller score may be returned.
    """
    order, column, start, stop, bits, least, _ = segment
    totals, seen, behind = node.counts, scratch.seen, scratch.behind
    kind, phi, table, power = data.kind, data.phi, data.table, data.power
    mask = (1 << bits) - 1
    size, last = stop - start, stop - least
    by_blocks = data.convex and size >= FEWEST
    step = BLOCK if by_blocks else size
    clear(seen)
    left, right, top, best_place = 0.0, node.sums, -np.inf, start
    if kind == POWER:
        # Roots magnify what subtraction leaves of a large sum: powers are added up from the right end, too.
        for i in range(stop - 1, start, -1):
            _, n = counted_in(order, i, mask, seen)
            left += step_of(phi, n)
            behind[U(i - 1)] = left
        clear(seen)
        left = 0.0
    for first in range(start, last, step):
        beyond = min(first + step, last)
        # The first block, one of whose corners may lie at an empty side, is always scored.
        if by_blocks and first > start:
            ones = np.uint32(0)
            for i in range(first, beyond):
                ones += np.uint32(order[U(i)]) & np.uint32(1)
            z, s, high_s = seen[0], seen[1], seen[1] + np.int64(ones)
            high_z = z + (beyond - first) - np.int64(ones)
            wanted = floor if floor < np.inf else max(node.constants[0], top)
            if max(_of_two(data, high_z, s, totals), _of_two(data, z, high_s, totals)) < wanted - node.constants[1]:
                seen[0], seen[1] = high_z, high_s
                continue
            # From the table, so that rounding does not add up from block to block.
            left, right = phi[U(z)] + phi[U(s)], phi[U(totals[0] - z)] + phi[U(totals[1] - s)]
        for i in range(first, beyond):
            c, n = counted_in(order, i, mask, seen)
            m = i - start + 1
            left += step_of(phi, n)
            right = behind[U(i)] if kind == POWER else right - step_of(phi, totals[U(c)] - n - 1)
            score = combined(kind, left, right, m, size - m, table, power)
            if score > top and m >= least and parted(order, column, i, bits):
                top, best_place = score, i
                if score >= floor:
                    return float(i)
    node.constants[0] = max(node.constants[0], top)
    return top if floor == np.inf else float(best_place)


@addressed
def numbers_of_sums(data, totals, constants):  # type: ignore[no-untyped-def]
    """The size of a node, the sum over its classes, base and rate of its scores, and the width of a tie.

    ``constants`` get the best score so far, and by how much a block must fall short of it: a tie, and rounding.
    """
    n, _, sums = summed(data.phi, totals)
    rate, pure, scale = data.unit / n, 0.0, float(n)
    if data.kind == RATIO:
        base, pure, scale = sums * data.table[n], float(n), data.phi[n] * data.table[n]
    elif data.kind == DIFFERENCE:
        base, scale = sums - data.table[n], data.phi[n]
    elif data.kind == POWER:
        base, pure = sums**data.power, float(n)
    else:
        base = -np.sqrt(max(data.table[n] - sums, 0.0))
    tie = data.tie * TIE * abs(pure - base)
    constants[0], constants[1] = -np.inf, 2 * tie + ROUNDING * abs(scale)
    return n, sums, base, rate, tie * rate
