"""The loops around the formulas of mean and variance, in a small part of Python that numba compiles and C can say.

A routine takes integers and flat arrays of them, as a function of C would, and calls the formulas of
``splitcrit.nulls.formulas`` with the numbers that ``real`` makes. Run as it stands it is exact, for here these are
Fractions; in ``compiled`` and in the header they are pairs of floats, of some 31 digits.

Main definitions: ``mean`` and ``variance``, which the header offers; ``mean_of`` and ``variance_of``, which do not
round, and what these are made of; ``real``, ``wide``, ``value`` and ``root``.
Main results: every sum has terms that are never negative, or is one of integers below 2^63, so that a variance of 0 is
0 in every kind of number.
Source: wang2024, eqs. (16), (21)-(26).
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
NAN = float("nan")


def real(x: int) -> Real:
    """Return an integer as a number on which the formulas run."""
    return Fraction(int(x))


def wide(x: float) -> Real:
    """Return a float as such a number."""
    return Fraction(x)


def value(x: Real) -> float:
    """Return a number as a float."""
    return float(x)


def root(x: float) -> float:
    """Return the square root of a float."""
    return float(x**0.5)


def size(totals: Counts, length: int) -> int:
    """Return the sum of totals, -1 where one is negative, the sum exceeds 2^31 - 1, or there are none."""
    n = 0
    if length < 1:
        return -1
    for i in range(length):
        if totals[i] < 0 or totals[i] > LARGEST - n:
            return -1
        n += totals[i]
    return n


def agreed(rows: Counts, r: int, columns: Counts, k: int) -> int:
    """Return the number of observations of two margins, -1 where they are no margins of one table."""
    n = size(rows, r)
    return n if n == size(columns, k) else -1


def occurring(totals: Counts, length: int) -> int:
    """Count the positive totals."""
    found = 0
    for i in range(length):
        if totals[i] > 0:
            found += 1
    return found


def mean_of(rows: Counts, r: int, columns: Counts, k: int, n: int) -> Real:
    """Return the mean of the Gini gain."""
    if n < MEAN_FROM:
        return real(0)
    unlike = n * n
    for j in range(k):
        unlike -= columns[j] * columns[j]
    return formulas.mean(real(n), real(occurring(rows, r)), real(unlike))


def same_pairs(totals: Counts, length: int) -> int:
    """Return the sum of b (b - 1): the ordered pairs of observations that share a row or a class."""
    found = 0
    for j in range(length):
        found += totals[j] * (totals[j] - 1)
    return found


def class_weights(columns: Counts, k: int, n: int) -> tuple[Real, Real]:
    """Return the multipliers of the two factors of the rows in the variance."""
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
    """Return the terms of a row of a observations in the two factors of the rows."""
    w = 1 / real(a)
    return formulas.uneven_row(real(n), real(r), real(a), w), formulas.thick_row(real(n), real(r), real(a), w)


def variance_of(rows: Counts, r: int, columns: Counts, k: int, n: int) -> Real:
    """Return the variance of the Gini gain."""
    first, second = class_weights(columns, k, n)
    uneven, thick, present = real(0), real(0), occurring(rows, r)
    for i in range(r):
        if rows[i] > 0:
            more, thicker = row_terms(rows[i], n, present)
            uneven = uneven + more
            thick = thick + thicker
    return formulas.variance(first, uneven, second, thick)


def mean(rows: Counts, r: int, columns: Counts, k: int) -> float:
    """Return the mean of the Gini gain over all permutations of the labels, for r row totals and k class totals.

    NaN where totals are negative, their sums differ or exceed 2^31 - 1, or r or k is below 1. A total of 0 changes
    nothing. The gain is per observation: sum_ij x_ij^2 / (a_i n) - sum_j (b_j / n)^2.
    """
    n = agreed(rows, r, columns, k)
    return value(mean_of(rows, r, columns, k, n)) if n >= 0 else NAN


def variance(rows: Counts, r: int, columns: Counts, k: int) -> float:
    """Return the variance of the Gini gain over all permutations of the labels; NaN as for the mean.

    It is 0 exactly where the gain is the same for every permutation.
    """
    n = agreed(rows, r, columns, k)
    return value(variance_of(rows, r, columns, k, n)) if n >= 0 else NAN
