"""Which feature a criterion takes at the root when no feature tells anything: the bias towards many values.

Main definitions: ``RootChoice``, ``root_choices``.
Main results: a fair criterion takes each of ``m`` features in ``1/m`` of samples, whatever its number of values.
Source: wang2024, Section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import Array, generator, whole, wholes
from splitcrit.criteria import as_criterion
from splitcrit.frozen import complaint

LARGEST = 2**24  # values of all features of a sample


@dataclass(frozen=True)
class RootChoice:
    """What a criterion made of a feature without information, over many samples.

    Parameters
    ----------
    criterion
        As it prints.
    values
        The number of values of the feature.
    chosen, chosen_error
        The share of samples in which it scored most among all features (ties are shared), and its standard error.
    score, score_error
        Its mean score, in the unit of the criterion, and its standard error.
    score_sd
        The standard deviation of its score.
    """

    criterion: str
    values: int
    chosen: float
    chosen_error: float
    score: float
    score_error: float
    score_sd: float


def root_choices(
    criteria: Sequence[Any], values: Sequence[int] = (2, 3, 5, 10, 20, 50), *, labels: Sequence[int] = (100, 100),
    samples: int = 1000, rng: Any = 0,
) -> list[RootChoice]:  # fmt: skip
    """Count how often each criterion takes each of several uninformative features, and how it scores them.

    A feature of ``r`` values takes each with equal probability and is scored by its table of ``r`` rows. All criteria
    see the same samples.

    Parameters
    ----------
    criteria : sequence of Criterion or Impurity
    values
        The number of values of each feature, from 2.
    labels
        How many observations there are of each class.
    samples
        How many samples are drawn.
    rng
        What ``numpy.random.default_rng`` takes.

    Returns
    -------
    list of RootChoice
        In the order of the criteria, then of the values.

    Raises
    ------
    ValueError
        If fewer than two features compete, one has fewer than two values, there is no sample, or fewer than two
        classes have labels.

    Examples
    --------
    >>> from splitcrit import gini, sgini
    >>> found = root_choices([gini, sgini], (2, 50), samples=200)
    >>> [x.chosen > 0.95 for x in found if x.values == 50]
    [True, False]
    """
    scored = [as_criterion(criterion) for criterion in criteria]
    samples = _check(values, labels, samples)
    draws, classes = generator(rng), np.repeat(np.arange(len(labels)), labels)
    scores = np.empty((len(scored), len(values), samples))
    for j, number in enumerate(values):
        tables = _tables(number, classes, len(labels), samples, draws)
        for i, criterion in enumerate(scored):
            scores[i, j] = criterion(tables)
    best = scores >= scores.max(axis=1, keepdims=True)
    chosen = best / best.sum(axis=1, keepdims=True)
    return [
        RootChoice(str(criterion), number, *_mean(chosen[i, j]), *_mean(scores[i, j]), float(scores[i, j].std(ddof=1)))
        for i, criterion in enumerate(scored)
        for j, number in enumerate(values)
    ]


def _check(values: Sequence[int], labels: Sequence[int], samples: int) -> int:
    """Return the number of samples, or raise one sentence."""
    wholes(values, "values")
    wholes(labels, "labels")
    if len(values) < 2 or min(values) < 2:
        raise ValueError(complaint("two or more features compete, of two values or more", list(values), "pass (2, 10)"))
    if sum(n > 0 for n in labels) < 2 or min(labels) < 0:
        raise ValueError(complaint("labels are of two classes or more", list(labels), "pass (100, 100)"))
    if int(wholes(labels, "labels").sum()) * len(values) > LARGEST:
        raise ValueError(complaint("a study has at most 2**24 values", "more", "pass fewer labels"))
    return whole(samples, "samples", 2, 2**31)


def _tables(number: int, classes: Array, k: int, samples: int, draws: np.random.Generator) -> Array:
    """Random tables ``(samples, number, k)`` of an uninformative feature."""
    codes = draws.integers(0, number, size=(samples, len(classes)))
    cells = (np.arange(samples)[:, None] * number + codes) * k + classes
    return np.bincount(cells.ravel(), minlength=samples * number * k).reshape(samples, number, k)


def _mean(x: Array) -> tuple[float, float]:
    """A mean and its standard error."""
    return float(x.mean()), float(x.std(ddof=1) / np.sqrt(len(x)))
