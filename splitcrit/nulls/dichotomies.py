"""Small p-values where random orders have a floor: exact tests of two groups of labels beside the random orders.

With ``B`` random orders no p-value is below ``1/(1 + B)``. Labels cut in two have exact laws, which have no floor: one
class against the rest, or responses above a quantile. The two are joined with equal weights, ::

    p = min(1, 2 min(p of random orders, m min over m exact tests))

Main definitions: ``of_classes``, ``of_responses``, ``joined_pvalue``, ``log_joined_pvalue`` (of logarithms).
Main results: each part is a p-value where all orders of the labels are equally likely, and ``m``, the quantiles and the
weights are fixed before the labels are seen, so that ``P(p <= t) <= t`` by Bonferroni's inequality. Below a split that
the same labels have chosen, orders are not equally likely: the rule does not hold there.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log

import numpy as np

from splitcrit.arguments import Array

QUANTILES = 7  # at which responses are cut
PARTS = 2  # the random orders and the exact tests, with equal weights


def of_classes(codes: Array) -> Array:
    """Return for each class that occurs which labels are of it ``(m, n)``.

    Examples
    --------
    >>> of_classes(np.array([0, 2, 2, 4])).astype(int).tolist()
    [[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]]
    """
    return np.asarray(np.unique(codes)[:, None] == codes)


def of_responses(responses: Array, quantiles: int = QUANTILES) -> Array:
    """Tell which responses are above order statistic ``ceil(j n/(m + 1))``, for ``j = 1, ..., m``: ``(m, n)``.

    There are always ``m`` rows, whatever the ties: equal rows repeat a test, and a row of False has a p-value of 1.

    Examples
    --------
    >>> of_responses(np.array([1.0, 5.0, 2.0, 2.0]), 3).astype(int).tolist()
    [[0, 1, 1, 1], [0, 1, 0, 0], [0, 1, 0, 0]]
    """
    n = len(responses)
    places = [-(-j * n // (quantiles + 1)) - 1 for j in range(1, quantiles + 1)]
    return np.asarray(responses > np.sort(responses)[places][:, None])


def joined_pvalue(drawn: float, exact: Iterable[float]) -> float:
    """Return the p-value of random orders and exact tests together; tests that cannot reject count as well.

    Examples
    --------
    >>> joined_pvalue(0.001, [0.5**40, 1.0, 1.0]) == 6 * 0.5**40
    True
    >>> joined_pvalue(0.001, [0.5, 1.0, 1.0]), joined_pvalue(0.8, [1.0])
    (0.002, 1.0)
    """
    tests = list(exact)
    return min(1.0, PARTS * min([drawn, *(len(tests) * min(tests) for _ in tests[:1])]))


def log_joined_pvalue(drawn: float, exact: Iterable[float]) -> float:
    """Return the logarithm of the joined p-value, from logarithms: for example of p-values too small for a float.

    Examples
    --------
    >>> round(log_joined_pvalue(log(0.001), [-2000.0, 0.0]) - log(4), 9)
    -2000.0
    """
    tests = list(exact)
    return min(0.0, log(PARTS) + min([drawn, *(log(len(tests)) + min(tests) for _ in tests[:1])]))
