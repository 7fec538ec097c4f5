"""Parameters are checked as scikit-learn checks them, though what follows from the class is found once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.tree._tree import TREE_LEAF, TREE_UNDEFINED

from splitcrit import (
    AdaptiveForestClassifier,
    AdaptiveTreeClassifier,
    ForestClassifier,
    ForestRegressor,
    TreeClassifier,
    TreeRegressor,
)

KINDS = [
    TreeClassifier, TreeRegressor, ForestClassifier, ForestRegressor, AdaptiveTreeClassifier, AdaptiveForestClassifier
]  # fmt: skip
VALUES = (None, True, 0, -1, 2, 0.5, 1.5, np.nan, "gini", "best", "sqrt", "from_dtype", [1], "words", print, object())


def verdict(check: Any) -> str:
    """Return what a check says of parameters."""
    try:
        check()
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("kind", KINDS)
def test_every_parameter_is_judged_as_scikit_learn_judges_it(kind: Any) -> None:
    refused = 0
    for name in kind().get_params():
        for value in VALUES:
            model = kind(**{name: value})
            expected = verdict(lambda m=model: BaseEstimator._validate_params(m))
            assert verdict(model._validate_params) == expected
            refused += expected != ""
    assert refused > 50


@pytest.mark.parametrize("kind", KINDS)
def test_defaults_are_allowed_and_names_are_those_of_the_constructor(kind: Any) -> None:
    BaseEstimator._validate_params(kind())
    assert kind._get_param_names() == BaseEstimator._get_param_names.__func__(kind)


def test_a_subclass_has_parameters_of_its_own() -> None:
    class Mine(TreeClassifier):
        def __init__(self, extra: int = 1, max_depth: int | None = 2) -> None:
            super().__init__(max_depth=max_depth)
            self.extra = extra

    assert Mine._get_param_names() == ["extra", "max_depth"]
    assert TreeClassifier._get_param_names() != ["extra", "max_depth"]
    assert "max_depth" in verdict(Mine(max_depth=-1)._validate_params)
    assert verdict(Mine(extra=-7)._validate_params) == ""


def test_leaves_are_marked_as_scikit_learn_marks_them() -> None:
    x = np.arange(8.0)[:, None]
    tree = TreeClassifier().fit(x, [0, 0, 1, 1, 0, 0, 1, 1]).tree_
    leaf = tree.children_left == TREE_LEAF
    assert leaf.sum() == 4
    for column in (tree.feature, tree.threshold):
        assert (column[leaf] == TREE_UNDEFINED).all()
    assert (tree.children_right[leaf] == TREE_LEAF).all() and (tree.feature[~leaf] == 0).all()
