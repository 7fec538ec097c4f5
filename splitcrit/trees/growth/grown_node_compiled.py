"""A node of permuted labels that is searched as in a tree: by a source of the compiled loop, whatever it scores.

For each row of labels they are written into the samples, which takes a pass over these, of columns that are sorted
once over all of them, and the loop opens, searches and, of an ancestor, divides the node. A label of responses is the
place of one among those that occur in the tree, so that a node's responses can be sorted by counting.

Main definitions: ``GrownNode``; ``best_of_grown``.
"""

# mypy: disable-error-code="no-untyped-def, arg-type"
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import by_type, kernel
from splitcrit.trees.growth.grow_compiled import best_split
from splitcrit.trees.growth.operations import divide, entries_of, opened
from splitcrit.trees.growth.permuted_compiled import best_column, divided_rows, permuted
from splitcrit.trees.growth.records import (
    SIZE,
    ListedResponsesSource,
    ListedSource,
    Pick,
    PresortedSource,
    StoppingRules,
    TreeRows,
)
from splitcrit.trees.scan.scan_common import U


class GrownNode(NamedTuple):
    """A ``source`` whose samples are one node, and its ``tree``, in which a division is written down anew.

    A division moves samples: ``samples`` are the entries of the orders ``(d, n)`` of columns that are sorted once, or
    the sorted responses ``(1, n)``, as they were. ``starts (T,)`` is the place of the first response of each kind.
    Space: ``cursor (T,)``, and ``pick (5,)``, what the tie rule has chosen.
    """

    source: PresortedSource | ListedSource | ListedResponsesSource
    tree: TreeRows
    rules: StoppingRules
    samples: Array
    starts: Array
    cursor: Array
    pick: Array


@by_type
def relabel(source, node, types):
    """Give the samples of a node these labels, by row."""


@by_type
def rows_on_left(source, node, size, side):
    """Set which rows a division has sent left, the first ``size`` samples."""


@relabel.of(PresortedSource)
def _relabel_orders(source, node, types):
    orders, bits = source.orders.orders, source.orders.bits
    for f in range(len(orders)):
        for i in range(len(types)):
            row = np.int64(node.samples[f, U(i)]) >> bits
            orders[f, U(i)] = (row << bits) | types[U(row)]


@rows_on_left.of(PresortedSource)
def _marked_rows(source, node, size, side):
    for i in range(len(side)):
        side[U(i)] = source.space.side[U(i)] > 0


@relabel.of(ListedSource)
def _relabel_list(source, node, types):
    for i in range(len(types)):
        source.sorting.entries[U(i)] = (i << source.sorting.low) | types[U(i)]


@relabel.of(ListedResponsesSource)
def _relabel_responses(source, node, types):
    samples, cursor = source.listed.samples, node.cursor
    for t in range(len(cursor)):
        cursor[U(t)] = node.starts[U(t)]
    for i in range(len(types)):
        samples.rows[U(cursor[U(types[U(i)])])] = i
        cursor[U(types[U(i)])] += 1
        samples.responses[U(i)] = node.samples[0, U(i)]


@rows_on_left.of(ListedSource, ListedResponsesSource)
def _listed_rows(source, node, size, side):
    here, low, _, _ = entries_of(source, node)
    for i in range(len(side)):
        side[U(np.int64(here[U(i)]) >> low)] = i < size


@best_column.of(GrownNode)
def _best_of_loop(node, types):
    relabel(node.source, node, types)
    _, here = opened(node.source, node.tree, 0, node.rules)
    best, pick = best_split(node.source, here, node.rules), node.pick
    pick[0], pick[1], pick[2], pick[3], pick[4] = best.feature, best.floor, best.top, best.slot, best.ready
    return best.feature, max((best.top - here.base) * here.rate, 0.0) if best.feature >= 0 else 0.0


@divided_rows.of(GrownNode)
def _divided_by_loop(node, c, side):
    pick = Pick(c, node.pick[1], node.pick[2], np.int64(node.pick[3]), node.pick[4] > 0)
    _, here = opened(node.source, node.tree, 0, node.rules)
    divide(node.source, here, pick, node.tree, 0, 1, node.rules)
    rows_on_left(node.source, here, node.tree.links[1, SIZE], side)
    return pick.top, 0


@kernel(error_model="python")
def best_of_grown(node, here, place, left, labels, side, out):
    """Do what ``permuted`` does for such nodes."""
    permuted(node, here, place, left, labels, side, out)
