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
(which counts are looked at), ``chances`` (of hypergeometric numbers), ``expectations``.
Main results: rows that are equal in total and functions are taken once, and so are columns. Each function is split into
``level + slope (x - c) + rest(x)``. The straight part has expectations without a sum; what its slopes have in common in
a row or a column changes nothing but the mean, and is taken away. So floats add up small numbers, and margins at which
a sum cannot vary, or hardly, do not lose digits. The same lines run on arrays of floats, of Fractions and of numbers of
mpmath: all cells at once, each padded to the widest window.
Source: none for the short form; romano2014 and romano2016 have the variance as sums over three nested counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from splitcrit.arguments import Array

LOGARITHM = 70.0  # at least log(2 / LEFT_OUT)
LEFT_OUT = 2e-30  # the chance that is left out of a law in floats, at most: 2 exp(-LOGARITHM) = 8e-31
QUICK = 100  # steps in the time of a microsecond
CELLS = 2**20  # numbers of laws at a time


def window(n: Any, a: Any, b: Any, exact: bool) -> tuple[Any, Any]:
    """The least and the largest count of a cell that are looked at: all in Fractions, likely ones in floats.

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
    >>> [int(end) for exact in (False, True) for end in window(1000, 200, 100, exact)]
    [0, 97, 0, 100]
    """
    first, last = np.maximum(0, a + b - n), np.minimum(a, b)
    # No t is less than 2 L / 3, so that of fewer counts none is left out.
    if exact or (last - first).max(initial=0) < 2 * LOGARITHM / 3:
        return first, last
    p, q = a / n, b / n
    mean, spread = p * b, np.minimum(np.minimum(a, n - a) * q * (1 - q), np.minimum(b, n - b) * p * (1 - p))
    reach = LOGARITHM / 3 + np.sqrt(LOGARITHM**2 / 9 + 2 * LOGARITHM * spread)
    low, high = (each.astype(np.int64) for each in (np.floor(mean - reach), np.ceil(mean + reach)))
    return np.maximum(first, low), np.minimum(last, high)


def chances(n: Any, good: Any, draws: Any, first: Any, last: Any, one: Any) -> Array:
    """The chances of ``first``, ..., ``last`` good ones among ``draws`` of ``n``, given that it is one of these.

    They are products of ratios of neighbours, outward from the largest. ``one`` is 1 in the numbers asked for. Of
    arrays the laws are in a last axis, with zeros behind the last count.

    Examples
    --------
    >>> from fractions import Fraction
    >>> chances(6, 3, 2, 0, 2, Fraction(1)).tolist()
    [Fraction(1, 5), Fraction(3, 5), Fraction(1, 5)]
    """
    n, good, draws, first, last = (np.asarray(each)[..., None] for each in (n, good, draws, first, last))
    x = first + np.arange(int((last - first).max(initial=0)))
    top = np.minimum(np.maximum(((good + 1) / (n + 2) * (draws + 1)).astype(np.int64), first), last) - first
    weights = outward(ways_up(good, draws, x * one), ways_down(n, good, draws, x * one), top, last - first, one)
    # A running sum, to which zeros that follow add nothing, in any bit.
    return np.asarray(weights / weights.cumsum(axis=-1)[..., -1:])


def outward(up: Array, down: Array, top: Array, last: Any, one: Any) -> Array:
    """Products ``(..., w + 1)`` of the ratios ``up/down`` ``(..., w)`` of neighbours: 1 at the place ``top``.

    Those of the places before it are products of the inverse ratios; behind the place ``last`` they are 0.

    Examples
    --------
    >>> outward(np.array([1.0, 3.0]), np.array([2.0, 1.0]), np.array([1]), 2, 1.0).tolist()
    [2.0, 1.0, 3.0]
    """
    place = np.arange(up.shape[-1])
    before = place < top
    ratio = np.where(before, down, up) / np.where(before, up, down)
    products = np.empty((*ratio.shape[:-1], len(place) + 1), ratio.dtype)
    products[..., -1] = one
    np.multiply.accumulate(np.where(before, ratio, one)[..., ::-1], axis=-1, out=products[..., -2::-1])
    falling = np.where(place < last, ratio, 0 * one)
    products[..., 1:] *= np.multiply.accumulate(np.where(before, one, falling), axis=-1)
    return products


def ways_up(good: Any, draws: Any, x: Any) -> Any:
    """The first part of the ratio ``ways_up / ways_down`` of the chance of ``x + 1`` good ones to that of x."""
    return (good - x) * (draws - x)


def ways_down(n: Any, good: Any, draws: Any, x: Any) -> Any:
    """The second part of that ratio."""
    return (x + 1) * (n - good - draws + 1 + x)


def covariance_of(p: Any, row: Any, column: Any) -> Any:
    """The covariance of two functions of one number, given its chances and their values along the first axis."""
    return np.sum(p * (row - np.sum(p * row, axis=0)) * (column - np.sum(p * column, axis=0)), axis=0)


def total_of_corners(times: Any, many: Any, covariances: Any) -> Any:
    """The sum over corners of rows and columns of which there are ``times`` and ``many`` equal ones."""
    lines = zip(times, covariances, strict=True)
    return sum(t * sum(m * c for m, c in zip(many, line, strict=True)) for t, line in lines)


def slope_given(slope: Any, others: Any, room: Any) -> Any:
    """By how much the expected straight part of a line grows with the count of a corner of this slope.

    ``others`` has of other cells how many there are, slope and total: its count expects ``total / room`` of each place
    that the corner leaves.
    """
    return slope - sum(times * other * (total / room) for times, other, total in others)


def expectations(
    n: int, a: Array, b: Array, times: Array, first: Array, last: Array, rest: Array, one: Any, exact: bool
) -> Array:  # fmt: skip
    """For each cell and count of it what the functions of the other cells of its row expect, in sum.

    Given ``y`` of the ``b_j`` of column j among the ``a_i`` of row i, the count of another column o is that of ``b_o``
    good ones among ``d = a_i - y`` draws of ``n - b_j``: one law of all rows that have d places left. So rows of like
    totals share a matrix of laws, by d and x. Its chances are in proportion to ``C(b_o, x) t^x`` times ``C(N, d - x)
    t^(d - x)``, with ``N = n - b_j - b_o`` and any ``t``. The second factor is laid out by falling ``d - x``, so that a
    window of it that moves with d gives all laws of a pair of columns. With ``t`` the odds of a row both factors are
    largest near their means, and none of what counts underflows.

    Parameters
    ----------
    n, a, b, times
        The total, those of rows ``(r,)`` and columns ``(c,)``, and how many columns of each there are.
    first, last, rest
        The windows ``(r, c)``, and functions ``(r, c, w)`` of the counts in them, 0 behind the last.
    one, exact
        1 in the numbers asked for, and whether these are floats or not.

    Examples
    --------
    >>> a, b, first, last = np.array([2, 2]), np.array([1, 3]), np.array([[0, 1]] * 2), np.array([[1, 2]] * 2)
    >>> squares = np.array([[[0.0, 1.0], [1.0, 4.0]]] * 2)
    >>> expectations(4, a, b, np.array([1, 1]), first, last, squares, 1.0, False)[0].tolist()  # 2 or 1, 1 or 0
    [[4.0, 1.0], [1.0, 0.0]]
    """
    (rows, columns, width), left = rest.shape, a[:, None] - first
    depth = int((left.max(axis=0) - (a[:, None] - last).min(axis=0)).max()) + 1
    if rows > 1 and depth > 2 * (last - first).max(axis=1).min() + 2:  # totals differ by too much to share laws
        expected, order = np.empty_like(rest), np.argsort(a)
        for some in (order[: rows // 2], order[rows // 2 :]):
            expected[some] = expectations(n, a[some], b, times, first[some], last[some], rest[some], one, exact)
        return expected
    low, high, middle = first.min(axis=0), last.max(axis=0), int(a.min() + a.max()) // 2
    wide, share = int((high - low).max()) + 1, middle / n
    odds = one if exact else (middle + 1.0) / (n - middle + 1)
    x = low[:, None] + np.arange(wide - 1)
    top = np.minimum(np.maximum((share * b).astype(np.int64), low), high) - low
    good = outward((b[:, None] - x) * odds, (x + 1) * one, top[:, None], (high - low)[:, None], one)
    # Of columns j and o ``(c, c)``: the largest d - x, how many follow it downward, and N.
    most, long = left.max(axis=0)[:, None] - low, depth + wide - 1
    weights = times - np.eye(columns, dtype=np.int64)
    # Beside a column that is alone there is no second one of its total.
    others = n - b[:, None] - b * (weights > 0)
    least, largest = np.maximum(0, most - long + 1), np.minimum(others, most)
    top = most - np.minimum(np.maximum((share * others).astype(np.int64), least), largest)
    x = np.maximum(most[..., None] - np.arange(long - 1), 0)
    bad = outward(x * one, (others[..., None] - x + 1) * odds, top[..., None], long, one)
    moved = (*others.shape, depth, wide), (*bad.strides, bad.strides[-1])
    windows = np.lib.stride_tricks.as_strided(bad, *moved, writeable=False)  # by j, o, d and x
    values = np.full((rows + 1, columns, wide + width), 0 * one)
    values[-1] = one
    row, column, place = np.arange(rows)[:, None, None], np.arange(columns)[:, None], np.arange(width)
    values[row, column, (first - low)[..., None] + place] = rest
    values = values[..., :wide] * good
    step = max(1, CELLS // (columns * depth * len(values)))
    each: list[Array] = []
    for j in range(0, columns, step):
        weight = weights[j : j + step, :, None, None]
        sums = np.einsum("josx,iox->jois", windows[j : j + step], values)
        there = (weight > 0) & (sums[:, :, -1:] != 0)  # what is left out of a law may be all of it
        each.append((sums[:, :, :-1] * (weight / np.where(there, sums[:, :, -1:], one))).sum(axis=1))
    place = np.minimum((left.max(axis=0) - left)[..., None] + place, depth - 1)
    return np.asarray(np.concatenate(each)[column, row, place])


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
        deep = _groups([(a, *(tuple(each[i]) for each in named)) for i, a in enumerate(rows)])
        wide = _groups([(b, *(each[i][j] for each in named for i, _, _ in deep)) for j, b in enumerate(columns)])
        (_, self.a, self.times), (_, self.b, self.many) = (np.array(lines).T for lines in (deep, wide))
        self.first, self.last = window(self.n, self.a[:, None], self.b, exact)
        self.chances = chances(self.n, self.b, self.a[:, None], self.first, self.last, self.one)  # (r, c, w)
        self.parts = [self._parts([[each[i][j] for j, _, _ in wide] for i, _, _ in deep]) for each in cells]

    def _parts(self, cells: list[list[Array]]) -> tuple[Array, ...]:
        """Level, slope and centre ``(r, c)`` of the functions of cells, and their rest ``(r, c, w)``."""
        size = self.last - self.first + 1
        values = np.full((*size.shape, int(size.max())), 0 * self.one)
        for i, row in enumerate(cells):
            for j, each in enumerate(row):
                values[i, j, : len(each)] = each
        at = np.rint(self.a[:, None] / self.n * self.b).astype(np.int64) - self.first
        at = np.minimum(np.maximum(at, 0), size - 1)
        near, cell = (np.maximum(at - 1, 0), np.minimum(at + 1, size - 1)), np.arange(size.size).reshape(size.shape)
        left, right, level = (values.reshape(size.size, -1)[cell, k] for k in (*near, at))
        slope = (right - left) / np.maximum(near[1] - near[0], 1)
        x = np.arange(values.shape[2])
        straight = level[..., None] + slope[..., None] * (x - at[..., None])
        return level, slope, self.first + at, np.where(x < size[..., None], values - straight, 0 * self.one)

    def mean(self, which: int = 0) -> Any:
        """The mean of the sum over all orders of the labels."""
        level, slope, centre, rest = self.parts[which]
        expected = (self.a * self.one)[:, None] * self.b / (self.n * self.one)
        each = level + slope * (expected - centre) + (self.chances * rest).sum(axis=2)
        return (self.times[:, None] * self.many * each).sum()

    def covariance(self, first: int = 0, second: int = 0) -> Any:
        """The covariance of two of the sums over all orders of the labels; of one with itself, its variance."""
        sums = self.chances, self._given(first), self._given(second, turned=True)
        every = covariance_of(*(each.transpose(2, 0, 1) for each in sums))
        return total_of_corners(self.times.tolist(), self.many.tolist(), every.tolist())

    def _given(self, which: int, turned: bool = False) -> Array:
        """The expected part ``(r, c, w)`` of each row, but for a constant, given each count of one of its cells.

        ``turned`` it is that of each column.
        """
        _, slope, centre, rest = self.parts[which]
        n, a, b = self.n * self.one, self.a * self.one, self.b * self.one
        row = (self.many * b * slope).sum(axis=1, keepdims=True) / n
        slope = slope - row - ((self.times * a)[:, None] * (slope - row)).sum(axis=0) / n
        lines = self.a, self.b, self.many, self.first, self.last, rest
        if turned:
            turn = [np.swapaxes(each, 0, 1) for each in (self.first, self.last, rest)]
            slope, centre, lines = slope.T, centre.T, (self.b, self.a, self.times, *turn)
        _, across, times, low, _, rest = lines
        weights = times[:, None] - np.eye(len(times), dtype=np.int64)
        others = zip(weights, slope.T[..., None], across * self.one, strict=True)
        straight = slope_given(slope, others, np.maximum(self.n - across, 1))[..., None]
        y = low[..., None] + np.arange(rest.shape[2]) - centre[..., None]
        expected = rest + y * straight + expectations(self.n, *lines, self.one, self.exact)
        return np.swapaxes(expected, 0, 1) if turned else expected


def steps(rows: Sequence[int], columns: Sequence[int], exact: bool = False) -> int:
    """Count the terms in the covariance of sums over cells, if lines of equal totals are equal.

    Examples
    --------
    >>> steps([200] * 5, [100] * 10), steps([2, 3], [1, 4], exact=True)
    (19208, 64)
    """
    first, last = window(sum(rows), np.array([*{*rows}])[:, None], np.array([*{*columns}]), exact)
    wide = last - first + 1
    return int((wide * (wide.sum(axis=1, keepdims=True) + wide.sum(axis=0))).sum())


def _groups(lines: Sequence[tuple[Any, ...]]) -> list[tuple[int, int, int]]:
    """The place and the total of each different line, and how often it occurs."""
    times = Counter(lines)
    return [(i, line[0], times.pop(line)) for i, line in enumerate(lines) if line in times]
