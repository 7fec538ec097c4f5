"""Samples of the comparison: a data set split, discretised on training rows, and noisy.

Main definitions: ``SETS``, ``Sample``, ``sample_of``, ``PROTOCOL``.
Source: wang2024, Sections 5.2 to 5.4; what these leave open is a constant here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.datasets import Dataset, load
from splitcrit.discretize import ChiMerge

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
    ("perturbed", "after ChiMerge; in each feature a share of the rows, permuted among growing, validation, test each"),
    ("copies", "after ChiMerge, intervals counted from 1; one for each feature; whole numbers with replacement"),
    ("farthest", FARTHEST),
)


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
    """Return a data set, read once."""
    return load(name, folder)


def sample_of(name: str, folder: Path | None, noise: str, split_rng: Any, rng: Any) -> Sample:
    """Return a sample of a data set.

    Parameters
    ----------
    name : str
    folder : path, optional
        The data sets.
    noise : {"none", "perturbed", "copies"}
    split_rng, rng : generators
        For the split, and for everything else.
    """
    data = loaded(name, folder)
    y = np.unique(data.y, return_inverse=True)[1].reshape(-1)
    order = split_rng.permutation(len(y))
    test, rest = np.split(order, [round(TEST * len(y))])
    choose, grow = np.split(rest, [round(VALIDATION * len(rest))])
    x = _counted(np.where(np.isnan(data.X), np.nanmin(data.X, axis=0) - 1, data.X), y, grow, name in DISCRETE, rng)
    d = x.shape[1]
    if noise == "perturbed":
        x = perturbed(x, (grow, choose, test), rng)
    elif noise == "copies":
        x = np.column_stack([x, noisy_copies(x, rng)])
    return Sample(x, y, grow, choose, test, d, bool(data.categorical.all()))


def _counted(x: Array, y: Array, grow: Array, discrete: bool, rng: np.random.Generator) -> Array:
    """Return the features as numbers from 1; of those that are not discrete the numbers of intervals."""
    most = rng.integers(INTERVALS[0], INTERVALS[1] + 1, x.shape[1])
    if discrete:
        return np.asarray(x - x.min(axis=0) + 1).astype(np.int64)
    return ChiMerge(significance=None, max_intervals=most).fit(x[grow], y[grow]).transform(x) + 1


def perturbed(x: Array, parts: tuple[Array, ...], rng: np.random.Generator) -> Array:
    """Return features in each of which a share of the rows of each part have exchanged their values."""
    x = x.copy()
    for column in x.T:
        for part in parts:
            rows = rng.permutation(part)[: round(NOISE * len(part))]
            column[rows] = column[rng.permutation(rows)]
    return x


def noisy_copies(x: Array, rng: np.random.Generator) -> Array:
    """Return features in each of which a share of the rows have a value from the largest to ``FARTHEST`` times it."""
    x = x.copy()
    for column in x.T:
        rows = rng.permutation(len(column))[: round(NOISE * len(column))]
        most = int(column.max())
        column[rows] = rng.integers(most, FARTHEST * most + 1, len(rows))
    return x
