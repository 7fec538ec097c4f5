"""A whole tree with one random threshold a feature and node, in one compiled loop, depth first.

Nothing is sorted: the classes of a node are written down with those left of the threshold first, which makes them a
column of two values, and the criterion scans it as it scans any other.

Main definitions: ``grow_random``; ``threshold``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth import nodes_compiled as nodes
from splitcrit.impurities.search_declaration import DIFFERENCE, RATIO, ROOT
from splitcrit.jit import called, kernel
from splitcrit.search.constants_compiled import numbers_of_node
from splitcrit.search.pointers import call_scan
from splitcrit.search.records import Scratch, Segment, Totals
from splitcrit.search.segments_compiled import U, clear
from splitcrit.search.sums_compiled import of_split

SUMS = (RATIO, DIFFERENCE, ROOT)


@called(_nrt=False)
def threshold(node, column, low, key, f):  # type: ignore[no-untyped-def]
    """Return the random threshold of a feature in a node with this key, nan where the feature is constant."""
    under, over = column[U(node[0] >> low)], column[U(node[0] >> low)]
    for i in range(1, len(node)):
        value = column[U(node[U(i)] >> low)]
        under = value if value < under else under
        over = value if value > over else over
    return nodes.random_threshold(key, f, under, over) if under < over else np.nan


@called(_nrt=False)
def _count(node, column, shifts, cut, seen):  # type: ignore[no-untyped-def]
    """Count the classes left of a threshold in ``seen``; return how many samples they are, and how often counted."""
    (bits, low), on_left, left = shifts, 0, 0
    classes, often = (1 << bits) - 1, (1 << low) - 1
    clear(seen)
    for i in range(len(node)):
        entry = np.int64(node[U(i)])
        s = int(np.float64(column[U(entry >> low)]) <= cut)
        on_left += s
        s *= ((entry & often) >> bits) + 1
        left += s
        seen[U(entry & classes)] += s
    return on_left, left


@called(_nrt=False)
def _score(source, totals, scorer, left, scan):  # type: ignore[no-untyped-def]
    """Return the raw score of the split that has the classes ``scan.seen`` on the left, ``left`` in all.

    What is no plain function of sums over the classes is scanned, as a column of two values.
    """
    data = scorer.data
    if data.kind in SUMS:
        return of_split(data, scan.seen, totals.counts)
    order, bits, place, size = source.orders[0], source.bits, 0, 0
    for c in range(len(totals.counts)):
        right = left + size - place
        for _ in range(scan.seen[c]):
            order[U(place)] = c
            place += 1
        for i in range(right, right + totals.counts[c] - scan.seen[c]):
            order[U(i)] = (1 << bits) | c
        size += totals.counts[c]
    segment = Segment(order, source.columns[0], 0, size, bits, 1)
    return call_scan(scorer.scan, segment, totals, data, np.inf, scan)


@called(_nrt=False)
def _best(source, listed, here, scorer, rules, key, scratch):  # type: ignore[no-untyped-def]
    """Return the feature of the split that the tie rule chooses (-1: none pays)."""
    count, best, places, node = rules.features, scratch.best, scratch.places, listed.entries[here[0] : here[1]]
    size, sums, base, rate, width = numbers_of_node(scorer, scratch.counts, 0, scratch.constants, scratch.behind)
    totals, scan = Totals(scratch.counts, sums, scratch.constants), Scratch(scratch.seen, scratch.behind)
    top, varied, turn = -np.inf, 0, np.int64(0)
    while turn < len(best) and not (count > 0 and varied >= rules.varying and turn >= count):
        f = nodes.draw_next(key, turn, places) if count > 0 else turn
        cut = threshold(node, listed.columns[f], listed.low, key, f)
        varied += not np.isnan(cut)
        best[turn] = -np.inf
        if not np.isnan(cut):
            on_left, left = _count(node, listed.columns[f], (source.bits, listed.low), cut, scan.seen)
            enough = min(on_left, len(node) - on_left) >= rules.leaf
            if enough and min(left, size - left) >= rules.lightest:
                best[turn] = _score(source, totals, scorer, left, scan)
        top = max(top, best[turn])
        turn += 1
    if not nodes.pays((top - base) * rate, width, rules.gain):
        nodes.put_back(places, turn)
        return -1
    f = places[nodes.first_reaching(best, nodes.floor_of(top, base, rate, width))]
    nodes.put_back(places, turn)
    return f


@called(_nrt=False)
def _divide(source, listed, here, split, rows, spare):  # type: ignore[no-untyped-def]
    """Split a node by a feature at its random threshold; fill its row and that of the left child."""
    (f, key), (links, reals, at, made), low, bits = split, rows, listed.low, source.bits
    node, column, classes, often = listed.entries[here[0] : here[1]], listed.columns[f], (1 << bits) - 1, (1 << low) - 1
    row, left, right, cut = reals[made], 0, 0, threshold(node, column, low, key, f)
    for c in range(len(row)):
        row[c] = 0.0
    for i in range(len(node)):
        entry = node[U(i)]
        s = int(np.float64(column[U(entry >> low)]) <= cut)
        row[U(1 + (entry & classes))] += s * (((np.int64(entry) & often) >> bits) + 1)
        node[U(left)] = entry
        spare[U(right)] = entry
        left += s
        right += 1 - s
    for i in range(right):
        node[U(left + i)] = spare[U(i)]
    links[at, nodes.FEATURE], links[made, nodes.SIZE], reals[at, 0] = f, left, cut


@kernel(_nrt=False)
def grow_random(source, listed, tree, scorer, rules, scratch):  # type: ignore[no-untyped-def]
    """Grow a tree until it is done or its rows are full, as ``grow_whole`` does, sharing the samples out in place."""
    links, reals, at, made = tree
    while made < len(links):
        if not nodes.is_leaf(links, reals, at, rules, scratch.counts):
            here = links[at, nodes.START], links[at, nodes.START] + links[at, nodes.SIZE]
            key = np.uint64(links[at, nodes.KEY])
            f = _best(source, listed, here, scorer, rules, key, scratch)
            if f >= 0:
                _divide(source, listed, here, (f, key), (links, reals, at, made), scratch.spare)
                nodes.undone(links, reals, at, made, rules)
        if not nodes.advance(links, reals, at, made):
            return np.int64(-1), made
        at = made
        made += 1
    return at, made
