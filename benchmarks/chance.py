"""Rows of ``make bench`` about criteria corrected for chance, in the scan.

Both sides get the same float32 features and validate their input; theirs is scikit-learn's Gini tree of depth 8.
"""

from __future__ import annotations

from collections.abc import Iterator

from timing import Row, compare
from trees import data, fitted, theirs

from splitcrit import agini, significance

DEPTH = 8


def rows() -> Iterator[Row]:
    """Yield AGini, and p-values as a criterion, for two classes and ten."""
    for classes in (2, 10):
        xy = data(10_000, 10, classes)
        peer = theirs(xy, DEPTH)
        where = f"n = 10000, d = 10, K = {classes}, depth {DEPTH}"
        yield compare(f"AGini / Gini, {where}", fitted(xy, agini, DEPTH), peer, 0.35, runs=5)
        yield compare(f"significance / Gini, {where}", fitted(xy, significance, DEPTH), peer, 0.35, runs=5)
