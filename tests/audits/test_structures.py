"""The rows that reach the nodes of a tree are those that scikit-learn says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from splitcrit import TreeClassifier
from splitcrit.audits import audit
from splitcrit.inference import significant_subtree
from splitcrit.trees.tree_arrays import Structure


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("kind", [TreeClassifier, DecisionTreeRegressor, ExtraTreesClassifier])
def test_rows_reach_the_nodes_of_scikit_learns_own_path(kind: type, missing: bool) -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(200, 4)).round(1)
    y = (x[:, 0] + rng.normal(size=200) > 0).astype(int)
    if missing:
        x[rng.random(x.shape) < 0.1] = np.nan
    model = kind(random_state=3, max_depth=5).fit(x, y)
    for tree in getattr(model, "estimators_", [model]):
        path = tree.decision_path(x).toarray().astype(bool)
        found = Structure.of(tree).rows(x)
        assert [rows.tolist() for rows in found] == [np.flatnonzero(column).tolist() for column in path.T]


def test_what_has_no_nodes_is_refused() -> None:
    with pytest.raises(TypeError, match="pass a fitted tree"):
        Structure.of(object())


class OfCategories:
    """A tree of scikit-learn 1.10, whose constructor takes the number of categories of each column, -1 of numbers."""

    def __init__(self, tree: Any, categories: list[int]) -> None:
        self.tree, self.categories = tree, np.array(categories)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tree, name)

    def __setstate__(self, state: Any) -> None:
        raise AssertionError("nobody sets the state of this tree")

    def __reduce__(self) -> Any:
        make, arguments, state = self.tree.__reduce__()
        return make, (*arguments, self.categories), state


@pytest.mark.parametrize("call", [audit, significant_subtree])
def test_trees_that_divide_by_categories_are_refused_and_by_numbers_are_not(call: Any) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 4, (200, 3)), rng.integers(0, 2, 200)
    x[:, 2] = 1  # splits nothing, whatever it is
    said = (
        "a tree that is read divides by numbers; got categories, as trees of scikit-learn 1.10 may have; fit it without"
    )
    for categories, refused in (([-1, -1, -1], False), ([-1, -1, 4], False), ([4, -1, -1], True)):
        forest = RandomForestClassifier(2, max_features=None, random_state=0).fit(x, y)
        for model in (forest, DecisionTreeClassifier(random_state=0).fit(x, y))[call is significant_subtree :]:
            for tree in getattr(model, "estimators_", [model]):
                tree.tree_ = OfCategories(tree.tree_, categories)
            if refused and call is not audit:
                with pytest.raises(TypeError, match=said):
                    call(model, x, y)
            elif call is audit:
                splits = audit(model, x, y, "held-out").splits
                assert splits.feature.max() < 2 and np.isnan(splits.threshold[splits.feature == 0]).all() == refused
