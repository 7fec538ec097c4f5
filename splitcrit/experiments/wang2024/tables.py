"""Tables 5 to 8 of wang2024 with Figures 4 to 7, and an ablation: trees of several criteria on twelve data sets.

Main definitions: ``EXPERIMENTS``.
Source: wang2024, Section 5.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from splitcrit.experiments.results import Row
from splitcrit.experiments.runner import Experiment, Options, Task, seed_of
from splitcrit.experiments.wang2024 import methods, samples
from splitcrit.experiments.wang2024.beside import finished
from splitcrit.experiments.wang2024.methods import ABLATION, METHODS, measured
from splitcrit.experiments.wang2024.samples import SETS, loaded, sample_of

QUICK = ("zoo", "bupa_liver", "balance_scale")  # the fewest cells
PIMP_SETS = (*QUICK, "promoters")
SPLITS = 50


def _tasks(options: Options, noises: tuple[str, ...]) -> list[Task]:
    """Return a task for each split, data set and noise; all sets of one split before the next split."""
    sets = sorted(options.chosen(SETS, QUICK), key=lambda name: loaded(name, options.data).X.size)
    splits = range(options.runs(SPLITS, quick=2))
    return [{"set": s, "noise": noise, "split": i} for i in splits for s in sets for noise in noises]


def _work(task: Task, options: Options, rng: np.random.Generator, criteria: dict[str, Any]) -> list[Row]:
    """Return one row for each method, on the same sample."""
    split = np.random.default_rng(seed_of(options.seed, "split", task["set"], task["split"]))
    sample = sample_of(task["set"], options.data, task["noise"], split, rng)
    shape = {"objects": len(sample.y), "attributes": sample.real, "classes": int(sample.y.max()) + 1}
    wanted = {name: c for name, c in criteria.items() if name != "PIMP" or task["set"] in PIMP_SETS}
    return [{"method": name, **shape, **measured(sample, c)} for name, c in wanted.items()]


def _experiment(name: str, about: str, noises: tuple[str, ...], criteria: dict[str, Any]) -> Experiment:
    return Experiment(
        name, about, ("set", "noise", "split"), partial(_tasks, noises=noises), partial(_work, criteria=criteria),
        partial(finished, name), (*samples.PROTOCOL, *methods.PROTOCOL, ("pimp on", list(PIMP_SETS))),
    )  # fmt: skip


FIVE = {name: criterion for name, criterion in METHODS.items() if name != "PIMP"}
EXPERIMENTS = (
    _experiment("table5", "six methods on twelve data sets (Table 5, Figures 4, 5a)", ("none",), METHODS),
    _experiment("table6", "the same with 30 % of values exchanged (Table 6, Figures 5b, 6)", ("perturbed",), METHODS),
    _experiment("table7_8", "the same with noisy copies of features (Tables 7, 8, Figures 5c, 7)", ("copies",), FIVE),
    _experiment("ablation", "Gini, less its mean, adjusted, standardised, as a p-value", ("none", "copies"), ABLATION),
)
