"""Rows and lines of ``make bench`` about selected p-values and measures of importance.

Main definitions: ``rows``, ``lines``, ``costs``. Alone, ``python benchmarks/selected.py`` prints them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
from scipy.stats import ks_2samp
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import permutation_importance
from timing import Row, compare, duration

from splitcrit import replace
from splitcrit.columns import MEASURES, feature_tables, gain_moments, measure_of
from splitcrit.columns.measures import Measure
from splitcrit.inference import split_test
from splitcrit.nulls import max_selected, selected_pvalue, selected_tail
from splitcrit.nulls.selected import selected_pvalues

GOAL = 0.1  # seconds, for a thousand observations
SHIFTS = {"0.5": 0.02, "1e-6": 0.31}  # of the first class, at seed 0


def sample(n: int, shift: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return a feature without ties and labels, 40 in a hundred of the first class."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1], [2 * n // 5, n - 2 * n // 5]))
    return rng.normal(size=n) + shift * y, y


def rows() -> Iterator[Row]:
    """Yield lattice paths against random tables, and against scipy's test of the largest distance."""
    x, y = sample(1000, 0.2)
    paths, tables = selected_pvalue(x, y), selected_pvalue(x, y, method="monte_carlo", samples=999, rng=0)
    assert tables.standard_error is not None
    assert abs(paths.value - tables.value) < 4 * tables.standard_error
    yield compare(
        "selected p-value, N = 1000, lattice paths / 999 random tables",
        lambda: selected_pvalue(x, y),
        lambda: selected_pvalue(x, y, method="monte_carlo", samples=999, rng=0),
        1.0,
        runs=5,
    )
    for level, shift in SHIFTS.items():
        yield _smirnov(level, *sample(1000, shift))


def _smirnov(level: str, x: np.ndarray, y: np.ndarray) -> Row:
    """Return the time of a selected p-value over that of scipy's exact two-sample test, from the same vectors."""

    def theirs() -> float:
        return float(ks_2samp(x[y == 1], x[y == 0], method="exact").pvalue)

    def ours() -> float:
        return float(selected_pvalue(x, y, statistic="pairwise_gain").value)

    assert abs(ours() / theirs() - 1) < 1e-9
    what = f"selected p-value, classes of 400 and 600, p near {level} / scipy's exact two-sample Smirnov test"
    return compare(what, ours, theirs, 1.0, runs=31)


def lines() -> Iterator[str]:
    """Yield how long a selected p-value takes as the number of observations grows."""
    for n in (100, 1000, 10_000, 40_000):
        for shift in (0.0, 0.2, 4.0):
            x, y = sample(n, shift)
            start = time.perf_counter()
            found = selected_pvalue(x, y)
            taken = time.perf_counter() - start
            goal = f" (goal {GOAL} s: {'met' if taken < GOAL else 'MISSED'})" if n == 1000 else ""
            yield f"selected SGini, N = {n}, shift {shift}: -log p = {found.surprise:.4g}, {taken:.3g} s{goal}"
    yield _seconds("selected pairwise gain at p near 0.5, N = 100000", 0.2, _large)
    yield _seconds("selected pairwise gain of vectors, N = 100000", 0.2, _vectors())
    yield _seconds("selected p-values of the tables of ten features, N = 200", 0.002, _tables())
    yield _seconds("split_test at a root of 200 x 10, bonferroni", 0.002, _root())

    start = time.perf_counter()
    a, b = [93, 92] * 24, [1800, 2640]
    gain_moments(a, b)
    yield f"variance of the information gain, N = {sum(a)}, {len(a)} values, exact: {time.perf_counter() - start:.3g} s"


def _seconds(what: str, goal: float, action: Callable[[], object]) -> str:
    """Return the least time of 101 calls, after one, and whether a goal is met."""
    action()
    taken = min(duration(action) for _ in range(101))
    return f"{what}: {taken:.3g} s (goal {goal} s: {'met' if taken <= goal else 'MISSED'})"


def _large() -> float:
    """Return a probability near 1/2 of two classes of 40 and 60 in a hundred, from the law alone."""
    n, ones = 100_000, 40_000
    distance = 0.83 / (ones * (n - ones) / n) ** 0.5
    return float(selected_tail(ones * (n - ones) / 2 * distance, n, ones, statistic="pairwise_gain"))


def _vectors() -> Callable[[], object]:
    """Return the test of a hundred thousand observations, from feature and labels to a probability near 1/2."""
    x, y = sample(100_000, 0.004, seed=5)
    assert 0.3 < selected_pvalue(x, y, statistic="pairwise_gain").value < 0.7
    return lambda: selected_pvalue(x, y, statistic="pairwise_gain")


def _tables() -> Callable[[], object]:
    """Return the tests of the tables of ten features without ties."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 200)
    tables = [np.eye(2, dtype=int)[rng.permutation(y)] for _ in range(10)]
    return lambda: selected_pvalues(tables)


def _root() -> Callable[[], object]:
    """Return the test of ten features without ties of 200 observations."""
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(200, 10)), rng.integers(0, 2, 200)
    return lambda: split_test(x, y)


def costs(n: int = 1000, d: int = 20, values: int = 12) -> Iterator[str]:
    """Yield what each measure costs for features of this many values: tables scored for each, and seconds in all."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, values, (n, d)), rng.integers(0, 2, n)
    tables = list(feature_tables(x, y).values())
    yield f"| measure | tables scored for a feature | seed | ms for {d} features |\n|---|---|---|---|"
    for name, measure in MEASURES.items():
        yield _cost(name, measure, tables)
    of_three, tables_of_three = measure_of(replace(max_selected, samples=999)), feature_tables(x, y + x[:, 0] // 9)
    yield _cost("max_selected, three classes", of_three, list(tables_of_three.values()))
    start = time.perf_counter()
    forest = RandomForestClassifier(100, random_state=0).fit(x, y)
    middle = time.perf_counter()
    permutation_importance(forest, x, y, n_repeats=5, random_state=0)
    end = time.perf_counter()
    yield f"| Gini importance of 100 trees | all thresholds of all nodes | yes | {(middle - start) * 1e3:.3g} |"
    what = "| permutation importance of it, 5 repeats | none; 5 predictions of all rows | yes |"
    yield f"{what} {(end - middle) * 1e3:.3g} |"


def _cost(name: str, measure: Measure, tables: list[object]) -> str:
    measure(tables)
    start = time.perf_counter()
    measure(tables)
    taken = (time.perf_counter() - start) * 1e3
    return f"| {name} | {measure.evaluations(tables[0])} | {'no' if measure.deterministic else 'yes'} | {taken:.3g} |"  # type: ignore[arg-type]


if __name__ == "__main__":
    for row in rows():
        print(f"{row.what}: {row.ratio:.3g} ({row.low:.3g} to {row.high:.3g}) {row.verdict}")
    for line in (*lines(), *costs()):
        print(line)
