"""Rows of ``make bench`` about threads: the same fit on two and on one, on cores that nobody else uses.

Main definitions: ``rows``.
"""

from __future__ import annotations

from collections.abc import Iterator

from forests import fitted
from timing import Row, compare
from trees import data

from splitcrit import ForestClassifier


def rows() -> Iterator[Row]:
    """Yield forests on two threads against one, of large data and of small."""
    for n, trees in ((100_000, 16), (10_000, 20), (1000, 20)):
        two, one = (fitted(ForestClassifier, data(n, 20, 2), trees, jobs) for jobs in (2, 1))
        gate = 0.55 if n > 1000 else 1.1
        yield compare(f"forest of {trees} trees, n = {n}, d = 20: 2 threads / 1", two, one, gate, runs=9)
