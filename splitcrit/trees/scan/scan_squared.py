"""Compiled loops over one sorted column of one node for responses that are numbers.

The samples of a node stand side by side in the order of their responses, and a sample's number is its place there. The
order of each column lists ``number << 1 | same``, where ``same`` marks the value that the entry before has in the node;
so what a node looks at lies together in memory, and no value is looked at.

Squared error: with responses centred at the node's mean, a threshold whose left side sums to ``s`` lowers the variance
by ``s^2 / (w_left w_right)``, so one running sum is all that is kept.

Poisson deviance: with responses divided by the mean, no threshold saves more than it does of the squared error, so that
one that this does not bring to the top is passed over without a logarithm.

Invariant of a scan: ``s`` and ``heavy`` are the sums of responses and of weights of what lies left. A place costs one
step.

Main definitions: ``describe``, ``squared`` (and deviance), ``allowed``.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from splitcrit.compiling import called, inlined
from splitcrit.trees.scan.records import DEVIATION, MEAN, MEDIAN, POISSON, REST, SPREAD, WEIGHT
from splitcrit.trees.scan.scan_poisson import between_positive, deviant


@called(_nrt=False)
def describe(samples, start, stop, out):
    """Set what describes a node, the numbers ``out (DESCRIBED,)`` that ``scan.records`` names, of sorted responses."""
    # responses (n,) are sorted from start to stop; out in units of a response, spread in its square.
    responses, weights, weighted = samples.responses, samples.weights, len(samples.weights) > 0
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
        # Half the weight lies below the upper median; where a run ends at exactly half, the median is halfway to the
        # next.
        if run > total / 2 and upper < 0:
            upper = i
        elif run == total / 2:
            lower = i
    upper = upper if upper >= 0 else stop - 1
    low, high = responses[lower if lower >= 0 else upper], responses[upper]
    middle, rest, apart = high if low == high else low / 2 + high / 2, first / total, 0.0
    for i in range(start, stop):
        apart += (weights[i] if weighted else 1.0) * abs(responses[i] - middle)
    out[WEIGHT], out[MEAN], out[REST] = total, mean, rest
    out[SPREAD] = max(second / total - rest * rest, 0.0)
    out[MEDIAN], out[DEVIATION] = middle, apart / total


@inlined
def gained(s, heavy, total):
    """The decrease of the variance by a side of this weight, given the sum of its responses of mean 0."""
    return s * s / (heavy * (total - heavy))


@inlined
def allowed(order, i, on_left, heavy, total, rules):
    """Whether a place parts values, with ``on_left`` samples of weight ``heavy`` on the left, and enough right."""
    return (
        order[i + 1] & 1 == 0
        and on_left >= rules.leaf
        and total > heavy
        and heavy >= rules.lightest
        and total - heavy >= rules.lightest
    )


@called(_nrt=False)
def squared(column, responses, weights, total, error, move, top, only, rules):
    """The best score from ``top`` on of the thresholds of a column (``ResponseOrder``), ``top`` without one.

    Missing values go left if ``move``. With ``only`` the search ends at the first such threshold, and its place comes
    second; else that is -1. ``responses`` and ``weights`` (empty: all 1), of sum ``total``, are by number.
    """
    (order, start, known, stop, _), weighted, poisson = column, len(weights) > 0, error == POISSON
    s, heavy, extra = 0.0, 0.0, (stop - known) * move
    first, last = start, min(known, stop - rules.leaf - extra)
    if poisson:
        first, last = between_positive(responses, order, (start, known, stop, last), move)
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
        # Most places fail the first test: what is allowed, and the logarithms of a deviance, are asked of few.
        if score >= top and i >= first and allowed(order, i, i - start + 1 + extra, heavy, total, rules):
            score = deviant(s, heavy, total) if poisson else score
            if not score >= top:
                continue
            top = score
            if only:
                return top, i
    return top, -1
