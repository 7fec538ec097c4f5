"""Samples of the comparison: a data set split, discretised on training rows, and noisy.

Main definitions: ``SETS``, ``Choices``, ``Sample``, ``sample_of``, ``PROTOCOL``.
Source: wang2024, Sections 5.2 to 5.4; what these leave open is a constant here, or one of ``Choices``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from splitcrit.trees import ChiMerge

from ..datasets import Dataset, load

Array = NDArray[Any]
SETS = (
    "breast_cancer_wisconsin", "balance_scale", "promoters", "bupa_liver", "libras", "musk1", "zoo", "vehicle",
    "cardiotocography10", "segment", "spambase", "waveform_v1",
)  # fmt: skip
"""In the order of Table 4."""
DISCRETE = ("breast_cancer_wisconsin", "balance_scale", "promoters", "zoo")  # Table 4 counts their own values
TEST, VALIDATION = 0.3, 0.3  # of all rows; of the others
INTERVALS = (2, 50)  # the least and the most that a feature gets, drawn anew for each feature and split
NOISE = 0.3  # the share of rows
FARTHEST = 3  # a noisy copy has values from the largest of its feature to this many times that
PROTOCOL: tuple[tuple[str, Any], ...] = (
    ("split", "7:3 into training and test, training 7:3 into growing and validation; not stratified"),
    ("refit", "none: the tree of the growing rows is tested"),
    ("chimerge", "fitted on growing rows only, merged down to the drawn number of intervals, without a threshold"),
    ("intervals", list(INTERVALS)),
    ("not merged", list(DISCRETE)),
    ("missing", "a value of its own, below all others"),
    ("noise", NOISE),
    ("copies", "after ChiMerge, intervals counted from 1; one for each feature; whole numbers with replacement"),
    ("farthest", FARTHEST),
)


@dataclass(frozen=True)
class Choices:
    """What the text leaves open, as the tables have it.

    Parameters
    ----------
    noise_everywhere : bool
        Perturb test rows too, and not training rows (growing and validation) alone.
    intervals_everywhere : bool
        Fit ChiMerge on all rows, which shows it the labels of the test rows.
    significance : float or None
        Merge on below the drawn number of intervals, while the least chi-square is below this threshold.
    by_class : bool
        Split the rows class by class.
    unseen : {"child", "stop", "wrong"}
        A value that no growing row at the node had goes to a child, stops there, or counts as an error.
    least_gain : float or None
        Nodes branch on scores above this; None branches whatever the score.
    refit : bool
        Grow the tree of the chosen ``minnum`` again, on growing and validation rows.
    largest : bool
        Of equally good ``minnum`` take the largest, and not the smallest.
    """

    noise_everywhere: bool = False
    intervals_everywhere: bool = False
    significance: float | None = None
    by_class: bool = False
    unseen: Literal["child", "stop", "wrong"] = "child"
    least_gain: float | None = None
    refit: bool = False
    largest: bool = False


AS_TABLES = Choices()


@dataclass(frozen=True, eq=False)
class Sample:
    """Features as positive whole numbers with class codes, and which rows grow, choose and test a tree.

    ``real`` is the number of features that are no noisy copies.
    """

    x: Array
    y: Array
    grow: Array
    choose: Array
    test: Array
    real: int
    categorical: bool


@lru_cache(4)
def loaded(name: str, folder: Path | None) -> Dataset:
    """A data set, read once."""
    return load(name, folder)


def sample_of(
    name: str, folder: Path | None, noise: str, split_rng: Any, rng: Any, choices: Choices = AS_TABLES
) -> Sample:
    """A sample of a data set.

    Parameters
    ----------
    name : str
    folder : path, optional
        The data sets.
    noise : {"none", "perturbed", "copies"}
    split_rng, rng : generators
        For the split, and for everything else.
    choices : Choices
    """
    data = loaded(name, folder)
    y = np.unique(data.y, return_inverse=True)[1].reshape(-1)
    rest, test = _parted(split_rng.permutation(len(y)), y, TEST, split_rng, choices.by_class)
    grow, choose = _parted(rest, y, VALIDATION, split_rng, choices.by_class)
    fitted = np.arange(len(y)) if choices.intervals_everywhere else grow
    most = rng.integers(INTERVALS[0], INTERVALS[1] + 1, data.X.shape[1])
    x = np.where(np.isnan(data.X), np.nanmin(data.X, axis=0) - 1, data.X)
    if name in DISCRETE:
        x = np.asarray(x - x.min(axis=0) + 1).astype(np.int64)
    else:
        bins = ChiMerge(choices.significance, max_intervals=most)
        x = bins.fit(x[fitted], y[fitted]).transform(x) + 1
    d = x.shape[1]
    if noise == "perturbed":
        x = perturbed(x, (grow, choose, *[test] * choices.noise_everywhere), rng)
    elif noise == "copies":
        x = np.column_stack([x, noisy_copies(x, rng)])
    return Sample(x, y, grow, choose, test, d, bool(data.categorical.all()))


def _parted(rows: Array, y: Array, share: float, rng: np.random.Generator, by_class: bool) -> tuple[Array, Array]:
    """Rows in two parts in random order, the second with a share of them, or of those of each class."""
    if by_class:
        drawn = int(rng.integers(2**31))
        first, second = train_test_split(rows, test_size=share, stratify=y[rows], random_state=drawn)
    else:
        second, first = np.split(rows, [round(share * len(rows))])
    return first, second


def perturbed(x: Array, parts: tuple[Array, ...], rng: np.random.Generator) -> Array:
    """Features in each of which a share of the rows of each part have exchanged their values."""
    x = x.copy()
    for column in x.T:
        for part in parts:
            rows = rng.permutation(part)[: round(NOISE * len(part))]
            column[rows] = column[rng.permutation(rows)]
    return x


def noisy_copies(x: Array, rng: np.random.Generator) -> Array:
    """Features in each of which a share of the rows have a value from the largest to ``FARTHEST`` times it."""
    x = x.copy()
    for column in x.T:
        rows = rng.permutation(len(column))[: round(NOISE * len(column))]
        most = int(column.max())
        column[rows] = rng.integers(most, FARTHEST * most + 1, len(rows))
    return x
