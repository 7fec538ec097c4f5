"""A whole tree of sparse features in one compiled loop, depth first, where the criterion sums over classes.

The samples of a node stand side by side, as in ``drawn_compiled``. Only columns that have cells in a node are looked
at, since all others are constant there.

Main definitions: ``grow_cells``; ``draw`` (which columns a node tries), ``cells_of``, ``first_tried``,
``only_tried`` and ``cut_of`` (random thresholds), ``label_of``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth import nodes_compiled as nodes
from splitcrit.growth.drawn_compiled import share_out
from splitcrit.growth.sparse_columns_compiled import column_of, columns_of_node, last_drawn, relabel, spread
from splitcrit.jit import inlined, kernel
from splitcrit.search.segments_compiled import U
from splitcrit.search.sparse_compiled import LOW, by_classes, is_constant, kept, on_left, value_of
from splitcrit.search.sums_compiled import numbers_of_sums

NEVER = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel(_nrt=False)
def cells_of(held, c, label, size):  # type: ignore[no-untyped-def]
    """Write the cells of a column in a node; return how many entries there are, 0 if the column is constant."""
    n = kept(held.entries[held.firsts[c] : held.firsts[c + 1]], held.marks, label, size, held.local)
    return 0 if is_constant(held.local, n) else n


@kernel(_nrt=False)
def _least(held, ends, label, size, count, space):  # type: ignore[no-untyped-def]
    """Write the least ``count`` numbers of features that vary in a node to ``space.few``, the largest if fewer do."""
    few = space.few
    for i in range(count):
        few[i] = NEVER
    for c in range(ends[0], ends[1]):
        number, i = space.lots[U(c - ends[0])], count - 1
        if number < few[i] and cells_of(held, c, label, size) > 0:
            while i > 0 and few[i - 1] > number:
                few[i] = few[i - 1]
                i -= 1
            few[i] = number


@kernel(_nrt=False)
def _drawn_of_many(held, ends, node, draws, key, space):  # type: ignore[no-untyped-def]
    """Write the drawn features that have columns; return how many, 0 if all columns drawn are constant."""
    (label, size), n, varied, c = node, 0, False, ends[0]
    last, found = last_drawn(key, draws, np.uint64(0), (space.few, space.tried))
    for turn in range(found):
        f = space.tried[U(turn)]
        if nodes.number(key, f, 0) <= last:
            c = column_of(held.columns, (c, ends[1]), f)
            if c < ends[1] and held.columns[U(c)] == f:
                space.tried[U(n)] = c
                n += 1
                varied = varied or cells_of(held, c, label, size) > 0
    return n if varied else 0


@kernel(_nrt=False)
def draw(held, ends, node, rules, key, space):  # type: ignore[no-untyped-def]
    """Write the columns that a node tries to ``space.tried``; return how many. Others with cells or none are constant.

    ``node`` is its label and its size. Of few columns with cells those that vary are found first: the first of them is
    tried in any case, so that others count only if they come before enough of all features.
    """
    (label, size), count, lots, tried, n = node, rules.features, space.lots, space.tried, 0
    (begin, end), draws, varying, last = ends, (rules.features, len(held.counts)), rules.varying, NEVER
    many = (end - begin) * count > 2 * draws[1]
    if varying == 1 and many:
        n = _drawn_of_many(held, ends, node, draws, key, space)
        if n > 0:
            return n
    if count > 0:
        for c in range(begin, end):
            lots[U(c - begin)] = nodes.number(key, held.columns[U(c)], 0)
        _least(held, ends, label, size, max(2, varying), space)
        last, second = space.few[varying - 1], space.few[1]
        if varying == 1 and not many and second != NEVER:
            last = max(last, last_drawn(key, draws, second, (space.few, tried))[0])
    for c in range(begin, end):
        tried[U(n)] = c
        n += count == 0 or lots[U(c - begin)] <= last
    return n


@kernel(_nrt=False)
def first_tried(held, n, floor, rules, key, space):  # type: ignore[no-untyped-def]
    """Return the column that is first in the drawn order among the ``n`` tried whose score reaches ``floor``."""
    chosen, least = np.int64(-1), NEVER
    for turn in range(n):
        c = space.tried[turn]
        if space.best[turn] >= floor:
            number = nodes.number(key, held.columns[c], 0) if rules.features > 0 else np.uint64(c)
            if number < least:
                chosen, least = c, number
    return chosen


@kernel(_nrt=False)
def cut_of(held, c, ends, key, random):  # type: ignore[no-untyped-def]
    """Return the random threshold of a column between its least and largest key; nan if all are tried."""
    low, high = ends
    return nodes.random_threshold(key, held.columns[c], value_of(low), value_of(high)) if random else np.nan


@kernel(_nrt=False)
def only_tried(held, c, n, size, key, random):  # type: ignore[no-untyped-def]
    """Return how many samples the one threshold that is tried has on the left, -1 if all are tried."""
    if not random:
        return -1
    ends = held.local[0] >> LOW, held.local[n - 1] >> LOW
    return on_left(held.local, n, size, cut_of(held, c, ends, key, random))


@kernel(_nrt=False)
def _best_split(held, ends, node, data, rules, key, space):  # type: ignore[no-untyped-def]
    """Return the column that the tie rule chooses (-1: none pays), the keys around the threshold, and the threshold."""
    (label, size, bits, random), top, best, scratch = node, -np.inf, space.best, (space.seen, space.zeros)
    _, _, base, rate, width = numbers_of_sums(data, space.counts, space.constants)
    n = draw(held, ends, (label, size), rules, key, space)
    for turn in range(n):
        c = space.tried[turn]
        found, best[turn] = cells_of(held, c, label, size), -np.inf
        if found > 0:
            limits = size, rules.leaf, rules.lightest, only_tried(held, c, found, size, key, random)
            best[turn], _, _ = by_classes((held.local, found, bits), space.counts, data, limits, np.inf, scratch)
            top = max(top, best[turn])
    if not nodes.pays((top - base) * rate, width, rules.gain):
        return -1, 0, 0, np.nan
    floor = nodes.floor_of(top, base, rate, width)
    c = first_tried(held, n, floor, rules, key, space)
    found = cells_of(held, c, label, size)
    limits = size, rules.leaf, rules.lightest, only_tried(held, c, found, size, key, random)
    _, low, high = by_classes((held.local, found, bits), space.counts, data, limits, floor, scratch)
    if random:
        return c, low, high, cut_of(held, c, (held.local[0] >> LOW, held.local[found - 1] >> LOW), key, random)
    return c, low, high, nodes.between(value_of(low), value_of(high))


@kernel(_nrt=False)
def _divide(held, here, cut, rows, shifts, spare):  # type: ignore[no-untyped-def]
    """Split a node by a column between two keys; fill its row and that of the left child."""
    (entries, label), (c, under, over, threshold), (links, reals, at, made) = here, cut, rows
    spread(held, c, label, 1)
    size, _, _ = share_out(entries, held.column, (under, over), shifts, spare, reals[made])
    spread(held, c, label, 0)
    links[at, nodes.FEATURE], links[made, nodes.SIZE], reals[at, 0] = held.columns[c], size, threshold
    few = entries[:size] if 2 * size <= len(entries) else entries[size:]
    relabel(few, shifts[1], held.marks, at + 1)


@inlined
def label_of(links, labels, made):  # type: ignore[no-untyped-def]
    """Return the label of a child: that of its parent, or of its parent's smaller child, the left one of two equal."""
    at = links[made, nodes.PARENT]
    twice, size = 2 * links[made, nodes.SIZE], links[at, nodes.SIZE]
    return at + 1 if twice < size or (twice == size and links[at, nodes.LEFT] == made) else labels[at, 0]


@kernel(_nrt=False)
def grow_cells(cells, held, listed, tree, data, rules, space):  # type: ignore[no-untyped-def]
    """Grow a tree until it is done or its rows are full, as ``grow_whole`` does; the samples are shared out in place.

    ``listed`` are entries as in ``drawn_compiled``, space to move them, two shifts, and whether thresholds are
    random; ``tree`` has labels of nodes.
    """
    (links, reals, labels, at, made), (entries, spare, shifts, random) = tree, listed
    while made < len(links):
        if not nodes.is_leaf(links, reals, at, rules, space.counts):
            start, size, label = links[at, nodes.START], links[at, nodes.SIZE], labels[at, 0]
            here = start, start + size
            samples, key = entries[here[0] : here[1]], np.uint64(links[at, nodes.KEY])
            ends = columns_of_node(cells, held, here, (samples, shifts[1]))
            cut = _best_split(held, ends, (label, size, shifts[0], random), data, rules, key, space)
            if cut[0] >= 0:
                _divide(held, (samples, label), cut, (links, reals, at, made), shifts, spare)
        nodes.undone(links, reals, at, made, rules)
        if not nodes.advance(links, reals, at, made):
            return np.int64(-1), made
        labels[made, 0] = label_of(links, labels, made)
        at = made
        made += 1
    return at, made
