"""Intervals hold together with the probability they say, added up over all counts; those of surviving leaves do not."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.stats import binomtest, quantile_test

from splitcrit.inference.familywise import clopper_pearson, medians, simultaneous
from splitcrit.nulls.table_pvalues import table_pvalue


@pytest.mark.parametrize("delta", [0.05, 0.01])
def test_ends_are_those_of_scipy(delta: float) -> None:
    cases = [(x, n) for n in (1, 2, 7, 30) for x in range(n + 1)]
    low, high = clopper_pearson(*np.array(cases).T, delta)
    for i, (x, n) in enumerate(cases):
        theirs = binomtest(x, n).proportion_ci(1 - delta, "exact")
        assert low[i] == pytest.approx(theirs.low, rel=1e-7, abs=1e-12)  # they find the root by iteration
        assert high[i] == pytest.approx(theirs.high, rel=1e-7, abs=1e-12)


def test_without_rows_nothing_is_known() -> None:
    assert [end.tolist() for end in clopper_pearson(np.array([0]), np.array([0]), 0.05)] == [[0.0], [1.0]]


def test_more_classes_share_the_error() -> None:
    low, high = simultaneous(np.array([[3, 4, 5]]), 0.06)
    alone = clopper_pearson(np.array([3, 4, 5]), np.array([12]), 0.02)
    assert np.array_equal([low[0], high[0]], alone)


def missed(leaf: int, rate: float, alpha: float, *, survivors: bool) -> float:
    """The chance that an interval misses the rate, of a tree of one split whose leaves have as many rows and one rate.

    Of the nodes that survive the test of the root, each at .05 over their number; or of all three.
    """
    total = 0.0
    for a, b in product(range(leaf + 1), repeat=2):
        leaves = np.array([[leaf - a, a], [leaf - b, b]])
        kept = table_pvalue(leaves, 19, np.random.default_rng(0))[0] <= alpha
        root = leaves.sum(axis=0, keepdims=True)
        nodes = (leaves if kept else root) if survivors else np.vstack([root, leaves])
        low, high = simultaneous(nodes, 0.05)
        miss = ((rate < low[:, 1]) | (rate > high[:, 1])).any()
        total += miss * comb(leaf, a) * comb(leaf, b) * rate ** (a + b) * (1 - rate) ** (2 * leaf - a - b)
    return total


def test_intervals_of_all_nodes_hold_together_and_those_of_survivors_do_not() -> None:
    assert missed(10, 0.5, 0.2, survivors=False) <= 0.05
    assert missed(10, 0.5, 0.2, survivors=True) == pytest.approx(0.0669689, abs=1e-6)


@pytest.mark.parametrize("n", [1, 5, 6, 17, 60])
@pytest.mark.parametrize("delta", [0.05, 0.01])
def test_medians_have_the_ends_of_scipy(n: int, delta: float) -> None:
    values = np.random.default_rng(n).normal(size=n).round(1)
    low, high = medians([values], delta)
    theirs = quantile_test(values, p=0.5).confidence_interval(1 - delta)
    assert [low[0, 0], high[0, 0]] == [
        -np.inf if np.isnan(theirs.low) else theirs.low,
        np.inf if np.isnan(theirs.high) else theirs.high,
    ]


def missed_medians(n: int, delta: float, *, together: bool) -> Fraction:
    """The chance that an interval of two nodes of ``n`` rows misses the median 0, by the numbers below it."""
    total = Fraction(0)
    for below in product(range(n + 1), repeat=2):
        nodes = [np.arange(n) - b + 0.5 for b in below]
        ends = [medians(nodes, delta)] if together else [medians([node], delta) for node in nodes]
        miss = any(((low > 0) | (high < 0)).any() for low, high in ends)
        total += miss * Fraction(comb(n, below[0]) * comb(n, below[1]), 4**n)
    return total


def test_medians_hold_together_and_those_of_each_node_alone_do_not() -> None:
    assert 0 < missed_medians(9, 0.05, together=True) <= Fraction(1, 20)
    assert missed_medians(9, 0.05, together=False) > Fraction(1, 20)
