"""The score of every number of clusters of a hierarchy: as sums over its cuts where the criterion is one.

Main definitions: ``cut_scores``; ``standardised_scores`` (SGini), ``laws_of`` (what belongs to class counts).
Main results: to divide a cluster of ``c`` observations into ``a`` and ``b`` with class counts ``x`` and ``y`` adds
``sum_j (b x_j - a y_j)^2 / (a b c)`` to ``n`` times the Gini gain, and ``1/a + 1/b - 1/c`` to the sum of reciprocal row
totals on which its permutation variance depends. Both are positive, so nothing is lost; what is subtracted from the
sums is kept in two float64 numbers.
Source: wang2024, Algorithm 1 and eqs. (15)-(26).
"""

from __future__ import annotations

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import FLOAT, shares, total
from splitcrit.criteria import Criterion
from splitcrit.discretize.linkage_tree import Hierarchy
from splitcrit.impurities import Impurity
from splitcrit.impurities.known_forms import ChanceCorrected
from splitcrit.impurities.search_declaration import SGINI
from splitcrit.nulls.margin_totals import form
from splitcrit.nulls.permutation import class_law
from splitcrit.search.twofold import Double, running


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
        The cuts whose tables are wanted; the others may be left at -inf.

    Returns
    -------
    array (m - s,)
    """
    if len(hierarchy.cuts) == 0:
        return np.empty(0)
    criterion.check(2, hierarchy.running.shape[1])
    divided, own = criterion.search.divided, criterion.search.form
    if isinstance(own, ChanceCorrected) and own.kind == SGINI:
        return standardised_scores(hierarchy)
    if criterion.impurity is not None:
        return _decreases(criterion.impurity, hierarchy)
    if divided is not None and divided.impurity is not None:
        return _decreases(divided.impurity, hierarchy) / _split_entropies(hierarchy)
    scores = np.full(len(hierarchy.cuts), -np.inf)
    for places, tables in hierarchy.tables(np.ones(len(scores), dtype=bool) if wanted is None else wanted):
        scores[places] = criterion(tables)
    return scores


def _sizes(hierarchy: Hierarchy) -> Array:
    """Return the observations of the segment of each cut, in float64."""
    return np.repeat(hierarchy.totals.sum(axis=1).astype(float), np.diff(hierarchy.starts) - 1)


def _decreases(impurity: Impurity, hierarchy: Hierarchy) -> Array:
    """Return sums of what each cut takes from the impurities, weighted by observations."""
    left, right = (side.astype(float) for side in hierarchy.sides())
    taken = _weighted(impurity, left + right) - _weighted(impurity, left) - _weighted(impurity, right)
    return np.asarray(running(Double(taken), hierarchy.cut_starts[:-1]).value() / _sizes(hierarchy))


def _weighted(impurity: Impurity, counts: Array) -> Array:
    n = total(counts)
    return np.asarray(n * impurity.of_floats(shares(counts, n, FLOAT)))


def _split_entropies(hierarchy: Hierarchy) -> Array:
    """Return the entropy, in nats, of the shares of observations in the clusters after each cut."""
    n = _sizes(hierarchy)
    a, b = (total(side) / n for side in hierarchy.sides())
    more = FLOAT.xlogx(a + b) - FLOAT.xlogx(a) - FLOAT.xlogx(b)
    return np.asarray(running(Double(more), hierarchy.cut_starts[:-1]).value())


def standardised_scores(hierarchy: Hierarchy) -> Array:
    """Return SGini after each cut, to the last digits."""
    from splitcrit.search.linkage_sgini_compiled import cluster_scores

    h, scores = hierarchy, np.empty(len(hierarchy.cuts))
    cluster_scores(h.running, (h.starts, h.cuts, h.low, h.high), laws_of(h.totals), scores)
    return scores


def laws_of(totals: Array) -> Array:
    """Return for class counts ``(s, K)`` what ``cluster_scores`` is to know of each segment, ``(s, 6)``."""
    columns = totals.T.astype(float)
    size = columns.sum(axis=0)
    return np.stack([size, *class_law(size, columns), *form(columns)], axis=1)
