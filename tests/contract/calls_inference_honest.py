"""How to call honest trees: fits by their data and parameters, and tests of a tree that was grown before."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from contract.arguments import choice, integer, lazy, number, size, truth
from contract.calls_estimators import fitted
from contract.calls_inference_trees import NAMES
from contract.calls_plots import picture
from contract.entries import Entry
from contract.parameters import CLASSES, FEATURES, REAL, ROWS, WEIGHTS, N
from contract.roles import observations
from splitcrit import impurities, plots
from splitcrit.estimators import TreeClassifier
from splitcrit.inference import HonestTreeClassifier, HonestTreeRegressor, significant_subtree

NEW, TRUE = np.tile(ROWS[::-1] + 1, (2, 1)), np.tile(CLASSES[::-1], 2)
HONEST = {
    "alpha": number(0.25, fraction="either"),
    "test_size": number(0.5, fraction="either"),
    "shares": choice("halves", "testable", "rows"),
    "nested": truth(),
    "permutations": size(400, none="either"),
    "repeats": integer(1),
}


@cache
def grown() -> Any:
    """A tree of two levels."""
    return TreeClassifier(max_depth=2).fit(ROWS, CLASSES)


def tested(**given: Any) -> Any:
    """The significant part of that tree."""
    return significant_subtree(**{"tree": grown(), "X": NEW, "y": TRUE} | given)


def honest(entry: Entry) -> Entry:
    """An estimator with the parameters of honest trees."""
    unvaried = tuple(name for name in entry.unvaried if name not in HONEST)
    return replace(entry, roles=entry.roles | HONEST, unvaried=unvaried, every=3)


SUBTREE = Entry(
    tested,
    {
        "tree": lazy(grown, impurities.gini),
        "X": replace(FEATURES, plain=lambda rng: NEW.copy()),
        "y": replace(observations(2 * N, fractions="either").free(), plain=lambda rng: TRUE.copy()),
        "alpha": HONEST["alpha"],
        "shares": HONEST["shares"],
        "sample_weight": replace(WEIGHTS, plain=lambda rng: rng.integers(1, 5, 2 * N)),
        "nested": HONEST["nested"],
    },
    read=lambda found: (found.tests.p, found.values),
    estimator=True,
    nan=True,
    rounds=1,
)
ENTRIES = {
    "inference.HonestTreeClassifier": honest(fitted(HonestTreeClassifier, CLASSES, random_state=0)),
    "inference.HonestTreeRegressor": honest(fitted(HonestTreeRegressor, REAL, random_state=0)),
    "inference.significant_subtree": SUBTREE,
    "inference.SignificantSubtree": Entry(
        lambda delta: tested().intervals(delta), {"delta": number(0.25, fraction="either")}, rounds=1
    ),
    "inference.SignificantSubtree.to_text": Entry(
        lambda **given: tested().to_text(**given), {"feature_names": NAMES}, rounds=1
    ),
    "plots.plot_significant_subtree": picture(
        lambda **given: plots.plot_significant_subtree(**{"result": tested()} | given),
        result=lazy(tested, impurities.gini),
        delta=number(0.25, fraction="either"),
        feature_names=NAMES,
    ),
    "inference.Stability": Entry(
        lambda repeats: vars(HonestTreeClassifier(repeats=repeats, random_state=0).fit(ROWS, CLASSES).stability_),
        {"repeats": integer(2)},
        estimator=True,
        rounds=1,
    ),
}
