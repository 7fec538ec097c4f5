"""What wilton2024 compares: eight criteria, for trees and for forests.

Main definitions: ``METHODS``, ``methods``, ``TREES``, ``learnt``, ``Learnt``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.impurities import gce
from splitcrit.trees import AdaptiveForestClassifier, AdaptiveTreeClassifier, ForestClassifier, TreeClassifier

from ..trials import Trial

Q = 0.7
FIXED: dict[str, Any] = {
    "CL": "misclassification",
    "Twoing": "twoing",
    "Credal": "credal",  # the decrease of the largest entropy over a credal set, s = 1
    "GCE": gce(Q),
    "MSE": "gini",
    "CE": "entropy",
    "Ranking": "pairwise_gain",
}
METHODS = ("ANE", *FIXED)
MODELS = ("tree", "forest")
TREES = 25  # of a forest; the paper has 100


def methods(task: str) -> tuple[str, ...]:
    """The methods of a task: ranking is for two classes."""
    return tuple(name for name in METHODS if task == "binary" or name != "Ranking")


@dataclass(frozen=True)
class Learnt:
    """A fitted model; that of ANE with its parameter and the model that was not fitted again after tuning."""

    model: Any
    lam: float | None = None
    before_refit: Any = None

    def about(self, trial: Trial) -> dict[str, Any]:
        """Accuracy on true labels, in percent, and the size."""
        measures = {"accuracy": 100 * trial.accuracy(self.model.predict), **size(self.model), "lam": self.lam}
        if self.before_refit is not None:
            measures["accuracy_kept"] = 100 * trial.accuracy(self.before_refit.predict)
            measures["leaves_kept"] = size(self.before_refit)["leaves"]
        return measures


def size(model: Any) -> dict[str, float]:
    """Leaves and depth, of a forest the means of its trees."""
    trees = getattr(model, "estimators_", [model])
    return {
        "leaves": float(np.mean([tree.get_n_leaves() for tree in trees])),
        "depth": float(np.mean([tree.get_depth() for tree in trees])),
    }


def learnt(method: str, model: str, trial: Trial, seed: int, trees: int = TREES, **options: Any) -> Learnt:
    """What a method learns from the noisy labels of a trial; a forest may be given more options."""
    fixed: Any
    if model == "forest":
        fixed, tuned = ForestClassifier(trees, **options), AdaptiveForestClassifier(trees, refit=False, **options)
    else:
        fixed, tuned = TreeClassifier(), AdaptiveTreeClassifier(refit=False)
    if method != "ANE":
        return Learnt(fixed.set_params(criterion=FIXED[method], random_state=seed).fit(trial.X, trial.y))
    tuned.set_params(random_state=seed).fit(trial.X, trial.y)
    again = fixed.set_params(criterion=tuned.criterion_, random_state=seed).fit(trial.X, trial.y)
    return Learnt(again, tuned.best_parameter_, tuned)
