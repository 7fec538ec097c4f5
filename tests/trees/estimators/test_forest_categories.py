"""Forests and tuned estimators with categorical features: each tree is what the tree estimator grows on the counts."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from parts import same
from splitcrit import (
    AdaptiveForestClassifier,
    AdaptiveTreeClassifier,
    ForestClassifier,
    ForestRegressor,
    TreeClassifier,
    TreeRegressor,
)
from splitcrit.data import ManyLevelsWarning

ROWS = 160


def table(seed: int) -> pd.DataFrame:
    """Return a frame of words, some of which are missing, of numbers with ties, and of declared categories."""
    rng = np.random.default_rng(seed)
    colour = rng.choice(np.array(["red", "blue", "green", "pink", "grey", None], dtype=object), ROWS)
    size, shape = rng.integers(0, 7, ROWS).astype(float), rng.choice(["disc", "cube", "rod"], ROWS)
    return pd.DataFrame({"colour": colour, "size": size, "shape": pd.Categorical(shape)})


def labels(frame: pd.DataFrame, classes: int) -> np.ndarray:
    rng = np.random.default_rng(7)
    warm = frame["colour"].isin(["red", "pink"]) | frame["colour"].isna()
    likely = (warm.to_numpy().astype(int) + (frame["shape"] == "rod") + (frame["size"] > 3)) % classes
    return np.where(rng.random(ROWS) < 0.8, likely, rng.integers(0, classes, ROWS))


FRAME = table(0)
STRANGE = table(1).assign(shape=np.resize(["rod", "cone", "disc"], ROWS))
STRANGE.loc[::4, "colour"] = "mauve"


@pytest.mark.each_value
@pytest.mark.parametrize("rules", [{}, {"max_features": None, "min_samples_leaf": 3}, {"splitter": "random"}], ids=str)
@pytest.mark.parametrize(("criterion", "classes"), [("gini", 2), ("entropy", 3), ("sgini", 3)])
def test_a_tree_is_what_the_tree_estimator_grows_on_the_counts(
    criterion: str, classes: int, rules: dict[str, Any]
) -> None:
    y = labels(FRAME, classes)
    forest = ForestClassifier(4, criterion=criterion, random_state=3, categorical_features="from_dtype", **rules)
    forest.fit(FRAME, y)
    assert forest.is_categorical_.tolist() == [True, False, True]
    votes = []
    for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        alone = clone(tree).fit(FRAME, y, np.bincount(rows, minlength=ROWS))
        assert same(tree, alone)
        for frame in (FRAME, STRANGE):
            found = tree.predict_proba(frame.to_numpy())  # members know no names of features, as in scikit-learn
            np.testing.assert_array_equal(found, alone.predict_proba(frame))
        votes.append(alone.predict_proba(STRANGE))
    np.testing.assert_allclose(forest.predict_proba(STRANGE), np.mean(votes, axis=0))
    np.testing.assert_array_equal(forest.apply(STRANGE)[:, -1], alone.apply(STRANGE))
    assert forest.feature_importances_.shape == (3,) and any(tree.splits_ for tree in forest.estimators_)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_a_regression_tree_likewise(criterion: str) -> None:
    y = labels(FRAME, 3) + FRAME["size"] / 8
    forest = ForestRegressor(3, criterion=criterion, random_state=3, max_features=2, categorical_features=[0, 2])
    forest.fit(FRAME, y)
    alone = [clone(tree).fit(FRAME, y, np.bincount(rows, minlength=ROWS))
             for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True)]  # fmt: skip
    for tree, other in zip(forest.estimators_, alone, strict=True):
        assert same(tree, other)
        assert tree.splits_
    np.testing.assert_allclose(forest.predict(STRANGE), np.mean([tree.predict(STRANGE) for tree in alone], axis=0))


def test_without_samples_and_draws_all_trees_are_the_tree() -> None:
    y, rules = labels(FRAME, 3), {"categorical_features": "from_dtype", "max_exact_categories": 3}
    forest = ForestClassifier(2, bootstrap=False, max_features=None, voting="hard", **rules).fit(FRAME, y)
    tree = TreeClassifier(**rules).fit(FRAME, y)
    for member in forest.estimators_:
        assert same(member, tree)
    assert {split.method for split in tree.splits_.values()} >= {"several orders", "all subsets"}
    np.testing.assert_array_equal(forest.predict(STRANGE), tree.predict(STRANGE))
    other = pickle.loads(pickle.dumps(forest))
    np.testing.assert_array_equal(other.predict_proba(STRANGE), forest.predict_proba(STRANGE))


@pytest.mark.parametrize("model", [ForestClassifier(2), ForestRegressor(2)], ids=repr)
def test_a_second_fit_forgets_the_categories(model: Any) -> None:
    y, numbers = labels(FRAME, 2), FRAME[["size"]]
    model.set_params(categorical_features="from_dtype").fit(FRAME, y)
    model.set_params(categorical_features=None).fit(numbers, y)
    assert model.categories_ is None and model.estimators_[0].categories_ is None
    assert model.predict(numbers).shape == (ROWS,)
    member = ForestClassifier(1, categorical_features="from_dtype", random_state=0).fit(FRAME, y).estimators_[0]
    np.testing.assert_array_equal(member.fit(FRAME, y).predict(FRAME, check_input=False), member.predict(FRAME))


def test_a_warm_start_keeps_the_categories() -> None:
    y = labels(FRAME, 2)
    forest = ForestClassifier(2, warm_start=True, categorical_features=["colour", "shape"], random_state=0).fit(
        FRAME, y
    )
    whole = ForestClassifier(4, categorical_features=["colour", "shape"], random_state=0).fit(FRAME, y)
    forest.set_params(n_estimators=4).fit(FRAME, y)
    np.testing.assert_array_equal(forest.predict_proba(STRANGE), whole.predict_proba(STRANGE))
    with pytest.raises(ValueError, match="warm_start needs the same categories and groups; got other ones"):
        forest.set_params(n_estimators=5).fit(STRANGE, y)
    np.testing.assert_array_equal(forest.predict_proba(STRANGE), whole.predict_proba(STRANGE))


@pytest.mark.parametrize("given", ["from_dtype", ["code"]])
@pytest.mark.parametrize("model", [
    TreeClassifier(), TreeRegressor(), ForestClassifier(2), ForestRegressor(2), AdaptiveTreeClassifier(),
    AdaptiveForestClassifier(2),
])  # fmt: skip
def test_many_levels_are_warned_of_once_at_the_line_of_the_call(model: Any, given: Any) -> None:
    frame = pd.DataFrame({"code": [f"c{i % 30}" for i in range(50)]})
    with pytest.warns(ManyLevelsWarning, match="got 30 levels of column 'code' in 50 rows") as told:
        model.set_params(categorical_features=given).fit(frame, np.arange(50) % 2)
    assert [warning.filename for warning in told] == [__file__]


# Tuned estimators.


@pytest.mark.parametrize("refit", [True, False])
def test_a_tuned_tree_is_the_tree_of_the_criterion_that_won(refit: bool) -> None:
    y = labels(FRAME, 2)
    tuned = AdaptiveTreeClassifier(categorical_features="from_dtype", random_state=0, refit=refit).fit(FRAME, y)
    assert tuned.categories_[0] == ["blue", "green", "grey", "pink", "red", "(missing)"]
    assert list(tuned.feature_names_in_) == list(FRAME.columns) and tuned.splits_
    if refit:
        tree = TreeClassifier(criterion=tuned.criterion_, categorical_features="from_dtype", random_state=0)
        assert same(tuned, tree.fit(FRAME, y))
        np.testing.assert_array_equal(tuned.predict(STRANGE), tree.predict(STRANGE))
    assert tuned.predict(STRANGE).shape == (ROWS,) and "in {" in "".join(tuned.split_names_)


def test_a_tuned_forest_is_the_forest_of_the_criterion_that_won() -> None:
    y = labels(FRAME, 2)
    tuned = AdaptiveForestClassifier(5, categorical_features=["colour", "shape"], random_state=0).fit(FRAME, y)
    forest = ForestClassifier(5, criterion=tuned.criterion_, categorical_features=[0, 2], random_state=0).fit(FRAME, y)
    np.testing.assert_array_equal(tuned.predict_proba(STRANGE), forest.predict_proba(STRANGE))


def test_a_regression_tree_alone_is_not_asked_for_words() -> None:
    y = labels(FRAME, 2)
    member = ForestRegressor(1, categorical_features="from_dtype", random_state=0).fit(FRAME, y).estimators_[0]
    assert type(member) is TreeRegressor and member.categories_[0][-1] == "(missing)"
    assert member.predict(FRAME.to_numpy()).shape == (ROWS,)
