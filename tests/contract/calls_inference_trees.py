"""How to call trees of tested splits, and the picture of one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from contract.arguments import choice, formula, integer, lazy, number, size
from contract.calls_estimators import fitted, of_names
from contract.calls_plots import picture
from contract.entries import Entry
from contract.parameters import CLASSES, FEATURES, REAL, ROWS
from splitcrit import impurities, plots
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor, ranks

FEW = {"n_permutations": 19, "max_depth": 2, "random_state": 0}
ROLES = {
    "alpha": number(0.25, fraction="either"),
    "test": choice("selective", "node"),
    "correction": choice("permutation", "bonferroni", "discrete", "westfall-young", None).beside(test="node"),
    "compare": choice("calibrated", "gain", None),
    "n_permutations": size(20),
    "max_exceedances": integer(3, none="either"),
    "response_scores": formula(ranks, none="either"),
    "response_scores_at": choice("root", "node"),
}
NAMES = choice(["a", "b"], ("a", "b")).free()


def tested(entry: Entry, **more: Any) -> Entry:
    """A tree of tested splits, with the parameters of its tests."""
    roles = ROLES | more
    unvaried = tuple(name for name in entry.unvaried if name not in roles)
    return replace(entry, roles=entry.roles | roles, unvaried=unvaried)


@cache
def known(kind: type) -> Any:
    """A fitted tree, made when it is first asked."""
    return kind(**FEW).fit(ROWS, CLASSES if kind is InferenceTreeClassifier else REAL)


ENTRIES = {
    "inference.InferenceTreeClassifier": tested(fitted(InferenceTreeClassifier, CLASSES, **FEW)),
    "inference.InferenceTreeRegressor": tested(
        of_names(fitted(InferenceTreeRegressor, REAL, **FEW)), statistic=choice("variance", "quantiles")
    ),
    "inference.InferenceTreeClassifier.predict": Entry(
        lambda X: known(InferenceTreeClassifier).predict(X), {"X": FEATURES}, ("X",), estimator=True, rounds=1
    ),
    "inference.InferenceTreeClassifier.export_text": Entry(
        lambda **given: known(InferenceTreeClassifier).export_text(**given),
        {"feature_names": NAMES, "digits": integer(3)},
        estimator=True,
        rounds=1,
    ),
    "inference.NodeTest": Entry(
        lambda alpha: vars(InferenceTreeClassifier(**FEW | {"alpha": alpha}).fit(ROWS, CLASSES).verdicts_[0]),
        {"alpha": ROLES["alpha"]},
        estimator=True,
        rounds=1,
    ),
    "plots.plot_inference_tree": picture(
        lambda **given: plots.plot_inference_tree(**{"fitted": known(InferenceTreeClassifier)} | given),
        fitted=lazy(lambda: known(InferenceTreeClassifier), impurities.gini),
        feature_names=NAMES,
        digits=integer(3),
    ),
}
