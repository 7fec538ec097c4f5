"""SGini of every number of clusters: sums over cuts in ``Double`` numbers, on which the formulas of the null law run.

Main definitions: ``standardised_scores``; ``laws_of`` (what belongs to class counts).
Source: wang2024, eqs. (15)-(26).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arith import total
from splitcrit.discretize.hierarchy import Hierarchy
from splitcrit.discretize.twofold import Double, running, two_product, two_sum, within
from splitcrit.nulls import formulas
from splitcrit.nulls.margins import form
from splitcrit.nulls.permutation import class_law
from splitcrit.search import engine, plain

Array = NDArray[Any]


def standardised_scores(hierarchy: Hierarchy, compiled: bool | None = None) -> Array:
    """Return SGini after each cut, to the last digits; ``compiled=False`` is for numpy."""
    h, laws = hierarchy, laws_of(hierarchy.totals)
    if engine(compiled) is plain:
        return _scores(h, np.repeat(laws, np.diff(h.starts) - 1, axis=0).T)
    from splitcrit.search.clusters_compiled import cluster_scores

    scores = np.empty(len(h.cuts))
    cluster_scores(h.running, (h.starts, h.cuts, h.low, h.high), laws, scores)
    return scores


def laws_of(totals: Array) -> Array:
    """Return for class counts ``(s, K)`` what ``cluster_scores`` is to know of each segment, ``(s, 6)``."""
    columns = totals.T.astype(float)
    size = columns.sum(axis=0)
    return np.stack([size, *class_law(size, columns), *form(columns)], axis=1)


def _scores(hierarchy: Hierarchy, laws: Array) -> Array:
    """Return the scores by numpy."""
    n, unlike, first, second, even, thin = laws
    r, (left, right) = hierarchy.clusters.astype(float), hierarchy.sides()
    a, b = total(left).astype(float), total(right).astype(float)
    begin, sides = hierarchy.cut_starts[:-1], Double(*two_product(a * b, a + b))
    gain = running(_added(left, right, a, b) / sides, begin)
    reciprocals = running(((a + b) * (a + b) - a * b) / sides, begin) + 1 / Double(n)
    uneven = formulas.uneven_rows(Double(n), r, reciprocals)
    thick = formulas.thick_rows(Double(n), r, uneven)
    variance = formulas.variance(first, np.maximum(uneven.value(), 0), second, np.maximum(thick.value(), 0))
    above = gain - formulas.mean(Double(np.maximum(n, formulas.LEAST["mean"])), r, unlike) * n
    level, lean = _form_of_rows(hierarchy, n.astype(np.int64), a, b)
    still = ((level | (even > 0)) & (lean | (thin > 0))) | (n <= 2) | (variance <= 0)
    return np.where(still, 0.0, above.value() / n / np.sqrt(np.where(still, 1.0, variance)))


def _added(left: Array, right: Array, a: Array, b: Array) -> Double:
    """Return ``a b (a + b)`` times what each cut adds to n times the gain."""
    high, low = np.zeros(len(a)), np.zeros(len(a))
    for x, y in zip(left, right, strict=True):
        apart = b * x - a * y  # exact below 94 million observations
        square, rest = two_product(apart, apart)
        high, more = two_sum(high, square)
        low = low + (more + rest)
    return Double(high, low)


def _form_of_rows(hierarchy: Hierarchy, n: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Return where the clusters are equally large, and where they are thin, in integers."""
    products = 2 * a.astype(np.int64) * b.astype(np.int64)  # what each cut takes from the sum of squared row totals
    squares, r = n * n - within(np.cumsum(products), hierarchy.cut_starts[:-1]), hierarchy.clusters
    even = (n % r == 0) & (squares == n * (n // r))
    return even, (r == n) | ((r == 2) & (np.minimum(a, b) == 1))
