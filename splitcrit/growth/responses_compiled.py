"""A whole regression tree in one compiled loop, depth first, of thresholds of drawn features or random ones.

The samples of a node stand side by side in the order of their responses; a sample's *number* is its place there. Each
feature that is tried gives an order of them, which the scan of ``regression_compiled`` scores; a random threshold
divides them, and the sum of one side scores it.

Main definitions: ``grow_responses``; ``described``, ``share_out``, ``unit_of``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth import nodes_compiled as nodes
from splitcrit.growth.drawn_compiled import sort_keys
from splitcrit.growth.random_compiled import threshold
from splitcrit.jit import called, inlined, kernel
from splitcrit.search.deviance_compiled import centred_at, deviant, relative_deviance
from splitcrit.search.regression_compiled import describe, gained, squared
from splitcrit.search.regression_records import POISSON, Limited, Ordered, Scan
from splitcrit.search.scoring import TIE
from splitcrit.search.segments_compiled import U


@inlined
def unit_of(listed):  # type: ignore[no-untyped-def]
    """Return what scores of a node are in units of: the mean for Poisson deviance, else 1."""
    return listed.described[1, 0] + listed.described[2, 0] if listed.error == POISSON else 1.0


@called(_nrt=False)
def described(listed, here, row):  # type: ignore[no-untyped-def]
    """Write weight, mean and impurity of a node to its row, centre its responses; tell whether these are all equal."""
    (start, stop), found, starts = here, listed.described, listed.front.starts
    responses, centred = listed.samples.responses, listed.node.responses
    starts[0], starts[1] = start, stop
    describe(listed.samples, starts, found)
    for i in range(start, stop):
        centred[U(i)] = centred_at(responses[U(i)], found[1, 0], found[2, 0], listed.error)
    if listed.error == POISSON:
        found[3, 0] = relative_deviance(centred[start:stop], listed.samples.weights[start:stop]) * unit_of(listed)
    row[1], row[2], row[3] = found[0, 0], found[1, 0] + found[2, 0], found[3, 0]
    return responses[start] == responses[stop - 1]


@called(_nrt=False)
def _sorted(rows, column, start, space, order):  # type: ignore[no-untyped-def]
    """Write the order of a node by the ranks of a feature; tell whether its values differ.

    ``space`` is keys, spare keys and histogram, and how far a rank is shifted in a key.
    """
    (keys, spare, histogram, low), mask = space, (1 << space[3]) - 1
    under, over = np.int64(column[U(rows[0])]), np.int64(column[U(rows[0])])
    for i in range(len(rows)):
        rank = np.int64(column[U(rows[U(i)])])
        under, over = min(under, rank), max(over, rank)
        keys[U(i)] = (rank << low) | i
    if under == over:
        return False
    sort_keys(keys, spare, len(rows), low, (under, over), histogram)
    before = np.int64(-1)
    for i in range(len(rows)):
        key = np.int64(keys[U(i)])
        order[U(i)] = ((start + (key & mask)) << 1) | ((key >> low) == before)
        before = key >> low
    return True


@called(_nrt=False)
def _divided(rows, split, node, total, rules, error):  # type: ignore[no-untyped-def]
    """Return the score of a threshold of a column in a node, -inf if it leaves too little on a side."""
    (column, cut), (responses, weights) = split, node
    s, heavy, size, left, right = 0.0, 0.0, 0, 0, 0
    for i in range(len(rows)):
        goes = int(np.float64(column[U(rows[U(i)])]) <= cut)
        w = (weights[U(i)] if len(weights) else 1.0) * goes
        s += w * responses[U(i)]
        heavy += w
        size += goes
        left += goes * (responses[U(i)] > -1)
        right += (1 - goes) * (responses[U(i)] > -1)
    enough = min(size, len(rows) - size) >= rules.leaf and min(heavy, total - heavy) >= rules.lightest
    if not enough or total <= heavy or (error == POISSON and min(left, right) == 0):
        return -np.inf
    return deviant(s, heavy, total) if error == POISSON else gained(s, heavy, total)


@called(_nrt=False)
def _scan(listed, here, row, bound, rules):  # type: ignore[no-untyped-def]
    """Return the best score of an order of the node (``bound`` is -inf), or its first place from ``bound`` on."""
    (feature, top, place, moved, _), (orders, starts, base, known), size = listed.scan, listed.front, here[1] - here[0]
    starts[0], starts[1], base[0], known[0, 0], top[0], place[0] = 0, size, here[0], size, bound, -1
    listed.node.weight[0], only = listed.described[0, 0], bound > -np.inf
    scan, front = Scan(feature, top, place, moved, only), Ordered(orders[row : row + 1], starts, base, known)
    squared(scan, front, listed.node, listed.tried, Limited(listed.error, top, rules.leaf, rules.lightest))
    return float(place[0]) if only else top[0]


@called(_nrt=False)
def _best(listed, here, rules, key, tries):  # type: ignore[no-untyped-def]
    """Return the feature of the split that the tie rule chooses (-1: none pays), and its threshold."""
    count, random, (start, stop), (places, best, rows) = rules.features, len(listed.ranks[0]) == 0, here, tries
    numbers, weights = listed.samples.rows[start:stop], listed.samples.weights[start:stop]
    space, orders = (listed.keys[0], listed.keys[1], listed.histogram, listed.low), listed.front.orders
    node, total, unit = (listed.node.responses[start:stop], weights), listed.described[0, 0], unit_of(listed)
    top, varied, turn = -np.inf, np.int64(0), np.int64(0)
    while turn < len(best) and not (count > 0 and varied >= rules.varying and turn >= count):
        f = nodes.draw_next(key, turn, places) if count > 0 else turn
        best[turn], rows[turn] = -np.inf, varied
        if random:
            cut = threshold(numbers, listed.columns[f], np.int64(0), key, f)
            if not np.isnan(cut):
                best[turn] = _divided(numbers, (listed.columns[f], cut), node, total, rules, listed.error)
                varied += 1
        elif _sorted(numbers, listed.ranks[f], start, space, orders[varied]):
            best[turn] = _scan(listed, here, varied, -np.inf, rules)
            varied += 1
        top = max(top, best[turn])
        turn += 1
    width = TIE * listed.described[3, 0]
    if not nodes.pays(top * unit, width, rules.gain):
        nodes.put_back(places, turn)
        return -1, np.nan
    width /= unit
    chosen = nodes.first_reaching(best, top - width)
    f, column = places[chosen], listed.columns[places[chosen]]
    nodes.put_back(places, turn)
    if random:
        return f, threshold(numbers, column, np.int64(0), key, f)
    place, order = np.int64(_scan(listed, here, rows[chosen], top - width, rules)), orders[rows[chosen]]
    low, high = np.int64(order[place] >> 1) - start, np.int64(order[place + 1] >> 1) - start
    return f, nodes.between(column[U(numbers[U(low)])], column[U(numbers[U(high)])])


@called(_nrt=False)
def share_out(listed, here, split):  # type: ignore[no-untyped-def]
    """Move the samples up to a threshold before the rest, in order; return how many they are."""
    (start, stop), (f, cut), (rows, responses, weights), spare = here, split, listed.samples, listed.spare
    column, left, right, weighted = listed.columns[f], start, 0, len(weights) > 0
    for i in range(start, stop):
        row, response = rows[U(i)], responses[U(i)]
        s = int(np.float64(column[U(row)]) <= cut)
        rows[U(left)], responses[U(left)] = row, response
        spare.rows[U(right)], spare.responses[U(right)] = row, response
        if weighted:
            weight = weights[U(i)]
            weights[U(left)] = weight
            spare.weights[U(right)] = weight
        left += s
        right += 1 - s
    for i in range(right):
        rows[U(left + i)], responses[U(left + i)] = spare.rows[U(i)], spare.responses[U(i)]
        if weighted:
            weights[U(left + i)] = spare.weights[U(i)]
    return left - start


@kernel(_nrt=False)
def grow_responses(listed, tree, rules, tries):  # type: ignore[no-untyped-def]
    """Grow a tree until it is done or its rows are full, as ``grow_whole`` does; the samples are shared out in place.

    Reals are threshold, weight, mean and impurity. Thresholds are random where there are no ranks.
    """
    links, reals, at, made = tree
    while made < len(links):
        here = links[at, nodes.START], links[at, nodes.START] + links[at, nodes.SIZE]
        pure = described(listed, here, reals[at])
        if not pure and links[at, nodes.SIZE] >= rules.split and links[at, nodes.DEPTH] < rules.depth:
            f, cut = _best(listed, here, rules, np.uint64(links[at, nodes.KEY]), tries)
            if f >= 0:
                links[at, nodes.FEATURE], reals[at, 0] = f, cut
                links[made, nodes.SIZE] = share_out(listed, here, (f, cut))
        if not nodes.advance(links, reals, at, made):
            return np.int64(-1), made
        at = made
        made += 1
    return at, made
