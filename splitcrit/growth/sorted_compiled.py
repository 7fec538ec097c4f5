"""A whole tree in one compiled loop, depth first, over columns that are sorted once.

A node is a segment of every order, which its split shares out in place, so that a small node stays in cache. The
criterion is data (``forms``), its scans are those of ``compiled``.

Main definitions: ``grow_sorted``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth import nodes_compiled as nodes
from splitcrit.impurities.forms import LOOKED_UP
from splitcrit.search.constants_compiled import CONSTANTS, numbers
from splitcrit.search.jit import kernel
from splitcrit.search.scans_compiled import by_table, prepared, scored
from splitcrit.search.segments_compiled import Segment, U


@kernel
def grow_sorted(orders, columns, bits, totals, form, rules, key, drawn):  # type: ignore[no-untyped-def]
    """Return links and reals of a tree; ``orders`` are shared out in place.

    ``form`` is what ``nodes.numbers`` takes; ``drawn`` features are tried at a node (0: all), the first by ``key``.
    """
    d, n = orders.shape
    classes, behind = len(totals), np.empty(n)
    search = np.empty(classes, np.int64), behind, np.zeros(CONSTANTS), np.empty(d), np.empty(d, np.uint64), np.arange(d)
    counts, spare, side = np.empty(classes, np.int64), np.empty(n + 1, orders.dtype), np.zeros(n, np.uint8)
    links, reals = nodes.begin(totals, n, key)
    at, made = np.int64(0), np.int64(1)  # not literals, for which numba would compile once more
    while True:
        if made == len(links):
            links, reals = nodes.longer(links), nodes.longer(reals)
        if not nodes.is_leaf(links, reals, at, rules, counts):
            start, stop = links[at, nodes.START], links[at, nodes.START] + links[at, nodes.SIZE]
            key = np.uint64(links[at, nodes.KEY])
            f, place = _best_place(orders, columns, bits, start, stop, counts, form, rules, key, drawn, search)
            if f >= 0:
                order, column = orders[f], columns[f]
                reals[at, 0] = nodes.between(column[order[place] >> bits], column[order[place + 1] >> bits])
                links[at, nodes.FEATURE], links[made, nodes.SIZE] = f, place + 1 - start
                _mark(order, start, stop, place + 1, bits, side, reals[made])
                closed = nodes.closed(links, reals, at, made, rules)
                _share_out(orders, f, start, stop, closed, bits, side, spare)
        if not nodes.advance(links, reals, at, made):
            return links[:made], reals[:made]
        at = made
        made += 1


@kernel
def _best_place(orders, columns, bits, start, stop, counts, form, rules, key, drawn, search):  # type: ignore[no-untyped-def]
    """Return the feature and the place of the split that the tie rule chooses; feature -1 if none pays.

    The features are scanned for the best score of each, then one of them for the first place that ties with the best.
    """
    seen, behind, constants, best, lots, tried = search
    _, sums, base, rate, width = numbers(form, counts, constants)
    prepared(form, start, stop, constants, behind)
    top, varied, chosen, turn, floor = -np.inf, False, False, 0, np.inf
    if drawn > 0:
        nodes.shuffle(key, lots)
    while True:
        if not chosen:
            tried[turn] = nodes.draw_next(lots) if drawn > 0 else turn
        order, column, found = orders[tried[turn]], columns[tried[turn]], -np.inf
        if column[order[start] >> bits] != column[order[stop - 1] >> bits]:
            varied, segment = True, Segment(order, column, start, stop, counts, bits, rules[2])
            if form.kind == LOOKED_UP:
                found = by_table(segment, form.sides, floor)
            else:
                found = scored(segment, form, sums, constants, floor, (seen, behind))
        if chosen:
            return tried[turn], np.int64(found)
        best[turn], top = found, max(top, found)
        turn += 1
        if turn == len(orders) or (drawn > 0 and varied and turn >= drawn):
            if not nodes.pays((top - base) * rate, width, rules[3]):
                return -1, -1
            floor, chosen = nodes.floor_of(top, base, rate, width), True
            turn = nodes.first_reaching(best, floor)


@kernel
def _mark(order, start, stop, middle, bits, side, row):  # type: ignore[no-untyped-def]
    """Mark the samples of a node that go left, those before ``middle``, and count their classes in ``row``."""
    mask = (1 << bits) - 1
    for c in range(len(row)):
        row[c] = 0.0
    for i in range(start, middle):
        side[U(order[U(i)] >> bits)] = 1
        row[U(1 + (order[U(i)] & mask))] += 1.0
    for i in range(middle, stop):
        side[U(order[U(i)] >> bits)] = 0


@kernel
def _share_out(orders, chosen, start, stop, closed, bits, side, spare):  # type: ignore[no-untyped-def]
    """Move what goes left before what goes right in every order, each in order; closed children get nothing."""
    if closed[0] and closed[1]:
        return
    for f in range(len(orders)):
        order = orders[f]
        if f == chosen:
            continue
        if closed[0]:
            right = stop - 1
            for i in range(stop - 1, start - 1, -1):
                entry = order[U(i)]
                order[U(right)] = entry
                right -= 1 - np.int64(side[U(entry >> bits)])
            continue
        left, right = start, 0
        for i in range(start, stop):
            entry = order[U(i)]
            s = np.int64(side[U(entry >> bits)])
            order[U(left)] = entry
            spare[U(right)] = entry
            left += s
            right += 1 - s
        if not closed[1]:
            for i in range(right):
                order[U(left + i)] = spare[U(i)]
