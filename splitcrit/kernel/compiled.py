"""Compiled loops over sorted columns: sort once, scan to class counts, partition stably. No formula lives here.

An entry of an order packs ``index << bits | class``, so that a scan reads one array from front to back. A node is a
segment of every order, ``starts[j]`` to ``starts[j + 1]``. What the loops do is stated by ``plain``, which does the
same in numpy. They are compiled on first use, which takes some seconds, and kept on disk.

Main definitions: ``sort_columns``, ``scan_forms``, ``first_in_band``, ``fill``, ``lift``, ``partition``.
"""

from __future__ import annotations

import numba
import numpy as np

RATIO, DIFFERENCE, ROOT = 0, 1, 2  # how a sum over classes and a size combine to one side of a score


@numba.njit(cache=True, nogil=True)
def _radix_order(keys, order, spare, histogram):  # type: ignore[no-untyped-def]
    """Sort ``order`` by 32-bit keys, three stable passes of 11 bits."""
    n = len(keys)
    for shift in (0, 11, 22):
        histogram[:] = 0
        for i in range(n):
            histogram[(keys[order[i]] >> shift) & 2047] += 1
        total = 0
        for b in range(2048):
            here = histogram[b]
            histogram[b] = total
            total += here
        for i in range(n):
            value = order[i]
            b = (keys[value] >> shift) & 2047
            spare[histogram[b]] = value
            histogram[b] += 1
        order, spare = spare, order
    return order


@numba.njit(cache=True, nogil=True)
def sort_columns(keys, codes, bits, out):  # type: ignore[no-untyped-def]
    """Fill ``out[f]`` with packed entries in the order of each column's keys; equal keys keep their row order."""
    d, n = out.shape
    order, spare = np.empty(n, np.int64), np.empty(n, np.int64)
    histogram = np.empty(2048, np.int64)
    for f in range(d):
        for i in range(n):
            order[i] = i
        found = _radix_order(keys[f], order, spare, histogram)
        for i in range(n):
            index = found[i]
            out[f, i] = (index << bits) | codes[index]


@numba.njit(cache=True, nogil=True, inline="always")
def _combined(form, left, right, m, rest, table):  # type: ignore[no-untyped-def]
    if form == RATIO:
        return left * table[m] + right * table[rest]
    if form == DIFFERENCE:
        return (left - table[m]) + (right - table[rest])
    return -(np.sqrt(max(table[m] - left, 0.0)) + np.sqrt(max(table[rest] - right, 0.0)))


@numba.njit(cache=True, nogil=True)
def scan_forms(orders, columns, starts, totals, sums, steps, table, form, bits, least, drawn, best):  # type: ignore[no-untyped-def]
    """Set ``best[f, j]`` to the best score of a threshold on column ``f`` in node ``j``; -inf if there is none.

    ``steps[n]`` is what one more sample adds to the sum over classes of a class that has ``n``; ``table[m]`` is what
    the size of a side contributes; ``least`` is the smallest side allowed.
    """
    classes = totals.shape[1]
    mask = (1 << bits) - 1
    seen = np.empty(classes, np.int64)
    for f in range(len(orders)):
        order, column = orders[f], columns[f]
        for j in range(len(starts) - 1):
            best[f, j] = -np.inf
            if not drawn[j % len(drawn), f]:
                continue
            start, stop = starts[j], starts[j + 1]
            size = stop - start
            seen[:] = 0
            left, right, top = 0.0, sums[j], -np.inf
            for i in range(start, stop - least):
                c = order[i] & mask
                n = seen[c]
                left += steps[n]
                seen[c] = n + 1
                right -= steps[totals[j, c] - n - 1]
                m = i - start + 1
                score = _combined(form, left, right, m, size - m, table)
                if score > top and m >= least and column[order[i] >> bits] != column[order[i + 1] >> bits]:
                    top = score
            best[f, j] = top


@numba.njit(cache=True, nogil=True)
def first_in_band(orders, columns, starts, totals, sums, steps, table, form, bits, least, chosen, floor, found):  # type: ignore[no-untyped-def]
    """Set ``found[j]`` to the first place on column ``chosen[j]`` whose score reaches ``floor[j]``; -1 if none does."""
    classes = totals.shape[1]
    mask = (1 << bits) - 1
    seen = np.empty(classes, np.int64)
    for j in range(len(starts) - 1):
        found[j] = -1
        if chosen[j] < 0:
            continue
        order, column = orders[chosen[j]], columns[chosen[j]]
        start, stop = starts[j], starts[j + 1]
        seen[:] = 0
        left, right = 0.0, sums[j]
        for i in range(start, stop - least):
            c = order[i] & mask
            n = seen[c]
            left += steps[n]
            seen[c] = n + 1
            right -= steps[totals[j, c] - n - 1]
            m = i - start + 1
            score = _combined(form, left, right, m, stop - start - m, table)
            if score >= floor[j] and m >= least and column[order[i] >> bits] != column[order[i + 1] >> bits]:
                found[j] = i
                break


@numba.njit(cache=True, nogil=True)
def fill(order, column, starts, totals, weights, bits, least, lightest, wanted, state, seen, left, right, node, place):  # type: ignore[no-untyped-def]
    """Write class weights of both sides of the next thresholds of one column; return how many were written.

    ``state`` is (node, position) where to go on, ``seen`` the class weights left of it; the arrays' length is the most
    that is written. A threshold is left out where its neighbours are equal, a side has fewer than ``least`` samples, or
    less weight than ``lightest``.
    """
    classes, capacity = left.shape
    mask = (1 << bits) - 1
    weighted = len(weights) > 0
    written = 0
    j, i = state[0], state[1]
    while j < len(starts) - 1:
        start, stop = starts[j], starts[j + 1]
        if i == start:
            seen[:] = 0.0
        if wanted[j % len(wanted)]:
            while i < stop - least:
                if written == capacity:
                    state[0], state[1] = j, i
                    return written
                value = order[i]
                seen[value & mask] += weights[value >> bits] if weighted else 1.0
                if i - start + 1 >= least and column[value >> bits] != column[order[i + 1] >> bits]:
                    on_left, on_right = 0.0, 0.0
                    for c in range(classes):
                        left[c, written] = seen[c]
                        right[c, written] = totals[j, c] - seen[c]
                        on_left += seen[c]
                        on_right += totals[j, c] - seen[c]
                    if on_left >= lightest and on_right >= lightest:
                        node[written] = j
                        place[written] = i
                        written += 1
                i += 1
        j += 1
        i = stop
    state[0], state[1] = j, i
    return written


@numba.njit(cache=True, nogil=True)
def lift(scores, node, written, best):  # type: ignore[no-untyped-def]
    """Raise ``best[node]`` to the largest score of each node."""
    for i in range(written):
        if scores[i] > best[node[i]]:
            best[node[i]] = scores[i]


@numba.njit(cache=True, nogil=True)
def first_above(scores, node, place, written, floor, found):  # type: ignore[no-untyped-def]
    """Set ``found[node]`` to the first place whose score reaches the node's floor, if it has none yet."""
    for i in range(written):
        if found[node[i]] < 0 and scores[i] >= floor[node[i]]:
            found[node[i]] = place[i]


@numba.njit(cache=True, nogil=True)
def count_left(orders, starts, chosen, places, weights, bits, side, lefts):  # type: ignore[no-untyped-def]
    """Mark ``side[index] = 1`` for samples up to each node's chosen place, and sum their class weights in ``lefts``."""
    mask = (1 << bits) - 1
    weighted = len(weights) > 0
    for j in range(len(starts) - 1):
        if chosen[j] < 0:
            continue
        order = orders[chosen[j]]
        for i in range(starts[j], starts[j + 1]):
            value = order[i]
            index = value >> bits
            if i <= places[j]:
                side[index] = 1
                lefts[j, value & mask] += weights[index] if weighted else 1.0
            else:
                side[index] = 0


@numba.njit(cache=True, nogil=True)
def partition(orders, starts, side, dest, step, bits, out):  # type: ignore[no-untyped-def]
    """Write each node's entries to its children's places, in order; a closed child has step 0 and a place to waste."""
    place = np.empty(2, np.int64)
    for f in range(len(orders)):
        order, target = orders[f], out[f]
        for j in range(len(starts) - 1):
            place[0], place[1] = dest[j, 0], dest[j, 1]
            step0, step1 = step[j, 0], step[j, 1]
            if step0 + step1 == 0:
                continue
            for i in range(starts[j], starts[j + 1]):
                value = order[i]
                s = side[value >> bits]
                target[place[s]] = value
                place[s] += step1 if s else step0
