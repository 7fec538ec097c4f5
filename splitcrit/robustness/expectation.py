"""What is expected of a noisy score at a finite sample: exact mean and variance, and the part that is noise alone.

For two rows and class ``k`` let ``u_k = N_R n_Lk - N_L n_Rk``; then Gini's gain is ``sum_k u_k^2 / (N^2 N_L N_R)``, a
quadratic form of independent labels, whose first two moments follow from joint cumulants up to the fourth.

Main definitions: ``expected_gain``, ``ExpectedGain``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import as_criterion, decrease, one_vs_rest_pairwise_gain, pairwise_gain, twoing
from splitcrit.impurities import gini
from splitcrit.noise import Channel
from splitcrit.robustness.laws import noisy_positives, transition_of
from splitcrit.table import Table
from splitcrit.values import complaint

Array = NDArray[Any]


@dataclass(frozen=True)
class ExpectedGain:
    """Mean and variance of a noisy score.

    Parameters
    ----------
    mean, variance
        Of the score of the noisy table; Fractions where the channel's rates are.
    signal
        The score of the expected noisy table, ``(1 - tau_pos - tau_neg)^2`` times the clean Gini gain for two classes.
    additive
        ``mean - signal``, what noise adds. For Gini and twoing of two classes it is
        ``(2/N^2) (N v_neg + (v_pos - v_neg)(N_R p_L + N_L p_R))`` (half that for twoing) with ``v = tau (1 - tau)``:
        the same for every split of a node if both rates are the same.
    """

    mean: Any
    variance: Any
    signal: Any
    additive: Any


def expected_gain(table: Any, channel: Channel, criterion: Any = gini) -> ExpectedGain:
    """Return the exact mean and variance of a criterion on a table with noisy labels.

    Parameters
    ----------
    table : integers (2, K)
        True counts of a binary split; for twoing and pairwise gain ``K = 2``.
    channel : Channel
    criterion : {gini, twoing, pairwise_gain}

    Raises
    ------
    ValueError
        For another criterion, another shape, or counts that are none.

    References
    ----------
    yang2019, Theorem 1; ghosh2017, Theorem 3.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from splitcrit import pairwise_gain, symmetric
    >>> noise = symmetric(Fraction(3, 10))
    >>> expected_gain([[2, 0], [1, 2]], noise).additive == 2 * Fraction(21, 100) / 5
    True
    >>> 2 * expected_gain([[1, 0], [2, 2]], noise, pairwise_gain).mean
    Fraction(2, 1)
    """
    counts, chosen = np.asarray(Table.of(table).integers()), as_criterion(criterion)
    if counts.ndim != 2 or len(counts) != 2 or not counts.sum(axis=1).all():
        rule = "the expectation of a gain is that of one split with samples on both sides"
        raise ValueError(complaint(rule, f"shape {counts.shape}", "pass counts (2, K)"))
    transition = transition_of(channel, counts.shape[1])
    if chosen == decrease(gini):
        return _quadratic(counts, transition, 1)
    if counts.shape[1] == 2 and chosen == twoing:
        return _quadratic(counts, transition, 2)
    if counts.shape[1] == 2 and chosen in (pairwise_gain, one_vs_rest_pairwise_gain):
        return _absolute(counts, transition)
    rule = "expectations are known for Gini, and for twoing and pairwise gain of two classes"
    raise ValueError(complaint(rule, f"{chosen.name} of {counts.shape[1]} classes", "choose one of them"))


def _quadratic(counts: Array, transition: Any, divisor: int) -> ExpectedGain:
    """Return the moments of ``sum_k u_k^2 / (divisor N^2 N_L N_R)``."""
    classes, (left, right) = counts.shape[1], map(int, counts.sum(axis=1))
    weights = (right, -left)
    groups = [(w, int(counts[i, j]), transition[j]) for i, w in enumerate(weights) for j in range(classes)]
    one = [sum(w * n * q[k] for w, n, q in groups) for k in range(classes)]
    unit = 0 * transition[0][0]
    mean, variance = unit, unit
    for k in range(classes):
        mean += one[k] ** 2 + _joint(groups, (k, k), unit)
        for j in range(classes):
            two = _joint(groups, (k, j), unit)
            mixed = 2 * (_joint(groups, (k, k, j), unit) * one[j] + _joint(groups, (k, j, j), unit) * one[k])
            variance += _joint(groups, (k, k, j, j), unit) + mixed + 2 * two**2 + 4 * two * one[k] * one[j]
    scale = divisor * (left + right) ** 2 * left * right
    signal = sum((u**2 for u in one), unit) / scale
    return ExpectedGain(mean / scale, variance / scale**2, signal, mean / scale - signal)


def _joint(groups: list[tuple[int, int, Any]], classes: tuple[int, ...], unit: Any) -> Any:
    """Return a joint cumulant of ``u``, the sum over independent labels of those of a weighted indicator vector."""
    return sum((n * w ** len(classes) * _cumulant(q, classes) for w, n, q in groups if n), unit)


def _cumulant(q: Any, classes: tuple[int, ...]) -> Any:
    """Return a joint cumulant, of order 2 to 4, of the indicators of one label of law ``q``."""
    centred = _central(q, classes)
    if len(classes) < 4:
        return centred
    k, _, j, _ = classes  # of the pattern (k, k, j, j)
    return centred - _central(q, (k, k)) * _central(q, (j, j)) - 2 * _central(q, (k, j)) ** 2


def _central(q: Any, classes: tuple[int, ...]) -> Any:
    """Return ``E prod (1[label = c] - q_c)`` over the classes."""
    found = 0 * q[0]
    for label, share in enumerate(q):
        term = share
        for c in classes:
            term = term * ((1 if label == c else 0) - q[c])
        found += term
    return found


def _absolute(counts: Array, transition: Any) -> ExpectedGain:
    """Return the moments of ``|D|/2`` by the laws of both sides; its square by those of D."""
    left, right = map(int, counts.sum(axis=1))
    on_left, on_right = (noisy_positives(int(row[0]), int(row[1]), transition) for row in counts)
    d = np.multiply.outer(np.arange(left + 1) * right, np.ones(right + 1, np.int64)) - left * np.arange(right + 1)
    law = np.multiply.outer(on_left, on_right)
    kind = Fraction if law.dtype == object else float
    mean, square = (kind((law * x).sum()) for x in (np.abs(d), d * d))
    noisy = [[sum(int(n) * q[k] for n, q in zip(row, transition, strict=True)) for k in (0, 1)] for row in counts]
    signal = abs(noisy[0][1] * right - noisy[1][1] * left) / 2
    return ExpectedGain(mean / 2, (square - mean**2) / 4, signal, mean / 2 - signal)
