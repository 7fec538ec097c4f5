"""Compiled loops over sorted columns for responses that are numbers.

The samples of a node stand side by side in the order of their responses, and a sample's number is its place there. The
order of each column lists ``number << 1 | same``, where ``same`` marks the value that the entry before has in the node;
so what a node looks at lies together in memory, and no value is looked at.

Squared error: with responses centred at the node's mean, a threshold whose left side sums to ``s`` lowers the variance
by ``s^2 / (w_left w_right)``, so one running sum is all that is kept.

Poisson deviance: with responses divided by the mean, no threshold saves more than it does of the squared error, so that
one that this does not bring to the top is passed over without a logarithm.

Invariant of a scan: ``s`` and ``heavy`` are the sums of responses and of weights of what lies left. A place costs one
step.

Main definitions: ``describe``, ``deviances``, ``squared`` (and deviance), ``best``, ``carry_out``, ``renumber`` and
``partition``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, inlined, kernel
from splitcrit.trees.scan.records import ABSOLUTE, DEVIATION, MEAN, MEDIAN, POISSON, REST, SPREAD, WEIGHT, Centred, Scan
from splitcrit.trees.scan.scan_absolute import absolute, allowed
from splitcrit.trees.scan.scan_poisson import between_positive, centred_at, deviant, relative_deviance


@kernel(_nrt=False)
def describe(samples, starts, out):  # type: ignore[no-untyped-def]
    """Set what describes each node, rows of ``out (DESCRIBED, m)`` that ``scan.records`` names, but for deviances.

    Responses are sorted in each node.
    """
    # responses (n,) sorted in each node, starts (m + 1,) places; out in units of a response, spread in its square.
    responses, weights, weighted = samples.responses, samples.weights, len(samples.weights) > 0
    for j in range(len(starts) - 1):
        start, stop = starts[j], starts[j + 1]
        # Sums about a middle response, then about the mean that they give: large responses that differ little do not
        # cancel.
        anchor, total, first, second = responses[(start + stop) // 2], 0.0, 0.0, 0.0
        for i in range(start, stop):
            w = weights[i] if weighted else 1.0
            total += w
            first += w * (responses[i] - anchor)
        mean, first = anchor + first / total, 0.0
        run, upper, lower = 0.0, -1, -1
        for i in range(start, stop):
            w = weights[i] if weighted else 1.0
            z = responses[i] - mean
            first += w * z
            second += w * z * z
            run += w
            # Half the weight lies below the upper median; where a run ends at exactly half, the median is halfway to
            # the next.
            if run > total / 2 and upper < 0:
                upper = i
            elif run == total / 2:
                lower = i
        upper = upper if upper >= 0 else stop - 1
        low, high = responses[lower if lower >= 0 else upper], responses[upper]
        middle, rest, apart = high if low == high else low / 2 + high / 2, first / total, 0.0
        for i in range(start, stop):
            apart += (weights[i] if weighted else 1.0) * abs(responses[i] - middle)
        out[WEIGHT, j], out[MEAN, j], out[REST, j] = total, mean, rest
        out[SPREAD, j] = max(second / total - rest * rest, 0.0)
        out[MEDIAN, j], out[DEVIATION, j] = middle, apart / total


@kernel
def deviances(samples, starts, out):  # type: ignore[no-untyped-def]
    """Set half the mean Poisson deviance of each node in place of its variance."""
    for j in range(len(starts) - 1):
        # A copy: responses are kept as they came, and centred at mean + rest for the deviance alone.
        here = samples.responses[starts[j] : starts[j + 1]].copy()
        for i in range(len(here)):
            here[i] = centred_at(here[i], out[MEAN, j], out[REST, j], POISSON)
        deviance = relative_deviance(here, samples.weights[starts[j] : starts[j + 1]])
        out[SPREAD, j] = deviance * (out[MEAN, j] + out[REST, j])


@inlined
def gained(s, heavy, total):  # type: ignore[no-untyped-def]
    """Return the decrease of the variance by a side of this weight, given the sum of its responses of mean 0."""
    return s * s / (heavy * (total - heavy))


@called(_nrt=False)
def squared(scan, front, centred, tried, rule):  # type: ignore[no-untyped-def]
    """Search one column of each node: see ``Scan``, and the other records of ``scan.records``."""
    # responses (n,) centred by number; orders (d, n) number << 1 | same; middle is where missing values begin.
    responses, weights, weighted = centred.responses, centred.weights, len(centred.weights) > 0
    for j in range(len(front.starts) - 1):
        f = scan.feature[j]
        if f < 0:
            continue
        start, stop, total, order = front.starts[j], front.starts[j + 1], centred.weight[j], front.orders[f]
        middle, top, cut = start + front.known[f, j], scan.bound[j], tried.cuts[j, f] if len(tried.cuts) else -1
        for move in range(1 if middle == stop else 2):
            # A random cut has drawn one side for the missing values.
            if len(tried.cuts) and middle < stop and tried.lost[j, f] != move:
                continue
            s, heavy, extra, poisson = 0.0, 0.0, (stop - middle) * move, rule.error == POISSON
            here = start, middle, stop, min(middle, stop - rule.least - extra)
            first, last = between_positive(responses, order, here, move) if poisson else (start, here[3])
            if cut >= 0:
                first, last = max(first, cut), min(last, cut + 1)
            # Missing values first, if they go left: they count at every cut.
            for i in range(stop - extra, stop):
                w = weights[order[i] >> 1] if weighted else 1.0
                s += w * responses[order[i] >> 1]
                heavy += w
            for i in range(start, last):
                w = weights[order[i] >> 1] if weighted else 1.0
                s += w * responses[order[i] >> 1]
                heavy += w
                score = gained(s, heavy, total)
                size = i - start + 1 + extra
                # Most places fail the first test: what is allowed, and the logarithms of a deviance, are asked of few.
                if score >= top and i >= first and allowed(order, i, size, heavy, total, rule):
                    score = deviant(s, heavy, total) if poisson else score
                    if not score >= top:
                        continue
                    top = score
                    if scan.only:
                        scan.place[j], scan.missing_left[j] = i, move == 1
                        break
            if scan.only and scan.place[j] >= 0:
                break
        scan.bound[j] = top


@called(_nrt=False)
def _first_drawn(found, ranks, floor):  # type: ignore[no-untyped-def]
    """Return the feature that is first in the drawn order among those whose score reaches ``floor``; -1 if none."""
    # ranks (d,) are places in the drawn order, -1 of features that were not drawn.
    first = -1
    for f in range(len(found)):
        if ranks[f] >= 0 and found[f] > -np.inf and found[f] >= floor and (first < 0 or ranks[f] < ranks[first]):
            first = f
    return first


@kernel(_nrt=False)
def carry_out(front, rows, places, side, out):  # type: ignore[no-untyped-def]
    """Write the sides of the samples, how many go left, and the rows on both sides of the threshold."""
    for j in range(len(front.starts) - 1):
        f, at, goes = out.feature[j], places[j], out.missing_left[j]
        if f < 0:
            continue
        order, start, stop = front.orders[f], front.starts[j], front.starts[j + 1]
        # side (n,) by number; a place above last is a missing value.
        last = start + front.known[f, j] - 1
        for i in range(start, stop):
            side[order[i] >> 1] = i <= at or (goes and i > last)
        out.left_sizes[j] = at - start + 1 + (stop - last - 1 if goes else 0)
        out.below[j] = rows[order[at] >> 1]
        out.above[j] = np.int64(rows[order[at + 1] >> 1]) if at < last else -1
        # No value is missing here: what is missing later goes with the larger side.
        if last == stop - 1:
            out.missing_left[j] = 2 * out.left_sizes[j] > stop - start


@kernel(error_model="python")
def best(front, samples, described, tried, rule, side, out):  # type: ignore[no-untyped-def]
    """Find each node's best score, and by the tie rule the split: see ``Chosen``.

    Then ``side[number]`` becomes 1 for the samples that go left.
    """
    starts, bases, ranks, feature = front.starts, front.bases, tried.ranks, out.feature
    # d turns find the best score of each column, in found (d, m); the last turn finds where the chosen one is reached.
    d, m, responses = len(front.orders), len(starts) - 1, np.empty(len(samples.responses))
    found, place = np.empty((d, m)), np.empty(m, np.int64)
    for j in range(m):
        place[j] = -1
        for i in range(bases[j], bases[j] + starts[j + 1] - starts[j]):
            responses[i] = centred_at(samples.responses[i], described[MEAN, j], described[REST, j], rule.error)
    centred = Centred(responses, samples.weights, described[WEIGHT], described[DEVIATION])
    for turn in range(d + 1):
        if turn < d:
            for j in range(m):
                feature[j] = turn if ranks[j % len(ranks), turn] >= 0 else -1
                found[turn, j] = -np.inf
            bound = found[turn]
        else:
            bound = np.empty(m)
            for j in range(m):
                out.score[j] = -np.inf
                for f in range(d):
                    out.score[j] = max(out.score[j], found[f, j])
                bound[j] = out.score[j] - rule.tie[j]
                feature[j] = _first_drawn(found[:, j], ranks[j % len(ranks)], bound[j])
        scan = Scan(feature, bound, place, out.missing_left, turn == d)
        if rule.error == ABSOLUTE:
            absolute(scan, front, centred, tried, rule)
        else:
            squared(scan, front, centred, tried, rule)
    carry_out(front, samples.rows, place, side, out)


@kernel(_nrt=False)
def renumber(front, pays, side, given, out, target, starts):  # type: ignore[no-untyped-def]
    """Move the samples of each node that ``pays`` to its children's places, left first, in order.

    Samples are ``given``, and written ``out``, by number; ``starts`` says where each child starts. ``target[number]``
    becomes twice the new number, plus the side.
    """
    weighted, child = len(given.weights) > 0, 0
    for j in range(len(front.bases)):
        if not pays[j]:
            continue
        # A child's numbers are consecutive and in the order of the responses, as those of its parent.
        left, right = starts[child], starts[child + 1]
        child += 2
        for i in range(front.bases[j], front.bases[j] + front.starts[j + 1] - front.starts[j]):
            s = side[i]
            to = left if s else right
            out.rows[to], out.responses[to] = given.rows[i], given.responses[i]
            if weighted:
                out.weights[to] = given.weights[i]
            target[i] = 2 * to + s
            left += s
            right += 1 - s


@kernel(error_model="python")
def partition(orders, starts, pays, target, sizes, opened, out):  # type: ignore[no-untyped-def]
    """Write the entries of each node that ``pays`` to its children's places, left first, in order.

    Children that are not ``opened`` get no place. Of a run of equal values, all but the first in each child are marked.
    """
    # place and step by side: a closed child has step 0 and writes to the last place of out, which nobody reads.
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
                # to is twice the new number plus the side; the lowest bit becomes same, for a run that the child has
                # met already.
                moved[place[s]] = (to - s) | (latest[s] == run)
                latest[s] = run
                place[s] += step1 if s else step0
