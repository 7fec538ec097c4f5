"""The estimators keep scikit-learn's contract: its own checks, cloning, pickling, grid search, names, exports."""

import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from splitcrit import Criterion, TreeClassifier, TreeRegressor, decrease, gce, gini, ne, sgini, twoing
from splitcrit.losses import square

ROOT = Path(__file__).parents[2]


CATEGORIES = {"categorical_features", "max_exact_categories"}
OURS = {"draw", "min_gain", *CATEGORIES}
# What a criterion may be.


@pytest.mark.parametrize("same", [("gini", gini), ("gini", decrease(gini)), (sgini, "sgini"), ("twoing", twoing)])
def test_a_name_an_impurity_and_a_criterion_mean_the_same(same: tuple, iris: tuple) -> None:
    trees = [TreeClassifier(criterion=criterion).fit(*iris).tree_ for criterion in same]
    assert trees[0].node_count > 3
    assert_array_equal(trees[0].threshold, trees[1].threshold)
    assert_array_equal(trees[0].impurity, trees[1].impurity)


# Values among parameters.


def test_clone_get_params_and_repr(iris: tuple) -> None:
    tree = TreeClassifier(criterion=ne(0.25), min_gain=None)
    again = clone(tree)
    assert again.get_params() == tree.get_params()
    assert set(again.get_params()) == {*DecisionTreeClassifier().get_params(), *OURS}
    assert set(TreeRegressor().get_params()) == {
        *DecisionTreeRegressor().get_params(),
        "draw",
        "min_gain",
    } | (CATEGORIES & {*TreeRegressor().get_params()})
    assert repr(again) == "TreeClassifier(criterion=ne(lam=0.25), min_gain=None)"
    assert_array_equal(again.fit(*iris).tree_.threshold, tree.fit(*iris).tree_.threshold)


@pytest.mark.parametrize("criterion", ["agini", ne(0.25), Criterion.from_loss(square)], ids=str)
def test_pickle(criterion: object) -> None:
    x, y = load_breast_cancer(return_X_y=True)
    tree = TreeClassifier(criterion=criterion, max_depth=3).fit(x, y)
    again = pickle.loads(pickle.dumps(tree))
    assert_array_equal(again.predict_proba(x), tree.predict_proba(x))
    assert again.get_params() == tree.get_params()
    assert pickle.dumps(TreeClassifier(criterion=criterion, max_depth=3).fit(x, y)) == pickle.dumps(tree)


# What a fitted tree gives.


def test_labels_and_feature_names(iris: tuple) -> None:
    x, y = iris
    labels = np.array(["red", "green", "blue"])[y]
    frame = pd.DataFrame(x, columns=["a", "b", "c", "d"])
    for table in (frame, pl.DataFrame(dict(frame.items()))):
        tree = TreeClassifier(max_depth=2).fit(table, labels)
        assert tree.feature_names_in_.tolist() == ["a", "b", "c", "d"]
        assert tree.predict(table[:1]).tolist() == ["red"]
    assert tree.classes_.tolist() == ["blue", "green", "red"]


@pytest.mark.parametrize(
    "labels",
    [
        np.array([7, -3, 7, 0], np.int8), np.array([2, 0, 2, 255], np.uint8), np.array([10**18, 0, -(10**18), 0]),
        np.array([True, False, True, True]), np.array([2.0, -1.0, 2.0, 0.0]), np.array(["b", "a", "c", "a"]),
        np.array(["b", "a", "c", "a"], dtype=object),
    ],
    ids=lambda labels: str(labels.dtype),
)  # fmt: skip
def test_classes_are_the_sorted_labels(labels: np.ndarray) -> None:
    tree = TreeClassifier(min_gain=None).fit(np.arange(4.0)[:, None], labels)
    assert_array_equal(tree.classes_, np.unique(labels))
    assert tree.classes_.dtype == labels.dtype
    assert_array_equal(tree.predict(np.arange(4.0)[:, None]), labels)


def test_pruning_path_and_importances(iris: tuple) -> None:
    path = TreeClassifier(criterion="entropy").cost_complexity_pruning_path(*iris)
    assert (np.diff(path.impurities) >= 0).all()
    leaves = [TreeClassifier(criterion="entropy", ccp_alpha=a).fit(*iris).get_n_leaves() for a in path.ccp_alphas]
    assert leaves == sorted(leaves, reverse=True)
    assert (leaves[0], leaves[-1]) == (TreeClassifier(criterion="entropy").fit(*iris).get_n_leaves(), 1)
    assert TreeClassifier().fit(*iris).feature_importances_.sum() == pytest.approx(1)


# Weights and randomness.


@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt_gini", "matushita", "credal", gce(0.7)], ids=str)
def test_any_weights_leave_pure_leaves(criterion: object) -> None:
    rng = np.random.default_rng(1)
    x, y, weights = rng.normal(size=(400, 3)), rng.integers(0, 3, 400), rng.lognormal(sigma=4, size=400)
    tree = TreeClassifier(criterion=criterion, min_gain=None).fit(x, y, weights)
    leaf = tree.tree_.children_left < 0
    assert_array_equal(tree.tree_.value[leaf].max(axis=2), 1)
    assert tree.score(x, y) == 1


def test_class_weights_multiply_sample_weights(iris: tuple) -> None:
    x, y = iris
    weights = np.random.default_rng(2).uniform(size=len(y))
    by_class = TreeClassifier(class_weight={0: 2, 1: 1, 2: 4}).fit(x, y, weights)
    by_sample = TreeClassifier().fit(x, y, weights * np.array([2, 1, 4])[y])
    assert_array_equal(by_class.tree_.threshold, by_sample.tree_.threshold)


def test_random_state_decides_draws_alone(iris: tuple) -> None:
    trees = [TreeClassifier(max_features=1, random_state=s).fit(*iris).tree_.threshold for s in (0, 0, 1, 2)]
    assert_array_equal(trees[0], trees[1])
    assert len({tuple(t) for t in trees}) == 3
    whole = [TreeClassifier(random_state=s).fit(*iris).tree_.threshold for s in (0, 1)]
    assert_array_equal(*whole)


def test_min_gain_none_goes_on_at_zero_gain() -> None:
    x, y = np.indices((10, 10)).reshape(2, -1).T, np.kron([[0, 1], [1, 0]], np.ones((5, 5), int)).ravel()
    assert TreeClassifier().fit(x, y).get_n_leaves() == 1
    assert TreeClassifier(min_gain=None).fit(x, y).score(x, y) == 1
    assert TreeClassifier(min_gain=0.3).fit(*load_iris(return_X_y=True)).get_n_leaves() == 3


# While loops are compiled.


@pytest.mark.slow
def test_the_first_compilation_is_told_in_one_line(tmp_path: Path) -> None:
    large = "import numpy as np; x = np.random.default_rng(0).random((20000, 20)); "  # more work than compiling
    code = large + "from splitcrit import TreeClassifier as T; T().fit(x, x[:, 0] > 0.5); T().fit([[0], [1]], [0, 1])"
    said = [
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True, text=True, check=True,
        ).stderr
        for _ in range(2)
    ]  # fmt: skip
    assert re.fullmatch(
        r"splitcrit: compiling once, to be loaded from disk later: _sort_columns, .*grow_whole \.\.\. \d+\.\d s\n",
        said[0],
    )
    assert said[1] == ""
