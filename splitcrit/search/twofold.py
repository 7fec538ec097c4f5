"""Sums that cancel, kept as a float64 and the rest of it: one more kind of number, on which formulas run.

Main definitions: ``Double``, ``running`` (sums that depend on nothing before a segment), ``within``, ``two_sum``,
``two_product``; ``pair``, ``product``, ``value`` (what loops make of doubles: of numba where it compiles).
Main results: products and sums of two float64 numbers are exact as pairs (Dekker, Knuth); a running sum adds integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array

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


class Double:
    """Numbers of some 31 digits: a float64 array and what is missing from it.

    Examples
    --------
    >>> third = Double(1.0) / 3
    >>> (3 * third - 1).value()
    0.0
    """

    __slots__ = ("high", "low")
    __array_ufunc__ = None  # an array on the left leaves the operation to it

    def __init__(self, high: Any, low: Any = 0.0) -> None:
        self.high, self.low = high, low

    def value(self) -> Any:
        """Return the numbers in float64."""
        return self.high + self.low

    def __add__(self, other: Any) -> Double:
        other = _double(other)
        high, rest = two_sum(self.high, other.high)
        return Double(*two_sum(high, rest + (self.low + other.low)))

    def __neg__(self) -> Double:
        return Double(-self.high, -self.low)

    def __sub__(self, other: Any) -> Double:
        return self + -_double(other)

    def __rsub__(self, other: Any) -> Double:
        return _double(other) - self

    def __mul__(self, other: Any) -> Double:
        other = _double(other)
        high, rest = two_product(self.high, other.high)
        return Double(*two_sum(high, rest + (self.high * other.low + self.low * other.high)))

    def __truediv__(self, other: Any) -> Double:
        other = _double(other)
        quotient = self.high / other.high
        return Double(*two_sum(quotient, (self - other * Double(quotient)).value() / other.high))

    def __rtruediv__(self, other: Any) -> Double:
        return _double(other) / self

    def __pow__(self, power: int) -> Double:
        found = self
        for _ in range(power - 1):
            found = found * self
        return found

    __radd__, __rmul__ = __add__, __mul__


pair, value = Double, Double.value


def product(a: Any, b: Any) -> Double:
    """Return the product of floats, exactly."""
    return Double(*two_product(a, b))


def _double(x: Any) -> Double:
    return x if isinstance(x, Double) else Double(x)


def running(terms: Double, starts: Array) -> Double:
    """Return the running sums of numbers within segments that begin at ``starts``.

    The sums are of integers on a grid, so that they do not depend on the segments before; what is below the grid is
    added in float64.
    """
    high, low = terms.high, terms.low
    if len(high) == 0:
        return terms
    most = float(np.abs(high).max())
    bits = 61 - len(high).bit_length()
    grid = 2.0 ** (np.frexp(most)[1] - bits) if most else 1.0
    whole = np.rint(high / grid)
    sums = within(np.cumsum(whole.astype(np.int64)), starts)
    rest = within(np.cumsum((high - whole * grid) + low), starts)
    top = sums >> 30 << 30  # both parts of the integer are exact in float64
    found: Double = Double(top.astype(np.float64) * grid) + (sums - top).astype(np.float64) * grid + rest
    return found


def within(sums: Array, starts: Array) -> Array:
    """Return running sums less what they were before each segment."""
    before = np.concatenate([np.zeros(1, sums.dtype), sums])[starts]
    return np.asarray(sums - np.repeat(before, np.diff(np.append(starts, len(sums)))))
