"""Rows and lines of ``make bench`` about trees of tested splits.

Main definitions: ``rows``, ``permuted``, ``lines``. Alone, ``python benchmarks/inference_trees.py`` prints them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn.tree import DecisionTreeClassifier
from timing import Row, compare

from splitcrit import TreeClassifier
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor

PEER = 1.5  # of a tree whose nodes are tested one by one, to scikit-learn's
PERMUTED = 5.0  # of a permutation with missing values or categories, to one with numbers alone
GOAL = 30.0  # seconds, for a selective tree


def cells(rows: int, depth: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Ten uniform features, the first few of which cut the cube into cells with a rate of class 1 each."""
    rng = np.random.default_rng(seed)
    x = rng.random((rows, 10)).astype(np.float32)
    cell = ((x[:, :depth] > 0.5) << np.arange(depth)).sum(axis=1)
    rates = rng.permutation(np.linspace(0.05, 0.95, 2**depth))
    return x, (rng.random(rows) < rates[cell]).astype(int)


def rows() -> Iterator[Row]:
    """Yield trees tested node by node against scikit-learn's, and a permutation of a selective tree against a fit."""
    for depth in (0, 6):
        x, y = cells(10_000, depth)
        tree = InferenceTreeClassifier(test="node", max_depth=8)
        tested = len(tree.fit(x, y).verdicts_)
        what = f"node tree, n = 10000, d = 10, depth 8, {tested} nodes tested / scikit-learn's Gini tree"
        theirs = DecisionTreeClassifier(max_depth=8, random_state=0)
        yield compare(what, partial(tree.fit, x, y), partial(theirs.fit, x, y), PEER)
    x, y = cells(1000, 3)
    tree, plain = InferenceTreeClassifier(max_exceedances=None, random_state=0), TreeClassifier(max_depth=4)
    drawn = sum(node.drawn for node in tree.fit(x, y).verdicts_)
    what = f"selective tree, n = 1000, d = 10, depth 4, each of {drawn} permutations / a plain fit"
    yield compare(what, partial(tree.fit, x, y), partial(plain.fit, x, y), runs=3, scale=1 / drawn)
    yield from permuted()


def permuted() -> Iterator[Row]:
    """Yield the time per permutation of selective trees with missing values or categories against numbers alone."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1000, 5)).astype(np.float32)
    label = ((x[:, 0] > 0) ^ (rng.random(1000) < 0.3)).astype(int)
    lost, coded = np.where(rng.random(x.shape) < 0.05, np.float32(np.nan), x), rng.integers(0, 6, x.shape)
    for classes in (2, 3, 0):
        y = rng.normal(label) if classes == 0 else label + (classes - 2) * (rng.random(1000) < 0.3)
        kind = InferenceTreeClassifier if classes else InferenceTreeRegressor
        numbers = kind(random_state=0, max_exceedances=None)
        drawn = sum(node.drawn for node in numbers.fit(x, y).verdicts_)
        for name, features, columns in (
            ("5 % missing values", lost, None),
            ("two of five columns of 6 categories", np.column_stack([coded[:, :2], x[:, 2:]]), [0, 1]),
            ("five columns of 6 categories", coded, [0, 1, 2, 3, 4]),
        ):
            tree = kind(random_state=0, max_exceedances=None, categorical_features=columns)
            scale = drawn / sum(node.drawn for node in tree.fit(features, y).verdicts_)
            of = f"{classes} classes" if classes else "squared error"
            what = f"selective tree, n = 1000, d = 5, {of}, time per permutation, {name} / numbers"
            yield compare(
                what, partial(tree.fit, features, y), partial(numbers.fit, x, y), PERMUTED, runs=3, scale=scale
            )  # fmt: skip


def lines() -> Iterator[str]:
    """Yield how long selective trees take that draw all of their permutations, and those that stop early."""
    for depth in (0, 1, 3):
        x, y = cells(1000, depth)
        for most in (None, 20):
            tree = InferenceTreeClassifier(max_exceedances=most, random_state=0)
            start = time.perf_counter()
            tree.fit(x, y)
            seconds = time.perf_counter() - start
            stops = "all drawn" if most is None else f"stopped after {most} exceedances"
            yield (
                f"Selective tree, n = 1000, d = 10, depth 4, 999 permutations at most, {stops}, signal of depth "
                f"{depth}: {len(tree.verdicts_)} nodes tested in {seconds:.2g} s "
                f"(goal {GOAL:.0f} s, {'met' if seconds < GOAL else 'MISSED'})."
            )


if __name__ == "__main__":
    for row in rows():
        print(row)
    for line in lines():
        print(line)
