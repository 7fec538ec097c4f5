"""Trees and forests that draw among the features that vary: columns that do not vary take the place of none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import is_regressor

from splitcrit import ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor
from splitcrit.trees import AdaptiveForestClassifier, AdaptiveTreeClassifier

DRAWN: dict[str, Any] = {"max_features": 3, "draw": "varying", "random_state": 2}
KINDS: dict[str, Any] = {
    "tree": TreeClassifier(**DRAWN),
    "tree by a formula": TreeClassifier(criterion="matushita", **DRAWN),
    "random tree": TreeClassifier(splitter="random", min_samples_leaf=2, **DRAWN),
    "tree of compared features": TreeClassifier(criterion="calibrated", max_depth=3, **DRAWN),
    "tree of categories": TreeClassifier(categorical_features=[1, 4], **DRAWN),
    "forest": ForestClassifier(5, **DRAWN),
    "forest, random": ForestClassifier(3, splitter="random", bootstrap=False, **DRAWN),
    "forest of categories": ForestClassifier(3, categorical_features=[1, 4], **DRAWN),
    "adaptive tree": AdaptiveTreeClassifier(grid=(0.0, 0.5), **DRAWN),
    "adaptive forest": AdaptiveForestClassifier(2, grid=(0.0, 0.5), **DRAWN),
    "responses": TreeRegressor(**DRAWN),
    "random, responses": TreeRegressor(splitter="random", **DRAWN),
    "deviations": TreeRegressor(criterion="absolute_error", **DRAWN),
    "counts of categories": TreeRegressor(criterion="poisson", categorical_features=[1, 4], **DRAWN),
    "forest of responses": ForestRegressor(3, **DRAWN),
}


def data(missing: bool = False) -> tuple[Any, Any]:
    """Six columns of zeros and ones or a few numbers, and labels."""
    rng = np.random.default_rng(1)
    x = np.column_stack([rng.random((120, 4)) < [0.1, 0.2, 0.3, 0.5], rng.integers(0, 6, (120, 2))]).astype(float)
    x[:: 9 if missing else 120, 3] = np.nan if missing else 0.0
    return x, (x[:, 1] + x[:, 4] + rng.integers(0, 4, 120) > 4).astype(int)


def fitted(estimator: Any, x: Any, y: Any, **changed: Any) -> list[Any]:
    """The nodes of a tree or of the trees of a forest with the same parameters, some of them changed."""
    found = type(estimator)(**estimator.get_params(deep=False) | changed).fit(x, y)
    return [tree.tree_.__getstate__()["nodes"] for tree in getattr(found, "estimators_", [found])]


@pytest.mark.parametrize("name", KINDS)
def test_columns_that_never_vary_take_the_place_of_none(name: str) -> None:
    """As many are drawn as vary, so that all of these are tried; no two of them tie."""
    x, y = data(missing=not any(word in name for word in ("tested", "counts")))
    rng = np.random.default_rng(3)
    x[:, [0, 2, 5]] += rng.random((120, 3))
    y = y + rng.random(120) if is_regressor(KINDS[name]) else y
    wide = np.column_stack([x, np.zeros((120, 20)), np.full((120, 3), 7.0)])
    rules = {"max_features": 6, "max_depth": 2, "min_samples_leaf": 12}
    alone, among = fitted(KINDS[name], x, y, **rules), fitted(KINDS[name], wide, y, **rules)
    for one, other in zip(alone, among, strict=True):
        feature = other["feature"]  # columns of subsets stand behind the features
        assert_array_equal(one["feature"], np.where(feature >= wide.shape[1], feature - 23, feature))
        for field in ("left_child", "threshold", "n_node_samples"):
            assert_array_equal(one[field], other[field], field)
    assert sum(map(len, alone)) > 4 * len(alone)
    everything = fitted(KINDS[name], wide, y, draw="all", **rules)
    assert any(len(one) != len(other) or (one != other).any() for one, other in zip(among, everything, strict=True))


def test_rows_of_no_weight_make_no_feature_vary() -> None:
    x, y = data()
    x = np.column_stack([x, np.arange(120) == 7, np.arange(120) == 8])
    weights = (np.arange(120) % 50 > 8).astype(float)
    kept = weights > 0
    for kind in (TreeClassifier, TreeRegressor, ForestClassifier):
        given = DRAWN | ({"bootstrap": False} if kind is ForestClassifier else {})
        one, other = kind(**given).fit(x, y, weights), kind(**given).fit(x[kept], y[kept])
        assert_array_equal(one.predict(x), other.predict(x))
