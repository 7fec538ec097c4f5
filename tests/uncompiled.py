"""Small trees of every kind, grown by whatever runs this file: compiled loops, or Python where nothing is compiled."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from splitcrit import AdaptiveTreeClassifier, ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor
from splitcrit.losses import ResponseLoss
from splitcrit.trees import ChiMerge, GapClustering, MultiwayTreeClassifier

CRITERIA = ("gini", "entropy", "misclassification", "sgini", "twoing", "gain_ratio", "credal", "significance")
ERRORS = ("squared_error", "absolute_error", "poisson")
PARTS = ("feature", "threshold", "children_left", "children_right", "value", "impurity", "missing_go_to_left")


def fits() -> dict[str, Callable[[], Any]]:
    """The fits by name, on the same few rows."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 9, (24, 3)).astype(float)
    lost, weights = np.where(rng.random(x.shape) < 0.1, np.nan, x), rng.integers(1, 4, 24)
    two, three, number = rng.integers(0, 2, 24), rng.integers(0, 3, 24), np.round(x[:, 0] + rng.random(24), 2)
    made: dict[str, Callable[[], Any]] = {}
    kinds: dict[str, Any] = {
        "numbers": (x, {}), "missing values": (lost, {}), "sparse": (csr_array(x), {}),
        "categories": (x, {"categorical_features": [0]}), "random": (x, {"splitter": "random", "random_state": 0}),
    }  # fmt: skip
    for name in CRITERIA:
        made[f"three classes, {name}"] = lambda of=name: TreeClassifier(criterion=of, max_depth=3).fit(x, three)
    for kind, (features, options) in kinds.items():
        grown = {"max_depth": 3, **options}
        for name in CRITERIA[:4]:
            made[f"{kind}, {name}"] = lambda of=name, z=features, o=grown: TreeClassifier(criterion=of, **o).fit(z, two)
        for name in ERRORS:
            made[f"{kind}, {name}"] = lambda of=name, z=features, o=grown: TreeRegressor(criterion=of, **o).fit(
                z, number
            )
    tested = {"n_permutations": 19, "alpha": 0.9, "max_depth": 2, "random_state": 0}
    for kind in ("numbers", "missing values", "categories"):
        features, options = kinds[kind]
        for labels, classes in ((two, 2), (three, 3)):
            made[f"selective, {kind}, {classes} classes"] = lambda z=features, o=options, y=labels: (
                InferenceTreeClassifier(**tested, **o).fit(z, y)
            )
        for name in ERRORS[:2]:
            made[f"selective, {kind}, {name}"] = lambda of=name, z=features, o=options: InferenceTreeRegressor(
                criterion=of, **tested, **o
            ).fit(z, number)
    return made | {
        "weights": lambda: TreeClassifier().fit(x, two, weights),
        "weighted numbers": lambda: TreeRegressor().fit(x, number, weights),
        "adaptive": lambda: AdaptiveTreeClassifier(random_state=0).fit(x, two),
        "drawn": lambda: TreeClassifier(max_features=1, random_state=0).fit(x, three, weights),
        "drawn numbers": lambda: TreeRegressor(max_features=1, random_state=0).fit(x, number),
        "own loss": lambda: TreeRegressor(criterion=ResponseLoss("apart", lambda w, y, m: abs(w - y))).fit(
            x[:9], two[:9]
        ),
        "multiway": lambda: MultiwayTreeClassifier(d_num=2, max_depth=2).fit(x, three),
        "averages": lambda: MultiwayTreeClassifier(d_num=2, max_depth=2, linkage="average").fit(x, three),
        "merged": lambda: ChiMerge(significance=0.5).fit(x, three),
        "gaps": lambda: GapClustering().fit(x, three),
        "forest": lambda: ForestClassifier(3, random_state=0).fit(x, two),
        "forest of numbers": lambda: ForestRegressor(3, max_features=1, random_state=0).fit(x, number),
    }


def every(step: int) -> dict[str, Callable[[], Any]]:
    """The fits, or every second, third, ... of them."""
    return dict(list(fits().items())[::step])


def told(model: Any) -> list[Any]:
    """What a model has learnt, as lists and texts."""
    if hasattr(model, "transform"):
        return [edges.tolist() for edges in model.edges_]
    trees = [each.tree_ for each in getattr(model, "estimators_", [model])]
    if hasattr(trees[0], "by_value"):  # a multiway tree
        return [np.asarray(value).tolist() for value in vars(trees[0]).values()]
    parts = [np.asarray(getattr(tree, part)).ravel().tolist() for tree in trees for part in PARTS]
    # a surprise is read off laws, whose logarithms compiled code rounds otherwise in the last digits
    said = [
        re.sub(r"\d+\.\d+", lambda x: f"{float(x[0]):.10g}", repr(each)) for each in getattr(model, "verdicts_", ())
    ]
    return [*parts, said]


if __name__ == "__main__":
    json.dump({name: told(fit()) for name, fit in every(int(sys.argv[1])).items()}, sys.stdout)
