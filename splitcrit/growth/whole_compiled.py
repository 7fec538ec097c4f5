"""A whole tree in one compiled loop, depth first.

Samples lie in columns that are sorted once (``sorting`` is None, see ``sorted_compiled``), or are sorted at each node
by the features drawn there (``drawn_compiled``). Either way a node is searched by the same lines: each feature for its
best score, then one of them for the first place that ties with the best.

Main definitions: ``grow_whole``, ``best_split``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth import nodes_compiled as nodes
from splitcrit.growth.drawn_compiled import sort_column, split_entries
from splitcrit.growth.sorted_compiled import split_orders
from splitcrit.jit import called, kernel
from splitcrit.search.constants_compiled import numbers_of_node
from splitcrit.search.pointers import call_scan
from splitcrit.search.records import Scratch, Segment, Totals


@called(_nrt=False)
def best_split(source, sorting, here, scorer, rules, key, scratch):  # type: ignore[no-untyped-def]
    """Return the feature of the split that the tie rule chooses (-1: none pays), its place, and the row of its order.

    A feature that is sorted here stays sorted for the second scan if it leads.
    """
    (orders, columns, bits), count = source, rules.features
    best, places, scan = scratch.best, scratch.places, Scratch(scratch.seen, scratch.behind)
    begin = here[0] if sorting is None else 0
    size, sums, base, rate, width = numbers_of_node(scorer, scratch.counts, begin, scratch.constants, scratch.behind)
    node = Totals(scratch.counts, sums, scratch.constants)
    top, lead, floor, chosen, varied, cuts, f = -np.inf, -np.inf, np.inf, False, 0, 0, places[0]
    turn, leader, kept, work = 0, -1, 0, 1  # which rows the leader has, and the next one
    while True:
        if not chosen:
            f = nodes.draw_next(key, turn, places) if count > 0 else turn
        found, ready = -np.inf, chosen and f == leader
        work = kept if ready else work
        if sorting is None:
            order, column, (start, stop), least = orders[f], columns[f], here, rules.leaf
            cuts = -1 if column[order[start] >> bits] == column[order[stop - 1] >> bits] else 1
        else:
            if not ready:
                cuts = sort_column(source, sorting, here, size, f, work, rules)
            order, column, start, stop, least = orders[work], columns[0], 0, size, 1
        varied += cuts >= 0
        if chosen or cuts > 0:
            segment = Segment(order, column, start, stop, bits, least)
            found = call_scan(scorer.scan, segment, node, scorer.data, floor, scan)
        if chosen:
            return f, np.int64(found), work
        best[turn], top = found, max(top, found)
        if (found - lead) * rate > width:
            kept, work, lead, leader = work, kept, found, f
        turn += 1
        if turn == len(best) or (count > 0 and varied >= rules.varying and turn >= count):
            if not nodes.pays((top - base) * rate, width, rules.gain):
                nodes.put_back(places, turn)
                return -1, -1, -1
            floor, chosen = nodes.floor_of(top, base, rate, width), True
            f = places[nodes.first_reaching(best, floor)]
            nodes.put_back(places, turn)


@kernel(_nrt=False)
def grow_whole(source, presorted, sorting, tree, scorer, rules, scratch):  # type: ignore[no-untyped-def]
    """Grow a tree until it is done or its rows are full; return its last node, -1 when it is done, and how many it has.

    ``source`` (``Orders``) is what is scanned, ``sorting`` what is sorted into it, or it is ``presorted``: one of the
    two is None, for which numba leaves out the code of the other way. The samples are shared out in place. ``tree``
    holds links, reals, the node to look at and how many there are.
    """
    links, reals, at, made = tree
    while made < len(links):
        if not nodes.is_leaf(links, reals, at, rules, scratch.counts):
            start, size = links[at, nodes.START], links[at, nodes.SIZE]
            here = start, start + size
            key = np.uint64(links[at, nodes.KEY])
            if presorted is not None:
                f, place, _ = best_split(source, None, here, scorer, rules, key, scratch)
                if f >= 0:
                    split_orders(source, here, (f, place), (links, reals, at, made), rules, scratch)
            if sorting is not None:
                f, place, row = best_split(source, sorting, here, scorer, rules, key, scratch)
                if f >= 0:
                    split_entries(source, sorting, here, (f, place, row), (links, reals, at, made))
        nodes.undone(links, reals, at, made, rules)
        if not nodes.advance(links, reals, at, made):
            return np.int64(-1), made
        at = made
        made += 1
    return at, made
