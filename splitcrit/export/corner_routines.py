"""The loops of the corner formula for two rows: mean and variance of a sum over the classes; see ``moments``.

Of n observations with class totals ``b_j``, m lie on the left, ``y_j`` of class j. A criterion that is a sum over cells
is at two rows ``S = sum_j G_j(y_j)``, and with the labels in random order (``splitcrit.nulls.corner``) ::

    Var S = sum_j Cov( E[S | y_j], G_j(y_j) ),    E[S | y_j] = G_j(y_j) + sum of E[G_i(y_i) | y_j] over other classes.

Main definitions: ``entropy_cells``, ``cell_mean`` and ``cell_variance``, which the header offers; ``expected``.
Main results: laws are ratios of neighbours outward from the likeliest count, in numbers of 31 digits, so that what the
functions have in common, which the sum does not vary by, cancels without loss.
Source: own; romano2014 has the variance of entropy as a sum over three nested counts.
"""

from __future__ import annotations

from math import log1p

from splitcrit.export.moments import NAN, Counts, Real, Scores, Values, real, size, value, wide
from splitcrit.export.pvalue_routines import neighbour

LEFT_OUT = 1e-36  # a chance, in units of the largest, after which no more are looked at


def expected(values: Values, n: int, good: int, draws: int) -> Real:
    """The mean of values[y], with y good ones among draws of n."""
    top = (good + 1) * (draws + 1) // (n + 2)  # the likeliest
    whole, total = real(1), wide(values[top])
    for side in range(2):
        y, step, w = top, 1 - 2 * side, neighbour(n, good, draws, top, 1 - 2 * side)
        while value(w) > LEFT_OUT:
            y += step
            whole = whole + w
            total = total + w * wide(values[y])
            w = w * neighbour(n, good, draws, y, step)
    return total / whole


def mean_of_cells(values: Values, columns: Counts, k: int, n: int, m: int, without: int) -> Real:
    """The mean of the sum over classes, but for one of them, when m of n observations of the others are left."""
    mean, place = real(0), 0
    for i in range(k):
        if i != without:
            mean = mean + expected(values[place:], n, columns[i], m)
        place += columns[i] + 1
    return mean


def product(
    values: Values, columns: Counts, k: int, n: int, m: int, j: int, y: int, place: int, mean: Real, own: Real
) -> Real:
    """The shift of the sum by y of class j, from its mean, times that of the part of the class."""
    x = wide(values[place + y])
    return (x + mean_of_cells(values, columns, k, n - columns[j], m - y, j) - mean) * (x - own)


def corner(values: Values, columns: Counts, k: int, n: int, m: int, j: int, place: int, mean: Real) -> Real:
    """The covariance of the sum and the part of class j, whose values begin at a place."""
    good, own = columns[j], expected(values[place:], n, columns[j], m)
    top = (good + 1) * (m + 1) // (n + 2)
    whole, total = real(1), product(values, columns, k, n, m, j, top, place, mean, own)
    for side in range(2):
        y, step, w = top, 1 - 2 * side, neighbour(n, good, m, top, 1 - 2 * side)
        while value(w) > LEFT_OUT:
            y += step
            whole = whole + w
            total = total + w * product(values, columns, k, n, m, j, y, place, mean, own)
            w = w * neighbour(n, good, m, y, step)
    return total / whole


def cell_mean(values: Values, columns: Counts, k: int, m: int) -> float:
    """The mean, under permutations, of a sum over classes of a function of the class's count on the left.

    Of observations with the k class totals, m lie on the left. The function of class j at y = 0, ..., columns[j] is
    values[b + y], with b values of the classes before; entropy_cells sets those of the information gain. NaN where
    totals are negative, their sum exceeds 2^31 - 1, k is below 1, m is below 0 or above the sum, or a value is not
    finite. The error is below 1e-26 k times the largest value, beside rounding once to a double. Time is O(k) times the
    width of the law of a count.
    """
    n = size(columns, k)
    return value(mean_of_cells(values, columns, k, n, m, -1)) if n >= 0 and m >= 0 and m <= n else NAN


def cell_variance(values: Values, columns: Counts, k: int, m: int) -> float:
    """The variance, under permutations, of a sum over classes; arguments and NaN as for cell_mean.

    The error is below 1e-26 k^2 times the square of the largest value, beside rounding once to a double. Time is O(k^2)
    times the square of the width of the law of a count, which is about ten standard deviations to either side.
    """
    n = size(columns, k)
    if n < 0 or m < 0 or m > n:
        return NAN
    mean, variance, place = mean_of_cells(values, columns, k, n, m, -1), real(0), 0
    for j in range(k):
        variance = variance + corner(values, columns, k, n, m, j, place, mean)
        place += columns[j] + 1
    return 0.0 if value(variance) < 0.0 else value(variance)


def half(x: int, n: int, m: int, b: int) -> float:
    """``x log(x n / (m b))``, 0 for x = 0."""
    return float(x) * log1p(float(n * x - m * b) / (float(m) * float(b))) if x > 0 else 0.0


def entropy_cells(columns: Counts, k: int, m: int, values: Scores) -> int:
    """Set the values of which cell_mean and cell_variance make the moments of the information gain, in nats.

    values is room for k doubles and one for each observation. The gain is the mutual information of side and class: a
    class of b observations, y of them on the left, adds y log(y n / (m b)) + (b - y) log((b - y) n / ((n - m) b)),
    over n. Returns 0, or -1 where the totals and m give NaN in cell_mean; then no value is set.
    """
    n, place = size(columns, k), 0
    if n < 0 or m < 0 or m > n:
        return -1
    for j in range(k):
        b = columns[j]
        for y in range(b + 1):
            possible = y <= m and b - y <= n - m
            values[place + y] = (half(y, n, m, b) + half(b - y, n, n - m, b)) / float(n) if possible and n > 0 else 0.0
        place += b + 1
    return 0
