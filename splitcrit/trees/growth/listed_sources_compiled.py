"""What sources of columns share, of classes and of responses: the draw, random thresholds, columns of categories.

A node's samples stand side by side in a list, from ``node.start`` to ``node.stop``; ``entries_of`` says how.
A split moves those that go left before the rest, each side in the order in which it stood, by the value of each row in
a column (``moved``).

*One random threshold a column* sorts nothing: samples are divided by value, and what lies on each side scores it.

*Columns of categories*: a node ranks the categories of a column (``score_categories``), so that a division is a cut of
the ranks. Only where such a column splits the node its rows get these ranks, in ``by_row``, and are moved by them like
numbers; the columns themselves are never changed.

Main definitions: the operations of sources in lists; ``next_column`` (the draw), ``threshold``, ``split_by_value``,
``write_ranks``.
"""

# mypy: disable-error-code="no-untyped-def, arg-type"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, inlined
from splitcrit.trees.growth import nodes_compiled as nodes
from splitcrit.trees.growth.operations import (
    divide,
    divide_by,
    divide_by_numbers,
    entries_of,
    following,
    moved,
    next_by,
    score,
    score_by,
    score_categories,
    score_numbers,
    score_of_cut,
)
from splitcrit.trees.growth.records import (
    FEATURE,
    IN_LISTS,
    LOST,
    ROUNDED,
    SIZE,
    THRESHOLD,
    CategoryCodes,
    NoCategories,
    NoComparison,
    PresortedResponsesSource,
    PresortedSource,
    RandomResponsesSource,
    RandomSource,
)
from splitcrit.trees.scan.records import RANDOM
from splitcrit.trees.scan.scan_common import U, code_of
from splitcrit.trees.scan.scan_subsets import forget, occurring, sort_by_key

# The draw.


@inlined
def next_column(places, key, drawn, varied, rules):
    """The column that is tried next (-1: none is), and how many are drawn by then."""
    # places (d,) is a permutation of the columns: the first drawn of them are those tried so far in this node.
    count = rules.features
    if drawn < len(places) and not (count > 0 and varied >= rules.varying and drawn >= count):
        return (nodes.draw_next(key, drawn, places) if count > 0 else drawn), drawn + 1
    if count > 0:
        # The draws are undone, so that the next node draws from the same order whatever was tried here.
        nodes.put_back(places, drawn)
    return -1, drawn


@following.of(PresortedSource, PresortedResponsesSource, part=True)
def _following_column(source, node, tried, drawn, enough, varied, rules):
    column, drawn = next_column(source.space.places, node.key, drawn, varied, rules)
    return column, 0, drawn, enough


@following.of(*IN_LISTS, part=True)
def _following_in_list(source, node, tried, drawn, enough, varied, rules):
    return next_by(source.comparison, source, node, tried, drawn, enough, varied, rules)


@next_by.of(NoComparison, part=True)
def _next_column(comparison, source, node, tried, drawn, enough, varied, rules):
    column, drawn = next_column(source.space.places, node.key, drawn, varied, rules)
    return column, 0, drawn, enough


# Columns of numbers, or of both kinds.


@score.of(*IN_LISTS, part=True)
def _score_in_list(source, node, column, entries, slot, ready, floor, rules):
    return score_by(source.recoding, source, node, column, slot, ready, floor, rules)


@score_by.of(NoCategories, part=True)
def _score_number(recoding, source, node, column, slot, ready, floor, rules):
    return score_numbers(source, node, column, slot, ready, floor, rules)


@score_by.of(CategoryCodes, part=True)
def _score_either(recoding, source, node, column, slot, ready, floor, rules):
    if recoding.levels[column] > 0:
        return score_categories(source, node, column, slot, floor, rules)
    return score_numbers(source, node, column, slot, ready, floor, rules)


@divide.of(*IN_LISTS)
def _divide_in_list(source, node, pick, tree, at, new, rules):
    divide_by(source.recoding, source, node, pick, tree, at, new, rules)


@divide_by.of(NoCategories, part=True)
def _divide_number(recoding, source, node, pick, tree, at, new, rules):
    divide_by_numbers(source, node, pick, tree, at, new, rules)


@divide_by.of(CategoryCodes, part=True)
def _divide_either(recoding, source, node, pick, tree, at, new, rules):
    if recoding.levels[pick.feature] == 0:
        divide_by_numbers(source, node, pick, tree, at, new, rules)
        return
    last, _ = score_categories(source, node, pick.feature, pick.slot, pick.floor, rules)
    write_ranks(recoding, source, node, pick.feature, recoding.by_row)
    split_by_value(source, node, pick.feature, recoding.by_row, last, 0, np.nan, tree, at, new)
    ranks, levels = recoding.node.ranks, len(recoding.node.ranks) - 1
    for j in range(levels):
        tree.sides[at, j] = -1 if ranks[U(j)] < 0 else ranks[U(j)] > last
    tree.sides[at, levels] = ranks[levels]


@inlined
def split_by_value(source, node, f, column, cut, goes, lost, tree, at, new):
    """Split a node by values of a column up to a threshold; fill its row and that of the left child."""
    tree.links[at, FEATURE], tree.reals[at, THRESHOLD], tree.links[at, LOST] = f, cut, goes
    tree.links[new, SIZE] = moved(source, node, column, cut, lost, tree.reals[new])


# One random threshold a column.


@called(_nrt=False)
def threshold(node, column, low, key, f):
    """The random threshold of a feature in a node with this key, nan where the feature is constant.

    With it come the side of missing values (see ``LOST``), and the value that goes left besides: infinity, by which
    they are stored, if they go left, else nan.
    """
    under, over = column[U(node[0] >> low)], column[U(node[0] >> low)]
    for i in range(1, len(node)):
        value = column[U(node[U(i)] >> low)]
        under = value if value < under else under
        over = value if value > over else over
    goes = np.int64(over == np.inf)
    if under == over:
        return np.nan, goes, np.nan
    if goes:  # the largest value that is known
        over = under
        for i in range(len(node)):
            value = column[U(node[U(i)] >> low)]
            over = value if over < value < np.inf else over
    goes += goes == 1 and under < over and nodes.uniform(key, f, 2) < 0.5
    return nodes.random_threshold(key, f, under, over), goes, np.inf if goes == 2 else np.nan


@score_numbers.of(RandomSource, RandomResponsesSource, part=True)
def _score_at_random(source, node, column, slot, ready, floor, rules):
    here, low, _, values = entries_of(source, node)
    cut, _, lost = threshold(here, values[column], low, node.key, column)
    if np.isnan(cut):
        return -np.inf, False
    return score_of_cut(source, node, values[column], cut, lost, rules), True


@divide_by_numbers.of(RandomSource, RandomResponsesSource, part=True)
def _divide_at_random(source, node, pick, tree, at, new, rules):
    here, low, _, values = entries_of(source, node)
    cut, goes, lost = threshold(here, values[pick.feature], low, node.key, pick.feature)
    column, moves = values[pick.feature], np.int64(0)
    for i in range(len(here)):
        value = column[U(here[U(i)] >> low)]
        moves |= np.int64((np.float64(np.float32(value)) <= cut) != (np.float64(value) <= cut))
    split_by_value(source, node, pick.feature, column, cut, goes + ROUNDED * moves, lost, tree, at, new)


# Categories.


@inlined
def write_ranks(recoding, source, node, f, out):
    """Give the rows of a node the ranks of their categories as values."""
    here, low, _, columns = entries_of(source, node)
    for i in range(len(here)):
        row = here[U(i)] >> low
        out[U(row)] = recoding.node.ranks[code_of(columns[f], row)]


@score_categories.of(RandomSource, RandomResponsesSource)
def _divide_categories_at_random(source, node, column, slot, floor, rules):
    # The ranks are random numbers by category, and a random cut divides them.
    recoding, space, (here, low, _, columns) = source.recoding, source.recoding.node, entries_of(source, node)
    forget(space)
    for i in range(len(here)):
        space.rows[code_of(columns[column], here[U(i)] >> low)] += 1
    p = occurring(space)
    if p < 2:
        return -np.inf, False
    for i in range(p):
        space.keys[U(i)] = nodes.uniform(node.key, space.there[U(i)], 8 + column)
    sort_by_key(space, p)
    for i in range(p):
        space.ranks[U(space.order[U(i)])] = i
    space.ranks[len(space.ranks) - 1] = RANDOM
    cut = np.floor(nodes.random_threshold(node.key, column, 0.0, p - 1.0))
    if floor < np.inf:
        return cut, False
    write_ranks(recoding, source, node, column, recoding.by_row)
    return score_of_cut(source, node, recoding.by_row, cut, np.nan, rules), True
