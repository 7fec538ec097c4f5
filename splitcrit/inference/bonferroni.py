"""A bound on the p-value of the best Gini gain of all features in a node of two classes, without permutations.

Main definitions: ``best_gain_pvalue``.
Main results: if the labels of ``n`` rows are in random order, a feature with a cut at each place reaches a gain with a
probability that lattice paths give (``nulls.selected``); one with equal values has fewer cuts and reaches it no more
often; any of ``d`` features does with at most ``d`` times that probability (Bonferroni).
Source: hothorn2006, Section 3 (a node's features together); strobl2007 (the law without ties).
"""

from __future__ import annotations

from math import exp

import numpy as np

from splitcrit.nulls.extremes import GINI, Bar, inside
from splitcrit.nulls.lattice import surprise_of_leaving


def best_gain_pvalue(left: tuple[int, int], right: tuple[int, int], features: int, min_leaf: int = 1) -> float:
    """Return the p-value of a node's best cut, given the class counts of its two sides.

    Parameters
    ----------
    left, right : two int
        Class counts of both sides of the cut whose Gini gain is largest.
    features : int
        How many features there were to choose from; those that are constant in the node need not count.
    min_leaf : int
        The fewest rows that a side may have.

    Examples
    --------
    >>> round(best_gain_pvalue((3, 0), (0, 3), 1), 12), round(best_gain_pvalue((3, 0), (0, 3), 4), 12)
    (0.1, 0.4)
    """
    m, x = sum(left), left[0]
    n, b = m + sum(right), left[0] + right[0]
    if 2 * b > n:
        b, x = n - b, left[1]
    score = float(GINI.scores(n, b, np.array([m]), np.array([n * x - m * b]))[0])
    bounds = inside(Bar.of_table(GINI, n, b, m, x, score), np.arange(min_leaf, n - min_leaf + 1))
    return min(1.0, features * exp(-surprise_of_leaving(n, b, *bounds)))
