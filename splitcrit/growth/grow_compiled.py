"""One compiled loop that grows a whole tree, depth first, whatever holds the samples and whatever is scored.

A node is opened, searched, divided, and the loop goes on with the next row (``nodes_compiled.advance``). The search of
a node is the same for every source: each column that is tried for its best raw score, then one of them for the first
threshold that ties with the best. So there is one tie rule, one draw of features, and one memory of the column that
leads. What differs are the operations of the source, which its type chooses when the loop is compiled.

Main definitions: ``grow_whole``, ``best_split``; ``scan_columns``, ``mark_split`` and ``share_columns``, the steps of
one node over some of its sorted columns, which threads take at the same time.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import by_type, kernel
from splitcrit.growth import cell_sources_compiled, class_sources_compiled, response_sources_compiled
from splitcrit.growth import nodes_compiled as nodes
from splitcrit.growth.operations import divide, following, opened, score
from splitcrit.growth.records import (
    CategoriesSource,
    CellResponsesSource,
    CellsSource,
    Pick,
    PresortedSource,
    RandomResponsesSource,
    RandomSource,
    ResponsesSource,
    SortedSource,
)
from splitcrit.search.pointers import call_scan
from splitcrit.search.records import Scratch, Segment, Totals
from splitcrit.search.scan_node import numbers_of_node

SOURCES = (class_sources_compiled, response_sources_compiled, cell_sources_compiled)  # with the codes of operations


@by_type
def best_split(source, node, rules):
    """Return the choice of the tie rule; one search for all sources, a part of the loop where that is faster."""


@best_split.of(
    PresortedSource, SortedSource, RandomSource, CategoriesSource, CellsSource,
    CellResponsesSource, RandomResponsesSource, part=True,
)  # fmt: skip
@best_split.of(ResponsesSource)
def _best_split(source, node, rules):
    """Return the choice of the tie rule.

    Invariant of the loop: ``best[:tried]`` are the best raw scores of the columns ``columns[:tried]``, in the order of
    the draw, and ``top`` is the largest. Of two slots for sorted columns ``kept`` holds the order of the one that leads
    by more than a tie, so that it need not be sorted again, and ``work`` is free for the next one.
    """
    best, columns = source.space.best, source.space.tried
    top, lead, leader, kept, work = -np.inf, -np.inf, -1, 0, 1
    tried, drawn, enough, varied = 0, np.int64(0), rules.varying, 0
    while True:
        column, entries, drawn, enough = following(source, node, tried, drawn, enough, varied, rules)
        if column < 0:
            break
        found, varies = score(source, node, column, entries, work, False, np.inf, rules)
        best[tried], columns[tried], top = found, column, max(top, found)
        if (found - lead) * node.rate > node.width:
            kept, work, lead, leader = work, kept, found, column
        tried += 1
        varied += varies
    if not nodes.pays((top - node.base) * node.rate, node.width, rules.gain):
        return Pick(-1, np.inf, top, 0, False)
    floor = nodes.floor_of(top, node.base, node.rate, node.width)
    column = columns[nodes.first_reaching(best, floor)]
    return Pick(column, floor, top, kept if column == leader else work, column == leader)


@kernel(_nrt=False)
def grow_whole(source, tree, at, made, rules):
    """Grow a tree until it is done or its rows are full; return its last node, -1 when it is done, and how many it has.

    ``at`` is the node to look at, and ``made`` how many there are. The samples are shared out in place.
    """
    while made < len(tree.links):
        may, node = opened(source, tree, at, rules)
        if may:
            pick = best_split(source, node, rules)
            if pick.feature >= 0:
                divide(source, node, pick, tree, at, made, rules)
        nodes.undone(tree.links, tree.reals, at, made, rules)
        if not nodes.advance(tree.links, tree.reals, at, made):
            return np.int64(-1), made
        at = made
        made += 1
    return at, made


@kernel(_nrt=False)
def scan_columns(orders, start, stop, scorer, rules, floor, space):
    """Set ``space.best`` to the best raw score of each column, or to the first place that reaches a finite floor.

    Return base and rate of the scores, and the width of a tie.
    """
    bits = orders.bits
    _, sums, base, rate, width = numbers_of_node(scorer, space.counts, start, space.constants, space.behind)
    totals, scratch = Totals(space.counts, sums, space.constants), Scratch(space.seen, space.behind)
    for f in range(len(orders.orders)):
        order, column = orders.orders[f], orders.columns[f]
        space.best[f] = -np.inf
        if column[order[start] >> bits] != column[order[stop - 1] >> bits]:
            segment = Segment(order, column, start, stop, bits, rules.leaf)
            space.best[f] = call_scan(scorer.scan, segment, totals, scorer.data, floor, scratch)
    return base, rate, width


@kernel(_nrt=False)
def mark_split(orders, start, stop, f, place, tree, rules, space):
    """Mark the samples that go left, fill rows 0 and 1 (node and left child); tell which children are leaves."""
    return class_sources_compiled.marked(orders, start, stop, f, place, tree, 0, 1, rules, space)


@kernel(_nrt=False)
def share_columns(orders, start, stop, skipped, left_closed, right_closed, space):
    """Share the samples of each column but one out among the children."""
    class_sources_compiled.shared_out(orders, start, stop, skipped, left_closed, right_closed, space)
