"""The third central moment of the Gini gain under permutations, exactly, in O(r + k).

Main definitions: ``exact_third`` (one table, Fractions), ``skewness``.
Main results: the statistic is ``sum_{u != v} w_uv z_uv`` over ordered pairs of observations, with ``w_uv = 1/a_i`` if
both lie in row ``i`` and ``z_uv = 1`` if both are of one class. A product of three such terms is a multigraph with
three edges on the observations, and a permutation only sees its shape: ``E = sum_G c_G R_G C_G / (n)_v``, with
``c_G`` the number of labelled copies, ``v`` its vertices, ``R_G`` and ``C_G`` its sums over rows and over classes.
Eight shapes occur, and their sums need only ``sum 1/a``, ``sum 1/a^2`` and the power sums of the classes up to 4.
Source: none in the literature the library follows; wang2024 stops at the variance.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm, perm
from typing import Any

import numpy as np

from splitcrit.moments.permutation import exact_variance

# Triple edge; double + adjacent; triangle; path; star; double + apart; two adjacent + one apart; all three apart.
_COPIES = (4, 24, 8, 24, 8, 6, 12, 1)
_VERTICES = (2, 3, 3, 4, 4, 4, 5, 6)


def exact_third(rows: list[int], columns: list[int]) -> Fraction:
    """Return the third central moment of the gain for positive totals."""
    n, r = sum(rows), len(rows)
    if n < 3:
        return Fraction(0)
    d = lcm(*set(rows))
    shapes = zip(_COPIES, _VERTICES, _row_shapes(rows, d), _class_shapes(columns), strict=True)
    most = min(n, 6)
    raw = sum(c * x * y * (perm(n, most) // perm(n, v)) for c, v, x, y in shapes if v <= most)
    first = Fraction((n - r) * (sum(b * b for b in columns) - n), n * (n - 1))
    square = n * n * exact_variance(rows, columns)
    return (Fraction(raw, perm(n, most) * d**3) - first * (3 * square + first * first)) / n**3


def skewness(variance: Any, third: Any) -> Any:
    """Return ``third / variance^1.5``, and 0 where the variance is 0."""
    spread = np.asarray(variance, dtype=np.float64)
    return np.asarray(third, dtype=np.float64) / np.where(spread > 0, spread, np.inf) ** 1.5


def _row_shapes(rows: list[int], d: int) -> tuple[int, ...]:
    """Return the sums over rows with every weight ``1/a`` multiplied by ``d``."""
    n, r = sum(rows), len(rows)
    h1, h2 = sum(d // a for a in rows), sum(d * d // (a * a) for a in rows)
    return _shapes(
        d * (n - r),
        d * (r * d - h1),
        d * ((n - 3 * r) * d + 2 * h1),
        d * (d * h1 - h2),
        d * ((r * d - 3 * h1) * d + 2 * h2),
        d * (((n - 6 * r) * d + 11 * h1) * d - 6 * h2),
    )


def _class_shapes(columns: list[int]) -> tuple[int, ...]:
    two, three, four = (sum(perm(b, m) for b in columns) for m in (2, 3, 4))
    return _shapes(two, two, three, two, three, four)


def _shapes(x: int, s22: int, s32: int, s23: int, s33: int, s43: int) -> tuple[int, ...]:
    """Return the sums of the eight shapes from ``s_me = sum_i (n_i)_m w_i^e`` and ``x = s_21``."""
    return (
        s23,
        s33,
        s33,
        s43,
        s43,
        s22 * x - 4 * s33 - 2 * s23,
        s32 * x - 6 * s43 - 6 * s33,
        x**3 - x * (12 * s32 + 6 * s22) + 40 * s43 + 64 * s33 + 8 * s23,
    )
