"""A whole tree of sparse features in one compiled loop, depth first, where the criterion sums over classes.

The samples of a node stand side by side, as in ``drawn_compiled``. Only columns that have cells in a node are looked
at, since all others are constant there.

Main definitions: ``grow_cells``; ``next_column`` (which columns a node tries), ``cells_of``, ``only_tried`` and
``cut_of`` (random thresholds), ``label_of``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth import nodes_compiled as nodes
from splitcrit.growth.drawn_compiled import share_out
from splitcrit.growth.sparse_columns_compiled import column_of, columns_of_node, relabel, spread
from splitcrit.jit import inlined, kernel
from splitcrit.search.sparse_compiled import LOW, by_classes, is_constant, kept, on_left, value_of
from splitcrit.search.sums_compiled import numbers_of_sums


@inlined
def cells_of(held, c, label, size):  # type: ignore[no-untyped-def]
    """Write the cells of a column in a node; return how many entries there are, 0 if the column is constant."""
    n = kept(held.entries[held.firsts[c] : held.firsts[c + 1]], held.marks, label, size, held.local)
    return 0 if is_constant(held.local, n) else n


@kernel(_nrt=False)
def _varying(held, ends, label, size, most):  # type: ignore[no-untyped-def]
    """Return how many columns of a node vary, ``most`` if more do."""
    found, c = 0, ends[0]
    while c < ends[1] and found < most:
        found += cells_of(held, c, label, size) > 0
        c += 1
    return found


@inlined
def next_column(held, ends, node, turn, rules, key, places):  # type: ignore[no-untyped-def]
    """Return the column that a node tries next, with how many entries (0: none is left), which are written.

    ``node`` is its label and its size. ``turn`` is how many columns were tried, how many features drawn, and how many
    columns are enough: 0, 0 and ``rules.varying`` at first; the last two are returned as they are now. Features without
    cells are constant.
    """
    (label, size), (tried, drawn, enough), (begin, end) = node, turn, ends
    while drawn < (len(places) if rules.features > 0 else end - begin):
        if drawn >= rules.features > 0:
            if drawn == rules.features and tried < enough:
                enough = _varying(held, ends, label, size, enough)
            if tried >= enough:
                break
        c = column_of(held, ends, nodes.draw_next(key, drawn, places)) if rules.features > 0 else begin + drawn
        n = cells_of(held, c, label, size) if c >= 0 else 0
        drawn += 1
        if n > 0:
            return c, n, drawn, enough
    if rules.features > 0:
        nodes.put_back(places, drawn)
    return -1, 0, drawn, enough


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
    n, drawn, enough = 0, 0, rules.varying
    _, _, base, rate, width = numbers_of_sums(data, space.counts, space.constants)
    while True:
        turn = n, drawn, enough
        c, found, drawn, enough = next_column(held, ends, (label, size), turn, rules, key, space.places)
        if found == 0:
            break
        limits = size, rules.leaf, rules.lightest, only_tried(held, c, found, size, key, random)
        best[n], _, _ = by_classes((held.local, found, bits), space.counts, data, limits, np.inf, scratch)
        space.tried[n], top = c, max(top, best[n])
        n += 1
    if not nodes.pays((top - base) * rate, width, rules.gain):
        return -1, 0, 0, np.nan
    floor = nodes.floor_of(top, base, rate, width)
    c = space.tried[nodes.first_reaching(best, floor)]
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
