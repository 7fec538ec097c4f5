"""The fits on which builders of trees are compared, by name, and a digest of the tree of each.

``tests/trees/test_reference.py`` grows the small ones by the reference builder too. The data sets stay as they are: the
digests of their trees are kept.

Main definitions: ``training_set``, ``set_of_categories``, ``fits`` (functions by name), ``real_fits``, ``digest``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

import splitcrit
from frozen.columns import rows_of
from growing import cubes, grow_drawn, grow_regression
from splitcrit import Criterion, criteria, decrease, impurities, losses
from splitcrit.nulls import agini, sgini, significance
from splitcrit.trees.growth import GrownTree, GrowthOptions, Stopping, Training, grow
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.training import Ranks

GINI = decrease(impurities.gini)
SETS = (
    "balance_scale", "bupa_liver", "diabetes", "fourclass", "glass", "heart_statlog", "ionosphere", "libras", "sonar",
    "vehicle", "vowel", "zoo", "german_numeric", "segment", "winequality_white",
)  # fmt: skip


CRITERIA = {
    "gini": GINI,
    "entropy": decrease(impurities.entropy),
    "misclassification": decrease(impurities.misclassification),
    "ne(.5)": decrease(impurities.ne(0.5)),
    "twoing": criteria.twoing,
    "guarded ratio": criteria.normalised(impurities.entropy, guarded=True),
    "credal": criteria.imprecise_information_gain(1),
    "sgini": sgini,
    "cubes": decrease(impurities.Impurity("cubes", cubes)),
}
LARGER = CRITERIA | {
    "sqrt_gini": decrease(impurities.sqrt_gini),
    "gce(.7)": decrease(impurities.gce(0.7)),
    "pairwise gain": criteria.one_vs_rest_pairwise_gain,
    "agini": agini,
    "agini(.3)": criteria.replace(agini, alpha=0.3, model="permutation"),
    "significance": significance,
    "matushita": decrease(impurities.matushita),
    "sum_minority": criteria.sum_minority,
    "ratio": criteria.normalised(impurities.entropy),
    "credal 1.5": criteria.imprecise_information_gain(1.5),
    "sgini ratio": criteria.normalised(sgini),
    "square loss": Criterion.from_loss(losses.square),
}
RULES: list[dict[str, Any]] = [
    {},
    {"max_depth": 2},
    {"min_samples_leaf": 3},
    {"min_samples_split": 6, "min_weight_leaf": 1.5},
    {"min_gain": None},
    {"min_gain": 0.02},
]
DRAWN: list[dict[str, Any]] = [
    {},
    {"max_features": 1},
    {"max_features": 2, "draw": "varying"},
    {"splitter": "random"},
    {"splitter": "random", "max_features": 2},
]
WEIGHTS = ("none", "counts", "quarters", "real")
CATEGORICAL = 3  # columns of a training set with categories; further ones are their subsets


def training_set(seed: int, weights: str, lost: float) -> tuple[Any, Any, int, Any]:
    """Features of few values or of many, labels that follow the first one or none, the number of classes, weights."""
    rng = np.random.default_rng(seed)
    n, d, classes = (int(rng.integers(*ends)) for ends in ((4, 33), (1, 5), (2, 5)))
    x = rng.integers(0, rng.choice([2, 4, 30]), (n, d)).astype([np.float32, np.float64][seed % 2])
    y = rng.integers(0, classes, n) if rng.random() < 0.6 else (x[:, 0] % classes).astype(int)
    x[rng.random(x.shape) < lost] = np.nan
    heavy = {
        "none": None, "counts": rng.integers(1, 4, n) / 1.0, "quarters": rng.integers(1, 9, n) / 4.0,
        "real": (rng.random(n) + 0.1) // 2**-30 * 2**-30,  # all sums are exact
    }[weights]  # fmt: skip
    return x, y, classes, heavy


def growing(seed: int, **more: Any) -> GrowthOptions:
    """How the tree of a seed grows."""
    return GrowthOptions(Stopping(**RULES[seed % len(RULES)]), seed=seed, **{**DRAWN[seed % len(DRAWN)], **more})


def of_classes(number: int, weights: str, lost: float) -> GrownTree:
    x, y, classes, heavy = training_set(number + 1000 * WEIGHTS.index(weights), weights, lost)
    name = list(CRITERIA)[number % len(CRITERIA)]
    if CRITERIA[name].counting and weights not in ("none", "counts"):
        name = "gini"
    more = {"splitter": "best"} if name == "guarded ratio" else {}
    options = growing(number + 1000 * WEIGHTS.index(weights), **more)
    return grow(Training(x, y, classes, heavy), CRITERIA[name], options)


def at_random(seed: int) -> GrownTree:
    x, y, classes, heavy = training_set(seed, WEIGHTS[seed % 2], 0.0)
    counts = None if heavy is None else heavy.astype(int)
    tree = grow_drawn(Ranks.of(x, random=True), y, classes, GINI, growing(seed, splitter="random"), counts)
    assert tree is not None
    return tree


def of_responses(seed: int, error: Any, lost: float) -> GrownTree:
    x, labels, _, weights = training_set(seed, WEIGHTS[seed % 4], lost)
    y = np.round(labels * 0.7 + np.nan_to_num(x[:, 0]), seed % 2) + [0.0, 1e3][seed % 3 == 0]
    return grow_regression(x, y, weights, error, growing(seed))


def set_of_categories(seed: int, response: str) -> tuple[Any, Any, Any, Any]:
    """Two columns of categories beside one of numbers, the numbers of levels, labels or responses, weights."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 40))
    levels = np.array([int(rng.integers(2, 9)), 0, 3])
    x = np.stack([rng.integers(0, levels[0], n), rng.integers(0, 9, n), rng.integers(0, 3, n)], axis=1) * 1.0
    weights = [None, rng.integers(1, 4, n) / 1.0, rng.integers(1, 9, n) / 4.0][seed % 3]
    if response == "numbers":
        return x, levels, (x[:, 0] * 7 % 5 + rng.integers(0, 3, n)) / 2.0, weights
    classes = 2 if response == "two classes" else 3
    return x, levels, (x[:, 0] * 7 % classes + rng.integers(0, 2, n)).astype(int) % classes, weights


def of_categories(seed: int, response: str) -> tuple[GrownTree, Any]:
    x, levels, y, weights = set_of_categories(seed, response)
    recoding = Recoding(levels, 8)
    options = GrowthOptions(Stopping(min_samples_leaf=[1, 3][seed % 2]), recoding=recoding)
    if response == "numbers":
        return grow_regression(x, y, weights, growing=options), recoding.subsets
    classes = 2 if response == "two classes" else 3
    return grow(Training(x, y, classes, weights), GINI, options), recoding.subsets


def of_estimator(seed: int, model: str, factor: float | None) -> Any:
    """The tree of an estimator, by weights that are any numbers for half of the seeds."""
    x, y, _, heavy = training_set(seed, WEIGHTS[seed % 2], 0.25 * (seed % 3 == 0))
    weights = np.random.default_rng(seed).random(len(y)) + 0.1 if seed >= 16 else heavy
    told = {"max_depth": [None, 3][seed % 2], "min_samples_leaf": 1 + seed % 3}
    return getattr(splitcrit, model)(**told).fit(x, y if factor is None else y * factor, sample_weight=weights).tree_


def larger(classes: int, name: str, lost: float) -> GrownTree:
    """A larger fit of a criterion, which has a compiled form or is searched by its formula."""
    rng = np.random.default_rng([classes, list(LARGER).index(name)])
    x = rng.integers(0, 12, (120, 3)).astype(np.float32)
    y = rng.integers(0, classes, 120)
    y[x[:, 1] > 5] = 0
    x[rng.random(x.shape) < lost] = np.nan
    return grow(Training(x, y, classes), LARGER[name], GrowthOptions(Stopping(max_depth=4)))


def fits() -> dict[str, Callable[[], Any]]:
    """The fits by name."""
    made: dict[str, Callable[[], Any]] = {}
    for weights in WEIGHTS:
        for lost in (0.0, 0.25):
            for i in range(30):
                made[f"classes, weights {weights}, missing {lost}, {i}"] = partial(of_classes, i, weights, lost)
    made |= {f"random thresholds, {seed}": partial(at_random, seed) for seed in range(40)}
    for error in ("squared_error", "absolute_error"):
        for lost in (0.0, 0.25):
            for seed in range(32):
                made[f"{error}, missing {lost}, {seed}"] = partial(of_responses, seed, error, lost)
    for response in ("two classes", "three classes", "numbers"):
        made |= {f"categories, {response}, {seed}": partial(of_categories, seed, response) for seed in range(24)}
    for seed in range(32):
        made[f"TreeClassifier, {seed}"] = partial(of_estimator, seed, "TreeClassifier", None)
        made[f"TreeRegressor, {seed}"] = partial(of_estimator, seed, "TreeRegressor", 1.5)
    for name in LARGER:
        for classes in (2, 3, 5):
            for lost in (0.0, 0.1):
                made[f"{name}, {classes} classes, missing {lost}"] = partial(larger, classes, name, lost)
    return made


def of_file(folder: Path, name: str, criterion: Any) -> GrownTree:
    _, x, y, _ = rows_of(folder, name)
    return grow(Training(x.astype(np.float32), y, int(y.max()) + 1), criterion)


def real_fits(folder: Path) -> dict[str, Callable[[], Any]]:
    """The fits on rows of shared files, by name."""
    tried = ("gini", "entropy", "misclassification", "sqrt_gini", "matushita")
    return {f"{name}, {by}": partial(of_file, folder, name, LARGER[by]) for name in SETS for by in tried}


def digest(tree: Any) -> tuple[int, str]:
    """The number of nodes of a tree, and a digest of its features, the bits of its thresholds, and children.

    Of a leaf neither feature nor threshold counts. A division of categories counts by its levels, not by the number
    of its column.
    """
    tree, subsets = tree if isinstance(tree, tuple) else (tree, None)
    left, right = (
        np.asarray(getattr(tree, a if hasattr(tree, a) else b), np.int64)
        for a, b in (("left", "children_left"), ("right", "children_right"))
    )
    inner = np.flatnonzero(left >= 0)
    features: list[Any] = np.asarray(tree.feature)[inner].tolist()
    if subsets is not None:
        levels = [
            (subset.feature, *(tuple(map(int, side)) for side in (subset.left, subset.right))) for subset in subsets
        ]
        features = [f if f < CATEGORICAL else levels[f - CATEGORICAL] for f in features]
    bits = np.asarray(tree.threshold, "<f8")[inner] + 0.0  # -0.0 is 0.0
    found = sha256(repr((features, inner.tolist(), left[inner].tolist(), right[inner].tolist())).encode())
    found.update(bits.tobytes())
    return len(left), found.hexdigest()[:16]
