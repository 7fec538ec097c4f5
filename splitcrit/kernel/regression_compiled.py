"""Compiled loops over sorted columns for responses that are numbers.

The samples of a node stand side by side in the order of their responses, and a sample's number is its place there. The
order of each column lists ``number << 1 | same``, where ``same`` marks the value of the entry before in the node; so what
a node looks at lies together in memory, and no value is looked at.

Squared error: with responses centred at the node's mean, a threshold whose left side sums to ``s`` lowers the variance
by ``s^2 / (w_left w_right)``, so one running sum is all that is kept. Absolute error: the samples form a list sorted by
response, from which they are struck out in the order of the feature; the median then moves by one step of the list at
most, and the sum of deviations falls by the distance of what is struck out from it. Two such passes, one from each end,
give the deviations of both sides of every threshold in linear time. With weights the median can move further, and a
Fenwick tree over the responses finds it in logarithmic time.

Main definitions: ``describe``, ``squared``, ``absolute``, ``best``, ``renumber``, ``partition``.
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


@numba.njit(cache=True, nogil=True, error_model="numpy")
def squared(
    chosen, bound, only, orders, starts, bases, known, centred, heft, least, lightest, weight, spread, cuts, lost, place,
    goes,
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Raise ``bound[j]`` to the best score of column ``chosen[j]`` (-1: none) in node ``j``.

    If ``only``, find the first score from ``bound[j]`` on, missing values right, then left: its ``place[j]``, and whether
    they ``goes[j]`` left. Where there are ``cuts (m, d)``, they are the only places tried, with missing values going left
    as ``lost`` says.
    """
    weighted = len(heft) > 0
    for j in range(len(starts) - 1):
        f = chosen[j]
        if f < 0:
            continue
        order, start, stop, middle, total = orders[f], starts[j], starts[j + 1], starts[j] + known[f, j], weight[j]
        top, cut = bound[j], cuts[j, f] if len(cuts) else -1
        for move in range(1 if middle == stop else 2):
            if len(cuts) and middle < stop and lost[j, f] != move:
                continue
            s, heavy, extra = 0.0, 0.0, (stop - middle) * move
            for i in range(stop - extra, stop):
                w = heft[order[i] >> 1] if weighted else 1.0
                s += w * centred[order[i] >> 1]
                heavy += w
            for i in range(start, min(middle - move, stop - least - extra)):
                w = heft[order[i] >> 1] if weighted else 1.0
                s += w * centred[order[i] >> 1]
                heavy += w
                score = s * s / (heavy * (total - heavy))
                if (
                    score >= top and order[i + 1] & 1 == 0 and i - start + 1 + extra >= least and total > heavy
                    and heavy >= lightest and total - heavy >= lightest and (cut < 0 or i == cut)
                ):  # fmt: skip
                    top = score
                    if only:
                        place[j], goes[j] = i, move == 1
                        break
            if only and place[j] >= 0:
                break
        bound[j] = top


@numba.njit(cache=True, nogil=True)
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


@numba.njit(cache=True, nogil=True)
def _weighed(local, size, responses, heft, base, tree, forward, out):  # type: ignore[no-untyped-def]
    """Do the same with weights, for one side: sums of weights and of responses stand in a Fenwick tree over the ranks."""
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


@numba.njit(cache=True, nogil=True)
def absolute(
    chosen, bound, only, orders, starts, bases, known, centred, heft, least, lightest, weight, spread, cuts, lost, place,
    goes,
):  # type: ignore[no-untyped-def]  # fmt: skip
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
            for i in range(start, min(middle - move, stop - least - extra)):
                k = i - start + extra
                heavy += heft[order[i] >> 1] if weighted else 1.0
                score = (all_apart - lefts[k] - rights[k]) / total
                if (
                    score >= top and order[i + 1] & 1 == 0 and k + 1 >= least
                    and heavy >= lightest and total - heavy >= lightest and (cut < 0 or i == cut)
                ):  # fmt: skip
                    top = score
                    if only:
                        place[j], goes[j] = i, move == 1
                        break
            if only and place[j] >= 0:
                break
        bound[j] = top


@numba.njit(cache=True, nogil=True)
def _first_drawn(found, ranks, floor):  # type: ignore[no-untyped-def]
    """Return the feature that is first in the drawn order among those whose score reaches ``floor``; -1 if none."""
    first = -1
    for f in range(len(found)):
        if ranks[f] >= 0 and found[f] > -np.inf and found[f] >= floor and (first < 0 or ranks[f] < ranks[first]):
            first = f
    return first


@numba.njit(cache=True, nogil=True)
def best(
    ranked, tie, orders, starts, bases, known, responses, heft, described, least, lightest, ranks, cuts, lost, side,
    feature, place, goes, top,
):  # type: ignore[no-untyped-def]  # fmt: skip
    """Find each node's best score, and by the tie rule its feature (-1: none), place, and where missing values go.

    ``side[number]`` becomes 1 for the samples of a split node that go left. ``ranks (m or 1, d)`` is the order in which
    features are drawn (-1: not), ``tie`` the width of a tie; for the rest see ``squared``.
    """
    d, m = len(orders), len(starts) - 1
    centred, found = np.empty(len(responses)), np.full((d, m), -np.inf)
    for j in range(m):
        for i in range(bases[j], bases[j] + starts[j + 1] - starts[j]):
            centred[i] = (responses[i] - described[1, j]) - described[2, j]
    place[:] = -1
    for turn in range(d + 1):
        if turn < d:
            for j in range(m):
                feature[j] = turn if ranks[j % len(ranks), turn] >= 0 else -1
            bound = found[turn]
        else:
            bound = np.empty(m)
            for j in range(m):
                top[j] = found[:, j].max()
                bound[j] = top[j] - tie[j]
                feature[j] = _first_drawn(found[:, j], ranks[j % len(ranks)], bound[j])
        (absolute if ranked else squared)(
            feature, bound, turn == d, orders, starts, bases, known, centred, heft, least, lightest, described[0],
            described[5], cuts, lost, place, goes,
        )  # fmt: skip
    for j in range(m):
        if feature[j] >= 0:
            order, last = orders[feature[j]], starts[j] + known[feature[j], j] - 1
            for i in range(starts[j], starts[j + 1]):
                side[order[i] >> 1] = i <= place[j] or (goes[j] and i > last)


@numba.njit(cache=True, nogil=True)
def renumber(bases, sizes, pays, side, given, out, target, starts):  # type: ignore[no-untyped-def]
    """Move the samples of each node that ``pays`` to its children's places, left first, in order.

    ``given`` and ``out`` are (rows, responses, weights) by number; ``starts`` says where each child starts.
    ``target[number]`` becomes twice the new number, plus the side.
    """
    weighted, child = len(given[2]) > 0, 0
    for j in range(len(bases)):
        if not pays[j]:
            continue
        left, right = starts[child], starts[child + 1]
        child += 2
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
def partition(orders, starts, pays, target, sizes, opened, out):  # type: ignore[no-untyped-def]
    """Write the entries of each node that ``pays`` to its children's places, left first, in order.

    Children that are not ``opened`` get no place. Of a run of equal values, all but the first in each child are marked.
    """
    place, step, latest = np.empty(2, np.int64), np.empty(2, np.int64), np.empty(2, np.int64)
    for f in range(len(orders)):
        order, moved, child, at = orders[f], out[f], 0, 0
        for j in range(len(starts) - 1):
            if not pays[j]:
                continue
            latest[:], run = -1, 0
            for s in (1, 0):
                step[s] = opened[child]
                place[s] = at if opened[child] else out.shape[1] - 1
                at += sizes[child] if opened[child] else 0
                child += 1
            step0, step1 = step[0], step[1]
            if step0 + step1 == 0:
                continue
            for i in range(starts[j], starts[j + 1]):
                entry = order[i]
                to = target[entry >> 1]
                s = to & 1
                run += 1 - np.int64(entry & 1)
                moved[place[s]] = (to - s) | (latest[s] == run)
                latest[s] = run
                place[s] += step1 if s else step0
