"""Trees with categorical features keep scikit-learn's contract: columns, names, bad input, missing and new values."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from splitcrit import TreeClassifier

ROWS = 300


def table() -> pd.DataFrame:
    """Return a frame of text, a number and a category; some colours are missing."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({
        "colour": rng.choice(["red", "blue", "green", "pink"], ROWS),
        "size": rng.normal(size=ROWS),
        "shape": pd.Categorical(rng.choice(["disc", "cube", "rod"], ROWS)),
    })  # fmt: skip
    frame.loc[:20, "colour"] = None
    return frame


def label(frame: pd.DataFrame) -> np.ndarray:
    warm = frame["colour"].isin(["red", "pink"]) | frame["colour"].isna()
    return np.where(warm & (frame["size"] > 0) | (frame["shape"] == "rod"), "yes", "no")


FRAME, LABEL = table(), label(table())


@pytest.fixture(scope="module")
def tree() -> TreeClassifier:
    return TreeClassifier(categorical_features="from_dtype").fit(FRAME, LABEL)


# Which features are categorical.


@pytest.mark.parametrize(
    "given", ["from_dtype", ["colour", "shape"], [0, 2], [0, -1], [True, False, True], np.array([2, 0])], ids=str
)
def test_masks_places_names_and_dtypes_mean_the_same(given: Any, tree: TreeClassifier) -> None:
    other = TreeClassifier(categorical_features=given).fit(FRAME, LABEL)
    assert other.is_categorical_.tolist() == [True, False, True]
    assert other.splits_ == tree.splits_ and other.score(FRAME, LABEL) == 1.0


def test_an_array_without_dtypes_has_no_categorical_features() -> None:
    x = np.random.default_rng(0).integers(0, 4, size=(50, 2)).astype(float)
    tree = TreeClassifier(categorical_features="from_dtype").fit(x, x[:, 0] > 1)
    assert tree.categories_ is None and tree.is_categorical_ is None and tree.splits_ == {}
    assert tree.split_names_ == ["x0", "x1"]


def test_text_that_is_not_named_is_refused() -> None:
    with pytest.raises(ValueError, match=r"features are numbers; got .* in column 'colour'; pass"):
        TreeClassifier(categorical_features=["shape"]).fit(FRAME, LABEL)


# What the tree says.


def test_tree_is_over_features_and_subsets(tree: TreeClassifier) -> None:
    assert tree.n_features_in_ == 3 and tree.tree_.n_features == len(tree.split_names_) > 3
    assert list(tree.feature_names_in_) == tree.split_names_[:3]
    assert tree.tree_.max_depth == tree.get_depth()
    assert set(tree.splits_) == set(np.flatnonzero(tree.tree_.feature >= 3))
    assert all(tree.tree_.threshold[node] == 0.5 for node in tree.splits_)


def walked(tree: Any, frame: pd.DataFrame, row: int) -> int:
    """Return the leaf of a row by the splits' own words."""
    node = 0
    while tree.tree_.children_left[node] >= 0:
        if (split := tree.splits_.get(node)) is None:
            left = frame.iloc[row, tree.tree_.feature[node]] <= tree.tree_.threshold[node]
        else:
            value = frame.iloc[row, split.feature]
            value = "(missing)" if pd.isna(value) else value
            left = split.others == "left" if value not in split.left + split.right else value in split.left
        node = (tree.tree_.children_left if left else tree.tree_.children_right)[node]
    return int(node)


def test_predictions_follow_the_splits(tree: TreeClassifier) -> None:
    strange = FRAME.copy()
    strange["shape"] = strange["shape"].astype(object)
    strange.loc[::3, "colour"] = "violet"
    strange.loc[::5, "shape"] = None
    for frame in (FRAME, strange):
        leaves = tree.apply(frame)
        assert leaves.tolist() == [walked(tree, frame, row) for row in range(ROWS)]
        assert (tree.decision_path(frame).toarray()[np.arange(ROWS), leaves] == 1).all()
        proba = tree.tree_.value[leaves][:, 0]
        assert np.allclose(tree.predict_proba(frame), proba)
        assert (tree.predict(frame) == tree.classes_[proba.argmax(axis=1)]).all()


def test_missing_values_are_a_category_of_their_own(tree: TreeClassifier) -> None:
    assert tree.categories_[0] == ["blue", "green", "pink", "red", "(missing)"]
    assert tree.categories_[1] is None
    with_missing = [s for s in tree.splits_.values() if "(missing)" in s.left + s.right]
    assert with_missing and all(("(missing)" in s.left) == ("red" in s.left) for s in with_missing)


def test_new_and_missing_categories_go_with_the_heavier_child() -> None:
    x = pd.DataFrame({"c": ["a"] * 3 + ["b"] * 5 + ["d"] * 2})
    y = np.array([0] * 3 + [1] * 5 + [0] * 2)
    tree = TreeClassifier(categorical_features="from_dtype").fit(x, y)
    (split,) = tree.splits_.values()
    sides = {"left": split.left, "right": split.right}
    assert {frozenset(side) for side in sides.values()} == {frozenset("b"), frozenset("ad")}
    assert split.others == "right"  # as much weight on both sides
    heavier = TreeClassifier(categorical_features="from_dtype").fit(pd.concat([x, x[3:8]]), np.append(y, [1] * 5))
    (split,) = heavier.splits_.values()
    assert "b" in getattr(split, split.others)
    assert heavier.predict(pd.DataFrame({"c": ["new", None, "a"]})).tolist() == [1, 1, 0]


def test_a_category_of_another_branch_goes_with_the_heavier_child() -> None:
    rows = [("a", 0, 0)] * 4 + [("b", 0, 1)] * 6 + [("c", 1, 0)] * 9
    x = pd.DataFrame([(c, n) for c, n, _ in rows], columns=["c", "n"])
    tree = TreeClassifier(categorical_features=["c"], max_features=1, random_state=0)
    for seed in range(20):
        tree.set_params(random_state=seed).fit(x, [k for *_, k in rows])
        if tree.tree_.feature[0] == 1:
            break
    (split,) = tree.splits_.values()
    assert set(split.left + split.right) == {"a", "b"} and "b" in getattr(split, split.others)
    assert tree.predict(pd.DataFrame({"c": ["c"], "n": [0]})).tolist() == [1]


def test_names_say_what_goes_right(tree: TreeClassifier) -> None:
    for node, split in tree.splits_.items():
        name = tree.split_names_[tree.tree_.feature[node]]
        assert name == f"{split.name} in {{{', '.join(split.right)}}}"


# What scikit-learn does with estimators.


def test_clones_pickles_and_refits_agree(tree: TreeClassifier) -> None:
    for other in (clone(tree).fit(FRAME, LABEL), pickle.loads(pickle.dumps(tree))):
        assert other.splits_ == tree.splits_ and (other.predict(FRAME) == tree.predict(FRAME)).all()
    refitted = clone(tree).fit(FRAME, LABEL).set_params(categorical_features=None).fit(FRAME[["size"]], LABEL)
    assert refitted.categories_ is None and refitted.splits_ == {} and refitted.tree_.n_features == 1


def test_pruning() -> None:
    whole = TreeClassifier(categorical_features="from_dtype").fit(FRAME, LABEL)
    path = whole.cost_complexity_pruning_path(FRAME, LABEL)
    pruned = clone(whole).set_params(ccp_alpha=path.ccp_alphas[1]).fit(FRAME, LABEL)
    assert 1 < pruned.tree_.node_count < whole.tree_.node_count
    assert pruned.tree_.n_features == whole.tree_.n_features and len(pruned.feature_importances_) == 3
    assert set(pruned.splits_) <= set(range(pruned.tree_.node_count))
    assert pruned.score(FRAME, LABEL) > 0.7
    assert path.impurities[0] == pytest.approx(0.0)


@pytest.mark.parametrize("options", [{"max_leaf_nodes": 4}, {"min_impurity_decrease": 0.05}, {"max_depth": 1}], ids=str)
def test_a_cut_tree_keeps_only_the_subsets_it_uses(options: dict[str, Any]) -> None:
    tree = TreeClassifier(categorical_features="from_dtype", **options).fit(FRAME, LABEL)
    used = np.unique(tree.tree_.feature[tree.tree_.feature >= 3])
    assert used.tolist() == list(range(3, tree.tree_.n_features))
    assert tree.apply(FRAME).max() < tree.tree_.node_count


def test_new_columns_or_names_are_refused_as_scikit_learn_does(tree: TreeClassifier) -> None:
    with pytest.raises(ValueError, match="feature names should match"):
        tree.predict(FRAME[["shape", "size", "colour"]])
    nameless = TreeClassifier(categorical_features=[0, 2]).fit(FRAME.to_numpy(), LABEL)
    with pytest.raises(ValueError, match="X has 2 features"):
        nameless.predict(FRAME.to_numpy()[:, :2])
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        tree.predict(FRAME.to_numpy())
