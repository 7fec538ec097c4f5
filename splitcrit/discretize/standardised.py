"""SGini of every number of clusters: sums over cuts that keep what the subtraction of the mean would lose.

Main definitions: ``standardised_scores``.
Main results: with ``n`` observations, ``r`` clusters of sizes ``a_i`` and class totals ``b_j``, the variance
of n times the gain is ``4 A B / ((n-1)(n-2)^2) + 2 U V / (n (n-1)^2 (n-2)^2 (n-3))``; B and V depend on the classes, ::

    A = sum_i 1/a_i - r^2/n        U = (n - 2)(n - r)(r - 1) - n (n - 1) A

Source: wang2024, eqs. (15)-(26).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arith import total
from splitcrit.discretize.hierarchy import Hierarchy
from splitcrit.discretize.twofold import Pair, difference, quotient, running, two_product, two_sum, within
from splitcrit.nulls.margins import form
from splitcrit.nulls.permutation import thick_columns, uneven_columns
from splitcrit.search.standard import standard_scores

Array = NDArray[Any]


def standardised_scores(hierarchy: Hierarchy, compiled: bool | None = None) -> Array:
    """Return SGini after each cut, to the last digits; ``compiled=False`` is for numpy."""
    columns = hierarchy.totals.T.astype(float)
    n = columns.sum(axis=0)
    unlike = total(columns * (n - columns))  # ordered pairs of observations of different classes
    mean = quotient(quotient((unlike, np.zeros(len(n))), n), np.maximum(n - 1, 1))
    constants = np.column_stack([n, *mean, uneven_columns(columns, n), thick_columns(columns, n)])
    shape = np.column_stack(form(columns))
    loop = standard_scores() if compiled is not False else None
    if loop is None:
        return _scores(hierarchy, constants, shape)
    scores = np.empty(len(hierarchy.cuts))
    h = hierarchy
    loop(h.running, h.starts, h.cuts, h.low, h.high, constants, shape, scores)
    return scores


def _scores(hierarchy: Hierarchy, constants: Array, shape: Array) -> Array:
    """Return the scores by numpy."""
    each, begin = np.diff(hierarchy.starts) - 1, hierarchy.cut_starts[:-1]
    n, mean, mean_low, uneven_classes, thick_classes = np.repeat(constants, each, axis=0).T
    even, thin = np.repeat(shape, each, axis=0).T
    left, right = hierarchy.sides()
    a, b = total(left).astype(float), total(right).astype(float)
    excess, rest = running(difference(_added(left, right, a, b), (mean, mean_low)), begin)
    rows = _uneven_rows(n, a, b, hierarchy.clusters.astype(float), begin)
    variance = _variance(n, hierarchy.clusters, rows, uneven_classes, thick_classes)
    level, lean = _form_of_rows(hierarchy, n.astype(np.int64), a, b)
    still = ((level | even) & (lean | thin)) | (n <= 2) | (variance <= 0)
    return np.where(still, 0.0, (excess + rest) / np.sqrt(np.where(still, 1.0, variance)))


def _added(left: Array, right: Array, a: Array, b: Array) -> Pair:
    """Return what each cut adds to n times the gain."""
    high, low = np.zeros(len(a)), np.zeros(len(a))
    for x, y in zip(left, right, strict=True):
        apart = b * x - a * y  # exact below 94 million observations
        square, rest = two_product(apart, apart)
        high, more = two_sum(high, square)
        low = low + (more + rest)
    return quotient(quotient((high, low), a * b), a + b)


def _uneven_rows(n: Array, a: Array, b: Array, r: Array, begin: Array) -> Pair:
    """Return ``sum_i 1/a_i - r^2/n`` after each cut."""
    zero, c = np.zeros(len(n)), a + b
    step = quotient(quotient((c * c - a * b, zero), a * b), c)
    return running(difference(step, quotient((2 * r - 1, zero), n)), begin)


def _variance(n: Array, r: Array, rows: Pair, uneven_classes: Array, thick_classes: Array) -> Array:
    """Return n^2 times the permutation variance of the gain, but for margins that leave nothing to chance."""
    product, rest = two_product(n * (n - 1), rows[0])
    thick, _ = difference(two_product((n - 2) * (n - r), r - 1.0), (product, rest + n * (n - 1) * rows[1]))
    n1, n2, n3 = (np.maximum(n - i, 1.0) for i in (1, 2, 3))
    first = 4 * np.maximum(rows[0], 0) * uneven_classes / (n1 * n2 * n2)
    return np.asarray(first + 2 * np.maximum(thick, 0) * thick_classes / (n * (n1 * n2) ** 2 * n3))


def _form_of_rows(hierarchy: Hierarchy, n: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Return where the clusters are equally large, and where they are thin, in integers."""
    products = 2 * a.astype(np.int64) * b.astype(np.int64)  # what each cut takes from the sum of squared row totals
    squares, r = n * n - within(np.cumsum(products), hierarchy.cut_starts[:-1]), hierarchy.clusters
    even = (n % r == 0) & (squares == n * (n // r))
    return even, (r == n) | ((r == 2) & (np.minimum(a, b) == 1))
