"""Does looking two steps ahead pay? Accuracy and leaves of trees by three criteria on sets of many classes.

Stratified five-fold cross-validation, repeated with other folds; every tree is grown until its leaves are pure or no
split gains. The paper suggests the look-ahead and tries it on no data.

Main definitions: ``LOOK_AHEAD``, ``differences``.
Source: breiman1996, Section 4.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from splitcrit.estimators import TreeClassifier

from ..datasets import load
from ..pictures import Summary
from ..plots.panels import grouped
from ..results import Row
from ..runner import Experiment, Options, Task
from ..tables import table

REPEATS = {"libras": 10, "vowel": 10, "letter": 2}
CRITERIA, AHEAD, FOLDS = ("gini", "entropy", "twoing"), (1, 5, 20), 5
KEYS = ("data", "run", "fold")
loaded = lru_cache(len(REPEATS))(load)


def _tasks(options: Options) -> list[Task]:
    return [
        {"data": data, "run": run, "fold": fold}
        for data in options.chosen(tuple(REPEATS), ("vowel",))
        for run in range(options.runs(REPEATS.get(data, 1)))
        for fold in range(1 if options.quick else FOLDS)
    ]


def _work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """Grow the trees of one fold; folds are those of the run, whatever the seed of the task."""
    data = loaded(task["data"], options.data)
    folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=task["run"]).split(data.X, data.y))
    train, test = folds[task["fold"]]
    found = []
    for criterion in CRITERIA:
        for ahead in AHEAD:
            tree = TreeClassifier(criterion=criterion, look_ahead=ahead).fit(data.X[train], data.y[train])
            accuracy = 100 * tree.score(data.X[test], data.y[test])
            found.append({"criterion": criterion, "look_ahead": ahead, "accuracy": accuracy,
                          "leaves": int(tree.get_n_leaves()), "test_share": len(test) / len(train)})  # fmt: skip
    return found


def differences(rows: list[Row]) -> list[Row]:
    """Return, by set, criterion and N, means over folds, and what looking ahead adds to the plain tree of a fold."""
    plain = {(r["data"], r["criterion"], r["run"], r["fold"]): r for r in rows if r["look_ahead"] == 1}
    found = []
    for (data, criterion, ahead), mine in grouped(rows, "data", "criterion", "look_ahead").items():
        base = [plain[data, criterion, row["run"], row["fold"]] for row in mine]
        more, fewer = (
            np.array([a[name] - b[name] for a, b in zip(mine, base, strict=True)]) for name in ("accuracy", "leaves")
        )
        found.append({
            "data": data, "criterion": criterion, "look_ahead": ahead, "folds": len(mine),
            "accuracy": float(np.mean([row["accuracy"] for row in mine])),
            "leaves": float(np.mean([row["leaves"] for row in mine])),
            "more": float(more.mean()), "deviation": float(more.std(ddof=1)) if len(more) > 1 else None,
            "fewer": float(100 * fewer.mean() / np.mean([row["leaves"] for row in base])),
            "test_share": float(np.mean([row["test_share"] for row in mine])),
        })  # fmt: skip
    return found


def shown(rows: list[Row]) -> str:
    """Return the differences as Markdown, with the deviation over folds in brackets."""
    lines: list[Any] = []
    for row in rows:
        first = row["data"], row["criterion"], row["look_ahead"], row["folds"], f"{row['accuracy']:.2f}"
        spread = "" if row["deviation"] is None else f" ({row['deviation']:.2f})"
        more, fewer = ("", "") if row["look_ahead"] == 1 else (f"{row['more']:+.2f}{spread}", f"{row['fewer']:+.1f} %")
        lines.append((*first, more, f"{row['leaves']:.1f}", fewer))
    heads = ("set", "criterion", "N", "folds", "accuracy, %", "against N = 1", "leaves", "against N = 1")
    return table(heads, lines, 2)


LOOK_AHEAD = Experiment(
    "look_ahead", "trees that look two steps ahead, on sets of many classes", KEYS, _tasks, _work,
    Summary("look_ahead", "differences", differences, shown), (("folds", FOLDS), ("look_ahead", AHEAD)),
)  # fmt: skip
