"""The columns of cells of a node: gathered from the rows of a node that has few of those of its ancestor, or inherited.

Main definitions: ``columns_of_node``, ``spread``, ``relabel``, ``last_drawn``, ``column_of``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth import nodes_compiled as nodes
from splitcrit.growth.drawn_compiled import sort_keys
from splitcrit.growth.sparse_records import BLOCK
from splitcrit.jit import kernel
from splitcrit.search.segments_compiled import U

LOW, ROW = 32, (1 << 32) - 1


@kernel(_nrt=False)
def _sort(keys, spare, low, histogram):  # type: ignore[no-untyped-def]
    """Sort keys, whose lowest bits are ranked no further."""
    if len(keys) > 1:
        under, over = keys[0] >> low, keys[0] >> low
        for i in range(1, len(keys)):
            under, over = min(under, keys[U(i)] >> low), max(over, keys[U(i)] >> low)
        if under < over:
            sort_keys(keys, spare, len(keys), low, (under, over), histogram)


@kernel(_nrt=False)
def _gather(cells, held, node, column, first):  # type: ignore[no-untyped-def]
    """Write the columns of the cells of a node, the first to place ``column``; return how many columns there are."""
    counts, spare, columns, firsts, entries = held.counts, held.spare, held.columns, held.firsts, held.entries
    (rows, low), found = node, 0
    for j in range(len(rows)):
        row = rows[U(j)] >> low
        for i in range(cells.starts[U(row)], cells.starts[U(row + 1)]):
            f = cells.features[U(i)]
            if counts[U(f)] == 0:
                spare[U(found)] = f
                found += 1
            counts[U(f)] += 1
    _sort(spare[:found], held.entries[first:], 0, held.histogram)
    for t in range(found):
        f = spare[U(t)]
        columns[U(column + t)], firsts[U(column + t)] = f, first
        size = counts[U(f)]
        counts[U(f)] = first
        first += size
    firsts[U(column + found)] = first
    for j in range(len(rows)):
        row = rows[U(j)] >> low
        for i in range(cells.starts[U(row)], cells.starts[U(row + 1)]):
            f = U(cells.features[U(i)])
            entries[U(counts[f])] = (np.int64(cells.keys[U(i)]) << LOW) | row
            counts[f] += 1
    for c in range(column, column + found):
        counts[U(columns[U(c)])] = 0
        _sort(entries[firsts[U(c)] : firsts[U(c + 1)]], spare, LOW, held.histogram)
    return found


@kernel(_nrt=False)
def columns_of_node(cells, held, here, node):  # type: ignore[no-untyped-def]
    """Return where the columns of a node start and stop, once they are gathered if that is worth while.

    ``node`` are its samples, from ``here[0]`` to ``here[1]``, and how far a row is shifted in them. Nodes that do not
    hold these samples are done.
    """
    frames, (start, stop), (rows, low) = held.frames, here, node
    t, size = frames[0, 0], 0
    while t > 0 and not (frames[t, 0] <= start and stop <= frames[t, 1]):
        t -= 1
    if t == 0 or 2 * (stop - start) <= frames[t, 1] - frames[t, 0]:
        for j in range(len(rows)):
            row = rows[U(j)] >> low
            size += cells.starts[U(row + 1)] - cells.starts[U(row)]
        if t == 0 or 2 * size <= frames[t, 4]:
            column = frames[t, 2] + frames[t, 3] + 1 if t > 0 else 0
            first = np.int64(held.firsts[column - 1]) if t > 0 else np.int64(0)
            t += 1
            frames[t, 0], frames[t, 1], frames[t, 2], frames[t, 4] = start, stop, column, size
            frames[t, 3] = _gather(cells, held, node, column, first)
    frames[0, 0] = t
    return frames[t, 2], frames[t, 2] + frames[t, 3]


@kernel(_nrt=False)
def spread(held, c, label, value):  # type: ignore[no-untyped-def]
    """Write the keys of a column by row, for the rows of a node, or 0 times these: the rest is 0."""
    for i in range(held.firsts[c], held.firsts[c + 1]):
        entry = held.entries[U(i)]
        row = U(entry & ROW)
        if held.marks[row] >> LOW == label:
            held.column[row] = (entry >> LOW) * value


@kernel(_nrt=False)
def relabel(node, low, marks, label):  # type: ignore[no-untyped-def]
    """Give a label to the rows of a node."""
    for i in range(len(node)):
        row = U(node[U(i)] >> low)
        marks[row] = (label << LOW) | (marks[row] & ROW)


@kernel(_nrt=False)
def _nth(values, n, k):  # type: ignore[no-untyped-def]
    """Return the number that has place ``k`` when the first ``n`` are sorted."""
    under, over = 0, n - 1
    while under < over:
        pivot, i, j = values[(under + over) >> 1], under, over
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if k <= j:
            over = j
        elif k >= i:
            under = i
        else:
            return values[k]
    return values[k]


@kernel(_nrt=False)
def _below(key, draws, limit, space):  # type: ignore[no-untyped-def]
    """Write the features whose number is below a limit, and these numbers; return how many.

    ``draws`` are how many are enough, and how many features there are.
    """
    (enough, features), (few, tried), found = draws, space, np.int64(0)
    for begin in range(0, features, BLOCK):
        first, below = found, np.int64(0)
        for i in range(BLOCK):
            few[U(first + i)] = nodes.number(key, begin + i, 0)
            below |= np.int64(few[U(first + i)]) - limit
        for i in range(min(BLOCK, features - begin) if below < 0 else 0):
            lot = few[U(first + i)]
            few[U(found)], tried[U(found)] = lot, begin + i
            found += np.int64(lot) < limit
        if found >= enough:
            break
    return found


@kernel(_nrt=False)
def last_drawn(key, draws, bound, space):  # type: ignore[no-untyped-def]
    """Return the number of the last of the features that are drawn, or ``bound`` less 1 if that is below ``bound``.

    ``draws`` are how many are drawn, and of how many. ``space`` gets numbers, and the features that have them; with the
    last drawn, returned second, is how many of these features there are, all drawn ones among them in any case where
    ``bound`` is 0.
    """
    (count, features), (few, _) = draws, space
    usual = np.uint64(min((count + 4.0 * np.sqrt(count) + 8.0) / features, 1.0) * 2.0**53)
    early = bound > usual
    found = _below(key, (count if early else features + 1, features), np.int64(max(usual, bound)), space)
    if early and found >= count:
        return bound - U(1), found
    if found < count:
        found = _below(key, (features + 1, features), np.int64(1) << 53, space)
    return _nth(few, found, count - 1), found


@kernel(_nrt=False)
def column_of(columns, ends, feature):  # type: ignore[no-untyped-def]
    """Return the first column from ``ends[0]`` to ``ends[1]`` whose feature is no smaller, ``ends[1]`` if none is."""
    under, over, step = ends[0], ends[0], 1
    while over < ends[1] and columns[U(over)] < feature:
        under, over, step = over + 1, over + step, 2 * step
    over = min(over, ends[1])
    while under < over:
        middle = (under + over) >> 1
        if columns[U(middle)] < feature:
            under = middle + 1
        else:
            over = middle
    return under
