"""The recursion of ``lattice`` in compiled code.

Main definitions: ``surprise_of_leaving``; ``leaving``, for compiled loops.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from __future__ import annotations

import numpy as np

from splitcrit.jit import called, kernel
from splitcrit.nulls import hypergeometric

log_chance = called(hypergeometric.log_chance, _nrt=False)


@called(_nrt=False)
def _first_met(n, ones, lower, upper):
    """Return the first place where a path can be outside, ``n`` without one."""
    m = 1
    while m < n and lower[m] <= max(0, m - n + ones) and upper[m] >= min(m, ones):
        m += 1
    return m


@called(_nrt=False)
def _last_met(n, ones, lower, upper):
    """Return the last place where a path can be outside, 0 without one."""
    m = n - 1
    while m > 0 and lower[m] <= max(0, m - n + ones) and upper[m] >= min(m, ones):
        m -= 1
    return m


@called(_nrt=False)
def _grow(before, after, begin, end, m, steps):
    """Set the chances of staying inside up to ``m`` for ``x`` in ``begin, ..., end``; ``x`` stands at ``x + 1``."""
    share, old, new, ones = 1.0 / m, before[begin : end + 2], after[begin + 1 : end + 2], steps[begin : end + 1]
    for i in range(end - begin + 1):
        new[i] = (old[i + 1] * (m - ones[i]) + old[i] * ones[i]) * share


def surprise_of_leaving(n, ones, lower, upper, t):
    """Return ``-log P`` in nats of the probability that a path leaves; infinity if it cannot.

    ``t`` are the ``remainders`` of ``n``.
    """
    return _surprise_of_leaving(n, ones, lower, upper, t, np.empty((3, ones + 3)))


@called(_nrt=False)
def leaving(n, ones, lower, upper, t, space):
    """Return that, in space for chances at two places and numbers; all are inside until a path can leave."""
    for x in range(ones + 3):
        space[0, x], space[1, x], space[2, x] = 0.0, 1.0, x
    m, last = _first_met(n, ones, lower, upper), _last_met(n, ones, lower, upper)
    inside, grown, steps = space[0], space[1], space[2]
    begin, end = max(0, m - n + ones), min(m, ones)
    top, total = -np.inf, 0.0  # log of the largest summand, and the sum over it
    while m <= last:
        left, right = max(begin, lower[m]), min(end, upper[m])
        within = max(right - left + 1, 0)
        for x in range(begin, end + 1 - within):
            at = x if x < left else x + within
            if grown[at + 1] > 0:
                found = log_chance(n, ones, m, at, t) + np.log(grown[at + 1])
                if found > top:
                    top, total = found, total * np.exp(top - found) + 1.0
                else:
                    total += np.exp(found - top)
        if left > right:
            break
        m += 1
        inside, grown = grown, inside
        inside[left] = inside[right + 2] = 0.0
        begin, end = max(left, m - n + ones), min(right + 1, ones)
        _grow(inside, grown, begin, end, float(m), steps)
    return max(-(top + np.log(total)), 0.0) if total > 0 else np.inf


@kernel(_nrt=False)
def _surprise_of_leaving(n, ones, lower, upper, t, space):
    """Call ``leaving``."""
    return leaving(n, ones, lower, upper, t, space)
