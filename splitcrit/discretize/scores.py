"""The score of every number of clusters of a hierarchy: as sums over its cuts where the criterion is one.

Main definitions: ``cut_scores``.
Main results: to divide a cluster of ``c`` observations into ``a`` and ``b`` with class counts ``x`` and ``y`` adds
``sum_j (b x_j - a y_j)^2 / (a b c)`` to ``n`` times the Gini gain, and ``1/a + 1/b - 1/c`` to the sum of reciprocal row
totals on which its permutation variance depends. Both are positive, so nothing is lost; what is subtracted from the
sums is kept in two float64 numbers.
Source: wang2024, Algorithm 1 and eqs. (15)-(26).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arith import FLOAT, shares, total
from splitcrit.criteria import Criterion
from splitcrit.criteria.base import Decrease
from splitcrit.criteria.library import Normalised
from splitcrit.discretize.hierarchy import Hierarchy
from splitcrit.discretize.twofold import difference, quotient, running, two_product, two_sum, within
from splitcrit.moments import sgini
from splitcrit.moments.margins import form
from splitcrit.moments.permutation import thick_columns, uneven_columns

Array = NDArray[Any]
CUBE = 3.3e5  # up to this many observations a b (a + b) is below 2^53


def cut_scores(criterion: Criterion, hierarchy: Hierarchy, wanted: Array | None = None) -> Array:
    """Return the score of each segment's table after each cut, in the order of the cuts.

    Parameters
    ----------
    criterion : Criterion
        For tables of any number of rows. SGini, decreases of impurities and their ratios to the entropy of the split
        are sums over cuts: all of them cost O(V K) for V values and K classes. Any other criterion is called on the
        tables, O(V^2 K) for all of them.
    hierarchy : Hierarchy
    wanted : bool array, optional
        The cuts whose tables are asked for; the others may be left at -inf.

    Returns
    -------
    array (m - s,)
    """
    if len(hierarchy.cuts) == 0:
        return np.empty(0)
    if criterion.score == sgini.score:
        return _standardised(hierarchy)
    if isinstance(criterion.score, Decrease):
        return _decreases(criterion.score, hierarchy)
    if isinstance(criterion.score, Normalised) and isinstance(criterion.score.score, Decrease):
        return _decreases(criterion.score.score, hierarchy) / _split_entropies(hierarchy)
    scores = np.full(len(hierarchy.cuts), -np.inf)
    for places, tables in hierarchy.tables(np.ones(len(scores), dtype=bool) if wanted is None else wanted):
        scores[places] = criterion(tables)
    return scores


def _sizes(hierarchy: Hierarchy) -> Array:
    """Return the observations of the segment of each cut, in float64."""
    return np.repeat(hierarchy.totals.sum(axis=1).astype(float), np.diff(hierarchy.starts) - 1)


def _decreases(decrease: Decrease, hierarchy: Hierarchy) -> Array:
    """Return sums of what each cut takes from the impurities, weighted by observations."""
    left, right = (side.astype(float) for side in hierarchy.sides())
    taken = _weighted(decrease, left + right) - _weighted(decrease, left) - _weighted(decrease, right)
    sums, rest = running((taken, np.zeros(len(taken))), hierarchy.cut_starts[:-1])
    return np.asarray((sums + rest) / _sizes(hierarchy))


def _weighted(decrease: Decrease, counts: Array) -> Array:
    n = total(counts)
    return np.asarray(n * decrease.impurity.of(shares(counts, n, FLOAT), FLOAT))


def _split_entropies(hierarchy: Hierarchy) -> Array:
    """Return the entropy, in nats, of the shares of observations in the clusters after each cut."""
    n = _sizes(hierarchy)
    a, b = (total(side) / n for side in hierarchy.sides())
    more = FLOAT.xlogx(a + b) - FLOAT.xlogx(a) - FLOAT.xlogx(b)
    sums, rest = running((more, np.zeros(len(more))), hierarchy.cut_starts[:-1])
    return np.asarray(sums + rest)


def _standardised(hierarchy: Hierarchy) -> Array:
    """Return SGini after each cut."""
    left, right = hierarchy.sides()
    a, b = total(left).astype(float), total(right).astype(float)
    excess, rest = running(_excess(hierarchy, left, right, a, b), hierarchy.cut_starts[:-1])
    variance = _variance(hierarchy, a, b)
    spread = np.sqrt(np.where(variance > 0, variance, np.inf))
    return np.asarray((excess + rest) / spread)


def _excess(hierarchy: Hierarchy, left: Array, right: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Return what each cut adds to n times the gain, less the mean of it over permutations."""
    high, low = np.zeros(len(a)), np.zeros(len(a))
    for x, y in zip(left, right, strict=True):
        apart = b * x - a * y  # exact below 94 million observations
        square, rest = two_product(apart, apart)
        high, more = two_sum(high, square)
        low = low + (more + rest)
    added = _over((high, low), a, b)
    columns = hierarchy.totals.T.astype(float)
    n = columns.sum(axis=0)
    unlike = total(columns * (n - columns))  # ordered pairs of observations of different classes
    mean = quotient(quotient((unlike, np.zeros(len(n))), n), np.maximum(n - 1, 1))
    each = np.diff(hierarchy.starts) - 1
    return difference(added, (np.repeat(mean[0], each), np.repeat(mean[1], each)))


def _over(pair: tuple[Array, Array], a: Array, b: Array) -> tuple[Array, Array]:
    """Return a pair over ``a b (a + b)``: in one step where that is exact in float64."""
    c = a + b
    if float(c.max()) < CUBE:
        return quotient(pair, a * b * c)
    return quotient(quotient(pair, a * b), c)


def _variance(hierarchy: Hierarchy, a: Array, b: Array) -> Array:
    """Return n^2 times the permutation variance of the gain after each cut; 0 where margins leave nothing to chance."""
    each, c = np.diff(hierarchy.starts) - 1, a + b
    columns = hierarchy.totals.T.astype(float)
    size = columns.sum(axis=0)
    n, r = np.repeat(size, each), hierarchy.clusters.astype(float)
    step = _over((c * c - a * b, np.zeros(len(c))), a, b)
    even = quotient((2 * r - 1, np.zeros(len(c))), n)
    uneven = running(difference(step, even), hierarchy.cut_starts[:-1])  # sum_i 1/a_i - r^2/n
    high, low = two_product((n - 2) * (n - r), r - 1)
    product, rest = two_product(n * (n - 1), uneven[0])
    thick, _ = difference((high, low), (product, rest + n * (n - 1) * uneven[1]))
    n1, n2, n3 = (np.maximum(n - i, 1.0) for i in (1, 2, 3))
    first = 4 * np.maximum(uneven[0], 0) * np.repeat(uneven_columns(columns, size), each) / (n1 * n2 * n2)
    second = 2 * np.maximum(thick, 0) * np.repeat(thick_columns(columns, size), each) / (n * (n1 * n2) ** 2 * n3)
    return np.where(_constant(hierarchy, a, b, columns), 0.0, first + second)


def _constant(hierarchy: Hierarchy, a: Array, b: Array, columns: Array) -> Array:
    """Return where the gain is the same for all permutations, in integers."""
    each = np.diff(hierarchy.starts) - 1
    n, r = np.repeat(columns.sum(axis=0), each).astype(np.int64), hierarchy.clusters
    products = 2 * a.astype(np.int64) * b.astype(np.int64)  # what each cut takes from the sum of squared row totals
    squares = n * n - within(np.cumsum(products), hierarchy.cut_starts[:-1])
    even = (n % r == 0) & (squares == n * (n // r))
    thin = (r == n) | ((r == 2) & (np.minimum(a, b) == 1))
    even_columns, thin_columns = (np.repeat(side, each) for side in form(columns))
    return np.asarray(((even | even_columns) & (thin | thin_columns)) | (n <= 2))
