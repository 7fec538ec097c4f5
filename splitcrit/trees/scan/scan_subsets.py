"""The division of the categories of one column of one node in two, by whatever scores class counts.

A node is a ``CategoryTable``: class counts and rows by category; the categories it has stand in ``there``, ``p`` of
them, in the order of their codes. Which divisions are tried is decided here and, in numpy, by ``Recoding.by_class``:

- where some best division is proved to be a cut of the order by mean response (``ordered``), the cuts of that order;
- else categories whose samples all have one class are joined, those of each class, where that is proved to lose
  nothing (``joins``);
- then, of up to ``most`` categories, all divisions, in binary order (bit ``i``: the ``i``-th goes left);
- else the cuts of a few orders: by the share of each class that occurs (of two the second alone), then along the first
  principal component of the class proportions. That is a heuristic, the only one.

A cut costs as many steps as there are classes, all divisions of ``p`` categories ``2**(p - 1)`` times that.

Main definitions: ``tabulated``, ``best_division``.
"""

# mypy: disable-error-code="no-untyped-def, assignment"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, inlined
from splitcrit.trees.scan.records import EXACT, LARGER, ORDER, SEVERAL, SQUARINGS
from splitcrit.trees.scan.scan_common import U, clear, code_of, units_of_place
from splitcrit.trees.scan.scan_node import score_of_counts

# What ends the squarings of a covariance.
SETTLED = 1e-14


@called(_nrt=False)
def forget(space):
    """Clear what stands of the categories of the node before: all others have no rows, weights, counts or ranks."""
    # Most nodes hold few samples: clearing all categories would take longer than counting them.
    for i in range(space.there[len(space.table)]):
        j = U(space.there[U(i)])
        space.rows[j] = space.weights[j] = 0
        space.ranks[j] = -1
        clear(space.table[j])


@called(_nrt=False)
def occurring(space):
    """Write the categories that occur first into ``there``, in order, and behind all places how many; return that."""
    p, levels = 0, len(space.table)
    for j in range(levels):
        space.there[U(p)] = j
        p += space.rows[U(j)] > 0
    space.there[U(levels)] = p
    return p


@called(_nrt=False)
def tabulated(node, codes, bits, low, units, space):
    """Count the samples of a node by category and class; return the number of its categories, which stand first.

    Entries are ``row << low | field << bits | class``; for ``field`` see ``units_of_place``.
    """
    table, rows, weights, mask, often = space.table, space.rows, space.weights, (1 << bits) - 1, (1 << low) - 1
    forget(space)
    for i in range(len(node)):
        entry = np.int64(node[U(i)])
        j, weight = code_of(codes, entry >> low), units_of_place(units, (entry & often) >> bits)
        rows[j] += 1
        weights[j] += weight
        table[j, U(entry & mask)] += weight
    return occurring(space)


@called(_nrt=False)
def _joined(space, p):
    """Join the categories whose samples all have one class, class by class; those left stand first: how many.

    The last category of a class takes in the others. Where the table does not join, each is left.
    """
    # Into the last, so that the binary order of what is left is that of all. What has joined another keeps its rows, by
    # which it gets a rank in the end. last (K,) borrows seen. A leader of -1 - c marks a category of class c alone; the
    # second loop replaces it.
    table, there, leader, last, q = space.table, space.there, space.leader, space.seen, 0
    for i in range(p):
        j = U(there[U(i)])
        leader[j] = j
        for c in range(len(last) * space.joins):
            if table[j, U(c)] == space.weights[j]:
                leader[j], last[U(c)] = -1 - c, j
    for i in range(p):
        j, c = U(there[U(i)]), U(-1 - leader[U(there[U(i)])])
        to = U(last[c]) if leader[j] < 0 else j
        leader[j] = to
        if to == j:
            there[U(i)], there[U(q)] = there[U(q)], there[U(i)]
            q += 1
        else:
            space.rows[to] += space.rows[j]
            space.weights[to] += space.weights[j]
            table[to, c] += table[j, c]
    return q


@called(_nrt=False)
def sort_by_key(space, p):
    """Write the categories of a node into ``order`` by their keys; of equal keys the first code comes first."""
    # The place of each is how many come before it. All pairs are compared, without a branch and several at a time: of
    # few categories that is faster than any sort.
    keys = space.keys
    for i in range(p):
        key, place = keys[U(i)], 0
        for k in range(i):
            place += keys[U(k)] <= key
        for k in range(i + 1, p):
            place += keys[U(k)] < key
        space.order[U(place)] = space.there[U(i)]


@called(_nrt=False)
def _shares(space, p, c):
    """Let the key of each category be its share of class ``c``."""
    for i in range(p):
        j = U(space.there[U(i)])
        space.keys[U(i)] = space.table[j, U(c)] / space.weights[j]


@called(_nrt=False)
def principal_axis(spread):
    """The row ``first`` and column of a first principal component, not normalised, whose largest entry is positive.

    ``spread (2K, K)`` holds a covariance, and space. Squared again and again, all its columns become the component;
    that of the class which varies most along it is taken, the first of several.
    """
    k, at, first, other = spread.shape[1], 0, 0, spread.shape[1]
    for _ in range(SQUARINGS):
        whole, square = 0.0, 0.0
        for c in range(k):
            whole += spread[U(first + c), U(c)]
        if whole == 0.0:
            break
        # In shares of the trace, which squares add up to 1 once one eigenvalue is left.
        for c in range(k):
            for d in range(k):
                total = 0.0
                for e in range(k):
                    total += spread[U(first + c), U(e)] * spread[U(first + e), U(d)]
                spread[U(other + c), U(d)] = total / (whole * whole)
            square += spread[U(other + c), U(c)]
        first, other = other, first
        if 1.0 - square <= SETTLED:
            break
    for c in range(1, k):
        at = c if spread[U(first + c), U(c)] > LARGER * spread[U(first + at), U(at)] else at
    return first, at


@called(_nrt=False)
def _principal(space, p, counts):
    """Let the key of each category be its place along the first principal component of the class proportions."""
    # spread (2K + 1, K): the covariance of the proportions, where a category counts by its weight, and space; then how
    # far one category lies from their means.
    table, k, total = space.table, len(counts), counts.sum()
    spread, apart = space.spread[: 2 * k], space.spread[2 * k]
    spread[:] = 0.0
    for i in range(p):
        j = U(space.there[U(i)])
        for c in range(k):
            apart[U(c)] = table[j, U(c)] / space.weights[j] - counts[U(c)] / total
        for c in range(k):
            for d in range(k):
                spread[U(c), U(d)] += space.weights[j] * apart[U(c)] * apart[U(d)]
    first, at = principal_axis(spread)
    for i in range(p):
        j, key = U(space.there[U(i)]), 0.0
        for c in range(k):
            key += (table[j, U(c)] / space.weights[j] - counts[U(c)] / total) * spread[U(first + c), U(at)]
        space.keys[U(i)] = key


@inlined
def _allowed(rows, weight, limits):
    """Whether a side of some rows and weight, and the other one, keep what the limits ask for."""
    return min(rows, limits.rows - rows) >= limits.least and min(weight, limits.weight - weight) >= limits.lightest


@called(_nrt=False)
def _best_cut(space, p, data, counts, constants, limits, floor):
    """The best raw score of a cut of the order (``floor`` is infinite), or the first cut that reaches it, or -1.

    After a cut ``i`` the categories ``order[: i + 1]`` are on the left.
    """
    top, rows, weight, seen = -np.inf, 0, 0, space.seen
    clear(seen)
    for i in range(p - 1):
        j = U(space.order[U(i)])
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
def best_subset(space, p, data, counts, constants, limits, floor):
    """The best raw score of all divisions (``floor`` is infinite), or the first in binary order that reaches it.

    Each division follows from one that differs in one category (a Gray code).
    """
    top, first, last, rows, weight, seen = -np.inf, np.inf, 0, 0, 0, space.seen
    clear(seen)
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
        if _allowed(rows, weight, limits):
            score = score_of_counts(data, seen, counts, constants)
            top = max(top, score)
            first = min(first, subset) if score >= floor else first
    return top if floor == np.inf else first


@called(_nrt=False)
def _in_order(space, p, turn, counts):
    """Sort the categories of a node for a turn of the heuristic, and tell whether there is such an order.

    Turns 0 to K - 1 sort by the share of that class, of two that occur by the second alone; turn K along the principal
    component, which two classes have no need of.
    """
    classes, last = 0, 0
    for c in range(len(counts)):
        if counts[U(c)] > 0:
            classes, last = classes + 1, c
    if turn == len(counts) and classes > 2:
        _principal(space, p, counts)
    elif turn < len(counts) and counts[U(turn)] > 0 and (classes > 2 or turn == last):
        _shares(space, p, turn)
    else:
        return False
    sort_by_key(space, p)
    return True


@called(_nrt=False)
def best_division(space, p, data, counts, constants, limits, floor):
    """The best raw score of the divisions that are tried of a node's ``p`` categories, -inf if none is allowed.

    The node has class ``counts``. With a finite ``floor``, which some division reaches, the categories are ranked by
    the first: ``ranks`` by category (-1: none in the node), of which those up to the number returned go left, and how
    they were tried.
    """
    ranks, ordered, best = space.ranks, space.ordered, -np.inf
    p = p if ordered else _joined(space, p)
    exact = not ordered and p <= space.most
    if exact:
        best = best_subset(space, p, data, counts, constants, limits, floor)
    # With a floor the turns end once a cut reaches it: best is then its place, 0 or more, and order that of its turn.
    for turn in range(0 if exact else len(counts) + 1):
        if (floor == np.inf or best < 0) and _in_order(space, p, turn, counts):
            best = max(best, _best_cut(space, p, data, counts, constants, limits, floor))
    if floor == np.inf:
        return best
    for i in range(p):
        ranks[U(space.there[U(i)] if exact else space.order[U(i)])] = 1 - (int(best) >> i & 1) if exact else i
    for j in range(len(ranks) - 1):
        ranks[U(j)] = -1 if space.rows[U(j)] == 0 else ranks[U(j if ordered else space.leader[U(j)])]
    ranks[len(ranks) - 1] = ORDER if ordered else EXACT if exact else SEVERAL
    return 0.0 if exact else best
