"""Scores of 2 x 2 tables that grow with the distance of a cell from its mean, and which tables reach a given score.

With ``n`` observations, ``b`` of them in the first class, and ``x`` of those among the ``m`` to the left, let
``d = n x - m b``. Then ::

    pairwise gain = |d| / 2  =  b (n - b) / 2 * |difference of the two class distribution functions at the cut|
    Gini gain     = 2 d^2 / (n^2 m (n - m))

and SGini is the gain less its null mean over its null standard deviation, both at the margins of the cut.

Main definitions: ``Extreme``, ``EXTREMES`` (the three by name), ``Bar`` (a score that tables are compared with),
``inside``.
Main results: at a fixed ``m`` each grows with ``|d|``, so that the tables below a score are an interval of ``x``. Its
ends are found in float64; where one is close to an integer, the table there is compared exactly.
Proved: null.score_grows_with_distance.
Source: wang2024, eqs. (8), (15); yang2019, eq. (5).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import copysign, sqrt
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from splitcrit.nulls import formulas
from splitcrit.nulls.permutation import exact_mean, exact_variance, mean_variance

Array = NDArray[Any]
Statistic = Literal["sgini", "gini", "pairwise_gain"]
CLOSE = 1e-9  # ends closer to an integer than this, relative to the count, are settled exactly
CLOSER_TO_0 = 1e-6  # the same for a score of 0 or less, where a gain is a difference


class Extreme(Protocol):
    """A score of 2 x 2 tables. Its ``key`` is an exact rational that grows with it."""

    def key(self, n: int, b: int, m: int, d: int) -> Fraction:
        """Return the key of a table."""

    def scores(self, n: int, b: int, m: Array, d: Array) -> Array:
        """Return the scores of tables in float64."""

    def squares(self, n: int, b: int, m: Array, score: float) -> Array:
        """Return the ``d^2`` at which cuts reach a score, in float64; nan where all tables of a cut score 0."""

    def score_of(self, key: Fraction) -> float:
        """Return the score with this key."""

    def key_of(self, score: Any) -> Fraction:
        """Return the key of a score."""


@dataclass(frozen=True)
class PairwiseGain:
    """``|d| / 2``; the key is the score."""

    def key(self, n: int, b: int, m: int, d: int) -> Fraction:
        return Fraction(abs(d), 2)

    def scores(self, n: int, b: int, m: Array, d: Array) -> Array:
        return np.asarray(np.abs(d) / 2)

    def squares(self, n: int, b: int, m: Array, score: float) -> Array:
        return np.full(len(m), max(2 * score, 0.0) ** 2)

    def score_of(self, key: Fraction) -> float:
        return float(key)

    def key_of(self, score: Any) -> Fraction:
        return Fraction(score)


@dataclass(frozen=True)
class GiniGain:
    """``2 d^2 / (n^2 m (n - m))``; the key is the score."""

    def key(self, n: int, b: int, m: int, d: int) -> Fraction:
        return Fraction(2 * d * d, n * n * m * (n - m))

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
        above = GINI.key(n, b, m, d) - exact_mean([m, n - m], [b, n - b])
        variance = exact_variance([m, n - m], [b, n - b])
        square = formulas.signed_square(above, variance) if variance else Fraction(0)
        return square if above > 0 else -square

    def scores(self, n: int, b: int, m: Array, d: Array) -> Array:
        mean, deviation = (part[m] for part in _moments(n, b))
        return np.asarray(np.nan_to_num((GINI.scores(n, b, m, d) - mean) / deviation))

    def squares(self, n: int, b: int, m: Array, score: float) -> Array:
        mean, deviation = (part[m] for part in _moments(n, b))
        return np.asarray(np.maximum(mean + score * deviation, 0) * (float(n) ** 2 / 2) * (m * (n - m)))

    def score_of(self, key: Fraction) -> float:
        return copysign(sqrt(abs(key)), key)

    def key_of(self, score: Any) -> Fraction:
        return Fraction(score) * abs(Fraction(score))


GINI = GiniGain()
EXTREMES: dict[str, Extreme] = {
    "sgini": StandardisedGain(),
    "gini": GINI,
    "pairwise_gain": PairwiseGain(),
}


@lru_cache(maxsize=4)
def _moments(n: int, b: int) -> tuple[Array, Array]:
    """Return mean and standard deviation of the Gini gain for ``m = 0, ..., n``, nan for the latter where it is 0.

    All features of a node share them, whatever their ties.
    """
    m = np.arange(n + 1.0)
    mean, variance = mean_variance(np.stack([m, n - m]), np.broadcast_to([[float(b)], [float(n - b)]], (2, n + 1)))
    found = mean, np.where(variance > 0, np.sqrt(variance), np.nan)
    for part in found:
        part.setflags(write=False)
    return found


class Place(NamedTuple):
    """A table, by what its key depends on: of two cuts that mirror one another the first, and the distance."""

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

    @cached_property
    def key(self) -> Fraction:
        """The exact key."""
        return self._key(self.exact) if isinstance(self.exact, Place) else self.exact

    def above(self, m: int, x: int) -> int:
        """Return 1 if it is above the table with ``x`` ones among ``m``, 0 at the same score, -1 if it is below."""
        place = place_of(self.n, self.b, m, x)
        if place == self.exact:
            return 0
        other = self._key(place)
        return (self.key > other) - (self.key < other)

    def _key(self, place: Place) -> Fraction:
        return self.statistic.key(self.n, self.b, *place)


def place_of(n: int, b: int, m: int, x: int) -> Place:
    """Return the place of the table with ``x`` ones among ``m``."""
    return Place(min(m, n - m), abs(n * x - m * b))


def inside(bar: Bar, cuts: Array, *, ties: bool = False) -> tuple[Array, Array]:
    """Return for ``m = 0, ..., n`` the least and the largest ``x`` whose score is below the bar; all, if not a cut.

    With ``ties`` a score that is equal is inside as well. Of a cut where none is inside the least is the larger.

    Examples
    --------
    >>> lower, upper = inside(Bar(PairwiseGain(), 4, 2, 2.0, Fraction(2)), np.array([2]))
    >>> lower.tolist(), upper.tolist()
    ([0, 0, 1, 0, 0], [4, 4, 1, 4, 4])
    """
    n, b = bar.n, bar.b
    lower, upper = np.zeros(n + 1, np.int64), np.full(n + 1, n)
    squares = bar.statistic.squares(n, b, cuts, bar.score)
    middle, reach = cuts * (b / n), np.minimum(np.sqrt(squares) / n, n + 1)
    close = np.maximum(middle, 1) * (CLOSE if bar.score > 0 else CLOSER_TO_0)
    most, constant = np.minimum(cuts, b), np.isnan(squares)
    for bound, end, up in ((lower, middle - reach, True), (upper, middle + reach, False)):
        nearest = np.rint(end)
        bound[cuts] = np.where(constant, 0, np.ceil(end) if up else np.floor(end))
        near = np.flatnonzero((np.abs(end - nearest) <= close) & (nearest >= 0) & (nearest <= most))
        for m, x in zip(cuts[near].tolist(), nearest[near].astype(np.int64).tolist(), strict=True):
            bound[m] = x if bar.above(m, x) >= 1 - ties else x + (1 if up else -1)
    for m in cuts[constant].tolist():
        lower[m], upper[m] = (0, n) if bar.above(m, 0) >= 1 - ties else (n, 0)
    return lower, upper
