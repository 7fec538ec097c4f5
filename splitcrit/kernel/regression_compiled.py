"""Compiled loops over sorted columns for responses that are numbers.

The samples of a node stand side by side in the order of their responses, and a sample's number is its place there; the
order of each column lists those numbers, so that what a node looks at lies together in memory.

Squared error: with responses centred at the node's mean, a threshold whose left side sums to ``s`` lowers the variance
by ``s^2 / (w_left w_right)``, so one running sum is all that is kept. Absolute error: the samples form a list sorted by
response, from which they are struck out in the order of the feature; the median then moves by one step of the list at
most, and the sum of deviations falls by the distance of what is struck out from it. Two such passes, one from each end,
give the deviations of both sides of every threshold in linear time. With weights the median can move further, and a
Fenwick tree over the responses finds it in logarithmic time.

Main definitions: ``describe``, ``best``, ``renumber``, ``partition``.
"""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(cache=True, nogil=True, error_model="numpy")
def describe(responses, heft, starts, weight, mean, rest, variance, median, deviation):  # type: ignore[no-untyped-def]
    """Set each node's weight, mean (``mean + rest``), variance, median and mean deviation about it.

    ``responses`` are sorted in each node; ``heft`` are their weights (empty: all 1).
    """
    weighted = len(heft) > 0
    for j in range(len(starts) - 1):
        start, stop = starts[j], starts[j + 1]
        anchor, total, first, second = responses[(start + stop) // 2], 0.0, 0.0, 0.0
        for i in range(start, stop):
            w = heft[i] if weighted else 1.0
            total += w
            first += w * (responses[i] - anchor)
        weight[j], mean[j], first = total, anchor + first / total, 0.0
        run, upper, lower = 0.0, -1, -1
        for i in range(start, stop):
            w = heft[i] if weighted else 1.0
            z = responses[i] - mean[j]
            first += w * z
            second += w * z * z
            run += w
            if run > total / 2 and upper < 0:
                upper = i
            elif run == total / 2:
                lower = i
        upper = upper if upper >= 0 else stop - 1
        low, high = responses[lower if lower >= 0 else upper], responses[upper]
        middle = high if low == high else low / 2 + high / 2
        rest[j], median[j], first = first / total, middle, 0.0
        variance[j] = max(second / total - rest[j] * rest[j], 0.0)
        for i in range(start, stop):
            first += (heft[i] if weighted else 1.0) * abs(responses[i] - middle)
        deviation[j] = first / total


@numba.njit(cache=True, nogil=True)
def _between(column, rows, order, i, last, move, cut):  # type: ignore[no-untyped-def]
    """Tell whether a threshold may stand behind place ``i``: the one given, or any between different values."""
    if i == last:
        return cut != cut and not move
    low, high = column[rows[order[i]]], column[rows[order[i + 1]]]
    return low != high if cut != cut else low <= cut < high


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _squared(
    order, column, rows, start, stop, known, move, base, centred, heft, least, lightest, total, cut, floor
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Return the best score, and the first place (or -1) whose score reaches ``floor``, where the search ends.

    Values are ``known`` up to a place, the samples behind it go left if ``move``.
    """
    weighted, last = len(heft) > 0, start + known - 1
    s, heavy, top, extra = 0.0, 0.0, -np.inf, 0
    if move:
        extra = stop - last - 1
        for i in range(last + 1, stop):
            k = order[i] - base
            w = heft[k] if weighted else 1.0
            s += w * centred[k]
            heavy += w
    for i in range(start, min(last + 1, stop - least - extra)):
        k = order[i] - base
        w = heft[k] if weighted else 1.0
        s += w * centred[k]
        heavy += w
        score = s * s / (heavy * (total - heavy))
        if score > top and i - start + 1 + extra >= least and heavy >= lightest and total - heavy >= lightest:
            if total > heavy and _between(column, rows, order, i, last, move, cut):
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
            at = links[at, 0] if r >= at else at
        else:
            at = links[at, 1] if r <= at else at
            t = responses[at - 1]
        rest -= abs(responses[r - 1] - t)
        below, above = links[r, 0], links[r, 1]
        links[below, 1], links[above, 0] = above, below
        out[k - 1 if forward else k] = rest


@numba.njit(cache=True, nogil=True)
def _weighed(local, size, responses, heft, tree, forward, out):  # type: ignore[no-untyped-def]
    """Do the same with weights ``heft`` by rank: sums of weights and of responses stand in a Fenwick tree."""
    top = 1
    while 2 * top <= size:
        top *= 2
    tree[: size + 1] = 0.0
    weight, total, out[size - 1] = 0.0, 0.0, 0.0
    for step in range(size if forward else size - 1):
        k = step if forward else size - 1 - step
        r = np.int64(local[k])
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
        out[k if forward else k - 1] = responses[min(at, size - 1)] * (2 * below - weight) + total - 2 * sums


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _absolute(
    order, column, rows, start, stop, known, move, base, centred, heft, least, lightest, total, spread, cut, floor,
    local, links, tree, lefts, rights,
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Return what ``_squared`` does, for deviations about the median; ``spread`` is the sum of the node's."""
    size, weighted, last = stop - start, len(heft) > 0, start + known - 1
    extra = size - known if move else 0
    for i in range(start, stop):
        local[i - start + extra if i <= last or not move else i - last - 1] = order[i] - base + 1
    if weighted:
        _weighed(local, size, centred, heft, tree, True, lefts)
        _weighed(local, size, centred, heft, tree, False, rights)
    else:
        _struck_out(local, size, centred, spread, links, True, lefts)
        _struck_out(local, size, centred, spread, links, False, rights)
    top, heavy = -np.inf, 0.0
    for k in range(min(size - least, known + extra)):
        heavy += heft[local[k] - 1] if weighted else 1.0
        score = (spread - lefts[k] - rights[k]) / total
        if score > top and k + 1 >= least and k >= extra and heavy >= lightest and total - heavy >= lightest:
            i = start + k - extra
            if _between(column, rows, order, i, last, move, cut):
                top = score
                if score >= floor:
                    return top, i
    return top, -1


@numba.njit(cache=True, nogil=True)
def _tried(
    f, j, floor, orders, columns, rows, starts, base, known, centred, heft, absolute, least, lightest, total, spread,
    cuts, lost, work,
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Return the best score of a column in a node, and the first (place, missing left) whose score reaches ``floor``.

    Missing values go right first, then left.
    """
    start, stop, top = starts[j], starts[j + 1], -np.inf
    cut = cuts[j, f] if len(cuts) else np.nan
    for turn in range(1 if known[f, j] == stop - start else 2):
        move = turn == 1
        if len(cuts) and known[f, j] < stop - start and lost[j, f] != move:
            continue
        given = (
            orders[f],
            columns[f],
            rows,
            start,
            stop,
            known[f, j],
            move,
            base,
            centred,
            heft,
            least,
            lightest,
            total,
        )
        if absolute:
            score, place = _absolute(*given, spread, cut, floor, *work)
        else:
            score, place = _squared(*given, cut, floor)
        top = max(top, score)
        if place >= 0:
            return top, place, move
    return top, -1, False


@numba.njit(cache=True, nogil=True)
def _chosen(found, ranks, floor):  # type: ignore[no-untyped-def]
    """Return the feature that is first in the drawn order among those whose score reaches ``floor``; -1 if none."""
    first = -1
    for f in range(len(found)):
        if found[f] > -np.inf and found[f] >= floor and (first < 0 or ranks[f] < ranks[first]):
            first = f
    return first


@numba.njit(cache=True, nogil=True)
def best(
    orders, columns, rows, responses, heft, starts, bases, known, described, absolute, least, lightest, tie, ranks, cuts,
    lost, side, feature, place, goes, top,
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Find each node's best score, and by the tie rule its feature (-1: none), place, and where missing values go.

    ``side[number]`` becomes 1 for the samples of a split node that go left. ``ranks (m or 1, d)`` is the drawn order of
    the features; ``cuts (m, d)`` are the only thresholds allowed, if there are any, with missing values going where
    ``lost`` says.
    """
    d, room = len(orders), (starts[1:] - starts[:-1]).max() + 2
    tree = np.empty((room if len(heft) else 0, 2))
    work = (np.empty(room, np.int32), np.empty((room, 2), np.int32), tree, np.empty(room), np.empty(room))
    centred, found = np.empty(room), np.empty(d)
    for j in range(len(starts) - 1):
        size, base, total = starts[j + 1] - starts[j], bases[j], described[0, j]
        weights = heft[base : base + size] if len(heft) else heft
        for i in range(size):
            centred[i] = (responses[base + i] - described[1, j]) - described[2, j]
        given = (
            orders, columns, rows, starts, base, known, centred, weights, absolute, least, lightest, total,
            total * described[5, j], cuts, lost, work,
        )  # fmt: skip
        drawn = ranks[j % len(ranks)]
        for f in range(d):
            found[f] = -np.inf
            if drawn[f] >= 0:
                found[f], _, _ = _tried(f, j, np.inf, *given)
        top[j] = found.max()
        floor = top[j] - tie * described[5 if absolute else 3, j]
        f = _chosen(found, drawn, floor)
        feature[j] = f
        if f >= 0:
            _, place[j], goes[j] = _tried(f, j, floor, *given)
            for i in range(starts[j], starts[j + 1]):
                side[orders[f, i]] = i <= place[j] or (goes[j] and i >= starts[j] + known[f, j])


@numba.njit(cache=True, nogil=True)
def renumber(bases, sizes, side, dest, given, out, target):  # type: ignore[no-untyped-def]
    """Move each split node's samples to ``dest[j]``: those of side 0, then of side 1, to two places, in order.

    ``given`` and ``out`` are (rows, responses, weights) by number. ``target[number]`` becomes twice the new number, plus
    the side.
    """
    weighted = len(given[2]) > 0
    for j in range(len(bases)):
        right, left = dest[j, 0], dest[j, 1]
        if right < 0:
            continue
        for i in range(bases[j], bases[j] + sizes[j]):
            s = side[i]
            to = left if s else right
            out[0][to], out[1][to] = given[0][i], given[1][i]
            if weighted:
                out[2][to] = given[2][i]
            target[i] = 2 * to + s
            left += s
            right += 1 - s


@numba.njit(cache=True, nogil=True)
def partition(orders, starts, target, dest, step, out):  # type: ignore[no-untyped-def]
    """Write the new numbers of each node to its children's places, in order; a closed child has step 0."""
    place = np.empty(2, np.int64)
    for j in range(len(starts) - 1):
        if step[j, 0] + step[j, 1] == 0:
            continue
        for f in range(len(orders)):
            place[0], place[1] = dest[j, 0], dest[j, 1]
            for i in range(starts[j], starts[j + 1]):
                to = target[orders[f, i]]
                out[f, place[to & 1]] = to >> 1
                place[to & 1] += step[j, to & 1]
