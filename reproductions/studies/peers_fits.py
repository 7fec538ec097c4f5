"""How each library is asked for the same tree or forest: two classes, exact or binned features, one thread.

Every one gets the same depth, at most ``2 ** depth`` leaves, the same number of trees and of features a node, no lower
bound on leaves, no penalty and no pruning. A library is imported only when it is asked for.

Main definitions: ``Task``, ``Fit``, ``Peer``, ``PEERS``, ``FLOOR``.
"""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

Data = tuple[np.ndarray, np.ndarray]
RANGER = Path(__file__).with_name("peers_ranger.R")
MOST_LEAVES = 2**17  # LightGBM's limit


class Task(NamedTuple):
    """What to grow: how many trees, how deep (None: until pure), how many features a node tries (None: all; a tree)."""

    trees: int = 1
    depth: int | None = 8
    features: int | None = None
    seed: int = 0

    @property
    def forest(self) -> bool:
        return self.features is not None


class Fit(NamedTuple):
    """Seconds, seconds of processor time, share of held-out rows that are predicted right, leaves a tree."""

    seconds: float
    processor: float
    accuracy: float
    leaves: float


class Model(NamedTuple):
    """A grown model: from features to classes, and how many leaves it has in all."""

    predict: Callable[[np.ndarray], np.ndarray]
    leaves: Callable[[], int]


Grow = Callable[[Task, np.ndarray, np.ndarray], Model]


@dataclass(frozen=True)
class Peer:
    """A library: its name, what asks for its version or raises, how to install it, and how to fit it."""

    name: str
    version: Callable[[], str]
    install: str
    fit: Callable[[Task, Data, Data], Fit]

    def absent(self) -> str:
        """Why the library cannot be measured, nothing if it can."""
        try:
            self.version()
        except ModuleNotFoundError as error:
            return f"skipped: {error.name} is not installed ({self.install})"
        except Exception as error:  # whatever a package of another build raises when it is imported
            return f"skipped: {type(error).__name__}: {str(error).splitlines()[0]}"
        return ""


def timed(grow: Grow) -> Callable[[Task, Data, Data], Fit]:
    """A fit that times only the growing, from arrays in memory to the model."""

    def fit(task: Task, train: Data, test: Data) -> Fit:
        start, busy = time.perf_counter(), time.process_time()
        model = grow(task, *train)
        seconds, processor = time.perf_counter() - start, time.process_time() - busy
        right = float((np.asarray(model.predict(test[0])) == test[1]).mean())
        return Fit(seconds, processor, right, model.leaves() / task.trees)

    return fit


def package(name: str, module: str, grow: Grow, project: str | None = None) -> Peer:
    """A peer that is a Python package, of a project that may have another name."""
    project = project or module

    def version() -> str:
        importlib.import_module(module)
        projects = importlib.metadata.packages_distributions().get(module, [project])  # xgboost-cpu is xgboost, too
        return importlib.metadata.version(project if project in projects else projects[0])

    return Peer(name, version, f"pip install {project}", timed(grow))


def grown(kinds: tuple[Any, Any], task: Task, x: np.ndarray, y: np.ndarray, **options: Any) -> Model:
    """Grow a tree or a forest that has scikit-learn's interface."""
    tree, forest = kinds
    if not task.forest:
        one = tree(max_depth=task.depth, random_state=task.seed, **options).fit(x, y)
        return Model(one.predict, one.get_n_leaves)
    shape = {"max_depth": task.depth, "max_features": task.features, "n_jobs": 1, "random_state": task.seed}
    many = forest(task.trees, **shape, **options).fit(x, y)
    return Model(many.predict, lambda: sum(each.get_n_leaves() for each in many.estimators_))


def ours(task: Task, x: np.ndarray, y: np.ndarray) -> Model:
    from splitcrit import ForestClassifier, TreeClassifier

    return grown((TreeClassifier, ForestClassifier), task, x, y, min_gain=None)


def sklearn(task: Task, x: np.ndarray, y: np.ndarray) -> Model:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    return grown((DecisionTreeClassifier, RandomForestClassifier), task, x, y)


def treeple(task: Task, x: np.ndarray, y: np.ndarray) -> Model:
    from treeple import RandomForestClassifier
    from treeple.tree import DecisionTreeClassifier

    return grown((DecisionTreeClassifier, RandomForestClassifier), task, x, y)


def lightgbm(task: Task, x: np.ndarray, y: np.ndarray) -> Model:
    """Boost one tree at learning rate 1, or grow a random forest, on histograms of 255 bins."""
    from lightgbm import LGBMClassifier

    leaves = min(len(x), MOST_LEAVES if task.depth is None else 2**task.depth)
    options = {"num_leaves": leaves, "max_depth": task.depth or -1, "min_child_samples": 1, "min_child_weight": 0}
    options |= {"random_state": task.seed, "n_jobs": 1, "force_col_wise": True, "verbosity": -1}
    if task.forest:
        share = task.features / x.shape[1]
        options |= {"boosting_type": "rf", "subsample": 0.632, "subsample_freq": 1, "feature_fraction_bynode": share}
    model = LGBMClassifier(n_estimators=task.trees, learning_rate=1.0, **options).fit(x, y)
    return Model(model.predict, lambda: sum(tree["num_leaves"] for tree in model.booster_.dump_model()["tree_info"]))


def xgboost(task: Task, x: np.ndarray, y: np.ndarray) -> Model:
    """Boost one tree at learning rate 1, or grow a random forest, on histograms of 256 bins."""
    from xgboost import XGBClassifier, XGBRFClassifier

    options = {"max_depth": task.depth or 0, "min_child_weight": 0, "reg_lambda": 0, "base_score": 0.5}
    options |= {"tree_method": "hist", "random_state": task.seed, "n_jobs": 1}
    if task.forest:
        options |= {"subsample": 0.632, "colsample_bynode": task.features / x.shape[1]}
    kind = XGBRFClassifier if task.forest else XGBClassifier
    model = kind(n_estimators=task.trees, learning_rate=1.0, **options).fit(x, y)
    return Model(model.predict, lambda: sum(tree.count("leaf=") for tree in model.get_booster().get_dump()))


def ydf(task: Task, x: np.ndarray, y: np.ndarray) -> Model:
    """Grow a tree without pruning or a random forest; its depth counts nodes, not splits."""
    import ydf

    ydf.verbose(0)
    options = {"max_depth": -1 if task.depth is None else task.depth + 1, "min_examples": 1}
    options |= {"label": "y", "num_threads": 1, "random_seed": task.seed}
    if task.forest:
        options |= {"num_trees": task.trees, "num_candidate_attributes": task.features, "winner_take_all": False}
        learner = ydf.RandomForestLearner(compute_oob_performances=False, **options)
    else:
        learner = ydf.CartLearner(validation_ratio=0.0, **options)
    model = learner.train({"x": x, "y": y})
    return Model(lambda x: np.asarray(model.predict({"x": x})) > 0.5, lambda: (model.num_nodes() + task.trees) // 2)


def floor(task: Task, x: np.ndarray, y: np.ndarray) -> Model:
    """Sort each column once, values and order: what an exact search cannot do without."""
    from splitcrit.trees.scan.column_loops import sort_columns

    columns = np.ascontiguousarray(x.T)
    sort_columns(columns, y, 1, np.empty(columns.shape, np.uint32))
    return Model(lambda x: np.full(len(x), -1), lambda: 0)


def ranger_version() -> str:
    if shutil.which("Rscript") is None:
        raise ModuleNotFoundError(name="Rscript")
    asked = ["Rscript", "-e", 'cat(as.character(packageVersion("ranger")))']
    answer = subprocess.run(asked, capture_output=True, text=True)
    if answer.returncode:
        raise ModuleNotFoundError(name="R's package ranger")
    return answer.stdout


def ranger(task: Task, train: Data, test: Data) -> Fit:
    """Fit in a process of R's, which reads the values from a file and times ranger alone."""
    n, d = train[0].shape
    with tempfile.TemporaryDirectory() as folder:
        values = Path(folder, "values")
        x, y = (np.concatenate(parts) for parts in zip(train, test, strict=True))
        values.write_bytes(np.concatenate([x.T.ravel(), y]).astype(np.float32).tobytes())
        asked = [values, len(y), n, d, task.trees, task.depth or 0, task.features or d, int(task.forest), task.seed]
        answer = subprocess.run(["Rscript", RANGER, *map(str, asked)], check=True, capture_output=True, text=True)
    return Fit(*map(float, answer.stdout.splitlines()[-1].split()))


PEERS = (
    package("splitcrit", "splitcrit", ours),
    package("scikit-learn", "sklearn", sklearn, "scikit-learn"),
    Peer("ranger", ranger_version, "apt-get install r-cran-ranger", ranger),
    package("YDF", "ydf", ydf),
    package("LightGBM", "lightgbm", lightgbm),
    package("XGBoost hist", "xgboost", xgboost),
    package("treeple", "treeple", treeple),
)
FLOOR = package("radix argsort of all columns", "splitcrit", floor)
