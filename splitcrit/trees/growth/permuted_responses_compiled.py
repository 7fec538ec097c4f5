"""The best scores of one node for permuted responses, and whether its ancestors divide their rows as before, compiled.

It is ``permuted_compiled`` for responses that are numbers. The copies of a path are called by their numbers, which are
places in the order of the responses where that is needed (deviations): then each permutation gives them anew. What
describes a node does not depend on the order of the responses. Columns of categories are ranked for each permutation.

Main definitions: ``permuted_responses``.
"""

# mypy: disable-error-code="no-untyped-def, arg-type"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, kernel
from splitcrit.trees.growth.grow_compiled import best_split
from splitcrit.trees.growth.operations import score
from splitcrit.trees.growth.records import IMPURITY, OpenNode
from splitcrit.trees.growth.response_sources_compiled import (
    describe_node,
    first_missing,
    rank_categories,
    unit_of,
)
from splitcrit.trees.scan.records import ABSOLUTE, MEAN, REST
from splitcrit.trees.scan.response_subsets import order_by_rank
from splitcrit.trees.scan.scan_common import U
from splitcrit.trees.scan.scan_poisson import centred_at
from splitcrit.trees.scan.ties_and_scores import TIE


@called
def _number(listed, node, responses, labels, number):
    """Give the copies of a node their numbers, and these their responses: those of the first node's rows are labels."""
    # number (N,) by copy; a copy of no row of the first node keeps its response.
    rows, here = listed.samples.rows, np.empty(node.stop - node.start)
    for i in range(len(here)):
        row = node.place[U(node.start + i)]
        here[i] = labels[U(row)] if row >= 0 else responses[U(node.start + i)]
    if listed.error == ABSOLUTE:
        # Deviations want responses sorted: number is then the place of a copy among them. Stable, as elsewhere.
        for i, turn in enumerate(np.argsort(here, kind="mergesort")):
            rows[node.start + i], number[node.start + turn] = node.start + turn, node.start + i
    for i in range(len(here)):
        y = listed.samples.responses[number[node.start + i]] = here[i]
        mean, rest = listed.described[MEAN], listed.described[REST]
        listed.centred[number[node.start + i]] = centred_at(y, mean, rest, listed.error)


@called(_nrt=False)
def _order(source, recoding, copies, node, f, number, width, rules):
    """Write the order of a column by numbers; ``copies`` is that of the copies, ``copy << 1 | same``."""
    listed, order, start, stop = source.listed, source.orders[f, node.start : node.stop], node.start, node.stop
    if recoding.levels[f] == 0:
        for i in range(start, stop):
            order[U(i - start)] = (number[U(copies[U(i)] >> 1)] << 1) | (copies[U(i)] & 1)
        return
    _, count, _ = rank_categories(listed, recoding, f, start, stop, width, rules)
    space, rows = recoding.node, listed.samples.rows[start:stop]
    for row in rows:
        listed.columns[f, row] = space.ranks[recoding.codes[f, row]]
    if count > 1:
        order_by_rank(rows, recoding.codes[f], start, space.ranks, count, space.weights, order)


@called(_nrt=False)
def _alike(source, node, f, place, goes):
    """Tell whether a division of the rows is that of the tree, with the sides as they are or exchanged."""
    order, rows, same = source.orders[f], source.listed.samples.rows, 0
    known = first_missing(source.listed, order, source.listed.columns[f], node.start, node.stop)
    for i in range(node.start, node.stop):
        on_left = i <= place or (goes and i >= known)
        same += on_left == node.left[U(rows[U(order[U(i)] >> 1)])]
    return same == 0 or same == node.stop - node.start


@kernel(error_model="python")
def permuted_responses(source, recoding, copies, responses, node, labels, rules, row, out):
    """Set ``out[t]`` to the node's best score if the rows of the first node have the responses ``labels[t]``.

    It is nan where the node divides its rows otherwise than in the tree; the first may divide them as it likes. Orders
    and samples of ``source`` (``PresortedResponsesSource``), whose samples are sorted in each node, are overwritten;
    ``copies (d, N)`` are the orders as ``copy << 1 | same``, ``row`` is space for what a tree holds of a node.
    """
    listed, key = source.listed, np.uint64(0)  # all features are tried, so that no key matters
    describe_node(listed, node.start, node.stop, row)
    width, unit, number = TIE * abs(row[IMPURITY]), unit_of(listed), np.empty(len(responses), np.int64)
    for i in range(node.start, node.stop):
        number[listed.samples.rows[i]] = i
    here = OpenNode(node.start, node.stop, key, 0, 0.0, 0.0, unit, width, 0, 0, 0)
    for t in range(len(labels)):
        _number(listed, node, responses, labels[t], number)
        for f in range(len(copies)):
            _order(source, recoding, copies[f], node, f, number, width / unit, rules)
        pick = best_split(source, here, rules)
        out[t] = pick.top * unit
        if node.start > 0:
            alike = False
            if pick.feature >= 0:
                place, goes = score(source, here, pick.feature, 0, pick.slot, pick.ready, pick.floor, rules)
                alike = _alike(source, node, pick.feature, np.int64(place), goes)
            if not alike:
                out[t] = np.nan
