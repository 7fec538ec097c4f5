"""A whole tree in one compiled loop, depth first, over columns that are sorted once.

A node is a segment of every order, which its split shares out in place, so that a small node stays in cache. The
criterion is data (``forms``), its scans are those of ``compiled``.

Main definitions: ``grow_sorted``.
"""

from __future__ import annotations

import numba
import numpy as np

from splitcrit.kernel import nodes_compiled as nodes
from splitcrit.kernel.compiled import CAPPED, POWER, _by_table, _score


@numba.njit(cache=True, nogil=True)
def scored(order, column, start, stop, totals, form, sums, least, constants, bits, floor, seen, behind):  # type: ignore[no-untyped-def]
    """Return the best score of one column of a node, or the first place that reaches ``floor``: see ``compiled``."""
    kind, power, _, _, _, steps, table, sides = form
    if kind == nodes.LOOKED_UP:
        return _by_table(order, column, start, stop, totals, sides, bits, least, floor)
    return _score(
        order, column, start, stop, totals, sums, steps, table, kind, bits, least, constants, power, floor, seen, behind
    )


@numba.njit(cache=True, nogil=True)
def grow_sorted(orders, columns, bits, totals, form, rules, key, drawn):  # type: ignore[no-untyped-def]
    """Return links, thresholds and class weights of the nodes of a tree; ``orders`` are shared out in place.

    ``form`` is what ``numbers`` takes; ``rules`` are (greatest depth, least size to split, least size of a side, least
    gain or nan for none); ``drawn`` features are tried at a node (0: all), the first by ``key``.
    """
    d, n = orders.shape
    behind = np.empty(n if form[0] in (CAPPED, POWER) else 0)
    room = np.empty(n + 1, orders.dtype), np.zeros(n, np.uint8)
    links, thresholds, weights, keys = nodes.begin(totals, n)
    keys[0] = key
    counts, tried = totals.astype(np.int64), np.arange(d)
    search = np.empty(len(totals), np.int64), behind, np.empty(3), np.empty(d), np.empty(d, np.uint64), tried
    at, made = 0, 1
    while True:
        if made == len(links):
            links, thresholds, weights, keys = (
                nodes.longer(links),
                nodes.longer(thresholds),
                nodes.longer(weights),
                nodes.longer(keys),
            )
        start, stop = links[at, nodes.START], links[at, nodes.START] + links[at, nodes.SIZE]
        if not nodes.stays_leaf(weights[at], links[at, nodes.SIZE], links[at, nodes.DEPTH], rules):
            for c in range(len(counts)):
                counts[c] = np.int64(weights[at, c])
            if drawn > 0:
                nodes.shuffle(keys[at], search[4])
            f, place = _best_place(orders, columns, bits, start, stop, counts, form, rules, drawn, search)
            if f >= 0:
                low, high = orders[f, place] >> bits, orders[f, place + 1] >> bits
                thresholds[at], links[at, nodes.FEATURE] = nodes.between(columns[f, low], columns[f, high]), f
                links[made, nodes.SIZE] = place + 1 - start
                _mark(orders[f], start, stop, place + 1, bits, room[1], weights[made])
                depth, right = links[at, nodes.DEPTH] + 1, weights[at] - weights[made]
                closed = nodes.stays_leaf(weights[made], place + 1 - start, depth, rules)
                sides = closed, nodes.stays_leaf(right, stop - place - 1, depth, rules)
                _share_out(orders, f, start, stop, *sides, bits, room)
        if not nodes.advance(links, thresholds, weights, keys, at, made):
            break
        at = made
        made += 1
    return links[:made], thresholds[:made], weights[:made]


@numba.njit(cache=True, nogil=True)
def _best_place(orders, columns, bits, start, stop, counts, form, rules, drawn, search):  # type: ignore[no-untyped-def]
    """Return the feature and the place of the split that the tie rule chooses; feature -1 if none pays."""
    seen, behind, constants, best, lots, tried = search
    _, sums, base, rate, width = nodes.numbers(form, counts, constants)
    least, gain = rules[2], rules[3]
    top, varied = -np.inf, False
    for turn in range(len(orders)):
        f = nodes.draw_next(lots) if drawn > 0 else turn
        order, column = orders[f], columns[f]
        tried[turn], best[turn] = f, -np.inf
        if column[order[start] >> bits] != column[order[stop - 1] >> bits]:
            varied = True
            best[turn] = scored(
                order, column, start, stop, counts, form, sums, least, constants, bits, np.inf, seen, behind
            )  # fmt: skip
            top = max(top, best[turn])
        if drawn > 0 and varied and turn + 1 >= drawn:
            break
    score = (top - base) * rate
    if not (top > -np.inf and (np.isnan(gain) or score > max(gain, width))):
        return -1, -1
    turn, floor = 0, min((score - width) / rate + base, top)
    while not best[turn] >= floor:
        turn += 1
    f = tried[turn]
    place = scored(
        orders[f], columns[f], start, stop, counts, form, sums, least, constants, bits, floor, seen, behind
    )  # fmt: skip
    return f, np.int64(place)


@numba.njit(cache=True, nogil=True)
def _mark(order, start, stop, middle, bits, side, left):  # type: ignore[no-untyped-def]
    """Mark the samples of a node that go left, those before ``middle``, and count their classes."""
    mask = (1 << bits) - 1
    left[:] = 0.0
    for i in range(start, middle):
        side[order[i] >> bits] = 1
        left[order[i] & mask] += 1.0
    for i in range(middle, stop):
        side[order[i] >> bits] = 0


@numba.njit(cache=True, nogil=True)
def _share_out(orders, chosen, start, stop, left_closed, right_closed, bits, room):  # type: ignore[no-untyped-def]
    """Move what goes left before what goes right in every order, each in order; closed children get nothing."""
    if left_closed and right_closed:
        return
    spare, side = room
    for f in range(len(orders)):
        order = orders[f]
        if f == chosen:
            continue
        if left_closed:
            right = stop - 1
            for i in range(stop - 1, start - 1, -1):
                entry = order[i]
                order[right] = entry
                right -= 1 - side[entry >> bits]
            continue
        left, right = start, 0
        for i in range(start, stop):
            entry = order[i]
            s = np.int64(side[entry >> bits])
            order[left] = entry
            spare[right] = entry
            left += s
            right += 1 - s
        if not right_closed:
            order[left:stop] = spare[:right]
