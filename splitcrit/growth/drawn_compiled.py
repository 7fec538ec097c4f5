"""The samples of a node in one list, sorted at the node by the features that are drawn there.

A forest draws few features a node, so that keeping all columns sorted costs more than sorting the drawn ones, by ranks
that are found once for all trees. A tree has a list of entries ``index << low | (count - 1) << bits | class``, one for
each sample that it counts ``count`` times; a node is a segment of it.

Main definitions: ``dense_ranks``, ``sort_column``, ``share_out``, ``split_entries``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth import nodes_compiled as nodes
from splitcrit.jit import called, kernel
from splitcrit.search.segments_compiled import U

FEW = 48  # keys that insertion sorts faster than counting


@kernel(error_model="python")
def dense_ranks(orders, columns, bits, ranks):  # type: ignore[no-untyped-def]
    """Set ``ranks[f, i]`` to how many distinct values of column ``f`` lie below that of sample ``i``."""
    for f in range(len(orders)):
        order, column, rank, before = orders[f], columns[f], -1, orders[f, 0] >> bits
        for i in range(len(order)):
            index = order[i] >> bits
            rank += i == 0 or column[index] != column[before]
            ranks[f, index] = rank
            before = index


@called(_nrt=False)
def sort_keys(keys, spare, n, low, ends, histogram):  # type: ignore[no-untyped-def]
    """Sort ``n`` keys by ranks between ``ends``: few by insertion, others by counting digits of the ranks."""
    if n <= FEW:
        for i in range(1, n):
            key, j = keys[U(i)], i
            while j > 0 and keys[U(j - 1)] > key:
                keys[U(j)] = keys[U(j - 1)]
                j -= 1
            keys[U(j)] = key
        return
    (under, over), length, wide = ends, 0, 5
    while (over - under) >> length:
        length += 1
    while wide < 11 and n >> wide:
        wide += 1
    passes = (length + wide - 1) // wide
    wide = (length + passes - 1) // passes
    for turn in range(passes):
        shift, last = turn * wide, (1 << wide) - 1
        for b in range(last + 1):
            histogram[U(b)] = 0
        for i in range(n):
            histogram[U((((np.int64(keys[U(i)]) >> low) - under) >> shift) & last)] += 1
        total = 0
        for b in range(last + 1):
            here = histogram[U(b)]
            histogram[U(b)] = total
            total += here
        for i in range(n):
            key = keys[U(i)]
            b = (((np.int64(key) >> low) - under) >> shift) & last
            spare[U(histogram[U(b)])] = key
            histogram[U(b)] += 1
        keys, spare = spare, keys
    if passes & 1:  # the last pass wrote to what was spare
        for i in range(n):
            spare[U(i)] = keys[U(i)]


@called(_nrt=False)
def sort_column(source, sorting, here, heavy, f, row, rules):  # type: ignore[no-untyped-def]
    """Sort a node by one column: keys ``rank << low | ...``; write its order, ``group << bits | class``, to a row.

    Groups stand between allowed thresholds. Return how many thresholds there are (-1: the column is constant).
    """
    node, column = sorting.entries[here[0] : here[1]], sorting.ranks[f]
    keys, order = sorting.keys[row], source.orders[row]
    n, low, bits = len(node), sorting.low, source.bits
    mask = (1 << low) - 1
    under, over = np.int64(column[U(node[0] >> low)]), np.int64(column[U(node[0] >> low)])
    for i in range(n):
        rank = np.int64(column[U(node[U(i)] >> low)])
        under, over = min(under, rank), max(over, rank)
        keys[U(i)] = (rank << low) | (node[U(i)] & mask)
    if under == over:
        return -1
    sort_keys(keys, sorting.keys[2], n, low, (under, over), sorting.histogram)
    group, place, least = 0, 0, rules.leaf
    for i in range(n):
        key = np.int64(keys[U(i)])
        entry = (group << bits) | (key & ((1 << bits) - 1))
        for _ in range(((key & mask) >> bits) + 1):
            order[U(place)] = entry
            place += 1
        if i + 1 < n and key >> low != np.int64(keys[U(i + 1)]) >> low and i + 1 >= least and n - i - 1 >= least:
            group += place >= rules.lightest and heavy - place >= rules.lightest
    return group


@called(_nrt=False)
def _key_at(keys, place, bits, low):  # type: ignore[no-untyped-def]
    """Return which key stands at a place of an order, where keys stand as often as they count."""
    if low == bits:
        return place
    i, mask = 0, (1 << low) - 1
    while place > (np.int64(keys[U(i)]) & mask) >> bits:
        place -= ((np.int64(keys[U(i)]) & mask) >> bits) + 1
        i += 1
    return i


@called(_nrt=False)
def share_out(node, column, edges, shifts, spare, row):  # type: ignore[no-untyped-def]
    """Move the samples of ranks up to the lower edge before the rest, in order; add their class weights up in ``row``.

    Return how many they are, a sample with the rank of the lower edge, and one with that of the upper.
    """
    (cut, above), (bits, low) = edges, shifts
    left, right, under, over = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    classes, mask = (1 << bits) - 1, (1 << low) - 1
    for c in range(len(row)):
        row[c] = 0.0
    for i in range(len(node)):
        entry = node[U(i)]
        rank = np.int64(column[U(entry >> low)])
        s = np.int64(rank <= cut)
        row[U(1 + (entry & classes))] += s * (((np.int64(entry) & mask) >> bits) + 1)
        under = np.int64(entry >> low) if rank == cut else under
        over = np.int64(entry >> low) if rank == above else over
        node[U(left)] = entry
        spare[U(right)] = entry
        left += s
        right += 1 - s
    for i in range(right):
        node[U(left + i)] = spare[U(i)]
    return left, under, over


@called(_nrt=False)
def split_entries(source, sorting, here, cut, rows):  # type: ignore[no-untyped-def]
    """Split a node by a feature at a place of its sorted row; fill its row and that of the left child."""
    (f, place, row), (links, reals, at, made), keys, low = cut, rows, sorting.keys, sorting.low
    i = _key_at(keys[row], place, source.bits, low)
    edges = np.int64(keys[row, i] >> low), np.int64(keys[row, i + 1] >> low)
    node, column = sorting.entries[here[0] : here[1]], sorting.columns[f]
    size, under, over = share_out(node, sorting.ranks[f], edges, (source.bits, low), keys[0], reals[made])
    links[at, nodes.FEATURE], links[made, nodes.SIZE] = f, size
    reals[at, 0] = nodes.between(column[under], column[over])
