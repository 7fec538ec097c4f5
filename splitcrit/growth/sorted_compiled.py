"""The samples of a node in columns that are sorted once: a segment of every order, shared out in place.

Main definitions: ``split_orders``, in two steps: ``marked``, ``shared_out``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth import nodes_compiled as nodes
from splitcrit.jit import called
from splitcrit.search.segments_compiled import U


@called(_nrt=False)
def _mark(order, here, bits, side, row):  # type: ignore[no-untyped-def]
    """Mark the samples of a node that go left, those up to the middle, and count their classes in ``row``."""
    (start, middle, stop), mask = here, (1 << bits) - 1
    for c in range(len(row)):
        row[c] = 0.0
    for i in range(start, middle):
        side[U(order[U(i)] >> bits)] = 1
        row[U(1 + (order[U(i)] & mask))] += 1.0
    for i in range(middle, stop):
        side[U(order[U(i)] >> bits)] = 0


@called(_nrt=False)
def _share_out(order, here, closed, bits, side, spare):  # type: ignore[no-untyped-def]
    """Move what goes left before what goes right, each in order; a closed child gets nothing."""
    start, stop = here
    if closed[0]:
        right = stop - 1
        for i in range(stop - 1, start - 1, -1):
            entry = order[U(i)]
            order[U(right)] = entry
            right -= 1 - np.int64(side[U(entry >> bits)])
        return
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


@called(_nrt=False)
def marked(source, here, cut, rows, rules, scratch):  # type: ignore[no-untyped-def]
    """Mark the samples that go left, fill the rows of the node and its left child; tell which children are leaves."""
    (start, stop), (f, place), (links, reals, at, made), bits = here, cut, rows, source.bits
    order, column = source.orders[f], source.columns[f]
    reals[at, 0] = nodes.between(column[order[place] >> bits], column[order[place + 1] >> bits])
    links[at, nodes.FEATURE], links[made, nodes.SIZE] = f, place + 1 - start
    _mark(order, (start, place + 1, stop), bits, scratch.side, reals[made])
    return nodes.closed(links, reals, at, made, rules)


@called(_nrt=False)
def shared_out(source, here, skipped, closed, scratch):  # type: ignore[no-untyped-def]
    """Share the samples of each column but one out among the children."""
    for f in range(len(source.orders)):
        if f != skipped:
            _share_out(source.orders[f], here, closed, source.bits, scratch.side, scratch.spare)


@called(_nrt=False)
def split_orders(source, here, cut, rows, rules, scratch):  # type: ignore[no-untyped-def]
    """Split a node, ``here`` in every order, by a feature at a place; fill its row and that of the left child."""
    closed = marked(source, here, cut, rows, rules, scratch)
    if not (closed[0] and closed[1]):
        shared_out(source, here, cut[0], closed, scratch)
