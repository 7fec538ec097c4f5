"""E-values of the features of a model, and which features pass at a false discovery rate, whatever the dependence.

Main definitions: ``evalue`` of a p-value, ``mean_evalues`` of features, ``discovery_rates``; ``bars``, the e-values
that features need, and ``least_pvalues``, which bounds those that they could have.
Main results: an e-value is at least 0 and has a mean of at most 1 under its null hypothesis. If ``P(p <= t) <= t`` for
all t, then ``p^(-1/2) - 1`` is one: it falls in p, so that its mean is at most that for a uniform p, ::

    integral over (0, 1) of (u^(-1/2) - 1) du = 2 - 1 = 1.

A mean of e-values is an e-value whatever their dependence, if its weights do not depend on the rows that test. Of d
e-values the k largest pass, k the largest number with ``e_(k) >= d/(alpha k)``. *Proof* of the false discovery rate:
each that passes has ``1/k <= alpha e/d``, so that the false share is at most ``alpha/d`` times the sum of the e-values
of true null hypotheses, whose mean is at most their number.
Source: shafer2021 (the calibrator), vovk2021 (means), wangramdas2022 (the rule).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from splitcrit.arguments import Array

SMALLEST = 1e-300  # p-values below it count as it: a larger p-value is valid as well


def evalue(pvalue: Any) -> Any:
    """Return the e-value ``p^(-1/2) - 1`` of a p-value, 0 where p = 1.

    Examples
    --------
    >>> evalue(np.array([1e-6, 0.25, 1.0])).round(9).tolist()
    [999.0, 1.0, 0.0]
    """
    return np.maximum(pvalue, SMALLEST) ** -0.5 - 1


def mean_evalues(pvalues: Array, weights: Array, feature: Array, features: int) -> Array:
    """Return the weighted mean e-value ``(d,)`` of the splits of each feature; 0 of one that splits no node.

    Weights below 0, or nan, count as 0; a feature whose weights are all 0 has the plain mean.

    Examples
    --------
    >>> mean_evalues(np.array([0.01, 1.0, 0.25]), np.array([1.0, 2.0, 0.0]), np.array([0, 0, 1]), 3).tolist()
    [3.0, 1.0, 0.0]
    """
    weights = np.nan_to_num(np.maximum(weights, 0))
    weights = np.where(np.bincount(feature, weights, features)[feature] > 0, weights, 1.0)
    total = np.bincount(feature, weights, features)
    return np.asarray(np.bincount(feature, weights * evalue(pvalues), features) / np.where(total > 0, total, 1.0))


def discovery_rates(evalues: Sequence[Any]) -> list[Any]:
    """Return for each of ``d`` e-values the least false discovery rate at which it passes, at most 1.

    ``min over j >= i of d/(j e_(j))`` for the ``i``-th largest.

    References
    ----------
    wangramdas2022, Definition 1.

    Examples
    --------
    >>> discovery_rates([50.0, 0.0, 100.0, 1.0])
    [0.04, 1, 0.04, 1]
    """
    rates, least = [1] * len(evalues), 1
    for rank, j in reversed([*enumerate(sorted(range(len(evalues)), key=evalues.__getitem__, reverse=True), 1)]):
        if evalues[j] > 0:
            least = min(least, len(evalues) / (rank * evalues[j]))
        rates[j] = least
    return rates


def bars(evalues: Array, alpha: float) -> Array:
    """Return for each e-value that does not pass at ``alpha`` the least one that would, the others being as they are.

    Examples
    --------
    >>> bars(np.array([100.0, 25.0, 0.0]), 0.05).round(9).tolist()  # the second passes at 30, the third at 20
    [60.0, 30.0, 20.0]
    """
    k = np.arange(1, len(evalues) + 1)
    need = len(evalues) / (alpha * k)
    reached = len(evalues) - np.searchsorted(np.sort(evalues), need)
    lacking = np.append(need[0], need[reached == k - 1])[::-1]  # rising: one more e-value is enough for these k
    return np.asarray(lacking[np.minimum(np.searchsorted(lacking, evalues, side="right"), len(lacking) - 1)])


def least_pvalues(tables: Array) -> Array:
    """Return for tables ``(m, 2, K)`` the least p-value of a table with the same margins; of three classes a bound.

    A table with the margins is one of ``C(n, a)`` choices of the rows on one side, and has at least one of them.

    Examples
    --------
    >>> least_pvalues(np.array([[[3, 2], [1, 4]], [[0, 0], [4, 2]]])).round(4).tolist()  # 6 + 6 of C(10, 5)
    [0.0476, 1.0]
    """
    from scipy.special import comb
    from scipy.stats import hypergeom

    left, classes = tables[:, 0].sum(axis=1), tables.sum(axis=1)
    rows = classes.sum(axis=1)
    if tables.shape[2] != 2:
        return np.where((classes > 0).sum(axis=1) > 1, 1 / comb(rows, left), 1.0)
    first, second = classes.T
    ends = np.stack([np.maximum(left - second, 0), np.minimum(left, first)])  # of the first class on the left
    apart = np.abs(rows * ends - left * first)
    chance = np.where(apart == apart.max(axis=0), hypergeom.pmf(ends, rows, first, left), 0.0)
    return np.asarray(np.minimum(chance.sum(axis=0), 1.0))
