"""Compiled loops over sorted columns: sort once, scan to class counts, partition stably.

An entry of an order packs ``index << bits | class``, so that a scan reads one array from front to back. A node is a
segment of every order, ``starts[j]`` to ``starts[j + 1]``. No criterion is written here: a criterion that depends on
sums over classes arrives as tables (``scan``), any other is scored by its formula on the counts that ``fill`` writes.
The loops are compiled on first use, which takes some seconds, and kept on disk.

Main definitions: ``sort_columns``, ``scan``, ``first``, ``fill``, ``contend``, ``count_left``,
``partition``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.search.jit import inlined, kernel
from splitcrit.search.records import Room, Segment, Totals
from splitcrit.search.scans_compiled import prepared, scored
from splitcrit.search.segments_compiled import U


@inlined
def _key(word):
    """Return an unsigned integer in the order of float32 values, given their bits; missing values come last."""
    key = word ^ ((word >> U(31)) * U(0x7FFFFFFF) | U(0x80000000))
    return key | U(word & U(0x7FFFFFFF) > U(0x7F800000)) * U(0xFFFFFFFF)


@kernel
def sort_columns(words, codes, bits, out):
    """Fill ``out[f]`` with packed entries in the order of each column's float32 values, given their bits.

    Equal values keep their row order: ``key << 32 | index`` is sorted by three stable passes over 11 bits of the key.
    """
    d, n = out.shape
    pairs, spare, places = np.empty(n, np.uint64), np.empty(n, np.uint64), np.empty((3, 2048), np.int64)
    for f in range(d):
        for t in range(3):
            for b in range(2048):
                places[U(t), U(b)] = 0
        for i in range(n):
            key = _key(U(words[U(f), U(i)]))
            pairs[U(i)] = (key << U(32)) | U(i)
            places[U(0), key & U(2047)] += 1
            places[U(1), (key >> U(11)) & U(2047)] += 1
            places[U(2), key >> U(22)] += 1
        for t in range(3):
            place, shift, total = places[t], U(32 + 11 * t), 0
            for b in range(2048):
                here = place[U(b)]
                place[U(b)] = total
                total += here
            for i in range(n):
                pair = pairs[U(i)]
                b = (pair >> shift) & U(2047)
                spare[U(place[b])] = pair
                place[b] += 1
            pairs, spare = spare, pairs
        for i in range(n):
            index = pairs[U(i)] & U(0xFFFFFFFF)
            out[U(f), U(i)] = (np.int64(index) << bits) | codes[index]


@kernel
def scan(source, starts, nodes, data, least, wanted, best):
    """Set ``best[f, j]`` to the best raw score of a threshold on column ``f`` in the nodes that are wanted.

    ``source`` (``Orders``), ``nodes`` (``Totals``) and ``data`` are the named tuples of ``records``; ``least`` is the
    smallest side allowed.
    """
    room = Room(np.empty(nodes.counts.shape[1], np.int64), np.empty(starts[-1]))
    for j in range(len(starts) - 1):
        prepared(data, starts[j], starts[j + 1], nodes.constants[j], room.behind)
    for f in range(len(source.orders)):
        for j in range(len(starts) - 1):
            if wanted[j % len(wanted), f]:
                segment = Segment(source.orders[f], source.columns[f], starts[j], starts[j + 1], source.bits, least)
                node = Totals(nodes.counts[j], nodes.sums[j], nodes.constants[j])
                best[f, j] = scored(segment, node, data, np.inf, room)


@kernel
def first(source, starts, nodes, data, least, wanted, found):
    """Set ``found[j]`` to the first place on the column wanted whose raw score reaches the floor.

    ``wanted`` are a column (-1: none) and a floor for each node.
    """
    chosen, floor = wanted
    room = Room(np.empty(nodes.counts.shape[1], np.int64), np.empty(starts[-1]))
    for j in range(len(starts) - 1):
        f = chosen[j]
        if f >= 0:
            prepared(data, starts[j], starts[j + 1], nodes.constants[j], room.behind)
            segment = Segment(source.orders[f], source.columns[f], starts[j], starts[j + 1], source.bits, least)
            node = Totals(nodes.counts[j], nodes.sums[j], nodes.constants[j])
            found[j] = int(scored(segment, node, data, floor[j], room))


@kernel(error_model="python")
def fill(
    order,
    column,
    starts,
    known,
    totals,
    before,
    weights,
    bits,
    least,
    lightest,
    wanted,
    alive,
    state,
    seen,
    left,
    right,
    node,
    place,
):
    """Write class weights of both sides of the next thresholds of one column; return how many were written.

    ``known[j]`` samples of a node have a value, the rest stand behind them; ``before`` are the class weights ``(m, K)``
    that are left of every threshold (empty: none), then the rest of a node is. ``state`` is (node, position) where to
    go on, ``seen`` the class weights left of it; the arrays' length is the most that is written. A threshold is left
    out where its place is not ``alive`` (empty: all are), its neighbours are equal, a side has fewer than ``least``
    samples, or less weight than ``lightest``.
    """
    classes, capacity = left.shape
    mask = (1 << bits) - 1
    weighted, moved = len(weights) > 0, len(before) > 0
    written = 0
    j, i = state[0], state[1]
    while j < len(starts) - 1:
        start, stop = starts[j], starts[j + 1]
        last = start + known[j] - 1
        extra = stop - last - 1 if moved else 0
        if i == start:
            for c in range(classes):
                seen[c] = before[j, c] if moved else 0.0
        if wanted[j % len(wanted)]:
            while i <= last:
                if written == capacity:
                    state[0], state[1] = j, i
                    return written
                value = order[i]
                seen[value & mask] += weights[value >> bits] if weighted else 1.0
                m = i - start + 1 + extra
                usable = m >= least and stop - start - m >= least and (i < last or not moved)
                usable = usable and (len(alive) == 0 or alive[i])
                if usable and (i == last or column[value >> bits] != column[order[i + 1] >> bits]):
                    for c in range(classes):
                        left[c, written] = seen[c]
                        right[c, written] = totals[j, c] - seen[c]
                    if lightest <= 0 or min(left[:, written].sum(), right[:, written].sum()) >= lightest:
                        node[written] = j
                        place[written] = i
                        written += 1
                i += 1
        j += 1
        i = stop
    state[0], state[1] = j, i
    return written


@kernel(error_model="python")
def contend(scores, lane, node, best, top, width):
    """Raise ``best[lane]`` and ``top[node]`` to the scores; return which may be chosen.

    These are, in order, the first of its lane with so high a score, and within ``width[node]`` of the node's top.
    """
    kept = np.empty(len(scores), np.int64)
    count = 0
    for i in range(len(scores)):
        score = scores[i]
        if score > best[lane[i]]:
            best[lane[i]] = score
            j = node[i]
            top[j] = max(top[j], score)
            if score >= top[j] - width[j]:
                kept[count] = i
                count += 1
    return kept[:count]


@kernel(error_model="python")
def count_left(orders, starts, known, chosen, places, missing_left, weights, bits, side, lefts, sizes):
    """Mark ``side[index] = 1`` for the samples of each node that go left; sum their class weights and their number.

    Those up to the chosen place go left, and those without a value where ``missing_left``.
    """
    mask = (1 << bits) - 1
    weighted = len(weights) > 0
    for j in range(len(starts) - 1):
        f = chosen[j]
        if f < 0:
            continue
        order = orders[f]
        last = starts[j] + known[f, j]
        for i in range(starts[j], starts[j + 1]):
            value = order[i]
            index = value >> bits
            if i <= places[j] or (i >= last and missing_left[j]):
                side[index] = 1
                lefts[j, value & mask] += weights[index] if weighted else 1.0
                sizes[j] += 1
            else:
                side[index] = 0


@kernel(error_model="python")
def partition(orders, starts, side, dest, step, bits, out):
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
                value = order[U(i)]
                s = U(side[U(value >> bits)])
                target[U(place[s])] = value
                place[s] += step1 if s else step0
