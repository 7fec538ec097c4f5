"""Rows of ``make bench`` about splits corrected for chance: criteria in the scan, and splits that must be significant.

Both sides get the same float32 features and validate their input; theirs is scikit-learn's Gini tree of depth 8, or its
forest.
"""

from __future__ import annotations

from collections.abc import Iterator

from forests import TREES
from forests import fitted as forest
from sklearn.ensemble import RandomForestClassifier
from timing import Row, compare
from trees import data, fitted, theirs

from splitcrit import ForestClassifier, agini, significance

DEPTH = 8


def rows() -> Iterator[Row]:
    """Yield AGini, p-values as a criterion, and trees and forests with ``max_pvalue``, for two classes and ten."""
    for classes in (2, 10):
        xy = data(10_000, 10, classes)
        peer = theirs(xy, DEPTH)
        where = f"n = 10000, d = 10, K = {classes}, depth {DEPTH}"
        yield compare(f"AGini / Gini, {where}", fitted(xy, agini, DEPTH), peer, 0.35, runs=5)
        yield compare(f"significance / Gini, {where}", fitted(xy, significance, DEPTH), peer, 0.35, runs=5)
        tested = fitted(xy, "gini", DEPTH, max_pvalue=0.01)
        yield compare(f"Gini with max_pvalue / Gini, {where}", tested, peer, 0.5, runs=5)
        ours, peer = forest(ForestClassifier, xy, max_pvalue=0.01), forest(RandomForestClassifier, xy)
        where = f"n = 10000, d = 10, K = {classes}, {TREES} trees"
        yield compare(f"Gini forest with max_pvalue / Gini forest, {where}", ours, peer, 0.5, runs=5)
