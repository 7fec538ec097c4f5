"""Sums over the cells of a table whose labels are in random order: mean, variance and covariance, for any functions.

``n`` objects have row labels with totals ``a_i`` and column labels with totals ``b_l``; one set of labels is permuted.
Let ``S = sum_il g_il(n_il)`` with any functions of a count, ``R_i = sum_j g_ij(n_ij)`` the part of row i and
``C_l = sum_k g_kl(n_kl)`` that of column l. Then ::

    Cov(S, S') = sum_il Cov( E[R_i | n_il], E[C'_l | n_il] )

a sum over cells, the corners, of the covariance of two functions of one hypergeometric number.

*Why.* ``S S'`` is a sum over ordered pairs of cells (i,j), (k,l). Give each pair to its corner (i,l): all the pairs of
a corner add up to ``R_i C'_l``. Let A be the set of places that carry label l. ``C'_l`` depends on A alone. Given A,
the other labels are permuted uniformly among the other places, of which row i has ``a_i - n_il``: the law of ``R_i``
depends on A through ``n_il`` alone. So given ``n_il`` the two are independent, and ``E[R_i C'_l]`` is
``E[E[R_i | n_il] E[C'_l | n_il]]``.

Main definitions: ``CellSums`` (of one or two sums: ``mean``, ``covariance``), ``steps`` (what that costs); ``window``
(which counts are looked at), ``chances`` (of a hypergeometric number), ``expectations``.
Main results: rows that are equal in total and functions are taken once, and so are columns. Each function is split into
``level + slope (x - c) + rest(x)``. The straight part has expectations without a sum; what its slopes have in common in
a row or a column changes nothing but the mean, and is taken away. So floats add up small numbers, and margins at which
a sum cannot vary, or hardly, do not lose digits. The same lines run on floats, Fractions and symbols.
Source: none for the short form; romano2014 and romano2016 have the variance as sums over three nested counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, floor, sqrt
from typing import Any

import numpy as np

from splitcrit.arguments import Array

LOGARITHM = 70.0  # of 2 / LEFT_OUT
LEFT_OUT = 2e-30  # the chance that is left out of a law in floats, at most: 2 exp(-LOGARITHM) = 8e-31
PLAIN = 500_000  # steps that are taken without compiled code
COMPILED = 100  # steps in the time of a microsecond


def window(n: int, a: int, b: int, exact: bool) -> tuple[int, int]:
    """Return the least and the largest count of a cell that are looked at: all in Fractions, likely ones in floats.

    With ``v`` the least of the binomial variances that bound the law, and ``L = 70``, a count is left out if it is more
    than ``t = L/3 + sqrt(L^2/9 + 2 L v)`` from its mean ``a b / n``. By Bernstein's inequality, which holds for draws
    without replacement as well, the chance of all that is left out is at most ``2 exp(-L) < 1e-30``. With G the largest
    of ``|g_il(x)|`` for any count x, the mean of a sum over ``r k`` cells is then off by at most ``2e-30 r k G``, and a
    covariance by ``1e-29 r k (r + k)^2 G G'``, beside rounding.

    References
    ----------
    hoeffding1963, Theorem 4 (the law of draws without replacement is less spread than that of draws with it).

    Examples
    --------
    >>> window(1000, 200, 100, False), window(1000, 200, 100, True)
    ((0, 97), (0, 100))
    """
    first, last = max(0, a + b - n), min(a, b)
    if exact:
        return first, last
    p, q, mean = a / n, b / n, a * b / n
    spread = min(min(a, n - a) * q * (1 - q), min(b, n - b) * p * (1 - p))
    reach = LOGARITHM / 3 + sqrt(LOGARITHM**2 / 9 + 2 * LOGARITHM * spread)
    return max(first, floor(mean - reach)), min(last, ceil(mean + reach))


def chances(n: int, good: int, draws: int, first: int, last: int, one: Any) -> Array:
    """Return the chances of ``first``, ..., ``last`` good ones among ``draws`` of ``n``, given that it is one of these.

    They are products of ratios of neighbours, outward from the largest. ``one`` is 1 in the numbers asked for.

    Examples
    --------
    >>> from fractions import Fraction
    >>> chances(6, 3, 2, 0, 2, Fraction(1)).tolist()
    [Fraction(1, 5), Fraction(3, 5), Fraction(1, 5)]
    """
    x = np.arange(first, last) * one
    up, down = ways_up(good, draws, x), ways_down(n, good, draws, x)
    top = min(max((good + 1) * (draws + 1) // (n + 2) - first, 0), last - first)
    left = np.multiply.accumulate((down[:top] / up[:top])[::-1])[::-1]
    right = np.multiply.accumulate(up[top:] / down[top:])
    weights = np.concatenate([left, np.array([one]), right])
    return np.asarray(weights / weights.sum())


def ways_up(good: Any, draws: Any, x: Any) -> Any:
    """Return the first part of the ratio ``ways_up / ways_down`` of the chance of ``x + 1`` good ones to that of x."""
    return (good - x) * (draws - x)


def ways_down(n: Any, good: Any, draws: Any, x: Any) -> Any:
    """Return the second part of that ratio."""
    return (x + 1) * (n - good - draws + 1 + x)


def covariance_of(p: Any, row: Any, column: Any) -> Any:
    """Return the covariance of two functions of one number, given its chances and their values."""
    return np.sum(p * (row - np.sum(p * row)) * (column - np.sum(p * column)))


def total_of_corners(times: Any, many: Any, covariances: Any) -> Any:
    """Return the sum over corners of rows and columns of which there are ``times`` and ``many`` equal ones."""
    lines = zip(times, covariances, strict=True)
    return sum(t * sum(m * c for m, c in zip(many, line, strict=True)) for t, line in lines)


def slope_given(slope: Any, others: Any, room: Any) -> Any:
    """Return by how much the expected straight part of a line grows with the count of a corner of this slope.

    ``others`` has of other cells how many there are, slope and total: its count expects ``total / room`` of each place
    that the corner leaves.
    """
    return slope - sum(times * other * (total / room) for times, other, total in others)


def expectations(n: int, good: int, draws: Array, first: int, values: Array, one: Any) -> Array:
    """Return ``E g(X)`` for X good ones among each of ``draws`` of ``n``, with ``values`` of g from ``first`` on.

    Draws for which X lies elsewhere are among what is left out; X is then the nearest count with a value.

    Examples
    --------
    >>> expectations(6, 3, np.array([0, 1, 2]), 0, np.array([0.0, 1.0, 4.0, 9.0]), 1.0).round(9).tolist()
    [0.0, 0.5, 1.4]
    """
    last, found = first + len(values) - 1, []
    if good == n:
        return np.asarray(values[np.clip(draws - first, 0, last - first)])
    for d in draws.tolist():
        low, high = (min(max(x, first), last) for x in (d + good - n, min(good, d)))
        found.append((chances(n, good, d, low, high, one) * values[low - first : high - first + 1]).sum())
    return np.array(found, dtype=values.dtype)


@dataclass(frozen=True)
class Straight:
    """A function of the counts from ``first`` on, as ``level + slope (x - centre) + rest``; rest is 0 at the centre."""

    first: int
    centre: int
    level: Any
    slope: Any
    rest: Array

    @staticmethod
    def of(first: int, mean: float, values: Array) -> Straight:
        """Return the function with these values, with a slope that is nearly its tangent at the mean."""
        at = min(max(round(mean) - first, 0), len(values) - 1)
        left, right = max(at - 1, 0), min(at + 1, len(values) - 1)
        slope, level = (values[right] - values[left]) / max(right - left, 1), values[at]
        rest = values - level - np.arange(-at, len(values) - at) * slope
        return Straight(first, first + at, level, slope, np.asarray(rest))


class CellSums:
    """A sum over cells at fixed margins, its equal rows and columns taken once.

    Parameters
    ----------
    rows, columns
        Totals without zeros.
    cells
        ``cells[s][i][j]``, for each of one or two sums, has the values of ``g_ij`` over ``window(n, a_i, b_j, exact)``.
    exact
        Whether these are Fractions, or symbols.
    one
        1 in other numbers than Fractions.
    """

    def __init__(
        self, rows: Sequence[int], columns: Sequence[int], cells: Sequence[Any], exact: bool = False, one: Any = None
    ) -> None:
        self.n, self.exact, self.one = sum(rows), exact, one or (Fraction(1) if exact else 1.0)
        names: dict[Hashable, int] = {}

        def name(values: Array) -> int:
            return names.setdefault(tuple(values.tolist()) if values.dtype == object else values.tobytes(), len(names))

        named = [[[name(values) for values in row] for row in each] for each in cells]
        self.rows = _groups([(a, *(tuple(each[i]) for each in named)) for i, a in enumerate(rows)])
        lines = [(b, *(each[i][j] for each in named for i, _, _ in self.rows)) for j, b in enumerate(columns)]
        self.columns = _groups(lines)
        self.cells = [
            {(i, j): self._straight(a, b, each[i][j]) for i, a, _ in self.rows for j, b, _ in self.columns}
            for each in cells
        ]
        self.slopes = [self._apart(each) for each in self.cells]
        self.expectations = expectations
        if not exact and steps(rows, columns, exact) > PLAIN and (module := compiled()) is not None:
            self.expectations = module.expectations

    def _straight(self, a: int, b: int, values: Array) -> Straight:
        return Straight.of(window(self.n, a, b, self.exact)[0], a * b / self.n, values)

    def _apart(self, cells: dict[tuple[int, int], Straight]) -> dict[tuple[int, int], Any]:
        """Return the slopes less what they have in common in a row or a column, whose counts have a known sum."""
        n, wide, deep = self.one * self.n, self.columns, self.rows
        row = {i: sum(many * b * cells[i, j].slope for j, b, many in wide) / n for i, _, _ in deep}
        column = {j: sum(times * a * (cells[i, j].slope - row[i]) for i, a, times in deep) / n for j, _, _ in wide}
        return {(i, j): g.slope - row[i] - column[j] for (i, j), g in cells.items()}

    def mean(self, which: int = 0) -> Any:
        """Return the mean of the sum over all orders of the labels."""
        total = 0 * self.one
        for i, a, times in self.rows:
            for j, b, many in self.columns:
                g = self.cells[which][i, j]
                p = chances(self.n, b, a, g.first, g.first + len(g.rest) - 1, self.one)
                straight = g.level + g.slope * (self.one * a * b / self.n - g.centre)
                total += times * many * (straight + (p * g.rest).sum())
        return total

    def covariance(self, first: int = 0, second: int = 0) -> Any:
        """Return the covariance of two of the sums over all orders of the labels; of one with itself, its variance."""
        every = [[self._corner(first, second, i, a, j, b) for j, b, _ in self.columns] for i, a, _ in self.rows]
        return total_of_corners([times for _, _, times in self.rows], [many for _, _, many in self.columns], every)

    def _corner(self, first: int, second: int, i: int, a: int, j: int, b: int) -> Any:
        """Return the covariance of what row i of a and column j of b expect, given the count of their cell."""
        low = self.cells[first][i, j].first
        y = np.arange(low, low + len(self.cells[first][i, j].rest))
        row = self._given(first, i, j, a, b, y, [(t - (o == j), (i, o), c) for o, c, t in self.columns])
        column = self._given(second, i, j, b, a, y, [(t - (o == i), (o, j), c) for o, c, t in self.rows])
        return covariance_of(chances(self.n, b, a, low, low + len(y) - 1, self.one), row, column)

    def _given(self, which: int, i: int, j: int, total: int, across: int, y: Array, others: list[Any]) -> Array:
        """Return the expected part of a line of this total, but for a constant, given each count ``y`` of its corner.

        ``across`` is the total of the other line through the corner, whose places the others do not have; ``others``
        has of other lines across how many there are, their cells and totals.
        """
        cells, slopes, room = self.cells[which], self.slopes[which], self.n - across
        others = [line for line in others if line[0]]
        straight = [(times, slopes[cell], self.one * good) for times, cell, good in others]
        rest = cells[i, j].rest + (y - cells[i, j].centre) * slope_given(slopes[i, j], straight, room)
        for times, cell, good in others:
            g = cells[cell]
            if (g.rest != 0).any():
                rest = rest + times * self.expectations(room, good, total - y, g.first, g.rest, self.one)
        return np.asarray(rest)


def steps(rows: Sequence[int], columns: Sequence[int], exact: bool = False) -> int:
    """Count the terms in the covariance of sums over cells, if lines of equal totals are equal.

    Examples
    --------
    >>> steps([200] * 5, [100] * 10), steps([2, 3], [1, 4], exact=True)
    (19208, 64)
    """
    a, b, n = Counter(rows), Counter(columns), sum(rows)
    wide = {(i, j): w[1] - w[0] + 1 for i in a for j in b for w in [window(n, i, j, exact)]}
    lines = {("row", i): sum(wide[i, j] for j in b) for i in a} | {("column", j): sum(wide[i, j] for i in a) for j in b}
    return sum(w * (lines["row", i] + lines["column", j]) for (i, j), w in wide.items())


@cache
def compiled() -> Any:
    """Return the module with compiled expectations, None without numba."""
    from splitcrit.compiling import numba_is_installed
    from splitcrit.nulls import corner_compiled

    return corner_compiled if numba_is_installed() else None


def _groups(lines: Sequence[tuple[Any, ...]]) -> list[tuple[int, int, int]]:
    """Return the place and the total of each different line, and how often it occurs."""
    times = Counter(lines)
    return [(i, line[0], times.pop(line)) for i, line in enumerate(lines) if line in times]
