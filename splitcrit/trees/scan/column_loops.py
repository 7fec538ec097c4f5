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
