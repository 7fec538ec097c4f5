"""How often a feature is chosen by its best threshold: features without information, and one with some among them.

Main definitions: ``chosen_shares``, ``found_shares``, ``CHOOSERS``.
Main results: without information every feature should be chosen equally often, whatever its number of values. The
largest Gini gain and the largest SGini prefer many thresholds. The p-value of the best threshold does not, but for the
few values it has at a feature of few; the mid p-value makes up for that.
Source: wang2024, Section 4 (features with more and more values), with thresholds in the place of branches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.nulls import selected_pvalue
from splitcrit.nulls.best_cut import best
from splitcrit.nulls.extremes import EXTREMES
from splitcrit.nulls.feature_counts import feature_counts
from splitcrit.table import Table

CHOOSERS = ("gini", "sgini", "selected p-value", "selected mid p-value")


@dataclass(frozen=True)
class Share:
    """How often a chooser took a kind of feature: a share of repetitions, with its standard error."""

    chooser: str
    condition: float
    share: float
    standard_error: float


def chosen_shares(
    values: Sequence[int] = (2, 4, 8, 20, 100), *, n: int = 100, ones: int = 50, repetitions: int = 1000, rng: Any = 0
) -> list[Share]:
    """How often each of several features without information is chosen; its condition is its number of values.

    Parameters
    ----------
    values
        The number of values of each feature; ``n`` or more means that no two are equal.
    n, ones
        How many observations there are, and how many of the first of two classes.
    repetitions
        How often labels and features are drawn.
    rng
        What ``numpy.random.default_rng`` takes.

    Examples
    --------
    >>> found = chosen_shares((2, 100), repetitions=50)
    >>> [(x.chooser, x.condition) for x in found][:2]
    [('gini', 2), ('gini', 100)]
    """
    draws, labels = np.random.default_rng(rng), np.arange(n) < ones
    won = np.zeros((len(CHOOSERS), len(values)))
    for _ in range(repetitions):
        features = [_without_information(draws, n, v) for v in values]
        won[np.arange(len(CHOOSERS)), _winners(features, labels, draws)] += 1
    return _shares(values, won / repetitions, repetitions)


def found_shares(
    agreements: Sequence[float] = (0.5, 0.6, 0.7, 0.8),
    *,
    rivals: int = 5,
    n: int = 100,
    repetitions: int = 500,
    rng: Any = 0,
) -> list[Share]:
    """How often a feature of two values is chosen among rivals without information that have ``n`` values.

    Parameters
    ----------
    agreements
        The probabilities that the feature agrees with the label; they are the conditions. Half is no information.
    rivals
        How many features without information there are.
    n, repetitions, rng
        As in `chosen_shares`; half of the labels are of each class.

    Examples
    --------
    >>> found = found_shares((1.0,), repetitions=5)
    >>> [x.share for x in found]
    [1.0, 1.0, 1.0, 1.0]
    """
    draws, labels = np.random.default_rng(rng), np.arange(n) < n // 2
    won = np.zeros((len(CHOOSERS), len(agreements)))
    for _ in range(repetitions):
        others = [_without_information(draws, n, n) for _ in range(rivals)]
        for at, agreement in enumerate(agreements):
            telling = np.where(draws.random(n) < agreement, labels, ~labels).astype(np.int64)
            won[:, at] += _winners([telling, *others], labels, draws) == 0
    return _shares(agreements, won / repetitions, repetitions)


def _without_information(draws: np.random.Generator, n: int, values: int) -> Array:
    return draws.permutation(n) if values >= n else draws.integers(0, values, n)


def _winners(features: list[Array], labels: Array, draws: np.random.Generator) -> Array:
    """The feature that each chooser takes; of those that tie one at random."""
    scores = np.array([_scores(Table.of(feature, labels)) for feature in features]).T
    order = draws.permutation(len(features))
    return np.asarray(order[scores[:, order].argmax(axis=1)])


def _scores(table: Table) -> tuple[float, ...]:
    """The largest Gini gain, the largest SGini and the surprises of a feature."""
    if len(table.counts) < 2:
        return (0.0,) * len(CHOOSERS)
    selected, mid = selected_pvalue(table), selected_pvalue(table, mid=True)
    largest = best(feature_counts(table, None, "error"), 1, EXTREMES["gini"])
    return largest.bar.score if largest else 0.0, selected.score, selected.surprise, mid.surprise


def _shares(conditions: Sequence[float], shares: Array, repetitions: int) -> list[Share]:
    errors = np.sqrt(shares * (1 - shares) / repetitions)
    return [
        Share(chooser, condition, float(shares[i, j]), float(errors[i, j]))
        for i, chooser in enumerate(CHOOSERS)
        for j, condition in enumerate(conditions)
    ]
