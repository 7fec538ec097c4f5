"""Section 3.1 of wang2024: with one criterion, binary cuts, intervals made once, or clusters found at every node.

The paper argues that a search of the best cut costs too much time; that intervals made beforehand give wide, shallow
trees that generalise less; and that clusters found at each node avoid both. The three trees here share the criterion,
the smallest node that is divided, the rows and the rule to stop when no score is above chance. The paper names no
linkage: ``clusters`` are those of single linkage, ``complete`` and ``average`` those of the others.

Main definitions: ``EXPERIMENTS`` (``design``), ``intervals_of``, ``claims``.
Source: wang2024, Section 3.1.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from splitcrit.trees import ChiMerge, MultiwayTreeClassifier, TreeClassifier, accuracy, nodes_per_layer, pure_accuracy
from splitcrit.trees.multiway.hierarchy import Linkage

from ..datasets import load
from ..results import Row
from ..runner import Experiment, Options, Task

Array = NDArray[Any]
SETS = ("bupa_liver", "libras", "musk1", "vehicle", "segment", "spambase", "waveform_v1")  # continuous ones of Table 4
QUICK = ("wine", "iris")  # scikit-learn's own, for a run without a folder of data
CRITERIA = ("gini", "sgini")
LINKAGES: dict[str, Linkage] = {"clusters": "single", "complete": "complete", "average": "average"}
METHODS = ("binary", "intervals", *LINKAGES)
MEASURES = ("accuracy", "pure accuracy", "depth", "nodes per layer", "inner nodes", "seconds")
CLAIMS = (  # what is said of the first method and the second: a measure, and the sign of the difference
    ("faster", "seconds", "intervals", "binary", -1),
    ("faster", "seconds", "clusters", "binary", -1),
    ("shallower", "depth", "intervals", "clusters", -1),
    ("wider", "nodes per layer", "intervals", "clusters", 1),
    ("more accurate", "accuracy", "clusters", "intervals", 1),
    ("more accurate", "accuracy", "clusters", "binary", 1),
    ("more accurate", "accuracy", "complete", "clusters", 1),
    ("more accurate", "accuracy", "average", "clusters", 1),
    ("more accurate", "accuracy", "complete", "binary", 1),
    ("more accurate", "accuracy", "average", "binary", 1),
)
SPLITS, TEST, MINNUM, MOST = 10, 0.3, 5, 50


def data_of(name: str, options: Options) -> tuple[Array, Array]:
    """Features and classes: of scikit-learn's own sets by name, of others from the folder of data sets."""
    from sklearn.datasets import load_digits, load_iris, load_wine

    own = {"wine": load_wine, "iris": load_iris, "digits": load_digits}
    if name in own:
        x, y = own[name](return_X_y=True)
        return np.asarray(x), np.asarray(y)
    data = load(name, options.data)
    return data.X, data.y


def intervals_of(features: int, least: int, most: int, rng: np.random.Generator) -> ChiMerge:
    """ChiMerge down to a number of intervals drawn for each feature, from least to most."""
    return ChiMerge(None, max_intervals=rng.integers(least, most + 1, features))


def tree_of(method: str, criterion: Any, features: int, rng: np.random.Generator) -> BaseEstimator:
    """What is fitted: a tree, or ChiMerge before a tree."""
    if method == "binary":
        return TreeClassifier(criterion=criterion, min_samples_split=max(MINNUM, 2), random_state=0)
    if method in LINKAGES:
        return MultiwayTreeClassifier(criterion=criterion, minnum=MINNUM, linkage=LINKAGES[method])
    by_values = MultiwayTreeClassifier(criterion=criterion, minnum=MINNUM, d_num=MOST)
    return make_pipeline(intervals_of(features, 2, MOST, rng), by_values)


def _tasks(options: Options) -> list[Task]:
    splits = options.runs(SPLITS, quick=2)
    return [{"set": name, "split": split} for name in options.chosen(SETS, QUICK) for split in range(splits)]


def _work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """The measures of every method under every criterion, on one split."""
    x, y = data_of(task["set"], options)
    drawn = int(rng.integers(2**31))
    split = train_test_split(x, y, test_size=TEST, stratify=y, random_state=drawn)
    every = [(criterion, method) for criterion in CRITERIA for method in METHODS]
    for criterion, method in every:  # loops are compiled before a clock runs
        _measured(method, criterion, [part[:50] for part in split], drawn)
    return [{"criterion": c, "method": m, **_measured(m, c, split, drawn)} for c, m in every]


def _measured(method: str, criterion: str, split: Any, seed: int) -> Row:
    train, test, labels, truth = split
    fitted = tree_of(method, criterion, train.shape[1], np.random.default_rng(seed))
    start = time.perf_counter()
    fitted.fit(train, labels)
    seconds = time.perf_counter() - start
    tree, guess = fitted[-1] if method == "intervals" else fitted, fitted.predict(test)
    depth, wide = int(tree.get_depth()), nodes_per_layer(tree)
    values = (accuracy(truth, guess), pure_accuracy(truth, guess), depth, wide, round(wide * depth), seconds)
    return dict(zip(MEASURES, values, strict=True))


def means(rows: list[Row], measures: tuple[str, ...], group: str, method: Any) -> dict[str, Any]:
    """``means[measure][group][method]`` over the rows."""
    groups, methods = list(dict.fromkeys(r[group] for r in rows)), list(dict.fromkeys(method(r) for r in rows))
    return {
        measure: {
            g: {m: float(np.mean([r[measure] for r in rows if r[group] == g and method(r) == m])) for m in methods}
            for g in groups
        }
        for measure in measures
    }


def named(row: Row) -> str:
    """The method of a row with its criterion."""
    return f"{row['method']}, {row['criterion']}"


def claims(means_by_measure: dict[str, Any]) -> list[Row]:
    """On how many sets what Section 3.1 expects is so, under each criterion, in the means."""
    lines = []
    for claim, measure, first, second, sign in CLAIMS:
        groups = means_by_measure[measure].values()
        for c in CRITERIA:
            apart = [sign * (of[f"{first}, {c}"] - of[f"{second}, {c}"]) for of in groups]
            about = {"first": first, "claim": claim, "second": second, "criterion": c}
            lines.append(about | {"on": sum(x > 0 for x in apart), "sets": len(apart)})
    return lines


def _said(rows: list[Row], options: Options) -> str:
    """On how many sets each claim of Section 3.1 is so."""
    line = "{first} {claim} than {second} ({criterion}): {on} of {sets} sets"
    return "\n".join(line.format(**claim) for claim in claims(means(rows, MEASURES, "set", named)))


DESIGN = Experiment(
    "design",
    "binary best cuts, ChiMerge once, or clusters at every node, under one criterion",
    ("set", "split"),
    _tasks,
    _work,
    _said,
    (
        ("minnum", MINNUM),
        ("test share", TEST),
        ("intervals", (2, MOST)),
        ("discretised", "on training rows"),
        ("methods", METHODS),
    ),
)
EXPERIMENTS = (DESIGN,)
