"""Scores of 2 x 2 tables that grow with the distance of a cell from its mean, and which tables reach a given score.

With ``n`` observations, ``b`` of them in the first class, and ``x`` of those among the ``m`` to the left, let
``d = n x - m b`` and ``R = (n - 1) d^2 - m (n - m) b (n - b)``. Then ::

    pairwise gain = |d| / 2  =  b (n - b) / 2 * |difference of the two class distribution functions at the cut|
    Gini gain     = 2 d^2 / (n^2 m (n - m))
    SGini         = R (n - 2) sqrt(n - 3) / sqrt(m (n - m) b (n - b) w)
    w             = (n - 1)(n - 3)(n - 2m)^2 (n - 2b)^2 + 2 n^3 (m - 1)(n - m - 1)(b - 1)(n - b - 1)

Main definitions: ``Extreme``, ``EXTREMES`` (the three by name), ``inside``.
Main results: at a fixed ``m`` each grows with ``|d|``, so that the tables below a score are an interval of ``x``. Its
ends are found in float64 and, where they are close to an integer, settled in integers.
Proved: selection.score_grows_with_distance.
Source: wang2024, eqs. (8), (15); yang2019, eq. (5).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, copysign, isqrt, sqrt
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Statistic = Literal["sgini", "gini", "pairwise_gain"]
CLOSE = 1e-6  # ends closer to an integer than this, relative to the count, are settled in integers


class Extreme(Protocol):
    """A score of 2 x 2 tables. Its ``key`` is an exact rational that grows with it."""

    def key(self, n: int, b: int, m: int, d: int) -> Fraction:
        """Return the key of a table."""

    def least(self, n: int, b: int, m: int, key: Fraction) -> int:
        """Return the least ``|d|`` at a cut whose key is at least the one given."""

    def squares(self, n: int, b: int, m: Array, key: Fraction) -> Array:
        """Return the square of that ``|d|``, before it is rounded up, in float64."""

    def score(self, key: Fraction) -> float:
        """Return the score with this key."""

    def key_of(self, score: Any) -> Fraction:
        """Return the key of a score."""


@dataclass(frozen=True)
class PairwiseGain:
    """``|d| / 2``; the key is the score."""

    def key(self, n: int, b: int, m: int, d: int) -> Fraction:
        return Fraction(abs(d), 2)

    def least(self, n: int, b: int, m: int, key: Fraction) -> int:
        return max(ceil(2 * key), 0)

    def squares(self, n: int, b: int, m: Array, key: Fraction) -> Array:
        return np.full(len(m), max(2 * float(key), 0.0) ** 2)

    def score(self, key: Fraction) -> float:
        return float(key)

    def key_of(self, score: Any) -> Fraction:
        return Fraction(score)


@dataclass(frozen=True)
class GiniGain:
    """``2 d^2 / (n^2 m (n - m))``; the key is the score."""

    def key(self, n: int, b: int, m: int, d: int) -> Fraction:
        return Fraction(2 * d * d, n * n * m * (n - m))

    def least(self, n: int, b: int, m: int, key: Fraction) -> int:
        return _root(key * n * n * m * (n - m) / 2)

    def squares(self, n: int, b: int, m: Array, key: Fraction) -> Array:
        return np.asarray(float(key) * float(n) ** 2 * m * (n - m) / 2)

    def score(self, key: Fraction) -> float:
        return float(key)

    def key_of(self, score: Any) -> Fraction:
        return Fraction(score)


@dataclass(frozen=True)
class StandardisedGain:
    """``R / sqrt(s)``, 0 where ``s`` is 0; the key is the signed square."""

    def key(self, n: int, b: int, m: int, d: int) -> Fraction:
        spread, r = _spread(n, b, m), (n - 1) * d * d - m * (n - m) * b * (n - b)
        return r * abs(r) / spread if spread else Fraction(0)

    def least(self, n: int, b: int, m: int, key: Fraction) -> int:
        spread = _spread(n, b, m)
        if not spread:
            return 0 if key <= 0 else n * n
        square = key * spread
        r = _root(square) if key > 0 else -isqrt(-square.numerator // square.denominator)
        return _root(Fraction(r + m * (n - m) * b * (n - b), n - 1))

    def squares(self, n: int, b: int, m: Array, key: Fraction) -> Array:
        if n <= 3:
            return np.zeros(len(m))
        sides = m * (n - m) * float(b * (n - b))
        w = (n - 1) * (n - 3) * ((n - 2 * m) * (n - 2 * b)) ** 2
        w = w + 2 * float(n) ** 3 * (m - 1) * (n - m - 1) * ((b - 1) * (n - b - 1))
        root = self.score(key) / ((n - 2) * sqrt(n - 3)) * np.sqrt(w * sides)
        return np.asarray(np.where(w > 0, np.maximum(root + sides, 0) / (n - 1), 0.0))

    def score(self, key: Fraction) -> float:
        return copysign(sqrt(abs(key)), key)

    def key_of(self, score: Any) -> Fraction:
        return Fraction(score) * abs(Fraction(score))


EXTREMES: dict[str, Extreme] = {
    "sgini": StandardisedGain(),
    "gini": GiniGain(),
    "pairwise_gain": PairwiseGain(),
}


def inside(
    statistic: Extreme, n: int, b: int, cuts: Array, key: Fraction, *, ties: bool = False
) -> tuple[Array, Array]:
    """Return for ``m = 0, ..., n`` the least and the largest ``x`` whose score is below one; all, if not a cut.

    With ``ties`` a score that is equal is inside as well.

    Examples
    --------
    >>> lower, upper = inside(PairwiseGain(), 4, 2, np.array([2]), Fraction(2))
    >>> lower.tolist(), upper.tolist()
    ([0, 0, 1, 0, 0], [4, 4, 1, 4, 4])
    """
    lower, upper = np.zeros(n + 1, np.int64), np.full(n + 1, n)
    m = cuts.astype(np.float64)
    squares = statistic.squares(n, b, m, key)
    reach = np.sqrt(squares)
    low, high = (m * b - reach) / n, (m * b + reach) / n
    near = np.maximum(m * b / n, 1) * CLOSE
    clear = (squares > 0) & (np.abs(low - np.round(low)) > near) & (np.abs(high - np.round(high)) > near)
    lower[cuts], upper[cuts] = np.ceil(low), np.floor(high)
    for at in cuts[~clear].tolist():
        t = statistic.least(n, b, at, key)
        lower[at], upper[at] = -((t - 1 - at * b) // n), (at * b + t - 1) // n
        if ties:
            lower[at] -= statistic.key(n, b, at, n * (int(lower[at]) - 1) - at * b) == key
            upper[at] += statistic.key(n, b, at, n * (int(upper[at]) + 1) - at * b) == key
    return lower, upper


def _root(square: Fraction) -> int:
    """Return the least integer, 0 or more, whose square is at least the number."""
    return 0 if square <= 0 else isqrt(ceil(square) - 1) + 1


def _spread(n: int, b: int, m: int) -> Fraction:
    """Return ``s = m (n - m) b (n - b) w / ((n - 2)^2 (n - 3))``, and what it stands for where that is 0/0."""
    if n < 3:
        return Fraction(0)
    sides = m * (n - m) * b * (n - b)
    uneven = ((n - 2 * m) * (n - 2 * b)) ** 2
    if n == 3:
        return Fraction(2 * sides * uneven)
    w = (n - 1) * (n - 3) * uneven + 2 * n**3 * (m - 1) * (n - m - 1) * (b - 1) * (n - b - 1)
    return Fraction(sides * w, (n - 2) ** 2 * (n - 3))
