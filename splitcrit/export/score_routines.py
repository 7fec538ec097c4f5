"""The loops around the scores of tables and of thresholds; see ``moments`` for what a routine may do.

Main definitions: ``sgini`` and ``scan``, which the header offers.
Main results: a gain is a sum of squares of integers, O(r k) for a table and for all of its thresholds.
Source: wang2024, eqs. (8), (15).
"""

from __future__ import annotations

from splitcrit.export.moments import (
    MEAN_FROM,
    NAN,
    Counts,
    Real,
    Room,
    Scores,
    agreed,
    class_weights,
    mean_of,
    real,
    root,
    row_terms,
    same_pairs,
    size,
    value,
    variance_of,
)
from splitcrit.nulls import formulas

AGREED = 1e-28  # a gain and a mean that differ by less, relative to the gain, are equal in numbers of 31 digits


def margins(table: Counts, r: int, k: int, rows: Room, columns: Room) -> int:
    """Set the margins of a table and return its number of observations, -1 where it is no table of counts."""
    for j in range(k):
        columns[j] = 0
    for i in range(r):
        rows[i] = size(table[i * k :], k)
        if rows[i] < 0:
            return -1
        for j in range(k):
            columns[j] += table[i * k + j]
    return agreed(rows, r, columns, k)


def apart(cells: Counts, columns: Counts, k: int, a: int, n: int) -> Real:
    """Return the sum of (n x - a b)^2 over the cells x of a row of a observations and the class totals b."""
    found = real(0)
    for j in range(k):
        x = real(n * cells[j] - a * columns[j])
        found = found + x * x
    return found


def standard(gain: Real, mean: Real, variance: Real) -> float:
    """Return the standard deviations of a gain above its mean, 0 where the variance is 0 or the two agree."""
    above, least = value(gain - mean), AGREED * value(gain)
    apart = above > least or above < -least
    return above / root(value(variance)) if apart and value(variance) > 0.0 else 0.0


def sgini(table: Counts, r: int, k: int, work: Room) -> float:
    """Return the Gini gain of a table in standard deviations above its mean over all permutations of the labels.

    The cell of row i and class j stands at table[i * k + j]; work is room for r + k integers. 0 where the variance is
    0, and where gain and mean agree in 28 digits. NaN where counts are negative, their sum exceeds 2^31 - 1, or r or k
    is below 1.
    """
    rows, columns = work, work[r:]
    n = margins(table, r, k, rows, columns)
    if n < 0:
        return NAN
    gain = real(0)
    for i in range(r):
        if rows[i] > 0:
            gain = gain + apart(table[i * k :], columns, k, rows[i], n) / real(rows[i]) / real(n) / real(n * n)
    return standard(gain, mean_of(rows, r, columns, k, n), variance_of(rows, r, columns, k, n))


def scan(table: Counts, r: int, k: int, scores: Scores, work: Room) -> int:
    """Set scores[i], for i < r - 1, to SGini of the rows up to i against the rows after i.

    The rows are the values of a feature in their order, and the table is that of sgini; work is room for r + 2 k
    integers. The score is 0 where one side is empty. Returns 0, or -1 where sgini returns NaN; then no score is set.
    """
    rows, columns, left, m = work, work[r:], work[r + k :], 0
    n = margins(table, r, k, rows, columns)
    if n < 0:
        return -1
    first, second = class_weights(columns, k, n)
    chance = formulas.mean(real(n), real(2), real(n * n - same_pairs(columns, k) - n)) if n >= MEAN_FROM else real(0)
    for j in range(k):
        left[j] = 0
    for i in range(r - 1):
        for j in range(k):
            left[j] += table[i * k + j]
        m += rows[i]
        scores[i] = 0.0
        if m > 0 and m < n:
            gain = apart(left, columns, k, m, n) / real(m) / real(n - m) / real(n * n)
            uneven, thick = row_terms(m, n, 2)
            more, thicker = row_terms(n - m, n, 2)
            scores[i] = standard(gain, chance, formulas.variance(first, uneven + more, second, thick + thicker))
    return 0
