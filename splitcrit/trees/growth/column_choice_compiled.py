"""The column by which each open node of a level is split, where columns are compared by ``-log p`` of their best split.

Rows of a node become objects of a *kind*: its class, or its response by place in their order; ``vectors`` holds the
centred response of each kind. A row of weight w is w objects or, of ``pairs`` (bootstrap samples), one object with w
times its response. In a column it lies in a *cell*: its value by rank, the missing values last, or its level.

A column costs one pass over its rows; its score is the largest one of its cuts or of the subsets of its levels. Columns
of one structure are compared by that score alone, and only the best of each structure is given a p-value: by paths for
two classes and numbers, by random orders elsewhere, which end once the column is known to lose. Columns of numbers
whose values are nearly all distinct count as one structure. Among equals the column of the least hash is chosen, that
of its table at the root, keyed by the seed, so that neither the order of the rows nor that of the columns nor names of
levels change a tree.

Main definitions: ``LevelRows``, ``Comparing``, ``chosen_columns``, ``column_hashes``.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc, assignment"
from __future__ import annotations

from math import inf, pi
from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import called, kernel
from splitcrit.nulls.best_split_compiled import (
    best_of_cuts,
    best_of_subsets,
    cut_weights,
    draws_for,
    exact_surprise,
    label_moments,
    log_upper_gamma,
    mixed,
    structure_key,
    surprise_of,
    tail_of,
)
from splitcrit.nulls.monte_carlo import TIE

DENSE = 50  # a column counts as dense if at most one row in 50 shares its value with the one before
SAME = np.uint64(0x9E3779B97F4A7C15)


class LevelRows(NamedTuple):
    """The open nodes of a level: where each starts in every order, and its first number (of responses).

    An entry is ``index << bits``, with the class below. Of responses the index is a number: ``rows`` is the row of each
    number, ``responses`` sorted in each node; both are empty for classes. ``weights`` are by index (empty: all 1).
    ``column (d,)`` is the place of a category in ``codes (F, n)``, -1 for numbers, ``levels (d,)`` their number, and
    ``hashes (d,)`` that of each column at the root.
    """

    orders: Array
    values: Array
    bits: int
    starts: Array
    bases: Array
    rows: Array
    responses: Array
    weights: Array
    codes: Array
    column: Array
    levels: Array
    hashes: Array
    classes: int


class Comparing(NamedTuple):
    """How columns are compared: least rows and weight of a side, draws (0: as the columns need), seed, pairs."""

    least: int
    lightest: float
    draws: int
    seed: int
    pairs: bool


class Space(NamedTuple):
    """Room for the rows of a node in the order of a column, and for the cells of the column."""

    kinds: Array
    cells: Array
    heavy: Array
    sizes: Array
    rows: Array
    weights: Array
    less: Array
    length: Array
    places: Array
    order: Array


@called
def _space(size, level):
    """Return room for nodes of up to some rows."""
    widest = size
    for f in range(len(level.levels)):
        widest = max(widest, level.levels[f])
    rows, cells = np.empty((3, size), np.int64), np.empty((2, widest), np.int64)
    return Space(
        rows[0], rows[1], rows[2], cells[0], cells[1], np.empty((2, widest)), np.zeros((2, widest)), np.empty(widest),
        np.arange(widest), np.empty(2 * widest + 1, np.int64),
    )  # fmt: skip


@called
def _node(level, node, comparing):
    """Return kinds of the rows by index less the first number (classes: by class and weight), and their totals.

    Of classes kinds are in decreasing order of their number of objects.
    """
    # Returned: place (classes x weights,) of each kind, -1 if absent; vectors (T, q), centred; counts (T,) of objects.
    start, stop = level.starts[node], level.starts[node + 1]
    weighted, pairs = len(level.weights) > 0, comparing.pairs
    if len(level.responses):
        base, n = level.bases[node], stop - start
        total = weight = 0.0
        for i in range(n):
            w = level.weights[base + i] if weighted else 1.0
            total += w * level.responses[base + i]
            weight += w
        vectors, counts = np.empty((n, 1)), np.ones(n, np.int64)
        for i in range(n):
            w = level.weights[base + i] if weighted else 1.0
            counts[i] = 1 if pairs else np.int64(w)
            vectors[i, 0] = (level.responses[base + i] - total / weight) * (w if pairs else 1.0)
        return np.empty(0, np.int64), vectors, counts
    # With pairs a kind is a class and a weight, at class * heaviest + weight - 1; else a class.
    k, mask, heaviest = level.classes, (1 << level.bits) - 1, 1
    if weighted and pairs:
        for i in range(start, stop):
            heaviest = max(heaviest, np.int64(level.weights[np.int64(level.orders[0, i] >> level.bits)]))
    number = np.zeros(k * heaviest, np.int64)
    for i in range(start, stop):
        entry = np.int64(level.orders[0, i])
        w = np.int64(level.weights[entry >> level.bits]) if weighted else np.int64(1)
        number[(entry & mask) * heaviest + (w - 1 if pairs else 0)] += 1 if pairs else w
    weight, share = 0.0, np.zeros(k)
    for kind in range(len(number)):
        share[kind // heaviest] += number[kind] * (1 + kind % heaviest)
        weight += number[kind] * (1 + kind % heaviest)
    present = 0
    for c in range(k):
        present += share[c] > 0
    # Insertion by decreasing number of objects, so that the codes of the classes do not enter the key of a structure.
    there, order = 0, np.arange(len(number))
    for i in range(len(number)):
        j = i
        while j > 0 and number[order[j - 1]] < number[i]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
        there += number[i] > 0
    place, vectors, counts = np.full(len(number), -1), np.zeros((there, k)), np.empty(there, np.int64)
    for at in range(there):
        kind = order[at]
        place[kind], counts[at] = at, number[kind]
        for c in range(k):
            own = 1.0 if c == kind // heaviest else 0.0
            vectors[at, c] = (own - share[c] / weight) * (1 + kind % heaviest)
    # The vectors of two classes lie on a line.
    if present == 2:  # one coordinate says all
        return place, np.ascontiguousarray(vectors[:, order[0] // heaviest : order[0] // heaviest + 1]), counts
    return place, vectors, counts


@called(_nrt=False)
def _load(level, node, f, place, pairs, kinds, cells, heavy):
    """Write kind, cell and weight of the rows of a node in the order of a column; count cells and gaps."""
    # kinds, cells and heavy (n,) follow the order of column f, missing values last; cells are numbered as they come.
    start, stop, mask = level.starts[node], level.starts[node + 1], (1 << level.bits) - 1
    of_responses, weighted, c = len(level.responses) > 0, len(level.weights) > 0, level.column[f]
    base = level.bases[node] if of_responses else 0
    cell, before, lost = -1, np.nan, 0
    for i in range(stop - start):
        entry = np.int64(level.orders[f, start + i])
        index = entry >> level.bits
        row = np.int64(level.rows[index]) if of_responses else index
        w = np.int64(level.weights[index]) if weighted else np.int64(1)
        if of_responses:
            kinds[i] = index - base
        elif weighted and pairs:
            kinds[i] = place[(entry & mask) * (len(place) // level.classes) + w - 1]
        else:
            kinds[i] = place[entry & mask]
        heavy[i] = 1 if pairs else w
        if c >= 0:
            cells[i] = level.codes[c, row]
        else:
            value = level.values[f, row]
            if np.isnan(value):
                # The missing values share one cell, opened by the first of them.
                cell, lost = cell + (lost == 0), lost + 1
            elif value != before:
                cell += 1
                before = value
            cells[i] = cell
    return (level.levels[f] if c >= 0 else cell + 1), lost > 0 and cell > 0


@called(_nrt=False)
def _column(level, node, f, place, comparing, vectors, space, sums):
    """Write sizes and sums of the cells of a column of a node; return how many, if there are gaps, if it is dense.

    Levels come in the order of their sizes and responses, whatever their codes, so that equal shares come in one order.
    """
    n, q, subset = level.starts[node + 1] - level.starts[node], vectors.shape[1], level.column[f] >= 0
    v, gaps = _load(level, node, f, place, comparing.pairs, space.kinds, space.cells, space.heavy)
    sizes, rows = space.sizes, space.rows
    sizes[:v] = 0
    rows[:v] = 0
    sums[:, :v] = 0.0
    for i in range(n):
        cell, w = space.cells[i], space.heavy[i]
        sizes[cell] += w
        rows[cell] += 1
        for c in range(q):
            sums[c, cell] += w * vectors[space.kinds[i], c]
    # Cells that hold rows move to the front; those of numbers stay in the order of their values.
    there = 0
    for i in range(v):
        if rows[i] > 0:
            sizes[there] = sizes[i]
            for c in range(q):
                sums[c, there] = sums[c, i]
            there += 1
    # Insertion by size, the largest first, then by sums: two categories with the same table become the same array.
    for i in range(1, there if subset else 1):
        j = i
        while j > 0:
            c, less = 0, sizes[j] > sizes[j - 1]
            if sizes[j] == sizes[j - 1]:
                while c < q - 1 and sums[c, j] == sums[c, j - 1]:
                    c += 1
                less = sums[c, j] < sums[c, j - 1]
            if not less:
                break
            sizes[j], sizes[j - 1] = sizes[j - 1], sizes[j]
            for c in range(q):
                sums[c, j], sums[c, j - 1] = sums[c, j - 1], sums[c, j]
            j -= 1
    return there, gaps, not subset and not gaps and (n - there) * DENSE <= n


@kernel
def column_hashes(level, seed, found):
    """Set ``found (d,)`` to the hash of each column's table at the root: of cells in their order, or of levels in any.

    It depends on neither the order of the rows nor names of levels. Equal responses are one.
    """
    # Node 0 is the root; kinds that have equal responses are alike, and count as one.
    n, comparing = level.starts[1], Comparing(1, 0.0, 0, seed, True)
    place, vectors, _ = _node(level, 0, comparing)
    kinds, cells, heavy = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    alike = np.arange(len(vectors))
    for kind in range(1, len(vectors) if len(level.responses) else 0):
        if vectors[kind, 0] == vectors[kind - 1, 0]:
            alike[kind] = alike[kind - 1]
    for f in range(len(found)):
        v, _ = _load(level, 0, f, place, True, kinds, cells, heavy)
        parts = np.zeros(v, np.uint64)
        for i in range(n):
            # A sum of hashes: the order of the rows of a cell does not matter.
            parts[cells[i]] += mixed(np.uint64(alike[kinds[i]] + 1))
        found[f] = mixed(np.uint64(seed) + SAME)
        for i in range(v):
            if level.column[f] >= 0:
                # Levels have no order, so that their hashes are added; cells of numbers are chained.
                found[f] += mixed(parts[i] + np.uint64(seed))
            else:
                found[f] = mixed((found[f] ^ parts[i]) + SAME)


@called
def _compared(level, node, wanted, comparing, logs, rest, space):
    """Return the column of a node whose best split is the least to be expected, -1 if none has a split that gains."""
    d, size = len(wanted), level.starts[node + 1] - level.starts[node]
    place, vectors, counts = _node(level, node, comparing)
    compared = 0
    for f in range(d):
        compared += wanted[f]
    draws, moments = comparing.draws if comparing.draws else draws_for(compared), label_moments(vectors, counts)
    if not moments.square > 0:
        return -1
    n, q, least = np.int64(moments.n), vectors.shape[1], max(comparing.least, np.int64(np.ceil(comparing.lightest)))
    unit, inverse = n * (n - 1.0) / moments.square, np.zeros(n + 1)
    for m in range(least, n - least + 1):
        inverse[m] = 1.0 / (float(m) * (n - m))
    sums, share = np.empty((q, len(space.sizes))), np.empty(len(space.sizes) + q)
    scores, keys, likely = np.full(d, -1.0), np.zeros(d, np.uint64), np.zeros(d)
    for f in range(d):
        if not wanted[f]:
            continue
        v, gaps, dense = _column(level, node, f, place, comparing, vectors, space, sums)
        subset, a = level.column[f] >= 0, space.sizes[:v]
        if v < 2:
            continue
        # All dense columns share key 0 and one law, that of distinct values: their ties are too few to matter.
        keys[f] = np.uint64(0) if dense else structure_key(a, subset, gaps, least, counts, comparing.seed)
        cuts = 0 if subset else cut_weights(a, gaps, inverse, space.weights)
        if subset:
            scores[f] = best_of_subsets(a, sums, least, space.order, share, inf)[0] * unit
        else:
            lost = 1 if gaps else 0
            scores[f] = (
                best_of_cuts(sums, space.places[:v], space.weights, space.less, lost, space.length, inf)[0] * unit
            )
        likely[f] = _likely(a, subset, cuts, moments, scores[f])
        if len(counts) == 2 and not subset and not gaps:
            likely[f] = inf  # the exact law needs no bar
    # best[:structures] is the best column of each structure; among columns of one law the score alone decides.
    structures, best = 0, np.empty(d, np.int64)
    for f in range(d):
        if scores[f] > TIE:
            at = 0
            while at < structures and keys[best[at]] != keys[f]:
                at += 1
            if at == structures or scores[f] > scores[best[at]]:
                best[at] = f
                structures = max(structures, at + 1)
    if structures == 0:
        return -1
    # The likeliest winner first: a high bar lets the others be given up after few draws.
    for i in range(1, structures):
        j = i
        while j > 0 and likely[best[j - 1]] < likely[best[j]]:
            best[j - 1], best[j] = best[j], best[j - 1]
            j -= 1
    surprises, top = np.zeros(structures), 0.0
    for g in range(structures if structures > 1 else 0):
        f, subset = best[g], level.column[best[g]] >= 0
        v, gaps, dense = _column(level, node, f, place, comparing, vectors, space, sums)
        if dense:  # every row is a cell, whichever column it is
            v = size
            space.sizes[:v] = np.sort(space.heavy[:v])
        a = space.sizes[:v].copy()
        if len(counts) == 2 and (v == 2 or not subset) and not gaps and n <= draws * draws:
            cut_weights(a, False, inverse, space.weights)
            # The sum of a side is that of its objects of the first kind, less their mean, times what parts the kinds.
            slope = space.weights[0] * (unit * (vectors[0, 0] - vectors[1, 0]) ** 2)
            surprises[g] = exact_surprise(a, counts[0], slope, space.less[0], rest, scores[f])
        else:
            key = structure_key(a, subset, gaps, least, counts, comparing.seed)
            surprises[g] = surprise_of(
                a, subset, gaps, least, inverse, vectors, counts, moments, scores[f], draws, key, logs, top
            )
        top = max(top, surprises[g])
    chosen = -1
    for f in range(d):
        if not scores[f] > TIE:
            continue
        at = 0
        while keys[best[at]] != keys[f]:
            at += 1
        high = scores[best[at]]
        ties = scores[f] >= high - TIE * (1 + high) and surprises[at] >= top - TIE * (1 + top)
        if ties and (chosen < 0 or level.hashes[f] < level.hashes[chosen]):
            chosen = f
    return chosen


@called
def _likely(sizes, subset, cuts, moments, score):
    """Return about ``-log p`` of a score, by the smooth tail alone."""
    shape, rate = tail_of(sizes, subset, cuts, moments)
    ratio = 1.0
    if subset:
        # The mean ratio of the best subset to the whole table, about 2/pi of equal levels: no draw is made for a guess.
        root = 0.0
        for a in sizes:
            root += a**0.5
        ratio = min(1.0, 2 / pi * root * root / moments.n / max(len(sizes) - 1.0, 1.0))
    return -log_upper_gamma(shape, rate * score / ratio) if shape > 0 and score > TIE else 0.0


@kernel
def chosen_columns(level, wanted, comparing, logs, rest, found):
    """Set ``found (m,)`` to the column of each node, among those ``wanted (m, d)``; -1 where none gains."""
    largest = 1
    for node in range(len(found)):
        largest = max(largest, level.starts[node + 1] - level.starts[node])
    space = _space(largest, level)
    for node in range(len(found)):
        found[node] = _compared(level, node, wanted[node], comparing, logs, rest, space)
