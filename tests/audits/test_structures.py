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
    """A tree of scikit-learn 1.10, as far as it differs: which features have categories, and which of these go left."""

    def __init__(self, tree: Any, categories: list[int], kind: int = 1) -> None:
        self.tree, self.categories, self.kind = tree, np.array(categories), kind

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tree, name)

    def __setstate__(self, state: Any) -> None:
        raise AssertionError("nobody sets the state of this tree")

    def __getstate__(self) -> Any:
        nodes = self.tree.__getstate__()["nodes"]
        fields = [(name, nodes.dtype[name]) for name in nodes.dtype.names]
        found = np.zeros(len(nodes), [*fields, ("left_cat_bitset", np.uint32, (8,)), ("split_kind", np.int8)])
        for name, _ in fields:
            found[name] = nodes[name]
        named = (nodes["left_child"] >= 0) & (self.categories[nodes["feature"]] > 0)
        found["split_kind"] = np.where(nodes["left_child"] < 0, -1, np.where(named, self.kind, 0))
        for node in np.flatnonzero(named):  # the codes up to the threshold
            found["left_cat_bitset"][node, 0] = 2 ** (int(nodes["threshold"][node]) + 1) - 1
        return {"nodes": found}

    def __reduce__(self) -> Any:
        make, arguments, state = self.tree.__reduce__()
        return make, (*arguments, self.categories), state


def test_categories_of_the_next_version_go_where_its_tree_says() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 30, (300, 3)), rng.integers(0, 2, 300)
    tree = DecisionTreeClassifier(random_state=0, max_depth=6).fit(x, y)
    tree.tree_ = OfCategories(tree.tree_, [30, -1, 30])
    structure = Structure.of(tree)
    assert set(structure.feature[list(structure.subsets)].tolist()) == {0, 2}
    assert np.isnan(structure.threshold[list(structure.subsets)]).all()
    assert structure.leaves(structure.rows(x), len(x)).tolist() == tree.tree_.tree.apply(x.astype(np.float32)).tolist()
    splits = audit(tree, x, y, "training").splits
    assert np.isnan(splits.threshold).tolist() == (splits.feature != 1).tolist()


@pytest.mark.parametrize("call", [audit, significant_subtree])
def test_trees_that_divide_by_hashes_are_refused_and_by_numbers_are_not(call: Any) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 4, (200, 3)), rng.integers(0, 2, 200)
    x[:, 2] = 1  # splits nothing, whatever it is
    said = "a tree that is read lists categories; got hashes, as extra trees of scikit-learn 1.10 may have; fit it with"
    for categories, refused in (([-1, -1, -1], False), ([-1, -1, 4], False), ([4, -1, -1], True)):
        forest = RandomForestClassifier(2, max_features=None, random_state=0).fit(x, y)
        for model in (forest, DecisionTreeClassifier(random_state=0).fit(x, y))[call is significant_subtree :]:
            for tree in getattr(model, "estimators_", [model]):
                tree.tree_ = OfCategories(tree.tree_, categories, kind=2)
            if refused:
                with pytest.raises(TypeError, match=said):
                    call(model, x, y)
            elif call is audit:
                assert audit(model, x, y, "held-out").splits.feature.max() < 2
