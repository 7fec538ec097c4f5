"""One compiled loop that grows a whole tree, depth first, whatever holds the samples and whatever is scored.

A node is opened, searched and divided; then the loop goes on with the next row (``nodes_compiled.advance``). Every
source is searched alike: first the best raw score of each column that is tried, then the first threshold that ties with
the best of all. Only the operations differ (``operations``): the type of the source chooses them when the loop is
compiled.

Layout: ``tree`` holds a row for each node (``TreeRows``). Invariant: rows before ``new`` are nodes, and all but ``at``,
the newest, are done. Each turn finishes one node and begins the next, so the loop ends when no node is left or the rows
are full.

Main definitions: ``grow_whole``, ``best_split``.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import by_type, kernel
from splitcrit.trees.growth import (
    cell_sources_compiled,
    class_sources_compiled,
    column_choice_compiled,
    listed_sources_compiled,
    response_sources_compiled,
)
from splitcrit.trees.growth import nodes_compiled as nodes
from splitcrit.trees.growth.operations import divide, following, opened, score
from splitcrit.trees.growth.records import (
    CellResponsesSource,
    CellsSource,
    ListedResponsesSource,
    ListedSource,
    Pick,
    PresortedResponsesSource,
    PresortedSource,
    RandomResponsesSource,
    RandomSource,
)

SOURCES = (  # with the codes of operations
    cell_sources_compiled, class_sources_compiled, column_choice_compiled, listed_sources_compiled,
    response_sources_compiled,
)  # fmt: skip


@by_type
def best_split(source, node, rules):
    """The split of a node (``Pick``), by the same search and the same tie rule for every source."""


@best_split.of(
    PresortedSource, ListedSource, RandomSource, CellsSource, CellResponsesSource, RandomResponsesSource, part=True
)
@best_split.of(ListedResponsesSource, PresortedResponsesSource)
def _best_split(source, node, rules):
    """The first column, in the order of the draw, whose best score ties with the best of all.

    Invariant of the loop: ``best[:tried]`` are the best raw scores of ``columns[:tried]``, in the order of the draw,
    and ``top`` is the largest. There are two slots for sorted columns: ``ready`` keeps the order of ``leader``, which
    beat the leader before it by more than a tie, so that it need not be sorted again; ``work`` takes the next column.
    """
    best, columns = source.space.best, source.space.tried
    top, lead, leader, ready, work = -np.inf, -np.inf, -1, 0, 1
    # drawn, enough and varied are the state of the draw: see ``following``.
    tried, drawn, enough, varied = 0, np.int64(0), rules.varying, 0
    while True:
        column, entries, drawn, enough = following(source, node, tried, drawn, enough, varied, rules)
        if column < 0:
            break
        value, varies = score(source, node, column, entries, work, False, np.inf, rules)
        best[tried], columns[tried], top = value, column, max(top, value)
        # A leader by more than a tie will be chosen unless a later one leads as clearly: its order is worth keeping.
        if (value - lead) * node.rate > node.width:
            ready, work, lead, leader = work, ready, value, column
        tried += 1
        varied += varies
    if not nodes.pays((top - node.base) * node.rate, node.width, rules.gain):
        return Pick(-1, np.inf, top, 0, False)
    floor = nodes.floor_of(top, node.base, node.rate, node.width)
    # best beyond tried is old, but never reached: top is in best[:tried], and floor is at most top.
    column = columns[nodes.first_reaching(best, floor)]
    return Pick(column, floor, top, ready if column == leader else work, column == leader)


@kernel(_nrt=False)
def grow_whole(source, tree, at, new, rules):
    """Grow a tree until it is done or its rows are full; return ``at``, -1 when it is done, and ``new``.

    ``at`` is the node to open next, and ``new`` how many there are: 0 and 1 for a root. Where the rows are full, a call
    with more rows and what was returned goes on. The source's samples are moved.
    """
    while new < len(tree.links):
        may, node = opened(source, tree, at, rules)
        if may:
            pick = best_split(source, node, rules)
            if pick.feature >= 0:
                divide(source, node, pick, tree, at, new, rules)
        # After a division row new describes the left child; it becomes a node only if the split is not undone.
        nodes.undone(tree.links, tree.reals, at, new, rules)
        if not nodes.advance(tree.links, tree.reals, at, new):
            return np.int64(-1), new
        at = new
        new += 1
    return at, new
