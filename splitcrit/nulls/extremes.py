"""Scores of 2 x 2 tables that grow with the distance of a cell from its mean, and which tables reach a given score.

With ``n`` observations, ``b`` of them in the first class, and ``x`` of those among the ``m`` to the left, let
``d = n x - m b``. Then ::

    pairwise gain = |d| / 2  =  b (n - b) / 2 * |difference of the two class distribution functions at the cut|
    Gini gain     = 2 d^2 / (n^2 m (n - m))

and SGini is the gain less its null mean over its null standard deviation, both at the margins of the cut.

Main definitions: ``Extreme``, ``EXTREMES`` (the three by name), ``inside``.
Main results: at a fixed ``m`` each grows with ``|d|``, so that the tables below a score are an interval of ``x``. Its
ends are found in float64 and, where they are close to an integer, settled in integers.
Proved: null.score_grows_with_distance.
Source: wang2024, eqs. (8), (15); yang2019, eq. (5).
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, copysign, isqrt, sqrt
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from splitcrit.nulls import formulas
from splitcrit.nulls.permutation import exact_mean, exact_variance, mean_variance

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
    """The gain standardised by its null law, 0 where the variance is 0; the key is the signed square."""

    def key(self, n: int, b: int, m: int, d: int) -> Fraction:
        above = GINI.key(n, b, m, d) - exact_mean([m, n - m], [b, n - b])
        variance = exact_variance([m, n - m], [b, n - b])
        square = formulas.signed_square(above, variance) if variance else Fraction(0)
        return square if above > 0 else -square

    def least(self, n: int, b: int, m: int, key: Fraction) -> int:
        near = _root(Fraction(float(self.squares(n, b, np.array([float(m)]), key)[0])))
        for least in (near, near + 1):
            if self.key(n, b, m, least) >= key and (least == 0 or self.key(n, b, m, least - 1) < key):
                return least
        return bisect_left(range(n * n), key, key=lambda d: self.key(n, b, m, d))

    def squares(self, n: int, b: int, m: Array, key: Fraction) -> Array:
        classes = np.full((2, len(m)), [[b], [n - b]], dtype=float)
        mean, variance = mean_variance(np.stack([m, n - m]), classes)
        gain = np.maximum(mean + self.score(key) * np.sqrt(variance), 0)
        return np.asarray(np.where(variance > 0, gain * float(n) ** 2 * m * (n - m) / 2, 0.0))

    def score(self, key: Fraction) -> float:
        return copysign(sqrt(abs(key)), key)

    def key_of(self, score: Any) -> Fraction:
        return Fraction(score) * abs(Fraction(score))


GINI = GiniGain()
EXTREMES: dict[str, Extreme] = {
    "sgini": StandardisedGain(),
    "gini": GINI,
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
