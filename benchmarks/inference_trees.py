"""Rows and lines of ``make bench`` about trees of tested splits.

Main definitions: ``rows``, ``lines``. Alone, ``python benchmarks/inference_trees.py`` prints them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn.tree import DecisionTreeClassifier
from timing import Row, compare

from splitcrit import TreeClassifier
from splitcrit.inference import InferenceTreeClassifier

PEER = 1.5  # of a tree whose nodes are tested one by one, to scikit-learn's
GOAL = 30.0  # seconds, for a selective tree


def cells(rows: int, depth: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return ten uniform features, the first few of which cut the cube into cells with a rate of class 1 each."""
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
    drawn = sum(said.drawn for said in tree.fit(x, y).verdicts_)
    what = f"selective tree, n = 1000, d = 10, depth 4, each of {drawn} permutations / a plain fit"
    yield compare(what, partial(tree.fit, x, y), partial(plain.fit, x, y), runs=3, scale=1 / drawn)


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
