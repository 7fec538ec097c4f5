"""Intervals of a probability by the number of successes.

Main definitions: ``clopper_pearson``.
Source: clopper1934.
"""

from __future__ import annotations

import numpy as np

from splitcrit.arguments import Array


def clopper_pearson(successes: Array, rows: Array, delta: float) -> tuple[Array, Array]:
    """The ends of intervals for a probability, each of which fails with probability at most delta.

    Each end fails with probability at most delta/2; without rows the interval is [0, 1].

    Examples
    --------
    >>> low, high = clopper_pearson(np.array([0, 8]), np.array([10, 10]), 0.05)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0, 0.4439], [0.3085, 0.9748])
    """
    from scipy.special import betaincinv

    x, n = np.asarray(successes, dtype=float), np.asarray(rows, dtype=float)
    low = np.where(x > 0, betaincinv(np.maximum(x, 1), n - x + 1, delta / 2), 0.0)
    high = np.where(x < n, betaincinv(x + 1, np.maximum(n - x, 1), 1 - delta / 2), 1.0)
    return low, high
