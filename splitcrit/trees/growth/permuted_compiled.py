"""The best scores of one node for permuted labels, and whether its ancestors divide their rows as before, compiled.

The nodes of a path lie side by side in every order (``PathNode``). Labels are permuted inside the first node, so that
of an entry ``index << bits | class`` only the class changes. A column with missing values stands twice, with these
above and then below all others, so that a scan of numbers tries both sides for them. A column of categories is sorted
for each permutation by the ranks of its categories, in time linear in the rows.

A permutation costs what a search of the node costs with columns that are sorted already.

Main definitions: ``permuted_node``, ``permuted_tables``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, kernel
from splitcrit.trees.growth.class_sources_compiled import node_of_classes
from splitcrit.trees.growth.grow_compiled import best_split
from splitcrit.trees.growth.operations import score
from splitcrit.trees.scan.scan_common import U


@called(_nrt=False)
def _relabelled(entry, bits, place, labels):  # type: ignore[no-untyped-def]
    """Return an entry with the class that its row has among the labels, if it lies in the first node."""
    index = np.int64(entry >> bits)
    row = place[U(index)]
    return (index << bits) | labels[U(row)] if row >= 0 else np.int64(entry)


@called(_nrt=False)
def _relabel(order, node, bits, labels):  # type: ignore[no-untyped-def]
    """Replace the classes of the entries whose rows lie in the first node."""
    for i in range(node.start, node.stop):
        order[U(i)] = _relabelled(order[U(i)], bits, node.place, labels)


@called(_nrt=False)
def _sort_by_rank(orders, f, categories, node, labels, ranks):  # type: ignore[no-untyped-def]
    """Write a column of categories with these labels in the order of the ranks, which become its values."""
    # first (J + 1,): counts by rank, then the place of the next entry; before has categories in the order of the rows.
    c, first, bits = categories.column[f], categories.first, orders.bits
    before, codes, order, column = categories.orders[c], categories.codes[c], orders.orders[f], orders.columns[f]
    for rank in range(len(first)):
        first[U(rank)] = 0
    first[0] = node.start
    for i in range(node.start, node.stop):
        index = U(before[U(i)] >> bits)
        rank = ranks[U(codes[index])]
        column[index] = rank
        first[U(rank + 1)] += 1
    for rank in range(1, len(first)):
        first[U(rank)] += first[U(rank - 1)]
    for i in range(node.start, node.stop):
        entry = before[U(i)]
        rank = ranks[U(codes[U(entry >> bits)])]
        order[U(first[U(rank)])] = _relabelled(entry, bits, node.place, labels)
        first[U(rank)] += 1


@called(_nrt=False)
def _alike(order, node, place, bits):  # type: ignore[no-untyped-def]
    """Tell whether the rows up to a place of an order are all those of one side in the tree."""
    # The first entry goes left here; whichever side it has in the tree, the others must agree with it.
    side, wrong = node.left[U(order[U(node.start)] >> bits)], 0
    for i in range(node.start, node.stop):
        wrong += (node.left[U(order[U(i)] >> bits)] == side) != (i <= place)
    return wrong == 0


@kernel(_nrt=False)
def permuted_node(source, categories, node, labels, ranks, rules, out):  # type: ignore[no-untyped-def]
    """Set ``out[t]`` to the node's best score if the rows of the first node have ``labels[t]``.

    It is nan where the node divides its rows otherwise than in the tree; the first may divide them as it likes. The
    orders of ``source`` (``PresortedSource``) are overwritten; ``ranks (F, m, J)`` are those of the categories for each
    of the labels.
    """
    orders, space, key = source.orders, source.space, np.uint64(0)  # all features are tried, so that no key matters
    for t in range(len(labels)):
        for f in range(len(orders.orders)):
            if categories.column[f] < 0:
                _relabel(orders.orders[f], node, orders.bits, labels[t])
            else:
                _sort_by_rank(orders, f, categories, node, labels[t], ranks[categories.column[f], t])
        # Whatever the order of the labels, the node has these class counts.
        for k in range(len(node.counts)):
            space.counts[k] = node.counts[k]
        here = node_of_classes(source, node.start, node.stop, key, node.start)
        pick = best_split(source, here, rules)
        out[t] = (pick.top - here.base) * here.rate
        if node.start > 0:
            f, alike = pick.feature, False
            if f >= 0:
                place, goes = score(source, here, f, 0, pick.slot, pick.ready, pick.floor, rules)
                order = space.spare if goes else orders.orders[f]
                alike = _alike(order, node, np.int64(place), orders.bits)
            if not alike:
                out[t] = np.nan


@kernel(_nrt=False)
def permuted_tables(categories, node, labels, bits, tables):  # type: ignore[no-untyped-def]
    """Add to ``tables (F, m, J, K)`` the class counts of each category in the node for each of the labels."""
    mask = (1 << bits) - 1
    for c in range(len(categories.orders)):
        order, codes = categories.orders[c], categories.codes[c]
        for t in range(len(labels)):
            for i in range(node.start, node.stop):
                entry = _relabelled(order[U(i)], bits, node.place, labels[t])
                tables[c, t, codes[U(entry >> bits)], entry & mask] += 1
