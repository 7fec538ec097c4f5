"""The best splits of a node for many rows of labels, and whether ancestors divide their rows as before, compiled.

A node is a record of its columns, in the order of their values or levels, with what their splits score and with space
for a search; its type chooses what is scored, when the kernels are compiled. A label is a kind. In a ``SurpriseNode``
it is a row of ``vectors (T, q)``, centred in the node: a column scores what ``nulls.best_split`` says, and columns are
compared by how surprising that is, read off a table, or by the scores themselves. In a ``ScannedNode`` a label is a
class, a column is scored by the scan of a criterion, as in a tree, and columns are compared by these scores.

A table is linear between points at equal steps of ``log(1 + sqrt(score))``, so that a surprise grows with the score.
Totals of a node do not depend on the order of its labels; they are summed once. A column then costs a pass over the
rows for each row of labels.

Main definitions: ``SurpriseNode``, ``ScannedNode``; ``best_surprises`` (with the ancestors' choices made again), of
which ``permuted`` is the loop, and ``best_division``; ``begun``, ``best_column``, ``divided_rows`` (of any node).
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from __future__ import annotations

from math import inf, log1p
from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import by_type, called, kernel
from splitcrit.nulls.best_split_compiled import best_of_cuts, best_of_subsets
from splitcrit.trees.growth.class_sources_compiled import best_of_both, divided, turn_order
from splitcrit.trees.growth.nodes_compiled import floor_of
from splitcrit.trees.growth.records import CategoryCodes, NoCategories, StoppingRules
from splitcrit.trees.scan.pointers import call_scan
from splitcrit.trees.scan.records import CompiledCriterion, SampleWeights, Scratch, Segment, Totals
from splitcrit.trees.scan.scan_common import U
from splitcrit.trees.scan.scan_node import numbers_of_node


class SurpriseNode(NamedTuple):
    """The columns of a node, and how their splits score by sums of vectors.

    ``cells (C, n)``, their sizes ``sizes[first[c] : first[c + 1]]``, whether a split is of a ``subset`` of them, and
    how many rows of the last are ``lost``, without a value. ``orders (C, n)`` are the rows by cell. A cut after a place
    of the order, whose left side sums to s, scores ``weights |s|^2 - less``, both ``(C, 2, n)``: with the missing
    values on the right and on the left, and 0 where there is no cut. ``tables (C, points)`` has surprises at points
    that lie ``step`` apart; without points a score is its own surprise. Surprises within ``ties[0]``, and ``ties[1]``
    of the larger one, are equal. ``vectors (T, q)`` are the labels less their mean in the node, ``unit |s|^2 / (m (n -
    m))`` scores a subset of m rows, ``least`` is the fewest rows on a side. Space: ``responses (q + 1, n)`` of the
    rows, ``sums (q, V)`` of the levels, ``places (2 V + 1,)`` and ``share (V + q,)``.
    """

    cells: Array
    subset: Array
    lost: Array
    orders: Array
    sizes: Array
    first: Array
    weights: Array
    less: Array
    tables: Array
    step: float
    ties: Array
    vectors: Array
    unit: float
    least: int
    responses: Array
    sums: Array
    places: Array
    share: Array


class ScannedNode(NamedTuple):
    """The columns of a node, and how their splits score by the class counts of their sides.

    ``cells``, ``subset``, ``lost`` and ``orders`` are those of a ``SurpriseNode``; ``values (C, n)`` tell by row where
    a cut may be, nan where one is missing, and ``counts (K,)`` are of the classes. ``numbers`` are sum, base and rate
    of the node, and ``ties`` the width of one, and 0. Space: ``entries (2, n)``, ``row << bits |
    class`` of a column, and turned, for the scan, and the ``ranks`` of categories.
    """

    cells: Array
    subset: Array
    lost: Array
    orders: Array
    values: Array
    counts: Array
    bits: int
    scorer: CompiledCriterion
    rules: StoppingRules
    recoding: CategoryCodes | NoCategories
    weights: SampleWeights
    ranks: Array
    ties: Array
    entries: Array
    constants: Array
    scratch: Scratch
    numbers: Array


@by_type
def begun(node):
    """Sum up what no order of the labels changes."""


@by_type
def best_column(node, types):
    """Return the column that is worth most, the first of those that tie, and what it is worth; -1 without a split."""


@by_type
def divided_rows(node, c, types, side):
    """Set the rows that go left by the first best split of a column; return its score, and if missing ones do."""


# Where columns are searched one by one.


@by_type
def laid_out(node, types):
    """Write what all columns ask of the labels of the rows."""


@by_type
def searched(node, c, types, bar):
    """Return the best score of a column, and turn and place of the first split that ties with it, if ``bar`` does."""


@by_type
def worth(node, c, score):
    """Return what columns are compared by."""


@by_type
def subset_sides(node, c, place, side):
    """Set the rows that go left by a subset of levels."""


@begun.of(SurpriseNode)
def _begun(node):
    return


@laid_out.of(SurpriseNode)
def _responses_of_rows(node, types):
    # Once for all columns: an order is then followed with one look-up a row.
    for k in range(node.vectors.shape[1]):
        for i in range(len(types)):
            node.responses[k, i] = node.vectors[types[i], k]


@searched.of(SurpriseNode)
def _searched_by_sums(node, c, types, bar):
    q, v, responses, sums = node.vectors.shape[1], node.first[c + 1] - node.first[c], node.responses, node.sums
    if not node.subset[c]:
        weights, less, length = node.weights[c], node.less[c], responses[q]
        return best_of_cuts(responses[:q], node.orders[c], weights, less, node.lost[c], length, bar)
    sizes, cells = node.sizes[node.first[c] : node.first[c + 1]], node.cells[c]
    sums[:, :v] = 0.0
    for k in range(q):
        for i in range(len(cells)):
            sums[k, cells[i]] += responses[k, i]
    best, place = best_of_subsets(sizes, sums, node.least, node.places, node.share, bar / node.unit)
    return best * node.unit, 0, place


@called(_nrt=False)
def surprise_in(table, step, score):
    """Return the surprise of a score, read off a table."""
    # table (points,) at equal steps; a score beyond the last point goes on along the last piece.
    x = log1p(score**0.5) / step
    i = np.int64(min(x, len(table) - 2))
    return table[i] + (table[i + 1] - table[i]) * (x - i)


@worth.of(SurpriseNode)
def _surprise(node, c, score):
    return surprise_in(node.tables[c], node.step, score) if node.tables.shape[1] > 0 else score


@subset_sides.of(SurpriseNode)
def _prefix_sides(node, c, place, side):
    # share (V,) tells from here on which levels are on the left: the first of the order.
    node.share[:] = 0.0
    for i in range(place):
        node.share[node.places[i]] = 1.0
    for i in range(len(side)):
        side[i] = node.share[node.cells[c, i]] > 0


@begun.of(ScannedNode)
def _numbers(node):
    _, sums, base, rate, width = numbers_of_node(node.scorer, node.counts, 0, node.constants, node.scratch.behind)
    node.numbers[0], node.numbers[1], node.numbers[2], node.ties[0] = sums, base, rate, width


@laid_out.of(ScannedNode)
def _nothing(node, types):
    return


@by_type
def score_of_subset(recoding, node, c, entries, floor):
    """Return the best raw score of the subsets of a column, or rank its categories by the first one at ``floor``."""


@score_of_subset.of(NoCategories)
def _no_subset(recoding, node, c, entries, floor):
    return -inf


@score_of_subset.of(CategoryCodes)
def _score_of_subset(recoding, node, c, entries, floor):
    data, bits = node.scorer.data, node.bits
    size, units = len(entries), node.weights.units
    return divided(
        recoding, entries, c, bits, bits, units, data, node.counts, node.constants, size, node.rules, floor
    )[0]  # fmt: skip


@called(_nrt=False)
def _scanned(node, c, known, floor):
    """Return the best raw score of a column whose entries are laid out, or place and turn of the first at a floor."""
    first, turned, n, scorer = node.entries[0], node.entries[1], node.entries.shape[1], node.scorer
    totals = Totals(node.counts, node.numbers[0], node.constants)
    segment = Segment(first, node.values[c], 0, n, node.bits, node.rules.leaf, node.weights)
    if known == n:
        return call_scan(scorer.scan, segment, totals, scorer.data, floor, node.scratch), False
    turn_order(first, known, 0, n, turned)
    other = Segment(turned, node.values[c], 0, n, node.bits, node.rules.leaf, node.weights)
    return best_of_both(scorer, segment, other, totals, floor, node.scratch)


@searched.of(ScannedNode)
def _searched_by_scan(node, c, types, bar):
    entries, subset, base, rate = node.entries[0], node.subset[c], node.numbers[1], node.numbers[2]
    n, known, place, goes = len(types), len(types) - node.lost[c], -1, False
    if not subset and known == 0:
        return -inf, 0, -1
    order = node.orders[c]
    for i in range(n):
        # Categories are counted, so that any order will do.
        entries[U(i)] = (order[U(i)] << node.bits) | types[order[U(i)]]
    raw = score_of_subset(node.recoding, node, c, entries, inf) if subset else _scanned(node, c, known, inf)[0]
    if bar < inf:
        floor = floor_of(raw, base, rate, node.ties[0])
        if subset:
            place = int(score_of_subset(node.recoding, node, c, entries, floor))
        else:
            found, goes = _scanned(node, c, known, floor)
            # A turned order begins with the missing values.
            place = int(found) - (n - known if goes else 0)
    return (raw - base) * rate, int(goes), place


@worth.of(ScannedNode)
def _itself(node, c, score):
    return score


@subset_sides.of(ScannedNode)
def _ranked_sides(node, c, place, side):
    for i in range(len(side)):
        side[i] = node.ranks[node.cells[c, i]] <= place


@best_column.of(SurpriseNode, ScannedNode)
def _best(node, types):
    chosen, top = -1, 0.0
    laid_out(node, types)
    for c in range(len(node.subset)):
        found = worth(node, c, searched(node, c, types, inf)[0])
        if found > top + node.ties[0] + node.ties[1] * top:
            chosen, top = c, found
    return chosen, top


@divided_rows.of(SurpriseNode, ScannedNode)
def _divide(node, c, types, side):
    # The best score is found first, and then the first split that ties with it, so that rounding cannot choose.
    best = searched(node, c, types, inf)[0]
    _, way, place = searched(node, c, types, best * (1 - node.ties[1]))
    n, lost, rows = len(types), node.lost[c], node.orders[c]
    if node.subset[c]:
        subset_sides(node, c, place, side)
        return best, way
    side[:] = False
    for i in range(place + 1):
        side[rows[i]] = True
    for i in range(n - lost if way else n, n):
        side[rows[i]] = True
    return best, way


@kernel(_nrt=False)
def best_division(node, types, side):
    """Return column, worth, score and side of missing values of the best split; set the rows that go left."""
    begun(node)
    c, top = best_column(node, types)
    if c < 0:
        return c, top, 0.0, 0
    score, lost = divided_rows(node, c, types, side)
    return c, top, score, lost


@called(_nrt=False)
def permuted(node, here, place, left, labels, side, out):
    """Set ``out[b]`` to what the best split of a node is worth if the first node of its path has ``labels[b]``.

    Of an ancestor, whose rows go ``left`` in the tree, it is nan unless the best split divides them so or the other
    way round; entries that are nan already are passed over. ``place (n,)`` is the row of the first node that a row is,
    -1 of none. ``here (n,)`` are the labels of the rows, which are overwritten; ``side (n,)`` is space.
    """
    n = len(here)
    begun(node)
    for b in range(len(labels)):
        if np.isnan(out[b]):
            continue
        for i in range(n):
            if place[i] >= 0:
                # labels (B, rows of the path's first node); here (n,) are those of this node.
                here[i] = labels[b, place[i]]
        c, top = best_column(node, here)
        if not len(left):
            out[b] = top
            continue
        same = 0
        if c >= 0:
            divided_rows(node, c, here, side)
            for i in range(n):
                # All rows alike or all rows opposite: the division is the ancestor's.
                same += side[i] == left[i]
        if c < 0 or 0 < same < n:
            out[b] = np.nan


@kernel(_nrt=False)
def best_surprises(node, here, place, left, labels, side, out):
    """Do what ``permuted`` does for nodes whose columns are searched one by one."""
    permuted(node, here, place, left, labels, side, out)
