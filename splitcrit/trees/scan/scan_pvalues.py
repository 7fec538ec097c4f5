"""Scans for p-values of a gain under a gamma law, computed only where a bound leaves a chance.

Layout as in ``scan_sums``; ``behind[i]`` is ``n`` times the gain of place ``i``. Invariant: at a place with ``edge``
samples or more on both sides a gain up to ``dull`` cannot win. One pass makes the gains; another asks for a p-value
only where its bound is in reach.

Main definitions: ``by_tails`` (a scan of one column), ``tail`` (one split).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import addressed, called
from splitcrit.trees.scan.formulas_compiled import most_surprise, surprise
from splitcrit.trees.scan.scan_common import U, clear, counted_in, parted, step_of
from splitcrit.trees.scan.scan_standardised import independent

SLACK = 1e-9  # by which a bound must fall short, of 1 + what is wanted


@called
def tail(gain, mean, variance, wanted):
    """The surprise of a gain under a gamma law, or -inf where it is below the one wanted."""
    if variance <= 0.0:
        return 0.0
    shape, reach = mean * mean / variance, gain * mean / variance
    if most_surprise(shape, reach) < wanted - SLACK * (1.0 + abs(wanted)):
        return -np.inf
    return surprise(shape, reach)


@called
def _short(shape, wanted, near):
    """A reach up to which the surprise is at most what is wanted, and hardly further if ``near`` is close.

    The surprise is 0 at 0, and rises with the reach: convex and by 1 at most where the shape is at least 1, elsewhere
    concave, by 1 at least and by ``1 + (1 - shape)/reach`` at most.
    """
    log_p = surprise(shape, near)
    if log_p <= wanted:
        return near + (wanted - log_p) / (1.0 + max(1.0 - shape, 0.0) / near)
    return near * wanted / log_p if shape >= 1.0 else near - (log_p - wanted)


@called(_nrt=False)
def _gains(segment, node, data, scratch):
    """Set ``behind[i]`` to ``n`` times the gain, -inf where no threshold is; return the place of the largest, or -1."""
    order, column, start, stop, bits, least, _ = segment
    totals = node.counts
    phi, table, seen, behind = data.phi, data.table, scratch.seen, scratch.behind
    mask, size, square, mean = (1 << bits) - 1, stop - start, node.constants[0], node.constants[1]
    clear(seen)
    left, right, top, at = 0.0, node.sums, -np.inf, -1
    for i in range(start, stop - least):
        c, n = counted_in(order, i, mask, seen)
        left += step_of(phi, n)
        right -= step_of(phi, totals[U(c)] - n - 1)
        m = i - start + 1
        above = left * table[U(m)] + right * table[U(size - m)] - square - mean
        behind[U(i)] = above + mean if m >= least and parted(order, column, i, bits) else -np.inf
        if behind[U(i)] > top:
            top, at = behind[U(i)], i
    return at


@addressed
def by_tails(segment, node, data, floor, scratch):
    """The best score (``floor`` is infinite), or the first place whose score reaches ``floor``.

    The variance is a constant and a multiple of ``1/m + 1/(n - m)``; so between both edges of a node it lies between
    its values at an edge and in the middle. Surprise falls with the shape: one gain is too small for all these places.
    """
    start, stop, least, constants, table = segment.start, segment.stop, segment.least, node.constants, data.table
    n, mean, behind, at = stop - start, constants[1], scratch.behind, _gains(segment, node, data, scratch)
    if at < 0:
        return -np.inf
    # The surprise of the largest gain is a first bar, unless there is a floor.
    variance, top = independent(at - start + 1, n, table, constants), -np.inf
    if floor == np.inf:
        top = tail(behind[at], mean, variance, -np.inf)
    wanted, edge, dull = max(top, floor) if floor < np.inf else top, n // 64 + 4, -np.inf
    ends = independent(min(edge, n - 1), n, table, constants), independent(n // 2, n, table, constants)
    if n > 2 * edge and min(ends) > 0.0 and variance > 0.0 and behind[at] > 0.0:
        # The smallest shape, that of the largest variance, surprises most: a reach too short for it is too short for
        # all. The smallest variance gives a gain its longest reach, and so turns that reach into a safe gain.
        lower = wanted - SLACK * (1.0 + abs(wanted))
        dull = _short(mean * mean / max(ends), lower, behind[at] * mean / variance) * min(ends) / mean
    for i in range(start + least - 1, stop - least):
        gain, m = behind[U(i)], i - start + 1
        if gain > dull or m < edge or m > n - edge:
            if gain == -np.inf:
                continue
            score = tail(gain, mean, independent(m, n, table, constants), max(top, wanted))
            if score > top:
                top = score
                if score >= floor:
                    return float(i)
    return top
