"""Rows of sparse features: trees and forests against scikit-learn's own on the same CSR matrix, in time and memory.

The features are like counts of words: 20,000 rows and columns, one value in a thousand not 0, columns of very different
frequencies; or as many values strewn evenly.

Main definitions: ``rows``, ``lines``.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from timing import Row, compare

from splitcrit import ForestClassifier, TreeClassifier, TreeRegressor

SIZE, DENSITY, GATE = 20_000, 0.001, 0.5


def words(power: float, seed: int = 0) -> tuple[Any, Any]:
    """Features whose columns have frequencies that fall with a power of their place, and responses."""
    rng, size = np.random.default_rng(seed), int(SIZE * SIZE * DENSITY)
    share = 1 / np.arange(1, SIZE + 1) ** power
    rows, columns = rng.integers(0, SIZE, size), rng.choice(SIZE, size, p=share / share.sum())
    places = rows.astype(np.int32), columns.astype(np.int32)  # scikit-learn takes no wider ones
    x = csr_array(coo_array((np.ones(size, np.float32), places), shape=(SIZE, SIZE)))
    return x, x @ rng.normal(size=SIZE) + rng.normal(size=SIZE) / 2


def pairs() -> Iterator[tuple[str, Any, Any, Any, Any]]:
    """Yield what is fitted: a name, both estimators, features and responses."""
    for name, power in (("words", 0.7), ("even", 0.0)):
        x, responses = words(power)
        y = (responses > np.median(responses)).astype(int)
        yield f"tree, {name}, depth 30", TreeClassifier(max_depth=30), DecisionTreeClassifier(max_depth=30), x, y
        yield (
            f"5 trees of a forest, {name}",
            *(kind(5, random_state=0) for kind in (ForestClassifier, RandomForestClassifier)),
            x,
            y,
        )
        yield (
            f"regression tree, {name}, depth 30",
            TreeRegressor(max_depth=30),
            DecisionTreeRegressor(max_depth=30),
            x,
            responses,
        )


def rows() -> Iterator[Row]:
    """Yield ratios of times to fit."""
    for name, ours, theirs, x, y in pairs():
        what = f"sparse {name} / scikit-learn"
        yield compare(what, partial(ours.fit, x, y), partial(theirs.fit, x, y), GATE, runs=3)


def peak(action: Callable[[], object]) -> int:
    """The largest number of bytes that an action holds at a time, as Python's allocators are told."""
    tracemalloc.start()
    action()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def lines() -> Iterator[str]:
    """Yield the memory that fits take."""
    for name, ours, theirs, x, y in pairs():
        both = [peak(partial(each.fit, x, y)) for each in (ours, theirs)]
        yield f"Sparse {name}: {both[0] / x.nnz:.0f} bytes a value that is not 0, scikit-learn {both[1] / x.nnz:.0f}."
