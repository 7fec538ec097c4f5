"""Compiled loops over sorted columns for responses that are numbers.

The samples of a node stand side by side in the order of their responses, and a sample's number is its place there. The
order of each column lists ``number << 1 | same``, where ``same`` marks the value that the entry before has in the node;
so what a node looks at lies together in memory, and no value is looked at.

Squared error: with responses centred at the node's mean, a threshold whose left side sums to ``s`` lowers the variance
by ``s^2 / (w_left w_right)``, so one running sum is all that is kept.

Main definitions: ``describe``, ``squared``, ``best``, ``renumber``, ``partition``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.search.jit import kernel
from splitcrit.search.regression_medians import absolute


@kernel
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


@kernel
def squared(  # type: ignore[no-untyped-def]
    chosen, bound, only, orders, starts, bases, known, centred, heft, least, lightest, weight, spread, cuts, lost,
    place, goes,
):  # fmt: skip
    """Raise ``bound[j]`` to the best score of column ``chosen[j]`` (-1: none) in node ``j``.

    If ``only``, find the first score from ``bound[j]`` on, missing values right, then left: its ``place[j]``, and
    whether they ``goes[j]`` left. Where there are ``cuts (m, d)``, they are the only places tried, with missing values
    going left as ``lost`` says.
    """
    weighted = len(heft) > 0
    for j in range(len(starts) - 1):
        f = chosen[j]
        if f < 0:
            continue
        start, stop, middle, total = starts[j], starts[j + 1], starts[j] + known[f, j], weight[j]
        top, cut = bound[j], cuts[j, f] if len(cuts) else -1
        for move in range(1 if middle == stop else 2):
            if len(cuts) and middle < stop and lost[j, f] != move:
                continue
            s, heavy, extra = 0.0, 0.0, (stop - middle) * move
            for i in range(stop - extra, stop):
                w = heft[orders[f, i] >> 1] if weighted else 1.0
                s += w * centred[orders[f, i] >> 1]
                heavy += w
            for i in range(start, min(middle, stop - least - extra)):
                w = heft[orders[f, i] >> 1] if weighted else 1.0
                s += w * centred[orders[f, i] >> 1]
                heavy += w
                score = s * s / (heavy * (total - heavy))
                if (
                    score >= top and orders[f, i + 1] & 1 == 0 and i - start + 1 + extra >= least and total > heavy
                    and heavy >= lightest and total - heavy >= lightest and (cut < 0 or i == cut)
                ):  # fmt: skip
                    top = score
                    if only:
                        place[j], goes[j] = i, move == 1
                        break
            if only and place[j] >= 0:
                break
        bound[j] = top


@kernel(error_model="python")
def _first_drawn(found, ranks, floor):  # type: ignore[no-untyped-def]
    """Return the feature that is first in the drawn order among those whose score reaches ``floor``; -1 if none."""
    first = -1
    for f in range(len(found)):
        if ranks[f] >= 0 and found[f] > -np.inf and found[f] >= floor and (first < 0 or ranks[f] < ranks[first]):
            first = f
    return first


@kernel(error_model="python")
def best(  # type: ignore[no-untyped-def]
    ranked, tie, orders, starts, bases, known, rows, responses, heft, described, least, lightest, ranks, cuts, lost,
    side, feature, goes, top, left_sizes, below, above,
):  # fmt: skip
    """Find each node's best score, and by the tie rule its feature (-1: none), and where missing values go.

    Then ``side[number]`` becomes 1 for the samples that go left, ``left_sizes`` their count, ``below`` and ``above``
    the rows on both sides of the threshold (-1: missing values). ``ranks (m or 1, d)`` is the order in which features
    are drawn (-1: not), ``tie`` the width of a tie; for the rest see ``squared``.
    """
    d, m = len(orders), len(starts) - 1
    centred, found, place = np.empty(len(responses)), np.full((d, m), -np.inf), np.full(m, -1)
    for j in range(m):
        for i in range(bases[j], bases[j] + starts[j + 1] - starts[j]):
            centred[i] = (responses[i] - described[1, j]) - described[2, j]
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
        given = (
            feature, bound, turn == d, orders, starts, bases, known, centred, heft, least, lightest, described[0],
            described[5], cuts, lost, place, goes,
        )  # fmt: skip
        if ranked:
            absolute(*given)
        else:
            squared(*given)
    for j in range(m):
        if feature[j] >= 0:
            order, start, stop, at = orders[feature[j]], starts[j], starts[j + 1], place[j]
            last = start + known[feature[j], j] - 1
            for i in range(start, stop):
                side[order[i] >> 1] = i <= at or (goes[j] and i > last)
            left_sizes[j] = at - start + 1 + (stop - last - 1 if goes[j] else 0)
            below[j] = rows[order[at] >> 1]
            above[j] = np.int64(rows[order[at + 1] >> 1]) if at < last else -1
            if last == stop - 1:
                goes[j] = 2 * left_sizes[j] > stop - start


@kernel(error_model="python")
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


@kernel(error_model="python")
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
            latest[0], latest[1], run = -1, -1, 0
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
                run += 0 if entry & 1 else 1
                moved[place[s]] = (to - s) | (latest[s] == run)
                latest[s] = run
                place[s] += step1 if s else step0
