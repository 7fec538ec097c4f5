"""How to call the test of a node, and how to read its result."""

from __future__ import annotations

from typing import Any

import numpy as np

from contract.arguments import choice, formula, integer, number, truth
from contract.entries import Entry
from contract.parameters import CLASSES, FEATURES, PARAMETERS, REAL, ROWS, WEIGHTS
from contract.roles import observations, vector
from splitcrit.inference import SplitTest, kaplan_meier, log_rank, ordinal, outputs, ranks, split_test

TWO = (CLASSES > 0).astype(int)
CATEGORIES = PARAMETERS["categorical_features"]
PAIRS = vector(lambda rng: np.column_stack([rng.integers(1, 9, 12), rng.integers(0, 2, 12)])).free()
NUMBERS = vector(lambda rng: REAL.copy()).free()
LEVELS = vector(lambda rng: np.arange(5)).free()


def tested(X: Any = ROWS, y: Any = TWO, **options: Any) -> SplitTest:
    return split_test(X, y, **{"random_state": 0, "n_permutations": 99} | options)


def figures(found: SplitTest) -> Any:
    return found.pvalue, [(f.p, f.mid_p, f.adjusted) for f in found.features]


ENTRIES = {
    "inference.split_test": Entry(
        tested,
        {
            "X": FEATURES.free(),
            "y": observations(24, fractions="either", objects="answer").free(),
            "correction": choice("bonferroni", "discrete", "holm", "westfall-young", none="either"),
            "statistic": choice("sgini", "gini", "pairwise_gain"),
            "categorical_features": CATEGORIES,
            "missing": choice("side", "row"),
            "min_samples_leaf": integer(2),
            "n_permutations": integer(99).beside(y=CLASSES),
            "alpha": number(0.25),
            "response": choice("auto", "classes", "numbers"),
            "sample_weight": WEIGHTS.free(),
            "randomised": truth(False),
            "random_state": integer(3, none="either").free(),
            "response_scores": formula(ranks, none="either"),
        },
        read=figures,
        rounds=1,
    ),
    "inference.log_rank": Entry(log_rank, {"y": PAIRS}),
    "inference.kaplan_meier": Entry(lambda y: kaplan_meier(y).survival, {"y": PAIRS}),
    "inference.SurvivalCurve": Entry(lambda t: kaplan_meier([(1, 1), (2, 0), (3, 1)])(t), {"t": NUMBERS}),
    "inference.ranks": Entry(ranks, {"y": NUMBERS}),
    "inference.outputs": Entry(outputs, {"y": NUMBERS}),
    "inference.ordinal": Entry(lambda levels: ordinal(levels).levels, {"levels": LEVELS}),
    "inference.SplitTest": Entry(
        lambda X: tested(X),
        {"X": FEATURES.free()},
        read=lambda found: (found.score, found.threshold, found.rejected),
        rounds=1,
    ),
    "inference.FeatureTest": Entry(
        lambda y: tested(y=y),
        {"y": observations(24, fractions="either", objects="answer").free()},
        read=lambda found: [f.score for f in found.features],
        rounds=1,
    ),
}
