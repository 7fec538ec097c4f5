"""The permutation law of the Gini gain: exact mean and variance in O(r + k).

Main definitions: ``exact_mean``, ``exact_variance`` (one table, Fractions), ``mean_variance`` (a batch, in the floats
of any array library).
Main results: with ``n`` observations, row totals ``a`` and class totals ``b``, over all ``n!`` permutations of the
labels ::

    mean     = (r - 1) / (n - 1) * sum_j b_j (n - b_j) / n^2
    variance = [ 4 A B / ((n - 1)(n - 2)^2) + 2 U V / (n (n - 1)^2 (n - 2)^2 (n - 3)) ] / n^2

where ``A`` and ``B`` measure how uneven the rows and the classes are, ``U`` and ``V`` how far they are from thin.
The statistic is a double sum over pairs of observations; symmetric matrices with zero diagonal split under the
symmetric group into three irreducible parts, the first gives the mean, and the two others (A with B, U with V) the
variance by Schur's lemma. The four factors are sums of non-negative terms, which is what the float64 form
evaluates; the exact form evaluates them through power sums.
Source: wang2024, eqs. (16)-(26), an O(r^2 k^2) form of the same moments.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

from splitcrit.arith import namespace, on_device_of
from splitcrit.nulls.margins import constant, occurring

Array = Any  # float64 of numpy, or the floats of another library


def exact_mean(rows: list[int], columns: list[int]) -> Fraction:
    """Return the mean of the gain for positive totals."""
    n, r = sum(rows), len(rows)
    if n < 2:
        return Fraction(0)
    return Fraction((r - 1) * (n * n - sum(b * b for b in columns)), (n - 1) * n * n)


def exact_variance(rows: list[int], columns: list[int]) -> Fraction:
    """Return the variance of the gain for positive totals; every factor is kept as an integer.

    With ``d`` the least common multiple of the row totals, the integers are ``n d A``, ``n B``, ``d U`` and ``n V``.
    """
    n, r = sum(rows), len(rows)
    if n < 3:
        return Fraction(0)
    d = lcm(*set(rows))
    inverses = sum(d // a for a in rows)
    s2, s3 = sum(b * b for b in columns), sum(b**3 for b in columns)
    uneven = (n * inverses - r * r * d) * (n * s3 - s2 * s2)
    if n == 3:
        return Fraction(2 * uneven, 81 * d)
    thick_rows = n * (n - 1) * (r * d - inverses) - (n - r) * (n + r - 2) * d
    thick_columns = (n - 2) * (s2 - n) * (n * n - s2) - 2 * (n - 1) * (n * s3 - s2 * s2)
    top = 2 * (2 * uneven * (n - 1) * (n - 3) + thick_rows * thick_columns)
    return Fraction(top, d * n**4 * (n - 1) ** 2 * (n - 2) ** 2 * (n - 3))


def mean_variance(rows: Array, columns: Array) -> tuple[Array, Array]:
    """Return mean and variance for totals of shape ``(r, ...)`` and ``(k, ...)`` that are exact in their float dtype.

    Every sum has non-negative terms only, so nothing cancels; a constant gain is recognised in integers.
    """
    xp = namespace(rows)
    n, r = xp.sum(rows, axis=0), occurring(rows)
    n1, n2, n3 = (xp.maximum(n - i, 1.0) for i in (1, 2, 3))
    square = positive(n) ** 2
    mean = xp.maximum(r - 1, 0.0) / n1 * (xp.sum(columns * (n - columns), axis=0) / square)
    first = 4 * uneven_rows(rows, n, r) * uneven_columns(columns, n) / (n1 * n2 * n2)
    second = 2 * (_thick_rows(rows, n, r) / (n1 * n2)) * (thick_columns(columns, n) / (positive(n) * n1 * n2 * n3))
    return mean, xp.where(constant(rows, columns), 0.0, (first + second) / square)


def uneven_rows(rows: Array, n: Array, r: Array) -> Array:
    """Return A = sum_i (n - r a_i)^2 / (n^2 a_i), which is sum_i 1/a_i - r^2/n."""
    xp = namespace(rows)
    apart = n - r * rows
    spread = xp.where(rows > 0, apart, 0 * apart) ** 2 / positive(rows)
    return xp.sum(spread, axis=0) / positive(n) ** 2


def uneven_columns(columns: Array, n: Array) -> Array:
    """Return B = sum_j b_j (b_j - S/n)^2 with S = sum_j b_j^2, shifted by the integer nearest to S/n."""
    shifted = centred(columns, n)
    return namespace(columns).sum(columns * shifted * shifted, axis=0)


def centred(columns: Array, n: Array) -> Array:
    """Return ``b_j - S/n`` with ``S = sum_j b_j^2``, shifted by the integer nearest to S/n first."""
    xp, n = namespace(columns), positive(n)
    shifted = columns - (2 * xp.sum(columns * columns, axis=0) + n) // (2 * n)
    return shifted - xp.sum(columns * shifted, axis=0) / n


def positive(counts: Array) -> Array:
    """Return counts with 1 in the place of 0, of the same kind of number: a divisor where the dividend is 0 too."""
    return namespace(counts).where(counts == 0, counts + 1, counts)


def others(terms: Array) -> Array:
    """Return for every entry the sum of the others along the first axis, of non-negative terms, without cancelling."""
    xp, places = namespace(terms), (-1, *[1] * (terms.ndim - 1))
    top = xp.argmax(terms, axis=0)
    largest = xp.reshape(xp.arange(terms.shape[0], **on_device_of(terms)), places) == top
    rest = xp.where(largest, 0 * terms, terms)
    without = xp.sum(rest, axis=0)
    return xp.where(largest, without, xp.max(terms, axis=0) + (without - rest))


def _thick_rows(rows: Array, n: Array, r: Array) -> Array:
    """Return U = sum_i (a_i - 1) [(n - a_i)(n - a_i - 1)/a_i + (n - r) - (a_i - 1)]."""
    a = positive(rows)
    return namespace(rows).sum((a - 1) * ((n - a) * (n - a - 1) / a + ((n - r) - (a - 1))), axis=0)


def thick_columns(columns: Array, n: Array) -> Array:
    """Return V = sum_j f_j [(n - b_j)(n - b_j - 1) + sum_{l != j} f_l] with f_j = b_j (b_j - 1)."""
    xp = namespace(columns)
    f = columns * xp.maximum(columns - 1, 0.0)
    return xp.sum(f * ((n - columns) * (n - columns - 1) + others(f)), axis=0)
