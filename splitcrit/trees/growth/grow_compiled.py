"""One compiled loop that grows a whole tree, depth first, whatever holds the samples and whatever is scored.

A node is opened, searched, divided, and the loop goes on with the next row (``nodes_compiled.advance``). The search of
a node is the same for every source: each column that is tried for its best raw score, then one of them for the first
threshold that ties with the best. So there is one tie rule, one draw of features, and one memory of the column that
leads. What differs are the operations of the source, which its type chooses when the loop is compiled.

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
    """The choice of the tie rule.

    Invariant of the loop: ``best[:tried]`` are the best raw scores of the columns ``columns[:tried]``, in the order of
    the draw, and ``top`` is the largest. Of two slots for sorted columns ``ready`` is the one whose column leads
    by more than a tie, so that it need not be sorted again, and ``work`` is free for the next one.
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
    # The first in the order of the draw that ties with the best: no order of search can change it.
    column = columns[nodes.first_reaching(best, floor)]
    return Pick(column, floor, top, ready if column == leader else work, column == leader)


@kernel(_nrt=False)
def grow_whole(source, tree, at, new, rules):
    """Grow a tree until it is done or its rows are full; return its last node, -1 when it is done, and how many it has.

    ``at`` is the node to look at, and ``new`` how many there are. The samples are shared out in place.
    """
    while new < len(tree.links):
        may, node = opened(source, tree, at, rules)
        if may:
            pick = best_split(source, node, rules)
            if pick.feature >= 0:
                divide(source, node, pick, tree, at, new, rules)
        # Row new holds the left child already; it becomes a node only if the split stands.
        nodes.undone(tree.links, tree.reals, at, new, rules)
        if not nodes.advance(tree.links, tree.reals, at, new):
            return np.int64(-1), new
        at = new
        new += 1
    return at, new
