"""The best score of a node for permuted labels, where the choices of its ancestors stay the same, in one compiled loop.

Main definitions: ``permuted_scores``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.growth.whole_compiled import best_split
from splitcrit.jit import called, kernel
from splitcrit.search.pointers import call_numbers
from splitcrit.search.segments_compiled import U


@called(_nrt=False)
def _relabel(order, place, labels, bits):  # type: ignore[no-untyped-def]
    """Replace the classes of the entries whose rows lie in the first node."""
    for i in range(len(order)):
        index = order[U(i)] >> bits
        row = place[U(index)]
        if row >= 0:
            order[U(i)] = (index << bits) | labels[U(row)]


@called(_nrt=False)
def _count(counts, out):  # type: ignore[no-untyped-def]
    """Set the class counts of the node that is searched next."""
    for c in range(len(out)):
        out[c] = counts[c]


@called(_nrt=False)
def _alike(order, here, place, left, bits):  # type: ignore[no-untyped-def]
    """Tell whether the rows up to a place of an order are all those of one side in the tree."""
    start, stop = here
    side, wrong = left[U(order[U(start)] >> bits)], 0
    for i in range(start, stop):
        wrong += (left[U(order[U(i)] >> bits)] == side) != (i <= place)
    return wrong == 0


@called(_nrt=False)
def _same_choices(source, nested, scorer, rules, key, scratch):  # type: ignore[no-untyped-def]
    """Tell whether each ancestor divides its rows as in the tree; the nearest, the smallest, is asked first."""
    for j in range(1, len(nested.counts)):
        here = nested.starts[j], nested.starts[j + 1]
        _count(nested.counts[j], scratch.counts)
        f, place, _ = best_split(source, None, here, scorer, rules, key, scratch)
        if f < 0 or not _alike(source.orders[f], here, place, nested.left, source.bits):
            return False
    return True


@called(_nrt=False)
def _best_score(source, nested, scorer, rules, key, scratch):  # type: ignore[no-untyped-def]
    """Return the best score of the first node."""
    _count(nested.counts[0], scratch.counts)
    best_split(source, None, (nested.starts[0], nested.starts[1]), scorer, rules, key, scratch)
    _, _, base, rate, _ = call_numbers(scorer.numbers, scorer.data, scratch.counts, scratch.constants)
    top = -np.inf
    for f in range(len(scratch.best)):
        top = max(top, scratch.best[f])
    return (top - base) * rate


@kernel(_nrt=False)
def permuted_scores(source, nested, labels, scorer, rules, scratch, out):  # type: ignore[no-untyped-def]
    """Set ``out[t]`` to the node's best score if its rows have ``labels[t]``, nan where an ancestor chooses otherwise.

    ``source`` (``Orders``) holds the nodes of ``nested`` (``Nested``) one after the other in each order; its labels are
    replaced in place.
    """
    key = np.uint64(0)  # nothing depends on it, since all features are tried
    for t in range(len(labels)):
        for f in range(len(source.orders)):
            _relabel(source.orders[f], nested.place, labels[t], source.bits)
        out[t] = np.nan
        if _same_choices(source, nested, scorer, rules, key, scratch):
            out[t] = _best_score(source, nested, scorer, rules, key, scratch)
