"""Table 9 of wang2024: features in intervals by ChiMerge, then bags of 21 multiway trees.

The paper's features are those of images of STL-10 and ImageNet-10 in a pretrained network, and come with neither. The
same pipeline runs here on scikit-learn's digits, on the folder of data sets, and on any file ``NAME.npz`` with arrays
``X`` and ``y``. Printed cells are of other data: directions of differences can be compared, not their size.

Main definitions: ``EXPERIMENTS`` (``table9``), ``Bag``, ``AT_HAND``.
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

from splitcrit.frozen import complaint
from splitcrit.trees import MultiwayTreeClassifier, TreeClassifier, accuracy, pure_accuracy

from ..results import Row, save_summary
from ..runner import Experiment, Options, Task, seed_of
from ..tables import averaged
from .design import data_of, intervals_of
from .methods import MIN_GAIN, NodeAIR

Array = NDArray[Any]
METHODS = ("Gini", "AIR", "AGini", "SGini", "binary cuts")  # the last, not in the paper: Gini, on the features as such
CRITERIA: dict[str, Any] = {
    "Gini": "gini",
    "AIR": NodeAIR(),
    "AGini": "agini",
    "SGini": "sgini",
    "binary cuts": None,
}
MEASURES = ("accuracy", "pure accuracy", "average node", "depth", "seconds")
AT_HAND = (
    "zoo", "fourclass", "glass", "bupa_liver", "balance_scale", "heart_statlog", "promoters", "diabetes",
    "breast_cancer_wisconsin", "australian", "vowel", "ionosphere", "sonar", "vehicle", "german_credit", "libras",
    "segment", "cardiotocography10", "winequality_white", "musk1", "waveform_v1", "digits", "pendigits", "mushrooms",
    "magic_gamma", "splice", "satimage", "spambase", "letter", "phishing", "shuttle", "dna", "usps", "a9a",
    "mnist_test10k",
)  # fmt: skip
"""From the fewest cells to the most; of data in two codings one."""
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
        return MultiwayTreeClassifier(
            criterion=self.criterion, minnum=MINNUM, min_gain=MIN_GAIN, categorical_features=every
        )

    def predict(self, x: Array) -> Array:
        """The class of each row."""
        votes = np.zeros((len(x), len(self.classes)), dtype=np.int64)
        for tree in self.trees:
            votes[np.arange(len(x)), tree.predict(x)] += 1
        return np.asarray(self.classes[votes.argmax(axis=1)])


def features_of(name: str, options: Options) -> tuple[Array, Array]:
    """The features and classes of a set, or of a file ``NAME.npz``; a missing value is one below all others.

    Raises
    ------
    ValueError
        If the file has no arrays ``X`` and ``y``.
    """
    if not name.endswith(".npz"):
        x, y = data_of(name, options)
        return np.where(np.isnan(x), np.nanmin(x, axis=0) - 1, x), y
    with np.load(Path(name), allow_pickle=False) as arrays:
        if missing := sorted({"X", "y"} - set(arrays.files)):
            rule = f"{name} holds the arrays X (n, d) and y (n,)"
            raise ValueError(complaint(rule, f"no {', '.join(missing)}", "numpy.savez(path, X=..., y=...)"))
        return arrays["X"], arrays["y"]


def sizes_of(tree: Any) -> tuple[int, int]:
    """How many nodes of a tree branch, and how many it has."""
    binary = hasattr(tree, "children_left")
    inner = tree.children_left >= 0 if binary else tree.inner
    return int(np.sum(inner)), len(inner)


def _tasks(options: Options) -> list[Task]:
    runs, trees = options.runs(RUNS), 3 if options.quick else TREES
    sets = options.chosen(AT_HAND, ("wine",))
    return [{"set": name, "run": run, "trees": trees} for run in range(runs) for name in sets]


def _work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """The measures of a bag of each method; rows, intervals and samples are the same for all."""
    x, y = features_of(task["set"], options)
    shared = seed_of(options.seed, "table9", task["set"], task["run"])
    train, test, labels, truth = train_test_split(x, y, test_size=TEST, stratify=y, random_state=shared)
    bins = intervals_of(x.shape[1], LEAST, MOST, np.random.default_rng(shared)).fit(train, labels)
    coded, unseen = bins.transform(train), bins.transform(test)
    rows = []
    for method in METHODS:
        mine, others = (train, test) if method == METHODS[-1] else (coded, unseen)
        Bag(CRITERIA[method], 1, shared).fit(mine[:50], labels[:50])  # loops are compiled before a clock runs
        start = time.perf_counter()
        bag = Bag(CRITERIA[method], task["trees"], shared).fit(mine, labels)
        seconds = time.perf_counter() - start
        guess = bag.predict(others)
        inner, nodes = np.mean([sizes_of(tree.tree_) for tree in bag.trees], axis=0).tolist()
        depth = float(np.mean([tree.get_depth() for tree in bag.trees]))
        values = (accuracy(truth, guess), pure_accuracy(truth, guess), nodes, depth, seconds)
        rows.append({"method": method, **dict(zip(MEASURES, values, strict=True)), "inner nodes": inner})
    return rows


def means_of(rows: list[Row]) -> list[Row]:
    """The mean of each measure over the runs of a set and method, with its deviation."""
    return averaged(rows, ("set", "method"), MEASURES, {f"{measure} sd": measure for measure in MEASURES})


def _said(rows: list[Row], options: Options) -> str:
    """Write the means, and return on how many sets SGini's is the best of the four methods of the paper."""
    means = means_of(rows)
    save_summary(means, options.out / "table9_means.csv", ".6g")
    at = {(row["set"], row["method"]): row["accuracy"] for row in means}
    sets = list(dict.fromkeys(row["set"] for row in means))
    best = sum(at[s, "SGini"] == max(at[s, m] for m in METHODS[:-1]) for s in sets)
    return f"accuracy of bags: SGini has the best mean of {', '.join(METHODS[:-1])} on {best} of {len(sets)} sets"


TABLE9 = Experiment(
    "table9",
    "ChiMerge, then bags of 21 multiway trees, on every set at hand or a file of features",
    ("set", "run", "trees"),
    _tasks,
    _work,
    _said,
    (
        ("minnum", MINNUM),
        ("test share", TEST),
        ("intervals", (LEAST, MOST)),
        ("vote", "one a tree"),
        ("air", "as in Table 5"),
        ("least score of a split", "none"),
    ),
)
EXPERIMENTS = (TABLE9,)
