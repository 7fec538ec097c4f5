"""Values that differ stay apart in every learner, and what float32 cannot apply is refused by ``tree_`` alone."""

import pickle
import sys
from typing import Any

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import coo_array, csr_array
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from refusals import refused
from splitcrit import ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor, inference, trees
from splitcrit.trees import AdaptiveForestClassifier, AdaptiveTreeClassifier, export_graphviz, export_text, plot_tree
from splitcrit.trees.estimators import sklearn_tree
from splitcrit.trees.estimators import walk as walking
from splitcrit.trees.estimators.walk import leaves

NOW, N = 1_700_000_000, 120
ORDER = np.random.default_rng(0).permutation(N)
COLUMNS = {
    "seconds": NOW + ORDER,
    "fractions of seconds": NOW + ORDER / 1000,
    "ids below 2^53": 2**53 - N + ORDER,
    "1e-300": 1e-300 * (ORDER + 1),
    "1e300": 1e300 * (1 + ORDER / N),
    "subnormal": 5e-324 * (ORDER + 1),
    "neighbours of 1": 1 + ORDER * 2.0**-52,
}
Y = (ORDER >= N // 2).astype(int)
LEARNERS = [
    TreeClassifier(), TreeClassifier(criterion="calibrated"), TreeClassifier(splitter="random", random_state=0),
    TreeClassifier(max_leaf_nodes=8), TreeClassifier(ccp_alpha=1e-9), TreeRegressor(),
    TreeRegressor(criterion="absolute_error"), ForestClassifier(3, bootstrap=False, random_state=0),
    ForestRegressor(3, bootstrap=False, random_state=0), AdaptiveTreeClassifier(random_state=0),
    AdaptiveForestClassifier(9, random_state=0), inference.InferenceTreeClassifier(random_state=0),
    inference.InferenceTreeRegressor(random_state=0), inference.HonestTreeClassifier(random_state=0),
    inference.HonestTreeRegressor(random_state=0),
]  # fmt: skip
SPLIT = TreeClassifier().fit(COLUMNS["seconds"][:, None], Y)
REFUSES = r"tree_ applies thresholds to values rounded to float32; got 1700000059.5 in column x0"


@pytest.mark.each_value
@pytest.mark.parametrize("column", COLUMNS.values(), ids=list(COLUMNS))
@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_every_learner_tells_neighbours_apart(model: Any, column: np.ndarray) -> None:
    x = column[:, None]
    model = clone(model).fit(x, Y)
    right = (np.round(model.predict(x)) == Y).mean()
    assert right == 1 or (right > 0.97 and ("Honest" in str(model) or "Adaptive" in str(model)))


@pytest.mark.parametrize("column", COLUMNS.values(), ids=list(COLUMNS))
@pytest.mark.parametrize("model", [TreeClassifier(), TreeRegressor(), ForestClassifier(3, random_state=0)], ids=str)
def test_missing_values_lists_frames_and_cells_change_nothing(model: Any, column: np.ndarray) -> None:
    x = np.append(column.astype(float), [np.nan] * 9)[:, None]
    y = np.append(Y, [1] * 9)
    assert (np.round(TreeRegressor().fit(x, y).predict(x)) == y).all()
    x, y = x[:N], y[:N]
    first = clone(model).fit(x, y).predict(x)
    for given in (x.tolist(), pd.DataFrame(x, columns=["t"]), csr_array(x), np.asfortranarray(x)):
        assert_array_equal(clone(model).fit(given, y).predict(given), first)


def reached(tree: Any, row: np.ndarray) -> int:
    """The leaf of a row, step by step in Python's floats."""
    nodes, node = tree.nodes_, 0
    while nodes.children_left[node] >= 0:
        value = float(row[nodes.feature[node]])
        left = nodes.missing_go_to_left[node] if value != value else value <= float(nodes.threshold[node])
        node = int((nodes.children_left if left else nodes.children_right)[node])
    return node


@pytest.mark.parametrize("seed", range(6))
def test_walks_compiled_and_not_of_dense_rows_and_of_cells_are_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    x = np.where(rng.random((300, 4)) < 0.5, 0.0, NOW + rng.integers(0, 90, (300, 4)) / 8)
    y = rng.integers(0, 3, 300)
    tree = TreeClassifier(max_depth=9).fit(np.where(rng.random(x.shape) < 0.1 * (seed % 2), np.nan, x), y)
    expected = [reached(tree, row) for row in x]
    for loaded in (True, False):
        monkeypatch.setattr(walking, "LOOPS", __name__ if loaded else "a module that was never imported")
        for rows in (x, csr_array(x), np.asfortranarray(x)):
            assert leaves(tree.nodes_, rows).tolist() == expected
    assert __name__ in sys.modules
    path = tree.decision_path(x)
    assert [row.indices[-1] for row in path] == expected
    assert all(row.indices[0] == 0 and (np.diff(row.indices) > 0).all() for row in path)


def test_infinite_values_are_beyond_every_threshold() -> None:
    tree = TreeClassifier().fit(np.array([[-np.inf], [0.0], [1.0], [np.inf]]), [0, 1, 2, 3])
    assert tree.predict([[-np.inf], [-1e308], [0.2], [0.9], [1e308], [np.inf]]).tolist() == [0, 0, 1, 2, 3, 3]


def test_whole_numbers_beyond_those_of_float64_are_refused_with_a_remedy() -> None:
    column = 2**60 + np.arange(40)
    for given in (column[:, None], pd.DataFrame({"t": column}), csr_array(column[:, None])):
        with pytest.raises(ValueError, match=f"in float64, .*; got {2**60} and {2**60 + 1} .* subtract {2**60}"):
            TreeClassifier().fit(given, np.arange(40) % 2)
    near, labels = (column - 2**60)[:, None], pd.Series(2**60 + np.arange(40) // 20, dtype="Int64")
    assert TreeClassifier().fit(near, labels).predict(near).tolist() == labels.tolist()
    nullable = pd.DataFrame({"t": pd.array([None, *(2**60 + np.arange(39)).tolist()], dtype="Int64")})
    refused("trees compare features in float64", TreeClassifier().fit, nullable, np.arange(40) % 2)
    TreeClassifier(categorical_features=["t"]).fit(pd.DataFrame({"t": column % 8 + 2**60}), np.arange(40) % 2)
    TreeClassifier().fit([[1e300, 0.0], [1e300, 1.0]], [0, 1])  # one value has no neighbour that it could become


def test_trees_of_scikit_learn_that_merge_values_are_refused_by_honest_trees() -> None:
    for name in ("seconds", "fractions of seconds", "1e-300"):
        with pytest.raises(ValueError, match="trees compare features in float32"):
            inference.HonestTreeClassifier(DecisionTreeClassifier()).fit(COLUMNS[name][:, None], Y)
    x = np.random.default_rng(1).normal(size=(5000, 2))
    inference.HonestTreeClassifier(DecisionTreeClassifier(max_depth=2)).fit(x, x[:, 0] > 0)


def test_partitions_tell_neighbours_apart() -> None:
    x, y = da.from_array(COLUMNS["seconds"][:, None], chunks=(40, 1)), da.from_array(Y, chunks=40)
    for kind in (trees.DaskTreeClassifier, trees.DaskForestClassifier, trees.DaskTreeRegressor):
        model = kind(max_bins=200).fit(x, y)
        assert (np.round(np.asarray(model.predict(x))) == Y).mean() > (0.9 if "Forest" in kind.__name__ else 0.999)
    tree = trees.DaskTreeClassifier(max_bins=200).fit(x, y).to_local()
    with pytest.raises(ValueError, match=REFUSES):
        tree.tree_  # noqa: B018
    near = trees.DaskTreeClassifier().fit(x - NOW, y).to_local()
    assert near.tree_.threshold[0] == 59.5


@pytest.mark.parametrize(
    "model", [TreeClassifier(), TreeRegressor(), TreeClassifier(splitter="random"), TreeClassifier(max_leaf_nodes=3)]
)
def test_tree_is_refused_where_float32_sends_training_rows_elsewhere(model: Any) -> None:
    rng, refused = np.random.default_rng(7), 0
    for seed in range(40):
        x = 2.0**24 + rng.integers(0, 40, (60, 2)) / (2 if seed % 2 else 0.25)
        tree = clone(model).set_params(random_state=seed).fit(x, rng.integers(0, 2, 60))
        with np.errstate(all="ignore"):
            same = leaves(tree.nodes_, x.astype(np.float32)) == leaves(tree.nodes_, x)
        if same.all():
            assert_array_equal(tree.tree_.apply(x.astype(np.float32)), tree.apply(x))
        else:
            refused += 1
            with pytest.raises(ValueError, match=r"read nodes_, or fit on X\.astype"):
                tree.tree_  # noqa: B018
    assert 5 < refused < 40


def test_pictures_texts_and_importances_need_no_tree_of_float32() -> None:
    with pytest.raises(ValueError, match=REFUSES):
        SPLIT.tree_  # noqa: B018
    assert "x0 <= 1700000059.5" in export_text(SPLIT) and SPLIT.feature_importances_.tolist() == [1]
    assert "1700000059.5" in export_graphviz(SPLIT, precision=12)
    assert (SPLIT.get_depth(), SPLIT.get_n_leaves()) == (1, 2)
    pytest.importorskip("matplotlib")
    assert len(plot_tree(SPLIT)) >= 3
    refused(REFUSES, SPLIT.over_columns)


@pytest.mark.parametrize("name", ["neighbours of 1", "1e-300", "fractions of seconds"])
def test_printed_thresholds_tell_neighbours_apart(name: str) -> None:
    tree = TreeClassifier().fit(np.sort(COLUMNS[name])[:, None], np.arange(N) % 2)
    printed = {float(line.split("<= ")[1]) for line in export_text(tree, max_depth=200).splitlines() if "<= " in line}
    assert sorted(printed) == sorted(tree.nodes_.threshold[tree.nodes_.children_left >= 0]) and len(printed) == N - 1


def test_pruning_keeps_thresholds_and_a_pickle_predicts_alike() -> None:
    x = COLUMNS["seconds"][:, None]
    noisy = np.where(np.arange(N) % 17 == 0, 1 - Y, Y)
    whole, pruned = (TreeClassifier(ccp_alpha=alpha).fit(x, noisy) for alpha in (0.0, 0.02))
    assert whole.get_n_leaves() > pruned.get_n_leaves() == 2 and pruned.nodes_.threshold[0] == NOW + 59.5
    assert_array_equal(pickle.loads(pickle.dumps(pruned)).predict_proba(x), pruned.predict_proba(x))


def test_a_field_of_nodes_that_is_not_known_stops_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    sklearn_tree.lender.cache_clear()
    monkeypatch.setattr(sklearn_tree, "FIELDS", sklearn_tree.FIELDS - {"impurity"})
    with pytest.raises(TypeError, match=r"fields of versions 1\.9 and 1\.10; got other ones: impurity; read"):
        TreeClassifier().fit([[0], [1]], [0, 1]).tree_  # noqa: B018
    sklearn_tree.lender.cache_clear()


def test_a_cell_that_is_stored_in_parts_is_their_sum() -> None:
    twice = coo_array(([NOW, NOW, 1.0], ([0, 1, 1], [0, 0, 0])), shape=(3, 1))
    assert TreeClassifier().fit(twice, [0, 1, 0]).predict(twice).tolist() == [0, 1, 0]
