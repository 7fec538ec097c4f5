"""Trees read from XGBoost's JSON: rows end at the leaves that XGBoost says."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
import scipy.sparse as sparse
import xgboost

from reproductions.datasets import load
from splitcrit.audits.model_formats import read_model
from splitcrit.audits.published_models import xgboost_model


def from_xgboost(text: Any) -> Any:
    """The nodes of the trees in a text."""
    return [tree.structure for tree in xgboost_model(text, best=False).trees]


def trained(x: Any, y: Any, rounds: int = 4, types: Any = None, **more: Any) -> Any:
    options = {"objective": "binary:logistic", "nthread": 1, "max_depth": 5, "max_cat_to_onehot": 2, **more}
    return xgboost.train(options, matrix(x, y, types), rounds)


def matrix(x: Any, y: Any = None, types: Any = None) -> Any:
    return xgboost.DMatrix(x, y, feature_types=types, enable_categorical=True)


def agree(booster: Any, x: Any, types: Any = None) -> None:
    """Every row ends at the node that XGBoost says."""
    model = xgboost_model(bytes(booster.save_raw("json")))
    theirs = booster.predict(matrix(x, types=types), pred_leaf=True).reshape(len(x), -1)
    assert len(model.trees) == theirs.shape[1]
    for ends, leaf in zip(model.ends(x), theirs.T, strict=True):
        assert (ends == leaf).all()


TYPES = ["q", "q", "c", "q"]


def mixed(rng: np.random.Generator, n: int = 600) -> tuple[Any, Any]:
    """Numbers, some of them ties in float32 only, and a category of twelve codes."""
    x = np.column_stack(
        [rng.normal(size=n), rng.integers(-2, 3, n), rng.integers(0, 12, n), rng.integers(0, 9, n) / 10]
    )
    y = ((np.isin(x[:, 2] % 7, [0, 3])) ^ (x[:, 1] == 0) ^ (x[:, 0] > 1)).astype(int)
    return x, y


@pytest.mark.parametrize("grow", ["depthwise", "lossguide"])
@pytest.mark.parametrize("missing", [False, True])
def test_rows_end_where_xgboost_says(grow: str, missing: bool) -> None:
    rng = np.random.default_rng(1)
    x, y = mixed(rng)
    if missing:
        x[rng.random(x.shape) < 0.15] = np.nan
    booster = trained(x, y, types=TYPES, grow_policy=grow, tree_method="hist", gamma=0.5)
    assert any(structure.subsets for structure in from_xgboost(booster.save_raw("json")))
    agree(booster, x, TYPES)
    edges = np.concatenate([t.structure.threshold for t in xgboost_model(bytes(booster.save_raw("json"))).trees])
    odd = rng.choice(edges[np.isfinite(edges)], (400, 4))  # values equal to thresholds
    odd[:, 2] = rng.integers(0, 12, 400)
    odd[rng.random(odd.shape) < 0.3] = np.nan
    agree(booster, odd, TYPES)


def test_nodes_that_were_pruned_are_leaves() -> None:
    x, y = mixed(np.random.default_rng(4))
    booster = trained(x, y, rounds=3, tree_method="exact", gamma=4.0, max_depth=6)
    held = json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"]
    assert any(int(tree["tree_param"]["num_deleted"]) for tree in held)
    agree(booster, x)


@pytest.mark.parametrize(
    ("objective", "classes"), [("multi:softprob", 3), ("reg:squarederror", None), ("binary:logistic", 2)]
)
def test_the_kind_of_response_is_read(objective: str, classes: int | None) -> None:
    x, y = mixed(np.random.default_rng(2))
    label = (y + (x[:, 0] > 1)) if classes == 3 else y
    booster = trained(x, label, rounds=2, objective=objective, **({"num_class": 3} if classes == 3 else {}))
    assert xgboost_model(booster.save_raw("json")).n_classes == classes
    agree(booster, x)


def test_a_forest_is_not_boosted_and_dart_is() -> None:
    x, y = mixed(np.random.default_rng(2))
    forest = trained(x, y, rounds=1, num_parallel_tree=3, subsample=0.5)
    assert not xgboost_model(forest.save_raw("json")).boosted
    dart = trained(x, y, booster="dart")
    assert xgboost_model(dart.save_raw("json")).boosted
    agree(dart, x)


def test_categories_of_a_frame_are_coded_as_xgboost_codes_them() -> None:
    x, y = mixed(np.random.default_rng(3))
    words = np.array(["pear", "apple", "fig", "plum", "kiwi"], dtype=object)
    frame = pandas.DataFrame({"a": x[:, 0], "fruit": pandas.Categorical(words[x[:, 2].astype(int) % 5]),
                              "size": pandas.Categorical(x[:, 1].astype(int) * 10)})  # fmt: skip
    booster = trained(frame, y)
    model = xgboost_model(booster.save_raw("json"))
    theirs = booster.predict(matrix(frame), pred_leaf=True)
    for ends, leaf in zip(model.ends(frame), theirs.T, strict=True):
        assert (ends == leaf).all()


@pytest.mark.parametrize("name", ["german_credit", "breast_cancer_wisconsin", "mushrooms", "vehicle", "shuttle"])
def test_real_files(name: str, data: Path) -> None:
    found = load(name, data)
    x, y = found.X[:8000], np.unique(found.y[:8000], return_inverse=True)[1]
    more = {"objective": "multi:softprob", "num_class": int(y.max()) + 1} if y.max() > 1 else {}
    types = ["c" if categorical else "q" for categorical in found.categorical]
    agree(trained(x, y, rounds=3, types=types, **more), x, types)


def stopped(**options: Any) -> tuple[Any, Any]:
    """An estimator that stopped early, after trees that do not predict, and the rows that it stopped by."""
    x, y = mixed(np.random.default_rng(6), 400)
    y = np.where(np.random.default_rng(7).random(400) < 0.3, 1 - y, y) + 2 * (x[:, 0] > 1) * options.pop("three", 0)
    model = xgboost.XGBClassifier(n_estimators=60, max_depth=4, early_stopping_rounds=4, n_jobs=1, **options)
    return model.fit(x[:200], y[:200], eval_set=[(x[200:], y[200:])], verbose=False), x


@pytest.mark.parametrize(
    "options",
    [{}, {"three": 1}, {"num_parallel_tree": 3, "subsample": 0.5}, {"booster": "dart"}, {"save": True}],
    ids=str,
)
def test_the_trees_up_to_the_best_iteration_predict(options: dict[str, Any], tmp_path: Path) -> None:
    save = options.pop("save", False)
    model, x = stopped(**options)
    leaves, booster = model.apply(x).reshape(len(x), -1), model.get_booster()
    assert leaves.shape[1] < len(booster.get_dump())
    if save:  # the file of an estimator says that it is one
        model.save_model(tmp_path / "model.json")
    read = read_model(tmp_path / "model.json" if save else model)
    for ends, leaf in zip(read.ends(x), leaves.T, strict=True):
        assert (ends == leaf).all()
    assert read.boosted == (model.best_iteration > 0)
    agree(booster, x)  # a booster predicts by all its trees
    assert (
        len(read_model(booster).trees) == len(from_xgboost(bytes(booster.save_raw("json")))) == len(booster.get_dump())
    )


def test_trees_of_a_round_without_their_ends_are_as_many_as_its_classes_and_parallel_trees() -> None:
    model, x = stopped(three=1, num_parallel_tree=2, subsample=0.5)
    held = json.loads(model.get_booster().save_raw("json"))
    del held["learner"]["gradient_booster"]["model"]["iteration_indptr"]  # as before XGBoost 2
    assert len(xgboost_model(held, best=True).trees) == model.apply(x).reshape(len(x), -1).shape[1]


@pytest.mark.parametrize("best", ["60", "-1", "1.5", "x", "9" * 5000])
def test_a_best_iteration_that_there_is_not_is_refused(best: str) -> None:
    model, _ = stopped()
    held = json.loads(model.get_booster().save_raw("json"))
    held["learner"]["attributes"]["best_iteration"] = best
    with pytest.raises(ValueError, match="a best iteration of early stopping that is none of its"):
        xgboost_model(held, best=True)


def test_without_a_best_iteration_all_trees_predict() -> None:
    model, x = stopped()
    model.get_booster().set_attr(best_iteration=None)
    assert len(read_model(model).trees) == model.apply(x).shape[1] == len(model.get_booster().get_dump())


def one_tree(**changes: Any) -> tuple[str, str]:
    """The text of a model of one tree, and with entries of the tree changed."""
    x, y = mixed(np.random.default_rng(2))
    model = json.loads(trained(x, y, rounds=1, max_depth=2, gamma=0, min_child_weight=0).save_raw("json"))
    before = json.dumps(model)
    (tree,) = model["learner"]["gradient_booster"]["model"]["trees"]
    assert tree["left_children"] == [1, 3, 5, -1, -1, -1, -1]
    for name, entries in changes.items():
        tree[name] = [*entries, *tree[name][len(entries) :]]
    return before, json.dumps(model)


def test_a_node_below_one_that_was_cut_off_splits_nothing() -> None:
    """Node 1 is a leaf now, so that nothing reaches nodes 3 and 4; node 3 would split if a row came by."""
    _, after = one_tree(left_children=[1, -1, 5, 4], right_children=[2, -1, 6, 4], split_indices=[0, 0, 1, 2])
    (tree,) = xgboost_model(after).trees
    assert tree.structure.left.tolist() == [1, -1, 5, -1, -1, -1, -1]
    assert tree.structure.feature.tolist() == [0, -1, 1, -1, -1, -1, -1] and tree.recorded[3] == 0
    assert tree.shares is None or tree.shares[3] == tree.shares[4] == 0


@pytest.mark.parametrize(
    ("name", "entries", "said"),
    [
        ("left_children", [0], "a child does not stand after its parent"), ("right_children", [7], "index 7 is out"),
        ("left_children", [2], "a node is a child twice"), ("right_children", [2, 5], "a node is a child twice"),
        ("left_children", [1, 3, 3], "a node is a child twice"), ("left_children", [1.5], "not a list of integers"),
        ("split_indices", [4], "a feature that is none of 4"), ("split_indices", [-1], "a feature that is none of 4"),
        ("split_indices", [0.9], "split_indices is not a list of integers"), ("split_indices", [[0]], "inhomogeneous"),
        ("split_conditions", [float("nan")], "a threshold is nan"), ("split_conditions", ["0"], "not a list of"),
        ("split_conditions", [10**400], "not a list of numbers"), ("loss_changes", [None], "not a list of numbers"),
        ("split_type", [1], "a split by categories without its list"), ("default_left", [2**70], "not a list of"),
    ],
)  # fmt: skip
def test_a_tree_that_makes_no_sense_is_refused(name: str, entries: list[Any], said: str) -> None:
    before, after = one_tree(**{name: entries})
    assert len(from_xgboost(before)[0].left) == 7
    with pytest.raises(ValueError, match=f"an XGBoost model is JSON with trees; got a damaged text: .*{said}"):
        from_xgboost(after)


@pytest.mark.parametrize(
    ("size", "fits"), [(4, True), (2**20, True), (20_000_000, False), (10**30, False), (-1, False)]
)
def test_the_features_that_a_file_claims_are_limited(size: int, fits: bool) -> None:
    model = json.loads(one_tree()[0])
    model["learner"]["learner_model_param"]["num_feature"] = str(size)
    tracemalloc.start()
    try:
        if fits:
            assert len(xgboost_model(model).features) == size
        else:
            with pytest.raises(ValueError, match="an audited model has at most 1,048,576 features; got num_feature"):
                xgboost_model(model)
        assert tracemalloc.get_traced_memory()[1] < 2**27
    finally:
        tracemalloc.stop()


def test_what_a_sparse_matrix_does_not_store_is_missing() -> None:
    x, y = mixed(np.random.default_rng(8))
    rows = sparse.csr_matrix(x)
    booster = xgboost.train({"max_depth": 4, "nthread": 1}, xgboost.DMatrix(rows, y), 3)
    theirs = booster.predict(xgboost.DMatrix(rows), pred_leaf=True)
    found = list(read_model(booster).ends(rows))
    assert all((ends == leaf).all() for ends, leaf in zip(found, theirs.T, strict=True))
    assert any((ends != other).any() for ends, other in zip(found, read_model(booster).ends(x), strict=True))


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"learner": {"gradient_booster": {"name": "gblinear", "model": {}}}}']
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="an XGBoost model is JSON with trees"):
        from_xgboost(text)
