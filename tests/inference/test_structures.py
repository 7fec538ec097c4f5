"""The rows that reach the nodes of a tree are those that scikit-learn says."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.tree import DecisionTreeRegressor

from splitcrit import TreeClassifier
from splitcrit.inference.tree_arrays import Structure


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
