"""The division of the categories of one column of one node in two, by whatever scores class counts.

A node is a ``CategoryTable``: class counts and rows by category; the categories it has stand in ``there``, ``p`` of
them, in the order of their codes. Which divisions are tried is decided here and, in numpy, by ``Recoding.by_class``:

- where some best division is proved to be a cut of the order by mean response (``ordered``), and no limit binds, the
  cuts of that order;
- else, of up to ``most`` categories, all divisions, in binary order (bit ``i``: the ``i``-th goes left);
- else the cuts of a few orders: by the share of each class (of two classes the second alone), then along the first
  principal component of the class proportions. That is a heuristic, the only one.

A cut costs as many steps as there are classes, all divisions of ``p`` categories ``2**(p - 1)`` times that.

Main definitions: ``tabulated``, ``best_division``, ``first_division``.
"""

# mypy: disable-error-code="no-untyped-def, assignment"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, inlined
from splitcrit.trees.scan.scan_common import U, units_of_place
from splitcrit.trees.scan.scan_node import score_of_counts

TURNS, SETTLED = 200, 1e-14  # of the iteration for a principal component: the most, and the change that ends it


@called(_nrt=False)
def occurring(space, levels):
    """Write the categories of a table that occur first into ``there``, in order, and their weights; return how many."""
    p = 0
    for j in range(levels):
        space.there[U(p)], space.weights[U(j)] = j, 0
        p += space.rows[U(j)] > 0
        for c in range(space.table.shape[1]):
            space.weights[U(j)] += space.table[U(j), U(c)]
    return p


@called(_nrt=False)
def tabulated(node, codes, bits, low, units, levels, space):
    """Count the samples of a node by category and class; return the number of its categories, which stand first.

    Entries are those of ``ListedSamples``.
    """
    table, rows, mask, often = space.table, space.rows, (1 << bits) - 1, (1 << low) - 1
    for j in range(levels):
        rows[U(j)] = 0
        for c in range(table.shape[1]):
            table[U(j), U(c)] = 0
    for i in range(len(node)):
        entry = np.int64(node[U(i)])
        j = U(codes[U(entry >> low)])
        rows[j] += 1
        table[j, U(entry & mask)] += units_of_place(units, (entry & often) >> bits)
    return occurring(space, levels)


@called(_nrt=False)
def sort_by_key(space, p):
    """Sort the categories of a node by their keys; of equal keys the first code comes first."""
    # Insertion: a node holds few categories, and an order that was sorted by another key is as good as any.
    there, keys = space.there, space.keys
    for i in range(1, p):
        j, at = there[U(i)], i
        while at > 0:
            other = there[U(at - 1)]
            if keys[U(other)] < keys[U(j)] or (keys[U(other)] == keys[U(j)] and other < j):
                break
            there[U(at)] = other
            at -= 1
        there[U(at)] = j


@called(_nrt=False)
def _shares(space, p, c):
    """Let the key of each category be its share of class ``c``."""
    for i in range(p):
        j = U(space.there[U(i)])
        space.keys[j] = space.table[j, U(c)] / space.weights[j]


@called(_nrt=False)
def principal_axis(covariance, axis):
    """Set ``axis (2, K)`` to a first principal component and to space, by the power iteration; see ``subsets``."""
    # From the column of the largest variance, so that no order of the classes matters; a class that has none is at 0.
    k, at = len(covariance), 0
    for c in range(1, k):
        at = c if covariance[c, c] > covariance[at, at] else at
    for c in range(k):
        axis[0, c] = covariance[c, at]
    for _ in range(TURNS):
        square, change = 0.0, 0.0
        for c in range(k):
            axis[1, c] = 0.0
            for d in range(k):
                axis[1, c] += covariance[c, d] * axis[0, d]
            square += axis[1, c] * axis[1, c]
        if square == 0.0:
            return
        for c in range(k):
            new = axis[1, c] / square**0.5
            change = max(change, abs(new - axis[0, c]))
            axis[0, c] = new
        if change <= SETTLED:
            return


@called(_nrt=False)
def _principal(space, p):
    """Let the key of each category be its place along the first principal component of the class proportions."""
    # spread (K + 3, K): the covariance of the proportions, where a category counts by its weight; axis; centre.
    table, there, keys, k = space.table, space.there, space.keys, space.table.shape[1]
    spread, axis, centre, total = space.spread[:k], space.spread[k : k + 2], space.spread[k + 2], 0.0
    for c in range(k):
        centre[c] = 0.0
        for d in range(k):
            spread[c, d] = 0.0
    for i in range(p):
        total += space.weights[there[i]]
        for c in range(k):
            centre[c] += table[there[i], c]
    for i in range(p):
        j = there[i]
        whole = space.weights[j]
        for c in range(k):
            for d in range(k):
                spread[c, d] += (
                    whole * (table[j, c] / whole - centre[c] / total) * (table[j, d] / whole - centre[d] / total)
                )
    principal_axis(spread, axis)
    largest = 0
    for c in range(1, k):
        largest = c if abs(axis[0, c]) > abs(axis[0, largest]) else largest
    for i in range(p):
        j = there[i]
        keys[j] = 0.0
        for c in range(k):  # the component points to the class with its largest entry
            keys[j] += (table[j, c] / space.weights[j] - centre[c] / total) * axis[0, c] * np.sign(axis[0, largest])


@inlined
def _allowed(rows, weight, limits):
    """Whether a side of some rows and weight, and the other one, keep what the limits ask for."""
    return min(rows, limits.rows - rows) >= limits.least and min(weight, limits.weight - weight) >= limits.lightest


@called(_nrt=False)
def _best_cut(space, p, data, counts, constants, limits, floor):
    """The best raw score of a cut of the order (``floor`` is infinite), or the first cut that reaches it, or -1.

    After a cut ``i`` the categories ``there[: i + 1]`` are on the left.
    """
    top, rows, weight, seen = -np.inf, 0, 0, space.seen
    for c in range(len(seen)):
        seen[U(c)] = 0
    for i in range(p - 1):
        j = U(space.there[U(i)])
        rows += space.rows[j]
        weight += space.weights[j]
        for c in range(len(seen)):
            seen[U(c)] += space.table[j, U(c)]
        if _allowed(rows, weight, limits):
            top = max(top, score_of_counts(data, seen, counts, constants))
            if top >= floor:
                return float(i)
    return top if floor == np.inf else -1.0


@called(_nrt=False)
def best_subset(space, p, data, counts, constants, limits):
    """Write the raw score of every division to ``scores``, by its number; return the best.

    Each division follows from one that differs in one category (a Gray code).
    """
    top, last, rows, weight, seen = -np.inf, 0, 0, 0, space.seen
    for c in range(len(seen)):
        seen[U(c)] = 0
    for turn in range(1, 1 << (p - 1)):
        # The Gray code of turn: bit i is the one category that changes sides, so that a division costs K additions.
        subset, i = turn ^ (turn >> 1), 0
        while not (subset ^ last) >> i & 1:
            i += 1
        j, sign = U(space.there[U(i)]), 1 if subset >> i & 1 else -1
        rows += sign * space.rows[j]
        weight += sign * space.weights[j]
        for c in range(len(seen)):
            seen[U(c)] += sign * space.table[j, U(c)]
        last = subset
        score = score_of_counts(data, seen, counts, constants) if _allowed(rows, weight, limits) else -np.inf
        space.scores[U(subset)] = score
        top = max(top, score)
    return top


@inlined
def _is_ordered(space, limits):
    """Whether cuts of the order by mean response are all that is tried."""
    return space.ordered and limits.least <= 1 and limits.lightest <= 0


@called(_nrt=False)
def _in_order(space, p, turn):
    """Sort the categories of a node for a turn of the heuristic."""
    k = space.table.shape[1]
    if turn == k:
        _principal(space, p)
    else:
        _shares(space, p, 1 if k == 2 else turn)
    sort_by_key(space, p)


@called(_nrt=False)
def best_division(space, p, data, counts, constants, limits):
    """The best raw score of the divisions that are tried of a node's ``p`` categories, -inf if none is allowed.

    The node has class ``counts``.
    """
    if p <= space.most and not _is_ordered(space, limits):
        return best_subset(space, p, data, counts, constants, limits)
    top, k = -np.inf, space.table.shape[1]
    for turn in range(1 if k == 2 else k + 1):
        _in_order(space, p, turn)
        top = max(top, _best_cut(space, p, data, counts, constants, limits, np.inf))
    return top


@called(_nrt=False)
def first_division(space, p, data, counts, constants, limits, floor):
    """Rank the categories by the first division that reaches ``floor``, which ``best_division`` found reachable.

    ``ranks`` gets ranks by category (-1: none in the node), of which those up to the number returned go left.
    """
    for j in range(len(space.ranks)):
        space.ranks[U(j)] = -1
    if p <= space.most and not _is_ordered(space, limits):
        subset = 1
        while not space.scores[U(subset)] >= floor:
            subset += 1
        for i in range(p):
            space.ranks[U(space.there[U(i)])] = 1 - (subset >> i & 1)
        return 0
    turn, cut, k = 0, -1.0, space.table.shape[1]
    while cut < 0 and turn < (1 if k == 2 else k + 1):
        _in_order(space, p, turn)
        cut = _best_cut(space, p, data, counts, constants, limits, floor)
        turn += 1
    for i in range(p):
        space.ranks[U(space.there[U(i)])] = i
    return int(cut)
