"""Hierarchies of clusters of one-dimensional values, for several features at once, and the score of every state.

The different values of a feature in rising order are a segment; segments lie behind one another. A boundary lies before
each entry and behind the last; clusters are what lies between boundaries. Neighbours are merged, the closest first, of
equally close ones those with the fewest observations, and all at once where that is equal too: what clusters there are
depends on neither sign nor unit of the values. Read backwards, a segment is one cluster at first, and steps cut it
until every value is alone; a number of clusters that a step leaps over does not occur.

Main definitions: ``Hierarchy``, ``state_scores``; ``entries``, ``running_counts``.
Main results: with ``G`` the Gini impurities of ``r`` clusters, weighted by observations, the Gini gain above its mean
over permutations is the mean for ``n - r + 1`` clusters less ``G / n``, since the mean for ``n`` is the impurity of the
segment. Sums over clusters are of integers, so that they depend on the clusters alone.
Source: wang2024, Algorithm 1 and eqs. (15)-(26); for equal distances Fernandez and Gomez, Journal of Classification 25.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import FLOAT, shares
from splitcrit.criteria import Criterion
from splitcrit.frozen import complaint
from splitcrit.impurities import gini
from splitcrit.impurities.search_declaration import SGINI, ChanceCorrected
from splitcrit.nulls import formulas
from splitcrit.nulls.permutation import class_law
from splitcrit.trees.multiway.merging import merge

Linkage = Literal["single", "complete", "average"]  # by their kind in `merge`
ZERO = 1e-13  # relative: what rounding leaves of a factor of the variance that is 0


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The clusters of segments. A state is what a step leaves; those of a segment follow each other, one cluster first.

    Parameters
    ----------
    values : float array (m,)
        The entries, rising in each segment.
    running : int array (m + 1, K)
        Class counts before each entry, and of all entries.
    starts : int array (s + 1,)
        Segment ``i`` has the entries ``starts[i]`` to ``starts[i + 1]``, at least one.
    step : int array (m + 1,)
        The step, from 1, that cuts at each boundary; 0 where a segment begins, and at the end.
    begin, end, divided : int arrays (c,)
        The boundaries of every cluster that there ever is, and the step that divides it; 0 if it is a single value.
    """

    values: Array
    running: Array
    starts: Array
    step: Array
    begin: Array
    end: Array
    divided: Array

    @staticmethod
    def of(values: Array, counts: Array, starts: Array, linkage: Linkage = "single", apart: Any = ()) -> Hierarchy:
        """The hierarchy of a linkage; one step parts all values of the segments that are ``apart``."""
        running = running_counts(counts)
        kind, half = get_args(Linkage).index(linkage), values / 2  # halves of finite values have a distance
        step, each, grown = np.zeros(len(values) + 1, np.int64), np.arange(len(values)), []
        for s, (low, high) in enumerate(pairwise(starts.tolist())):
            if len(apart) and apart[s]:
                step[low + 1 : high] = 1
                grown += [np.array([[low, high, 1]])] * (high > low + 1)
                continue
            number, clusters = step[low : high + 1], np.empty((high - low, 3), np.int64)
            last, many = merge(half[low:high], running[low : high + 1], kind, number, half[low:high].copy(), clusters)
            number[1:-1] = last + 1 - number[1:-1]
            grown += [clusters[:many] * (1, 1, -1) + (low, low, last + 1)]
        begin, end, divided = np.concatenate([np.stack([each, each + 1, 0 * each], axis=1), *grown]).T
        return Hierarchy(values, running, starts, step, begin, end, divided)

    @property
    def state_starts(self) -> Array:
        """Where the states of each segment begin, and the number of states."""
        return np.append(0, np.cumsum(1 + np.maximum.reduceat(self.step, self.starts[:-1])))

    @property
    def segment(self) -> Array:
        """The segment of each state."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.state_starts))

    @property
    def clusters(self) -> Array:
        """How many clusters there are in each state."""
        return self.sums(np.ones(len(self.begin))).astype(np.int64)

    def first(self, state: int) -> Array:
        """The first entry of each cluster of a state, and the end of the last."""
        segment = int(self.segment[state])
        begin, end = self.starts[segment : segment + 2]
        there = np.flatnonzero(self.step[begin:end] <= state - self.state_starts[segment])
        return np.append(begin + there, end)

    def table(self, state: int) -> Array:
        """The class counts ``(r, K)`` of the clusters of a state."""
        return np.diff(self.running[self.first(state)], axis=0)

    def sums(self, worth: Array) -> Array:
        """For each state the sum of what its clusters are worth: of integers, which add in any order."""
        starts = self.state_starts
        bits = 62 - len(worth).bit_length() - int(np.frexp(np.abs(worth).max())[1])
        units, change = np.rint(np.ldexp(worth, bits)).astype(np.int64), np.zeros(starts[-1], np.int64)
        origin = np.repeat(starts[:-1], np.diff(self.starts))[self.begin]
        np.add.at(change, origin + np.maximum(self.step[self.begin], self.step[self.end]), units)
        np.subtract.at(change, (origin + self.divided)[self.divided > 0], units[self.divided > 0])
        total = np.append(0, np.cumsum(change))
        return np.asarray(np.ldexp((total[1:] - total[starts[self.segment]]).astype(float), -bits))


def state_scores(criterion: Criterion, hierarchy: Hierarchy, wanted: Any = True) -> Array:
    """The score of the table of each state; -inf for one cluster, whose score is 0/0, and where not wanted.

    SGini, decreases of impurities and their ratios to the entropy of the split are functions of sums over clusters:
    O(V K) for V values and K classes. Any other criterion is called on the tables, O(V^2 K) for all of them.
    """
    criterion.check(2, hierarchy.running.shape[1])
    wanted = wanted & (hierarchy.clusters > 1)
    divided, own = criterion.search.divided, criterion.search.form
    standardised = isinstance(own, ChanceCorrected) and own.kind == SGINI
    impurity = gini if standardised else criterion.impurity or (divided and divided.impurity)
    if impurity is None:
        return _of_tables(criterion, hierarchy, wanted)

    def weighted(counts: Array) -> Array:
        """The impurities of class counts ``(m, K)``, weighted by observations."""
        columns = np.ascontiguousarray(counts.T, dtype=float)
        size = columns.sum(axis=0)
        return np.asarray(size * impurity.of_floats(shares(columns, size, FLOAT)))

    tables, starts = hierarchy.running, hierarchy.starts
    counts, totals = tables[hierarchy.end] - tables[hierarchy.begin], tables[starts[1:]] - tables[starts[:-1]]
    size, sizes = counts.sum(axis=1), totals.sum(axis=1)
    impure = hierarchy.sums(weighted(counts))
    if standardised:
        scores = _standardised(hierarchy, impure, hierarchy.sums(1 / size), totals.T.astype(float))
    else:
        scores = (weighted(totals)[hierarchy.segment] - impure) / sizes[hierarchy.segment]
    if criterion.impurity is None and not standardised:
        part = size / sizes[np.searchsorted(starts, hierarchy.begin, side="right") - 1]
        scores /= np.where(wanted, -hierarchy.sums(FLOAT.xlogx(part)), 1.0)
    return np.where(wanted, scores, -np.inf)


def _standardised(hierarchy: Hierarchy, impure: Array, reciprocals: Array, totals: Array) -> Array:
    """SGini, given ``G`` and the sums of reciprocal cluster sizes; 0 where the variance is 0."""
    unlike, first, second = (each[hierarchy.segment] for each in class_law(totals.sum(axis=0), totals))
    n, r = np.maximum(totals.sum(axis=0), 2.0)[hierarchy.segment], hierarchy.clusters
    uneven = formulas.uneven_rows(n, r, reciprocals)
    uneven = np.where(uneven > ZERO * n * n * reciprocals, uneven, 0.0)
    thick = formulas.thick_rows(n, r, uneven)
    thick = np.where(thick > ZERO * (n - 2) * (n - r) * (r - 1), thick, 0.0)
    spread = formulas.variance(first, uneven, second, thick)
    above = formulas.mean(n, n - r + 1, unlike) - impure / n
    return np.where(spread > 0, above / np.sqrt(np.where(spread > 0, spread, 1.0)), 0.0)


def _of_tables(criterion: Criterion, hierarchy: Hierarchy, wanted: Array) -> Array:
    """The scores of the wanted states: by a criterion of all features of a node at once, or by table.

    Tables of equally many clusters are asked about together.
    """
    scores, clusters = np.full(len(wanted), -np.inf), np.where(wanted, hierarchy.clusters, 0)
    if (of_node := criterion.search.of_node) is not None and wanted.any():
        if len(np.unique(hierarchy.segment[wanted])) < wanted.sum():
            rule = f"{criterion!r} compares the features of a node, each by one table"
            raise ValueError(complaint(rule, "a feature with clusters", "discretise, and declare categorical_features"))
        scores[wanted] = of_node(list(map(hierarchy.table, np.flatnonzero(wanted).tolist())))
        return scores
    for r in np.unique(clusters[wanted]):
        states = np.flatnonzero(clusters == r)
        scores[states] = criterion(np.stack(list(map(hierarchy.table, states.tolist()))))
    return scores


def entries(columns: Array, codes: Array, classes: int) -> tuple[Array, Array, Array]:
    """The different values of columns ``(d, n)``, one segment each, their class counts, and the starts."""
    order = np.argsort(columns, axis=1)
    ordered = np.take_along_axis(columns, order, axis=1)
    new = np.ones(ordered.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    starts = np.append(0, np.cumsum(new.sum(axis=1)))
    cells = (np.cumsum(new.ravel()) - 1) * classes + codes[order].ravel()
    return ordered[new], np.bincount(cells, minlength=starts[-1] * classes).reshape(-1, classes), starts


def running_counts(counts: Array) -> Array:
    """The class counts before each entry, and of all entries."""
    return np.concatenate([np.zeros((1, counts.shape[1]), np.int64), np.cumsum(counts, axis=0)])
