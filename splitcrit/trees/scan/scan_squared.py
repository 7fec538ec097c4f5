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

Main definitions: ``describe``, ``squared`` (and deviance).
"""

from __future__ import annotations

from splitcrit.compiling import called, inlined, kernel
from splitcrit.trees.scan.records import DEVIATION, MEAN, MEDIAN, POISSON, REST, SPREAD, WEIGHT
from splitcrit.trees.scan.scan_absolute import allowed
from splitcrit.trees.scan.scan_poisson import between_positive, deviant


@kernel(_nrt=False)
def describe(samples, starts, out):  # type: ignore[no-untyped-def]
    """Set what describes each node, rows of ``out (DESCRIBED, m)`` that ``scan.records`` names.

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
