"""Rows of ``make bench`` about forests: ours against scikit-learn's, trees in sequence, and on two threads.

Both sides get the same float32 features and validate their input; the ratio of forests is that of their trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec

import numpy as np
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import ExtraTreeClassifier, ExtraTreeRegressor
from timing import Row, compare
from trees import Data, data, everyday, responses

from splitcrit import ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor, ne

TREES = 10


def fitted(kind: type, xy: Data, trees: int = TREES, jobs: int = 1, **options: object) -> Callable[[], object]:
    asked = {"max_features": "sqrt"} | options
    return lambda: kind(trees, n_jobs=jobs, random_state=0, **asked).fit(*xy)


def rows() -> Iterator[Row]:
    """Yield forests and trees of random splits against scikit-learn's, and two threads against one."""
    for part in (classes, missing, layouts, random_splits, numbers):
        yield from part()
    xy = data(100_000, 20, 2)
    two, one = (fitted(ForestClassifier, xy, 4, jobs) for jobs in (2, 1))
    yield compare("forest of 4 trees, n = 100000, d = 20: 2 threads / 1", two, one, 0.85, runs=3)


def classes() -> Iterator[Row]:
    """Yield forests by Gini and by the normalised error with sqrt(d) features a node."""
    for n, d, k in ((10_000, 10, 2), (10_000, 10, 10), (10_000, 50, 2), (10_000, 50, 10), (100_000, 20, 2)):
        xy, trees, runs = data(n, d, k), TREES if n < 100_000 else 3, 5 if n < 100_000 else 3
        ours, theirs = (fitted(kind, xy, trees) for kind in (ForestClassifier, RandomForestClassifier))
        yield compare(f"Gini forest, n = {n}, d = {d}, K = {k}, {trees} trees", ours, theirs, 0.6, runs=runs)
        if n * d == 100_000:
            ours = fitted(ForestClassifier, xy, trees, criterion=ne(0.5))
            yield compare(f"NE(.5) forest / Gini, n = {n}, d = {d}, K = {k}, {trees} trees", ours, theirs, 0.6, runs=5)


def missing() -> Iterator[Row]:
    """Yield forests of data with missing values against scikit-learn's, and one missing value against none."""
    for n in (300, 1000, 10_000):
        for k in (2, 5):
            (x, y), what = data(n, 10, k), f"n = {n}, d = 10, K = {k}, {TREES} trees"
            holes = np.where(np.random.default_rng(0).random(x.shape) < 0.3, np.float32(np.nan), x), y
            ours, theirs = (fitted(kind, holes) for kind in (ForestClassifier, RandomForestClassifier))
            yield compare(f"forest, 30 % missing, {what}", ours, theirs, 0.6 if n > 1000 else 1.0, runs=11)
            one = np.where(np.arange(x.size).reshape(x.shape) == 53, np.float32(np.nan), x), y
            ours, whole = fitted(ForestClassifier, one), fitted(ForestClassifier, (x, y))
            yield compare(f"forest, one missing / none, {what}", ours, whole, 1.3, runs=11)


def layouts() -> Iterator[Row]:
    """Yield forests of features that are no continuous float32, and XGBoost's where it is installed."""
    _, y = data(10_000, 10, 2)
    for name, (x, _) in everyday().items():
        ours, theirs = (fitted(kind, (x, y)) for kind in (ForestClassifier, RandomForestClassifier))
        gate = 0.6 if name == "float64" else 0.45
        yield compare(f"forest, {name}, n = 10000, d = 10, K = 2, {TREES} trees", ours, theirs, gate, runs=5)
    if find_spec("xgboost"):
        from xgboost import XGBRFClassifier

        xy, options = data(10_000, 20, 2), {"max_depth": 8, "random_state": 0, "n_jobs": 1}
        ours = partial(ForestClassifier(20, max_features="sqrt", **options).fit, *xy)
        theirs = partial(XGBRFClassifier(n_estimators=20, colsample_bynode=20**-0.5, **options).fit, *xy)
        yield compare("Gini forest / XGBoost's, n = 10000, d = 20, K = 2, depth 8, 20 trees", ours, theirs, runs=5)


def random_splits() -> Iterator[Row]:
    """Yield trees and forests of random splits, of classes and of numbers."""
    random: dict[str, object] = {"splitter": "random", "random_state": 0, "min_gain": None}
    without: dict[str, object] = {"splitter": "random", "bootstrap": False, "min_gain": None}
    for k in (2, 10):
        xy, what = data(10_000, 10, k), f"n = 10000, d = 10, K = {k}"
        ours = lambda xy=xy: TreeClassifier(max_features="sqrt", **random).fit(*xy)  # noqa: E731
        peer = lambda xy=xy: ExtraTreeClassifier(random_state=0).fit(*xy)  # noqa: E731
        yield compare(f"tree of random splits, {what}", ours, peer, 1.0, runs=11)
        ours, peer = fitted(ForestClassifier, xy, **without), fitted(ExtraTreesClassifier, xy)
        yield compare(f"forest of random splits, {what}, {TREES} trees", ours, peer, 1.0, runs=5)
    xy, what = responses(10_000, 10), "n = 10000, d = 10"
    ours, peer = (
        (lambda k=kind, o=options: k(**o).fit(*xy))
        for kind, options in ((TreeRegressor, random), (ExtraTreeRegressor, {"random_state": 0}))
    )
    yield compare(f"regression tree of random splits, {what}", ours, peer, 1.0, runs=11)
    ours = fitted(ForestRegressor, xy, max_features=1.0, **without)
    peer = fitted(ExtraTreesRegressor, xy, max_features=1.0)
    yield compare(f"regression forest of random splits, {what}, {TREES} trees", ours, peer, 1.0, runs=5)


def numbers() -> Iterator[Row]:
    """Yield regression forests that draw few features a node."""
    for d in (10, 50):
        xy = responses(10_000, d)
        for drawn, name in (("sqrt", "sqrt(d)"), (1 / 3, "d / 3")):
            ours, theirs = (fitted(k, xy, max_features=drawn) for k in (ForestRegressor, RandomForestRegressor))
            what = f"regression forest, n = 10000, d = {d}, {name} features a node, {TREES} trees"
            yield compare(what, ours, theirs, 0.6, runs=5)
