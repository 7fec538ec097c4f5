"""Rows are divided class by class, and what survives is counted over divisions."""

from __future__ import annotations

from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from splitcrit.inference.honest import divided, stability_of


@pytest.mark.parametrize("size", [0.1, 0.5, 0.8])
def test_of_each_class_a_share_tests_and_one_row_grows(size: float) -> None:
    codes = np.repeat([0, 1, 2], [40, 11, 1])
    grows, tests = divided(codes, size, np.random.RandomState(0))
    assert sorted([*grows, *tests]) == list(range(52))
    assert np.bincount(codes[tests], minlength=3).tolist() == [round(40 * size), round(11 * size), 0]
    assert (np.diff(tests) > 0).all() and (np.diff(grows) > 0).all()


def test_each_division_is_as_likely_as_any() -> None:
    rng = np.random.RandomState(1)
    found = [tuple(divided(np.zeros(5, dtype=int), 0.4, rng)[1]) for _ in range(2000)]
    assert len(set(found)) == comb(5, 2)
    expected = 2000 / comb(5, 2)
    assert all(abs(found.count(way) - expected) < 5 * expected**0.5 for way in set(found))  # 5 standard errors


def test_rows_that_cannot_be_divided() -> None:
    with pytest.raises(ValueError, match=r"needs rows to grow on and rows to test on; got test_size=0.5 of 1 sample;"):
        divided(np.zeros(1, dtype=int), 0.5, np.random.RandomState(0))
    with pytest.raises(ValueError, match=r"got test_size=0.1 of 8 samples"):
        divided(np.repeat([0, 1], 4), 0.1, np.random.RandomState(0))


def survivor(features: list[int], children: list[int], **more: Any) -> Any:
    """A result by the features of its tree, and which of its nodes divide."""
    tree = SimpleNamespace(feature=np.array(features), children_left=np.array(children))
    rejected = np.array(children) >= 0
    return SimpleNamespace(tests=SimpleNamespace(rejected=rejected), estimator=SimpleNamespace(tree_=tree, **more))


def test_features_are_counted_once_a_division() -> None:
    results = [
        survivor([2, 0, -2, -2, -2], [1, 2, -1, -1, -1]),
        survivor([0, 0, -2, -2, -2], [1, 2, -1, -1, -1]),
        survivor([-2], [-1]),
        survivor([7, -2, -2], [1, -1, -1], splits_={0: SimpleNamespace(feature=1)}),  # a subset of feature 1
    ]
    found = stability_of(results, 3)
    assert found.root.tolist() == [0.25, 0.25, 0.25]
    assert found.anywhere.tolist() == [0.5, 0.25, 0.25]
    assert found.leaves.tolist() == [3, 3, 1, 2]
