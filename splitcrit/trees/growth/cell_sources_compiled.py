"""Sources of sparse features, of which only the values that are not 0, the cells, are kept.

The samples of a node stand side by side, as in ``class_sources_compiled`` or, in the order of their responses, as in
``response_sources_compiled``. Only columns that have cells in a node are looked at, since all others are constant
there. The columns of a node (``SparseColumns``) are gathered from the rows of its samples where it has few of the cells
of its ancestor, or else inherited from that; so a cell is sorted a logarithmic number of times. A column lists ``key <<
32 | row``; ``marks[row]`` is ``label << 32 | sample``, which tells the cells of a node from those of its
ancestor. ``kept`` writes them to ``local``, zeros as one entry, and a scan takes time in the cells of the node alone.
For absolute error all samples of the node are looked at, column by column.

Main definitions: the operations of ``CellsSource`` and ``CellResponsesSource``; ``columns_of_node`` and
``number_columns``, ``next_column`` (which columns a node tries), ``cells_of``, ``only_tried`` and ``cut_of``.
"""

# mypy: disable-error-code="no-untyped-def, arg-type"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, inlined, kernel
from splitcrit.trees.growth import nodes_compiled as nodes
from splitcrit.trees.growth.class_sources_compiled import sort_keys
from splitcrit.trees.growth.operations import best_of_cells, divide, following, moved, opened, score, score_of_cut
from splitcrit.trees.growth.records import (
    DEPTH,
    FEATURE,
    IMPURITY,
    KEY,
    LOST,
    ROUNDED,
    SIZE,
    START,
    THRESHOLD,
    CellResponsesSource,
    CellsSource,
    OpenNode,
)
from splitcrit.trees.growth.response_sources_compiled import describe_node, scan_both, sort_numbers, unit_of
from splitcrit.trees.scan.pointers import call_numbers
from splitcrit.trees.scan.records import ABSOLUTE, POISSON, WEIGHT
from splitcrit.trees.scan.scan_common import U
from splitcrit.trees.scan.scan_sparse import LOW, ROW, by_classes, by_responses, is_constant, kept, on_left, value_of
from splitcrit.trees.scan.ties_and_scores import TIE

# The columns of a node.


@kernel(_nrt=False)
def _sort(keys, spare, low, histogram):
    """Sort keys by what stands above their ``low`` lowest bits."""
    if len(keys) > 1:
        under, over = keys[0] >> low, keys[0] >> low
        for i in range(1, len(keys)):
            under, over = min(under, keys[U(i)] >> low), max(over, keys[U(i)] >> low)
        if under < over:
            sort_keys(keys, spare, len(keys), low, under, over, histogram)


@kernel(_nrt=False)
def number_columns(columns, first, end):
    """Note by feature which columns are those of a node, from ``first`` to ``end``."""
    for c in range(first, end):
        columns.column_of[U(columns.columns[U(c)])] = c


@inlined
def _column_of(columns, first, end, f):
    """The column of a feature in a node whose columns are noted, -1 if it has none."""
    c = columns.column_of[U(f)]
    return c if first <= c < end and columns.columns[U(c)] == f else -1


@kernel(_nrt=False)
def _gather(cells, columns, rows, low, column, first):
    """Write the columns of the cells of a node, the first to place ``column``; return their number."""
    counts, cursor, spare = columns.counts, columns.cursor, columns.spare
    firsts, entries = columns.firsts, columns.entries
    # rows (m,) samples of the node, row << low | the rest; counts (d,) is all 0 before and after, cursor (d,) the next
    # place of each feature. First a pass that counts the cells by feature, then one that writes them.
    number = 0
    for j in range(len(rows)):
        row = rows[U(j)] >> low
        for i in range(cells.starts[U(row)], cells.starts[U(row + 1)]):
            f = cells.features[U(i)]
            if counts[U(f)] == 0:
                spare[U(number)] = f
                number += 1
            counts[U(f)] += 1
    # Columns in the order of their features: draws by number do not depend on the order of the rows.
    _sort(spare[:number], columns.entries[first:], 0, columns.histogram)
    for t in range(number):
        f = spare[U(t)]
        columns.columns[U(column + t)], firsts[U(column + t)] = f, first
        cursor[U(f)] = first
        first += counts[U(f)]
        counts[U(f)] = 0
    firsts[U(column + number)] = first
    for j in range(len(rows)):
        row = rows[U(j)] >> low
        for i in range(cells.starts[U(row)], cells.starts[U(row + 1)]):
            f = U(cells.features[U(i)])
            entries[U(cursor[f])] = (np.int64(cells.keys[U(i)]) << LOW) | row
            cursor[f] += 1
    # Each column by key, which is the order of its values; the row in the low bits is carried along unsorted.
    for c in range(column, column + number):
        _sort(entries[firsts[U(c)] : firsts[U(c + 1)]], spare, LOW, columns.histogram)
    return number


@kernel(_nrt=False)
def columns_of_node(cells, columns, start, stop, rows, low):
    """Return the start and end of the columns of a node, once they are gathered if that is worth while.

    ``rows`` are its samples, from ``start`` to ``stop``, and ``low`` how far a row is shifted in them. Frames of nodes
    that do not hold these samples are dropped.
    """
    # frames (FRAMES, 5): start, stop, first column, number of columns, cells. Row 0: the frame on top, the numbered
    # one.
    frames = columns.frames
    t, size = frames[0, 0], 0
    # A stack of ancestors: what does not hold this node belongs to subtrees that are grown.
    while t > 0 and not (frames[t, 0] <= start and stop <= frames[t, 1]):
        t -= 1
    if t == 0 or 2 * (stop - start) <= frames[t, 1] - frames[t, 0]:
        for j in range(len(rows)):
            row = rows[U(j)] >> low
            size += cells.starts[U(row + 1)] - cells.starts[U(row)]
        # Gathered only where the cells are at most half those of the frame: a cell is sorted a logarithmic number of
        # times.
        if t == 0 or 2 * size <= frames[t, 4]:
            # One place of firsts behind the columns of a frame says where the last of them ends.
            column = frames[t, 2] + frames[t, 3] + 1 if t > 0 else 0
            first = np.int64(columns.firsts[column - 1]) if t > 0 else np.int64(0)
            t += 1
            frames[t, 0], frames[t, 1], frames[t, 2], frames[t, 4] = start, stop, column, size
            frames[t, 3], frames[0, 1] = _gather(cells, columns, rows, low, column, first), 0
    first_column, end_column = frames[t, 2], frames[t, 2] + frames[t, 3]
    if frames[0, 1] != t:
        number_columns(columns, first_column, end_column)
    frames[0, 0], frames[0, 1] = t, t
    return first_column, end_column


@kernel(_nrt=False)
def _spread(columns, c, label, value):
    """Write the keys of a column by row, for the rows of a node, or 0 times these: the rest is 0."""
    # columns.column (n,) is 0 but for the rows written here; value 0 clears the same rows, not all n.
    for i in range(columns.firsts[c], columns.firsts[c + 1]):
        entry = columns.entries[U(i)]
        row = U(entry & ROW)
        if columns.marks[row] >> LOW == label:
            columns.column[row] = (entry >> LOW) * value


@kernel(_nrt=False)
def _relabel(node, low, marks, label):
    """Give a label to the rows of a node."""
    # marks (n,) is label << 32 | sample by row: the label alone changes.
    for i in range(len(node)):
        row = U(node[U(i)] >> low)
        marks[row] = (label << LOW) | (marks[row] & ROW)


@inlined
def cells_of(columns, c, label, size):
    """Write the cells of a column in a node; return the number of entries, 0 if the column is constant."""
    n = kept(columns.entries[columns.firsts[c] : columns.firsts[c + 1]], columns.marks, label, size, columns.local)
    return 0 if is_constant(columns.local, n) else n


@kernel(_nrt=False)
def _varying(columns, first, end, label, size, most):
    """Count the columns of a node that vary, up to ``most``."""
    # Counted only when a forest has drawn its features and found too few that vary.
    number, c = 0, first
    while c < end and number < most:
        number += cells_of(columns, c, label, size) > 0
        c += 1
    return number


@inlined
def next_column(columns, first, end, label, size, tried, drawn, enough, rules, key, places):
    """The column that a node tries next (-1: none is left), with how many entries, which are written.

    It is for ``following``, which says what it returns besides. Features without cells are constant.
    """
    # drawn counts draws of features, or columns tried where all are; a feature without cells here is drawn in vain.
    while drawn < (len(places) if rules.features > 0 else end - first):
        if drawn >= rules.features > 0:
            if drawn == rules.features and tried < enough:
                enough = _varying(columns, first, end, label, size, enough)
            if tried >= enough:
                break
        drawing = rules.features > 0
        c = _column_of(columns, first, end, nodes.draw_next(key, drawn, places)) if drawing else first + drawn
        n = cells_of(columns, c, label, size) if c >= 0 else 0
        drawn += 1
        if n > 0:
            return c, n, drawn, enough
    if rules.features > 0:
        nodes.put_back(places, drawn)
    return -1, 0, drawn, enough


@kernel(_nrt=False)
def cut_of(columns, c, low, high, key):
    """The random threshold of a column between its least and largest key."""
    ends = value_of(columns.values, low), value_of(columns.values, high)
    return nodes.random_threshold(key, columns.columns[c], ends[0], ends[1])


@kernel(_nrt=False)
def only_tried(columns, c, n, size, key, random):
    """The number of samples left of the one threshold that is tried, -1 if all are tried."""
    if not random:
        return -1
    # local[:n] is sorted by key, zeros as one entry: its ends are the least and the largest value.
    low, high = columns.local[0] >> LOW, columns.local[n - 1] >> LOW
    return on_left(columns.local, n, size, cut_of(columns, c, low, high, key), columns.values)


# What both have in common. A node has its number for a label.


@following.of(CellsSource, CellResponsesSource, part=True)
def _following_cells(source, node, tried, drawn, enough, varied, rules):
    columns, places, size = source.columns, source.space.places, node.stop - node.start
    first, end = node.first_column, node.end_column
    return next_column(columns, first, end, node.label, size, tried, drawn, enough, rules, node.key, places)


@score.of(CellsSource, CellResponsesSource, part=True)
def _score_cells(source, node, column, entries, slot, ready, floor, rules):
    best, _, _ = best_of_cells(source, node, column, entries, floor, rules)
    return best, True


@divide.of(CellsSource, CellResponsesSource)
def _divide_cells(source, node, pick, tree, at, new, rules):
    columns, c = source.columns, pick.feature
    n = cells_of(columns, c, node.label, node.stop - node.start)
    _, low, high = best_of_cells(source, node, c, n, pick.floor, rules)
    below, above = value_of(columns.values, low), value_of(columns.values, high)
    cut = nodes.between(below, above)
    if source.random:
        cut = cut_of(columns, c, columns.local[0] >> LOW, columns.local[n - 1] >> LOW, node.key)
    tree.links[at, FEATURE], tree.reals[at, THRESHOLD] = columns.columns[c], cut
    tree.links[at, LOST] = ROUNDED * nodes.rounded(below, above, cut)
    # The keys by row, zeros included, so that the samples are shared out like those of a dense column.
    _spread(columns, c, node.label, 1)
    tree.links[new, SIZE] = moved(source, node, columns.column, float(low), np.nan, tree.reals[new])
    _spread(columns, c, node.label, 0)


# Classes.


@opened.of(CellsSource, part=True)
def _opened_cells(source, tree, at, rules):
    start, space, sorting = tree.links[at, START], source.space, source.sorting
    stop, key = start + tree.links[at, SIZE], np.uint64(tree.links[at, KEY])
    if nodes.is_leaf(tree.links, tree.reals, at, rules, space.counts):
        return False, OpenNode(start, stop, key, 0, 0.0, 0.0, 1.0, 0.0, at, 0, 0)
    here = sorting.entries[start:stop]
    _relabel(here, sorting.low, source.columns.marks, at)
    first, end = columns_of_node(source.cells, source.columns, start, stop, here, sorting.low)
    _, sums, base, rate, width = call_numbers(source.scorer.numbers, source.scorer.data, space.counts, space.constants)
    return True, OpenNode(start, stop, key, stop - start, sums, base, rate, width, at, first, end)


@best_of_cells.of(CellsSource, part=True)
def _best_of_classes(source, node, column, entries, floor, rules):
    columns, space, sorting, size = source.columns, source.space, source.sorting, node.stop - node.start
    only = only_tried(columns, column, entries, size, node.key, source.random)
    return by_classes(
        columns.local, entries, sorting.bits, sorting.units, space.counts, source.scorer.data, size, rules.leaf,
        rules.lightest, only, floor, space.seen, space.behind, space.constants,
    )  # fmt: skip


# Responses that are numbers.


@kernel(_nrt=False)
def _by_deviations(source, node, c, n, only, floor, rules):
    """Do what ``by_responses`` does for deviations about the median, of all samples of the node."""
    # The keys by row are ranks, too: the column, with its zeros, is sorted and divided like a dense one.
    listed, columns = source.listed, source.columns
    local, order = columns.local, listed.orders[0]
    # left counts the samples left of the threshold; without a floor 1 will do, since only the score is asked for.
    size, left, i = node.stop - node.start, only, 0
    best = -np.inf
    _spread(columns, c, node.label, 1)
    if only < 0:
        sort_numbers(listed, 0, node.start, node.stop, order)
        best, _ = scan_both(listed, order, 0, size, size, node.start, floor, rules)
        left = np.int64(best) + 1 if floor < np.inf else 1
    # From the place back to the entries of local, among which size - n + 1 zeros are one.
    while left > 0:
        left -= 1 if local[i] >> LOW != 0 else size - n + 1
        i += 1
    low, high = local[i - 1] >> LOW, local[i] >> LOW
    if only >= 0:
        best = score_of_cut(source, node, columns.column, float(low), np.nan, rules)
    _spread(columns, c, node.label, 0)
    return best, low, high


@best_of_cells.of(CellResponsesSource, part=True)
def _best_of_responses(source, node, column, entries, floor, rules):
    listed, columns, start, size = source.listed, source.columns, node.start, node.stop - node.start
    only = only_tried(columns, column, entries, size, node.key, source.random)
    if listed.error == ABSOLUTE:
        return _by_deviations(source, node, column, entries, only, floor, rules)
    weights, responses = listed.samples.weights[start : start + size], listed.centred[start : start + size]
    least, heavy = -1.0 if listed.error == POISSON else -np.inf, listed.described[WEIGHT]
    return by_responses(
        columns.local, entries, responses, weights, least, node.sums, heavy, node.size, size, rules.leaf,
        rules.lightest, only, floor,
    )  # fmt: skip


@called(_nrt=False)
def _mark_samples(listed, marks, start, stop, label):
    """Mark the samples of a node; return the sum of their responses, and how many are above the least one."""
    (rows, _, weights), responses, total, above_least = listed.samples, listed.centred, 0.0, 0
    # marks gets the sample's number within the node, from 0, by which responses and weights are found.
    for i in range(start, stop):
        marks[U(rows[U(i)])] = (label << LOW) | (i - start)
        total += (weights[U(i)] if len(weights) > 0 else 1.0) * responses[U(i)]
        above_least += int(listed.error != POISSON or responses[U(i)] > -1)
    return total, above_least


@opened.of(CellResponsesSource, part=True)
def _opened_cell_responses(source, tree, at, rules):
    listed, columns, row = source.listed, source.columns, tree.reals[at]
    start, size, key = tree.links[at, START], tree.links[at, SIZE], np.uint64(tree.links[at, KEY])
    stop = start + size
    pure = describe_node(listed, start, stop, row)
    if pure or size < rules.split or tree.links[at, DEPTH] >= rules.depth:
        return False, OpenNode(start, stop, key, 0, 0.0, 0.0, 1.0, 0.0, at, 0, 0)
    sums, above_least = _mark_samples(listed, columns.marks, start, stop, at)
    first, end = columns_of_node(source.cells, columns, start, stop, listed.samples.rows[start:stop], np.int64(0))
    width = TIE * row[IMPURITY]
    return True, OpenNode(start, stop, key, above_least, sums, 0.0, unit_of(listed), width, at, first, end)
