"""The columns of cells of a node: gathered from the rows of a node that has few of those of its ancestor, or inherited.

Main definitions: ``columns_of_node``, ``numbered`` and ``column_of``, ``spread``, ``relabel``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth.drawn_compiled import sort_keys
from splitcrit.jit import inlined, kernel
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
def numbered(held, ends):  # type: ignore[no-untyped-def]
    """Note by feature which columns of a node are theirs, from ``ends[0]`` to ``ends[1]``."""
    for c in range(ends[0], ends[1]):
        held.counts[U(held.columns[U(c)])] = ~c


@inlined
def column_of(held, ends, f):  # type: ignore[no-untyped-def]
    """Return the column of a feature in a node whose columns are noted, -1 if it has none."""
    c = ~held.counts[U(f)]
    return c if ends[0] <= c < ends[1] and held.columns[U(c)] == f else -1


@kernel(_nrt=False)
def _gather(cells, held, node, column, first):  # type: ignore[no-untyped-def]
    """Write the columns of the cells of a node, the first to place ``column``; return how many columns there are."""
    counts, spare, columns, firsts, entries = held.counts, held.spare, held.columns, held.firsts, held.entries
    (rows, low), found = node, 0
    for j in range(len(rows)):
        row = rows[U(j)] >> low
        for i in range(cells.starts[U(row)], cells.starts[U(row + 1)]):
            f = cells.features[U(i)]
            if counts[U(f)] <= 0:
                counts[U(f)], spare[U(found)] = 0, f
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
            frames[t, 3], frames[0, 1] = _gather(cells, held, node, column, first), 0
    ends = frames[t, 2], frames[t, 2] + frames[t, 3]
    if frames[0, 1] != t:
        numbered(held, ends)
    frames[0, 0], frames[0, 1] = t, t
    return ends


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
