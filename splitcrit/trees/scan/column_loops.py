"""Compiled loops that sort columns, once for a tree: by float32, then by float64 within its runs.

An entry of an order packs ``index << bits | class``, so that a scan reads one array from front to back.

Main definitions: ``sort_columns``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import inlined, kernel
from splitcrit.trees.scan.scan_common import U


@inlined
def _key(word):
    """An unsigned integer in the order of float32 values, given their bits; missing values come last."""
    # A positive float gets its sign bit set, a negative one all bits flipped: unsigned order is the order of the
    # values.
    key = word ^ ((word >> U(31)) * U(0x7FFFFFFF) | U(0x80000000))
    # Above infinity lie the bits of nan, of either sign.
    return key | U(word & U(0x7FFFFFFF) > U(0x7F800000)) * U(0xFFFFFFFF)


def sort_columns(values, codes, bits, out):
    """Fill ``out[f]`` with packed entries in the order of each column's values, float32 or float64.

    Equal values keep their row order. Return which columns are sorted: one of long runs of values that are one number
    in float32, such as seconds since 1970, is not.
    """
    done = np.ones(len(out), dtype=bool)
    pairs, places = np.empty((2, out.shape[1]), np.uint64), np.empty((3, 2048), np.int64)
    _sort_columns(values, codes, bits, out, pairs[0], pairs[1], places, done)
    return done


@kernel(_nrt=False)
def _sort_columns(values, codes, bits, out, pairs, spare, places, done):
    """Sort ``key << 32 | index`` by three stable passes over 11 bits of the key."""
    # values (d, n), codes (n,) classes, out (d, n) entries; places (3, 2048) a histogram for each pass.
    d, n = out.shape
    for f in range(d):
        for t in range(3):
            for b in range(2048):
                places[U(t), U(b)] = 0
        for i in range(n):
            # One pass over the values, rounded to float32, fills all three histograms.
            key = _key(U(np.float32(values[U(f), U(i)]).view(np.uint32)))
            pairs[U(i)] = (key << U(32)) | U(i)
            places[U(0), key & U(2047)] += 1
            places[U(1), (key >> U(11)) & U(2047)] += 1
            places[U(2), key >> U(22)] += 1
        for t in range(3):
            place, shift, total = places[t], U(32 + 11 * t), 0
            # A digit that all keys share, as the lower ones of small whole numbers, orders nothing.
            if n > 0 and place[(pairs[U(0)] >> shift) & U(2047)] == n:
                continue
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
        column, order, steps = values[f], out[f], 4 * n if values.itemsize > 4 else 0
        for i in range(n):
            index = pairs[U(i)] & U(0xFFFFFFFF)
            entry, j = (np.int64(index) << bits) | codes[index], i
            # Rounding keeps order: only within a run of one float32 can float64 stand wrong. An entry moves down past
            # the larger ones; equal ones keep the order of their rows. A column that needs 4 n moves or more is given
            # up, and numpy sorts it (``done``).
            if steps > 0 and i > 0 and pairs[U(i - 1)] >> U(32) == pairs[U(i)] >> U(32):
                value = column[index]
                while j > 0 and steps > 0 and column[U(order[U(j - 1)] >> bits)] > value:
                    order[U(j)] = order[U(j - 1)]
                    j, steps = j - 1, steps - 1
                done[f] = steps > 0
            order[U(j)] = entry
