"""Tables 2 to 5 of wilton2024: accuracy on true labels of trees and forests that learnt from wrong ones.

Main definitions: ``TREES``, ``FORESTS``.
Source: wilton2024, Experiments and Appendix L.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..results import Row
from ..runner import Experiment, Options, Task
from . import learners
from .finishing import Table
from .learners import Q, learnt, methods
from .problems import DATA, NEAR, NOISES, learner_seed, problems, trial

RUNS = 5
KEYS = ("data", "task", "noise", "method", "run")
QUICK_NOISES = {"binary": ("0", "40", "10/30"), "multiclass": ("0", NEAR)}


@dataclass(frozen=True)
class Grid:
    """The tasks of a table, run by run, small data sets first; the binary task of all data sets, or of some."""

    binary: tuple[str, ...]

    def __call__(self, options: Options) -> list[Task]:
        """List the tasks."""
        return [
            {"data": data, "task": task, "noise": noise, "method": method, "run": run}
            for run in range(options.runs(RUNS))
            for data, task in problems(options)
            if task == "multiclass" or data in self.binary
            for noise in (QUICK_NOISES if options.quick else NOISES)[task]
            for method in methods(task)
        ]


@dataclass(frozen=True)
class Work:
    """One cell of a table in one run."""

    model: str

    def __call__(self, task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
        """Learn from noisy labels, and measure on true ones."""
        place = task["data"], task["task"]
        one = trial(*place, task["noise"], task["run"], options)
        seed = learner_seed(*place, task["run"], options)
        model = learnt(task["method"], self.model, one, seed, 5 if options.quick else learners.TREES)
        rows = {"train": len(one.y), "test": len(one.test_X), "flipped": one.flipped, "learner_seed": seed}
        return [model.about(one) | rows]


ROWS = tuple((name, most) for name, (_, most) in DATA.items() if most)
PROTOCOL = (("q", Q), ("most_rows", ROWS))
TREES = Experiment(
    "trees", "decision trees by eight criteria (Tables 2 and 3)", KEYS, Grid(tuple(DATA)), Work("tree"),
    Table("trees"), PROTOCOL,
)  # fmt: skip
FORESTS = Experiment(
    "forests", "random forests by eight criteria (Tables 4 and 5)", KEYS, Grid(("digits", "mushrooms", "mnist")),
    Work("forest"), Table("forests"), (*PROTOCOL, ("trees", learners.TREES)),
)  # fmt: skip
