"""Large counts, and tables without observations.

Whatever is passed to any parameter of a public name is asked by `tests/contract`.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from splitcrit import gini_pvalue, optimal_vertex, selected_pvalue, symmetric, twoing
from splitcrit.robustness import (
    estimated_rates,
    leaf_labels,
    majority_bounds,
)

NOISE = symmetric(0.2)


def test_a_table_without_observations_has_p_value_one():
    for nothing in ([[0, 0], [0, 0]], np.zeros((3, 2), int)):
        assert selected_pvalue(nothing).value == gini_pvalue(nothing).value == 1
        assert selected_pvalue(nothing, method="exact").value == Fraction(1)


def test_large_counts_are_counted_in_integers():
    n = 10**15
    assert estimated_rates([[9 * n // 10, n // 10], [n // 10, 9 * n // 10]]).tau_neg == 0.1
    assert leaf_labels([[10**400, 1], [1, 10**400]], NOISE).tolist() == [0, 1]
    assert optimal_vertex([3 * n, 2 * n, n], twoing).left == (0,)
    assert majority_bounds([n, 2 * n], NOISE).lemma7 > 0
