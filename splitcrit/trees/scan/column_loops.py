"""Compiled loops over sorted columns: sort once, scan to class counts, partition stably.

An entry of an order packs ``index << bits | class``, so that a scan reads one array from front to back. A node is a
segment of every order, ``starts[j]`` to ``starts[j + 1]``. No criterion is written here: a formula scores the counts
that ``fill`` writes, in batches.
The loops are compiled on first use, which takes some seconds, and kept on disk. ``records`` has what they take.

Invariants: entries of a node stay together and sorted, stably; ``state`` says where ``fill`` goes on, ``seen`` what
lies left of it. A column costs one step an entry, and as many as there are classes for a threshold that is written.

Main definitions: ``sort_columns``, ``fill``, ``contend``, ``count_left``, ``partition``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import inlined, kernel
from splitcrit.trees.scan.scan_common import U


@inlined
def _key(word):
    """Return an unsigned integer in the order of float32 values, given their bits; missing values come last."""
    # A positive float gets its sign bit set, a negative one all bits flipped: unsigned order is the order of the
    # values.
    key = word ^ ((word >> U(31)) * U(0x7FFFFFFF) | U(0x80000000))
    # Above infinity lie the bits of nan, of either sign.
    return key | U(word & U(0x7FFFFFFF) > U(0x7F800000)) * U(0xFFFFFFFF)


def sort_columns(words, codes, bits, out):
    """Fill ``out[f]`` with packed entries in the order of each column's float32 values, given their bits.

    Equal values keep their row order.
    """
    pairs, places = np.empty((2, out.shape[1]), np.uint64), np.empty((3, 2048), np.int64)
    _sort_columns(words, codes, bits, out, pairs[0], pairs[1], places)


@kernel(_nrt=False)
def _sort_columns(words, codes, bits, out, pairs, spare, places):
    """Sort ``key << 32 | index`` by three stable passes over 11 bits of the key."""
    # words (d, n) bits of float32, codes (n,) classes, out (d, n) entries; places (3, 2048) a histogram for each pass.
    d, n = out.shape
    for f in range(d):
        for t in range(3):
            for b in range(2048):
                places[U(t), U(b)] = 0
        for i in range(n):
            # One pass over the words fills all three histograms.
            key = _key(U(words[U(f), U(i)]))
            pairs[U(i)] = (key << U(32)) | U(i)
            places[U(0), key & U(2047)] += 1
            places[U(1), (key >> U(11)) & U(2047)] += 1
            places[U(2), key >> U(22)] += 1
        for t in range(3):
            place, shift, total = places[t], U(32 + 11 * t), 0
            for b in range(2048):
                # From counts to the first place of each digit.
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


@inlined
def _sum(weights, i):
    """Return the weight of one side of a threshold."""
    total = 0.0
    for c in range(len(weights)):
        total += weights[c, i]
    return total


@kernel(_nrt=False)
def fill(column, nodes, state, seen, out):
    """Write class weights of both sides of the next thresholds of one column; return their number.

    Thresholds of the ``nodes`` (``Fronts``) go to ``out`` (``Thresholds``), which holds a number of them at most.
    ``state`` is (node, position) where to go on, ``seen`` the class weights left of it. A threshold is left out where
    its neighbours are equal, its place is not ``alive``, or a side is too small.
    """
    order, values, weights, bits = column
    starts, known, totals, before, wanted, alive, least, lightest = nodes
    left, right, node, place = out.left, out.right, out.node, out.place
    (classes, capacity), weighted, moved = left.shape, len(weights) > 0, len(before) > 0
    written, mask = 0, (1 << bits) - 1
    j, i = state[0], state[1]
    while j < len(starts) - 1:
        start, stop = starts[j], starts[j + 1]
        last = start + known[j] - 1
        extra = stop - last - 1 if moved else 0
        if i == start:
            for c in range(classes):
                seen[c] = before[j, c] if moved else 0.0
        looked_at = wanted[j % len(wanted)]
        while looked_at and i <= last:
            if written == capacity:
                state[0], state[1] = j, i
                return written
            entry = order[i]
            seen[entry & mask] += weights[entry >> bits] if weighted else 1.0
            m = i - start + 1 + extra
            usable = m >= least and stop - start - m >= least and (i < last or not moved)
            usable = usable and (len(alive) == 0 or alive[i])
            if usable and (i == last or values[entry >> bits] != values[order[i + 1] >> bits]):
                for c in range(classes):
                    left[c, written] = seen[c]
                    right[c, written] = totals[j, c] - seen[c]
                if lightest <= 0 or min(_sum(left, written), _sum(right, written)) >= lightest:
                    node[written] = j
                    place[written] = i
                    written += 1
            i += 1
        j += 1
        i = stop
    state[0], state[1] = j, i
    return written


@kernel(error_model="python")
def contend(scores, pair, node, best, top, width):
    """Raise ``best[pair]`` and ``top[node]`` to the scores; return those that may be chosen.

    These are, in order, the first of a feature and node (``pair``) with as high a score, and within ``width[node]`` of
    the top of the node.
    """
    # scores (c,) of one batch; best by pair and top by node carry over, so that later batches keep little.
    kept = np.empty(len(scores), np.int64)
    count = 0
    for i in range(len(scores)):
        score = scores[i]
        if score > best[pair[i]]:
            best[pair[i]] = score
            j = node[i]
            top[j] = max(top[j], score)
            if score >= top[j] - width[j]:
                kept[count] = i
                count += 1
    return kept[:count]


@kernel(_nrt=False)
def count_left(orders, weights, cuts, side, lefts, sizes):
    """Mark ``side[index] = 1`` for the samples of each node that go left; sum their class weights and their number.

    Those up to the place of the cut go left, and those without a value where ``missing_left``.
    """
    # side (n,) by index; lefts (m, K) weights and sizes (m,) rows are added to, and begin at 0.
    chosen, places, missing_left, starts, known = cuts
    bits, mask, weighted = orders.bits, (1 << orders.bits) - 1, len(weights) > 0
    for j in range(len(starts) - 1):
        f = chosen[j]
        if f < 0:
            continue
        order = orders.orders[f]
        last = starts[j] + known[f, j]
        for i in range(starts[j], starts[j + 1]):
            entry = order[i]
            index = entry >> bits
            if i <= places[j] or (i >= last and missing_left[j]):
                side[index] = 1
                lefts[j, entry & mask] += weights[index] if weighted else 1.0
                sizes[j] += 1
            else:
                side[index] = 0


@kernel(error_model="python")
def partition(orders, starts, side, dest, step, bits, out):
    """Write each node's entries to its children's places, in order; a closed child has step 0 and a place to waste."""
    # dest (m, 2) first places and step (m, 2) of the children: a step of 0 writes all entries to one wasted place.
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
                # No branch: the side is the index of the place that is written and moved on.
                s = U(side[U(value >> bits)])
                target[U(place[s])] = value
                place[s] += step1 if s else step0
