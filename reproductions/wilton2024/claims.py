"""Claims of wilton2024 that it does not test: ANE beside tuned leaf sizes and pruning, and GCE over its parameter.

Main definitions: ``BUDGET``, ``GCE``.
Source: wilton2024, Distribution losses ("our method is ... more flexible", "varying q between 0 and 1").
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from splitcrit.impurities import gce, ne
from splitcrit.trees import TreeClassifier
from splitcrit.trees.estimators.tuning import held_out

from ..results import Row
from ..runner import Experiment, Options, Task
from .figure6 import FEW, RUNS
from .finishing import finish_budget, finish_gce
from .learners import size
from .problems import NEAR, UNIFORM, learner_seed, problems, trial

KEYS = ("data", "task", "noise", "run")
LEAVES = (1, 4, 16, 64, 256)
ALPHAS = (0.0, 0.0001, 0.001, 0.003, 0.01)
QS = tuple(i / 10 for i in range(1, 11))
TUNED: dict[str, tuple[tuple[float, ...], Callable[[Any], dict[str, Any]]]] = {
    "ANE": (FEW, lambda lam: {"criterion": ne(lam)}),
    "Gini, leaf size": (LEAVES, lambda leaf: {"min_samples_leaf": leaf}),
    "Gini, pruned": (ALPHAS, lambda alpha: {"ccp_alpha": alpha}),
}


def budget_tasks(options: Options) -> list[Task]:
    """List the tasks, run by run."""
    noises = {"binary": (*UNIFORM, "10/30", "30/10"), "multiclass": (*UNIFORM, NEAR)}
    return _tasks(options, noises, skipped=())


def gce_tasks(options: Options) -> list[Task]:
    """List the tasks, run by run; the 784 features of mnist are left out."""
    some = ("0", "20", "40")
    return _tasks(options, {"binary": some, "multiclass": some}, skipped=("mnist",))


def _tasks(options: Options, noises: dict[str, tuple[str, ...]], skipped: tuple[str, ...]) -> list[Task]:
    return [
        {"data": data, "task": task, "noise": noise, "run": run}
        for run in range(options.runs(RUNS))
        for data, task in problems(options)
        if data not in skipped
        for noise in (("0", "40") if options.quick else noises[task])
    ]


def budget(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """What each way of tuning reaches with five trees on one noisy hold-out, and a sixth on all rows."""
    place, run = (task["data"], task["task"]), task["run"]
    one, seed = trial(*place, task["noise"], run, options), learner_seed(*place, run, options)
    apart = held_out(one.y, np.unique(one.y), 0.2, True, seed)
    rows: list[Row] = []
    for name, (values, settings_of) in TUNED.items():
        trees = [TreeClassifier(random_state=seed, **settings_of(v)).fit(one.X[~apart], one.y[~apart]) for v in values]
        agreed = [(tree.score(one.X[apart], one.y[apart]), -tree.get_n_leaves()) for tree in trees]
        best = max(range(len(values)), key=agreed.__getitem__)
        tree = TreeClassifier(random_state=seed, **settings_of(values[best])).fit(one.X, one.y)
        rows.append({"way": name, "value": values[best], "accuracy": 100 * one.accuracy(tree.predict), **size(tree)})
    return rows


def over_q(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """Accuracy and size of trees by GCE for each q."""
    place, run = (task["data"], task["task"]), task["run"]
    one, seed = trial(*place, task["noise"], run, options), learner_seed(*place, run, options)
    trees = {q: TreeClassifier(criterion=gce(q), random_state=seed) for q in QS[:: 3 if options.quick else 1]}
    return [
        {"q": q, "accuracy": 100 * one.accuracy(tree.fit(one.X, one.y).predict), **size(tree)}
        for q, tree in trees.items()
    ]


BUDGET = Experiment(
    "budget", "ANE, Gini with tuned leaf size and Gini with tuned pruning: five values each", KEYS, budget_tasks,
    budget, finish_budget, (("lams", FEW), ("leaves", LEAVES), ("alphas", ALPHAS)),
)  # fmt: skip
GCE = Experiment(
    "gce", "trees by generalised cross entropy for q from 0.1 to 1", KEYS, gce_tasks, over_q, finish_gce, (("qs", QS),)
)  # fmt: skip
