"""Sources of samples whose responses are numbers: columns sorted once, sorted at each node, or cut at random.

The samples of a node stand side by side in the order of their responses, ``samples.rows`` with ``samples.responses``
and ``samples.weights`` (empty: all 1); a sample's *number* is its place there. ``described`` holds what describes the
node (``scan.records.WEIGHT`` ...), ``centred`` its responses less their mean, by number. A column that is tried gives
an order of the numbers, ``number << 1 | same``, which a scan scores: ``squared``, or ``by_sides`` where an error is no
sum. A random threshold gives an order of two values. A split moves the samples, each side in the order in which it
stood, so that children are sorted by response again.

*Columns sorted at each node*: a node costs a sort for each column that is tried. *Columns sorted once*: a node is the
segment ``start`` to ``stop`` of every order, as of the samples. A split gives the samples new numbers, ``target``, and
shares out every order, stably; a node costs a pass over all columns, and no sorting.

*Columns of categories* are ranked at each node (``response_subsets``), and ordered by the ranks like numbers.

Main definitions: the operations of ``PresortedResponsesSource`` and ``ListedResponsesSource``, and what
``RandomResponsesSource`` and ``CellResponsesSource`` need besides; ``describe_node``, ``scan_both``, ``unit_of``;
``sort_numbers``.
"""

# mypy: disable-error-code="no-untyped-def, arg-type, assignment"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, inlined
from splitcrit.trees.growth import nodes_compiled as nodes
from splitcrit.trees.growth.class_sources_compiled import sort_keys
from splitcrit.trees.growth.listed_sources_compiled import split_by_value
from splitcrit.trees.growth.operations import (
    costs_of_sides,
    described,
    divide,
    divide_by_numbers,
    entries_of,
    moved,
    opened,
    scan_order,
    score,
    score_categories,
    score_numbers,
    score_of_cut,
)
from splitcrit.trees.growth.records import (
    DEPTH,
    HEAVY,
    IMPURITY,
    KEY,
    ROUNDED,
    SIZE,
    START,
    VALUE,
    CellResponsesSource,
    ListedResponsesSource,
    OpenNode,
    PresortedResponsesSource,
    RandomResponsesSource,
)
from splitcrit.trees.scan.records import (
    DEVIATION,
    MEAN,
    MEDIAN,
    ORDER,
    POISSON,
    REST,
    SPREAD,
    WEIGHT,
    Medians,
    OwnLoss,
    ResponseOrder,
    Sums,
)
from splitcrit.trees.scan.response_subsets import order_by_rank, rank_by_response, tabulate_responses
from splitcrit.trees.scan.scan_absolute import deviations
from splitcrit.trees.scan.scan_common import U, code_of
from splitcrit.trees.scan.scan_loss import describe_by_loss, spend
from splitcrit.trees.scan.scan_poisson import centred_at, relative_deviance
from splitcrit.trees.scan.scan_squared import allowed, describe, squared
from splitcrit.trees.scan.ties_and_scores import TIE

LARGEST = np.finfo(np.float64).max


@inlined
def unit_of(listed):
    """The unit of the scores of a node: the mean for Poisson deviance, else 1."""
    return listed.described[MEAN] + listed.described[REST] if listed.error == POISSON else 1.0


# What an error asks for: sums, medians, or what a user wrote.


@described.of(Sums)
def _described_by_sums(measure, listed, start, stop):
    return listed.described[MEAN] + listed.described[REST], listed.described[SPREAD]


@described.of(Medians)
def _described_by_medians(measure, listed, start, stop):
    return listed.described[MEDIAN], listed.described[DEVIATION]


@described.of(OwnLoss)
def _described_by_loss(measure, listed, start, stop):
    best, least = describe_by_loss(measure, listed.samples.weights, listed.described[WEIGHT], start, stop)
    listed.described[MEDIAN], listed.described[DEVIATION] = best, least
    return best, least


@costs_of_sides.of(Medians)
def _deviations_of_sides(measure, listed, base, size):
    responses, weights = listed.centred[base : base + size], listed.samples.weights[base : base + size]
    deviations(measure, responses, weights, listed.described[DEVIATION] * listed.described[WEIGHT])


@costs_of_sides.of(OwnLoss)
def _losses_of_sides(measure, listed, base, size):
    spend(measure, base, size, listed.samples.weights, listed.described[WEIGHT])


@scan_order.of(Sums)
def _by_sums(measure, listed, column, move, top, only, rules):
    weights, total = listed.samples.weights, listed.described[WEIGHT]
    return squared(column, listed.centred, weights, total, listed.error, move, top, only, rules)


@scan_order.of(Medians, OwnLoss)
def by_sides(measure, listed, column, move, top, only, rules):
    """Do what ``squared`` does where an error is no sum: the costs of both sides come first, for all thresholds.

    ``local (m,)`` lists the places, from 0, of the samples of a node in the order that is searched; ``may (m,)`` tells
    after which of them a threshold may stand, and there ``lefts`` and ``rights`` get the sums of costs.
    """
    (order, first, known, stop, base), weights, total = column, listed.samples.weights, listed.described[WEIGHT]
    size, extra, heavy, least = stop - first, (stop - known) * move, 0.0, listed.described[DEVIATION] * total
    for k in range(size):
        # Missing values that go left stand before all others, since they are on the left of every threshold.
        i = stop - extra + k if k < extra else first + k - extra
        number = np.int64(order[U(i)] >> 1)
        measure.local[U(k)] = number - base
        heavy += weights[U(number)] if len(weights) else 1.0
        inside = extra <= k < size - rules.leaf and i < known
        measure.may[U(k)] = inside and allowed(order, i, k + 1, heavy, total, rules)
    costs_of_sides(measure, listed, base, size)
    for k in range(size):
        if measure.may[U(k)]:
            score = (least - measure.lefts[U(k)] - measure.rights[U(k)]) / total
            if score > -np.inf and score >= top:
                top = score
                if only:
                    return top, first + k - extra
    return top, -1


@called(_nrt=False)
def scan_both(listed, order, first, known, stop, base, floor, rules):
    """Do what ``score`` does for an order of a node: see ``ResponseOrder``. Missing values go right, then left."""
    column, only, place = ResponseOrder(order, first, known, stop, base), floor < np.inf, -1
    top = floor if only else -np.inf
    for move in range(1 if known == stop else 2):
        top, place = scan_order(listed.measure, listed, column, move, top, only, rules)
        if place >= 0:
            return float(place), move == 1
    return top, not only


@called(_nrt=False)
def describe_node(listed, start, stop, row):
    """Write weight, mean and impurity of a node to its row, centre its responses; tell whether these are all equal."""
    # Responses are sorted in the node, from start to stop.
    numbers, responses, centred = listed.described, listed.samples.responses, listed.centred
    describe(listed.samples, start, stop, numbers)
    for i in range(start, stop):
        centred[U(i)] = centred_at(responses[U(i)], numbers[MEAN], numbers[REST], listed.error)
    if listed.error == POISSON:
        deviance = relative_deviance(centred[start:stop], listed.samples.weights[start:stop])
        numbers[SPREAD] = deviance * unit_of(listed)
    row[HEAVY] = numbers[WEIGHT]
    row[VALUE], row[IMPURITY] = described(listed.measure, listed, start, stop)
    # Sorted responses are all equal if the ends are.
    return responses[start] == responses[stop - 1]


@called(_nrt=False)
def sort_numbers(listed, f, start, stop, order):
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
    before = under - 1
    for i in range(len(rows)):
        key = np.int64(keys[U(i)])
        order[U(i)] = ((start + (key & mask)) << 1) | ((key >> low) == before)
        before = key >> low
    return True


@called(_nrt=False)
def _score_of_cut(listed, start, stop, column, cut, lost, rules):
    # An order of two values: what goes left, then what goes right, which waits in keys; both in the order of numbers.
    rows, order, spare, left, right = listed.samples.rows, listed.orders[0], listed.keys[0], 0, 0
    for number in range(start, stop):
        value = np.float64(column[U(rows[U(number)])])
        s = int(value <= cut) | int(value == lost)
        entry = (number << 1) | 1
        order[U(left)] = entry
        spare[U(right)] = entry
        left += s
        right += 1 - s
    for i in range(right):
        order[U(left + i)] = spare[U(i)]
    order[U(left)] ^= 1
    best, _ = scan_both(listed, order, 0, stop - start, stop - start, start, np.inf, rules)
    return best


@called(_nrt=False)
def first_missing(listed, order, column, first, stop):
    """The place in a node's order from which on values are missing; these are stored as infinity."""
    while stop > first and column[U(listed.samples.rows[U(order[U(stop - 1)] >> 1)])] == np.inf:
        stop -= 1
    return stop


@called(_nrt=False)
def _move_samples(listed, start, stop, column, cut, lost):
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


@entries_of.of(ListedResponsesSource, RandomResponsesSource, part=True)
def _entries_of_responses(source, node):
    listed = source.listed
    return listed.samples.rows[node.start : node.stop], np.int64(0), listed.ranks, listed.columns


@moved.of(PresortedResponsesSource, ListedResponsesSource, RandomResponsesSource, CellResponsesSource, part=True)
def _moved_responses(source, node, column, cut, lost, row):
    # Missing values are infinite, and so is a threshold that parts them from all others.
    return _move_samples(source.listed, node.start, node.stop, column, min(cut, LARGEST), lost)


@score_of_cut.of(RandomResponsesSource, CellResponsesSource, part=True)
def _score_of_division(source, node, column, cut, lost, rules):
    return _score_of_cut(source.listed, node.start, node.stop, column, cut, lost, rules)


@opened.of(PresortedResponsesSource, ListedResponsesSource, RandomResponsesSource, part=True)
def _opened_responses(source, tree, at, rules):
    listed, start, size = source.listed, tree.links[at, START], tree.links[at, SIZE]
    pure, key = describe_node(listed, start, start + size, tree.reals[at]), np.uint64(tree.links[at, KEY])
    may = not (pure or size < rules.split or tree.links[at, DEPTH] >= rules.depth)
    width = TIE * abs(tree.reals[at, IMPURITY])
    return may, OpenNode(start, start + size, key, 0, 0.0, 0.0, unit_of(listed), width, 0, 0, 0)


@score_numbers.of(ListedResponsesSource, part=True)
def _score_sorted(source, node, column, slot, ready, floor, rules):
    listed, start, size = source.listed, node.start, node.stop - node.start
    order = listed.orders[slot]
    if not ready and not sort_numbers(listed, column, start, node.stop, order):
        return -np.inf, False
    known = first_missing(listed, order, listed.columns[column], 0, size)
    return scan_both(listed, order, 0, known, size, start, floor, rules)


@called(_nrt=False)
def _cut_of(listed, order, stop, f, place, left):
    """The threshold of a column after a place of its order, and where its missing values go (see ``LOST``)."""
    # The values of the samples next to the cut bound the threshold, and the samples are moved by it.
    rows, column = listed.samples.rows, listed.columns[f]
    low, high = column[U(rows[U(order[place] >> 1)])], column[U(rows[U(order[place + 1] >> 1)])]
    lost = column[U(rows[U(order[stop - 1] >> 1)])] == np.inf
    cut = nodes.between(low, high)
    return cut, np.int64(lost) + np.int64(left) + ROUNDED * nodes.rounded(low, high, cut)


@divide_by_numbers.of(ListedResponsesSource)
def _divide_sorted(source, node, pick, tree, at, new, rules):
    listed, f, size = source.listed, pick.feature, node.stop - node.start
    best, left = score_numbers(source, node, f, pick.slot, pick.ready, pick.floor, rules)
    cut, goes = _cut_of(listed, listed.orders[pick.slot], size, f, int(best), left)
    split_by_value(source, node, f, listed.columns[f], cut, goes, np.inf if left else np.nan, tree, at, new)


# Columns sorted once.


@score.of(PresortedResponsesSource)
def _score_presorted_responses(source, node, column, entries, slot, ready, floor, rules):
    listed, start, stop, order = source.listed, node.start, node.stop, source.orders[column]
    rows, values = listed.samples.rows, listed.columns[column]
    low, high = values[U(rows[U(order[start] >> 1)])], values[U(rows[U(order[stop - 1] >> 1)])]
    if low == high:
        return -np.inf, False
    known = first_missing(listed, order, values, start, stop) if high == np.inf else stop
    return scan_both(listed, order, start, known, stop, start, floor, rules)


@called(_nrt=False)
def _number_anew(order, start, stop, last, known, goes, side, target):
    """Mark the samples of a node that go left, and set ``target[number]`` to twice their new number plus the side.

    Those up to the place ``last`` of an order go left, and if ``goes`` those from ``known`` on; return how many.
    """
    for i in range(start, stop):
        side[U(order[U(i)] >> 1)] = i <= last or (goes and i >= known)
    left, size = np.int64(start), last + 1 - start + (stop - known if goes else 0)
    right = left + size
    for number in range(start, stop):
        s = np.int64(side[U(number)])
        target[U(number)] = 2 * (left if s else right) + s
        left += s
        right += 1 - s
    return size


@called(_nrt=False)
def _share_out_numbers(order, start, stop, left_closed, right_closed, target, spare):
    """Move the entries of a node that go left before the rest, each in order, with their new numbers and marks.

    A closed child gets nothing.
    """
    # Of a run of equal values all but the first on each side are marked; run, left_run and right_run number the runs.
    left, right, run, left_run, right_run, step = start, np.int64(0), 0, -1, -1, 1 - np.int64(left_closed)
    for i in range(start, stop):
        entry = order[U(i)]
        to = np.int64(target[U(entry >> 1)])
        s = to & 1
        run += 1 - (np.int64(entry) & 1)
        new = (to - s) | np.int64((left_run if s else right_run) == run)
        left_run, right_run = run if s else left_run, right_run if s else run
        # Both places are written and one of them advances: no branch, which samples in random order would mispredict.
        order[U(left)] = new
        spare[U(right)] = new
        left += s * step
        right += 1 - s
    if not right_closed:
        for i in range(right):
            order[U(stop - right + i)] = spare[U(i)]


@divide.of(PresortedResponsesSource)
def _divide_presorted_responses(source, node, pick, tree, at, new, rules):
    listed, start, stop, f = source.listed, node.start, node.stop, pick.feature
    best, left = score(source, node, f, 0, pick.slot, pick.ready, pick.floor, rules)
    place, order = np.int64(best), source.orders[f]
    cut, goes = _cut_of(listed, order, stop, f, place, left)
    known = first_missing(listed, order, listed.columns[f], start, stop) if left else stop
    size = _number_anew(order, start, stop, place, known, left, source.side, source.target)
    split_by_value(source, node, f, listed.columns[f], cut, goes, np.inf if left else np.nan, tree, at, new)
    deep, responses, middle = tree.links[at, DEPTH] + 1 >= rules.depth, listed.samples.responses, start + size
    # A child that is a leaf for sure, as all its responses are equal or it is too small, needs no orders.
    left_closed = deep or size < rules.split or responses[start] == responses[middle - 1]
    right_closed = deep or stop - middle < rules.split or responses[middle] == responses[stop - 1]
    if not (left_closed and right_closed):
        for column in range(len(source.orders)):
            order = source.orders[column]
            _share_out_numbers(order, start, stop, left_closed, right_closed, source.target, listed.spare.rows)


# Columns of categories.


@score_categories.of(ListedResponsesSource)
def _score_categories(source, node, column, slot, floor, rules):
    listed, space, codes, start = source.listed, source.recoding.node, source.listed.columns[column], node.start
    order, width, size = listed.orders[slot], node.width / node.rate, node.stop - start
    rows, here = listed.samples.rows[start : node.stop], listed.centred[start : node.stop]
    heavy = listed.samples.weights[start : node.stop]
    p, count, method = tabulate_responses(rows, codes, here, heavy, space), 1, ORDER
    if p > 1:
        count, method = rank_by_response(p, rows, codes, here, heavy, space, listed.keys[0], listed.error, rules, width)
    if count < 2:
        return -np.inf, p > 1
    order_by_rank(rows, codes, start, space.ranks, count, space.weights, order)
    best, _ = scan_both(listed, order, 0, size, size, start, floor, rules)
    if floor == np.inf:
        return best, True
    space.ranks[len(space.ranks) - 1] = method
    last = listed.samples.rows[U(order[int(best)] >> 1)]
    return float(space.ranks[code_of(codes, last)]), False
