"""Rows that grew a tree are refused, new rows are not, not even where they agree because the tree is easy."""

from __future__ import annotations

from itertools import product
from math import factorial
from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from splitcrit import TreeClassifier, TreeRegressor
from splitcrit.inference import significant_subtree
from splitcrit.inference.held_out import log_chances

RNG = np.random.default_rng(0)
X, NEW = RNG.normal(size=(2, 200, 3))
Y, TRUE = ((x[:, 0] + RNG.normal(size=200) > 0).astype(int) for x in (X, NEW))


@pytest.mark.parametrize(
    ("kind", "weights"),
    [
        (TreeClassifier(max_depth=3), None),
        (DecisionTreeClassifier(max_depth=3), None),
        (DecisionTreeClassifier(max_depth=5), "counts"),
        (DecisionTreeClassifier(max_depth=4, class_weight="balanced"), None),
        (DecisionTreeRegressor(max_depth=2), None),
        (TreeRegressor(max_depth=5), "counts"),
    ],
)
def test_training_rows_are_refused(kind: Any, weights: Any) -> None:
    given = {} if weights is None else {"sample_weight": np.arange(200) % 3 + 1}
    y, true = (X[:, 1] + Y, NEW[:, 1] + TRUE) if hasattr(kind, "max_depth") and "Regressor" in str(kind) else (Y, TRUE)
    grown = kind.fit(X, y, **given)
    for also in ({}, given):
        with pytest.raises(ValueError, match="rows that did not choose it; got rows that agree"):
            significant_subtree(grown, X, y, **also)
        significant_subtree(grown, NEW, true, rng=0, **also)
    order = RNG.permutation(200)
    with pytest.raises(ValueError, match="held out"):
        significant_subtree(grown, X[order], y[order])


def test_what_agrees_because_it_is_easy_is_not_refused() -> None:
    x, y = np.arange(80.0)[:, None], np.arange(80) >= 40
    grown = DecisionTreeClassifier().fit(x[::2], y[::2])
    assert significant_subtree(grown, x[1::2], y[1::2]).estimator.get_n_leaves() == 2


def test_the_chance_is_multinomial() -> None:
    """Of five rows that choose among three leaves by 3/5, 1/5, 1/5: all 243 ways."""
    rates = np.array([3, 1, 1]) / 5
    ways = [way for way in product(range(3), repeat=5) if np.bincount(way, minlength=3).tolist() == [3, 1, 1]]
    assert len(ways) == factorial(5) // factorial(3)
    chance = sum(np.prod(rates[list(way)]) for way in ways)
    assert np.exp(log_chances(np.array([[3], [1], [1]])).sum()) == pytest.approx(chance, rel=1e-12)
    assert np.exp(log_chances(np.array([[3, 3], [1, 1], [1, 1]])).sum()) == pytest.approx(chance**2, rel=1e-12)
