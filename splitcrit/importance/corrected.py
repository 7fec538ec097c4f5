"""Gains corrected for chance: in standard deviations above their mean, or as a share of what is above it.

Main definitions: ``standardised``, ``adjusted`` (makers of criteria).
Main results: with mean and variance over all orders of the labels ::

    standardised = (gain - mean) / sqrt(variance)        adjusted = (gain - mean) / (phi(node) - mean)

where ``phi(node)``, the impurity of the node, is the gain of a feature that tells the classes apart. Standardised Gini
gain is SGini. Adjusted Gini gain is ``1 - (1 - gain/phi) (n - 1)/(n - r)``, an adjusted coefficient of determination;
adjusted information gain is adjusted mutual information with the entropy of the class as its upper bound.
Source: wang2024, eqs. (11), (16), (18).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import whole
from splitcrit.arith import Arithmetic
from splitcrit.criteria import Criterion, decrease
from splitcrit.importance.chance import SAMPLES, GainMoments, seeded_moments
from splitcrit.importance.counted import Array, checked, gains, integer_tables, on_counts
from splitcrit.impurities import Impurity, gini
from splitcrit.nulls import sgini
from splitcrit.table import Table

SMALL = 1e-13  # of the impurity of the node: what rounding may leave of 0


@dataclass(frozen=True)
class Standardised:
    """``(gain - mean) / sqrt(variance)``; 0 where the variance is 0."""

    impurity: Impurity
    samples: int = SAMPLES
    seed: int = 0

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        if self.impurity == gini:
            return sgini.score(t, m)
        gain, laws, _, shape = _measured(self, t, m)
        spread = np.sqrt([law.variance for law in laws])
        apart = gain - [law.mean for law in laws]
        return np.where(spread > 0, apart / np.where(spread > 0, spread, 1), 0.0).reshape(shape)[()]

    def of_table(self, table: Table) -> Any:
        """Return the score of counts."""
        return sgini(table) if self.impurity == gini else on_counts(self, table)


@dataclass(frozen=True)
class Adjusted:
    """``(gain - mean) / (phi - mean)``; 0 where every order of the labels has the gain ``phi``."""

    impurity: Impurity
    samples: int = SAMPLES
    seed: int = 0

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        gain, laws, node, shape = _measured(self, t, m)
        mean = np.array([law.mean for law in laws])
        room = node - mean
        free = room > SMALL * node
        return np.where(free, (gain - mean) / np.where(free, room, 1), 0.0).reshape(shape)[()]

    def of_table(self, table: Table) -> Any:
        """Return the score of counts."""
        return on_counts(self, table)


def standardised(impurity: Impurity, *, samples: int = SAMPLES, seed: int = 0) -> Criterion:
    """Return the criterion that scores the decrease of an impurity in standard deviations above its mean by chance.

    The equation is ``(gain - mean) / sqrt(variance)`` over all orders of the labels, and 0 where the variance is 0.

    Parameters
    ----------
    impurity : Impurity
        For Gini the score is SGini, by formulas; for others see `gain_moments`.
    samples, seed
        For tables so large that mean and variance are estimated from random ones.

    Returns
    -------
    Criterion
        Of tables of counts; the same table has the same score.

    Raises
    ------
    TypeError, ValueError
        If it is no impurity, ``samples`` is no integer from 2, or ``seed`` none from 0.

    References
    ----------
    wang2024, eq. (11).

    Examples
    --------
    >>> from splitcrit import entropy, gini, sgini
    >>> table = [[3, 0, 1], [0, 4, 1]]
    >>> standardised(gini)(table) == sgini(table)
    True
    >>> round(float(standardised(entropy)(table)), 4)
    2.5831
    """
    seed, samples = checked(impurity, seed), whole(samples, "samples", 2)
    return Criterion(_named("standardised", impurity, samples, seed), Standardised(impurity, samples, seed))


def adjusted(impurity: Impurity, *, samples: int = SAMPLES, seed: int = 0) -> Criterion:
    """Return the criterion that scores what a gain has above its mean by chance, as a share of what it could have.

    The equation is ``(gain - mean) / (phi(node) - mean)``: 0 on average for labels in random order, 1 for a feature
    that tells the classes apart; 0 where the two terms below the line are equal.

    Parameters
    ----------
    impurity : Impurity
    samples, seed
        For tables so large that the mean is estimated from random ones; Gini and entropy have formulas.

    Raises
    ------
    TypeError, ValueError
        If it is no impurity, ``samples`` is no integer from 2, or ``seed`` none from 0.

    References
    ----------
    wang2024, eqs. (16), (18).

    Examples
    --------
    >>> from splitcrit import entropy, gini
    >>> float(adjusted(gini)([[5, 0], [0, 5]])), round(float(adjusted(entropy)([[3, 0], [1, 6]])), 4)
    (1.0, 0.5268)
    """
    seed, samples = checked(impurity, seed), whole(samples, "samples", 2)
    return Criterion(_named("adjusted", impurity, samples, seed), Adjusted(impurity, samples, seed))


def _named(maker: str, impurity: Impurity, samples: int, seed: int) -> str:
    more = f", samples={samples}" * (samples != SAMPLES) + f", seed={seed}" * (seed != 0)
    return f"{maker}({impurity.name}{more})"


def _measured(
    score: Standardised | Adjusted, t: Any, m: Arithmetic
) -> tuple[Array, list[GainMoments], Array, tuple[int, ...]]:
    """Return the gains of a batch, the laws of its margins, the impurities of its nodes, and its shape."""
    counts, shape = integer_tables(t, m, repr(decrease(score.impurity)))
    known: dict[tuple[Any, ...], GainMoments] = {}
    laws = []
    for table in counts:
        key = tuple(sorted(table.sum(axis=1).tolist())), tuple(table.sum(axis=0).tolist())
        if key not in known:
            known[key] = seeded_moments(table, score.impurity, score.samples, score.seed)
        laws.append(known[key])
    totals = counts.sum(axis=1)
    node = gains(np.eye(totals.shape[1], dtype=np.int64) * totals[:, None], score.impurity)  # a row for each class
    return gains(counts, score.impurity), laws, node, shape
