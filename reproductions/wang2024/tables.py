"""Tables 5 to 8 of wang2024 with Figures 4 to 7, what the text leaves open, and an ablation.

Every experiment draws the same split, intervals and noise of a set, so that their rows can be compared split by split.

Main definitions: ``EXPERIMENTS``, ``VARIANTS``, ``OPEN``.
Source: wang2024, Section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ..results import Row
from ..runner import Experiment, Options, Task, seed_of
from . import methods, samples
from .cells import finished
from .methods import ABLATION, METHODS, measured
from .samples import AS_TABLES, SETS, Choices, loaded, sample_of

QUICK = ("zoo", "bupa_liver", "balance_scale")  # the fewest cells; a quick run takes the first
PIMP_SETS = (*QUICK, "promoters")  # where PIMP runs beside the others; elsewhere it runs alone
SPLITS, FEW = 50, 10
LEVEL = 0.05  # of the chi-square law, where ChiMerge stops at a threshold
NOISES = {"none": "table5", "perturbed": "table6", "copies": "table7_8"}
"""The noises, and the experiments whose samples all others share."""
VARIANTS: dict[str, tuple[Choices, tuple[str, ...]]] = {
    "as in the tables": (AS_TABLES, ("none", "copies")),
    "noise in all rows": (Choices(noise_everywhere=True), ("perturbed",)),
    "intervals from all rows": (Choices(intervals_everywhere=True), ("none", "perturbed", "copies")),
    "intervals by a threshold": (Choices(significance=LEVEL), ("none",)),
    "unseen values are errors": (Choices(unseen="wrong"), ("none",)),
}
"""Readings of a table, and the noises that they are tried with."""
OPEN: dict[str, Choices] = {
    "intervals from all rows": Choices(intervals_everywhere=True),
    "intervals by a threshold": Choices(significance=LEVEL),
    "splits by class": Choices(by_class=True),
    "unseen values stop": Choices(unseen="stop"),
    "unseen values are errors": Choices(unseen="wrong"),
    "no branch without gain": Choices(least_gain=0.0),
    "grown again with validation rows": Choices(refit=True),
    "largest of equal minnum": Choices(largest=True),
}
"""One choice changed at a time, on the sets whose printed accuracies are farthest from ours."""
FAR = ("zoo", "libras")
UNPERTURBED = ("table5", "table7_8", "ablation")  # nothing here rests on which rows are; as their manifests say it


def _tasks(options: Options, usual: int, sets: Sequence[str], kinds: Sequence[Task]) -> list[Task]:
    """A task for each split, data set and kind; all sets of one split before the next split."""
    quick = next((name for name in QUICK if name in sets), sets[0])
    asked = options.chosen(tuple(sets), (quick,))
    ordered = sorted(asked, key=lambda name: loaded(name, options.data).X.size)
    return [{"set": s, "split": i} | kind for i in range(options.runs(usual)) for s in ordered for kind in kinds]


def _work(
    task: Task, options: Options, rng: np.random.Generator, criteria: dict[str, Any], shared: bool = True
) -> list[Row]:
    """Return one row for each method, on the same sample: that of the table of the noise, or one of its own."""
    split = np.random.default_rng(seed_of(options.seed, "split", task["set"], task["split"]))
    names = (task[key] for key in ("set", "noise", "split"))
    drawn = np.random.default_rng(seed_of(options.seed, NOISES[task["noise"]], *names)) if shared else rng
    choices = CHOICES[task.get("choice", "as in the tables")]
    sample = sample_of(task["set"], options.data, task["noise"], split, drawn, choices)
    shape = {"objects": len(sample.y), "attributes": sample.real, "classes": int(sample.y.max()) + 1}
    wanted = {
        name: c for name, c in criteria.items() if name != "PIMP" or len(criteria) == 1 or task["set"] in PIMP_SETS
    }
    return [{"method": name, **shape, **measured(sample, c, choices)} for name, c in wanted.items()]


def _experiment(
    name: str, about: str, kinds: Sequence[Task], criteria: dict[str, Any], usual: int = SPLITS, sets: Any = SETS,
) -> Experiment:  # fmt: skip
    varied = "choice" in kinds[0]
    parts = "growing, validation, test" if name in UNPERTURBED else "growing and validation rows"
    perturbed = f"after ChiMerge; in each feature a share of the rows, permuted among {parts} each"
    return Experiment(
        name, about, ("choice", "set", "noise", "split") if varied else ("set", "noise", "split"),
        partial(_tasks, usual=usual, sets=sets, kinds=kinds),
        partial(_work, criteria=criteria, shared=name != "ablation"),
        None if varied else partial(finished, name),
        (*samples.PROTOCOL, ("perturbed", perturbed), *methods.PROTOCOL, ("pimp on", list(PIMP_SETS))),
    )  # fmt: skip


CHOICES = {name: choices for name, (choices, _) in VARIANTS.items()} | OPEN
FIVE = {name: criterion for name, criterion in METHODS.items() if name != "PIMP"}
PIMP = {"PIMP": METHODS["PIMP"]}
_plain, _perturbed, _copies = ({"noise": noise} for noise in NOISES)
_varied = [{"choice": name, "noise": noise} for name, (_, noises) in VARIANTS.items() for noise in noises]
_open = [{"choice": name, "noise": "none"} for name in OPEN]
_others = tuple(name for name in SETS if name not in PIMP_SETS)
EXPERIMENTS = (
    _experiment("table5", "six methods on twelve data sets (Table 5, Figures 4, 5a)", [_plain], METHODS),
    _experiment("table6", "the same with 30 % of values exchanged (Table 6, Figures 5b, 6)", [_perturbed], METHODS),
    _experiment("table7_8", "the same with noisy copies of features (Tables 7, 8, Figures 5c, 7)", [_copies], FIVE),
    _experiment(
        "pimp", "PIMP of Tables 5 and 6 on the sets where it takes longest", [_plain, _perturbed], PIMP, FEW, _others
    ),
    _experiment("variants", "Tables 5 to 7 with other noise and other intervals", _varied, FIVE, FEW),
    _experiment("open", "zoo and libras, one open choice changed at a time", _open, FIVE, FEW, FAR),
    _experiment(
        "ablation", "Gini, less its mean, adjusted, standardised, as a p-value", [_plain, _copies], ABLATION, FEW
    ),
)
