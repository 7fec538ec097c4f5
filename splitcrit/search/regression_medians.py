"""Compiled loops for absolute error: sums of deviations about the median on both sides of every threshold.

The samples of a node form a list sorted by response, from which they are struck out in the order of the feature. The
median then moves by one step of the list at most, and the sum of deviations falls by the distance of what is struck out
from it; so two passes, one from each end, take linear time. With weights the median can move further, and a Fenwick
tree over the responses finds it in logarithmic time.

Main definitions: ``absolute``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.search.jit import kernel


@kernel(error_model="python")
def _struck_out(local, size, responses, base, spread, links, lefts, rights):  # type: ignore[no-untyped-def]
    """Set the sums of deviations of the first ``k + 1`` samples, and of those behind ``k``, for every ``k``.

    ``local[k]`` is the rank, from 1, of a sample among the responses from ``base`` on; ``spread`` is the sum for all.
    """
    for r in range(size + 2):
        links[0, r, 0], links[0, r, 1] = r - 1, r + 1
        links[1, r, 0], links[1, r, 1] = r - 1, r + 1
    at = back = (size + 1) // 2
    left, right = spread, spread
    lefts[size - 1], rights[size - 1] = spread, 0.0
    for count in range(size, 1, -1):
        r, q = local[count - 1], local[size - count]
        if count & 1:  # one median: it makes room for the lower of two if it, or what is above it, goes
            t, u = responses[base + at - 1], responses[base + back - 1]
            at = links[0, at, 0] if r >= at else at
            back = links[1, back, 0] if q >= back else back
        else:  # two medians, this the lower: the upper is left alone if the lower, or what is below it, goes
            at = links[0, at, 1] if r <= at else at
            back = links[1, back, 1] if q <= back else back
            t, u = responses[base + at - 1], responses[base + back - 1]
        left -= abs(responses[base + r - 1] - t)
        right -= abs(responses[base + q - 1] - u)
        below, above = links[0, r, 0], links[0, r, 1]
        links[0, below, 1], links[0, above, 0] = above, below
        below, above = links[1, q, 0], links[1, q, 1]
        links[1, below, 1], links[1, above, 0] = above, below
        lefts[count - 2], rights[size - count] = left, right


@kernel(error_model="python")
def _weighed(local, size, responses, heft, base, tree, forward, out):  # type: ignore[no-untyped-def]
    """Do the same with weights, for one side: sums of weights and responses stand in a Fenwick tree over the ranks."""
    top = 1
    while 2 * top <= size:
        top *= 2
    tree[: size + 1] = 0.0
    weight, total, out[size - 1] = 0.0, 0.0, 0.0
    for step in range(size if forward else size - 1):
        k = step if forward else size - 1 - step
        r = np.int64(local[k])
        w, wy = heft[base + r - 1], heft[base + r - 1] * responses[base + r - 1]
        weight += w
        total += wy
        while r <= size:
            tree[r, 0] += w
            tree[r, 1] += wy
            r += r & -r
        at, jump, below, sums = 0, top, 0.0, 0.0
        while jump > 0:
            ahead = at + jump
            if ahead <= size and below + tree[ahead, 0] <= weight / 2:
                at = ahead
                below += tree[at, 0]
                sums += tree[at, 1]
            jump >>= 1
        out[k if forward else k - 1] = responses[base + min(at, size - 1)] * (2 * below - weight) + total - 2 * sums


@kernel(error_model="python")
def absolute(  # type: ignore[no-untyped-def]
    chosen, bound, only, orders, starts, bases, known, centred, heft, least, lightest, weight, spread, cuts, lost,
    place, goes,
):  # fmt: skip
    """Do what ``squared`` does for deviations about the median; ``spread`` is the mean deviation of each node."""
    weighted, room = len(heft) > 0, (starts[1:] - starts[:-1]).max() + 2
    local, lefts, rights = np.empty(room, np.int32), np.empty(room), np.empty(room)
    links, tree = np.empty((2, room, 2), np.int32), np.empty((room if weighted else 0, 2))
    for j in range(len(starts) - 1):
        f = chosen[j]
        if f < 0:
            continue
        order, start, stop, middle, total = orders[f], starts[j], starts[j + 1], starts[j] + known[f, j], weight[j]
        top, cut, all_apart, first = bound[j], cuts[j, f] if len(cuts) else -1, spread[j] * total, bases[j] - 1
        for move in range(1 if middle == stop else 2):
            if len(cuts) and middle < stop and lost[j, f] != move:
                continue
            heavy, extra = 0.0, (stop - middle) * move
            for i in range(stop - extra, stop):
                local[i - stop + extra] = (order[i] >> 1) - first
                heavy += heft[order[i] >> 1] if weighted else 1.0
            for i in range(start, stop - extra):
                local[i - start + extra] = (order[i] >> 1) - first
            if weighted:
                _weighed(local, stop - start, centred, heft, bases[j], tree, True, lefts)
                _weighed(local, stop - start, centred, heft, bases[j], tree, False, rights)
            else:
                _struck_out(local, stop - start, centred, bases[j], all_apart, links, lefts, rights)
            for i in range(start, min(middle, stop - least - extra)):
                k = i - start + extra
                heavy += heft[order[i] >> 1] if weighted else 1.0
                score = (all_apart - lefts[k] - rights[k]) / total
                if (
                    score >= top and order[i + 1] & 1 == 0 and k + 1 >= least and total > heavy
                    and heavy >= lightest and total - heavy >= lightest and (cut < 0 or i == cut)
                ):  # fmt: skip
                    top = score
                    if only:
                        place[j], goes[j] = i, move == 1
                        break
            if only and place[j] >= 0:
                break
        bound[j] = top
