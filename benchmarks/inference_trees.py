"""What tested splits cost, how often they are found and how often false: ``python benchmarks/inference_trees.py``.

Prints the time of a node tree (10 000 rows, 10 features, depth 8) beside scikit-learn's Gini tree, and of a selective
tree (1000 rows, 10 features, depth 4, 999 permutations) with its cost per permutation beside a plain fit; then, for trees of
400 rows with a true second-level split, the share in which it is found and in which a false one is kept.

Main definitions: ``times``, ``shares``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from splitcrit import TreeClassifier
from splitcrit.inference import InferenceTreeClassifier

RUNS, REPEATS = 400, 5
ALPHA = 0.05


def seconds(fit: Callable[[], Any], repeats: int = REPEATS) -> float:
    """Return the least time of several calls, after one that compiles."""
    fit()
    found = []
    for _ in range(repeats):
        start = time.perf_counter()
        fit()
        found.append(time.perf_counter() - start)
    return min(found)


def cells(rows: int, depth: int, seed: int = 0) -> tuple[Any, Any]:
    """Return ten uniform features, the first few of which cut the cube into cells with a rate of class 1 each."""
    rng = np.random.default_rng(seed)
    x = rng.random((rows, 10)).astype(np.float32)
    cell = ((x[:, :depth] > 0.5) << np.arange(depth)).sum(axis=1)
    rates = rng.permutation(np.linspace(0.05, 0.95, 2**depth))
    return x, (rng.random(rows) < rates[cell]).astype(int)


def times() -> Iterator[str]:
    """Yield a line for each tree that is timed."""
    for depth in (0, 1, 6):
        x, y = cells(10_000, depth)
        theirs = seconds(lambda: DecisionTreeClassifier(max_depth=8, random_state=0).fit(x, y))
        tree = InferenceTreeClassifier(test="node", correction="bonferroni", max_depth=8)
        ours = seconds(lambda: tree.fit(x, y))
        yield (f"node tree, signal of depth {depth}: {1000 * ours:.0f} ms, {len(tree.verdicts_)} nodes tested; "
               f"scikit-learn's tree {1000 * theirs:.0f} ms; ratio {ours / theirs:.2f}")  # fmt: skip
    for depth in (0, 1, 3):
        x, y = cells(1000, depth)
        plain = seconds(lambda: TreeClassifier(max_depth=4).fit(x, y))
        tree = InferenceTreeClassifier(max_exceedances=None, random_state=0)
        ours = seconds(lambda: tree.fit(x, y), 2)
        drawn = sum(said.drawn for said in tree.verdicts_)
        yield (f"selective tree, signal of depth {depth}: {ours:.2f} s, {len(tree.verdicts_)} nodes tested; "
               f"a permutation {1e6 * ours / max(drawn, 1):.0f} us, a plain fit {1e6 * plain:.0f} us")  # fmt: skip


def second_level(seed: int) -> tuple[Any, Any]:
    """Return 400 rows: the first feature tells, the second only where the first is large, three do not."""
    rng = np.random.default_rng(seed)
    x = rng.random((400, 5)).astype(np.float32)
    large = x[:, 0] > 0.5
    rate = np.where(large, np.where(x[:, 1] > 0.5, 0.85, 0.55), 0.2)
    return x, (rng.random(400) < rate).astype(int)


def shares(test: str, runs: int = RUNS) -> tuple[float, float]:
    """Return how often the second-level split is found, and how often the small side of the root is split."""
    found, false = 0, 0
    for seed in range(runs):
        x, y = second_level(seed)
        x[:, 0] = np.where(x[:, 0] > 0.5, 1, 0)  # the true threshold is the only one
        tree = InferenceTreeClassifier(alpha=ALPHA, test=test, max_depth=2, random_state=seed).fit(x, y)
        kept = tree.tree_
        if kept.feature[0] != 0:
            continue
        found += kept.feature[kept.children_right[0]] == 1
        false += kept.children_left[kept.children_left[0]] >= 0
    return found / runs, false / runs


def main() -> None:
    """Print the figures."""
    for line in times():
        print(line)
    for test in ("selective", "node"):
        found, false = shares(test)
        error = np.sqrt(false * (1 - false) / RUNS)
        print(f"{test}: true second-level split found {found:.3f}, false one kept {false:.3f} (s.e. {error:.3f})")


if __name__ == "__main__":
    main()
