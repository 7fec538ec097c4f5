"""Appendix K of wilton2024: trees and forests on features that a network has learnt.

The paper's features, of a VGG11 trained on CIFAR-10, cannot be had. Here they are of scikit-learn's digits: a third of
the rows, with true labels, trains a small network (or principal components); the others are written in its hidden
layer, or stay as they are. ``--sets FILE.npz`` runs the same on any learnt features: arrays ``X`` and ``y``, classes
being integers from 0.

Main definitions: ``FEATURES``.
"""

from __future__ import annotations

import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

from splitcrit.frozen import complaint

from ..results import Row
from ..runner import Experiment, Options, Task, seed_of
from ..trials import Trial, channel_of
from . import learners
from .finishing import finish_features
from .learners import learnt, methods
from .problems import UNIFORM

Array = NDArray[Any]
RUNS = 5
HIDDEN = 32
KEYS = ("data", "model", "noise", "method", "run")
SETS = ("digits, pixels", "digits, components", "digits, hidden layer")


def tasks(options: Options) -> list[Task]:
    """List the tasks, run by run."""
    return [
        {"data": data, "model": model, "noise": noise, "method": method, "run": run}
        for run in range(options.runs(RUNS))
        for data in options.chosen(SETS, SETS[2:])
        for model in learners.MODELS
        for noise in (("0", "40") if options.quick else UNIFORM)
        for method in methods("multiclass")
    ]


@lru_cache(maxsize=8)
def written(name: str) -> tuple[Array, Array]:
    """Features and classes of one of ``SETS``, or of a file.

    Raises
    ------
    ValueError
        If a file lacks ``X`` or ``y``, or they do not fit, or the classes are not integers from 0.
    """
    return _digits(name) if name in SETS else _file(Path(name))


def _digits(name: str) -> tuple[Array, Array]:
    X, y = load_digits(return_X_y=True)
    first, rest = train_test_split(np.arange(len(y)), train_size=1 / 3, random_state=0)
    if name == SETS[0]:
        return X[rest], y[rest]
    if name == SETS[1]:
        return PCA(HIDDEN, random_state=0).fit(X[first]).transform(X[rest]), y[rest]
    network = MLPClassifier((HIDDEN,), max_iter=300, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        network.fit(X[first] / 16, y[first])
    return np.maximum(X[rest] / 16 @ network.coefs_[0] + network.intercepts_[0], 0), y[rest]


def _file(path: Path) -> tuple[Array, Array]:
    rule = "learnt features are an .npz file with an array X (n, d) of numbers and an array y (n,) of classes from 0"
    if path.suffix != ".npz" or not path.is_file():
        raise ValueError(complaint(rule, f"{path}", f"pass such a file, or one of {', '.join(SETS)}"))
    with np.load(path, allow_pickle=False) as arrays:
        if not {"X", "y"} <= set(arrays.files):
            raise ValueError(complaint(rule, f"arrays {arrays.files} in {path}", "np.savez(path, X=..., y=...)"))
        X, y = arrays["X"], arrays["y"]
    known = np.unique(y)
    fits = X.ndim == 2 and y.shape == X.shape[:1] and np.issubdtype(y.dtype, np.integer)
    if not fits or not np.array_equal(known, np.arange(len(known))):
        got = f"X of shape {X.shape}, y of shape {y.shape}, type {y.dtype} and {len(known)} values"
        raise ValueError(complaint(rule, got, "np.savez(path, X=..., y=...)"))
    return X, y


def work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """Learn from noisy labels of four fifths of the rows, and measure on true labels of the others."""
    X, y = written(task["data"])
    train, test = train_test_split(np.arange(len(y)), train_size=0.8, random_state=0)
    flips = seed_of(options.seed, "noise", Path(task["data"]).name, task["run"], task["noise"])
    one = Trial(X, y, (train, test), channel=channel_of(task["noise"]), rng=np.random.default_rng(flips))
    seed = seed_of(options.seed, "learner", task["run"]) % 2**31
    model = learnt(task["method"], task["model"], one, seed, 5 if options.quick else learners.TREES)
    return [model.about(one) | {"train": len(train), "test": len(test), "flipped": one.flipped, "learner_seed": seed}]


FEATURES = Experiment(
    "features", "trees and forests on features that a network has learnt (Appendix K)", KEYS, tasks, work,
    finish_features, (("hidden", HIDDEN), ("trees", learners.TREES)),
)  # fmt: skip
