"""A whole tree in one compiled loop that sorts, at each node, the features that are drawn there.

A forest draws few features a node, so that keeping all columns sorted costs more than sorting the drawn ones, by ranks
that are found once for all trees. A tree has a list of entries ``index << low | (count - 1) << bits | class``, one for
each sample that it counts ``count`` times; a node is a segment of it.

Main definitions: ``dense_ranks``, ``grow_drawn``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth import nodes_compiled as nodes
from splitcrit.impurities.forms import LOOKED_UP
from splitcrit.search.constants_compiled import CONSTANTS, numbers
from splitcrit.search.jit import kernel
from splitcrit.search.scans_compiled import by_table, prepared, scored
from splitcrit.search.segments_compiled import Segment, U

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


@kernel
def grow_drawn(ranks, columns, entries, bits, low, totals, form, rules, key, drawn):  # type: ignore[no-untyped-def]
    """Return links and reals of a tree; ``entries`` are shared out in place. See ``nodes_compiled``."""
    d, n, heavy, classes = len(ranks), len(entries), np.int64(totals.sum()), len(totals)
    behind = np.empty(heavy)
    search = (
        np.empty(classes, np.int64),
        behind,
        np.zeros(CONSTANTS),
        np.empty(d),
        np.empty(d, np.uint64),
        np.empty(d, np.int64),
    )
    flips = np.empty(heavy, columns.dtype)
    for i in range(heavy):
        flips[i] = i & 1
    rooms = np.empty((3, n), entries.dtype), np.empty((2, heavy), entries.dtype), flips, np.empty(2048, np.int64)
    counts = np.empty(classes, np.int64)
    links, reals = nodes.begin(totals, n, key)
    at, made = np.int64(0), np.int64(1)  # not literals, for which numba would compile once more
    while True:
        if made == len(links):
            links, reals = nodes.longer(links), nodes.longer(reals)
        if not nodes.is_leaf(links, reals, at, rules, counts):
            node = entries[links[at, nodes.START] : links[at, nodes.START] + links[at, nodes.SIZE]]
            key = np.uint64(links[at, nodes.KEY])
            f, cut, above = _best_cut(ranks, node, bits, low, counts, form, rules, key, drawn, search, rooms)
            if f >= 0:
                links[at, nodes.FEATURE] = f
                size, under, over = _share_out(node, ranks[f], cut, above, bits, low, rooms[0][0], reals[made])
                links[made, nodes.SIZE], reals[at, 0] = size, nodes.between(columns[f, under], columns[f, over])
        if not nodes.advance(links, reals, at, made):
            return links[:made], reals[:made]
        at = made
        made += 1


@kernel
def _best_cut(ranks, node, bits, low, counts, form, rules, key, drawn, search, rooms):  # type: ignore[no-untyped-def]
    """Return the feature of the split that the tie rule chooses (-1: none pays), the last rank on its left, the next.

    Each drawn feature is sorted and scanned for its best score; the one that leads stays sorted for the second scan,
    for the first place that ties with the best.
    """
    seen, behind, constants, best, lots, tried = search
    keys, orders, flips, histogram = rooms
    heavy, sums, base, rate, width = numbers(form, counts, constants)
    prepared(form, 0, heavy, constants, behind)
    top, lead, floor, chosen, varied = -np.inf, -np.inf, np.inf, False, False
    turn, leader, kept, work = 0, -1, 0, 1  # which rows of ``keys`` and ``orders`` the leader has, and the next one
    if drawn > 0:
        nodes.shuffle(key, lots)
    while True:
        if not chosen:
            tried[turn] = nodes.draw_next(lots) if drawn > 0 else turn
        f, found = tried[turn], -np.inf
        if chosen and f == leader:
            work = kept
        else:
            cuts = _sort(ranks[f], node, bits, low, rules, heavy, keys[work], keys[2], histogram, orders[work])
            varied |= cuts >= 0
        if chosen or cuts > 0:
            segment = Segment(orders[work], flips, 0, heavy, counts, bits, 1)
            if form.kind == LOOKED_UP:
                found = by_table(segment, form.sides, floor)
            else:
                found = scored(segment, form, sums, constants, floor, (seen, behind))
        if chosen:
            i = _key_at(keys[work], np.int64(found), bits, low)
            return f, np.int64(keys[work, i] >> low), np.int64(keys[work, i + 1] >> low)
        best[turn], top = found, max(top, found)
        if (found - lead) * rate > width:
            kept, work, lead, leader = work, kept, found, f
        turn += 1
        if turn == len(ranks) or (drawn > 0 and varied and turn >= drawn):
            if not nodes.pays((top - base) * rate, width, rules[3]):
                return -1, 0, 0
            floor, chosen = nodes.floor_of(top, base, rate, width), True
            turn = nodes.first_reaching(best, floor)


@kernel(error_model="python")
def _sort(column, node, bits, low, rules, heavy, keys, spare, histogram, order):  # type: ignore[no-untyped-def]
    """Sort a node by one column: keys ``rank << low | ...``; write its order, ``group << bits | class``.

    Groups stand between allowed thresholds. Return how many thresholds there are (-1: the column is constant).
    """
    n, mask, least, lightest = len(node), (1 << low) - 1, rules[2], rules[4]
    under, over = np.int64(column[U(node[0] >> low)]), np.int64(column[U(node[0] >> low)])
    for i in range(n):
        rank = np.int64(column[U(node[U(i)] >> low)])
        under, over = min(under, rank), max(over, rank)
        keys[U(i)] = (rank << low) | (node[U(i)] & mask)
    if under == over:
        return -1
    _sort_keys(keys, spare, n, low, under, over, histogram)
    group, place = 0, 0
    for i in range(n):
        key = np.int64(keys[U(i)])
        entry = (group << bits) | (key & ((1 << bits) - 1))
        for _ in range(((key & mask) >> bits) + 1):
            order[U(place)] = entry
            place += 1
        if i + 1 < n and key >> low != np.int64(keys[U(i + 1)]) >> low and i + 1 >= least and n - i - 1 >= least:
            group += place >= lightest and heavy - place >= lightest
    return group


@kernel(error_model="python")
def _sort_keys(keys, spare, n, low, under, over, histogram):  # type: ignore[no-untyped-def]
    """Sort ``n`` keys by ranks from ``under`` to ``over``: few by insertion, others by counting digits of the ranks."""
    if n <= FEW:
        for i in range(1, n):
            key, j = keys[U(i)], i
            while j > 0 and keys[U(j - 1)] > key:
                keys[U(j)] = keys[U(j - 1)]
                j -= 1
            keys[U(j)] = key
        return
    length, wide = 0, 5
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


@kernel(error_model="python")
def _key_at(keys, place, bits, low):  # type: ignore[no-untyped-def]
    """Return which key stands at a place of an order, where keys stand as often as they count."""
    if low == bits:
        return place
    i, mask = 0, (1 << low) - 1
    while place > (np.int64(keys[U(i)]) & mask) >> bits:
        place -= ((np.int64(keys[U(i)]) & mask) >> bits) + 1
        i += 1
    return i


@kernel(error_model="python")
def _share_out(node, column, cut, above, bits, low, spare, row):  # type: ignore[no-untyped-def]
    """Move the samples of ranks up to ``cut`` before the rest, both in order; add their class weights up in ``row``.

    Return how many they are, a sample with the rank ``cut``, and one with the rank ``above``.
    """
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
