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
class AboveChance:
    """A gain less its mean by chance, in a unit: its standard deviation, or ``phi - mean`` if ``adjusted``.

    It is 0 where the unit is.
    """

    impurity: Impurity
    adjusted: bool
    samples: int
    seed: int

    @property
    def _formula(self) -> bool:
        return self.impurity == gini and not self.adjusted

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        if self._formula:
            return sgini.score(t, m)
        counts, shape = integer_tables(t, m, repr(decrease(self.impurity)))
        laws = self._laws(counts)
        mean, unit = np.array([law.mean for law in laws]), np.sqrt([law.variance for law in laws])
        free = unit > 0
        if self.adjusted:
            totals = counts.sum(axis=1)
            node = gains(np.eye(totals.shape[1], dtype=np.int64) * totals[:, None], self.impurity)  # a row a class
            unit = node - mean
            free = unit > SMALL * node
        apart = gains(counts, self.impurity) - mean
        return np.where(free, apart / np.where(free, unit, 1), 0.0).reshape(shape)[()]

    def _laws(self, counts: Array) -> list[GainMoments]:
        """Return the law of the gain by chance of every table of a batch; those of equal margins have one."""
        known: dict[tuple[Any, ...], GainMoments] = {}
        keys = [(tuple(sorted(table.sum(axis=1).tolist())), tuple(table.sum(axis=0).tolist())) for table in counts]
        for key, table in zip(keys, counts, strict=True):
            if key not in known:
                known[key] = seeded_moments(table, self.impurity, self.samples, self.seed)
        return [known[key] for key in keys]

    def of_table(self, table: Table) -> Any:
        """Return the score of counts."""
        return sgini(table) if self._formula else on_counts(self, table)


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
    return _criterion(AboveChance(impurity, False, whole(samples, "samples", 2), checked(impurity, seed)))


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
    return _criterion(AboveChance(impurity, True, whole(samples, "samples", 2), checked(impurity, seed)))


def _criterion(score: AboveChance) -> Criterion:
    samples = f", samples={score.samples}" if score.samples != SAMPLES else ""
    seed = f", seed={score.seed}" if score.seed != 0 else ""
    name = f"{'adjusted' if score.adjusted else 'standardised'}({score.impurity.name}{samples}{seed})"
    return Criterion(name, score, of_table=AboveChance.of_table, remake=_criterion)
