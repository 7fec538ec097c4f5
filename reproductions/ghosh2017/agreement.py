"""How much of a tree survives noise, against samples, noise and stopping rule: Definition 2 of ghosh2017, measured.

The paper proves that noise changes neither root nor label where samples are many; it measures accuracy alone. Here the
tree grown on noisy labels is held against that grown on the true ones of the same rows. Four features take ten values
each, the classes are those of a tree of depth 2, and the errors are exact: the test rows are all 10^4 points.

Main definitions: ``AGREEMENT``, ``problem``, ``means``.
Source: ghosh2017, Definition 2, Theorems 3 and 4.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.robustness import tree_agreement
from splitcrit.trees import TreeClassifier

from ..pictures import Summary
from ..results import Row
from ..runner import Experiment, Options, Task, seed_of
from ..tables import averaged, pivoted
from .problems import channel

Array = NDArray[Any]
CRITERIA = ("gini", "entropy", "misclassification")
RULES = ("depth 2", "leaves of 25", "leaves of n/16", "zero gain")
NOISES = ("10", "20", "30", "40")
SIZES = (50, 100, 200, 400, 800, 1600, 3200, 6400)
RUNS, FEATURES, VALUES = 20, 4, 10
KEYS = ("criterion", "run")
MEASURES = ("root", "share", "kept", "clean_error", "noisy_error", "alike")


def problem(X: Array) -> NDArray[np.int64]:
    """The true classes of points with values 0 to 9: a tree of depth 2 whose leaves hold .1, .4, .4 and .1.

    Examples
    --------
    >>> problem(np.array([[0, 1, 0, 0], [0, 2, 0, 0], [5, 0, 7, 0], [5, 0, 8, 0]]))
    array([1, 0, 1, 0])
    """
    return np.where(X[:, 0] < 5, X[:, 1] < 2, X[:, 2] < 8).astype(np.int64)


def every_point() -> Array:
    """All points, each as likely as any other."""
    return np.indices((VALUES,) * FEATURES).reshape(FEATURES, -1).T.astype(float)


def limits(rule: str, n: int) -> dict[str, Any]:
    """The parameters of a tree that a stopping rule stands for; without others, it stops at zero gain."""
    return {
        "depth 2": {"max_depth": 2},
        "leaves of 25": {"min_samples_leaf": 25},
        "leaves of n/16": {"min_samples_leaf": n // 16},
        "zero gain": {},
    }[rule]


def tasks(options: Options) -> list[Task]:
    """List the tasks: a criterion and a run each."""
    runs = range(options.runs(RUNS, quick=2))
    return [{"criterion": criterion, "run": run} for run in runs for criterion in CRITERIA]


def work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """Grow trees on true and on noisy labels of the same first ``n`` rows; criteria see the same rows and noise."""
    sizes, noises = (SIZES[1:6:2], NOISES[::3]) if options.quick else (SIZES, NOISES)
    X = np.random.default_rng(seed_of(options.seed, "rows", task["run"])).integers(0, VALUES, (max(sizes), FEATURES))
    y, points = problem(X), every_point()
    flips = {noise: np.random.default_rng(seed_of(options.seed, "noise", noise, task["run"])) for noise in noises}
    noisy = {noise: channel(noise).flip(y, rng=flips[noise]) for noise in noises}
    rows = []
    for n in sizes:
        for rule in RULES:
            tree = TreeClassifier(criterion=task["criterion"], random_state=0, **limits(rule, n))
            clean = tree.fit(X[:n], y[:n])
            for noise in noises:
                other = TreeClassifier(**tree.get_params()).fit(X[:n], noisy[noise][:n])
                agreement = tree_agreement(clean, other, points, problem(points))
                measured = {name: getattr(agreement, name) for name in MEASURES}
                rows.append({"rule": rule, "noise": noise, "n": n, **measured, "root": int(agreement.root)})
    return rows


def means(rows: list[Row]) -> list[Row]:
    """The mean over runs of every measure, and the standard deviation of the share of equal nodes."""
    by = ("criterion", "rule", "noise", "n")
    rows = [row | {"noise": int(row["noise"])} for row in rows]
    mean_rows = averaged(rows, by, MEASURES, {"share_std": "share"}, ddof=0)
    return sorted(mean_rows, key=lambda r: (CRITERIA.index(r["criterion"]), RULES.index(r["rule"]), r["noise"], r["n"]))


def shown(mean_rows: list[Row]) -> str:
    """At the largest size, equal nodes and the error that noise adds, both in percent, as Markdown."""
    most = max(row["n"] for row in mean_rows)
    last = [{k: v for k, v in row.items() if k != "runs"} for row in mean_rows if row["n"] == most]
    heading = f"Equal nodes and error added, in percent, at {most} samples:"
    return f"{heading}\n\n{pivoted(last, ('criterion', 'rule'), 'noise', _cell, '{} % wrong')}"


def _cell(row: Row) -> str:
    return f"{100 * row['share']:.0f}, {100 * (row['noisy_error'] - row['clean_error']):.1f}"


AGREEMENT = Experiment(
    "agreement", "nodes that trees on noisy and on true labels share", KEYS, tasks, work,
    Summary("agreement", "means", means, shown),
    (("features", FEATURES), ("values", VALUES)),
)  # fmt: skip
