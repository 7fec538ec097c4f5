"""Scores of many 2 x K tables of counts against chance: each different table once.

Main definitions: ``Chances``, ``chances``, ``by_discoveries``.
Main results: a p-value is exact, or one of random tables, which is exact as a test however few are drawn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.inference.draws import drawn_pvalues
from splitcrit.inference.tails import MOST_ROWS, in_order, tails
from splitcrit.nulls import gini_pvalue, sgini

Array = NDArray[Any]


class Chances(NamedTuple):
    """Of each table SGini and the p-value, how many p-values are of random tables, and which could be below 1.

    Whether one could depends on the sides and the classes alone: both sides have rows, of at least two classes.
    """

    sgini: Array
    pvalue: Array
    sampled: int
    testable: Array


def chances(tables: Array, samples: int, rng: np.random.Generator, *, tested: bool = True) -> Chances:
    """Return the scores of tables ``(m, 2, K)``; p-values are nan unless ``tested``.

    Examples
    --------
    >>> found = chances(np.array([[[3, 0], [1, 6]], [[6, 1], [0, 3]], [[2, 2], [0, 0]]]), 99, np.random.default_rng(0))
    >>> found.pvalue.round(4).tolist(), found.testable.tolist()
    ([0.0333, 0.0333, 1.0], [True, True, False])
    """
    testable = (tables.sum(axis=2) > 0).all(axis=1) & ((tables.sum(axis=1) > 0).sum(axis=1) > 1)
    score, p = np.zeros(len(tables)), np.where(tested, np.ones(len(tables)), np.nan)
    different, place = np.unique(in_order(tables[testable]), axis=0, return_inverse=True)
    score[testable] = np.asarray(sgini(different))[place] if len(different) else 0.0
    sampled = np.zeros(len(different), dtype=bool)
    if tested and len(different):
        found, sampled = _pvalues(different, samples, rng)
        p[testable] = found[place]
    return Chances(score, p, int(sampled[place].sum()), testable)


def _pvalues(tables: Array, samples: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return the p-value of each table, and whether it is one of random tables."""
    found = tails(tables)
    large = np.isnan(found)
    drawn = large & (tables.shape[2] > 2) & (tables.sum(axis=(1, 2)) <= MOST_ROWS)
    found[drawn] = drawn_pvalues(tables[drawn], samples, rng)
    if (huge := large & ~drawn).any():
        method: Any = "exact" if tables.shape[2] == 2 else "monte_carlo"
        found[huge] = gini_pvalue(tables[huge], method=method, samples=samples, rng=rng).value
    return found, large & (tables.shape[2] > 2)


def by_discoveries(pvalues: Array) -> Array:
    """Return p-values adjusted by Benjamini and Yekutieli: those up to alpha have a false discovery rate of alpha.

    With m p-values in order, ``min over j >= i of p_(j) m (1 + 1/2 + ... + 1/m) / j``, at most 1, whatever their
    dependence. A missing p-value stays missing and does not count.

    References
    ----------
    benjamini2001, Theorem 1.3.

    Examples
    --------
    >>> by_discoveries(np.array([0.01, np.nan, 0.04])).round(3).tolist()
    [0.03, nan, 0.06]
    """
    from scipy.stats import false_discovery_control

    found, there = np.full(len(pvalues), np.nan), ~np.isnan(pvalues)
    if there.any():
        found[there] = false_discovery_control(pvalues[there], method="by")
    return found
