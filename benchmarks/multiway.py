"""Benchmarks of gap clustering and of multiway trees; ``rows`` and ``lines`` are what ``make bench`` calls.

Rows: the SGini of every number of clusters against scipy's single linkage alone; a multiway tree against scikit-learn's
binary tree on the same rows.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import median

import numpy as np
from scipy.cluster.hierarchy import linkage
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier
from timing import Row, compare

from splitcrit.trees import ChiMerge, MultiwayTreeClassifier, clusterings


def clustering(values: int = 10_000, ordered: bool = False) -> Row:
    """Every number of clusters, from values and labels to scores, against the linkage alone of the same values.

    Sorted beforehand the same values cost scipy a third of the time; that row has no gate.
    """
    rng = np.random.default_rng(0)
    x, y = rng.random(values), rng.integers(0, 2, values)
    theirs = (np.sort(x) if ordered else x)[:, None]
    what = f"SGini of all numbers of clusters / scipy's single linkage{' of sorted values' * ordered}, V={values}"
    return compare(what, lambda: clusterings(x, y), lambda: linkage(theirs, "single"), None if ordered else 1 / 200)


def training(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Continuous features, some of them informative, and two classes."""
    x, y = make_classification(n, d, n_informative=d // 2, n_redundant=0, flip_y=0.1, random_state=0)
    return x, y


def tree(n: int = 10_000, d: int = 20) -> Row:
    """A fit of Algorithm 1 against a binary tree of scikit-learn."""
    x, y = training(n, d)
    ours, theirs = MultiwayTreeClassifier(), DecisionTreeClassifier(random_state=0)
    what = f"multiway tree, SGini, n={n}, d={d} / scikit-learn's binary tree"
    return compare(what, lambda: ours.fit(x, y), lambda: theirs.fit(x, y), 0.5, runs=5)


def growth() -> str:
    """The log-log slope of fit time in the number of rows and of features."""

    def seconds(n: int, d: int) -> float:
        x, y = training(n, d)
        times = []
        for _ in range(4):
            start = time.perf_counter()
            MultiwayTreeClassifier(max_depth=8).fit(x, y)
            times.append(time.perf_counter() - start)
        return median(times[1:])

    def slope(sizes: tuple[int, ...], times: list[float]) -> float:
        return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])

    rows, features = (2_000, 8_000, 32_000, 128_000), (8, 32, 128)
    by_rows = slope(rows, [seconds(n, 16) for n in rows])
    by_features = slope(features, [seconds(8_000, d) for d in features])
    return f"Fit time of a multiway tree of depth 8 grows as n^{by_rows:.2f} and d^{by_features:.2f}."


def merging() -> str:
    """The time of ChiMerge on a feature of many values, and its slope."""
    rng = np.random.default_rng(0)
    sizes, times = (10_000, 40_000, 160_000), []
    for n in sizes:
        x, y = rng.random((n, 1)), rng.integers(0, 3, n)
        ChiMerge().fit(x[:100], y[:100])
        start = time.perf_counter()
        ChiMerge().fit(x, y)
        times.append(time.perf_counter() - start)
    slope = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
    return f"ChiMerge of {sizes[-1]} values in 3 classes takes {times[-1]:.2f} s; time grows as V^{slope:.2f}."


def rows() -> Iterator[Row]:
    """The ratios."""
    yield clustering()
    yield clustering(ordered=True)
    yield tree()


def lines() -> Iterator[str]:
    """What is reported in words."""
    yield growth()
    yield merging()


if __name__ == "__main__":
    for row in rows():
        print(f"{row.what}: {row.ratio:.3g} ({row.low:.3g} to {row.high:.3g}) {row.verdict}")
    for line in lines():
        print(line)
