"""Rows of ``make bench`` about threads: the same fit on two and on one, on cores that nobody else uses.

Main definitions: ``rows``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from forests import fitted
from timing import Row, compare
from trees import data

from splitcrit import ForestClassifier, TreeClassifier


def rows() -> Iterator[Row]:
    """Yield trees and forests on two threads against one, of large data and of small."""
    for n, d in ((1_000_000, 10), (100_000, 50), (1000, 10)):
        two, one = (partial(TreeClassifier(max_depth=8, n_jobs=jobs).fit, *data(n, d, 2)) for jobs in (2, 1))
        gate = 0.6 if n > 1000 else 1.1
        yield compare(f"Gini tree, n = {n}, d = {d}, depth 8: 2 threads / 1", two, one, gate, runs=15)
    for n, trees in ((100_000, 16), (10_000, 20), (1000, 20)):
        two, one = (fitted(ForestClassifier, data(n, 20, 2), trees, jobs) for jobs in (2, 1))
        gate = 0.55 if n > 1000 else 1.1
        yield compare(f"forest of {trees} trees, n = {n}, d = 20: 2 threads / 1", two, one, gate, runs=9)
