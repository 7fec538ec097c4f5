"""The compiled scan of chance-corrected gains; see ``chance``.

Main definitions: ``by_chance``; ``surprise``, the twin of ``nulls.tails.surprise``.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from splitcrit.search.chance import TAIL

PRECISION = 3e-16
LONGEST = 100_000


@numba.njit(cache=True, nogil=True)
def surprise(shape, reach):  # type: ignore[no-untyped-def]
    """Return ``-log Q(shape, reach)``: by the series of ``1 - Q`` near 0, by Legendre's continued fraction beyond."""
    if reach <= 0.0:
        return 0.0
    front = shape * math.log(reach) - reach - math.lgamma(shape)
    if reach < shape + 1.0:
        term = 1.0 / shape
        total = term
        for n in range(1, LONGEST):
            term *= reach / (shape + n)
            total += term
            if term < PRECISION * total:
                break
        return -math.log1p(-min(total * math.exp(front), 1.0 - PRECISION))
    b = reach + 1.0 - shape
    d, c = 1.0 / b, np.inf
    value = d
    for n in range(1, LONGEST):
        a = n * (shape - n)
        b += 2.0
        d, c = 1.0 / (b + a * d), b + a / c
        value *= c * d
        if abs(c * d - 1.0) < PRECISION:
            break
    return -front - math.log(value)


@numba.njit(cache=True, nogil=True)
def most(shape, reach):  # type: ignore[no-untyped-def]
    """Return an upper bound of ``surprise``, which grows with ``reach``, from the first convergent of the fraction.

    ``Gamma(a, x) >= x^a e^-x / (x + 1 - a)`` for ``a <= 1``, and ``>= x^(a - 1) e^-x`` for ``a >= 1``.
    """
    x = max(reach, shape + 1.0)
    below = x + 1.0 - shape if shape < 1.0 else x
    return x - shape * math.log(x) + math.lgamma(shape) + math.log(below)


@numba.njit(cache=True, nogil=True)
def by_chance(order, column, start, stop, totals, sums, steps, table, kind, bits, least, constants, floor, seen):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite) or the first place whose score reaches ``floor``.

    A tail is computed only where its bound does not fall short, by more than rounding, of the best and of ``floor``.
    """
    mask = (1 << bits) - 1
    size = stop - start
    whole, mean = constants[0], constants[1]
    seen[:] = 0
    left, right, top = 0.0, sums, -np.inf
    wanted = floor if floor < np.inf else -np.inf
    for i in range(start, stop - least):
        c = order[i] & mask
        n = seen[c]
        left += steps[n]
        seen[c] = n + 1
        right -= steps[totals[c] - n - 1]
        m = i - start + 1
        if m < least or column[order[i] >> bits] == column[order[i + 1] >> bits]:
            continue
        rest = size - m
        gain = left * table[m] + right * table[rest] - whole
        apart = float(m - rest)
        spread = constants[2] * apart * apart + constants[3] * (m - 1.0) * (rest - 1.0) + constants[4]
        variance = spread * table[m] * table[rest]
        if kind != TAIL:
            score = gain - mean - math.sqrt(variance)
        elif variance > 0.0:
            shape, reach = mean * mean / variance, gain * mean / variance
            if most(shape, reach) < wanted - 1e-9 * (1.0 + abs(wanted)):
                continue
            score = surprise(shape, reach)
        else:
            score = 0.0
        if score > top:
            top = score
            wanted = max(wanted, top)
            if score >= floor:
                return float(i)
    return top
