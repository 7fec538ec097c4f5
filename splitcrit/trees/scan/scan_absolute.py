"""Compiled loops for absolute error: sums of deviations about the median on both sides of every threshold.

The samples of a node form a linked list sorted by response. For the left sides they are struck out from the last of the
feature's order on, for the right sides from the first. Each time the median moves by one step of the list at most, and
the sum of deviations falls by the distance of what is struck out from a median; so all sides take linear time. With
weights the median can move further, and a Fenwick tree over the responses finds it in logarithmic time.

Main definitions: ``deviations``, ``deviation_of_side``.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called
from splitcrit.trees.scan.scan_common import U


@called(_nrt=False)
def deviation_of_side(goes, side, heavy, responses, weights):
    """The sum of deviations of one side of a node, of this weight, from its median; responses are sorted."""
    # goes (m,) tells the side of each sample. Of its weight, what lies below the half counts -1 and what lies above 1.
    below, total = 0.0, 0.0
    for i in range(len(responses)):
        if goes[U(i)] == side:
            w = weights[U(i)] if len(weights) else 1.0
            upper = max(below + w - heavy / 2, 0.0) - max(below - heavy / 2, 0.0)
            total += (2 * upper - w) * responses[U(i)]
            below += w
    return total


@called(_nrt=False)
def _struck_out(local, responses, spread, links, lefts, rights):
    """Set the sums of deviations of the first ``k + 1`` samples, and of those behind ``k``, for every ``k``.

    ``local[k]`` is the rank, from 1, of a sample among the responses; ``spread`` is the sum for all.
    """
    # links (2, size + 2, 2): for the left and the right side, the next lower and higher rank that is still in; 0 and
    # size + 1 are the ends. lefts and rights (size,) are in units of a response.
    size = len(local)
    for i in range(size + 2):
        links[0, i, 0], links[0, i, 1] = i - 1, i + 1
        links[1, i, 0], links[1, i, 1] = i - 1, i + 1
    # at and back are ranks of the lower median of each side, which moves by one place when a sample goes.
    at = back = (size + 1) // 2
    left, right = spread, spread
    lefts[size - 1], rights[size - 1] = spread, 0.0
    for count in range(size, 1, -1):
        # by_at and by_back are neighbours of at and back: both below if count is odd, both above if it is even.
        # They are loaded before it is known whether they are needed, so that no branch can be mispredicted.
        r, q, odd = np.int64(local[U(count - 1)]), np.int64(local[U(size - count)]), count & 1
        by_at, by_back = links[0, U(at), 1 - odd], links[1, U(back), 1 - odd]
        if odd:  # one median: it gives way to the lower of two if it, or what is above it, goes
            t, u = responses[U(at - 1)], responses[U(back - 1)]
            at = by_at if r >= at else at
            back = by_back if q >= back else back
        else:  # two medians, this the lower: the upper is left alone if the lower, or what is below it, goes
            at = by_at if r <= at else at
            back = by_back if q <= back else back
            t, u = responses[U(at - 1)], responses[U(back - 1)]
        # t is a median both with r and without it, though not always the lower one: the sum about t is least before and
        # after, and falls by the distance of r alone. So does that about u without q.
        left -= abs(responses[U(r - 1)] - t)
        right -= abs(responses[U(q - 1)] - u)
        below, above = links[0, U(r), 0], links[0, U(r), 1]
        links[0, U(below), 1], links[0, U(above), 0] = above, below
        below, above = links[1, U(q), 0], links[1, U(q), 1]
        links[1, U(below), 1], links[1, U(above), 0] = above, below
        lefts[U(count - 2)], rights[U(size - count)] = left, right


@called(_nrt=False)
def _weighed(local, responses, weights, tree, forward, out):
    """Set the sums of deviations of one side where samples have weights, from the left end (``forward``) or the right.

    Sums of weights and responses stand in a Fenwick tree over the ranks.
    """
    # tree (size + 1, 2): sums of weights and of weight times response, by rank from 1; top is the highest power of 2.
    size, top = len(local), 1
    while 2 * top <= size:
        top *= 2
    for r in range(size + 1):
        tree[r, 0], tree[r, 1] = 0.0, 0.0
    weight, total, out[size - 1] = 0.0, 0.0, 0.0
    for step in range(size if forward else size - 1):
        k = step if forward else size - 1 - step
        r = int(np.int64(local[k]))
        w, wy = weights[r - 1], weights[r - 1] * responses[r - 1]
        weight += w
        total += wy
        # A sample is added to the nodes of the tree, log2(size) at most, whose sums cover its rank.
        while r <= size:
            tree[r, 0] += w
            tree[r, 1] += wy
            r += r & -r
        at, jump, below, sums = 0, top, 0.0, 0.0
        # Down the tree to the last rank with at most half the weight at or below it: the next one is a median.
        while jump > 0:
            ahead = at + jump
            if ahead <= size and below + tree[ahead, 0] <= weight / 2:
                at = ahead
                below += tree[at, 0]
                sums += tree[at, 1]
            jump >>= 1
        out[k if forward else k - 1] = responses[min(at, size - 1)] * (2 * below - weight) + total - 2 * sums


@called(_nrt=False)
def deviations(space, responses, weights, spread):
    """Set the sums of deviations on both sides of every threshold of a node, given that of all its samples.

    ``local`` lists places from 0 in the order that is searched, ``responses`` are by place.
    """
    # From here on local holds ranks from 1: rank 0 is the end of the list below all samples.
    size = len(responses)
    local, lefts, rights = space.local[:size], space.lefts, space.rights
    for k in range(size):
        local[k] += 1
    if len(weights):
        for forward in (True, False):
            _weighed(local, responses, weights, space.tree, forward, lefts if forward else rights)
    else:
        _struck_out(local, responses, spread, space.links, lefts, rights)
