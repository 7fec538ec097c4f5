"""The best division of categories in two, beside the best of all subsets."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from splitcrit import decrease, gini
from splitcrit.columns.ranking import _better_half


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=2, max_size=6))
def test_the_difference_of_a_category_is_that_of_its_best_division(counts: list[tuple[int, int]]) -> None:
    table = np.array(counts)
    totals = table.sum(axis=0)
    if 0 in totals:
        return
    gains = {}
    for side in itertools.product((False, True), repeat=len(table)):
        left = table[np.array(side)].sum(axis=0)
        if 0 < left.sum() < totals.sum():
            gains[side] = decrease(gini).exact([left.tolist(), (totals - left).tolist()])
    best = max(gains.values())
    found = _better_half(table)
    assert decrease(gini).exact([found.tolist(), (totals - found).tolist()]) == best
