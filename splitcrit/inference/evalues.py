"""E-values of the features of a model, and which features pass at a false discovery rate, whatever the dependence.

Main definitions: ``evalue`` of a p-value, ``mean_evalues`` of features, ``discovery_rates``.
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
