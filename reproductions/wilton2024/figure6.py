"""Figure 6 of wilton2024: accuracy and leaves against lam; and which impure nodes are halted, by depth, lam and noise.

Main definitions: ``FIGURE6``, ``HALTED``.
Source: wilton2024, Figure 6, Theorem 5 and Appendix M.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.impurities import ne
from splitcrit.trees import TreeClassifier
from splitcrit.trees.estimators.tuning import held_out

from ..results import Row
from ..runner import Experiment, Options, Task
from .finishing import finish_figure6, finish_halted
from .learners import size
from .nodes import nodes_of
from .problems import UNIFORM, learner_seed, problems, trial

RUNS = 5
KEYS = ("data", "task", "noise", "run")
LAMS = tuple(i / 10 for i in range(11))
BANDS = {"0-2": 3, "3-5": 6, "6-9": 10, "10-14": 15, "15+": 10**9}  # depths, below the number
FEW = (0.0, 0.25, 0.5, 0.75, 1.0)


def tasks(options: Options) -> list[Task]:
    """List the tasks, run by run: all values of lam on one noisy training set."""
    return [
        {"data": data, "task": task, "noise": noise, "run": run}
        for run in range(options.runs(RUNS))
        for data, task in problems(options)
        for noise in (("0", "40") if options.quick else UNIFORM)
    ]


def curve(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """For each lam, what a tree from 80 % of the noisy rows does on true labels and on the other 20 %."""
    place, run = (task["data"], task["task"]), task["run"]
    one, seed = trial(*place, task["noise"], run, options), learner_seed(*place, run, options)
    apart = held_out(one.y, np.unique(one.y), 0.2, True, seed)
    rows = []
    for lam in LAMS[:: 2 if options.quick else 1]:
        tree = TreeClassifier(criterion=ne(lam), random_state=seed).fit(one.X[~apart], one.y[~apart])
        about: Row = {"lam": lam, "accuracy": 100 * one.accuracy(tree.predict), **size(tree)}
        about["held_out"] = 100 * tree.score(one.X[apart], one.y[apart])
        rows.append(about | {"pure_cuts": nodes_of(tree, one.X[~apart]).pure_cuts()})
    return rows


def halting(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """For each lam and band of depths, how many splittable impure nodes there are, and how many are leaves."""
    place, run = (task["data"], task["task"]), task["run"]
    one, seed = trial(*place, task["noise"], run, options), learner_seed(*place, run, options)
    rows: list[Row] = []
    for lam in FEW[:: 2 if options.quick else 1]:
        nodes = nodes_of(TreeClassifier(criterion=ne(lam), random_state=seed).fit(one.X, one.y), one.X)
        outside, start = nodes.outside(lam), 0
        for band, stop in BANDS.items():
            here = (start <= nodes.depth) & (nodes.depth < stop)
            counted: dict[str, Any] = {"open": nodes.open, "halted": nodes.halted, "outside": nodes.halted & outside}
            rows.append({"lam": lam, "band": band} | {name: int((here & at).sum()) for name, at in counted.items()})
            start = stop
    return rows


FIGURE6 = Experiment(
    "figure6", "accuracy, hold-out accuracy and leaves against lam (Figure 6)", KEYS, tasks, curve, finish_figure6,
    (("lams", LAMS),),
)  # fmt: skip
HALTED = Experiment(
    "halted", "the share of impure nodes that are halted, by depth, lam and noise", KEYS, tasks, halting, finish_halted,
    (("lams", FEW), ("bands", tuple(BANDS))),
)  # fmt: skip
