"""What ``splitcrit doctor --compile`` compiles: small calls that need every compiled loop.

Main definitions: ``steps``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import numpy as np

from splitcrit import criteria, impurities
from splitcrit.losses import Loss
from splitcrit.nulls import selected_pvalue, sgini, significance
from splitcrit.nulls.calibration import ResponseError

SIZE = 600  # samples of the trees that are grown


def steps() -> dict[str, Callable[[], object]]:
    """Calls that need compiled loops, by what they are for.

    What all trees need comes first, then what takes longest, and last what shares least with the others.
    """
    from splitcrit.inference.tested_trees import InferenceTreeClassifier
    from splitcrit.trees.estimators.classifier import TreeClassifier
    from splitcrit.trees.estimators.forest import ForestClassifier
    from splitcrit.trees.estimators.forest_regressor import ForestRegressor
    from splitcrit.trees.estimators.regressor import TreeRegressor
    from splitcrit.trees.multiway.classifier import MultiwayTreeClassifier
    from splitcrit.trees.multiway.intervals import clusterings

    draw = np.random.default_rng(0)
    x = draw.normal(size=(SIZE, 3))
    y = draw.integers(0, 3, SIZE)
    two = (x[:, 0] + draw.normal(size=SIZE) > 0).astype(int)
    number = x[:, 0] + x[:, 1]
    gap = np.where(draw.random(x.shape) < 0.1, np.nan, x)
    part = draw.random(SIZE)
    own = criteria.Criterion.from_loss(Loss("square", _square, lambda p, m: p))
    by = {
        "ne": impurities.ne(0.5),
        "gce": impurities.gce(0.7),
        "twoing": criteria.twoing,
        "credal": criteria.imprecise_information_gain(1),
        "sgini": sgini,
        "significance": significance,
    }  # with Gini's impurity, one for each way to keep a score up
    trees = {f"trees by {name}": lambda c=c: TreeClassifier(criterion=c).fit(x, y) for name, c in by.items()}
    return {
        "forests": lambda: ForestClassifier(2).fit(x, y),  # first: a small tree alone would not begin to compile
        "tested splits": lambda: InferenceTreeClassifier().fit(x, two),
        "trees": lambda: TreeClassifier().fit(x, y),
        "trees by any other loss": lambda: [TreeClassifier(criterion=own).fit(x, labels) for labels in (y, two)],
        "missing values, weights": lambda: TreeClassifier().fit(gap, y, sample_weight=part),
        "columns compared by their laws": lambda: TreeClassifier(criterion="calibrated").fit(gap, two),
        "categories": lambda: TreeClassifier(categorical_features=[0]).fit(np.round(gap), two),
        **trees,
        "random splits": lambda: TreeClassifier(splitter="random").fit(x, y),
        "p-values of the best threshold": lambda: selected_pvalue(x[:, 0], two),
        "clusters of values": lambda: clusterings(x[:, 0], y),
        "multiway trees": lambda: MultiwayTreeClassifier().fit(x, y),
        "regression": lambda: [TreeRegressor(criterion=error).fit(x, abs(number)) for error in get_args(ResponseError)],
        "forests of numbers, random splits of numbers": lambda: [
            ForestRegressor(2, max_features=1).fit(x, number),
            TreeRegressor(splitter="random").fit(x, number),
        ],
    }


def _square(w: Any, k: int, m: Any) -> Any:
    return sum((x - (i == k)) * (x - (i == k)) for i, x in enumerate(w))
