"""Hierarchies of clusters of one-dimensional values: every number of clusters at once, for many features at once.

A row of entries, the different values of a feature in rising order with their class counts, is a segment; segments lie
behind one another. A hierarchy begins with one cluster a segment and cuts it, one place at a time, until every value
is alone. What a criterion needs is then a sum over cuts, and all numbers of clusters cost little more than one.

Main definitions: ``Hierarchy``, ``LINKAGES``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import Array

LINKAGES = ("single", "complete", "average")


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The cuts of every segment in the order in which they are made.

    Parameters
    ----------
    values : float array (m,)
        The entries, rising in each segment.
    running : int array (m + 1, K)
        Class counts before each entry, and of all entries.
    starts : int array (s + 1,)
        Segment ``i`` has the entries ``starts[i]`` to ``starts[i + 1]``, at least one.
    cuts, low, high : int arrays (m - s,)
        Cut ``p`` separates entry ``p`` from ``p + 1``, and thereby the cluster of the entries ``low`` to ``high``.
    """

    values: Array
    running: Array
    starts: Array
    cuts: Array
    low: Array
    high: Array

    @staticmethod
    def of(values: Array, counts: Array, starts: Array, linkage: str = "single") -> Any:
        """Return the hierarchy of a linkage: "single" (largest gaps are cut first), "complete" or "average".

        Of equally close clusters the first two are merged, as in scipy's linkage of sorted values.
        """
        from splitcrit.search.linkage_compiled import cutting_order, gap_spans, merge_spans

        low, high = np.empty(len(values) - 1, np.int64), np.empty(len(values) - 1, np.int64)
        cuts = np.empty(len(values) - len(starts) + 1, np.int64)
        half = values / 2  # the halves of finite values have finite distances
        if linkage == "single":
            gaps = half[1:] - half[:-1]
            gaps[starts[1:-1] - 1] = np.inf
            gap_spans(gaps, low, high)
            if len(starts) > 2 or not _ordered(gaps, cuts):
                cutting_order(gaps, starts, cuts)
        else:
            merge_spans(half, counts.sum(axis=1), starts, linkage == "complete", low, high, cuts)
        return Hierarchy(values, running_counts(counts), starts, cuts, low[cuts], high[cuts])

    @staticmethod
    def apart(values: Array, counts: Array, starts: Array) -> Hierarchy:
        """Return the hierarchy that splits off one value after the other; its end has every value apart."""
        last = np.ones(len(values), dtype=bool)
        last[starts[1:] - 1] = False
        cuts = np.flatnonzero(last)
        high = np.repeat(starts[1:] - 1, np.diff(starts) - 1)
        return Hierarchy(values, running_counts(counts), starts, cuts, cuts, high)

    @property
    def cut_starts(self) -> Array:
        """Where the cuts of each segment begin, and the number of cuts."""
        return np.asarray(self.starts - np.arange(len(self.starts)))

    @property
    def clusters(self) -> Array:
        """How many clusters a segment has after each cut: 2, 3, ..."""
        begin = self.cut_starts
        return np.asarray(np.arange(len(self.cuts)) - np.repeat(begin[:-1], np.diff(begin)) + 2)

    @property
    def segment(self) -> Array:
        """The segment of each cut."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts) - 1)

    @property
    def totals(self) -> Array:
        """The class counts ``(s, K)`` of each segment."""
        return np.asarray(self.running[self.starts[1:]] - self.running[self.starts[:-1]])

    def sides(self) -> tuple[Array, Array]:
        """Return the class counts ``(K, m - s)`` on both sides of each cut, within the cluster that it divides."""
        middle = self.running[self.cuts + 1]
        left, right = middle - self.running[self.low], self.running[self.high + 1] - middle
        return np.ascontiguousarray(left.T), np.ascontiguousarray(right.T)

    def clustered(self, number: Array) -> Array:
        """Return the first entry of each cluster, if segment ``i`` is to have ``number[i]`` of them."""
        made = self.clusters <= np.repeat(number, np.diff(self.starts) - 1)
        return np.sort(np.concatenate([self.starts[:-1], self.cuts[made] + 1]))

    def tables(self, wanted: Array) -> Iterator[tuple[Array, Array]]:
        """Yield the tables of the cuts that are wanted, with the places of these cuts, by number of clusters.

        A table counts the classes of each cluster after the cut; the tables ``(number, r, K)`` have equally many rows.
        """
        clusters, segment = self.clusters, self.segment
        for r in np.unique(clusters[wanted]):
            places = np.flatnonzero(wanted & (clusters == r))
            number = np.ones(len(self.starts) - 1, np.int64)
            number[segment[places]] = r
            first = self.clustered(number)
            chosen = np.repeat(number, number) == r
            following = np.append(first[1:], len(self.values))
            rows = self.running[following[chosen]] - self.running[first[chosen]]
            yield places, rows.reshape(len(places), r, -1)


def _ordered(gaps: Array, cuts: Array) -> bool:
    """Sort the cuts of one segment by falling gaps, quickly; tell whether no two gaps are equal."""
    cuts[:] = np.argsort(-gaps)
    falling = gaps[cuts]
    return bool((falling[1:] < falling[:-1]).all())


def counted(values: Array, codes: Array) -> tuple[Array, Array]:
    """Return the different values, and the class counts of each."""
    found, place = np.unique(values, return_inverse=True)
    classes = int(codes.max()) + 1
    return found, np.bincount(place * classes + codes, minlength=len(found) * classes).reshape(-1, classes)


def running_counts(counts: Array) -> Array:
    """Return the class counts before each entry, and of all entries."""
    return np.concatenate([np.zeros((1, counts.shape[1]), np.int64), np.cumsum(counts, axis=0)])
