"""How to call audits: by the rows and labels they are given, and the texts of models."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from sklearn.ensemble import RandomForestClassifier

from contract.arguments import choice, integer, number, size, thing
from contract.calls_plots import picture
from contract.entries import Entry
from contract.parameters import CLASSES, FEATURES, READ, ROWS, N
from contract.roles import few_odd, observations, vector
from splitcrit import impurities, inference, plots

HEADER = "tree\nversion=v4\nnum_class=1\nmax_feature_idx=0\nobjective=binary\nfeature_names=x\n"
TREE = "Tree=0\nnum_leaves=2\nsplit_feature=0\nsplit_gain=1\nthreshold=0.5\ndecision_type=2\n"
LIGHTGBM = f"{HEADER}\n{TREE}left_child=-1\nright_child=-2\n"
NODES = {"left_children": [1, -1, -1], "right_children": [2, -1, -1], "split_indices": [0, 0, 0],
         "split_conditions": [0.5, 1, 2], "default_left": [1, 0, 0], "loss_changes": [3, 0, 0]}  # fmt: skip
XGBOOST = json.dumps({"learner": {
    "learner_model_param": {"num_feature": "1", "num_class": "0"}, "objective": {"name": "reg:squarederror"},
    "gradient_booster": {"name": "gbtree", "model": {"trees": [NODES]}},
}})  # fmt: skip

CATEGORIES = {"split_type": [1, 0, 0], "categories": [1], "categories_nodes": [0], "categories_segments": [0],
              "categories_sizes": [1], "split_conditions": [0, 1, -1],
              "loss_changes": [24 * 12 / 13, 0, 0]}  # fmt: skip
BOOSTED = json.loads(XGBOOST)
BOOSTED["learner"]["gradient_booster"]["model"]["trees"] = [NODES | CATEGORIES]
BOOSTED["learner"]["learner_model_param"]["base_score"] = "0"


def gains(model: Any = BOOSTED, draws: int = 20, seed: int = 0) -> Any:
    """Gains of the rows that grew a booster: 12 of each level, whose responses are -1 and 1."""
    return inference.category_gains(model, [[i % 2] for i in range(24)], [2 * (i % 2) - 1 for i in range(24)],
                                    draws=draws, seed=seed)  # fmt: skip


@cache
def forest() -> Any:
    return RandomForestClassifier(3, random_state=0).fit(ROWS, CLASSES)


@cache
def report() -> Any:
    return inference.audit(forest(), ROWS, CLASSES)


def audited(X: Any = ROWS, y: Any = CLASSES, **options: Any) -> Any:
    return inference.audit(**{"model": forest(), "X": X, "y": y} | options)


def splits(found: Any) -> Any:
    return [found.splits.tables, found.splits.gain, found.splits.chance]


def threshold(found: Any) -> Any:
    return [(structure.left, structure.threshold[0]) for structure in found]


COUNTS = vector(
    lambda rng: rng.integers(1, 5, N), negative=True, odd=few_odd, none="either", **dict.fromkeys(READ, "either")
)
ENTRIES = {
    "inference.audit": Entry(
        audited,
        {
            "X": FEATURES,
            "y": observations(N, fractions="either").free(),
            "model": thing(forest(), impurities.gini),
            "rows": choice("held-out", "training"),
            "sample_weight": COUNTS,
            "alpha": number(0.125, fraction="either"),
            "samples": size(20),
        },
        read=splits,
        rounds=1,
        estimator=True,
        every=2,
        unvaried=("options",),
    ),
    "inference.AuditReport": Entry(
        lambda of: report().columns(of), {"of": choice("features", "splits")}, read=list, rounds=1
    ),
    "inference.category_gains": Entry(
        gains,
        {"model": thing(BOOSTED), "draws": size(20), "seed": integer(3)},
        read=lambda found: [(split.gain, split.by_chance) for split in found],
        rounds=1,
    ),
    "inference.from_lightgbm": Entry(inference.from_lightgbm, {"text": thing(LIGHTGBM)}, read=threshold, rounds=1),
    "inference.from_xgboost": Entry(inference.from_xgboost, {"text": thing(XGBOOST)}, read=threshold, rounds=1),
    "plots.audited_features": picture(
        lambda most=20, ax=None: plots.audited_features(report(), most=most, ax=ax), most=size(1)
    ),
}
