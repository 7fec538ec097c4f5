"""Sources of samples whose responses are numbers: columns sorted once, sorted at each node, or cut at random.

The samples of a node stand side by side in the order of their responses, ``samples.rows`` with ``samples.responses``
and ``samples.weights`` (empty: all 1); a sample's *number* is its place there. ``described`` holds what describes the
node (``scan.records.WEIGHT`` ...), ``node.responses`` its responses less their mean, by number. A column that is
tried gives an order of the numbers, ``number << 1 | same``, which the scan of ``scan_squared`` or ``scan_absolute``
scores; a random threshold divides them, and what lies on each side scores it. A split moves the samples, each side in
the order in which it stood, so that children are sorted by response again.

*Columns sorted at each node*: a node costs a sort for each column that is tried. *Columns sorted once*: a node is the
segment ``start`` to ``stop`` of every order, as of the samples. A split gives the samples new numbers, ``target``, and
shares out every order, stably; a node costs a pass over all columns, and no sorting.

*Columns of categories* are ranked at each node (``response_subsets``), and ordered by the ranks like numbers. Only if
such a column splits the node the ranks become its values, by which the samples are moved like any others.

Main definitions: the operations of ``ResponsesSource``, ``PresortedResponsesSource``, ``RandomResponsesSource``,
``CategoryResponsesSource`` and ``RandomCategoryResponsesSource``;
``describe_node``, ``move_samples``, ``unit_of``; ``rank_categories``, ``write_ranks``,
``sort_numbers``.
"""

# mypy: disable-error-code="no-untyped-def, arg-type, assignment"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, inlined
from splitcrit.trees.growth import nodes_compiled as nodes
from splitcrit.trees.growth.class_sources_compiled import rounded_at, sort_keys, threshold
from splitcrit.trees.growth.operations import described, divide, opened, scan_order, score, score_of_sides
from splitcrit.trees.growth.records import (
    COMPARED_RESPONSES,
    DEPTH,
    FEATURE,
    HEAVY,
    IMPURITY,
    KEY,
    LISTED_RESPONSES,
    LOST,
    ROUNDED,
    SIZE,
    START,
    THRESHOLD,
    VALUE,
    CalibratedCategoryResponsesSource,
    CalibratedResponsesSource,
    CategoryResponsesSource,
    OpenNode,
    PresortedResponsesSource,
    RandomCategoryResponsesSource,
    RandomResponsesSource,
    ResponsesSource,
)
from splitcrit.trees.scan.records import (
    DEVIATION,
    MEAN,
    MEDIAN,
    POISSON,
    REST,
    SPREAD,
    WEIGHT,
    Limited,
    Medians,
    Ordered,
    OwnLoss,
    Scan,
    Sums,
)
from splitcrit.trees.scan.response_subsets import order_by_rank, rank_by_response, tabulate_responses
from splitcrit.trees.scan.scan_absolute import deviation_of_side, deviations
from splitcrit.trees.scan.scan_common import U
from splitcrit.trees.scan.scan_loss import by_loss, describe_by_loss, loss_of_sides
from splitcrit.trees.scan.scan_poisson import centred_at, deviant, relative_deviance
from splitcrit.trees.scan.scan_squared import describe, gained, squared
from splitcrit.trees.scan.scan_subsets import sort_by_key
from splitcrit.trees.scan.ties_and_scores import TIE

LARGEST = np.finfo(np.float64).max


@inlined
def unit_of(listed):
    """Return the unit of the scores of a node: the mean for Poisson deviance, else 1."""
    return listed.described[MEAN, 0] + listed.described[REST, 0] if listed.error == POISSON else 1.0


# What an error asks for: sums, medians, or what a user wrote.


@described.of(Sums)
def _described_by_sums(measure, listed, start, stop):
    return listed.described[MEAN, 0] + listed.described[REST, 0], listed.described[SPREAD, 0]


@described.of(Medians)
def _described_by_medians(measure, listed, start, stop):
    return listed.described[MEDIAN, 0], listed.described[DEVIATION, 0]


@described.of(OwnLoss)
def _described_by_loss(measure, listed, start, stop):
    return describe_by_loss(measure, listed.samples.weights, listed.described[WEIGHT, 0], start, stop)


@scan_order.of(Sums)
def _scan_by_sums(measure, scan, front, centred, tried, rule):
    squared(scan, front, centred, tried, rule)


@scan_order.of(Medians)
def _scan_by_medians(measure, scan, front, centred, tried, rule):
    deviations(scan, front, centred, tried, rule, measure)


@scan_order.of(OwnLoss)
def _scan_by_loss(measure, scan, front, centred, tried, rule):
    by_loss(measure, scan, front, centred, rule)


@score_of_sides.of(Sums)
def _score_of_sums(measure, listed, start, stop, on_left, heavy, sum_on_left):
    total = listed.described[WEIGHT, 0]
    return deviant(sum_on_left, heavy, total) if listed.error == POISSON else gained(sum_on_left, heavy, total)


@score_of_sides.of(Medians)
def _score_of_medians(measure, listed, start, stop, on_left, heavy, sum_on_left):
    goes, total, weights = listed.keys[0], listed.described[WEIGHT, 0], listed.samples.weights[start:stop]
    apart = deviation_of_side(goes, 1, heavy, listed.node.responses[start:stop], weights)
    apart += deviation_of_side(goes, 0, total - heavy, listed.node.responses[start:stop], weights)
    return listed.node.spread[0] - apart / total


@score_of_sides.of(OwnLoss)
def _score_of_loss(measure, listed, start, stop, on_left, heavy, sum_on_left):
    total, weights = listed.described[WEIGHT, 0], listed.samples.weights
    spent = loss_of_sides(measure, listed.keys[0], start, stop - start, on_left, weights, total)
    return listed.node.spread[0] - spent / total


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
    row[HEAVY], listed.node.weight[0] = found[WEIGHT, 0], found[WEIGHT, 0]
    row[VALUE], row[IMPURITY] = described(listed.measure, listed, start, stop)
    listed.node.spread[0] = row[IMPURITY]
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
    before = np.int64(-1)
    for i in range(len(rows)):
        key = np.int64(keys[U(i)])
        order[U(i)] = ((start + (key & mask)) << 1) | ((key >> low) == before)
        before = key >> low
    return True


@called(_nrt=False)
def _score_of_threshold(listed, start, stop, column, cut, lost, rules):
    """Return the score of a threshold of a column in a node, -inf if it leaves too little on a side."""
    # Sums of the left side; left and right count responses above the least one, which centred_at makes -1.
    rows, weights = listed.samples.rows[start:stop], listed.samples.weights[start:stop]
    responses, total, goes = listed.node.responses[start:stop], listed.described[WEIGHT, 0], listed.keys[0]
    s, heavy, size, left, right = 0.0, 0.0, 0, 0, 0
    for i in range(len(rows)):
        value = np.float64(column[U(rows[U(i)])])
        goes[U(i)] = int(value <= cut) | int(value == lost)
        w = (weights[U(i)] if len(weights) else 1.0) * goes[U(i)]
        s += w * responses[U(i)]
        heavy += w
        size += goes[U(i)]
        left += goes[U(i)] * (responses[U(i)] > -1)
        right += (1 - goes[U(i)]) * (responses[U(i)] > -1)
    enough = min(size, len(rows) - size) >= rules.leaf and min(heavy, total - heavy) >= rules.lightest
    # A side whose responses are all 0 has no Poisson mean.
    if not enough or total <= heavy or (listed.error == POISSON and min(left, right) == 0):
        return -np.inf
    return score_of_sides(listed.measure, listed, start, stop, size, heavy, s)


@called(_nrt=False)
def _scan(listed, orders, first, known, stop, start, bound, rules):
    """Return the best score of the one order in ``orders`` (``bound`` is -inf), or its first place from ``bound`` on.

    There the node, whose first number is ``start``, stands from ``first`` to ``stop``, missing values from ``known``.
    """
    scan, front, only = listed.scan, listed.front, bound > -np.inf
    # A front of one node and one column, in the space of the loops that search a level.
    front.starts[0], front.starts[1], front.bases[0], front.known[0, 0] = first, stop, start, known - first
    scan.bound[0], scan.place[0] = bound, -1
    one = Scan(scan.feature, scan.bound, scan.place, scan.missing_left, only)
    ordered = Ordered(orders, front.starts, front.bases, front.known)
    limited = Limited(listed.error, scan.bound, rules.leaf, rules.lightest)
    scan_order(listed.measure, one, ordered, listed.node, listed.tried, limited)
    return float(scan.place[0]) if only else scan.bound[0]


@called(_nrt=False)
def _first_missing(listed, order, column, first, stop):
    """Return the place in an order of a node from which on values are missing, which are infinite."""
    while stop > first and column[U(listed.samples.rows[U(order[U(stop - 1)] >> 1)])] == np.inf:
        stop -= 1
    return stop


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
def _move(listed, start, stop, f, cut, noted, lost, tree, at, made):
    """Split a node by a threshold, and what goes left besides; fill its row and that of the left child."""
    tree.links[at, FEATURE], tree.reals[at, THRESHOLD], tree.links[at, LOST] = f, cut, noted
    # Missing values are infinite, and so is a threshold that parts them from all others.
    tree.links[made, SIZE] = move_samples(listed, start, stop, listed.columns[f], min(cut, LARGEST), lost)


@opened.of(*LISTED_RESPONSES, *COMPARED_RESPONSES, part=True)
def _opened_responses(source, tree, at, rules):
    listed, start, size = source.listed, tree.links[at, START], tree.links[at, SIZE]
    pure, key = describe_node(listed, start, start + size, tree.reals[at]), np.uint64(tree.links[at, KEY])
    may = not (pure or size < rules.split or tree.links[at, DEPTH] >= rules.depth)
    width = TIE * abs(tree.reals[at, IMPURITY])
    return may, OpenNode(start, start + size, key, 0, 0.0, 0.0, unit_of(listed), width, 0, 0, 0)


@inlined
def _score_of_numbers(source, node, column, slot, ready, floor, rules):
    listed, start, size = source.listed, node.start, node.stop - node.start
    orders = listed.front.orders[slot : slot + 1]
    if not ready and not sort_numbers(listed, column, start, node.stop, orders[0]):
        return -np.inf, False
    known = _first_missing(listed, orders[0], listed.columns[column], 0, size)
    return _scan(listed, orders, 0, known, size, start, floor if floor < np.inf else -np.inf, rules), True


@score.of(ResponsesSource, CalibratedResponsesSource, part=True)
def _score_responses(source, node, column, entries, slot, ready, floor, rules):
    return _score_of_numbers(source, node, column, slot, ready, floor, rules)


@called(_nrt=False)
def _cut_of(listed, order, f, place):
    """Return the threshold of a column after a place of its order, where its missing values go, and ``LOST``."""
    # The values of the samples next to the cut bound the threshold, and the samples are moved by it.
    rows, column, front = listed.samples.rows, listed.columns[f], listed.front
    low, high = column[U(rows[U(order[place] >> 1)])], column[U(rows[U(order[place + 1] >> 1)])]
    goes = np.int64(front.known[0, 0] < front.starts[1] - front.starts[0]) + listed.scan.missing_left[0]
    cut = nodes.between(low, high)
    return cut, goes, goes + ROUNDED * nodes.rounded(low, high, cut)


@inlined
def _divide_by_numbers(source, node, pick, tree, at, made, rules):
    listed, f = source.listed, pick.feature
    found, _ = _score_of_numbers(source, node, f, pick.slot, pick.ready, pick.floor, rules)
    cut, goes, noted = _cut_of(listed, listed.front.orders[pick.slot], f, int(found))
    _move(listed, node.start, node.stop, f, cut, noted, np.inf if goes == 2 else np.nan, tree, at, made)


@divide.of(ResponsesSource, CalibratedResponsesSource)
def _divide_responses(source, node, pick, tree, at, made, rules):
    _divide_by_numbers(source, node, pick, tree, at, made, rules)


# Columns sorted once.


@score.of(PresortedResponsesSource)
def _score_presorted_responses(source, node, column, entries, slot, ready, floor, rules):
    listed, start, stop, order = source.listed, node.start, node.stop, source.orders[column]
    rows, values = listed.samples.rows, listed.columns[column]
    low, high = values[U(rows[U(order[start] >> 1)])], values[U(rows[U(order[stop - 1] >> 1)])]
    if low == high:
        return -np.inf, False
    known = _first_missing(listed, order, values, start, stop) if high == np.inf else stop
    orders = source.orders[column : column + 1]
    return _scan(listed, orders, start, known, stop, start, floor if floor < np.inf else -np.inf, rules), True


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
def _share_out_numbers(order, start, stop, left_closed, right_closed, target, moved):
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
        moved[U(right)] = new
        left += s * step
        right += 1 - s
    if not right_closed:
        for i in range(right):
            order[U(stop - right + i)] = moved[U(i)]


@divide.of(PresortedResponsesSource)
def _divide_presorted_responses(source, node, pick, tree, at, made, rules):
    listed, start, stop, f = source.listed, node.start, node.stop, pick.feature
    found, _ = score(source, node, f, 0, pick.slot, pick.ready, pick.floor, rules)
    place, order = np.int64(found), source.orders[f]
    cut, goes, noted = _cut_of(listed, order, f, place)
    known = start + listed.front.known[0, 0]
    size = _number_anew(order, start, stop, place, known, goes == 2, source.side, source.target)
    _move(listed, start, stop, f, cut, noted, np.inf if goes == 2 else np.nan, tree, at, made)
    deep, responses, middle = tree.links[at, DEPTH] + 1 >= rules.depth, listed.samples.responses, start + size
    # A child that is a leaf for sure, as all its responses are equal or it is too small, needs no orders.
    left_closed = deep or size < rules.split or responses[start] == responses[middle - 1]
    right_closed = deep or stop - middle < rules.split or responses[middle] == responses[stop - 1]
    if not (left_closed and right_closed):
        for column in range(len(source.orders)):
            order = source.orders[column]
            _share_out_numbers(order, start, stop, left_closed, right_closed, source.target, source.moved)


# One random threshold a column.


@inlined
def _score_of_random_cut(source, node, column, rules):
    listed, start, stop = source.listed, node.start, node.stop
    cut, _, lost = threshold(listed.samples.rows[start:stop], listed.columns[column], np.int64(0), node.key, column)
    if np.isnan(cut):
        return -np.inf, False
    return _score_of_threshold(listed, start, stop, listed.columns[column], cut, lost, rules), True


@inlined
def _divide_by_random_cut(source, node, f, tree, at, made):
    listed, start, stop = source.listed, node.start, node.stop
    rows, column = listed.samples.rows[start:stop], listed.columns[f]
    cut, goes, lost = threshold(rows, column, np.int64(0), node.key, f)
    _move(listed, start, stop, f, cut, goes + rounded_at(rows, column, np.int64(0), cut), lost, tree, at, made)


@score.of(RandomResponsesSource)
def _score_random_responses(source, node, column, entries, slot, ready, floor, rules):
    return _score_of_random_cut(source, node, column, rules)


@divide.of(RandomResponsesSource)
def _divide_random_responses(source, node, pick, tree, at, made, rules):
    _divide_by_random_cut(source, node, pick.feature, tree, at, made)


# Columns of numbers and of categories.


@called(_nrt=False)
def rank_categories(listed, recoding, f, start, stop, width, rules):
    """Rank the categories of a column in a node; return how many it has, how many ranks, and if all ways were tried."""
    rows, responses, weights = listed.samples.rows[start:stop], listed.node.responses, listed.samples.weights
    here, heavy, codes = responses[start:stop], weights[start:stop], recoding.codes[f]
    p = tabulate_responses(rows, codes, here, heavy, recoding.levels[f], recoding.node)
    if p < 2:
        return p, 1, False
    count, every = rank_by_response(
        p, rows, codes, here, heavy, recoding.node, listed.keys[0], listed.error, rules.leaf, rules.lightest, width
    )
    return p, count, every


@called(_nrt=False)
def _rank_at_random(listed, recoding, f, start, stop, key):
    """Rank the categories of a column at random, write these as its values; return how many there are, and a cut."""
    rows, space = listed.samples.rows[start:stop], recoding.node
    p = tabulate_responses(
        rows, recoding.codes[f], listed.node.responses[start:stop], listed.samples.weights[start:stop],
        recoding.levels[f], space,
    )  # fmt: skip
    for i in range(p):
        space.keys[U(space.there[U(i)])] = nodes.uniform(key, space.there[U(i)], 8 + f)
    sort_by_key(space, p)
    for i in range(p):
        space.ranks[U(space.there[U(i)])] = i
    write_ranks(listed, recoding, f, start, stop)
    return p, nodes.random_threshold(key, f, 0.0, p - 1.0)


@called(_nrt=False)
def write_ranks(listed, recoding, f, start, stop):
    """Give the samples of a node the ranks of their categories as values, by which they are moved like any others."""
    for i in range(start, stop):
        row = U(listed.samples.rows[U(i)])
        listed.columns[f, row] = recoding.node.ranks[U(recoding.codes[f, row])]


@inlined
def _move_categories(source, node, f, cut, every, tree, at, made):
    recoding, held = source.recoding, tree.held[at]
    # What the row holds: the ranks of the categories, then whether all divisions were tried.
    for j in range(len(held) - 1):
        held[j] = recoding.node.ranks[j] if j < recoding.levels[f] else -1
    held[len(held) - 1] = every
    _move(source.listed, node.start, node.stop, f, cut, np.int64(0), np.nan, tree, at, made)


@score.of(CategoryResponsesSource, CalibratedCategoryResponsesSource, part=True)
def _score_with_categories(source, node, column, entries, slot, ready, floor, rules):
    if source.recoding.levels[column] == 0:
        return _score_of_numbers(source, node, column, slot, ready, floor, rules)
    listed, recoding, start, size = source.listed, source.recoding, node.start, node.stop - node.start
    orders, space = listed.front.orders[slot : slot + 1], source.recoding.node
    p, count, _ = rank_categories(listed, recoding, column, start, node.stop, node.width / node.rate, rules)
    if count < 2:
        return -np.inf, p > 1
    rows, codes = listed.samples.rows[start : node.stop], recoding.codes[column]
    order_by_rank(rows, codes, start, space.ranks, count, space.weights, orders[0])
    return _scan(listed, orders, 0, size, size, start, floor if floor < np.inf else -np.inf, rules), True


@divide.of(CategoryResponsesSource, CalibratedCategoryResponsesSource)
def _divide_with_categories(source, node, pick, tree, at, made, rules):
    listed, recoding, f = source.listed, source.recoding, pick.feature
    if recoding.levels[f] == 0:
        _divide_by_numbers(source, node, pick, tree, at, made, rules)
        return
    found, _ = score(source, node, f, 0, pick.slot, False, pick.floor, rules)
    _, _, every = rank_categories(listed, recoding, f, node.start, node.stop, node.width / node.rate, rules)
    write_ranks(listed, recoding, f, node.start, node.stop)
    last = listed.samples.rows[U(listed.front.orders[pick.slot, int(found)] >> 1)]
    _move_categories(source, node, f, np.float64(listed.columns[f, U(last)]), every, tree, at, made)


@score.of(RandomCategoryResponsesSource)
def _score_random_with_categories(source, node, column, entries, slot, ready, floor, rules):
    if source.recoding.levels[column] == 0:
        return _score_of_random_cut(source, node, column, rules)
    listed, start, stop = source.listed, node.start, node.stop
    p, cut = _rank_at_random(listed, source.recoding, column, start, stop, node.key)
    if p < 2:
        return -np.inf, False
    return _score_of_threshold(listed, start, stop, listed.columns[column], cut, np.nan, rules), True


@divide.of(RandomCategoryResponsesSource)
def _divide_random_with_categories(source, node, pick, tree, at, made, rules):
    listed, f = source.listed, pick.feature
    if source.recoding.levels[f] == 0:
        _divide_by_random_cut(source, node, f, tree, at, made)
        return
    _, cut = _rank_at_random(listed, source.recoding, f, node.start, node.stop, node.key)
    _move_categories(source, node, f, cut, False, tree, at, made)
