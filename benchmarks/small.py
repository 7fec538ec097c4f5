"""Rows of ``make bench`` about small data, where a fit is mostly what stands around the loops.

Both sides validate their input. Of few rows scikit-learn's own time is mostly its validation.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeRegressor
from timing import Row, compare
from trees import data, fitted, theirs

from splitcrit import TreeRegressor

RUNS = 201


def classification() -> Iterator[Row]:
    """Yield Gini trees of 1000 rows, and of the 150 of the iris data."""
    for classes in (2, 10):
        for depth in (8, None):
            xy, what = data(1000, 10, classes), f"n = 1000, d = 10, K = {classes}, depth {depth or 'full'}"
            yield compare(f"small: Gini tree, {what}", fitted(xy, "gini", depth), theirs(xy, depth), 0.2, runs=RUNS)
    xy = load_iris(return_X_y=True)
    what = "small: Gini tree, iris (n = 150, d = 4, K = 3)"
    yield compare(what, fitted(xy, "gini", None), theirs(xy, None), 0.7, runs=RUNS)


def regression() -> Iterator[Row]:
    """Yield regression trees of 1000 rows, and of the 150 of the iris data."""
    x, _ = data(1000, 10, 2)
    y = x[:, 0] + x[:, 1] * x[:, 2] + np.random.default_rng(0).normal(size=1000)
    flowers, _ = load_iris(return_X_y=True)
    for what, xy, depth in (("n = 1000, d = 10, depth 8", (x, y), 8), ("iris", (flowers[:, :3], flowers[:, 3]), None)):
        kinds = TreeRegressor(max_depth=depth, min_gain=None), DecisionTreeRegressor(max_depth=depth, random_state=0)
        ours, peer = (partial(kind.fit, *xy) for kind in kinds)
        yield compare(f"small: regression tree, {what}", ours, peer, runs=RUNS)


def rows() -> Iterator[Row]:
    """Yield all rows."""
    yield from classification()
    yield from regression()


if __name__ == "__main__":
    for row in rows():
        print(row)
