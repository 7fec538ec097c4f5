"""The data of yang2019 that are at hand, as two classes, and their noise.

The paper groups the classes of a problem in two of similar size and does not say which, nor which class is positive.
Here classes stand in the order of their numbers in the source; the first group is the head of that order whose size is
nearest to half of the rows. The positive group of a problem is written down below.

Main definitions: ``Problem``, ``PROBLEMS``, ``BUNDLED``, ``ASYMMETRIC``, ``SYMMETRIC``, ``Fold``, ``folds``.
Source: yang2019, Section VI and Table II.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import sklearn.datasets
from numpy.typing import NDArray

from splitcrit.frozen import complaint
from splitcrit.noise import class_conditional

from ..datasets import load
from ..runner import Options, seed_of
from ..trials import Trial

Array = NDArray[Any]
FOLDS = 5
ASYMMETRIC = ((0.1, 0.3), (0.2, 0.4))  # as printed: (tau_neg, tau_pos)
SYMMETRIC = ((0.1, 0.1), (0.2, 0.2), (0.3, 0.3), (0.4, 0.4))


@dataclass(frozen=True)
class Problem:
    """A problem of Table II.

    Parameters
    ----------
    files : tuple of str
        Data sets whose rows are joined; one name with a colon is scikit-learn's own.
    rows : int
        Of all files, as Table II has it.
    positive : tuple of str
        The classes of the positive group.
    order : tuple of str
        The classes in the order of their numbers, where that is not the order of their names.
    """

    files: tuple[str, ...]
    rows: int
    positive: tuple[str, ...]
    order: tuple[str, ...] = ()


SEGMENT = ("brickface", "sky", "foliage", "cement", "window", "path", "grass")
SATIMAGE = (
    "red soil", "cotton crop", "grey soil", "damp grey soil", "vegetation stubble", "very damp grey soil",
)  # fmt: skip
SHUTTLE = ("Rad.Flow", "Fpv.Close", "Fpv.Open", "High", "Bypass", "Bpv.Close", "Bpv.Open")
PROBLEMS = {
    "sonar": Problem(("sonar",), 208, ("R",)),
    "heart": Problem(("heart_statlog",), 270, ("present",)),
    "ionosphere": Problem(("ionosphere",), 351, ("g",)),
    "breast": Problem(("breast_cancer_libsvm",), 683, ("2",)),
    "australian": Problem(("australian",), 690, ("+",)),
    "diabetes": Problem(("diabetes",), 768, ("0",)),
    "vehicle": Problem(("vehicle",), 846, ("bus", "van"), ("opel", "saab", "bus", "van")),
    "fourclass": Problem(("fourclass",), 862, ("-1",)),
    "german": Problem(("german_numeric",), 1000, ("1",)),
    "segment": Problem(("segment",), 2310, ("brickface", "sky", "foliage"), SEGMENT),
    "splice": Problem(("splice_libsvm",), 3175, ("1",)),
    "dna": Problem(("dna",), 3186, ("n",)),
    "satimage": Problem(("satimage",), 6435, ("damp grey soil", "vegetation stubble", "very damp grey soil"), SATIMAGE),
    "mushrooms": Problem(("mushrooms_onehot",), 8124, ("2",)),
    "usps": Problem(("usps",), 9298, ("4", "5", "6", "7", "8", "9")),
    "pendigits": Problem(("pendigits",), 10992, ("5", "6", "7", "8", "9")),
    "phishing": Problem(("phishing_onehot",), 11055, ("1",)),
    "letter": Problem(("letter",), 20000, ("N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z")),
    "a9a": Problem(("a9a", "a9a_test"), 48842, ("1",)),
    "shuttle": Problem(
        ("shuttle",), 58000, ("Fpv.Close", "Fpv.Open", "High", "Bypass", "Bpv.Close", "Bpv.Open"), SHUTTLE
    ),
}
BUNDLED = {  # not the paper's: what a quick run learns from, so that it needs no folder of data
    "sklearn breast cancer": Problem(("sklearn:breast_cancer",), 569, ("1",)),
    "sklearn digits": Problem(("sklearn:digits",), 1797, ("5", "6", "7", "8", "9")),
}
KNOWN = PROBLEMS | BUNDLED


def head(y: Array, order: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The first group: the classes up to the one where the rows so far are nearest to half of all.

    Examples
    --------
    >>> head(np.array(["a", "a", "b", "c", "c", "c"]))
    ('a', 'b')
    """
    classes = order or tuple(map(str, np.unique(y)))
    so_far = np.cumsum([np.sum(y == name) for name in classes])[:-1]
    return classes[: int(np.argmin(np.abs(2 * so_far - len(y)))) + 1]


@lru_cache(maxsize=4)
def samples(name: str, folder: Any) -> tuple[Array, Array]:
    """Features and true classes of a problem, 1 the positive one.

    Raises
    ------
    ValueError
        If the problem is none of the paper's.
    """
    if name not in KNOWN:
        rule = "a problem of yang2019 is named as in Table II"
        raise ValueError(complaint(rule, repr(name), f"one of {', '.join(KNOWN)}"))
    parts = [_read(file, folder) for file in KNOWN[name].files]
    X, y = (np.concatenate(part) for part in zip(*parts, strict=True))
    return X, np.isin(y, KNOWN[name].positive).astype(np.int64)


def _read(file: str, folder: Any) -> tuple[Array, Array]:
    if file.startswith("sklearn:"):
        X, y = getattr(sklearn.datasets, f"load_{file.removeprefix('sklearn:')}")(return_X_y=True)
        return X, y.astype(str)
    data = load(file, folder)
    return data.X, data.y


@dataclass(frozen=True)
class Fold:
    """One fold of a cross-validation: noisy training rows and true test rows, and the seed of what is learnt."""

    number: int
    trial: Trial
    seed: int


def parts(rows: int, seed: int) -> Array:
    """The part, 0 to 4, of each row; sizes differ by one at most."""
    return np.random.default_rng(seed).permutation(rows) % FOLDS


def folds(
    name: str, tau_neg: float, tau_pos: float, run: int, options: Options, rows: int | None = None
) -> Iterator[Fold]:
    """Yield the folds of a run; rows depend on the run alone, wrong labels on fold and rates too, for all methods.

    With ``rows`` the run is one of that many rows, drawn at random.
    """
    X, y = samples(name, options.data)
    if rows is not None:
        drawn = np.random.default_rng(seed_of(options.seed, "rows", name, run)).permutation(len(y))[:rows]
        X, y = X[drawn], y[drawn]
    part = parts(len(y), seed_of(options.seed, "folds", name, run))
    channel = class_conditional(tau_pos=tau_pos, tau_neg=tau_neg)
    for fold in range(FOLDS):
        flips = np.random.default_rng(seed_of(options.seed, "noise", name, run, fold, tau_neg, tau_pos))
        train, test = (np.flatnonzero(chosen) for chosen in (part != fold, part == fold))
        seed = seed_of(options.seed, "learner", name, run, fold) >> 1
        yield Fold(fold, Trial(X, y, (train, test), channel=channel, rng=flips), seed)
