"""The best scores of one node for permuted labels, and whether its ancestors divide their rows as before, compiled.

The nodes of a path lie side by side in every order (``PathNode``). Labels are permuted inside the first node, so that
of an entry ``index << bits | class`` only the class changes. A column of categories is tabulated and divided for each
permutation, as in a tree.

A permutation costs what a search of the node costs with columns that are sorted already.

Main definitions: ``permuted_node``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, kernel
from splitcrit.trees.growth.class_sources_compiled import divided, node_of_classes
from splitcrit.trees.growth.grow_compiled import best_split
from splitcrit.trees.growth.operations import score
from splitcrit.trees.growth.records import PermutedSource
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


@score.of(PermutedSource)
def _score_permuted(source, node, column, entries, slot, ready, floor, rules):  # type: ignore[no-untyped-def]
    presorted, recoding, bits, space = source.presorted, source.recoding, source.presorted.orders.bits, source.space
    if recoding.levels[column] == 0:
        return score(presorted, node, column, entries, slot, ready, floor, rules)
    here, units = presorted.orders.orders[column, node.start : node.stop], presorted.orders.weights.units
    return divided(
        recoding,
        here,
        column,
        bits,
        bits,
        units,
        presorted.scorer.data,
        space.counts,
        space.constants,
        node.size,
        rules,
        floor,
    )


@called(_nrt=False)
def _alike(source, node, f, place, goes):  # type: ignore[no-untyped-def]
    """Tell whether a division of the rows is that of the tree, with the sides as they are or exchanged."""
    # Up to a place of the order rows of a column of numbers go left, or up to a rank of their categories.
    orders, recoding, same = source.presorted.orders, source.recoding, 0
    order, subset = source.space.spare if goes else orders.orders[f], recoding.levels[f] > 0
    for i in range(node.start, node.stop):
        index = U(order[U(i)] >> orders.bits)
        on_left = (recoding.node.ranks[U(recoding.codes[f, index])] if subset else i) <= place
        same += on_left == node.left[index]
    return same == 0 or same == node.stop - node.start


@kernel(_nrt=False)
def permuted_node(source, node, labels, rules, out):  # type: ignore[no-untyped-def]
    """Set ``out[t]`` to the node's best score if the rows of the first node have ``labels[t]``.

    It is nan where the node divides its rows otherwise than in the tree; the first may divide them as it likes. The
    orders of ``source`` (``PermutedSource``) are overwritten.
    """
    orders, space, key = source.presorted.orders, source.space, np.uint64(0)  # all features are tried: no key matters
    for t in range(len(labels)):
        for f in range(len(orders.orders)):
            _relabel(orders.orders[f], node, orders.bits, labels[t])
        # Whatever the order of the labels, the node has these class counts.
        for k in range(len(node.counts)):
            space.counts[k] = node.counts[k]
        here = node_of_classes(source.presorted, node.start, node.stop, key, node.start)
        pick = best_split(source, here, rules)
        out[t] = (pick.top - here.base) * here.rate
        if node.start > 0:
            f, alike = pick.feature, False
            if f >= 0:
                place, goes = score(source, here, f, 0, pick.slot, pick.ready, pick.floor, rules)
                alike = _alike(source, node, f, np.int64(place), goes)
            if not alike:
                out[t] = np.nan
