"""Sums that cancel, kept as a float64 and the rest of it, and running sums that depend on nothing before a segment.

Main definitions: ``two_sum``, ``two_product``, ``quotient``, ``difference``, ``running``, ``within``.
Main results: products and sums of two float64 numbers are exact as pairs (Dekker, Knuth); a running sum adds integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Pair = tuple[Any, Any]
SPLITTER = 2.0**27 + 1


def two_sum(a: Any, b: Any) -> Pair:
    """Return ``a + b`` as its float64 and the exact rest."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def two_product(a: Any, b: Any) -> Pair:
    """Return ``a b`` as its float64 and the exact rest, for factors below 2^996."""
    p = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    return p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


def _halves(a: Any) -> Pair:
    scaled = SPLITTER * a
    high = scaled - (scaled - a)
    return high, a - high


def quotient(pair: Pair, divisor: Any) -> Pair:
    """Return a pair over a float64."""
    high, low = pair
    q = high / divisor
    p, rest = two_product(q, divisor)
    return two_sum(q, ((high - p) - rest + low) / divisor)


def difference(one: Pair, other: Pair) -> Pair:
    """Return one pair minus another."""
    high, rest = two_sum(one[0], -other[0])
    return two_sum(high, rest + (one[1] - other[1]))


def running(pair: Pair, starts: Array) -> Pair:
    """Return the running sums of pairs within segments that begin at ``starts``, as pairs.

    The sums are of integers on a grid, so that they do not depend on the segments before; what is below the grid is
    added in float64.
    """
    high, low = pair
    if len(high) == 0:
        return high, low
    most = float(np.abs(high).max())
    bits = 61 - len(high).bit_length()
    grid = 2.0 ** (np.frexp(most)[1] - bits) if most else 1.0
    whole = np.rint(high / grid)
    sums = within(np.cumsum(whole.astype(np.int64)), starts)
    rest = within(np.cumsum((high - whole * grid) + low), starts)
    top = sums >> 30 << 30  # both parts of the integer are exact in float64
    return two_sum(top.astype(np.float64) * grid, (sums - top).astype(np.float64) * grid + rest)


def within(sums: Array, starts: Array) -> Array:
    """Return running sums less what they were before each segment."""
    before = np.concatenate([np.zeros(1, sums.dtype), sums])[starts]
    return np.asarray(sums - np.repeat(before, np.diff(np.append(starts, len(sums)))))
