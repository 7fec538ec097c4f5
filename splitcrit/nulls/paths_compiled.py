"""The walk of ``paths`` in compiled code: the same operations, and the same bits.

After ``m`` labels a path has ``x`` ones, and ``numbers[x] 2^exponents[x]`` is the number of paths that have come there
and stayed inside: vectors ``(ones + 2,)``, indexed by ``x``, of which only ``at <= x <= to`` is read. ``low`` and
``high (n + 1,)`` bound ``x`` after each ``m``. Paths that leave go to ``space (4, ...)``, a column an exit: its ``m``
and ``x``, the number of paths and its exponent. A place costs one sum and one product for each ``x`` inside.

Main definitions: ``walk``; ``leaving``, for compiled loops.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from __future__ import annotations

from math import frexp, ldexp

import numpy as np

from splitcrit.compiling import called, kernel
from splitcrit.nulls import hypergeometric
from splitcrit.nulls.hypergeometric import FAR, LOG2, NEAR, SPREAD, STEEP

log_choose = called(hypergeometric.log_choose, _nrt=False)


@called(_nrt=False)
def _scaled(ones, at, to, numbers, exponents, ratios):
    """Scale the numbers inside, and bring the ratios up to date; return for how many places that lasts."""
    # ratios[x] is 2^(exponents[x - 1] - exponents[x]), by which what comes from x - 1 is multiplied.
    steepest, least, most = 1.0, 2**31, -(2**31)
    for x in range(at, to + 1):
        numbers[x], more = frexp(numbers[x])
        exponents[x] += more
        least, most = min(least, exponents[x]), max(most, exponents[x])
    # All on one exponent where floats can hold the spread: the ratios are then 1.
    if most - least <= SPREAD:
        for x in range(at, to + 1):
            numbers[x] = ldexp(numbers[x], int(exponents[x] - most))
            exponents[x] = most
    # A place adds one x at the upper end, so that FAR more must have an exponent before the next scaling.
    for x in range(at + 1, min(to + FAR, ones) + 1):
        if x > to:
            exponents[x] = exponents[to]
        ratios[x] = ldexp(1.0, int(exponents[x - 1] - exponents[x]))
        steepest = max(steepest, ratios[x])
    return FAR if steepest <= STEEP else NEAR


@called(_nrt=False)
def _walk(ones, low, high, m, end, at, to, numbers, exponents, ratios, others, space):
    # Paths come to x from x - 1, by a label of one, or from x; numbers and others take turns as before and after.
    # Before each turn numbers[at:to + 1] are those after m - 1 labels, all inside; due is where they must be scaled.
    due, exits, start = m, 0, numbers
    while m < end and at <= to:
        if m == due:
            due += _scaled(ones, at, to, numbers, exponents, ratios)
        # The lowest x has no left neighbour, and nothing has come to the one above the highest.
        numbers[to + 1], others[at], to = 0.0, numbers[at], min(to, ones - 1) + 1
        left, here = numbers[at:to], numbers[at + 1 : to + 1]
        ratio, new = ratios[at + 1 : to + 1], others[at + 1 : to + 1]
        for i in range(len(new)):
            new[i] = here[i] + left[i] * ratio[i]
        numbers, others = others, numbers
        # What has left the region goes to space, with its place: it is summed up at the end, and not followed.
        while at < low[m] and at <= to:
            space[0, exits], space[1, exits], space[2, exits], space[3, exits] = m, at, numbers[at], exponents[at]
            at, exits = at + 1, exits + 1
        while to > high[m] and at <= to:
            space[0, exits], space[1, exits], space[2, exits], space[3, exits] = m, to, numbers[to], exponents[to]
            to, exits = to - 1, exits + 1
        m += 1
    # After an odd number of turns the last numbers lie in the other vector; the caller looks in the first.
    for x in range(at, to + 1):
        start[x] = numbers[x]
    return m, at, to, exits


@kernel(_nrt=False)
def walk(ones, low, high, m, end, at, to, numbers, exponents, ratios, others, space):
    """Walk on as ``paths.by_arrays`` does."""
    return _walk(ones, low, high, m, end, at, to, numbers, exponents, ratios, others, space)


@called
def leaving(n, ones, lower, upper, t):
    """``-log P`` of the probability that a path leaves; infinity if it cannot. The bounds are changed."""
    last = 0
    # lower and upper (n + 1,) count ones; beyond the last m that bounds anything, no path can leave.
    for m in range(1, n):
        least, most = max(0, m - n + ones), min(m, ones)
        if lower[m] > least or upper[m] < most:
            last = m
        lower[m], upper[m] = max(lower[m], least), min(upper[m], most)
    size = ones + 2
    numbers, space = np.zeros(size), np.empty((4, n + size))
    numbers[0] = 1.0
    state = numbers, np.zeros(size, np.int32), np.ones(size), np.empty(size)
    _, at, to, exits = _walk(ones, lower, upper, 1, last + 1, 0, 0, *state, space)
    if at > to:
        return 0.0
    top, total = -np.inf, 0.0  # log of the largest summand, and the sum over it
    for i in range(exits):
        m, x = int(space[0, i]), int(space[1, i])
        # No path of the remaining labels leads on from here: the chance of this place is 0.
        if x < m - n + ones:
            continue
        log = np.log(space[2, i]) + space[3, i] * LOG2 + log_choose(n - m, ones - x, t)
        if log > top:
            top, total = log, total * np.exp(top - log) + 1.0
        else:
            total += np.exp(log - top)
    return max(log_choose(n, ones, t) - top - np.log(total), 0.0) if total > 0 else np.inf
