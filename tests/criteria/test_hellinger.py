"""Hellinger's distance and DKM: their values, what the skew of the classes does, and trees by their names."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest

from splitcrit import ForestClassifier, TreeClassifier, decrease, dkm, hellinger, matushita, sqrt_gini
from splitcrit.criteria.facts import known

RNG = np.random.default_rng(11)
TABLES = RNG.integers(0, 30, size=(40, 2, 2)) + np.eye(2, dtype=int)


def distance(table: Any) -> float:
    """The distance by its definition, loop by loop."""
    negatives, positives = sum(row[0] for row in table), sum(row[1] for row in table)
    return sqrt(sum((sqrt(x / negatives) - sqrt(y / positives)) ** 2 for x, y in table))


@pytest.mark.parametrize("rows", [2, 3, 5])
def test_hellinger_is_the_distance_of_the_rates_of_both_classes(rows: int) -> None:
    tables = RNG.integers(0, 9, size=(30, rows, 2)) + 1
    assert np.allclose(hellinger(tables), [distance(t) for t in tables], rtol=1e-14, atol=0)


def test_its_ends_are_0_at_equal_rates_or_one_class_and_the_root_of_2_at_pure_rows() -> None:
    assert hellinger([[2, 4], [3, 6]]) == 0 == hellinger([[2, 0], [3, 0]]) == hellinger([[0, 0], [0, 0]])
    assert hellinger([[5, 0], [0, 2]]) == sqrt(2)
    assert dkm([[5, 0], [0, 5]]) == 1


def test_dkm_is_twice_sqrt_gini_and_matushita() -> None:
    assert np.allclose(dkm(TABLES), 2 * decrease(sqrt_gini)(TABLES), rtol=1e-12, atol=1e-15)
    assert np.allclose(dkm(TABLES), decrease(matushita)(TABLES), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("name", ["hellinger", "dkm"])
def test_trees_take_them_by_name_and_grow_as_by_sqrt_gini(name: str) -> None:
    x = RNG.normal(size=(150, 3)).round(1)
    y = (x[:, 0] + RNG.normal(size=150) > 1.2).astype(int)
    mine, other = (TreeClassifier(criterion=c, max_depth=4).fit(x, y).tree_ for c in (name, sqrt_gini))
    assert mine.node_count == other.node_count > 5
    assert np.array_equal(mine.feature, other.feature) and np.array_equal(mine.threshold, other.threshold)
    assert ForestClassifier(criterion=name, n_estimators=2, random_state=0).fit(x, y).score(x, y) > 0.7


def test_categories_are_divided_by_the_share_of_a_class() -> None:
    assert [known(c, "ordering shortcut", 2) for c in (hellinger, dkm)] == ["holds", "holds"]
    assert known(dkm, "concave", 2) == "holds" and known(hellinger, "keeps order under uniform noise", 2) == "refuted"
    assert known(dkm, "concave", 3) == "unknown"
