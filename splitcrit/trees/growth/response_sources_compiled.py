"""Sources of samples whose responses are numbers: columns sorted at each node, or cut at random.

The samples of a node stand side by side in the order of their responses, ``samples.rows`` with ``samples.responses``
and ``samples.weights`` (empty: all 1); a sample's *number* is its place there. ``described`` holds what describes the
node (``scan.records.WEIGHT`` ...), ``node.responses`` its responses less their mean, by number. A column that is
tried gives an order of the numbers, ``number << 1 | same``, which the scan of ``scan_squared`` scores; a random
threshold divides them, and the sum of one side scores it. A split moves the samples, each side in the order in which it
stood, so that children are sorted by response again. A node costs a sort for each column that is tried.

Main definitions: the operations of ``ResponsesSource`` and ``RandomResponsesSource``; ``describe_node``,
``move_samples``, ``unit_of``.
"""

# mypy: disable-error-code="no-untyped-def, arg-type"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, inlined
from splitcrit.trees.growth import nodes_compiled as nodes
from splitcrit.trees.growth.class_sources_compiled import sort_keys, threshold
from splitcrit.trees.growth.operations import divide, opened, score
from splitcrit.trees.growth.records import (
    DEPTH,
    FEATURE,
    HEAVY,
    IMPURITY,
    KEY,
    LOST,
    SIZE,
    START,
    THRESHOLD,
    VALUE,
    OpenNode,
    RandomResponsesSource,
    ResponsesSource,
)
from splitcrit.trees.scan.records import MEAN, POISSON, REST, SPREAD, WEIGHT, Limited, Ordered, Scan
from splitcrit.trees.scan.scan_common import U
from splitcrit.trees.scan.scan_poisson import centred_at, deviant, relative_deviance
from splitcrit.trees.scan.scan_squared import describe, gained, squared
from splitcrit.trees.scan.ties_and_scores import TIE

LARGEST = np.finfo(np.float64).max


@inlined
def unit_of(listed):
    """Return the unit of the scores of a node: the mean for Poisson deviance, else 1."""
    return listed.described[MEAN, 0] + listed.described[REST, 0] if listed.error == POISSON else 1.0


@called(_nrt=False)
def describe_node(listed, start, stop, row):
    """Write weight, mean and impurity of a node to its row, centre its responses; tell whether these are all equal."""
    # described (DESCRIBED, 1) is of this node alone; responses are sorted in it, from start to stop.
    found, starts = listed.described, listed.front.starts
    responses, centred = listed.samples.responses, listed.node.responses
    starts[0], starts[1] = start, stop
    describe(listed.samples, starts, found)
    for i in range(start, stop):
        centred[U(i)] = centred_at(responses[U(i)], found[MEAN, 0], found[REST, 0], listed.error)
    if listed.error == POISSON:
        deviance = relative_deviance(centred[start:stop], listed.samples.weights[start:stop])
        found[SPREAD, 0] = deviance * unit_of(listed)
    row[HEAVY], row[VALUE] = found[WEIGHT, 0], found[MEAN, 0] + found[REST, 0]
    row[IMPURITY] = found[SPREAD, 0]
    # Sorted responses are all equal if the ends are.
    return responses[start] == responses[stop - 1]


@called(_nrt=False)
def _sort_numbers(listed, f, start, stop, order):
    """Write the order of a node by the ranks of a feature; tell whether its values differ.

    Keys are ``rank << low | place in the node``.
    """
    # rows (m,) of the node, column (n,) ranks by row; order gets number << 1 | same, as a scan reads it.
    rows, column, low, keys = listed.samples.rows[start:stop], listed.ranks[f], listed.low, listed.keys[0]
    mask = (1 << low) - 1
    under, over = np.int64(column[U(rows[0])]), np.int64(column[U(rows[0])])
    for i in range(len(rows)):
        rank = np.int64(column[U(rows[U(i)])])
        under, over = min(under, rank), max(over, rank)
        keys[U(i)] = (rank << low) | i
    if under == over:
        return False
    sort_keys(keys, listed.keys[1], len(rows), low, under, over, listed.histogram)
    before = np.int64(-1)
    for i in range(len(rows)):
        key = np.int64(keys[U(i)])
        order[U(i)] = ((start + (key & mask)) << 1) | ((key >> low) == before)
        before = key >> low
    return True


@called(_nrt=False)
def _score_of_threshold(rows, column, cut, lost, responses, weights, total, rules, error):
    """Return the score of a threshold of a column in a node, -inf if it leaves too little on a side."""
    # Sums of the left side; left and right count responses above the least one, which centred_at makes -1.
    s, heavy, size, left, right = 0.0, 0.0, 0, 0, 0
    for i in range(len(rows)):
        value = np.float64(column[U(rows[U(i)])])
        goes = int(value <= cut) | int(value == lost)
        w = (weights[U(i)] if len(weights) else 1.0) * goes
        s += w * responses[U(i)]
        heavy += w
        size += goes
        left += goes * (responses[U(i)] > -1)
        right += (1 - goes) * (responses[U(i)] > -1)
    enough = min(size, len(rows) - size) >= rules.leaf and min(heavy, total - heavy) >= rules.lightest
    # A side whose responses are all 0 has no Poisson mean.
    if not enough or total <= heavy or (error == POISSON and min(left, right) == 0):
        return -np.inf
    return deviant(s, heavy, total) if error == POISSON else gained(s, heavy, total)


@called(_nrt=False)
def _scan(listed, column, start, stop, slot, bound, rules):
    """Return the best score of an order of the node (``bound`` is -inf), or its first place from ``bound`` on."""
    scan, front, size, only = listed.scan, listed.front, stop - start, bound > -np.inf
    known, ranks, lost = size, listed.ranks[column], listed.lost[column]
    while lost >= 0 and ranks[U(listed.samples.rows[U(front.orders[slot, known - 1] >> 1)])] == lost:
        known -= 1
    # A front of one node and one column, in the space of the loops that search a level.
    front.starts[0], front.starts[1], front.bases[0], front.known[0, 0] = 0, size, start, known
    scan.bound[0], scan.place[0], listed.node.weight[0] = bound, -1, listed.described[WEIGHT, 0]
    one = Scan(scan.feature, scan.bound, scan.place, scan.missing_left, only)
    ordered = Ordered(front.orders[slot : slot + 1], front.starts, front.bases, front.known)
    limited = Limited(listed.error, scan.bound, rules.leaf, rules.lightest)
    squared(one, ordered, listed.node, listed.tried, limited)
    return float(scan.place[0]) if only else scan.bound[0]


@called(_nrt=False)
def move_samples(listed, start, stop, column, cut, lost):
    """Move the samples up to a threshold, and those of value ``lost``, before the rest, in order; return how many."""
    (rows, responses, weights), spare = listed.samples, listed.spare
    # Both sides are written and one place moves on; the right side waits in spare, so that both keep their order.
    left, right, weighted = start, 0, len(weights) > 0
    for i in range(start, stop):
        row, response = rows[U(i)], responses[U(i)]
        value = np.float64(column[U(row)])
        s = int(value <= cut) | int(value == lost)
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


@inlined
def _move(listed, start, stop, f, cut, goes, lost, tree, at, made):
    """Split a node by a threshold, and what goes left besides; fill its row and that of the left child."""
    tree.links[at, FEATURE], tree.reals[at, THRESHOLD], tree.links[at, LOST] = f, cut, goes
    # Missing values are infinite, and so is a threshold that parts them from all others.
    tree.links[made, SIZE] = move_samples(listed, start, stop, listed.columns[f], min(cut, LARGEST), lost)


@opened.of(ResponsesSource, RandomResponsesSource, part=True)
def _opened_responses(source, tree, at, rules):
    listed, start, size = source.listed, tree.links[at, START], tree.links[at, SIZE]
    pure, key = describe_node(listed, start, start + size, tree.reals[at]), np.uint64(tree.links[at, KEY])
    may = not (pure or size < rules.split or tree.links[at, DEPTH] >= rules.depth)
    width = TIE * listed.described[SPREAD, 0]
    return may, OpenNode(start, start + size, key, 0, 0.0, 0.0, unit_of(listed), width, 0, 0, 0)


@score.of(ResponsesSource, part=True)
def _score_responses(source, node, column, entries, slot, ready, floor, rules):
    listed, start, stop = source.listed, node.start, node.stop
    if not ready and not _sort_numbers(listed, column, start, stop, listed.front.orders[slot]):
        return -np.inf, False
    return _scan(listed, column, start, stop, slot, floor if floor < np.inf else -np.inf, rules), True


@divide.of(ResponsesSource)
def _divide_responses(source, node, pick, tree, at, made, rules):
    listed, start, stop, f = source.listed, node.start, node.stop, pick.feature
    found, _ = score(source, node, f, 0, pick.slot, pick.ready, pick.floor, rules)
    rows, column, order, place = listed.samples.rows, listed.columns[f], listed.front.orders[pick.slot], int(found)
    # The values of the samples next to the cut bound the threshold, and the samples are moved by it.
    low, high = rows[U(order[place] >> 1)], rows[U(order[place + 1] >> 1)]
    cut = nodes.between(column[U(low)], column[U(high)])
    goes = np.int64(listed.front.known[0, 0] < stop - start) + listed.scan.missing_left[0]
    _move(listed, start, stop, f, cut, goes, np.inf if goes == 2 else np.nan, tree, at, made)


@score.of(RandomResponsesSource)
def _score_random_responses(source, node, column, entries, slot, ready, floor, rules):
    listed, start, stop = source.listed, node.start, node.stop
    rows, weights = listed.samples.rows[start:stop], listed.samples.weights[start:stop]
    values, responses, total = listed.columns[column], listed.node.responses[start:stop], listed.described[WEIGHT, 0]
    cut, _, lost = threshold(rows, values, np.int64(0), node.key, column)
    if np.isnan(cut):
        return -np.inf, False
    return _score_of_threshold(rows, values, cut, lost, responses, weights, total, rules, listed.error), True


@divide.of(RandomResponsesSource)
def _divide_random_responses(source, node, pick, tree, at, made, rules):
    listed, start, stop, f = source.listed, node.start, node.stop, pick.feature
    cut, goes, lost = threshold(listed.samples.rows[start:stop], listed.columns[f], np.int64(0), node.key, f)
    _move(listed, start, stop, f, cut, goes, lost, tree, at, made)
