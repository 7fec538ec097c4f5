"""The loops around the formulas of moments and scores, in a small part of Python that numba compiles and C can say.

A routine takes integers and flat arrays of them, as a function of C would, and calls the formulas of
``splitcrit.nulls.formulas`` with the numbers that ``real`` makes. Run as it stands it is exact, for here these are
Fractions; in ``compiled`` and in the header they are pairs of floats, of some 31 digits.

Main definitions: ``mean``, ``variance``, ``third_moment``, ``sgini`` and ``scan``, which the header offers;
``mean_of``, ``variance_of`` and ``third_of``, which do not round, and what these are made of; ``real``, ``wide``,
``value`` and ``root``.
Main results: every sum of the variance has terms that are never negative, or is one of integers below 2^63, so that a
variance of 0 is 0 in every kind of number. The third moment takes O(r^3 + k^3), for the invariants do not cancel as
the sums over shapes do; a gain is a sum of squares of integers, O(r k) for a table and for all of its thresholds.
Source: wang2024, eqs. (8), (15), (16), (21)-(26); for the third moment ``splitcrit.nulls.third_moment``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit.nulls import formulas
from splitcrit.nulls.formulas import LEAST

Counts = Any  # integers that are read
Room = Any  # integers that are written
Scores = Any  # floats that are written
Values = Any  # floats that are read
Real = Any  # numbers on which the formulas run

MEAN_FROM, UNEVEN_FROM, THICK_FROM = LEAST["mean"], LEAST["uneven"], LEAST["thick"]
LARGEST = 2**31 - 1  # up to this many observations products of two counts, and their differences, fit 64 bits
AGREED = 1e-28  # a gain and a mean that differ by less, relative to the gain, are equal in numbers of 31 digits
NAN = float("nan")


def real(x: int) -> Real:
    """An integer as a number on which the formulas run."""
    return Fraction(int(x))


def wide(x: float) -> Real:
    """A float as such a number."""
    return Fraction(x)


def value(x: Real) -> float:
    """A number as a float."""
    return float(x)


def root(x: float) -> float:
    """The square root of a float."""
    return float(x**0.5)


def size(totals: Counts, length: int) -> int:
    """The sum of totals, -1 where one is negative, the sum exceeds 2^31 - 1, or there are none."""
    n = 0
    if length < 1:
        return -1
    for i in range(length):
        if totals[i] < 0 or totals[i] > LARGEST - n:
            return -1
        n += totals[i]
    return n


def agreed(rows: Counts, r: int, columns: Counts, k: int) -> int:
    """The number of observations of two margins, -1 where they are no margins of one table."""
    n = size(rows, r)
    return n if n == size(columns, k) else -1


def occurring(totals: Counts, length: int) -> int:
    """Count the positive totals."""
    count = 0
    for i in range(length):
        if totals[i] > 0:
            count += 1
    return count


def same_pairs(totals: Counts, length: int) -> int:
    """The sum of b (b - 1): the ordered pairs of observations that share a row or a class."""
    pairs = 0
    for j in range(length):
        pairs += totals[j] * (totals[j] - 1)
    return pairs


def mean_by_pairs(n: int, r: int, pairs: int) -> Real:
    """The mean of the Gini gain for r rows that are not empty and the same_pairs of the classes."""
    return formulas.mean(real(n), real(r), real(n * n - n - pairs)) if n >= MEAN_FROM else real(0)


def mean_of(rows: Counts, r: int, columns: Counts, k: int, n: int) -> Real:
    """The mean of the Gini gain."""
    return mean_by_pairs(n, occurring(rows, r), same_pairs(columns, k))


def class_weights(columns: Counts, k: int, n: int) -> tuple[Real, Real]:
    """The multipliers of the two factors of the rows in the variance."""
    if n < UNEVEN_FROM:
        return real(0), real(0)
    uneven, thick, pairs = real(0), real(0), same_pairs(columns, k)
    for j in range(k):
        b = columns[j]
        uneven = uneven + formulas.uneven_class(real(b), real(n * b - pairs - n) / real(n))
        thick = thick + formulas.thick_class(real(n), real(b), real(pairs - b * (b - 1)))
    first = formulas.uneven_weight(real(n), uneven)
    return first, formulas.thick_weight(real(n), thick) if n >= THICK_FROM else real(0)


def row_terms(a: int, n: int, r: int) -> tuple[Real, Real]:
    """The terms of a row of a observations in the two factors of the rows."""
    w = 1 / real(a)
    return formulas.uneven_row(real(n), real(r), real(a), w), formulas.thick_row(real(n), real(r), real(a), w)


def cut_variance(n: int, m: int, first: Real, second: Real) -> Real:
    """The variance of the Gini gain of a cut of m of n observations, given the weights of the classes."""
    uneven, thick = row_terms(m, n, 2)
    more, thicker = row_terms(n - m, n, 2)
    return formulas.variance(first, uneven + more, second, thick + thicker)


def variance_of(rows: Counts, r: int, columns: Counts, k: int, n: int) -> Real:
    """The variance of the Gini gain."""
    first, second = class_weights(columns, k, n)
    uneven, thick, present = real(0), real(0), occurring(rows, r)
    for i in range(r):
        if rows[i] > 0:
            more, thicker = row_terms(rows[i], n, present)
            uneven = uneven + more
            thick = thick + thicker
    return formulas.variance(first, uneven, second, thick)


def mean(rows: Counts, r: int, columns: Counts, k: int) -> float:
    """The mean of the Gini gain over all permutations of the labels, for r row totals and k class totals.

    NaN where totals are negative, their sums differ or exceed 2^31 - 1, or r or k is below 1. A total of 0 changes
    nothing. The gain is per observation: sum_ij x_ij^2 / (a_i n) - sum_j (b_j / n)^2.
    """
    n = agreed(rows, r, columns, k)
    return value(mean_of(rows, r, columns, k, n)) if n >= 0 else NAN


def variance(rows: Counts, r: int, columns: Counts, k: int) -> float:
    """The variance of the Gini gain over all permutations of the labels; NaN as for the mean.

    It is 0 exactly where the gain is the same for every permutation.
    """
    n = agreed(rows, r, columns, k)
    return value(variance_of(rows, r, columns, k, n)) if n >= 0 else NAN


def block(total: int, n: int, present: int, pairs: int, classes: bool) -> tuple[Real, Real]:
    """An entry within a row or a class of the matrix of row sums 0, and its part of the rest."""
    if classes:
        rest = real(n * total - pairs - n) / real(n) / real(n - 2)
        return formulas.class_block(real(n), real(total), real(pairs - total * (total - 1))), rest
    return formulas.row_block(real(n), real(present), real(total), 1 / real(total))


def across(total: int, other: int, n: int, present: int, pairs: int, classes: bool) -> Real:
    """An entry between two rows or two classes."""
    if classes:
        rest = pairs - total * (total - 1) - other * (other - 1)
        return formulas.class_across(real(n), real(total), real(other), real(rest))
    return formulas.row_across(real(n), real(present), 1 / real(total), 1 / real(other))


def invariants(totals: Counts, length: int, n: int, classes: bool) -> tuple[Real, Real, Real, Real, Real]:
    """Sum N^3, tr N^3, sum N^2 f, f'Nf and sum f^3 of the matrix N of row sums 0 and the rest f."""
    present, pairs = occurring(totals, length), same_pairs(totals, length)
    c, t, d, p, f = real(0), real(0), real(0), real(0), real(0)
    for i in range(length):
        if totals[i] > 0:
            a = real(totals[i])
            same, apart = block(totals[i], n, present, pairs, classes)
            squares, cubes, products, triangles = real(0), real(0), real(0), real(0)
            for j in range(length):
                if j != i and totals[j] > 0:
                    x = across(totals[i], totals[j], n, present, pairs, classes)
                    _, other = block(totals[j], n, present, pairs, classes)
                    weighed = real(totals[j]) * x
                    squares = squares + weighed * x
                    cubes = cubes + weighed * x * x
                    products = products + weighed * other
                    for h in range(j if j < i else 0):  # three rows or classes are met once, the last of them as i
                        if totals[h] > 0:
                            y = across(totals[j], totals[h], n, present, pairs, classes)
                            z = across(totals[i], totals[h], n, present, pairs, classes)
                            triangles = triangles + weighed * real(totals[h]) * (y * z)
            more_c, more_t, more_d, more_p, more_f = formulas.invariant_terms(a, same, squares, cubes, apart)
            c = c + more_c
            t = t + more_t + 6 * a * triangles  # by the order of the three
            d = d + more_d
            p = p + more_p + a * apart * products
            f = f + more_f
    return c, t, d, p, f


def third_of(rows: Counts, r: int, columns: Counts, k: int, n: int) -> Real:
    """The third central moment of the Gini gain."""
    if value(variance_of(rows, r, columns, k, n)) == 0.0:
        return real(0)
    c, t, d, p, f = invariants(rows, r, n, False)
    cc, tt, dd, pp, ff = invariants(columns, k, n, True)
    three, four, five = n - 3 if n > 3 else 1, n - 4 if n > 4 else 1, n - 5 if n > 5 else 1
    return formulas.third_by_invariants(
        (real(n), real(n - 1), real(n - 2), real(three), real(four), real(five)),
        (c, cc), (t, tt), (d, dd), (p, pp), (f, ff),
    )  # fmt: skip


def third_moment(rows: Counts, r: int, columns: Counts, k: int) -> float:
    """The third central moment of the Gini gain over all permutations of the labels; NaN as for the mean.

    Its error is relative to the larger of itself and the variance to the power 1.5. Time is O(r^3 + k^3).
    """
    n = agreed(rows, r, columns, k)
    return value(third_of(rows, r, columns, k, n)) if n >= 0 else NAN


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
    """The sum of (n x - a b)^2 over the cells x of a row of a observations and the class totals b."""
    square = real(0)
    for j in range(k):
        x = real(n * cells[j] - a * columns[j])
        square = square + x * x
    return square


def standard(gain: Real, mean: Real, variance: Real) -> float:
    """The standard deviations of a gain above its mean, 0 where the variance is 0 or the two agree."""
    above, least = value(gain - mean), AGREED * value(gain)
    apart = above > least or above < -least
    return above / root(value(variance)) if apart and value(variance) > 0.0 else 0.0


def sgini(table: Counts, r: int, k: int, work: Room) -> float:
    """The Gini gain of a table in standard deviations above its mean over all permutations of the labels.

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
    chance = mean_by_pairs(n, 2, same_pairs(columns, k))
    for j in range(k):
        left[j] = 0
    for i in range(r - 1):
        for j in range(k):
            left[j] += table[i * k + j]
        m += rows[i]
        scores[i] = 0.0
        if m > 0 and m < n:
            gain = apart(left, columns, k, m, n) / real(m) / real(n - m) / real(n * n)
            scores[i] = standard(gain, chance, cut_variance(n, m, first, second))
    return 0
