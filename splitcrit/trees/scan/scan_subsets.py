"""The best way to part the categories of one column of one node, for criteria that sum a function of class counts.

A node is a table of class counts by category. The categories it has stand in ``there``, ``p`` of them; a way to part
them is a cut of their order by the share of the second class, or a subset (bit ``i``: the ``i``-th goes left).

A cut costs as many steps as there are classes; all subsets of ``p`` categories cost ``2**(p - 1)`` times that.

Main definitions: ``tabulated``, ``by_response``, ``best_cut``, ``best_subset``, ``subset_ranks``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import kernel
from splitcrit.trees.scan.scan_common import U, units_of_place
from splitcrit.trees.scan.scan_node import numbers_of_counts, score_of_counts


@kernel(_nrt=False)
def occurring(table, there):  # type: ignore[no-untyped-def]
    """Write the categories of a table ``(J, K)`` that occur, first into ``there (J,)``; return their number."""
    p = 0
    for j in range(len(table)):
        some = False
        for c in range(table.shape[1]):
            some |= table[U(j), U(c)] > 0
        there[U(p)] = j
        p += some
    return p


@kernel(_nrt=False)
def tabulated(node, codes, bits, low, units, table, there):  # type: ignore[no-untyped-def]
    """Count the samples of a node by category and class; return the number of its categories, which stand first.

    Entries are those of ``ListedSamples``.
    """
    mask, often = (1 << bits) - 1, (1 << low) - 1
    for j in range(len(table)):
        for c in range(table.shape[1]):
            table[U(j), U(c)] = 0
    for i in range(len(node)):
        entry = np.int64(node[U(i)])
        table[U(codes[U(entry >> low)]), U(entry & mask)] += units_of_place(units, (entry & often) >> bits)
    return occurring(table, there)


@kernel(_nrt=False)
def by_response(table, there, p):  # type: ignore[no-untyped-def]
    """Sort categories by the share of the second of two classes; those of equal share stay in order."""
    # Insertion by share: for two classes and a concave impurity the best subset is a prefix of this order.
    for i in range(1, p):
        j, at = there[U(i)], i
        share = table[U(j), U(1)] / (table[U(j), U(0)] + table[U(j), U(1)])
        while at > 0:
            other = there[U(at - 1)]
            if table[U(other), U(1)] / (table[U(other), U(0)] + table[U(other), U(1)]) <= share:
                break
            there[U(at)] = other
            at -= 1
        there[U(at)] = j


@kernel(_nrt=False)
def best_cut(table, there, p, data, seen, counts, constants, floor):  # type: ignore[no-untyped-def]
    """Return the best raw score of a cut of the order (``floor`` is infinite), or the first cut that reaches it."""
    top = -np.inf
    for c in range(len(seen)):
        seen[U(c)] = 0
    for i in range(p - 1):
        for c in range(len(seen)):
            seen[U(c)] += table[U(there[U(i)]), U(c)]
        top = max(top, score_of_counts(data, seen, counts, constants))
        if top >= floor:
            return float(i)
    return top


@kernel(_nrt=False)
def best_subset(table, there, p, data, seen, counts, constants, width, least, scores):  # type: ignore[no-untyped-def]
    """Return the first subset, in binary order, whose raw score is within ``width`` of the best, and its score.

    The last category goes right, and each side has ``least`` samples or more; 0 stands for no subset. Each subset
    follows from one that differs in one category (a Gray code).
    """
    top, held, last, m, size = -np.inf, 0, 1 << (p - 1), 0, 0
    for c in range(len(seen)):
        seen[U(c)] = 0
        size += counts[U(c)]
    for turn in range(1, last):
        # The Gray code of turn: bit i is the one category that changes sides, so that a subset costs K additions.
        subset, i = turn ^ (turn >> 1), 0
        while not (subset ^ held) >> i & 1:
            i += 1
        sign = 1 if subset >> i & 1 else -1
        for c in range(len(seen)):
            here = sign * table[U(there[U(i)]), U(c)]
            seen[U(c)] += here
            m += here
        held = subset
        scores[U(subset)] = (
            score_of_counts(data, seen, counts, constants) if m >= least and size - m >= least else -np.inf
        )
        top = max(top, scores[U(subset)])
    for subset in range(1, last):
        if scores[U(subset)] >= top - width and scores[U(subset)] > -np.inf:
            return subset, scores[U(subset)]
    return 0, -np.inf


@kernel(_nrt=False)
def subset_ranks(tables, data, counts, seen, least, most, there, scores, constants, ranks, done):  # type: ignore[no-untyped-def]
    """Rank categories by the best subset: 0 on its left, 1 on its right, and 0 for all without one.

    ``tables (m, J, K)`` are class counts of a node under ``m`` orders of its labels, ``counts`` its class counts. Those
    with more than ``most`` categories are left out, as ``done (m,)`` tells. The rest is space: for class counts of a
    side, categories ``(J,)``, scores of subsets and constants.
    """
    _, _, _, rate, width = numbers_of_counts(data, counts, constants)
    for t in range(len(tables)):
        table = tables[t]
        p = occurring(table, there)
        for j in range(len(table)):
            ranks[t, j] = 0
        done[t] = p <= most
        if 1 < p <= most:
            subset, _ = best_subset(table, there, p, data, seen, counts, constants, width / rate, least, scores)
            for i in range(p if subset else 0):
                ranks[t, there[i]] = 1 - (subset >> i & 1)
