"""The division of the categories of one column of one node in two, where responses are numbers.

A node is a ``CategoryTable`` whose ``table (J, 3)`` holds weight, sum of centred responses, and number of responses
above 0 by category; the categories it has stand in ``there``, ``p`` of them. Which divisions are tried is decided here:

- by squared error or Poisson deviance the cuts of the order by mean response, one of which is best, where no limit
  binds (a side needs more than one sample, or some category has responses of 0 alone and the deviance is Poisson's);
- else, of up to ``most`` categories, all divisions, in binary order (bit ``i``: the ``i``-th goes left);
- else the cuts of the order by mean response, which is then a heuristic.

What is tried becomes ranks of the categories, by which the samples are ordered like those of a column of numbers. A cut
costs what one of numbers does, all divisions of ``p`` categories ``2**(p - 1)`` times ``p`` steps or, by deviations,
times the samples.

Main definitions: ``tabulate_responses``, ``rank_by_response``, ``order_by_rank``.
"""

# mypy: disable-error-code="no-untyped-def, assignment"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called
from splitcrit.trees.scan.records import ABSOLUTE, DECLARED, EXACT, ORDER, POISSON, SEVERAL
from splitcrit.trees.scan.scan_absolute import deviation_of_side
from splitcrit.trees.scan.scan_common import U, clear, code_of
from splitcrit.trees.scan.scan_poisson import deviant
from splitcrit.trees.scan.scan_squared import gained
from splitcrit.trees.scan.scan_subsets import forget, occurring, sort_by_key


@called(_nrt=False)
def tabulate_responses(rows, codes, responses, weights, space):
    """Add up the samples of a node by category; return the number of its categories, which stand first, by code."""
    # rows (m,) of the node, codes (n,) by row; responses and weights (m,) centred, in the order of rows.
    table = space.table
    forget(space)
    for i in range(len(rows)):
        j, w = code_of(codes, rows[U(i)]), weights[U(i)] if len(weights) else 1.0
        space.rows[j] += 1
        table[j, 0] += w
        table[j, 1] += w * responses[U(i)]
        # centred_at makes a Poisson response of 0 -1, and all others more.
        table[j, 2] += responses[U(i)] > -1
    return occurring(space)


@called(_nrt=False)
def _score_of_subset(subset, p, rows, codes, responses, weights, space, goes, error, rules):
    """The score of a division, up to a constant of the node, -inf if it leaves too little on a side."""
    size, heavy, s, positive, whole, total, above = 0, 0.0, 0.0, 0.0, 0, 0.0, 0.0
    for i in range(p):
        j, left = U(space.there[U(i)]), (subset >> i) & 1
        size += left * space.rows[j]
        heavy += left * space.table[j, 0]
        s += left * space.table[j, 1]
        positive += left * space.table[j, 2]
        whole += space.rows[j]
        total += space.table[j, 0]
        above += space.table[j, 2]
    if min(size, whole - size) < rules.leaf or min(heavy, total - heavy) < rules.lightest:
        return -np.inf
    if error == ABSOLUTE:
        for i in range(len(rows)):
            goes[U(i)] = (subset >> space.ranks[code_of(codes, rows[U(i)])]) & 1
        left = deviation_of_side(goes, 1, heavy, responses, weights)
        return -(left + deviation_of_side(goes, 0, total - heavy, responses, weights)) / total
    if error == POISSON:
        return deviant(s, heavy, total) if min(positive, above - positive) > 0 else -np.inf
    return gained(s, heavy, total)


@called(_nrt=False)
def rank_by_response(p, rows, codes, responses, weights, space, goes, error, rules, width):
    """Rank the categories of a tabulated node; return how many ranks there are, and how divisions were tried.

    Scores within ``width`` are ties; ``goes (m,)`` is space for the side of each sample.
    """
    there, binding = space.there, rules.leaf > 1 or rules.lightest > 0
    for i in range(p):
        j = U(there[U(i)])
        space.keys[U(i)], space.ranks[j] = space.table[j, 1] / space.table[j, 0], i
        binding = binding or (error == POISSON and space.table[j, 2] == 0)
    limited = error == ABSOLUTE or (binding and error != DECLARED)
    if not limited or p > space.most:
        sort_by_key(space, p)
        for i in range(p):
            space.ranks[U(space.order[U(i)])] = i
        return p, SEVERAL if limited or error == DECLARED else ORDER
    best, chosen = -np.inf, 0
    for subset in range(1, 1 << (p - 1)):
        score = _score_of_subset(subset, p, rows, codes, responses, weights, space, goes, error, rules)
        space.scores[U(subset)] = score
        best = max(best, score)
    for subset in range(1, 1 << (p - 1)):
        # Of divisions that tie the first in binary order.
        if chosen == 0 and space.scores[U(subset)] >= best - width and best > -np.inf:
            chosen = subset
    for i in range(p):
        space.ranks[U(there[U(i)])] = np.int64(chosen > 0 and (chosen >> i) & 1 == 0)
    return 2 if chosen > 0 else 1, EXACT


@called(_nrt=False)
def order_by_rank(rows, codes, start, ranks, count, first, order):
    """Write the order of a node by ranks of categories, ``number << 1 | same``, whose first number is ``start``."""
    # first (J + 1,): the place of the next entry of each rank; within a rank the samples keep their order.
    clear(first[: count + 1])
    for i in range(len(rows)):
        first[U(ranks[code_of(codes, rows[U(i)])] + 1)] += 1
    for rank in range(count):
        first[U(rank + 1)] += first[U(rank)]
    for i in range(len(rows)):
        place = U(ranks[code_of(codes, rows[U(i)])])
        order[U(first[place])] = ((start + i) << 1) | 1
        first[place] += 1
    for rank in range(count):
        # By now first is where the next rank begins; no repetition of the one before is the first entry of a rank.
        if rank == 0 or first[U(rank)] > first[U(rank - 1)]:
            order[U(first[U(rank - 1)] if rank else 0)] ^= 1
