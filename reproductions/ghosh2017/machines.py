"""Which support vector machines stand in Table 2 of ghosh2017: on raw or standardised features, from how many rows.

The paper names libsvm, kernels and ranges of parameters, and neither how features were scaled nor how many rows were
seen. Here are four readings beside the printed means; where learning from all rows takes too long, a part of them.

Main definitions: ``MACHINES``, ``summarised``, ``distances``.
Source: ghosh2017, Sections 4.3 and 4.4.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from ..pictures import Summary
from ..plots.panels import grouped
from ..results import Row
from ..runner import Experiment, Options, Task
from ..tables import averaged, beside_printed, pivoted, textual, with_printed
from .learners import GAMMA, ITERATIONS, ROWS, C, tuned_machine
from .problems import NOISES, REAL, VARIANTS, kernel, noisy_split
from .summary import cells_of

RUNS = 10
FEATURES = ("raw", "standardised")
SOME = f"at most {ROWS}"
LARGE = ("spam", "wine white", "magic")  # with more training rows than that; of the others all are seen anyway
SLOW = ("magic",)  # of its 11 412 training rows some are seen: all take a minute a cell, and there are 100
SETS = tuple(name for name in REAL if name not in VARIANTS)
KEYS = ("data", "features", "rows", "noise", "run")
PROTOCOL = (("svm_rows", ROWS), ("svm_iterations", ITERATIONS), ("C", C), ("gamma", GAMMA))


def _tasks(options: Options) -> list[Task]:
    """List the tasks, run by run."""
    noises = ("0", "40") if options.quick else NOISES[:-1]
    tasks = []
    for data in options.chosen(SETS, ("breast cancer",)):
        tasks += [
            {"data": data, "features": features, "rows": rows, "noise": noise, "run": run}
            for rows in ((SOME,) if data in SLOW else (SOME, "all") if data in LARGE else ("all",))
            for features in FEATURES
            for run in range(options.runs(RUNS))
            for noise in noises
        ]
    return sorted(tasks, key=lambda task: task["run"])


def _work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    trial, train = noisy_split(task["data"], task["noise"], task["run"], options)
    most = len(trial.y) if task["rows"] == "all" else ROWS
    model = tuned_machine(
        trial.X, trial.y, train, kernel(task["data"]), most=most, scaled=task["features"] == "standardised"
    )
    machine = model[-1]
    chosen = {"C": machine.C, "gamma": machine.gamma, "capped": int(machine.fit_status_)}
    return [{"accuracy": 100 * trial.accuracy(model.predict), "train": min(train, most), **chosen}]


def summarised(rows: list[Row]) -> list[Row]:
    """Means over runs beside the printed ones."""
    known = cells_of("table2")
    values = ("accuracy", "train", "capped")
    mean_rows = averaged(textual(rows), ("data", "features", "rows", "noise"), values, {"std": "accuracy"})
    return [row | beside_printed(row["accuracy"], known.get((row["data"], "SVM", row["noise"]))) for row in mean_rows]


def distances(cells: list[Row]) -> dict[tuple[str, str, str], float]:
    """The mean distance from the printed means over noises, by data, features and rows.

    Noises that one reading of a data set lacks are left out of all, so that readings stay comparable.
    """
    means = {}
    for (data,), mine in grouped(cells, "data").items():
        at = {(row["features"], row["rows"], row["noise"]): abs(row["difference"]) for row in mine}
        if data not in LARGE:
            at |= {(features, SOME, noise): far for (features, _, noise), far in at.items()}
        readings = list(product(FEATURES, (SOME,) if data in SLOW else (SOME, "all")))
        noises = [noise for noise in NOISES if all((*reading, noise) in at for reading in readings)]
        for reading in readings if noises else ():
            means[(data, *reading)] = float(np.mean([at[(*reading, noise)] for noise in noises]))
    return means


def shown(rows: list[Row]) -> str:
    """The summary as Markdown: our mean, and the printed one in brackets, a column for each noise."""
    return pivoted(rows, ("data", "features", "rows"), "noise", with_printed, "{} %")


MACHINES: Any = Experiment(
    "machines",
    "support vector machines of Table 2: raw or standardised features, some rows or all",
    KEYS,
    _tasks,
    _work,
    Summary("machines", "summary", summarised, shown),
    PROTOCOL,
)
