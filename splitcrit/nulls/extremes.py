"""Scores of 2 x 2 tables that grow with the distance of a cell from its mean, and which tables reach a given score.

With ``n`` observations, ``b`` of them in the first class, and ``x`` of those among the ``m`` to the left, let
``d = n x - m b``. Then ::

    pairwise gain = |d| / 2  =  b (n - b) / 2 * |difference of the two class distribution functions at the cut|
    Gini gain     = 2 d^2 / (n^2 m (n - m))

and SGini is the gain less its null mean over its null standard deviation, both at the margins of the cut.

Main definitions: ``Extreme``, ``EXTREMES`` (the three by name), ``Bar`` (a score that tables are compared with),
``inside`` (the tables that score less), ``inside_each`` (the same with and without ties).
Main results: at a fixed ``m`` each grows with ``|d|``, so that the tables below a score are an interval of ``x``. Its
ends are found in float64; where one is close to an integer, the table there is compared exactly.
Proved: null.score_grows_with_distance.
Source: wang2024, eqs. (8), (15); yang2019, eq. (5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import copysign, sqrt
from typing import Any, Literal, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.nulls import formulas
from splitcrit.nulls.permutation import exact_mean, exact_variance, mean_variance

Bounds = tuple[Array, Array]
Statistic = Literal["sgini", "gini", "pairwise_gain"]
CLOSE = 1e-9  # ends closer to an integer than this, relative to the count, are settled exactly
CLOSER_TO_0 = 1e-6  # the same for a score of 0 or less, where a gain is a difference
FEW_ROWS = 1024  # the moments of all whose cuts are computed at once


@dataclass(frozen=True)
class PairwiseGain:
    """``|d| / 2``; the key is the score."""

    def key(self, n: int, b: int, m: int, d: int) -> Fraction:
        """The key of a table."""
        return Fraction(abs(d), 2)

    def cut(self, n: int, m: Any) -> Any:
        """The part of a cut, or of an array of cuts, that decides the key beside ``d``."""
        return m * 0

    def scores(self, n: int, b: int, m: Array, d: Array) -> Array:
        """The scores of tables in float64."""
        return np.asarray(np.abs(d) / 2)

    def squares(self, n: int, b: int, m: Array, score: float) -> Array:
        """The ``d^2`` at which cuts reach a score, in float64; nan where all tables of a cut score 0."""
        return np.full(len(m), max(2 * score, 0.0) ** 2)

    def score_of(self, key: Fraction) -> float:
        """The score with this key."""
        return float(key)

    def key_of(self, score: Any) -> Fraction:
        """The key of a score."""
        return Fraction(score)


@dataclass(frozen=True)
class GiniGain:
    """``2 d^2 / (n^2 m (n - m))``; the key is the score."""

    def key(self, n: int, b: int, m: int, d: int) -> Fraction:
        return Fraction(2 * d * d, n * n * m * (n - m))

    def cut(self, n: int, m: Any) -> Any:
        return np.minimum(m, n - m)

    def scores(self, n: int, b: int, m: Array, d: Array) -> Array:
        return np.asarray(np.square(d / n) * 2 / (m * (n - m)))

    def squares(self, n: int, b: int, m: Array, score: float) -> Array:
        return np.asarray(max(score, 0.0) * float(n) ** 2 / 2 * (m * (n - m)))

    def score_of(self, key: Fraction) -> float:
        return float(key)

    def key_of(self, score: Any) -> Fraction:
        return Fraction(score)


@dataclass(frozen=True)
class StandardisedGain:
    """The gain standardised by its null law, 0 where the variance is 0; the key is the signed square."""

    def key(self, n: int, b: int, m: int, d: int) -> Fraction:
        above = GINI.key(n, b, m, d) - exact_mean([m, n - m], [b, n - b]).fraction()
        variance = exact_variance([m, n - m], [b, n - b]).fraction()
        square = formulas.signed_square(above, variance) if variance else Fraction(0)
        return square if above > 0 else -square

    def cut(self, n: int, m: Any) -> Any:
        return np.minimum(m, n - m)

    def scores(self, n: int, b: int, m: Array, d: Array) -> Array:
        mean, deviation = _moments(n, b, m)
        return np.asarray((GINI.scores(n, b, m, d) - mean) * np.where(deviation > 0, 1 / deviation, 0.0))

    def squares(self, n: int, b: int, m: Array, score: float) -> Array:
        mean, deviation = _moments(n, b, m)
        unit = float(n) ** 2 / 2 * (m * (n - m))  # in which the gain is ``d^2``
        return np.asarray(np.maximum(mean * unit + score * (deviation * unit), 0))

    def score_of(self, key: Fraction) -> float:
        return copysign(sqrt(abs(key)), key)

    def key_of(self, score: Any) -> Fraction:
        return Fraction(score) * abs(Fraction(score))


GINI = GiniGain()
#: A score of 2 x 2 tables. Its ``key`` is an exact rational that grows with it.
Extreme = PairwiseGain | GiniGain | StandardisedGain
EXTREMES: dict[str, Extreme] = {
    "sgini": StandardisedGain(),
    "gini": GINI,
    "pairwise_gain": PairwiseGain(),
}


def _moments(n: int, b: int, m: Array) -> Array:
    """Mean and standard deviation ``(2, ...)`` of the Gini gain of cuts, the latter nan where it is 0.

    Those of all cuts of few rows are kept, so that columns with any ties share them.
    """
    cuts = np.arange(n + 1) if n <= FEW_ROWS else np.unique(m.astype(np.int64))
    return _moments_at(n, b, cuts.tobytes())[:, m if n <= FEW_ROWS else np.searchsorted(cuts, m)]


@lru_cache(maxsize=4)  # columns of a node without ties have the same cuts
def _moments_at(n: int, b: int, cuts: bytes) -> Array:
    left = np.frombuffer(cuts, np.int64)
    sides = np.stack([left, n - left]).astype(float)
    mean, variance = mean_variance(sides, np.broadcast_to([[float(b)], [float(n - b)]], sides.shape))
    return np.stack([mean, np.where(variance > 0, np.sqrt(variance), np.nan)])


class Place(NamedTuple):
    """Tables of equal score: a cut, of all whose tables score alike, and the distance."""

    m: int
    d: int


@dataclass(frozen=True)
class Bar:
    """A score that tables are compared with, and what it is exactly: that of a place, or of a key.

    The key of a place is computed when it is first needed, which it seldom is.
    """

    statistic: Extreme
    n: int
    b: int
    score: float
    exact: Place | Fraction

    @staticmethod
    def of_table(statistic: Extreme, n: int, b: int, m: int, x: int, score: float) -> Bar:
        """The score of the table with ``x`` ones among ``m``."""
        return Bar(statistic, n, b, score, Place(int(statistic.cut(n, m)), abs(n * x - m * b)))

    @cached_property
    def key(self) -> Fraction:
        """The exact key."""
        return self._key(*self.exact) if isinstance(self.exact, Place) else self.exact

    def above(self, m: Array, x: Array) -> Array:
        """1 where it is above the table with ``x`` ones among ``m``, 0 at the same score, -1 where below."""
        d, m = np.abs(self.n * x - m * self.b), self.statistic.cut(self.n, m)
        signs, at = np.zeros(len(m), np.int64), self.exact
        for i in ((m != at.m) | (d != at.d)).nonzero()[0] if isinstance(at, Place) else range(len(m)):
            other = self._key(int(m[i]), int(d[i]))
            signs[i] = (self.key > other) - (self.key < other)
        return signs

    def _key(self, m: int, d: int) -> Fraction:
        return self.statistic.key(self.n, self.b, m, d)


def inside(bar: Bar, cuts: Array, *, ties: bool = False) -> Bounds:
    """The least and the largest ``x`` of each cut whose score is below the bar.

    With ``ties`` a score that is equal is inside as well. Of a cut where none is inside the least is the larger.

    Examples
    --------
    >>> lower, upper = inside(Bar(PairwiseGain(), 4, 2, 2.0, Fraction(2)), np.array([1, 2]))
    >>> lower.tolist(), upper.tolist()
    ([0, 1], [1, 1])
    """
    (bounds,) = inside_each(bar, cuts, (ties,))
    return bounds


def inside_each(bar: Bar, cuts: Array, each: Sequence[bool]) -> list[Bounds]:
    """The bounds of ``inside`` with or without ties, for each of several; they differ in few places."""
    n = bar.n
    squares = bar.statistic.squares(n, bar.b, cuts, bar.score)
    fixed = (squares != squares).nonzero()[0]
    squares[fixed] = 0.0
    middle, reach = cuts * (bar.b / n), np.minimum(np.sqrt(squares) / n, n + 1)
    ends = np.array([middle - reach, middle + reach])
    inner = np.array([np.ceil(ends[0]), np.floor(ends[1])]).astype(np.int64)
    nearest, close = np.rint(ends), np.maximum(middle, 1) * (CLOSE if bar.score > 0 else CLOSER_TO_0)
    side, at = (np.abs(ends - nearest) <= close).nonzero()
    m, x = cuts[at], nearest[side, at].astype(np.int64)
    above = bar.above(m, x)

    def bounds(ties: bool) -> Bounds:
        settled = inner.copy()
        settled[side, at] = np.where(above >= 1 - ties, x, x + 1 - 2 * side)
        if len(fixed):
            below = bar.above(cuts[fixed], np.zeros_like(fixed)) >= 1 - ties
            settled[:, fixed] = np.where(below, [[0], [n]], [[n], [0]])
        return settled[0], settled[1]

    return [bounds(ties) for ties in each]
