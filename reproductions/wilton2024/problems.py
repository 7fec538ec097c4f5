"""The data sets of the reproduction of wilton2024, their two tasks, their noise, and the rows that train and test.

Main definitions: ``DATA``, ``TASKS``, ``NOISES``, ``problems``, ``samples``, ``trial``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from splitcrit.noise import Channel, nearness_matrix, transition_matrix

from ..datasets import load
from ..runner import Options, seed_of
from ..trials import Trial, channel_of

Array = NDArray[Any]
Problem = tuple[str, str]

# name: file, and the most training rows; small ones first. The digits come with scikit-learn
DATA: dict[str, tuple[str, int | None]] = {
    "segment": ("segment", None),
    "digits": ("", None),
    "satimage": ("satimage", None),
    "mushrooms": ("mushrooms_onehot", None),
    "pendigits": ("pendigits", None),
    "letter": ("letter", None),
    "mnist": ("mnist_test10k", 4000),
}
TASKS = ("binary", "multiclass")
QUICK = ("digits",)
UNIFORM = ("0", "10", "20", "30", "40")  # percent
PAIRS = ("10/30", "30/10", "20/40", "40/20")  # percent of class 0 / of class 1, both orders of the two printed pairs
NEAR = "nearness"  # the transition matrix by Mahalanobis distance
NOISES = {"binary": (*UNIFORM, *PAIRS), "multiclass": (*UNIFORM, NEAR)}


def problems(options: Options) -> list[Problem]:
    """The chosen data sets with their tasks; two classes make no multiclass task."""
    names = options.chosen(tuple(DATA), QUICK)
    return [(name, task) for name in names for task in TASKS if (name, task) != ("mushrooms", "multiclass")]


def samples(name: str, task: str, options: Options) -> tuple[Array, Array]:
    """Features and true classes from 0.

    Of several classes in sorted order, those in odd places (from 0) are class 1 of the binary task: the odd digits.
    """
    X, y = _read(name, options.data)
    return X, y % 2 if task == "binary" else y


@lru_cache(maxsize=len(DATA))
def _read(name: str, folder: Any) -> tuple[Array, Array]:
    if name == "digits":
        X, y = load_digits(return_X_y=True)
        return X, y.astype(np.int64)
    data = load(DATA[name][0], folder)
    return data.X, np.unique(data.y, return_inverse=True)[1].astype(np.int64)


@lru_cache(maxsize=len(DATA))
def _rows(name: str, folder: Any) -> tuple[Array, Array]:
    """Training and test rows: the paper's split of two data sets, for all; training rows have a limit."""
    train, test = train_test_split(np.arange(len(_read(name, folder)[1])), train_size=0.8, random_state=0)
    return train[: DATA[name][1]], test


@lru_cache(maxsize=len(DATA))
def _nearness(name: str, folder: Any) -> Channel:
    X, y = _read(name, folder)
    train, _ = _rows(name, folder)
    return transition_matrix(nearness_matrix(X[train], y[train]))


def trial(name: str, task: str, noise: Any, run: int, options: Options) -> Trial:
    """The training rows with the noise of a run, and the test rows with true labels.

    The split is one for all runs, as in the paper; the noise depends on the run and its rate, not on the method.
    """
    X, y = samples(name, task, options)
    train, test = _rows(name, options.data)
    through = _nearness(name, options.data) if noise == NEAR else channel_of(noise)
    flips = np.random.default_rng(seed_of(options.seed, "noise", name, task, run, noise))
    return Trial(X, y, (train, test), channel=through, rng=flips)


def learner_seed(name: str, task: str, run: int, options: Options) -> int:
    """The seed of a learner: one for all methods of a run, so that equal criteria grow equal trees."""
    return seed_of(options.seed, "learner", name, task, run) % 2**31
