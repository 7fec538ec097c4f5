"""A node of permuted responses that is searched as in a tree, whatever the error: by a source of the compiled loop.

A label is the place of a response among those that occur in the tree, so that the sorted responses of a node, and what
describes it, do not depend on their order: only rows change their places (``samples.rows``), which takes one pass. The
loop then sorts the columns of numbers, and ranks those of categories.

Main definitions: ``GrownNode``; ``best_of_grown``.
"""

# mypy: disable-error-code="no-untyped-def, arg-type"
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import called, kernel
from splitcrit.trees.growth.grow_compiled import best_split
from splitcrit.trees.growth.operations import divide
from splitcrit.trees.growth.permuted_compiled import begun, best_column, divided_rows, permuted
from splitcrit.trees.growth.records import (
    IMPURITY,
    SIZE,
    ListedResponsesSource,
    OpenNode,
    Pick,
    StoppingRules,
    TreeRows,
)
from splitcrit.trees.growth.response_sources_compiled import describe_node, unit_of
from splitcrit.trees.scan.scan_common import U
from splitcrit.trees.scan.ties_and_scores import TIE


class GrownNode(NamedTuple):
    """A source whose samples are one node, and its ``tree``, which a search begins anew.

    ``responses (n,)`` are sorted; ``starts (T,)`` is the place of the first sample of each kind. Space: ``cursor (T,)``
    and ``pick (5,)``, what the tie rule has chosen.
    """

    source: ListedResponsesSource
    tree: TreeRows
    rules: StoppingRules
    responses: Array
    starts: Array
    cursor: Array
    pick: Array


@begun.of(GrownNode)
def _describe(node):
    responses = node.source.listed.samples.responses
    for i in range(len(responses)):
        responses[U(i)] = node.responses[U(i)]  # the last division has moved them
    describe_node(node.source.listed, 0, len(node.responses), node.tree.reals[0])


@called(_nrt=False)
def opened_again(node):
    """Return the node as it is opened; all features are tried, so that no key matters."""
    width = TIE * abs(node.tree.reals[0, IMPURITY])
    unit = unit_of(node.source.listed)
    return OpenNode(0, len(node.responses), np.uint64(0), 0, 0.0, 0.0, unit, width, 0, 0, 0)


@best_column.of(GrownNode)
def _best(node, types):
    samples, cursor, pick = node.source.listed.samples, node.cursor, node.pick
    for t in range(len(cursor)):
        cursor[U(t)] = node.starts[U(t)]
    for i in range(len(types)):
        place = U(cursor[U(types[i])])
        samples.rows[place] = i
        cursor[U(types[i])] += 1
        samples.responses[U(i)] = node.responses[U(i)]  # a division has moved them
    found = best_split(node.source, opened_again(node), node.rules)
    pick[0], pick[1], pick[2], pick[3], pick[4] = found.feature, found.floor, found.top, found.slot, found.ready
    return found.feature, found.top * unit_of(node.source.listed) if found.feature >= 0 else 0.0


@divided_rows.of(GrownNode)
def _divide(node, c, types, side):
    pick = Pick(c, node.pick[1], node.pick[2], int(node.pick[3]), node.pick[4] > 0)
    divide(node.source, opened_again(node), pick, node.tree, 0, 1, node.rules)
    rows, size = node.source.listed.samples.rows, node.tree.links[1, SIZE]
    for i in range(len(side)):
        side[rows[U(i)]] = i < size
    return pick.top, 0


@kernel(error_model="python")
def best_of_grown(node, here, place, left, labels, side, out):
    """Do what ``permuted`` does for such nodes."""
    permuted(node, here, place, left, labels, side, out)
