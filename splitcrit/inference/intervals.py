"""Intervals of class probabilities that hold for all nodes of a tree at once, whichever of them are then looked at.

Main definitions: ``clopper_pearson``, ``simultaneous``; ``medians``.
Main results: among the rows that did not grow the tree, the count of a class in a node is binomial given the number of
rows there. With an error of ``delta/(2m + 1)`` for each of the ``2m + 1`` nodes of a tree of ``m`` splits (its root,
and two children of each split), divided again by the number of classes where there are more than two, all intervals
hold together with probability at least ``1 - delta``: Bonferroni's inequality. They are for the nodes of the tree that
was grown. Intervals for the surviving leaves alone, each at ``delta`` over their number, do not hold together, for what
survives depends on the same rows. With tests of level alpha on these rows, the probability of any error at all is at
most alpha + delta. Of responses whose law is not known the median has such intervals, between two of the ordered
responses: the number of responses below a median is at most binomial with probability 1/2.
Source: clopper1934; thompson1936 for medians.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def clopper_pearson(successes: Array, rows: Array, delta: float) -> tuple[Array, Array]:
    """Return the ends of intervals for a probability, each of which fails with probability at most delta.

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


def simultaneous(counts: Array, delta: float) -> tuple[Array, Array]:
    """Return the ends ``(nodes, K)`` of intervals that hold together, of class counts ``(nodes, K)``.

    Examples
    --------
    >>> low, high = simultaneous(np.array([[20, 20], [18, 2], [2, 18]]), 0.05)
    >>> low[1].round(3).tolist(), high[1].round(3).tolist()
    ([0.634, 0.007], [0.993, 0.366])
    """
    nodes, classes = counts.shape
    each = delta / (nodes * (classes if classes > 2 else 1))  # of two classes one interval is the other's mirror image
    return clopper_pearson(counts, counts.sum(axis=1, keepdims=True), each)


def medians(responses: Sequence[Array], delta: float) -> tuple[Array, Array]:
    """Return the ends ``(nodes, 1)`` of intervals of the median that hold together, of the responses in each node.

    Each ends at the k-th smallest and the k-th largest response, for the largest k that fails with probability at most
    its part of delta; without such a k it is infinite.

    Examples
    --------
    >>> low, high = medians([np.arange(20.0), np.arange(3.0)], 0.1)
    >>> low.ravel().tolist(), high.ravel().tolist()
    ([5.0, -inf], [14.0, inf])
    """
    from scipy.special import bdtr

    found = np.full((2, len(responses), 1), [[[-np.inf]], [[np.inf]]])
    for node, values in enumerate(responses):
        ordered, fails = np.sort(values), bdtr(np.arange(len(values) // 2), len(values), 0.5)  # of k = 1, 2, ...
        if k := int((fails <= delta / (2 * len(responses))).sum()):
            found[:, node, 0] = ordered[k - 1], ordered[-k]
    return found[0], found[1]
