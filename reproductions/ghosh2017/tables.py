"""Tables 1 and 2 of ghosh2017: accuracy on true labels after learning from wrong ones.

Main definitions: ``TABLE1``, ``TABLE2``.
Source: ghosh2017, Section 4.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..pictures import Summary
from ..plots.panels import accuracies
from ..results import Row
from ..runner import Experiment, Options, Task
from .learners import GAMMA, ITERATIONS, METHODS, ROWS, C, fitted
from .problems import NOISES, REAL, SYNTHETIC, kernel, noisy_split
from .summary import shown, summarised

RUNS, RUNS_SVM = 10, 3  # where the user asks for no number
KEYS = ("data", "method", "noise", "run")
PROTOCOL = (("svm_rows", ROWS), ("svm_iterations", ITERATIONS), ("C", C), ("gamma", GAMMA), ("trees", 100))


@dataclass(frozen=True)
class Grid:
    """The tasks of a table: its problems, its noises and the smallest leaf; the slow machines last, run by run."""

    problems: tuple[str, ...]
    noises: tuple[str, ...]
    quick: tuple[str, ...]

    def __call__(self, options: Options) -> list[Task]:
        """List the tasks."""
        noises = ("0", "40") if options.quick else self.noises
        tasks = [
            {"data": data, "method": method, "noise": noise, "run": run}
            for data in options.chosen(self.problems, self.quick)
            for method in METHODS
            for run in range(options.runs(RUNS_SVM if method == "SVM" else RUNS))
            for noise in noises
        ]
        return sorted(tasks, key=lambda task: (task["method"] == "SVM", task["run"]))


@dataclass(frozen=True)
class Work:
    """One cell of a table in one run."""

    leaf: int

    def __call__(self, task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
        """Learn from noisy labels, and measure on true ones."""
        trial, train = noisy_split(task["data"], task["noise"], task["run"], options)
        leaf = self.leaf // 10 if options.quick and task["data"] in SYNTHETIC else self.leaf
        seed = int(rng.integers(2**31))
        predict = fitted(task["method"], trial.X, trial.y, train, leaf, kernel(task["data"]), seed)
        return [{"accuracy": 100 * trial.accuracy(predict), "flipped": trial.flipped, "train": train, "leaf": leaf}]


def _table(name: str, about: str, problems: Any, quick: tuple[str, ...], noises: tuple[str, ...], leaf: int) -> Any:
    protocol = (("leaf", leaf), *PROTOCOL)
    finish = Summary(name, "summary", partial(summarised, table=name), shown, accuracies)
    return Experiment(name, about, KEYS, Grid(tuple(problems), noises, quick), Work(leaf), finish, protocol)


TABLE1 = _table(
    "table1",
    "accuracy on four synthetic problems, leaves of at least 250",
    SYNTHETIC,
    ("checkerboard 2x2", "dataset 3"),
    NOISES,
    250,
)
TABLE2 = _table(
    "table2", "accuracy on six problems of UCI, leaves of at least 50", REAL, ("breast cancer", "german"), NOISES[:-1],
    50,
)  # fmt: skip
