"""What is expected of a noisy score at a finite sample: exact mean and variance, and the part that is noise alone.

For two rows and class ``k`` let ``u_k = N_R n_Lk - N_L n_Rk``; then Gini's gain is ``sum_k u_k^2 / (N^2 N_L N_R)``, a
quadratic form of independent labels, whose first two moments follow from joint cumulants up to the fourth.

Main definitions: ``expected_gain``, ``ExpectedGain``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from splitcrit.arguments import PATIENT, affordable
from splitcrit.criteria import as_criterion, decrease, one_vs_rest_pairwise_gain, pairwise_gain, twoing
from splitcrit.data.crossing import Missing
from splitcrit.display import shortened
from splitcrit.frozen import complaint
from splitcrit.impurities import gini
from splitcrit.noise import Channel
from splitcrit.robustness.laws import Rates, Rows, noisy_positives, pair_steps, transition_of
from splitcrit.table import Table

Counts = list[list[int]]


@dataclass(frozen=True, repr=False)
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

    Examples
    --------
    >>> from fractions import Fraction
    >>> from splitcrit import symmetric
    >>> found = expected_gain([[2, 0], [1, 2]], channel=symmetric(Fraction(1, 10)))
    >>> found.mean - found.signal == found.additive
    True
    """

    mean: Any
    variance: Any
    signal: Any
    additive: Any

    __repr__ = shortened


def expected_gain(
    table: Any, label: Any = None, *, channel: Channel, criterion: Any = gini, limit: float = PATIENT,
    missing: Missing = "error",
) -> ExpectedGain:  # fmt: skip
    """The exact mean and variance of a criterion on a table with noisy labels.

    Parameters
    ----------
    table : integers (2, K)
        True counts of a binary split; for twoing and pairwise gain ``K = 2``.
    label
        With it, the first argument is a feature of two values, and both are vectors; see `Table.of`.
    channel : Channel
    criterion : {gini, twoing, pairwise_gain}
    limit : float
        How many seconds the sums may take, as counted for one processor.
    missing
        ``"row"`` gives missing feature values a last row; ``"error"`` refuses them.

    Raises
    ------
    ValueError
        For another criterion, another shape, counts that are none, or more than ``limit`` seconds.

    See Also
    --------
    corrected : The score with the noise undone.

    References
    ----------
    yang2019, Theorem 1; ghosh2017, Theorem 3.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from splitcrit import pairwise_gain, symmetric
    >>> noise = symmetric(Fraction(3, 10))
    >>> expected_gain([[2, 0], [1, 2]], channel=noise).additive == 2 * Fraction(21, 100) / 5
    True
    >>> 2 * expected_gain([[1, 0], [2, 2]], channel=noise, criterion=pairwise_gain).mean
    Fraction(2, 1)
    """
    cells = Table.of(table, label, missing=missing).integers()
    counts, chosen = np.asarray(cells).tolist(), as_criterion(criterion)
    if np.ndim(counts) != 2 or len(counts) != 2 or not all(map(sum, counts)):
        rule = "the expectation of a gain is that of one split with samples on both sides"
        raise ValueError(complaint(rule, f"shape {np.shape(counts)}", "pass counts (2, K)"))
    classes = len(counts[0])
    absolute = classes == 2 and chosen in (pairwise_gain, one_vs_rest_pairwise_gain)
    divisor = 1 if chosen == decrease(gini) else 2 if classes == 2 and chosen == twoing else None
    if divisor is None and not absolute:
        rule = "expectations are known for Gini, and for twoing and pairwise gain of two classes"
        raise ValueError(complaint(rule, f"{chosen.name} of {classes} classes", "choose one of them"))
    transition = transition_of(channel, classes)
    work, remedy = f"the expectation of {chosen.name}", "take means over channel.random"
    affordable(_absolute_steps(counts, transition) if absolute else 15 * classes**3, limit, work, remedy)
    return _absolute(counts, transition) if divisor is None else _quadratic(counts, transition, divisor)


def _quadratic(counts: Counts, transition: Rows, divisor: int) -> ExpectedGain:
    """The moments of ``sum_k u_k^2 / (divisor N^2 N_L N_R)``, from integers in powers of the rates' unit."""
    left, right = map(sum, counts)
    rates = Rates.of(transition, exact=True)
    rows, unit, classes = rates.rows, rates.unit or 1, range(len(transition))
    # In u a label of the left row has the weight N_R, one of the right row -N_L: sums of their powers, class by class.
    powers = [[a * right**m + b * (-left) ** m for a, b in zip(*counts, strict=True)] for m in range(5)]

    def joint(*of: int) -> int:
        """A joint cumulant of ``u``, the sum over independent labels of a weighted indicator vector."""
        return sum(n * _cumulant(q, of, unit) for n, q in zip(powers[len(of)], rows, strict=True) if n)

    one = [sum(n * q[k] for n, q in zip(powers[1], rows, strict=True)) for k in classes]
    mean = variance = 0
    # With means m and cumulants c, E u_k^2 = m_k^2 + c_kk, and Cov(u_k^2, u_j^2) = c_kkjj + 2 c_kj^2
    # + 2 (c_kkj m_j + c_kjj m_k) + 4 c_kj m_k m_j; powers of the unit bring all terms to one denominator.
    for k in classes:
        mean += one[k] ** 2 * unit + joint(k, k)
        for j in classes:
            two, mixed = joint(k, j), 2 * (joint(k, k, j) * one[j] + joint(k, j, j) * one[k])
            variance += joint(k, k, j, j) + 2 * two**2 + unit * (mixed + 4 * two * one[k] * one[j])
    scale = divisor * (left + right) ** 2 * left * right
    first, second = Fraction(mean, scale * unit**3), Fraction(variance, scale**2 * unit**6)
    signal, kind = Fraction(sum(u**2 for u in one), scale * unit**2), type(transition[0][0])
    return ExpectedGain(kind(first), kind(second), kind(signal), kind(first - signal))


def _cumulant(q: tuple[int, ...], classes: tuple[int, ...], unit: int) -> int:
    """A joint cumulant of the indicators of one label of law ``q/unit``.

    It is of order 2 or 3 in units of ``unit**-3`` and ``unit**-4``, or of the pattern (k, k, j, j) in ``unit**-6``.
    """
    centred = _central(q, classes, unit)
    if len(classes) < 4:
        return centred
    # A fourth cumulant is the fourth central moment less the three ways to make two pairs of its four.
    k, _, j, _ = classes
    squares = _central(q, (k, k), unit) * _central(q, (j, j), unit)
    return centred * unit - squares - 2 * _central(q, (k, j), unit) ** 2


def _central(q: tuple[int, ...], classes: tuple[int, ...], unit: int) -> int:
    """``E prod (1[label = c] - q_c)`` over the classes: each of those labels, and any other."""
    named = set(classes)
    others = prod((-q[c] for c in classes), start=unit - sum(q[c] for c in named))
    return others + sum(prod(((unit if c == label else 0) - q[c] for c in classes), start=q[label]) for label in named)


def _absolute_steps(counts: Counts, transition: Rows) -> int:
    """The steps of the laws of both sides, and of all pairs of their values."""
    left, right = map(sum, counts)
    words, pairs = Rates.of(transition).words(left + right), (left + 1) * (right + 1)
    return pair_steps(counts, words) + pairs * (60 + 3 * words if words else 10) // 100


def _absolute(counts: Counts, transition: Rows) -> ExpectedGain:
    """The moments of ``|D|/2`` by the laws of both sides; its square by those of D."""
    left, right = map(sum, counts)
    rates = Rates.of(transition)
    d = np.multiply.outer(np.arange(left + 1) * right, np.ones(right + 1, np.int64)) - left * np.arange(right + 1)
    law = np.multiply.outer(*(noisy_positives(row, rates) for row in counts))
    mean, square = (rates.chance((law * x).sum(), left + right) for x in (np.abs(d), d * d))
    noisy = [[sum(n * q[k] for n, q in zip(row, transition, strict=True)) for k in (0, 1)] for row in counts]
    signal = abs(noisy[0][1] * right - noisy[1][1] * left) / 2
    return ExpectedGain(mean / 2, (square - mean**2) / 4, signal, mean / 2 - signal)
