"""Sources of samples with classes: columns sorted once, sorted at each node, cut at random, or of categories.

*Columns sorted once* (``PresortedSource``). ``orders.orders (d, n)`` lists the samples of every column, each entry
``index << bits | class``; a node is the segment ``start`` to ``stop`` of every order. A split marks ``side[index]`` of
its samples, then shares out every column, stably; its own is in order already, unless missing values go left. It costs
a pass over ``d`` columns a node, and no sorting.

*Samples in one list* (the others). ``sorting.entries`` lists ``index << low | (count - 1) << bits | class`` of every
sample that counts ``count`` times, once; a node is a segment of it. A forest draws few features a node, so that sorting
the drawn ones, by ranks that are found once for all trees, costs less than keeping all columns sorted. What is sorted
is written to one of two rows of ``orders.orders``, as ``group << bits | class``, each sample as often as it counts:
groups stand between allowed thresholds, so that a scan of it needs no other limits. Of a column of categories a node
counts the classes by category.

In all of them a node stays together: left child first, then the right one, each in the order in which it stood.

*Missing values* stand last in an order, which a scan reads as it is: they go right. Where a node holds some, the order
is *turned*, these before the rest and not parted from it, and scanned again: they go left. The first order comes first
in ties. A node whose last value is known pays nothing.

Main definitions: the operations of ``PresortedSource`` and ``ListedSource``, and what ``RandomSource`` and
``CellsSource`` need besides; ``node_of_classes``; ``dense_ranks``, ``sort_keys``, ``sorted_keys``.
"""

# mypy: disable-error-code="no-untyped-def, arg-type"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, inlined, kernel
from splitcrit.trees.growth import nodes_compiled as nodes
from splitcrit.trees.growth.operations import (
    divide,
    divide_by_numbers,
    entries_of,
    moved,
    opened,
    score,
    score_categories,
    score_numbers,
    score_of_cut,
)
from splitcrit.trees.growth.records import (
    FEATURE,
    KEY,
    LOST,
    ROUNDED,
    SIZE,
    START,
    THRESHOLD,
    TURNED,
    CellsSource,
    ListedSource,
    OpenNode,
    PresortedSource,
    RandomSource,
)
from splitcrit.trees.scan.pointers import call_scan
from splitcrit.trees.scan.records import Scratch, Segment, SideLimits, Totals
from splitcrit.trees.scan.scan_common import U, clear, units_of_place
from splitcrit.trees.scan.scan_node import numbers_of_node, score_of_counts
from splitcrit.trees.scan.scan_subsets import best_division, tabulated

FEW = 48  # keys that insertion sorts faster than counting


# What a node is.


@inlined
def node_of_classes(scorer, space, start, stop, key, first):
    """A node whose class counts stand in the workspace; scans are prepared for samples from ``first`` on."""
    size, sums, base, rate, width = numbers_of_node(scorer, space.counts, first, space.constants, space.behind)
    return OpenNode(start, stop, key, size, sums, base, rate, width, 0, 0, 0)


@inlined
def _opened_classes(scorer, space, tree, at, rules, presorted):
    # Parts of a source, and not the source, are passed: all sources that hold such parts share what is compiled.
    # The class counts of node at stand in space.counts once is_leaf has read its row; a leaf costs no scan.
    start = tree.links[at, START]
    stop, key = start + tree.links[at, SIZE], np.uint64(tree.links[at, KEY])
    if nodes.is_leaf(tree.links, tree.reals, at, rules, space.counts):
        return False, OpenNode(start, stop, key, 0, 0.0, 0.0, 1.0, 0.0, 0, 0, 0)
    return True, node_of_classes(scorer, space, start, stop, key, start if presorted else 0)


@opened.of(PresortedSource, part=True)
def _opened_presorted(source, tree, at, rules):
    return _opened_classes(source.scorer, source.space, tree, at, rules, True)


@opened.of(ListedSource, RandomSource, part=True)
def _opened_in_list(source, tree, at, rules):
    return _opened_classes(source.scorer, source.space, tree, at, rules, False)


@called(_nrt=False)
def _by_both(scorer, first, turned, totals, floor, scratch):
    """Do what ``score`` does for an order with its missing values last, then for it turned; the former wins ties."""
    best = call_scan(scorer.scan, first, totals, scorer.data, np.inf, scratch)
    if floor == np.inf:
        return max(best, call_scan(scorer.scan, turned, totals, scorer.data, np.inf, scratch)), True
    goes = not best >= floor
    return call_scan(scorer.scan, turned if goes else first, totals, scorer.data, floor, scratch), goes


@called(_nrt=False)
def _first_missing(order, values, start, stop, bits):
    """The first place of a node whose value is missing: all after it are, and the last one is."""
    low, high = start, stop - 1
    while low < high:
        middle = (low + high) >> 1
        lost = np.isnan(values[order[middle] >> bits])
        low, high = low if lost else middle + 1, middle if lost else high
    return low


@called(_nrt=False)
def _turn(order, known, start, stop, out):
    """Write the order of a node with its missing values, from place ``known`` on, before the rest."""
    for i in range(known, stop):
        out[U(start + i - known)] = order[U(i)]
    for i in range(start, known):
        out[U(stop - known + i)] = order[U(i)]


# Columns sorted once.


@score.of(PresortedSource, part=True)
def _score_presorted(source, node, column, entries, slot, ready, floor, rules):
    space, bits, start, stop = source.space, source.orders.bits, node.start, node.stop
    order, values = source.orders.orders[column], source.orders.columns[column]
    low, high = values[order[start] >> bits], values[order[stop - 1] >> bits]
    # The ends of a sorted segment agree, or no value is known: the column is constant in the node.
    if low == high or np.isnan(low):
        return -np.inf, False
    segment = Segment(order, values, start, stop, bits, rules.leaf, source.orders.weights)
    totals, scratch = Totals(space.counts, node.sums, space.constants), Scratch(space.seen, space.behind)
    if np.isnan(high):
        _turn(order, _first_missing(order, values, start, stop, bits), start, stop, space.spare)
        turned = Segment(space.spare, values, start, stop, bits, rules.leaf, source.orders.weights)
        return _by_both(source.scorer, segment, turned, totals, floor, scratch)
    return call_scan(source.scorer.scan, segment, totals, source.scorer.data, floor, scratch), floor == np.inf


@divide.of(PresortedSource)
def _divide_presorted(source, node, pick, tree, at, new, rules):
    # The scan runs again, with a finite floor: it then returns the place of the best cut in place of its score.
    cut, goes = score(source, node, pick.feature, 0, pick.slot, pick.ready, pick.floor, rules)
    f, place = pick.feature, np.int64(cut)
    left_closed, right_closed = _marked(
        source.orders, node.start, node.stop, f, place, goes, tree, at, new, rules, source.space
    )
    if not (left_closed and right_closed):
        # Where missing values go left, they leave the end of the column's own order too.
        own = -1 if goes else f
        _shared_out(source.orders, node.start, node.stop, own, left_closed, right_closed, source.space)


@called(_nrt=False)
def _mark(order, start, middle, stop, bits, units, side, row):
    """Mark the samples of a node that go left, those up to the middle, and count their classes in ``row``."""
    # order is one column, entries index << bits | class; row is (1 + K,): a threshold, then class counts.
    # side (n,) is 1 for a sample that goes left, by index: all columns are shared out by it.
    mask = (1 << bits) - 1
    for c in range(len(row)):
        row[c] = 0.0
    for i in range(start, middle):
        index = U(order[U(i)] >> bits)
        side[index] = 1
        row[U(1 + (order[U(i)] & mask))] += units[index] if len(units) > 0 else 1
    for i in range(middle, stop):
        side[U(order[U(i)] >> bits)] = 0


@called(_nrt=False)
def _share_out(order, start, stop, left_closed, right_closed, bits, side, spare):
    """Move what goes left before what goes right, each in order; a closed child gets nothing."""
    if left_closed:
        # From the back, each entry is written where the right child's next one goes; a left one is overwritten by the
        # next.
        right = stop - 1
        for i in range(stop - 1, start - 1, -1):
            entry = order[U(i)]
            order[U(right)] = entry
            right -= 1 - np.int64(side[U(entry >> bits)])
        return
    # Both places are written and one of them advances: no branch, which samples in random order would mispredict.
    left, right = start, 0
    for i in range(start, stop):
        entry = order[U(i)]
        s = np.int64(side[U(entry >> bits)])
        order[U(left)] = entry
        spare[U(right)] = entry
        left += s
        right += 1 - s
    if not right_closed:
        for i in range(right):
            order[U(left + i)] = spare[U(i)]


@called(_nrt=False)
def _marked(orders, start, stop, f, place, goes, tree, at, new, rules, space):
    """Mark the samples that go left, fill the rows of the node and its left child; tell which children are leaves."""
    order, column, bits = space.spare if goes else orders.orders[f], orders.columns[f], orders.bits
    # place is the last entry on the left; size and class counts of the left child go to row new, its number.
    low, high = column[order[place] >> bits], column[order[place + 1] >> bits]
    cut = nodes.between(low, high)
    tree.reals[at, THRESHOLD] = cut
    tree.links[at, FEATURE], tree.links[new, SIZE] = f, place + 1 - start
    lost = 2 if goes else np.int64(np.isnan(column[order[stop - 1] >> bits]))
    tree.links[at, LOST] = lost + ROUNDED * nodes.rounded(low, high, cut)
    _mark(order, start, place + 1, stop, bits, orders.weights.units, space.side, tree.reals[new])
    return nodes.closed(tree.links, tree.reals, at, new, rules)


@called(_nrt=False)
def _shared_out(orders, start, stop, skipped, left_closed, right_closed, space):
    """Share the samples of each column but one out among the children."""
    for f in range(len(orders.orders)):
        if f != skipped:
            _share_out(orders.orders[f], start, stop, left_closed, right_closed, orders.bits, space.side, space.spare)


# Samples in one list.


@kernel(error_model="python")
def dense_ranks(orders, columns, bits, ranks, lost):
    """Set ``ranks[f, i]`` to how many distinct values of column ``f`` lie below that of sample ``i``.

    Missing values share the last rank, ``lost[f]`` (-1: there are none).
    """
    # orders (d, n) sorted entries, columns (d, n) values by index, ranks (d, n) by index, from 0 and without gaps.
    for f in range(len(orders)):
        order, column, rank, before = orders[f], columns[f], -1, orders[f, 0] >> bits
        for i in range(len(order)):
            index = order[i] >> bits
            rank += i == 0 or (column[index] != column[before] and not np.isnan(column[before]))
            ranks[f, index] = rank
            before = index
        lost[f] = rank if np.isnan(column[before]) else -1


@called(_nrt=False)
def sort_keys(keys, spare, n, low, under, over, histogram):
    """Sort ``n`` keys by ranks from ``under`` to ``over``: few by insertion, others by counting digits of the ranks."""
    # keys[:n] hold rank << low | the rest; spare is as long. Within a rank any order will do.
    if n <= FEW:
        for i in range(1, n):
            key, j = keys[U(i)], i
            while j > 0 and keys[U(j - 1)] > key:
                keys[U(j)] = keys[U(j - 1)]
                j -= 1
            keys[U(j)] = key
        return
    # length bits tell the ranks apart. A digit has at most 11 of them, and a histogram at most 2 n places; then digits
    # are made equally wide, so that no pass is wasted on a digit of few bits.
    length, wide = 0, 5
    while (over - under) >> length:
        length += 1
    while wide < 11 and n >> wide:
        wide += 1
    passes = (length + wide - 1) // wide
    wide = (length + passes - 1) // passes
    for turn in range(passes):
        shift, last = turn * wide, (1 << wide) - 1
        for b in range(last + 1):
            histogram[U(b)] = 0
        for i in range(n):
            histogram[U((((np.int64(keys[U(i)]) >> low) - under) >> shift) & last)] += 1
        total = 0
        for b in range(last + 1):
            here = histogram[U(b)]
            histogram[U(b)] = total
            total += here
        for i in range(n):
            key = keys[U(i)]
            b = (((np.int64(key) >> low) - under) >> shift) & last
            spare[U(histogram[U(b)])] = key
            histogram[U(b)] += 1
        keys, spare = spare, keys
    if passes & 1:  # the last pass wrote to what was spare
        for i in range(n):
            spare[U(i)] = keys[U(i)]


@called(_nrt=False)
def sorted_keys(sorting, node, f, keys):
    """Write keys ``rank << low | ...`` of the entries of a node by one column, sorted; tell whether it varies."""
    column, n, low = sorting.ranks[f], len(node), sorting.low
    mask = (1 << low) - 1
    under, over = np.int64(column[U(node[0] >> low)]), np.int64(column[U(node[0] >> low)])
    for i in range(n):
        rank = np.int64(column[U(node[U(i)] >> low)])
        under, over = min(under, rank), max(over, rank)
        keys[U(i)] = (rank << low) | (node[U(i)] & mask)
    if under < over:
        sort_keys(keys, sorting.spare, n, low, under, over, sorting.histogram)
    return under < over


@called(_nrt=False)
def _grouped(keys, n, heavy, low, bits, order, units, rules):
    """Write the order of ``n`` sorted keys; return the number of allowed thresholds.

    An entry is ``group << bits | class``, as often as a sample counts. With units it is ``group << low | place << bits
    | class``, once, where ``place`` is that of its weight.
    """
    # place is the weight of what is written, which without units is also where the next copy goes.
    group, place, least, mask, weighted = 0, 0, rules.leaf, (1 << low) - 1, len(units) > 0
    for i in range(n):
        key = np.int64(keys[U(i)])
        if weighted:
            order[U(i)] = (group << low) | (key & mask)
            place += units[U((key & mask) >> bits)]
        else:
            entry = (group << bits) | (key & ((1 << bits) - 1))
            # A copy for each count, so that a scan adds rows and need not know of weights.
            for _ in range(((key & mask) >> bits) + 1):
                order[U(place)] = entry
                place += 1
        # A group ends where the rank rises and both sides keep samples and weight enough: there a scan may cut. Behind
        # missing values that were turned to the front the rank falls, so that they stay with the next value.
        if i + 1 < n and key >> low < np.int64(keys[U(i + 1)]) >> low and i + 1 >= least and n - i - 1 >= least:
            group += place >= rules.lightest and heavy - place >= rules.lightest
    return group


@called(_nrt=False)
def _key_at(keys, place, bits, low, units):
    """Where the key of an entry of ``_grouped`` stands, given the place of the entry."""
    if low == bits or len(units) > 0:
        return place
    # Each key stands once, and the order has a copy for each count: walk until the copies are used up.
    i, mask = 0, (1 << low) - 1
    while place > (np.int64(keys[U(i)]) & mask) >> bits:
        place -= ((np.int64(keys[U(i)]) & mask) >> bits) + 1
        i += 1
    return i


@called(_nrt=False)
def _share_out_list(sorting, node, column, cut, lost, above, spare, row):
    """Move the samples of ranks, or values, up to ``cut``, and ``lost``, before the rest, in order.

    Their number is returned, then the index of a sample of rank ``cut``, and of one of rank ``above``, the next one.
    """
    # node is a view of entries, rearranged in place; spare takes the right side. row (1 + K,): a threshold, which is
    # left alone, then the class counts of the left side.
    left, right, under, over, low, bits = np.int64(0), np.int64(0), np.int64(0), np.int64(0), sorting.low, sorting.bits
    classes, mask = (1 << bits) - 1, (1 << low) - 1
    for c in range(1, len(row)):
        row[c] = 0.0
    for i in range(len(node)):
        entry = node[U(i)]
        rank = column[U(entry >> low)]
        s = np.int64(rank <= cut) | np.int64(rank == lost)
        row[U(1 + (entry & classes))] += s * units_of_place(sorting.units, (np.int64(entry) & mask) >> bits)
        # Any sample next to the cut will do: the threshold lies between the values of these two.
        under = np.int64(entry >> low) if rank == cut else under
        over = np.int64(entry >> low) if rank == above else over
        node[U(left)] = entry
        spare[U(right)] = entry
        left += s
        right += 1 - s
    for i in range(right):
        node[U(left + i)] = spare[U(i)]
    return left, under, over


@entries_of.of(ListedSource, RandomSource, part=True)
def _entries_of_classes(source, node):
    sorting = source.sorting
    return sorting.entries[node.start : node.stop], sorting.low, sorting.ranks, sorting.columns


@moved.of(ListedSource, RandomSource, CellsSource, part=True)
def _moved_classes(source, node, column, cut, lost, row):
    here, spare = source.sorting.entries[node.start : node.stop], source.space.spare
    left, _, _ = _share_out_list(source.sorting, here, column, cut, lost, cut, spare, row)
    return left


@score_numbers.of(ListedSource, part=True)
def _score_sorted(source, node, column, slot, ready, floor, rules):
    orders, scorer, space, sorting = source.orders, source.scorer, source.space, source.sorting
    # entries[start:stop] is the node; keys (2, n) two slots; orders get the samples as often as they count.
    entries, keys = sorting.entries[node.start : node.stop], sorting.keys[slot]
    low, bits, units = sorting.low, orders.bits, sorting.units
    n, lost, cuts = len(entries), sorting.lost[column], 1
    if not ready:
        if not sorted_keys(sorting, entries, column, keys):
            return -np.inf, False
        cuts = _grouped(keys, n, node.size, low, bits, orders.orders[slot], units, rules)
    meets = lost >= 0 and np.int64(keys[n - 1] >> low) == lost
    if cuts == 0 and not meets:
        return -np.inf, True
    places = n if len(units) > 0 else node.size
    segment = Segment(orders.orders[slot], orders.columns[0], 0, places, bits, 1, orders.weights)
    totals, scratch = Totals(space.counts, node.sums, space.constants), Scratch(space.seen, space.behind)
    if meets:
        # The column varies, so that some key before has another rank: the loop ends.
        order, known = orders.orders[TURNED], n - 1
        while np.int64(keys[U(known - 1)] >> low) == lost:
            known -= 1
        _turn(keys, known, 0, n, sorting.spare)
        _grouped(sorting.spare, n, node.size, low, bits, order, units, rules)
        turned = Segment(order, orders.columns[0], 0, places, bits, 1, orders.weights)
        return _by_both(scorer, segment, turned, totals, floor, scratch)
    return call_scan(scorer.scan, segment, totals, scorer.data, floor, scratch), floor == np.inf


@divide_by_numbers.of(ListedSource, part=True)
def _divide_sorted(source, node, pick, tree, at, new, rules):
    sorting, f, row = source.sorting, pick.feature, tree.reals[new]
    best, goes = score_numbers(source, node, f, pick.slot, pick.ready, pick.floor, rules)
    keys, low, lost = sorting.spare if goes else sorting.keys[pick.slot], sorting.low, sorting.lost[f]
    i = _key_at(keys, np.int64(best), sorting.bits, low, sorting.units)
    cut, above = np.int64(keys[i] >> low), np.int64(keys[i + 1] >> low)
    here, column = sorting.entries[node.start : node.stop], sorting.columns[f]
    sides = 2 if goes else np.int64(np.int64(keys[len(here) - 1] >> low) == lost)
    lost = lost if goes else -1
    size, under, over = _share_out_list(sorting, here, sorting.ranks[f], cut, lost, above, source.space.spare, row)
    tree.links[at, FEATURE], tree.links[new, SIZE] = f, size
    middle = nodes.between(column[under], column[over])
    tree.reals[at, THRESHOLD] = middle
    tree.links[at, LOST] = sides + ROUNDED * nodes.rounded(column[under], column[over], middle)


@called(_nrt=False)
def _count(sorting, node, column, cut, lost, seen):
    """Count the classes left of a threshold in ``seen``; return the number of samples, and of those with copies."""
    low, bits, on_left, left = sorting.low, sorting.bits, 0, 0
    classes, often = (1 << bits) - 1, (1 << low) - 1
    clear(seen)
    for i in range(len(node)):
        entry = np.int64(node[U(i)])
        value = np.float64(column[U(entry >> low)])
        s = int(value <= cut) | int(value == lost)
        on_left += s
        s *= units_of_place(sorting.units, (entry & often) >> bits)
        left += s
        seen[U(entry & classes)] += s
    return on_left, left


@score_of_cut.of(RandomSource, part=True)
def _score_of_cut(source, node, column, cut, lost, rules):
    space, here = source.space, source.sorting.entries[node.start : node.stop]
    on_left, left = _count(source.sorting, here, column, cut, lost, space.seen)
    if min(on_left, len(here) - on_left) < rules.leaf or min(left, node.size - left) < rules.lightest:
        return -np.inf
    return score_of_counts(source.scorer.data, space.seen, space.counts, space.constants)


@score_categories.of(ListedSource, part=True)
def _score_categories(source, node, column, slot, floor, rules):
    sorting, space, table = source.sorting, source.space, source.recoding.node
    entries, codes = sorting.entries[node.start : node.stop], sorting.columns[column]
    p = tabulated(entries, codes, sorting.bits, sorting.low, sorting.units, table)
    if p < 2:
        return -np.inf, False
    limits = SideLimits(len(entries), node.size, rules.leaf, rules.lightest)
    best = best_division(table, p, source.scorer.data, space.counts, space.constants, limits, floor)
    return best, floor == np.inf
