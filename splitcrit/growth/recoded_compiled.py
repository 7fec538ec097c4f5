"""A whole tree over columns of numbers and of categories in one compiled loop, depth first.

Columns of numbers are sorted at the node by their ranks, as in ``drawn_compiled``. Of a column of categories a node
counts the classes by category; only if it splits the node its samples get the ranks of their categories, by which they
are shared out like any others.

Main definitions: ``grow_recoded``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth import nodes_compiled as nodes
from splitcrit.growth.drawn_compiled import sort_column, split_entries
from splitcrit.jit import called, kernel
from splitcrit.search.records import Scratch, Segment, Totals
from splitcrit.search.segments_compiled import U
from splitcrit.search.subsets_compiled import best_cut, best_subset, by_response, tabulated
from splitcrit.search.sums_compiled import by_sums, numbers_of_sums


@kernel(_nrt=False)
def _parted(recoding, node, f, bits, data, limits, floor):  # type: ignore[no-untyped-def]
    """Return the best raw score of a column of categories; with a finite ``floor`` rank the categories as it says.

    ``recoding.ranks`` gets ranks by category (-1: none in the node), of which those up to the number returned go left.
    """
    (table, there), (counts, width) = (recoding.table[: recoding.levels[f]], recoding.there), limits
    p, seen = tabulated(node, recoding.codes[f], bits, table, there), recoding.seen
    if p < 2:
        return -np.inf
    if recoding.ordered:
        by_response(table, there, p)
        found, subset = best_cut(table, there, p, data, (seen, counts), floor), 0
    else:
        subset, found = best_subset(table, there, p, data, (seen, counts), width, 1, recoding.scores)
    if floor < np.inf:
        for i in range(len(recoding.ranks)):
            recoding.ranks[U(i)] = -1
        for i in range(p):
            recoding.ranks[U(there[U(i)])] = i if recoding.ordered else 1 - (subset >> i & 1)
        return found if recoding.ordered else 0.0
    return found


@kernel(_nrt=False)
def _ranked(sorting, recoding, node, f, cut, bits):  # type: ignore[no-untyped-def]
    """Give the samples of a node the ranks of their categories, and return the last place on the left."""
    left = 0
    for i in range(len(node)):
        row = U(node[U(i)] >> bits)
        rank = recoding.ranks[U(recoding.codes[f, row])]
        sorting.ranks[f, row] = rank
        sorting.columns[f, row] = rank
        left += rank <= cut
    return left - 1


@called(_nrt=False)
def _best_split(source, sorting, recoding, here, data, rules, scratch):  # type: ignore[no-untyped-def]
    """Return the feature of the split that the tie rule chooses (-1: none pays) and its place in the second row."""
    bits, best, scan = source.bits, scratch.best, Scratch(scratch.seen, scratch.behind)
    size, sums, base, rate, width = numbers_of_sums(data, scratch.counts, scratch.constants)
    node, total = sorting.entries[here[0] : here[1]], Totals(scratch.counts, sums, scratch.constants)
    limits = scratch.counts, width / rate
    segment = Segment(source.orders[1], source.columns[0], 0, size, bits, 1)
    top = -np.inf
    for f in range(len(best)):
        best[f] = -np.inf
        if recoding.levels[f] > 0:
            best[f] = _parted(recoding, node, f, bits, data, limits, np.inf)
        elif sort_column(source, sorting, here, size, f, 1, rules) > 0:
            best[f] = by_sums(segment, total, data, np.inf, scan)
        top = max(top, best[f])
    if not nodes.pays((top - base) * rate, width, rules.gain):
        return -1, -1
    floor = nodes.floor_of(top, base, rate, width)
    f = nodes.first_reaching(best, floor)
    if recoding.levels[f] > 0:
        place = _ranked(sorting, recoding, node, f, _parted(recoding, node, f, bits, data, limits, floor), bits)
        sort_column(source, sorting, here, size, f, 1, rules)
        return f, place
    sort_column(source, sorting, here, size, f, 1, rules)
    return f, np.int64(by_sums(segment, total, data, floor, scan))


@kernel
def grow_recoded(source, sorting, recoding, tree, data, rules, scratch):  # type: ignore[no-untyped-def]
    """Grow a tree until it is done or its rows are full; return its last node, -1 when it is done, and how many it has.

    ``tree`` holds links, reals and ranks of categories by node, the node to look at and how many there are.
    """
    links, reals, held, at, made = tree
    while made < len(links):
        if not nodes.is_leaf(links, reals, at, rules, scratch.counts):
            here = links[at, nodes.START], links[at, nodes.START] + links[at, nodes.SIZE]
            f, place = _best_split(source, sorting, recoding, here, data, rules, scratch)
            if f >= 0:
                split_entries(source, sorting, here, (f, place, 1), (links, reals, at, made))
                held[at] = recoding.ranks
        if not nodes.advance(links, reals, at, made):
            return np.int64(-1), made
        at = made
        made += 1
    return at, made
