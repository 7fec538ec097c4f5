"""Comparing methods: the tests that papers use, and tests whose assumptions hold.

Scores that differ by less than ``TIE`` are tied: what floats make of equal accuracies is no win.

Main definitions: ``record``, ``sign_test``, ``paired_t``, ``corrected_t``, ``average_ranks``, ``CriticalDifference``,
``critical_difference``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.frozen import complaint

Array = NDArray[Any]
TIE = 1e-9  # far above the rounding of a mean of percentages, far below one test row of any data set


def record(ours: Array, theirs: Array) -> tuple[int, int, int]:
    """How often ours is larger, tied and smaller.

    Examples
    --------
    >>> record([0.1 + 0.2, 2.0, 1.0], [0.3, 1.0, 2.0])
    (1, 1, 1)
    """
    apart = np.asarray(ours, dtype=float) - np.asarray(theirs, dtype=float)
    larger, smaller = int(np.sum(apart > TIE)), int(np.sum(apart < -TIE))
    return larger, apart.size - larger - smaller, smaller


def sign_test(ours: Array, theirs: Array) -> float:
    """The one-sided p-value of the sign test that ours tends to be larger; ties are left out.

    Examples
    --------
    >>> sign_test(np.array([2, 2, 2]), np.array([1, 1, 1]))
    0.125
    """
    wins, _, losses = record(ours, theirs)
    return _of_wins(wins, wins + losses)


@cache
def _of_wins(wins: int, runs: int) -> float:
    from scipy.stats import binomtest

    return float(binomtest(wins, runs, alternative="greater").pvalue) if runs else 1.0


def paired_t(ours: Array, theirs: Array) -> float:
    """The two-sided p-value of the paired t test, which takes the runs as independent.

    Runs that share training rows are not; see ``corrected_t``.
    """
    return corrected_t(ours, theirs, test_share=0.0)


def corrected_t(ours: Array, theirs: Array, *, test_share: float) -> float:
    """The two-sided p-value of the corrected resampled t test.

    The variance of the mean difference over ``J`` runs is ``(1/J + n_test / n_train) s^2``.

    Parameters
    ----------
    ours, theirs : arrays (J,)
        Results of the same runs.
    test_share : float
        Test rows over training rows; 0 gives the plain paired t test.

    References
    ----------
    C. Nadeau and Y. Bengio, Inference for the generalization error, Machine Learning 52 (2003).
    """
    from scipy.stats import t

    apart = np.asarray(ours, dtype=float) - np.asarray(theirs, dtype=float)
    if len(apart) < 2:
        raise ValueError(complaint("a t test needs at least two runs", len(apart), "make more runs"))
    mean, variance = apart.mean(), apart.var(ddof=1)
    if variance == 0:
        return 1.0 if mean == 0 else 0.0
    return float(2 * t.sf(abs(mean) / np.sqrt(variance * (1 / len(apart) + test_share)), len(apart) - 1))


def average_ranks(scores: Array, *, largest_first: bool = True) -> Array:
    """The mean over data sets of the rank of each method, 1 the best; ties share their ranks.

    Parameters
    ----------
    scores : array (data sets, methods)

    Examples
    --------
    >>> average_ranks(np.array([[0.9, 0.8, 0.8], [0.7, 0.9, 0.5]]))
    array([1.5 , 1.75, 2.75])
    """
    from scipy.stats import rankdata

    signed = np.round(np.asarray(scores, dtype=float) / TIE)
    return np.asarray(rankdata(-signed if largest_first else signed, axis=1).mean(axis=0))


@dataclass(frozen=True)
class CriticalDifference:
    """Average ranks, the p-value that they are equal, and how far two must lie apart to differ."""

    methods: tuple[str, ...]
    ranks: tuple[float, ...]
    pvalue: float
    distance: float


def critical_difference(scores: Array, methods: Any, *, alpha: float = 0.05) -> CriticalDifference:
    """Friedman's test of equal ranks and Nemenyi's critical difference.

    The difference is ``q_alpha sqrt(k (k + 1) / (6 n))`` for ``k`` methods on ``n`` data sets, with ``q_alpha`` of the
    studentised range over ``sqrt 2``.

    Parameters
    ----------
    scores : array (data sets, methods)
        Larger is better.
    methods : names
    alpha : float

    References
    ----------
    J. Demsar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006).
    """
    from scipy.stats import friedmanchisquare, studentized_range

    n, k = np.shape(scores)
    if n < 2 or k < 2:
        raise ValueError(complaint("ranks are compared over data sets and methods", f"{n} x {k}", "pass two or more"))
    ranks = average_ranks(scores)
    if k == 2:  # Friedman's statistic needs three; for two the sign test is the same comparison
        first, second = np.asarray(scores).T
        pvalue = min(1.0, 2 * min(sign_test(first, second), sign_test(second, first)))
    else:
        pvalue = float(friedmanchisquare(*np.round(np.asarray(scores, dtype=float) / TIE).T).pvalue)
    distance = float(studentized_range.ppf(1 - alpha, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n)))
    return CriticalDifference(tuple(methods), tuple(map(float, ranks)), pvalue, distance)
