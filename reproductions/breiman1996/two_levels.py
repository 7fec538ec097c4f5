"""Does it pay to choose two levels of splits at once? Greedy trees of depth 2 beside the best ones, on many classes.

Stratified five-fold cross-validation, repeated with other folds. The best tree of depth 2 is exact where a column has
at most 128 values, and the best of those that cut it at 128 quantiles elsewhere; the greedy tree tries all thresholds.
The paper suggests to look two steps ahead and tries it on no data.

Main definitions: ``TWO_LEVELS``, ``differences``.
Source: breiman1996, Section 4.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from splitcrit import Impurity, best_depth_two, entropy, gini
from splitcrit.trees import TreeClassifier

from ..datasets import load
from ..pictures import Summary
from ..plots.panels import grouped
from ..results import Row
from ..runner import Experiment, Options, Task
from ..tables import table

REPEATS = {"glass": 10, "vowel": 10, "cardiotocography10": 2, "letter": 1}
FOLDS, BINS = 5, 128
CRITERIA: dict[str, Impurity] = {"gini": gini, "entropy": entropy}
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
    X, y = data.X[train], data.y[train]
    rows = []
    for name, impurity in CRITERIA.items():
        greedy = TreeClassifier(criterion=impurity, max_depth=2).fit(X, y)
        best = best_depth_two(X, y, impurity, bins=BINS)
        for tree, leaves in ((greedy, greedy.apply(X)), (best, best.apply(X))):
            accuracy = 100 * float(np.mean(tree.predict(data.X[test]) == data.y[test]))
            rows.append({"criterion": name, "tree": "best" if tree is best else "greedy", "accuracy": accuracy,
                          "loss": _loss(leaves, y, impurity), "test_share": len(test) / len(train)})  # fmt: skip
    return rows


def _loss(leaves: Any, y: Any, impurity: Impurity) -> float:
    """The mean impurity of leaves, each weighted by its share of rows."""
    counts = [np.unique(y[leaves == leaf], return_counts=True)[1] for leaf in np.unique(leaves)]
    return float(sum(rows.sum() * float(impurity(rows)) for rows in counts) / len(y))


def differences(rows: list[Row]) -> list[Row]:
    """By set and criterion, means over folds, and what the best tree adds to the greedy one of its fold."""
    greedy = {(r["data"], r["criterion"], r["run"], r["fold"]): r for r in rows if r["tree"] == "greedy"}
    cells = []
    for (data, criterion, tree), mine in grouped(rows, "data", "criterion", "tree").items():
        if tree == "greedy":
            continue
        base = [greedy[data, criterion, row["run"], row["fold"]] for row in mine]
        more = np.array([a["accuracy"] - b["accuracy"] for a, b in zip(mine, base, strict=True)])
        gap = [100 * (b["loss"] / a["loss"] - 1) for a, b in zip(mine, base, strict=True)]
        cells.append({
            "data": data, "criterion": criterion, "folds": len(mine),
            "accuracy": float(np.mean([row["accuracy"] for row in base])), "more": float(more.mean()),
            "deviation": float(more.std(ddof=1)) if len(more) > 1 else None, "gap": float(np.mean(gap)),
            "test_share": float(np.mean([row["test_share"] for row in mine])),
        })  # fmt: skip
    return cells


def shown(rows: list[Row]) -> str:
    """The differences as Markdown, with the deviation over folds in brackets."""
    lines: list[Any] = []
    for row in rows:
        spread = "" if row["deviation"] is None else f" ({row['deviation']:.2f})"
        first = row["data"], row["criterion"], row["folds"], f"{row['accuracy']:.2f}"
        lines.append((*first, f"{row['more']:+.2f}{spread}", f"{row['gap']:.1f} %"))
    heads = ("set", "criterion", "folds", "greedy, %", "best, more", "loss of greedy, above")
    return table(heads, lines, 2)


TWO_LEVELS = Experiment(
    "two_levels", "trees of depth 2 chosen at once, beside greedy ones", KEYS, _tasks, _work,
    Summary("two_levels", "differences", differences, shown),
    (("folds", FOLDS), ("bins", BINS), ("sets", list(REPEATS))),
)  # fmt: skip
