"""What ``splitcrit doctor --compile`` compiles: small calls that need every compiled loop.

Main definitions: ``steps``, ``compile_all`` (all of them, on all cores).
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from contextlib import redirect_stderr
from typing import Any, get_args

import numpy as np

from splitcrit import criteria, impurities
from splitcrit.compiling import reporting_compilation
from splitcrit.losses import Loss
from splitcrit.nulls import selected_pvalue, sgini, significance
from splitcrit.nulls.calibration import ResponseError
from splitcrit.proofs import workers

SIZE = 600  # samples of the trees that are grown


def compile_all(cores: int) -> None:
    """Do the steps in a process per core; what one of them keeps on disk the others load."""
    with workers.pool(cores, __name__) as pool:
        for notice in pool.map(_compile, steps()):
            sys.stderr.write(notice)


def _compile(step: str) -> str:
    """Do a step; what would be printed of it meanwhile is returned, as lines of several processes would mix."""
    with redirect_stderr(io.StringIO()) as notice, reporting_compilation():
        steps()[step]()
    return notice.getvalue()


def steps() -> dict[str, Callable[[], object]]:
    """Calls that need compiled loops, by what they are for.

    What all trees need comes first, then what takes longest, last what needs loops of an earlier step.
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
        "columns compared by their laws": lambda: TreeClassifier(criterion="calibrated").fit(gap, two),
        "categories": lambda: TreeClassifier(categorical_features=[0]).fit(np.round(gap), two),
        "regression": lambda: [TreeRegressor(criterion=error).fit(x, abs(number)) for error in get_args(ResponseError)],
        "forests of numbers, random splits of numbers": lambda: [
            ForestRegressor(2, max_features=1).fit(x, number),
            TreeRegressor(splitter="random").fit(x, number),
        ],
        "clusters of values": lambda: clusterings(x[:, 0], y),
        "random splits": lambda: TreeClassifier(splitter="random").fit(x, y),
        "trees": lambda: TreeClassifier().fit(x, y),
        "trees by any other loss": lambda: [TreeClassifier(criterion=own).fit(x, labels) for labels in (y, two)],
        "missing values, weights": lambda: TreeClassifier().fit(gap, y, sample_weight=part),
        **trees,
        "tested splits": lambda: InferenceTreeClassifier().fit(x, two),
        "p-values of the best threshold": lambda: selected_pvalue(x[:, 0], two),
        "multiway trees": lambda: MultiwayTreeClassifier().fit(x, y),
    }


def _square(w: Any, k: int, m: Any) -> Any:
    return sum((x - (i == k)) * (x - (i == k)) for i, x in enumerate(w))
