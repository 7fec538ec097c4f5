"""What is run of yang2019: forests (Table III, and symmetric noise, unshown there), trees (Figure 1), times (Figure 2).

A task is a cross-validation of one problem under one noise; its rows are folds and criteria.

Main definitions: ``TABLE3``, ``SAMPLED``, ``EXCHANGED``, ``SYMMETRIC_FORESTS``, ``VARIANTS``, ``FIGURE1``, ``FIGURE2``.
Source: yang2019, Section VI.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from ..results import Row
from ..runner import Experiment, Options, Task
from .finishing import finish_figure1, finish_figure2, finish_forests, finish_variants
from .problems import (
    ASYMMETRIC,
    BUNDLED,
    FOLDS,
    KNOWN,
    PROBLEMS,
    SYMMETRIC,
    Fold,
    folds,
    parts,
)
from .stopping import (
    CRITERIA,
    DEPTH,
    INNER_TREES,
    SIZES,
    TREES,
    chosen_size,
    forest,
    stages,
    tree,
)  # fmt: skip
from .structure import shape, times

LARGE, SAMPLE = 12_000, 3000  # problems of LARGE rows or more are run on SAMPLE of them, whole only if asked for
SMALL, OFTEN = 1000, 10  # rows up to which variants are tried; runs of Table III and Figure 1, as in the paper
KEYS = ("data", "tau_neg", "tau_pos", "run")
PROTOCOL = (("folds", FOLDS), ("sizes", SIZES), ("depth", DEPTH))
CLEAN = (0.0, 0.0)
COUNTED = {  # of a tree with and without bootstrap: a name, and whether stopping counts the copies of a row
    True: (("bootstrap, rows counted", False), ("bootstrap, copies counted", True)),
    False: (("all rows", False),),
}


@dataclass(frozen=True)
class Grid:
    """The tasks: first one run of every problem, small problems first, then the further runs.

    Problems of fewer rows than ``below`` are run whole; with ``sample`` the others are, on that many of their rows.
    """

    noises: tuple[tuple[float, float], ...]
    often: int = 1
    forests: bool = False
    below: int = LARGE
    sample: int | None = None

    def __call__(self, options: Options) -> list[Task]:
        """List the tasks."""
        usual = tuple(name for name, about in PROBLEMS.items() if (about.rows < self.below) != bool(self.sample))
        tasks = [
            {"data": data, "tau_neg": tau_neg, "tau_pos": tau_pos, "run": run}
            for data in options.chosen(usual, tuple(name for name, about in BUNDLED.items() if about.rows < self.below))
            for run in range(options.runs(self.often))
            for tau_neg, tau_pos in (self.noises[-1:] if options.quick else self.noises)
        ]
        if self.forests:
            tasks = [task | {"inner": inner_trees(options)} for task in tasks]
        if self.sample:
            tasks = [task | {"rows": self.sample} for task in tasks]
        return sorted(tasks, key=lambda task: (task["run"], KNOWN[task["data"]].rows if task["data"] in KNOWN else 0))


def inner_trees(options: Options) -> int:
    """The trees of a forest that a stopping size is judged by: the paper's 100 if ten runs are asked for."""
    return 2 if options.quick else TREES if (options.repeats or 0) >= OFTEN else INNER_TREES


def learn_forests(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """Cross-validate forests of every criterion."""
    trees, inner = (5 if options.quick else TREES), task["inner"]
    return _learnt(
        task, options, partial(forest, trees=inner), partial(forest, trees=trees), lambda model: {}
    )  # fmt: skip


def learn_trees(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """Cross-validate trees of every criterion."""
    return _learnt(task, options, tree, tree, lambda model: shape(model.tree_))


def _learnt(
    task: Task, options: Options, inner: Callable[..., Any], grow: Callable[..., Any], about: Callable[[Any], Row]
) -> list[Row]:
    """A row for each fold and criterion: accuracy at one half, and at the threshold that the rates call for."""
    shifted = (1 - task["tau_pos"] + task["tau_neg"]) / 2
    rows = []
    for fold in _folds(task, options):
        for method in CRITERIA:
            size = _size(method, fold, inner)
            model = grow(method, size, fold.seed).fit(fold.trial.X, fold.trial.y)
            positive = model.predict_proba(fold.trial.test_X)[:, 1]
            place = {
                "fold": fold.number, "method": method, "size": size, "flipped": fold.trial.flipped,
                "accuracy": fold.trial.accuracy(lambda X, p=positive: p > 0.5),
                "accuracy_shifted": fold.trial.accuracy(lambda X, p=positive: p > shifted),
            }  # fmt: skip
            rows.append(place | about(model))
    return rows


def learn_times(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """Time trees of every criterion, stopped as chosen and grown to the end."""
    rows = []
    for fold in _folds(task, options):
        size = {method: _size(method, fold, tree) for method in CRITERIA}
        timed = times(partial(tree, seed=fold.seed), size, fold.trial.X, fold.trial.y)
        rows += [{"fold": fold.number, "method": method, "size": size[method], **row} for method, row in timed.items()]
    return rows


def learn_variants(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """Mean accuracy of forests as the paper may have had them, at every stopping size and at the chosen one."""
    accuracies: dict[tuple[str, str, str, int | None], list[float]] = {}
    inner, trees = (2, 5) if options.quick else (INNER_TREES, TREES)
    for fold, method, bootstrap in product(_folds(task, options), CRITERIA, (True, False)):
        drawn = partial(_drawn, method, fold.seed, bootstrap)
        X, y, part = fold.trial.X, fold.trial.y, parts(len(fold.trial.y), fold.seed)
        model = drawn(trees).fit(X, y)
        within = [(drawn(inner).fit(X[part != number], y[part != number]), part == number) for number in range(FOLDS)]
        for (sample, copies), voting in product(COUNTED[bootstrap], ("soft", "hard")):
            read = partial(stages, copies=copies, hard=voting == "hard")
            accuracy = _at_sizes(fold, read(model, fold.trial.test_X))
            agreed = [np.mean(read(one, X[apart]) == (y[apart] == 1), axis=1) for one, apart in within]
            chosen = int(np.argmax(np.mean(agreed, axis=0).round(12)))
            for size, value in (*zip(SIZES, accuracy, strict=True), (None, accuracy[chosen])):
                accuracies.setdefault((method, sample, voting, size), []).append(value)
    names = ("method", "sample", "voting", "size")
    return [dict(zip(names, key, strict=True)) | {"accuracy": float(np.mean(a))} for key, a in accuracies.items()]


def _drawn(method: str, seed: int, bootstrap: bool, trees: int) -> Any:
    return forest(method, SIZES[0], seed, trees).set_params(bootstrap=bootstrap)


def _at_sizes(fold: Fold, named: Any) -> list[float]:
    return [fold.trial.accuracy(lambda X, classes=classes: classes) for classes in named]


def _folds(task: Task, options: Options) -> list[Fold]:
    return list(folds(task["data"], task["tau_neg"], task["tau_pos"], task["run"], options, task.get("rows")))


def _size(method: str, fold: Fold, inner: Callable[..., Any]) -> int:
    return chosen_size(lambda: inner(method, SIZES[0], fold.seed), fold.trial.X, fold.trial.y, fold.seed)


FORESTS = (*PROTOCOL, ("trees", TREES))
TABLE3 = Experiment(
    "table3", "forests of 100 trees under asymmetric noise", (*KEYS, "inner"), Grid(ASYMMETRIC, OFTEN, forests=True),
    learn_forests, partial(finish_forests, "table3"), FORESTS,
)  # fmt: skip
SAMPLED = Experiment(
    "sampled", "Table III for the largest problems, on some of their rows", (*KEYS, "inner", "rows"),
    Grid(ASYMMETRIC, forests=True, sample=SAMPLE), learn_forests, partial(finish_forests, "sampled"), FORESTS,
)  # fmt: skip
SYMMETRIC_FORESTS = Experiment(
    "symmetric", "forests of 100 trees without noise and under symmetric noise", (*KEYS, "inner"),
    Grid((CLEAN, *SYMMETRIC[1::2]), OFTEN, forests=True), learn_forests, partial(finish_forests, "symmetric"), FORESTS,
)  # fmt: skip
EXCHANGED = Experiment(
    "exchanged", "Table III with the rates exchanged: the other class as the positive one", (*KEYS, "inner"),
    Grid(tuple((b, a) for a, b in ASYMMETRIC), forests=True), learn_forests, partial(finish_forests, "exchanged"),
    FORESTS,
)  # fmt: skip
VARIANTS = Experiment(
    "variants", "forests at every stopping size, with and without bootstrap, soft and hard voting", KEYS,
    Grid(ASYMMETRIC[1:], below=SMALL + 1), learn_variants, finish_variants, FORESTS,
)  # fmt: skip
FIGURE1 = Experiment(
    "figure1", "accuracy, leaves and depth of trees without noise and under all six", KEYS,
    Grid((CLEAN, *SYMMETRIC, *ASYMMETRIC), OFTEN), learn_trees, finish_figure1, PROTOCOL,
)  # fmt: skip
FIGURE2 = Experiment(
    "figure2", "seconds to grow a tree, by criterion, at 40 % wrong labels", KEYS, Grid(SYMMETRIC[-1:]), learn_times,
    finish_figure2, PROTOCOL,
)  # fmt: skip
