"""A whole regression tree of sparse features in one compiled loop, depth first.

The samples of a node stand side by side in the order of their responses, as in ``responses_compiled``. For squared
error and Poisson deviance only cells are looked at, for absolute error all samples of the node, column by column.

Main definitions: ``grow_cells_of_responses``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth import nodes_compiled as nodes
from splitcrit.growth.responses_compiled import described, share_out, unit_of
from splitcrit.growth.sparse_columns_compiled import columns_of_node, spread
from splitcrit.growth.sparse_compiled import cells_of, cut_of, next_column, only_tried
from splitcrit.jit import inlined, kernel
from splitcrit.search.regression_medians import deviations
from splitcrit.search.regression_records import POISSON, Limited, Ordered, Scan
from splitcrit.search.scoring import TIE
from splitcrit.search.segments_compiled import U
from splitcrit.search.sparse_compiled import LOW, ROW, by_responses, value_of


@kernel(_nrt=False)
def _ordered(cells, start, order, column):  # type: ignore[no-untyped-def]
    """Write the order of a node by a column, zeros among them, as ``number << 1 | same``; ``column`` is all 0."""
    (local, n, size), place = cells, 0
    for i in range(n):
        column[U(local[U(i)] & ROW)] += local[U(i)] >> LOW != 0
    for i in range(n):
        same = i > 0 and local[U(i)] >> LOW == local[U(i - 1)] >> LOW
        if local[U(i)] >> LOW != 0:
            order[U(place)] = ((start + (local[U(i)] & ROW)) << 1) | same
            place += 1
        else:
            first = place
            for number in range(size):
                if column[U(number)] == 0:
                    order[U(place)] = ((start + number) << 1) | (place > first)
                    place += 1
    for i in range(n):
        column[U(local[U(i)] & ROW)] = 0


@kernel(_nrt=False)
def _by_deviations(listed, held, n, limits, floor, space):  # type: ignore[no-untyped-def]
    """Do what ``by_responses`` does for deviations about the median."""
    (feature, top, place, moved, _), (orders, starts, bases, known) = listed.scan, listed.front
    (size, least, lightest, only), first, local = limits, floor < np.inf, held.local
    _ordered((local, n, size), bases[0], orders[0], held.column)
    starts[0], starts[1], known[0, 0], top[0], place[0] = 0, size, size, floor if first else -np.inf, -1
    listed.tried.cuts[0, 0] = only - 1 if only >= 0 else -1
    scan, rule = Scan(feature, top, place, moved, first), Limited(True, top, least, lightest)
    deviations(scan, Ordered(orders, starts, bases, known), listed.node, listed.tried, rule, space)
    if not first:
        return top[0], np.int64(0), np.int64(0)
    left, i = place[0] + 1, np.int64(0)
    while left > 0:
        left -= 1 if local[i] >> LOW != 0 else size - n + 1
        i += 1
    return top[0], local[i - 1] >> LOW, local[i] >> LOW


@inlined
def _scan(listed, held, column, node, rules, key, floor):  # type: ignore[no-untyped-def]
    """Return the best score of a column (``floor`` is infinite), or the first from ``floor`` on, and the keys there.

    ``column`` is its number, and how many entries are written.
    """
    (c, n), (_, start, size, sums, medians, random) = column, node
    limits = size, rules.leaf, rules.lightest, only_tried(held, c, n, size, key, random)
    if len(medians.local) > 0:
        return _by_deviations(listed, held, n, limits, floor, medians)
    weights = listed.samples.weights[start : start + size]
    responses = listed.node.responses[start : start + size]
    samples = responses, weights, -1.0 if listed.error == POISSON else -np.inf
    return by_responses((held.local, n), (samples, sums), limits, floor)


@kernel(_nrt=False)
def _best(listed, held, ends, node, rules, key, space):  # type: ignore[no-untyped-def]
    """Return the column that the tie rule chooses (-1: none pays), the key below the threshold, and the threshold."""
    label, _, size, _, medians, random = node
    top, unit, n, drawn, enough, floor = -np.inf, unit_of(listed), 0, 0, rules.varying, np.inf
    width = TIE * listed.described[5 if len(medians.local) > 0 else 3, 0]
    while True:
        turn = n, drawn, enough
        c, found, drawn, enough = next_column(held, ends, (label, size), turn, rules, key, space.places)
        chosen = found == 0
        if chosen:
            if not nodes.pays(top * unit, width, rules.gain):
                return np.int64(-1), np.int64(0), np.nan
            floor = top - width / unit
            c = space.tried[nodes.first_reaching(space.best, floor)]
            found = cells_of(held, c, label, size)
        score, low, high = _scan(listed, held, (c, found), node, rules, key, floor)
        if chosen:
            break
        space.best[n], space.tried[n], top = score, c, max(top, score)
        n += 1
    if random:
        return c, low, cut_of(held, c, (held.local[0] >> LOW, held.local[found - 1] >> LOW), key, random)
    return c, low, nodes.between(value_of(low), value_of(high))


@kernel(_nrt=False)
def _begun(listed, held, here, at):  # type: ignore[no-untyped-def]
    """Mark the samples of a node that is searched; return the sums of ``by_responses``."""
    (start, stop), found, above_least = here, 0.0, 0
    (rows, _, weights), centred = listed.samples, listed.node.responses
    listed.front.bases[0] = start
    listed.node.weight[0], listed.node.spread[0] = listed.described[0, 0], listed.described[5, 0]
    for i in range(start, stop):
        held.marks[U(rows[U(i)])] = (at << LOW) | (i - start)
        found += (weights[U(i)] if len(weights) > 0 else 1.0) * centred[U(i)]
        above_least += int(listed.error != POISSON or centred[U(i)] > -1)
    return found, listed.described[0, 0], above_least


@kernel(_nrt=False)
def grow_cells_of_responses(cells, held, listed, tree, rules, space, options):  # type: ignore[no-untyped-def]
    """Grow a tree until it is done or its rows are full, as ``grow_responses`` does.

    ``options`` are space for deviations if the error is absolute, and whether thresholds are random.
    """
    (links, reals, at, made), (medians, random) = tree, options
    while made < len(links):
        start, size = links[at, nodes.START], links[at, nodes.SIZE]
        here = start, start + size
        pure = described(listed, here, reals[at])
        if len(medians.local) > 0:
            reals[at, 2], reals[at, 3] = listed.described[4, 0], listed.described[5, 0]
        if not pure and size >= rules.split and links[at, nodes.DEPTH] < rules.depth:
            node = at, start, size, _begun(listed, held, here, at), medians, random
            ends = columns_of_node(cells, held, here, (listed.samples.rows[here[0] : here[1]], 0))
            c, low, threshold = _best(listed, held, ends, node, rules, np.uint64(links[at, nodes.KEY]), space)
            if c >= 0:
                links[at, nodes.FEATURE], reals[at, 0] = held.columns[c], threshold
                spread(held, c, at, 1)
                links[made, nodes.SIZE] = share_out(listed, here, (0, float(low)))
                spread(held, c, at, 0)
        if not nodes.advance(links, reals, at, made):
            return np.int64(-1), made
        at = made
        made += 1
    return at, made
