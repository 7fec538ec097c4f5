"""The third central moment of the Gini gain under permutations, exactly, in O(r + k).

Main definitions: ``exact_third`` (one table, Fractions), ``third_moment`` (a batch, in floats), ``skewness``.
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

from splitcrit.arith import namespace, of_other_library, on_device_of, total
from splitcrit.nulls.margins import occurring
from splitcrit.nulls.permutation import centred, exact_variance, others, positive

Array = Any  # float64 of numpy, or the floats of another library

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
    if of_other_library(variance):
        spread = namespace(variance).where(variance > 0, variance, 1.0)
        return third / spread**1.5
    spread = np.asarray(variance, dtype=np.float64)
    width = np.where(spread > 0, spread, np.inf) ** 1.5
    return np.asarray(third, dtype=np.float64) / np.where(width > 0, width, np.inf)


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


def third_moment(rows: Array, columns: Array) -> Array:
    """Return the third central moment for totals ``(r, ...)`` and ``(k, ...)`` in floats, in O(r^3 + k^3).

    With ``w`` and ``z`` each split into a matrix ``N`` of row sums 0 and a part ``f_u + f_v``, as for the variance, ::

        n^3 third = E[X^3] + 3 E[X^2 L] + 3 E[X L^2] + E[L^3]

    where each expectation is a product of an invariant of the rows and the same invariant of the classes.
    """
    xp = namespace(rows)
    n = xp.sum(rows, axis=0)
    n1, n2, n3, n4, n5 = (xp.maximum(n - i, 1.0) for i in (1, 2, 3, 4, 5))
    c, tri, d, p, f = zip(_of_rows(rows, n), _of_columns(columns, n), strict=True)
    four = positive(n) * n1 * n2 * n3
    straight = 4 * c[0] * c[1] / (positive(n) * n1) + (24 * c[0] * c[1] + 8 * tri[0] * tri[1]) / (positive(n) * n1 * n2)
    straight = straight + (56 * c[0] * c[1] + 24 * (c[0] - tri[0]) * (c[1] - tri[1])) / four
    apart = (2 * c[0] - tri[0]) * ((2 * c[1] - tri[1]) / four)
    straight = straight + 48 * apart / n4 + 64 * apart / (n4 * n5)
    mixed = d[0] * (d[1] / (n1 * n3 * n4)) + p[0] * (p[1] / (positive(n) * n3))
    linear = f[0] * (f[1] * n / n1)
    return (straight + n2 * n2 * (24 * mixed + 8 * linear)) / positive(n) ** 3


def _of_rows(a: Array, n: Array) -> tuple[Array, ...]:
    """Return the invariants of the rows, whose weights are ``1/a``."""
    n1, n2 = (namespace(a).maximum(n - i, 1.0) for i in (1, 2))
    r, size = occurring(a), positive(a)
    same = (n1 * (n - a) / size - (r - 1)) / (n1 * n2)
    across = (n1 * (1 / size[:, None, ...] + 1 / size[None, ...]) - (n - 2 + r)) / (n1 * n2)
    return _invariants(a, same, across, (r * a - n) / (positive(n) * size * n2))


def _of_columns(b: Array, n: Array) -> tuple[Array, ...]:
    """Return the invariants of the classes, whose weights are 1."""
    xp = namespace(b)
    n1, n2 = (xp.maximum(n - i, 1.0) for i in (1, 2))
    pairs, one, other = b * (b - 1), b[:, None, ...], b[None, ...]
    rest = xp.sum(pairs, axis=0) - pairs[:, None, ...] - pairs[None, ...]
    same = ((n - b) / n1 * ((n - b - 1) / n2)) + others(pairs) / (n1 * n2)
    across = (rest - 2 * (one - 1) * (other - 1) - (n - one - other) * (one + other - 2)) / (n1 * n2)
    return _invariants(b, same, across, centred(b, n) / n2)


def _invariants(size: Array, same: Array, across: Array, f: Array) -> tuple[Array, ...]:
    """Return ``sum N^3``, ``tr N^3``, ``sum N^2 f``, ``f'Nf`` and ``sum f^3`` of ``N``, given by blocks, and ``f``."""
    xp, blocks = namespace(size), range(size.shape[0])
    places = xp.reshape(xp.arange(size.shape[0], **on_device_of(size)), (-1, *[1] * (size.ndim - 1)))
    across = xp.where(places[:, None, ...] == places[None, ...], 0 * across, across)
    weighed = size[None, ...] * across
    squares, cubes = xp.sum(weighed * across, axis=1), xp.sum(weighed * across * across, axis=1)
    within = (size - 1) * same
    both = size[:, None, ...] * weighed
    chains = [
        size[k, ...] * xp.sum(both * across[:, k, ...][:, None, ...] * across[k, ...], axis=(0, 1)) for k in blocks
    ]
    triangles = within * ((size - 2) * same * same + 3 * squares)
    return (
        xp.sum(size * (within * same * same + cubes), axis=0),
        xp.sum(size * triangles, axis=0) + total(chains),
        xp.sum(size * f * (within * same + squares), axis=0),
        xp.sum(size * within * f * f, axis=0) + xp.sum(both * f[:, None, ...] * f[None, ...], axis=(0, 1)),
        xp.sum(size * f**3, axis=0),
    )
