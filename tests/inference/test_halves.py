"""What both honest trees do with rows, seeds and estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from splitcrit.inference import HonestTreeClassifier, HonestTreeRegressor
from splitcrit.inference.honest import HonestTree

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 2))
Y = (X[:, 0] > 0).astype(int)
KINDS: list[tuple[Any, Any, Any]] = [
    (HonestTreeClassifier, DecisionTreeClassifier, Y),
    (HonestTreeRegressor, DecisionTreeRegressor, X[:, 0]),
]


def test_what_they_share_is_no_estimator() -> None:
    with pytest.raises(TypeError, match="abstract"):
        HonestTree()  # type: ignore[abstract]


@pytest.mark.parametrize(("honest", "tree", "y"), KINDS)
def test_the_tree_that_is_passed_stays_as_it_was_and_random_ones_are_seeded(honest: Any, tree: Any, y: Any) -> None:
    given = tree(splitter="random")
    one, two = (honest(given, random_state=3).fit(X, y) for _ in range(2))
    assert not hasattr(given, "tree_") and given.random_state is None
    assert one.grown_.tree_.threshold.tolist() == two.grown_.tree_.threshold.tolist()
    assert honest(tree(random_state=7), random_state=3).fit(X, y).grown_.random_state == 7


@pytest.mark.parametrize(("honest", "tree", "y"), KINDS)
def test_rows_end_in_leaves_of_the_tree_that_is_kept(honest: Any, tree: Any, y: Any) -> None:
    found = honest(tree(), random_state=0).fit(X, y)
    assert set(found.apply(X)) == set(np.flatnonzero(found.tree_.children_left < 0))
    assert found.tree_ is found.estimator_.tree_
    with pytest.raises(NotFittedError):
        honest().apply(X)
    with pytest.raises(NotFittedError):
        honest().predict(X)


@pytest.mark.parametrize(("honest", "tree", "y"), KINDS)
def test_rows_that_are_none(honest: Any, tree: Any, y: Any) -> None:
    with pytest.raises(TypeError, match="features are dense; got a sparse csr_array"):
        honest().fit(csr_array(X), y)
    with pytest.raises(ValueError, match="a table of rows and columns; got 1 axis"):
        honest().fit(X[:, 0], y)
    with pytest.raises(ValueError, match="one entry for each of 80 rows; got 4 entries"):
        honest().fit(X, y[:4])
    with pytest.raises(ValueError, match="requires y"):
        honest().fit(X, None)
    with pytest.raises(ValueError, match="random_state is an integer"):
        honest(random_state=-1).fit(X, y)
    with pytest.raises(TypeError, match="tree; got LogisticRegression" if y is not Y else "pass a fitted tree"):
        honest(LogisticRegression()).fit(X, y)


def test_a_tree_of_the_other_kind() -> None:
    with pytest.raises(TypeError, match="the estimator is a classification tree; got DecisionTreeRegressor"):
        HonestTreeClassifier(DecisionTreeRegressor()).fit(X, Y)
    with pytest.raises(TypeError, match=r"the estimator is a regression tree; got DecisionTreeClassifier; pass Tree"):
        HonestTreeRegressor(DecisionTreeClassifier()).fit(X, X[:, 0])


def test_weights_of_nothing_leave_rows_out() -> None:
    weights = np.arange(80) % 2
    found = HonestTreeClassifier(random_state=0).fit(X, Y, weights)
    assert (found.test_rows_ % 2 == 1).all()
    assert found.grown_.tree_.n_node_samples[0] + len(found.test_rows_) == 40
