"""The column by which a node is split, where columns are compared by ``-log p`` of their best split.

Rows of a node become objects of a *kind*: its class, or its response by place in their order; ``vectors`` holds the
centred response of each kind. A row of weight w is w objects or, of ``pairs`` (bootstrap samples), one object with w
times its response. In a column it lies in a *cell*: its value by rank, the missing values last, or its level. Where
rows lie is told by the type of ``rows``, a source of the compiled loop: ``objects``, ``loaded`` and ``entries_of`` are
all that asks.

A column costs one pass over its rows; its score is the largest one of its cuts or of the subsets of its levels. Columns
of one structure are compared by that score alone, and only the best of each structure is given a p-value: by paths for
two classes and numbers, by random orders elsewhere, which end once the column is known to lose. Columns of numbers
whose values are nearly all distinct count as one structure. Among equals the column of the least hash is chosen, that
of its table at the root, keyed by the seed, so that neither the order of the rows nor that of the columns nor names of
levels change a tree.

Main definitions: ``least_expected``, ``hash_columns``; ``objects`` and ``loaded``.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc, assignment"
from __future__ import annotations

from math import inf, pi

import numpy as np

from splitcrit.compiling import by_type, called
from splitcrit.nulls.best_split_compiled import (
    best_of_cuts,
    best_of_subsets,
    cut_weights,
    draws_for,
    exact_surprise,
    label_moments,
    log_upper_gamma,
    mixed,
    sort_by_share,
    structure_key,
    surprise_of,
    tail_of,
)
from splitcrit.nulls.monte_carlo import TIE
from splitcrit.trees.growth.class_sources_compiled import sorted_keys
from splitcrit.trees.growth.listed_sources_compiled import next_column
from splitcrit.trees.growth.operations import entries_of, next_by
from splitcrit.trees.growth.records import ColumnComparison, ListedResponsesSource, ListedSource
from splitcrit.trees.growth.response_sources_compiled import sort_numbers
from splitcrit.trees.scan.scan_common import units_of_place

DENSE = 50  # a column counts as dense if at most one row in 50 shares its value with the one before
SAME = np.uint64(0x9E3779B97F4A7C15)


@by_type
def objects(rows, node, pairs):
    """What the objects of a node are: ``place``, ``vectors (T, q)``, centred, and ``counts (T,)`` of objects.

    ``place`` is where a class and a weight, or a response of the node, have their kind, and then comes how many rows
    there are. No sign of the responses and no code of a class changes the kinds.
    """


@by_type
def loaded(rows, node, f, place, pairs, comparison):
    """Write kind, cell and weight of the rows of a node in the order of column ``f``.

    The number of cells is returned, and whether the last one holds missing values. Cells of numbers are numbered
    as they come, those of levels by code.
    """


@objects.of(ListedResponsesSource, allocates=True)
def _objects_of_responses(rows, node, pairs):
    # y, w and apart are by place in the order of the responses; the kinds of rows that weigh come in that of w times y.
    samples, n, last = rows.listed.samples, node.stop - node.start, -1
    alone, y = pairs and len(samples.weights) > 0, samples.responses[node.start : node.stop]
    w = samples.weights[node.start : node.stop] if len(samples.weights) > 0 else np.ones(n)
    apart = y - sum(w * y) / sum(w)
    if pairs:
        apart *= w
    order = np.argsort(apart) if alone else np.arange(n)
    place, vectors, counts = np.empty(n, np.int64), np.empty((n, 1)), np.zeros(n, np.int64)
    for i in range(n):
        at = order[i]
        if alone or i == 0 or y[at] != y[at - 1]:
            last += 1
            vectors[last, 0] = apart[at]
        place[at] = last
        counts[last] += 1 if pairs else np.int64(w[at])
    vectors, counts = vectors[: last + 1], counts[: last + 1]
    # Draws are made for the smaller of the forms of y and -y: of the first ends that differ the further one is below.
    span, skew, i = vectors[last, 0] - vectors[0, 0], 0.0, 0
    while i < last - i and abs(skew) <= 1e-12 * span:
        skew = vectors[i, 0] + vectors[last - i, 0]
        if abs(skew) <= 1e-12 * span:
            skew = span * (counts[i] - counts[last - i])
        i += 1
    if skew > 1e-12 * span:
        return last - place, -vectors[::-1], counts[::-1].copy(), n
    return place, vectors, counts, n


@loaded.of(ListedResponsesSource)
def _loaded_responses(rows, node, f, place, pairs, comparison):
    listed, space, levels, base = rows.listed, comparison.space, comparison.levels[f], node.start
    weights, order, n = listed.samples.weights, listed.orders[0], node.stop - node.start
    differ, cell, row = levels == 0 and sort_numbers(listed, f, base, node.stop, order), -1, np.int64(0)
    for i in range(n):
        number = np.int64(order[i]) >> 1 if differ else base + i
        row = np.int64(listed.samples.rows[number])
        space.kinds[i] = place[number - base]
        space.heavy[i] = np.int64(weights[number]) if len(weights) > 0 and not pairs else np.int64(1)
        cell += i == 0 or (differ and order[i] & 1 == 0)
        space.cells[i] = np.int64(listed.columns[f, row]) if levels > 0 else cell
    gaps = levels == 0 and cell > 0 and listed.ranks[f, row] == listed.lost[f]
    return (levels if levels > 0 else cell + 1), gaps


@objects.of(ListedSource, allocates=True)
def _objects_of_classes(rows, node, pairs):
    # With pairs a kind is a class and a weight, at class * heaviest + weight - 1; else a class.
    here, k = rows.sorting.entries[node.start : node.stop], len(rows.space.counts)
    bits, low, units, heaviest = rows.orders.bits, rows.sorting.low, rows.sorting.units, 1
    classes, often = (1 << bits) - 1, (1 << low) - 1
    if pairs:
        for i in range(len(here)):
            heaviest = max(heaviest, units_of_place(units, (np.int64(here[i]) & often) >> bits))
    number = np.zeros(k * heaviest, np.int64)
    for i in range(len(here)):
        entry = np.int64(here[i])
        w = units_of_place(units, (entry & often) >> bits)
        number[(entry & classes) * heaviest + (w - 1 if pairs else 0)] += 1 if pairs else w
    share = np.zeros(k)
    for kind in range(len(number)):
        share[kind // heaviest] += number[kind] * (1 + kind % heaviest)
    weight, present = sum(share), sum(share > 0)
    # Insertion by decreasing number of objects, so that the codes of the classes do not enter the key of a structure,
    # nor draws: of equal numbers those of less weight come first, then those of the rarer class.
    there, order = 0, np.arange(len(number))
    for i in range(len(number)):
        j, key = i, (-number[i], i % heaviest, share[i // heaviest])
        while j > 0 and (-number[order[j - 1]], order[j - 1] % heaviest, share[order[j - 1] // heaviest]) > key:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
        there += number[i] > 0
    # The vectors of two classes lie on a line: one coordinate says all.
    first, q = (order[0] // heaviest, 1) if present == 2 else (0, k)
    place, vectors, counts = np.empty(len(number), np.int64), np.empty((there, q)), np.empty(there, np.int64)
    for at in range(there):
        kind = order[at]
        place[kind], counts[at] = at, number[kind]
        for c in range(q):
            own = 1.0 if first + c == kind // heaviest else 0.0
            vectors[at, c] = (own - share[first + c] / weight) * (1 + kind % heaviest)
    return place, vectors, counts, len(here)


@loaded.of(ListedSource)
def _loaded_classes(rows, node, f, place, pairs, comparison):
    space, levels = comparison.space, comparison.levels[f]
    # keys are entries, above them the rank in place of the index; they stay sorted in the first slot.
    sorting, bits = rows.sorting, rows.orders.bits
    here, keys, low, units = sorting.entries[node.start : node.stop], sorting.keys[0], sorting.low, sorting.units
    classes, often, heaviest = (1 << bits) - 1, (1 << low) - 1, len(place) // len(rows.space.counts)
    if levels == 0:
        sorted_keys(sorting, here, f, keys)
    cell, before = -1, np.int64(-1)
    for i in range(len(here)):
        entry = np.int64(here[i] if levels > 0 else keys[i])
        w = units_of_place(units, (entry & often) >> bits)
        space.kinds[i] = place[(entry & classes) * heaviest + (w - 1 if pairs else 0)]
        space.heavy[i] = 1 if pairs else w
        cell += entry >> low != before
        before = entry >> low
        space.cells[i] = np.int64(sorting.columns[f, before]) if levels > 0 else cell
    return (levels if levels > 0 else cell + 1), levels == 0 and cell > 0 and before == sorting.lost[f]


@called(_nrt=False)
def varies(source, node, f):
    """Whether a node holds two values or categories of a column."""
    here, low, _, columns = entries_of(source, node)
    first = columns[f, np.int64(here[0]) >> low]
    for entry in here:
        value = columns[f, np.int64(entry) >> low]
        if value != first:
            return True
    return False


@called(_nrt=False)
def _swapped(sizes, sums, q, i, j):
    """Let two cells change places, with their sizes and sums."""
    sizes[i], sizes[j] = sizes[j], sizes[i]
    for c in range(q):
        sums[c, i], sums[c, j] = sums[c, j], sums[c, i]


@called(_nrt=False)
def _column(rows, node, f, place, pairs, n, vectors, comparison, sums):
    """Write sizes and sums of a column's cells; return their number, if one is of missing values, if it is ``DENSE``.

    Levels come in the order of their sizes, whatever their codes.
    """
    q, subset, space = vectors.shape[1], comparison.levels[f] > 0, comparison.space
    v, gaps = loaded(rows, node, f, place, pairs, comparison)
    sizes = space.sizes
    sizes[:v] = 0
    sums[:, :v] = 0.0
    for i in range(n):
        cell, w = space.cells[i], space.heavy[i]
        sizes[cell] += w
        for c in range(q):
            sums[c, cell] += w * vectors[space.kinds[i], c]
    # Cells that hold rows move to the front; those of numbers stay in the order of their values.
    there = 0
    for i in range(v):
        if sizes[i] > 0:
            sizes[there] = sizes[i]
            for c in range(q):
                sums[c, there] = sums[c, i]
            there += 1
    # Values come in the smaller of their orders by size, for which draws are made.
    known, i = 0 if subset else there - gaps, 0
    while i < known // 2 and sizes[i] == sizes[known - 1 - i]:
        i += 1
    for j in range(known // 2 if i < known // 2 and sizes[known - 1 - i] < sizes[i] else 0):
        _swapped(sizes, sums, q, j, known - 1 - j)
    # Insertion by size, the largest first: draws are made for levels in this order.
    for i in range(1, there if subset else 1):
        j = i
        while j > 0 and sizes[j] > sizes[j - 1]:
            _swapped(sizes, sums, q, j - 1, j)
            j -= 1
    return there, gaps, not subset and not gaps and (n - there) * DENSE <= n


@called
def hash_columns(rows, root, comparison):
    """Set the hash of each column's table at the root: of cells in their order, or of levels in any.

    It depends on neither the order of the rows nor names of levels and classes, nor signs of columns and responses.
    """
    seed, levels, hashes, space = np.uint64(comparison.seed), comparison.levels, comparison.hashes, comparison.space
    place, vectors, _, n = objects(rows, root, False)
    kinds, q = vectors.shape
    for f in range(len(hashes)):
        v, gaps = loaded(rows, root, f, place, False, comparison)
        parts, known = np.empty(v, np.uint64), 0 if levels[f] > 0 else v - gaps
        hashes[f] = 0
        # Responses and two classes are seen in both their orders, and of more classes each against the others.
        for turn in range(2 if q == 1 else kinds):
            parts[:] = 0
            for i in range(n):
                seen = abs(space.kinds[i] - turn * (kinds - 1)) if q == 1 else np.int64(space.kinds[i] == turn)
                # A sum of hashes: the order of the rows of a cell does not matter.
                parts[space.cells[i]] += np.uint64(space.heavy[i]) * mixed(np.uint64(seen + 1))
            up, down, others = seed + SAME, seed + SAME, np.uint64(0)
            for i in range(v):
                if i < known:  # cells of numbers are chained from either end; levels have no order
                    up = mixed((up ^ parts[i]) + SAME)
                    down = mixed((down ^ parts[known - 1 - i]) + SAME)
                else:
                    others += mixed(parts[i] + seed)
            hashes[f] += mixed(up + down + others)


@called
def least_expected(rows, node, wanted, comparison):
    """The column of a node whose best split is the least to be expected, -1 if none has a split that gains."""
    d, space, pairs, logs, rest = len(wanted), comparison.space, comparison.pairs, comparison.logs, comparison.rest
    levels = comparison.levels
    place, vectors, counts, size = objects(rows, node, pairs)
    draws = comparison.draws or draws_for(sum(wanted))
    moments = label_moments(vectors, counts)
    if not moments.square > 0:
        return -1
    n, q, seed = np.int64(moments.n), vectors.shape[1], comparison.seed
    least = max(comparison.least, np.int64(np.ceil(comparison.lightest)))
    unit, inverse = n * (n - 1.0) / moments.square, np.zeros(n + 1)
    for m in range(least, n - least + 1):
        inverse[m] = 1.0 / (float(m) * (n - m))
    sums, share = np.empty((q, len(space.sizes))), np.empty(len(space.sizes) + q)
    scores, keys, likely = np.full(d, -1.0), np.zeros(d, np.uint64), np.zeros(d)
    for f in range(d):
        if not wanted[f]:
            continue
        v, gaps, dense = _column(rows, node, f, place, pairs, size, vectors, comparison, sums)
        subset, a = levels[f] > 0, space.sizes[:v]
        if v < 2:
            continue
        # All dense columns share key 0 and one law, that of distinct values: their ties are too few to matter.
        keys[f] = np.uint64(0) if dense else structure_key(a, subset, gaps, least, counts, seed)
        cuts = 0 if subset else cut_weights(a, gaps, inverse, space.weights)
        if subset:
            scores[f] = best_of_subsets(a, sums, least, space.order, share, inf)[0] * unit
        else:
            places, lost = space.places[:v], 1 if gaps else 0
            scores[f] = best_of_cuts(sums, places, space.weights, space.less, lost, space.length, inf)[0] * unit
        likely[f] = _likely(a, subset, cuts, moments, scores[f])
        if len(counts) == 2 and not subset and not gaps:
            likely[f] = inf  # the exact law needs no bar
    # best[:structures] is the best column of each structure; among columns of one law the score alone decides.
    structures, best = 0, np.empty(d, np.int64)
    for f in range(d):
        at = 0
        while at < structures and keys[best[at]] != keys[f]:
            at += 1
        if scores[f] > TIE and (at == structures or scores[f] > scores[best[at]]):
            best[at] = f
            structures = max(structures, at + 1)
    # The likeliest winner first: a high bar lets the others be given up after few draws.
    for i in range(1, structures):
        f, j = best[i], i
        while j > 0 and likely[best[j - 1]] < likely[f]:
            best[j] = best[j - 1]
            j -= 1
        best[j] = f
    surprises, top = np.zeros(structures), 0.0
    for g in range(structures if structures > 1 else 0):
        f, subset = best[g], levels[best[g]] > 0
        v, gaps, dense = _column(rows, node, f, place, pairs, size, vectors, comparison, sums)
        if dense:  # every row is a cell, whichever column it is
            v = size
            for i in range(v):
                share[i] = space.heavy[i]
            sort_by_share(share[:v], space.order, space.order[v:])
            for i in range(v):
                space.sizes[i] = space.heavy[space.order[i]]
        a = space.sizes[:v].copy()
        if len(counts) == 2 and (v == 2 or not subset) and not gaps and n <= draws * draws:
            cut_weights(a, False, inverse, space.weights)
            # The sum of a side is that of its objects of the first kind, less their mean, times what parts the kinds.
            slope = space.weights[0] * (unit * (vectors[0, 0] - vectors[1, 0]) ** 2)
            surprises[g] = exact_surprise(a, counts[0], slope, space.less[0], rest, scores[f])
        else:
            key = structure_key(a, subset, gaps, least, counts, seed)
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
        if ties and (chosen < 0 or comparison.hashes[f] < comparison.hashes[chosen]):
            chosen = f
    return chosen


@called
def _likely(sizes, subset, cuts, moments, score):
    """About ``-log p`` of a score, by the smooth tail alone."""
    shape, rate = tail_of(sizes, subset, cuts, moments)
    ratio = 1.0
    if subset:
        # The mean ratio of the best subset to the whole table, about 2/pi of equal levels: no draw is made for a guess.
        ratio = min(1.0, 2 / pi * sum(np.sqrt(sizes)) ** 2 / moments.n / max(len(sizes) - 1.0, 1.0))
    return -log_upper_gamma(shape, rate * score / ratio) if shape > 0 and score > TIE else 0.0


@next_by.of(ColumnComparison, allocates=True)
def _next_least_expected(comparison, source, node, tried, drawn, enough, varied, rules):
    # One column is tried, that of all that are drawn whose best split is the least to be expected.
    if tried > 0:
        return -1, 0, drawn, enough
    if node.stop - node.start == len(comparison.space.kinds):  # the root
        hash_columns(source, node, comparison)
    wanted = comparison.wanted
    wanted[:] = rules.features == 0
    while rules.features > 0:
        column, drawn = next_column(source.space.places, node.key, drawn, varied, rules)
        if column < 0:
            break
        wanted[column] = True
        varied += varies(source, node, column)
    return least_expected(source, node, wanted, comparison), 0, drawn, enough
