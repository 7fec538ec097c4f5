"""Rows of ``make bench`` about forests: ours against scikit-learn's, trees in sequence, and on two threads.

Both sides get the same float32 features and validate their input; the ratio of forests is that of their trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sklearn.ensemble import RandomForestClassifier
from timing import Row, compare
from trees import Data, data

from splitcrit import ForestClassifier

TREES = 10


def fitted(kind: type, xy: Data, trees: int = TREES, jobs: int = 1) -> Callable[[], object]:
    return lambda: kind(trees, max_features="sqrt", n_jobs=jobs, random_state=0).fit(*xy)


def rows() -> Iterator[Row]:
    """Yield Gini forests with sqrt(d) features a node against scikit-learn's, and two threads against one."""
    for n, d, classes in ((10_000, 10, 2), (10_000, 10, 10), (10_000, 50, 2), (10_000, 50, 10), (100_000, 20, 2)):
        xy, trees, runs = data(n, d, classes), TREES if n < 100_000 else 3, 5 if n < 100_000 else 3
        ours, theirs = (fitted(kind, xy, trees) for kind in (ForestClassifier, RandomForestClassifier))
        yield compare(f"Gini forest, n = {n}, d = {d}, K = {classes}, {trees} trees", ours, theirs, 0.6, runs=runs)
    xy = data(100_000, 20, 2)
    two, one = (fitted(ForestClassifier, xy, 4, jobs) for jobs in (2, 1))
    yield compare("forest of 4 trees, n = 100000, d = 20: 2 threads / 1", two, one, 0.85, runs=3)
