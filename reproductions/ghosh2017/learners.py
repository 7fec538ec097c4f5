"""What ghosh2017 compares: trees, forests and support vector machines.

Beside them stand the larger class, which needs no features, and trees whose smallest leaf is chosen on validation data:
the paper says that leaves were "restricted" to a size, which may mean either.

Main definitions: ``METHODS``, ``fitted``, ``tuned_machine``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from splitcrit.trees import ForestClassifier, TreeClassifier
from splitcrit.trees.estimators.criterion_argument import CriterionName

Array = NDArray[Any]
Predict = Callable[[Array], Any]
TREES: dict[str, CriterionName] = {"Gini": "gini", "Twoing": "twoing", "Misclassification": "misclassification"}
METHODS = (*TREES, "Gini tuned", "RF", "constant", "SVM")  # the slow one last
TIMES = (1, 2, 4, 8, 16)  # the smallest leaf of a tuned tree, in that of the others
ROWS = 2000  # of training, and of validation, that a support vector machine sees
C = (0.01, 0.3, 10.0, 500.0)
GAMMA = (0.001, 0.01, 0.1, 1.0, 10.0)
ITERATIONS = 20_000


def fitted(method: str, X: Array, y: Array, train: int, leaf: int, kernel: str, seed: int) -> Predict:
    """The prediction of a method learnt from the first ``train`` rows; the others are for validation."""
    predict: Predict
    if method == "SVM":
        predict = tuned_machine(X, y, train, kernel).predict
    elif method == "Gini tuned":
        predict = _tuned_tree(X, y, train, leaf, seed).predict
    else:
        model = DummyClassifier() if method == "constant" else grown(method, leaf, seed)
        predict = model.fit(X[:train], y[:train]).predict
    return predict


def grown(method: str, leaf: int, seed: int) -> Any:
    """A tree or a forest of 100, split whatever the gain as in scikit-learn, which the paper used."""
    if method == "RF":
        return ForestClassifier(n_estimators=100, min_samples_leaf=leaf, min_gain=None, random_state=seed)
    return TreeClassifier(criterion=TREES[method], min_samples_leaf=leaf, min_gain=None, random_state=seed)


def _tuned_tree(X: Array, y: Array, train: int, leaf: int, seed: int) -> Any:
    """The tree, of five sizes of the smallest leaf, that agrees best with noisy validation labels."""
    trees = [grown("Gini", times * leaf, seed).fit(X[:train], y[:train]) for times in TIMES]
    return max(trees, key=lambda tree: tree.score(X[train:], y[train:]))


def tuned_machine(X: Array, y: Array, train: int, kernel: str, *, most: int = ROWS, scaled: bool = True) -> Pipeline:
    """The machine of the grid that agrees best with noisy validation labels; the first among equals.

    It sees ``most`` training rows and as many for validation, at most; features have mean 0 and variance 1 if scaled.
    """
    validation = slice(train, train + most)
    train = min(train, most)
    grid = product(C, GAMMA if kernel == "gaussian" else (1.0,))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        machines = [_machine(kernel, c, gamma, scaled).fit(X[:train], y[:train]) for c, gamma in grid]
    agreed = [machine.score(X[validation], y[validation]) for machine in machines]
    return machines[int(np.argmax(agreed))]


def _machine(kernel: str, c: float, gamma: float, scaled: bool) -> Pipeline:
    """A machine whose libsvm stops after ``ITERATIONS``."""
    names = {"gaussian": "rbf", "quadratic": "poly", "linear": "linear"}
    machine = SVC(
        C=c, kernel=names[kernel], gamma=gamma, degree=2, coef0=1.0, max_iter=ITERATIONS, cache_size=300
    )  # fmt: skip
    return make_pipeline(StandardScaler() if scaled else "passthrough", machine)
