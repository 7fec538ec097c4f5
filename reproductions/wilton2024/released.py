"""What the released code of wilton2024 does and the paper leaves open, each choice made both ways.

Its forests draw the features of a node among those that vary there, and grow every tree from all rows, without
bootstrap samples; they round the square root of the number of features up; and the search by twoing ends early.

Main definitions: ``FORESTS_PRINTED``, ``TWOING``; ``PRINTED``, ``KINDS`` (kinds of forests).
Source: wilton2024, Hyperparameters; the code that it names, as read in 2026.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..pictures import Summary
from ..results import Row
from ..runner import Experiment, Options, Task
from ..tables import pivoted, with_printed
from ..trials import Trial
from .early_exit import EarlyExit
from .learners import Q, learnt, methods, size
from .nodes import varying
from .problems import NOISES, PAIRS, UNIFORM, learner_seed, trial
from .summary import with_print

RUNS, TREES = 5, 100
KEYS = ("data", "task", "noise", "forest", "method", "run")
PRINTED = "varying, all rows"  # what the released code does unless told otherwise, but for rounding
KINDS: dict[str, dict[str, Any]] = {
    PRINTED: {"draw": "varying", "bootstrap": False},
    "varying, bootstrap": {"draw": "varying", "bootstrap": True},
    "all, all rows": {"draw": "all", "bootstrap": False},
    "all, bootstrap": {"draw": "all", "bootstrap": True},
    "varying, all rows, rounded up": {"draw": "varying", "bootstrap": False},
}
UP = "rounded up"
FIXED = tuple(m for m in methods("binary") if m not in ("ANE", "MSE", "Twoing"))  # twoing is MSE for two classes
BESIDE = ("segment", "digits")  # data sets of which nothing is printed


def forest_tasks(options: Options) -> list[Task]:
    """List the tasks: squared loss in every kind of forest; once, the other criteria in the released, and elsewhere."""
    noisy, pairs = (("40",), ()) if options.quick else (UNIFORM[1:], PAIRS)
    plain = [kind for kind in KINDS if UP not in kind]
    last = tuple(range(1, RUNS))
    grids: tuple[tuple[str, tuple[str, ...], Sequence[str], tuple[str, ...], tuple[int, ...]], ...] = (
        ("mushrooms", noisy, plain, ("MSE",), (0,)),
        ("mushrooms", noisy, (PRINTED,), FIXED, (0,)),
        *((data, noisy, plain, ("MSE",), (0,)) for data in BESIDE),
        ("mushrooms", ("0", *pairs), (PRINTED,), ("MSE",), (0,)),
        ("mushrooms", noisy[1::2], (f"{PRINTED}, {UP}",), ("MSE",), (0,)),
        ("mushrooms", noisy, plain, ("MSE",), last[:1]),
        ("mushrooms", noisy[1::2], (PRINTED,), ("ANE",), (0,)),
        ("mushrooms", noisy, plain, ("MSE",), last[1:]),
        ("mushrooms", ("0", *pairs), (PRINTED,), FIXED, (0,)),
        ("mushrooms", ("0", *noisy[::2], *pairs), (PRINTED,), ("ANE",), (0,)),
    )
    wanted, runs = options.chosen(("mushrooms", *BESIDE), ("digits",)), options.runs(RUNS)
    return [
        {"data": data, "task": "binary", "noise": noise, "forest": kind, "method": method, "run": run}
        for data, noises, kinds, chosen, some in grids
        if data in wanted
        for run in some
        if run < runs
        for kind in kinds
        for noise in noises
        for method in chosen
    ]


def forest(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """Learn a forest from noisy labels, and measure on true ones."""
    place = task["data"], task["task"]
    one, seed = trial(*place, task["noise"], task["run"], options), learner_seed(*place, task["run"], options)
    settings = KINDS[task["forest"]] | {"max_features": up(one.X.shape[1]) if UP in task["forest"] else "sqrt"}
    start = time.perf_counter()
    model = learnt(task["method"], "forest", one, seed, 5 if options.quick else TREES, **settings)
    spent = since(start)
    return [model.about(one) | inside(model.model, one) | {"learner_seed": seed, "seconds": spent}]


def inside(model: Any, one: Trial) -> Row:
    """What the trees of a forest are, by the first ten of them.

    The accuracy of one tree, the test rows on which neighbours differ, the training rows of which a tree returns the
    label, right or wrong, all in percent; and the features that vary in an inner node of the first tree, the median.
    """
    some = model.estimators_[:10]
    predictions = np.array([tree.predict(one.test_X) for tree in some])
    return {
        "tree_accuracy": float(np.mean([100 * one.accuracy(tree.predict) for tree in some])),
        "differ": 100 * float(np.mean(predictions[1:] != predictions[:-1])),
        "fitted": float(np.mean([100 * np.mean(tree.predict(one.X) == one.y) for tree in some])),
        "varying": float(np.median(varying(some[0], one.X))) * one.X.shape[1],
    }


def up(features: int) -> int:
    """The square root of the number of features, rounded up as in the released code.

    Examples
    --------
    >>> up(112), up(64)
    (11, 8)
    """
    return math.isqrt(features - 1) + 1


def twoing_tasks(options: Options) -> list[Task]:
    """List the tasks, run by run, trees first."""
    tried = {"tree": (NOISES["binary"], options.runs(RUNS)), "forest": (NOISES["binary"], options.runs(1))}
    return [
        {"data": data, "task": "binary", "model": model, "noise": noise, "run": run}
        for data in options.chosen(("mushrooms",), ("digits",))
        for model, (noises, runs) in tried.items()
        for run in range(runs)
        for noise in (("0", "40") if options.quick else noises)
    ]


def twoing(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """Learn by twoing with the released search, and measure on true labels."""
    place = task["data"], task["task"]
    one, seed = trial(*place, task["noise"], task["run"], options), learner_seed(*place, task["run"], options)
    trees = 5 if options.quick else TREES
    settings: dict[str, Any] = {} if task["model"] == "tree" else {"trees": trees, "features": up(one.X.shape[1])}
    start = time.perf_counter()
    model = EarlyExit(**settings, random_state=seed).fit(one.X, one.y)
    about: Row = {"accuracy": 100 * one.accuracy(model.predict), **size(model)}
    return [about | {"learner_seed": seed, "seconds": since(start)}]


def since(start: float) -> float:
    """The seconds since a moment, to two places."""
    return round(time.perf_counter() - start, 2)


def forest_means(rows: list[Row]) -> list[Row]:
    """The means of each kind of forest beside the printed ones."""
    return with_print(rows, ("data", "task", "forest", "method", "noise"), "RF")


def shown_forests(means: list[Row]) -> str:
    """Markdown: our mean, and the printed one in brackets, a column for each noise."""
    first = sorted(means, key=lambda row: row["data"] != "mushrooms")  # it has all noises
    return pivoted(first, ("data", "method", "forest"), "noise", with_printed)


def twoing_means(rows: list[Row]) -> list[Row]:
    """The means of trees and forests by the released search beside the printed ones."""
    by, mean_rows = ("data", "task", "model", "method", "noise"), []
    for model, table in (("tree", "DT"), ("forest", "RF")):
        mean_rows += with_print([row | {"method": "Twoing"} for row in rows if row["model"] == model], by, table)
    return mean_rows


def shown_twoing(means: list[Row]) -> str:
    """Markdown: our mean, and the printed one in brackets, a column for each noise."""
    return pivoted(means, ("data", "model"), "noise", with_printed)


FORESTS_PRINTED = Experiment(
    "forests_printed", "forests of 100 trees: features drawn among all or among the varying, bootstrap or not", KEYS,
    forest_tasks, forest, Summary("forests_printed", "means", forest_means, shown_forests),
    (("q", Q), ("trees", TREES)),
)  # fmt: skip
TWOING = Experiment(
    "twoing", "twoing as the released code searches for it: the search of a node may end before its best split",
    ("data", "task", "model", "noise", "run"), twoing_tasks, twoing,
    Summary("twoing", "means", twoing_means, shown_twoing), (("trees", TREES),),
)  # fmt: skip
