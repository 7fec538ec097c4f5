"""Compiled loops over sorted columns for responses that are numbers.

Squared error: with responses centred at the node's mean, a threshold whose left side sums to ``s`` lowers the variance
by ``s^2 / (w_left w_right)``, so one running sum is all that is kept. Absolute error: the node's samples stand in a list
sorted by response, from which they are struck out in the order of the feature; the median then moves by one step of the
list at most, and the deviation falls by the distance of what is struck out from it. Two such passes, one from each end,
give the deviations of both sides of every threshold in linear time. With weights the median can move further, and
Fenwick trees over the ranks of the responses find it in logarithmic time.

Main definitions: ``describe``, ``centre``, ``scan``, ``first``.
"""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(cache=True, nogil=True, error_model="numpy")
def describe(order, bits, starts, responses, weights, weight, mean, rest, variance, median, deviation):  # type: ignore[no-untyped-def]
    """Set each node's weight, mean (``mean + rest``), variance, median and mean deviation about it.

    ``order`` has the samples of a node in the order of their responses.
    """
    weighted = len(weights) > 0
    for j in range(len(starts) - 1):
        start, stop = starts[j], starts[j + 1]
        anchor = responses[order[(start + stop) // 2] >> bits]
        total, first = 0.0, 0.0
        for i in range(start, stop):
            index = order[i] >> bits
            w = weights[index] if weighted else 1.0
            total += w
            first += w * (responses[index] - anchor)
        middle = anchor + first / total
        half, run, upper, lower = total / 2, 0.0, -1, -1
        first, second = 0.0, 0.0
        for i in range(start, stop):
            index = order[i] >> bits
            w = weights[index] if weighted else 1.0
            z = responses[index] - middle
            first += w * z
            second += w * z * z
            run += w
            if upper < 0:
                if run > half:
                    upper = i
                elif run == half:
                    lower = i
        upper = upper if upper >= 0 else stop - 1
        low, high = responses[order[lower if lower >= 0 else upper] >> bits], responses[order[upper] >> bits]
        centre = high if low == high else low / 2 + high / 2
        apart = 0.0
        for i in range(start, stop):
            index = order[i] >> bits
            apart += (weights[index] if weighted else 1.0) * abs(responses[index] - centre)
        weight[j], mean[j], rest[j], median[j], deviation[j] = total, middle, first / total, centre, apart / total
        variance[j] = max(second / total - rest[j] * rest[j], 0.0)


@numba.njit(cache=True, nogil=True)
def centre(order, bits, starts, responses, weights, mean, rest, ranked, centred, heft, rank):  # type: ignore[no-untyped-def]
    """Write responses less their node's mean: by sample, or, where ``ranked``, by place in the order of responses.

    In the second case the samples' places and, by place, their weights are written too.
    """
    weighted = len(weights) > 0
    for j in range(len(starts) - 1):
        for i in range(starts[j], starts[j + 1]):
            index = order[i] >> bits
            z = (responses[index] - mean[j]) - rest[j]
            if ranked:
                centred[i] = z
                rank[index] = i
                if weighted:
                    heft[i] = weights[index]
            else:
                centred[index] = z


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _squared(order, column, start, stop, known, move, centred, weights, bits, least, lightest, total, floor):  # type: ignore[no-untyped-def]
    """Return the best score, and the first place (or -1) whose score reaches ``floor``, where the search ends."""
    weighted = len(weights) > 0
    last = start + known - 1
    s, heavy, top = 0.0, 0.0, -np.inf
    extra = 0
    if move:
        for i in range(last + 1, stop):
            index = order[i] >> bits
            w = weights[index] if weighted else 1.0
            s += w * centred[index]
            heavy += w
        extra = stop - last - 1
    for i in range(start, min(last + 1, stop - least - extra)):
        index = order[i] >> bits
        if weighted:
            w = weights[index]
            s += w * centred[index]
            heavy += w
        else:
            s += centred[index]
            heavy += 1.0
        score = s * s / (heavy * (total - heavy))
        if score > top and i - start + 1 + extra >= least:
            differs = not move if i == last else column[index] != column[order[i + 1] >> bits]
            if differs and heavy >= lightest and total - heavy >= lightest and total > heavy:
                top = score
                if score >= floor:
                    return top, i
    return top, -1


@numba.njit(cache=True, nogil=True)
def _struck_out(local, size, responses, spread, links, forward, out):  # type: ignore[no-untyped-def]
    """Set ``out[k]`` to the sum of deviations of the first ``k + 1`` samples (``forward``), or of those behind ``k``.

    ``local[k]`` is the rank, from 1, of a sample among ``responses``; ``spread`` is the sum for all of them.
    """
    for r in range(size + 2):
        links[r, 0], links[r, 1] = r - 1, r + 1
    at, rest = (size + 1) // 2, spread
    out[size - 1] = spread if forward else 0.0
    for count in range(size, 1, -1):
        k = count - 1 if forward else size - count
        r = local[k]
        if count & 1:
            t = responses[at - 1]
            if r >= at:
                at = links[at, 0]
        else:
            if r <= at:
                at = links[at, 1]
            t = responses[at - 1]
        rest -= abs(responses[r - 1] - t)
        below, above = links[r, 0], links[r, 1]
        links[below, 1], links[above, 0] = above, below
        out[k - 1 if forward else k] = rest


@numba.njit(cache=True, nogil=True)
def _weighed(local, size, responses, heft, tree, forward, out):  # type: ignore[no-untyped-def]
    """Do the same with weights ``heft`` by rank: the sums of weights and responses stand in a Fenwick tree."""
    top = 1
    while 2 * top <= size:
        top *= 2
    tree[: size + 1] = 0.0
    weight, total = 0.0, 0.0
    out[size - 1] = 0.0
    for step in range(size if forward else size - 1):
        k = step if forward else size - 1 - step
        r = local[k]
        w, wy = heft[r - 1], heft[r - 1] * responses[r - 1]
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
        t = responses[min(at, size - 1)]
        out[k if forward else k - 1] = t * (2 * below - weight) + total - 2 * sums


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _absolute(
    order, column, start, stop, known, move, centred, heft, rank, bits, least, lightest, total, spread, floor,
    local, links, tree, lefts, rights,
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Return what ``_squared`` does, for the mean deviation about the median; ``spread`` is the node's sum."""
    size, weighted = stop - start, len(heft) > 0
    last = start + known - 1
    extra = size - known if move else 0
    for i in range(start, stop):
        k = i - start + extra if i <= last or not move else i - last - 1
        local[k] = rank[order[i] >> bits] - start + 1
    responses = centred[start:stop]
    if weighted:
        _weighed(local, size, responses, heft[start:stop], tree, True, lefts)
        _weighed(local, size, responses, heft[start:stop], tree, False, rights)
    else:
        _struck_out(local, size, responses, spread, links, True, lefts)
        _struck_out(local, size, responses, spread, links, False, rights)
    top, heavy = -np.inf, 0.0
    if weighted:
        for k in range(extra):
            heavy += heft[start + local[k] - 1]
    for i in range(start, min(last + 1, stop - least - extra)):
        k = i - start + extra
        if weighted:
            heavy += heft[start + local[k] - 1]
        else:
            heavy = k + 1.0
        score = (spread - lefts[k] - rights[k]) / total
        if score > top and k + 1 >= least:
            entry = order[i] >> bits
            differs = not move if i == last else column[entry] != column[order[i + 1] >> bits]
            if differs and heavy >= lightest and total - heavy >= lightest:
                top = score
                if score >= floor:
                    return top, i
    return top, -1


@numba.njit(cache=True, nogil=True)
def scan(
    orders, columns, starts, known, centred, heft, rank, weights, total, spread, bits, least, lightest, ranked, drawn, best
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Set ``best[f, j]`` to the best score of a threshold on column ``f`` in node ``j``; -inf if there is none."""
    room = int((starts[1:] - starts[:-1]).max()) + 2 if ranked else 0
    local, links = np.empty(room, np.int32), np.empty((room, 2), np.int32)
    tree = np.empty((room if len(heft) else 0, 2))
    lefts, rights = np.empty(room), np.empty(room)
    for j in range(len(starts) - 1):
        start, stop = starts[j], starts[j + 1]
        for f in range(len(orders)):
            best[f, j] = -np.inf
            if not drawn[j % len(drawn), f]:
                continue
            for move in range(1 if known[f, j] == stop - start else 2):
                if ranked:
                    score, _ = _absolute(
                        orders[f], columns[f], start, stop, known[f, j], move == 1, centred, heft, rank, bits,
                        least, lightest, total[j], spread[j], np.inf, local, links, tree, lefts, rights,
                    )  # fmt: skip
                else:
                    score, _ = _squared(
                        orders[f], columns[f], start, stop, known[f, j], move == 1, centred, weights, bits,
                        least, lightest, total[j], np.inf,
                    )  # fmt: skip
                best[f, j] = max(best[f, j], score)


@numba.njit(cache=True, nogil=True)
def first(
    orders, columns, starts, known, centred, heft, rank, weights, total, spread, bits, least, lightest, ranked,
    chosen, floor, found, goes,
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Set ``found[j]`` to the first place on column ``chosen[j]`` whose score reaches ``floor[j]``.

    Missing values go right first, then left; ``goes[j]`` tells.
    """
    room = int((starts[1:] - starts[:-1]).max()) + 2 if ranked else 0
    local, links = np.empty(room, np.int32), np.empty((room, 2), np.int32)
    tree = np.empty((room if len(heft) else 0, 2))
    lefts, rights = np.empty(room), np.empty(room)
    for j in range(len(starts) - 1):
        f = chosen[j]
        if f < 0:
            continue
        start, stop = starts[j], starts[j + 1]
        for move in range(1 if known[f, j] == stop - start else 2):
            if ranked:
                _, place = _absolute(
                    orders[f], columns[f], start, stop, known[f, j], move == 1, centred, heft, rank, bits,
                    least, lightest, total[j], spread[j], floor[j], local, links, tree, lefts, rights,
                )  # fmt: skip
            else:
                _, place = _squared(
                    orders[f], columns[f], start, stop, known[f, j], move == 1, centred, weights, bits,
                    least, lightest, total[j], floor[j],
                )  # fmt: skip
            if place >= 0:
                found[j], goes[j] = place, move == 1
                break
