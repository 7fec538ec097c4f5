"""The third central moment of the Gini gain under permutations, exactly, in O(r + k).

Main definitions: ``exact_third`` (one table, a Ratio), ``third_moment`` (a batch, in floats), ``skewness``.
Main results: the statistic is ``sum_{u != v} w_uv z_uv`` over ordered pairs of observations, with ``w_uv = 1/a_i`` if
both lie in row ``i`` and ``z_uv = 1`` if both are of one class. A product of three such terms is a multigraph with
three edges on the observations, and a permutation only sees its shape: ``E = sum_G c_G R_G C_G / (n)_v``, with
``c_G`` the number of labelled copies, ``v`` its vertices, ``R_G`` and ``C_G`` its sums over rows and over classes.
Eight shapes occur, and their sums need only ``sum 1/a``, ``sum 1/a^2`` and the power sums of the classes up to 4.
Source: none in the literature the library follows; wang2024 stops at the variance.
"""

from __future__ import annotations

from math import lcm, perm
from typing import Any

import numpy as np

from splitcrit.arith import namespace, of_other_library, on_device_of, total
from splitcrit.arith.exact_numbers import Ratio
from splitcrit.nulls import formulas
from splitcrit.nulls.formulas import LEAST
from splitcrit.nulls.margin_totals import occurring
from splitcrit.nulls.permutation import centred, exact_variance, others, positive

Array = Any  # float64 of numpy, or the floats of another library

# Triple edge; double + adjacent; triangle; path; star; double + apart; two adjacent + one apart; all three apart.
_COPIES = (4, 24, 8, 24, 8, 6, 12, 1)
_VERTICES = (2, 3, 3, 4, 4, 4, 5, 6)


def exact_third(rows: list[int], columns: list[int]) -> Ratio:
    """The third central moment of the gain for positive totals."""
    n, r, d = sum(rows), len(rows), lcm(*set(rows))
    if n < LEAST["uneven"]:
        return Ratio(0)
    inverse, squares = Ratio(sum(d // a for a in rows), d), Ratio(sum((d // a) ** 2 for a in rows), d * d)
    of_rows = formulas.row_sums(n, r, inverse, squares)
    of_classes = formulas.class_sums(n, *(sum(b**m for b in columns) for m in (2, 3, 4)))
    shapes = zip(_COPIES, _VERTICES, formulas.shapes(*of_rows), formulas.shapes(*of_classes), strict=True)
    raw = sum((x * (c * y) / perm(n, v) for c, v, x, y in shapes if v <= n), Ratio(0))
    spread = exact_variance(rows, columns)
    first = Ratio(of_rows[0] * of_classes[0], perm(n, 2))
    third: Ratio = formulas.third_moment(n, raw, first, spread)
    return third


def skewness(variance: Any, third: Any) -> Any:
    """``third / variance^1.5``, and 0 where the variance is 0."""
    if of_other_library(variance):
        spread = namespace(variance).where(variance > 0, variance, 1.0)
        return third / spread**1.5
    spread = np.asarray(variance, dtype=np.float64)
    width = np.where(spread > 0, spread, np.inf) ** 1.5
    return np.asarray(third, dtype=np.float64) / np.where(width > 0, width, np.inf)


def third_moment(rows: Array, columns: Array) -> Array:
    """The third central moment for totals ``(r, ...)`` and ``(k, ...)`` in floats, in O(r^3 + k^3).

    With ``w`` and ``z`` each split into a matrix ``N`` of row sums 0 and a part ``f_u + f_v``, as for the variance, ::

        n^3 third = E[X^3] + 3 E[X^2 L] + 3 E[X L^2] + E[L^3]

    where each expectation is a product of an invariant of the rows and the same invariant of the classes.
    """
    xp = namespace(rows)
    n = xp.sum(rows, axis=0)
    sizes = positive(n), *(xp.maximum(n - i, 1) for i in range(1, 6))
    return formulas.third_by_invariants(sizes, *zip(_of_rows(rows, n), _of_columns(columns, n), strict=True))


def _of_rows(a: Array, n: Array) -> tuple[Array, ...]:
    """The invariants of the rows, whose weights are ``1/a``."""
    n, r, w = namespace(a).maximum(n, LEAST["uneven"]), occurring(a), 1 / positive(a)
    within, apart = formulas.row_block(n, r, a, w)
    return _invariants(a, within, formulas.row_across(n, r, w[:, None, ...], w[None, ...]), apart)


def _of_columns(b: Array, n: Array) -> tuple[Array, ...]:
    """The invariants of the classes, whose weights are 1."""
    xp = namespace(b)
    n, pairs = xp.maximum(n, LEAST["uneven"]), b * (b - 1)
    rest = xp.sum(pairs, axis=0) - pairs[:, None, ...] - pairs[None, ...]
    across = formulas.class_across(n, b[:, None, ...], b[None, ...], rest)
    return _invariants(b, formulas.class_block(n, b, others(pairs)), across, centred(b, n) / (n - 2))


def _invariants(size: Array, same: Array, across: Array, f: Array) -> tuple[Array, ...]:
    """``sum N^3``, ``tr N^3``, ``sum N^2 f``, ``f'Nf`` and ``sum f^3`` of ``N``, given by blocks, and ``f``."""
    xp, blocks = namespace(size), range(size.shape[0])
    places = xp.reshape(xp.arange(size.shape[0], **on_device_of(size)), (-1, *[1] * (size.ndim - 1)))
    across = xp.where(places[:, None, ...] == places[None, ...], 0 * across, across)
    weighed = size[None, ...] * across
    squares, cubes = xp.sum(weighed * across, axis=1), xp.sum(weighed * across * across, axis=1)
    both = size[:, None, ...] * weighed
    chains = [
        size[k, ...] * xp.sum(both * across[:, k, ...][:, None, ...] * across[k, ...], axis=(0, 1)) for k in blocks
    ]
    c, t, d, p, g = (xp.sum(x, axis=0) for x in formulas.invariant_terms(size, same, squares, cubes, f))
    return c, t + total(chains), d, p + xp.sum(both * f[:, None, ...] * f[None, ...], axis=(0, 1)), g
