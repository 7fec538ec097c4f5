"""Table 9 of wang2024: features in intervals by ChiMerge, then bags of 21 multiway trees.

The paper's features are those of images of STL-10 and ImageNet-10 in a pretrained network, and come with neither. The
same pipeline runs here on scikit-learn's digits, and on any file ``NAME.npz`` with arrays ``X`` and ``y``. Printed
cells stand beside ours for the direction of differences, not for their size: the data are others.

Main definitions: ``EXPERIMENTS`` (``table9``), ``Bag``.
Source: wang2024, Section 5.5 and Table 9.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from splitcrit.estimators import TreeClassifier
from splitcrit.experiments.pictures import saved, told
from splitcrit.experiments.printed import printed
from splitcrit.experiments.results import Row
from splitcrit.experiments.runner import Experiment, Options, Task, seed_of
from splitcrit.experiments.wang2024.design import data_of, intervals_of, means
from splitcrit.importance import MEASURES as IMPORTANCES
from splitcrit.metrics import accuracy, pure_accuracy
from splitcrit.multiway import MultiwayTreeClassifier
from splitcrit.plots.wang2024 import measure_panels
from splitcrit.values import complaint

Array = NDArray[Any]
METHODS = ("Gini", "AIR", "AGini", "SGini", "binary cuts")  # the last, not in the paper: Gini, on the features as such
CRITERIA: dict[str, Any] = {
    "Gini": "gini",
    "AIR": IMPORTANCES["air"],
    "AGini": "agini",
    "SGini": "sgini",
    "binary cuts": None,
}
MEASURES = ("accuracy", "pure accuracy", "average node", "depth", "seconds")
RUNS, TREES, MINNUM, TEST = 5, 21, 5, 0.3
LEAST, MOST = 2, 10  # intervals of a feature, as for STL-10


@dataclass
class Bag:
    """Trees grown on bootstrap samples; the class is that of most trees, of equal ones the first.

    Parameters
    ----------
    criterion : as of `MultiwayTreeClassifier`, or None
        None stands for binary trees by the Gini gain.
    size : int
    seed : int
        Of the bootstrap samples.
    """

    criterion: Any
    size: int
    seed: int
    trees: list[Any] = field(default_factory=list)

    def fit(self, x: Array, y: Array) -> Bag:
        """Grow the trees, every feature by its values."""
        rng = np.random.default_rng(self.seed)
        self.classes, codes = np.unique(y, return_inverse=True)
        for _ in range(self.size):
            drawn = rng.integers(0, len(x), len(x))
            self.trees.append(self._tree(x.shape[1]).fit(x[drawn], codes[drawn]))
        return self

    def _tree(self, features: int) -> Any:
        if self.criterion is None:
            return TreeClassifier(min_samples_split=MINNUM, random_state=0)
        every = np.ones(features, dtype=bool)
        return MultiwayTreeClassifier(criterion=self.criterion, minnum=MINNUM, categorical_features=every)

    def predict(self, x: Array) -> Array:
        """Return the class of each row."""
        votes = np.zeros((len(x), len(self.classes)), dtype=np.int64)
        for tree in self.trees:
            votes[np.arange(len(x)), tree.predict(x)] += 1
        return np.asarray(self.classes[votes.argmax(axis=1)])


def features_of(name: str, options: Options) -> tuple[Array, Array]:
    """Return the features and classes of a set, or of a file ``NAME.npz``.

    Raises
    ------
    ValueError
        If the file has no arrays ``X`` and ``y``.
    """
    if not name.endswith(".npz"):
        return data_of(name, options)
    with np.load(Path(name), allow_pickle=False) as arrays:
        if missing := sorted({"X", "y"} - set(arrays.files)):
            rule = f"{name} holds the arrays X (n, d) and y (n,)"
            raise ValueError(complaint(rule, f"no {', '.join(missing)}", "numpy.savez(path, X=..., y=...)"))
        return arrays["X"], arrays["y"]


def sizes_of(tree: Any) -> tuple[int, int]:
    """Return how many nodes of a tree branch, and how many it has."""
    binary = hasattr(tree, "children_left")
    inner = tree.children_left >= 0 if binary else tree.inner
    return int(np.sum(inner)), len(inner)


def _tasks(options: Options) -> list[Task]:
    runs, trees = options.runs(RUNS), 3 if options.quick else TREES
    sets = options.chosen(("digits",), ("wine",))
    return [
        {"set": name, "run": run, "trees": trees, "method": method}
        for run in range(runs)
        for name in sets
        for method in METHODS
    ]


def _work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """Return the five measures of one bag; rows, intervals and samples are the same for every method of a run."""
    x, y = features_of(task["set"], options)
    shared = seed_of(options.seed, "table9", task["set"], task["run"])
    train, test, labels, truth = train_test_split(x, y, test_size=TEST, stratify=y, random_state=shared)
    bins = intervals_of(x.shape[1], LEAST, MOST, np.random.default_rng(shared)).fit(train, labels)
    coded, unseen = (train, test) if task["method"] == METHODS[-1] else (bins.transform(train), bins.transform(test))
    Bag(CRITERIA[task["method"]], 1, shared).fit(coded[:50], labels[:50])  # loops are compiled before a clock runs
    start = time.perf_counter()
    bag = Bag(CRITERIA[task["method"]], task["trees"], shared).fit(coded, labels)
    seconds = time.perf_counter() - start
    guess = bag.predict(unseen)
    inner, nodes = np.mean([sizes_of(tree.tree_) for tree in bag.trees], axis=0).tolist()
    depth = float(np.mean([tree.get_depth() for tree in bag.trees]))
    values = (accuracy(truth, guess), pure_accuracy(truth, guess), nodes, depth, seconds)
    return [{**dict(zip(MEASURES, values, strict=True)), "inner nodes": inner}]


def _said(rows: list[Row], options: Options) -> str:
    """Return means and deviations over runs beside the printed ones of other data, and draw the means."""
    shown: dict[tuple[str, str, str], str] = {
        (r["measure"], r["set"], r["method"]): f"{float(r['mean']):.4g} ± {float(r['sd']):.2g}"
        for r in printed("wang2024_table9")
    }
    lines = ["printed sets are other data: compare directions, not sizes"]
    for measure in MEASURES:
        lines.append(f"{measure:20}" + "".join(f"{method:>20}" for method in METHODS))
        for name in dict.fromkeys(row["set"] for row in rows):
            cells = (_cell([r[measure] for r in rows if r["set"] == name and r["method"] == m]) for m in METHODS)
            lines.append(f"  ours, {Path(name).stem:12}" + "".join(f"{cell:>20}" for cell in cells))
        for name in dict.fromkeys(key[1] for key in shown):
            cells = (shown.get((measure, name, method), "") for method in METHODS)
            lines.append(f"  printed, {name:9}" + "".join(f"{cell:>20}" for cell in cells))
    drawn = measure_panels(means(rows, MEASURES, "set", lambda row: row["method"]), logarithmic=("seconds",))
    saved(drawn, options, "table9")
    return told(lines, options, "table9")


def _cell(values: list[float]) -> str:
    if not values:
        return "not run"
    return f"{np.mean(values):.4g} ± {np.std(values, ddof=1) if len(values) > 1 else 0.0:.2g}"


TABLE9 = Experiment(
    "table9",
    "ChiMerge, then bags of 21 multiway trees, on digits or a file of features",
    ("set", "run", "trees", "method"),
    _tasks,
    _work,
    _said,
    (("minnum", MINNUM), ("test share", TEST), ("intervals", (LEAST, MOST)), ("vote", "one a tree")),
)
EXPERIMENTS = (TABLE9,)
