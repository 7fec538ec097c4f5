"""The best scores of one node for permuted responses, and whether its ancestors divide their rows as before, compiled.

It is ``permuted_compiled`` for responses that are numbers. The copies of a path are called by their numbers, which are
places in the order of the responses where that is needed (absolute error): then each permutation gives them anew.

Main definitions: ``permuted_responses``; ``permuted_sums``, ``permuted_deviations`` (ranks of categories).
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, kernel
from splitcrit.trees.scan.records import ABSOLUTE
from splitcrit.trees.scan.scan_common import U
from splitcrit.trees.scan.scan_squared import best
from splitcrit.trees.scan.ties_and_scores import TIE


@called(error_model="python")
def _set_responses(samples, node, responses, labels, number, ordered):  # type: ignore[no-untyped-def]
    """Give the copies of a node their responses, those of the first node's rows being labels, and perhaps numbers."""
    for copy in range(node.start, node.stop):
        row = node.place[U(copy)]
        samples.responses[number[U(copy)]] = labels[U(row)] if row >= 0 else responses[U(copy)]
    if ordered:
        # Absolute error wants responses sorted: number[copy] is then the place of a copy among them. Stable, as
        # elsewhere.
        here = samples.responses[number[node.start : node.stop]]
        for i, turn in enumerate(np.argsort(here, kind="mergesort")):
            samples.responses[node.start + i] = here[turn]
            samples.rows[node.start + i] = node.start + turn
            number[node.start + turn] = node.start + i


@called(_nrt=False)
def _sort_by_rank(order, node, before, codes, ranks, first, number):  # type: ignore[no-untyped-def]
    """Write a column of categories in the order of their ranks; all entries of a rank but its first are marked."""
    for rank in range(len(first)):
        first[U(rank)] = 0
    for i in range(node.start, node.stop):
        # first (J + 1,): counts by rank, then the place of the next entry of each rank.
        first[U(ranks[U(codes[U(before[U(i)] >> 1)])] + 1)] += 1
    first[0] = node.start
    for rank in range(1, len(first)):
        first[U(rank)] += first[U(rank - 1)]
    for i in range(node.start, node.stop):
        copy = U(before[U(i)] >> 1)
        place = U(ranks[U(codes[copy])])
        order[U(first[place])] = (number[copy] << 1) | 1
        first[place] += 1
    begin = node.start
    for rank in range(len(first) - 1):
        if first[U(rank)] > begin:
            # The first entry of a rank is no repetition of the one before.
            order[U(begin)] ^= 1
        begin = first[U(rank)]


@kernel(error_model="python")
def permuted_responses(  # type: ignore[no-untyped-def]
    front,
    samples,
    described,
    tried,
    rule,
    orders,
    responses,
    number,
    side,
    categories,
    node,
    labels,
    ranks,
    chosen,
    out,
):
    """Set ``out[t]`` to the node's best score if the rows of the first node have the responses ``labels[t]``.

    It is nan where the node divides its rows otherwise than in the tree; the first may divide them as it likes.
    ``front`` (``Ordered``) is the node alone, whose orders and ``samples`` are overwritten. ``orders`` are these as
    ``copy << 1 | same``; of the copies there are responses, numbers and space for their sides. ``ranks (F, m, J)`` are
    those of the categories for each of the labels.
    """
    for t in range(len(labels)):
        _set_responses(samples, node, responses, labels[t], number, rule.error == ABSOLUTE)
        for f in range(len(orders)):
            order, before, c = front.orders[f], orders[f], categories.column[f]
            if c >= 0:
                _sort_by_rank(order, node, before, categories.codes[c], ranks[c, t], categories.first, number)
            else:
                for i in range(node.start, node.stop):
                    order[U(i)] = (number[U(before[U(i)] >> 1)] << 1) | (before[U(i)] & 1)
        best(front, samples, described, tried, rule, side, chosen)
        same = 0
        for copy in range(node.start, node.stop):
            # Copies on the side that they have in the tree: all of them, or none, for the sides may change names.
            same += (side[number[U(copy)]] > 0) == node.left[U(copy)]
        alike = chosen.feature[0] >= 0 and (same == 0 or same == node.stop - node.start)
        out[t] = chosen.score[0] if node.start == 0 or alike else np.nan


@kernel(_nrt=False)
def permuted_sums(categories, node, responses, value, labels, tables):  # type: ignore[no-untyped-def]
    """Add to ``tables (F, m, J, 3)`` the size of each category, its responses less ``value``, and those above 0."""
    for c in range(len(categories.orders)):
        order, codes = categories.orders[c], categories.codes[c]
        for t in range(len(labels)):
            for i in range(node.start, node.stop):
                copy = U(order[U(i)] >> 1)
                # place is -1 of a copy whose row is not in the first node: its response is not permuted.
                row, table = node.place[copy], tables[c, t, codes[copy]]
                y = labels[t, U(row)] if row >= 0 else responses[copy]
                table[0] += 1.0
                table[1] += y - value
                table[2] += y > 0


@called(_nrt=False)
def _deviations(subset, local, responses, sizes):  # type: ignore[no-untyped-def]
    """Return the sums of deviations about medians on both sides of a subset, given sorted responses.

    Those of the lower half of a side count less, those of the upper half more, and one in the middle not at all.
    """
    # local (m,) is the category of each copy, in the order of responses; subset has a bit for each that goes left.
    left, right, on_left, on_right = 0, 0, 0, 0
    for i in range(len(sizes)):
        on_left += sizes[U(i)] if subset >> i & 1 else 0
        on_right += 0 if subset >> i & 1 else sizes[U(i)]
    found = 0.0
    for i in range(len(local)):
        goes = subset >> local[U(i)] & 1
        left += goes
        right += 1 - goes
        before, size = (left, on_left) if goes else (right, on_right)
        # Below the middle of its side a response counts -1, above it +1: no median is looked for.
        middle = 2 * before - size - 1
        found += responses[U(i)] if middle > 0 else -responses[U(i)] if middle < 0 else 0.0
    return found, on_left, on_right


@kernel
def permuted_deviations(categories, node, responses, labels, least, most, local, scores, tables, ranks):  # type: ignore[no-untyped-def]
    """Rank categories by the subset of least absolute deviation: 0 on its left, 1 on its right, 0 for all without one.

    Responses are those of copies, less the median of the node, as are ``labels``; ``tables (F, m, J, 3)`` tell which
    categories the node has. Ranks of more than ``most`` categories stay. ``local`` is space for the place of each
    category among those of the node, ``scores`` for sums of deviations.
    """
    here, codes, sizes = np.empty(node.stop - node.start), np.empty(node.stop - node.start, np.int64), local.copy()
    for t in range(len(labels)):
        for i in range(len(here)):
            row = node.place[node.start + i]
            here[i] = labels[t, row] if row >= 0 else responses[node.start + i]
        order = np.argsort(here, kind="mergesort")
        ordered = here[order]
        for f in range(len(tables)):
            p = 0
            for j in range(len(local)):
                local[j] = p
                sizes[p] = np.int64(tables[f, t, j, 0])
                p += tables[f, t, j, 0] > 0
            if not 1 < p <= most:
                continue
            for i in range(len(here)):
                codes[i] = local[categories.codes[f, node.start + order[i]]]
            best, chosen, last = np.inf, 0, 1 << (p - 1)
            # Ties are relative to the deviations of the undivided node.
            width = TIE * _deviations((1 << p) - 1, codes, ordered, sizes[:p])[0]
            for subset in range(1, last):
                scores[subset], left, right = _deviations(subset, codes, ordered, sizes[:p])
                if min(left, right) < least:
                    scores[subset] = np.inf
                best = min(best, scores[subset])
            for subset in range(1, last if best < np.inf else 0):
                if scores[subset] <= best + width:
                    chosen = subset
                    break
            for j in range(len(local)):
                ranks[f, t, j] = chosen > 0 and not chosen >> local[j] & 1
