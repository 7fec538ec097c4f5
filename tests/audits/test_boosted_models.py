"""Trees read from LightGBM's text and XGBoost's JSON: rows end at the leaves these say, as many as they counted."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas
import pytest
import scipy.sparse as sparse
import xgboost

from refusals import refused
from reproductions.datasets import load
from splitcrit.audits import audit
from splitcrit.audits.model_formats import read_model
from splitcrit.audits.published_models import published_model


def structures_of(text: Any) -> Any:
    """The nodes of the trees in a text."""
    return [tree.structure for tree in published_model(text).trees]


def trained(x: Any, y: Any, rounds: int = 5, categorical: Any = "auto", **more: Any) -> Any:
    options = {"objective": "binary", "verbose": -1, "num_threads": 1, "min_data_in_leaf": 5, "min_data_per_group": 5,
               "cat_smooth": 1, "max_cat_to_onehot": 2, **more}  # fmt: skip
    return lightgbm.train(options, lightgbm.Dataset(x, y, categorical_feature=categorical), rounds)


def ends_are(model: Any, x: Any, theirs: Any) -> None:
    """Every row ends at the leaf that the library says, by its number among the leaves, or by that of the node."""
    for tree, ends, leaf in zip(model.trees, model.ends(x), np.asarray(theirs).reshape(len(x), -1).T, strict=True):
        assert (ends - (model.library == "LightGBM") * (tree.structure.left >= 0).sum() == leaf).all()


def agree(booster: Any, x: Any) -> None:
    """Every leaf is LightGBM's own."""
    ends_are(published_model(booster.model_to_string()), x, booster.predict(x, pred_leaf=True))


def counted(booster: Any, x: Any) -> None:
    """As many rows reach each node as LightGBM counted when it grew the tree."""
    for tree in published_model(booster.model_to_string()).trees:
        assert tree.rows is not None
        assert [len(rows) for rows in tree.structure.rows(x)] == tree.rows.tolist()


def mixed(rng: np.random.Generator, n: int = 600, ties: bool = False) -> tuple[Any, Any]:
    """Numbers, small integers with zeros, and a category of forty codes; with ``ties`` of twelve, and some numbers tie
    in float32 only."""
    codes, last = (12, lambda: rng.integers(0, 9, n) / 10) if ties else (40, lambda: rng.random(n))
    x = np.column_stack([rng.normal(size=n), rng.integers(-2, 3, n), rng.integers(0, codes, n), last()])
    y = ((np.isin(x[:, 2] % 7, [0, 3])) ^ (x[:, 1] == 0) ^ (x[:, 0] > 1)).astype(int)
    return x, y


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("zero_as_missing", [False, True])
def test_rows_end_where_lightgbm_says(missing: bool, zero_as_missing: bool) -> None:
    rng = np.random.default_rng(1)
    x, y = mixed(rng)
    if missing:
        x[rng.random(x.shape) < 0.15] = np.nan
    booster = trained(x, y, categorical=[2], zero_as_missing=zero_as_missing)
    structures = structures_of(booster.model_to_string())
    assert any(structure.subsets for structure in structures)
    assert any(structure.zeros for structure in structures) == zero_as_missing
    agree(booster, x)
    counted(booster, x)
    odd = rng.normal(scale=30, size=(500, 4)).round(1)  # negative, fractional and unknown categories, values missing
    odd[rng.random(odd.shape) < 0.3] = np.nan
    odd[rng.random(odd.shape) < 0.2] = 0
    odd[:, 0][::7] = 1e-36
    agree(booster, odd)


def test_a_tree_without_splits_is_a_leaf() -> None:
    booster = trained(np.zeros((30, 2)), np.arange(30), rounds=1, objective="regression")
    (structure,) = structures_of(booster.model_to_string())
    assert structure.left.tolist() == [-1] and [len(rows) for rows in structure.rows(np.zeros((4, 2)))] == [4]


@pytest.mark.parametrize("library", ["lightgbm", "xgboost"])
def test_categories_of_a_frame_are_coded_as_the_library_codes_them(library: str) -> None:
    x, y = mixed(np.random.default_rng(3), ties=True)
    words = np.array(["pear", "apple", "fig", "plum", "kiwi"], dtype=object)
    frame = pandas.DataFrame({"a b": x[:, 0], "fruit": pandas.Categorical(words[x[:, 2].astype(int) % 5]),
                              "size": pandas.Categorical(x[:, 1].astype(int) * 10)})  # fmt: skip
    if library == "lightgbm":
        booster = trained(frame, y)
        assert published_model(booster.model_to_string()).features == ("a_b", "fruit", "size")
        agree(booster, frame)
    else:
        xgboost_agrees(xgboost_trained(frame, y), frame)


@pytest.mark.parametrize("classes", [2, 3])
def test_the_trees_up_to_the_best_iteration_predict(classes: int) -> None:
    x, y = mixed(np.random.default_rng(6), 400)
    y = np.where(np.random.default_rng(7).random(400) < 0.1, 1 - y, y) + (classes - 2) * 2 * (x[:, 0] > 1)
    options = {"objective": "binary", "verbose": -1, "num_threads": 1} | (
        {"objective": "multiclass", "num_class": 4} if classes > 2 else {}
    )
    train = lightgbm.Dataset(x[:200], y[:200])
    booster = lightgbm.train(
        options, train, 60, valid_sets=[train.create_valid(x[200:], y[200:])], keep_training_booster=True,
        callbacks=[lightgbm.early_stopping(4, verbose=False)],
    )  # fmt: skip
    leaves = booster.predict(x, pred_leaf=True)
    assert leaves.shape[1] == booster.best_iteration * (1 if classes == 2 else 4) < booster.num_trees()
    ends_are(read_model(booster), x, leaves)
    whole = lightgbm.Booster(model_str=booster.model_to_string(num_iteration=-1))
    assert len(read_model(whole).trees) == whole.predict(x, pred_leaf=True).shape[1] == booster.num_trees()


TREE = "Tree=0\nnum_leaves=3\nsplit_gain=1 1\nthreshold=0.5 1\ndecision_type=2 2\n"
LEAVES = "leaf_value=1 2 3\nleaf_count=1 1 1\ninternal_count=3 2\n"
HEADER = f"tree\nnum_class=1\nfeature_names=a\n\n{TREE}"


SIDES = f"split_feature=0 0\nleft_child=1 -2\nright_child=-1 -3\n{LEAVES}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""), ("left_child=1", "left_child=0"), ("-2\nright_child", "0\nright_child"), ("child=1", "child=2"),
        ("-3", "-4"), ("split_feature=0 0", "split_feature=0 1"), ("split_feature=0", "split_feature=-1"),
        ("split_feature=0", "split_feature=0.9"), ("-3", "-2"), ("right_child=-1", "right_child=1"),
        ("threshold=0.5", "threshold=nan"), ("type=2", "type=14"), ("type=2", "type=-1"), ("type=2", "type=1"),
        ("left_child=1", f"left_child={10**30}"), ("num_class=1", f"num_class={'1' * 5000}"),
    ],
)  # fmt: skip
def test_a_tree_that_makes_no_sense_is_refused(old: str, new: str) -> None:
    text = f"{HEADER}{SIDES}".replace(old, new, 1)
    if not old:
        assert structures_of(text)[0].left.tolist() == [1, 3, -1, -1, -1]
    else:
        refused("a model's file is JSON of XGBoost or CatBoost, or LightGBM's text", structures_of, text)


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [("cat_boundaries", "0 1 2", True), ("cat_boundaries", "0 1 3", False), ("cat_boundaries", "1 0 2", False),
     ("cat_boundaries", "-1 1 2", False), ("cat_boundaries", "0 1", False), ("threshold", "-1 1", False),
     ("threshold", "inf 1", False), ("threshold", "nan 1", False)],
)  # fmt: skip
def test_categories_lie_within_their_words(name: str, value: str, fits: bool) -> None:
    lines = {"decision_type": "1 1", "threshold": "0 1", "cat_boundaries": "0 1 2", "cat_threshold": "5 6"}
    text = HEADER.partition("threshold")[0] + "".join(f"{n}={v}\n" for n, v in (lines | {name: value}).items()) + SIDES
    if fits:
        assert structures_of(text)[0].subsets == {0: {0, 2}, 1: {1, 2}}
    else:
        refused("a model's file is JSON of XGBoost or CatBoost, or LightGBM's text", structures_of, text)


@pytest.mark.parametrize("last", ["null", '[["a", "b"]]', "[[1, 2]]", "[[]", "5", "[5]", "[[[1]]]", '[[{"a": 1}]]'])
def test_categories_of_a_frame_are_words_or_numbers(last: str) -> None:
    text = f"{HEADER}{SIDES}end of trees\n\npandas_categorical:{last}\n".replace(
        "names=a\n", "names=a\nfeature_infos=0:1\n"
    )
    if last in ("null", '[["a", "b"]]', "[[1, 2]]"):
        assert len(list(published_model(text).ends({"a": [0, 1]}))) == 1
    else:
        refused("a model's file is JSON of XGBoost or CatBoost, or LightGBM's text", structures_of, text)


def test_counts_of_a_part_of_the_rows_are_not_kept() -> None:
    x, y = mixed(np.random.default_rng(5))
    for more in ({"bagging_freq": 1, "bagging_fraction": 0.5}, {"data_sample_strategy": "goss"}):
        model = published_model(trained(x, y, rounds=2, **more).model_to_string())
        assert [tree.rows for tree in model.trees] == [None, None]


# Trees read from XGBoost's JSON: rows end at the leaves that XGBoost says.


def xgboost_trained(x: Any, y: Any, rounds: int = 4, types: Any = None, **more: Any) -> Any:
    options = {"objective": "binary:logistic", "nthread": 1, "max_depth": 5, "max_cat_to_onehot": 2, **more}
    return xgboost.train(options, matrix(x, y, types), rounds)


def matrix(x: Any, y: Any = None, types: Any = None) -> Any:
    return xgboost.DMatrix(x, y, feature_types=types, enable_categorical=True)


def xgboost_agrees(booster: Any, x: Any, types: Any = None) -> None:
    """Every row ends at the node that XGBoost says."""
    theirs = booster.predict(matrix(x, types=types), pred_leaf=True)
    ends_are(published_model(bytes(booster.save_raw("json"))), x, theirs)


TYPES = ["q", "q", "c", "q"]


@pytest.mark.parametrize("grow", ["depthwise", "lossguide"])
@pytest.mark.parametrize("missing", [False, True])
def test_rows_end_where_xgboost_says(grow: str, missing: bool) -> None:
    rng = np.random.default_rng(1)
    x, y = mixed(rng, ties=True)
    if missing:
        x[rng.random(x.shape) < 0.15] = np.nan
    booster = xgboost_trained(x, y, types=TYPES, grow_policy=grow, tree_method="hist", gamma=0.5)
    assert any(structure.subsets for structure in structures_of(booster.save_raw("json")))
    xgboost_agrees(booster, x, TYPES)
    edges = np.concatenate([t.structure.threshold for t in published_model(bytes(booster.save_raw("json"))).trees])
    odd = rng.choice(edges[np.isfinite(edges)], (400, 4))  # values equal to thresholds
    odd[:, 2] = rng.integers(0, 12, 400)
    odd[rng.random(odd.shape) < 0.3] = np.nan
    xgboost_agrees(booster, odd, TYPES)


def test_nodes_that_were_pruned_are_leaves() -> None:
    x, y = mixed(np.random.default_rng(4), ties=True)
    booster = xgboost_trained(x, y, rounds=3, tree_method="exact", gamma=4.0, max_depth=6)
    held = json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"]
    assert any(int(tree["tree_param"]["num_deleted"]) for tree in held)
    xgboost_agrees(booster, x)


@pytest.mark.parametrize("strategy", ["multi_output_tree", "one_output_per_tree"])
@pytest.mark.parametrize("of", ["numbers", "classes"])
def test_leaves_score_rows_as_xgboost_does_whatever_they_hold(strategy: str, of: str) -> None:
    """Trees whose leaves hold a number of each output stand once for each; scores of classes stay together."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(400, 3))
    each = x[:, :2] + rng.normal(size=(400, 2))
    kind, y = (xgboost.XGBRegressor, each) if of == "numbers" else (xgboost.XGBClassifier, each.sum(axis=1) // 1.5 + 5)
    y = y if of == "numbers" else np.unique(y.clip(4, 6), return_inverse=True)[1]
    model = kind(n_estimators=4, max_depth=3, n_jobs=1, multi_strategy=strategy, base_score=0.5).fit(x[:200], y[:200])
    read, raw = read_model(model), model.predict(x, output_margin=True)
    theirs, scores = model.apply(x).reshape(len(x), -1), np.zeros(raw.shape)
    for i, (tree, ends) in enumerate(zip(read.trees, read.ends(x), strict=True)):
        assert (ends == theirs[:, i // (len(read.trees) // theirs.shape[1])]).all()
        values = np.asarray(tree.values)[ends]
        scores[:, slice(None) if values.ndim > 1 else tree.scored] += values
    assert scores + 0.5 == pytest.approx(raw, abs=1e-5)
    assert audit(model, x[200:], y[200:]).features_passed.tolist() == [True, True, False]


def test_a_forest_is_not_boosted_and_dart_is() -> None:
    x, y = mixed(np.random.default_rng(2), ties=True)
    forest = xgboost_trained(x, y, rounds=1, num_parallel_tree=3, subsample=0.5)
    assert not published_model(forest.save_raw("json")).boosted
    dart = xgboost_trained(x, y, booster="dart")
    assert published_model(dart.save_raw("json")).boosted
    xgboost_agrees(dart, x)


def stopped(**options: Any) -> tuple[Any, Any]:
    """An estimator that stopped early, after trees that do not predict, and the rows that it stopped by."""
    x, y = mixed(np.random.default_rng(6), 400, ties=True)
    y = np.where(np.random.default_rng(7).random(400) < 0.3, 1 - y, y) + 2 * (x[:, 0] > 1) * options.pop("three", 0)
    model = xgboost.XGBClassifier(n_estimators=60, max_depth=4, early_stopping_rounds=4, n_jobs=1, **options)
    return model.fit(x[:200], y[:200], eval_set=[(x[200:], y[200:])], verbose=False), x


@pytest.mark.parametrize(
    "options",
    [{}, {"three": 1}, {"num_parallel_tree": 3, "subsample": 0.5}, {"booster": "dart"}, {"save": True}],
    ids=str,
)
def test_the_trees_of_xgboost_up_to_the_best_iteration_predict(options: dict[str, Any], tmp_path: Path) -> None:
    save = options.pop("save", False)
    model, x = stopped(**options)
    leaves, booster = model.apply(x).reshape(len(x), -1), model.get_booster()
    assert leaves.shape[1] < len(booster.get_dump())
    if save:  # the file of an estimator says that it is one
        model.save_model(tmp_path / "model.json")
    read = read_model(tmp_path / "model.json" if save else model)
    ends_are(read, x, leaves)
    assert read.boosted == (model.best_iteration > 0)
    xgboost_agrees(booster, x)  # a booster predicts by all its trees
    trees = structures_of(bytes(booster.save_raw("json")))
    assert len(read_model(booster).trees) == len(trees) == len(booster.get_dump())


def test_trees_of_a_round_without_their_ends_are_as_many_as_its_classes_and_parallel_trees() -> None:
    model, x = stopped(three=1, num_parallel_tree=2, subsample=0.5)
    held = json.loads(model.get_booster().save_raw("json"))
    del held["learner"]["gradient_booster"]["model"]["iteration_indptr"]  # as before XGBoost 2
    held["learner"]["attributes"]["scikit_learn"] = "{}"
    assert len(published_model(held).trees) == model.apply(x).reshape(len(x), -1).shape[1]


@pytest.mark.parametrize("best", ["60", "-1", "1.5", "x", "9" * 5000])
def test_a_best_iteration_that_there_is_not_is_refused(best: str) -> None:
    model, _ = stopped()
    held = json.loads(model.get_booster().save_raw("json"))
    held["learner"]["attributes"] |= {"best_iteration": best, "scikit_learn": "{}"}
    refused("a best iteration of early stopping that is none of its", published_model, held)


def test_without_a_best_iteration_all_trees_predict() -> None:
    model, x = stopped()
    model.get_booster().set_attr(best_iteration=None)
    assert len(read_model(model).trees) == model.apply(x).shape[1] == len(model.get_booster().get_dump())


def one_tree(**changes: Any) -> tuple[str, str]:
    """The text of a model of one tree, and with entries of the tree changed."""
    x, y = mixed(np.random.default_rng(2), ties=True)
    model = json.loads(xgboost_trained(x, y, rounds=1, max_depth=2, gamma=0, min_child_weight=0).save_raw("json"))
    before = json.dumps(model)
    (tree,) = model["learner"]["gradient_booster"]["model"]["trees"]
    assert tree["left_children"] == [1, 3, 5, -1, -1, -1, -1]
    for name, entries in changes.items():
        tree[name] = [*entries, *tree[name][len(entries) :]]
    return before, json.dumps(model)


def test_a_node_below_one_that_was_cut_off_splits_nothing() -> None:
    """Node 1 is a leaf now, so that nothing reaches nodes 3 and 4; node 3 would split if a row came by."""
    _, after = one_tree(left_children=[1, -1, 5, 4], right_children=[2, -1, 6, 4], split_indices=[0, 0, 1, 2])
    (tree,) = published_model(after).trees
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
        ("split_type", [1], "a threshold is nan"), ("default_left", [2**70], "not a list of"),
    ],
)  # fmt: skip
def test_a_tree_of_xgboost_that_makes_no_sense_is_refused(name: str, entries: list[Any], said: str) -> None:
    before, after = one_tree(**{name: entries})
    assert len(structures_of(before)[0].left) == 7
    refused(f"or LightGBM's text; got a damaged text: .*{said}", structures_of, after)


@pytest.mark.parametrize(
    ("size", "fits"), [(4, True), (2**20, True), (20_000_000, False), (10**30, False), (-1, False)]
)
def test_the_features_that_a_file_claims_are_limited(size: int, fits: bool) -> None:
    model = json.loads(one_tree()[0])
    model["learner"]["learner_model_param"]["num_feature"] = str(size)
    if fits:
        assert len(published_model(model).features) == size
        return
    tracemalloc.start()
    refused(f"an audited model has at most 1,048,576 features; got {size}", published_model, model)
    assert tracemalloc.get_traced_memory()[1] < 2**27
    tracemalloc.stop()


def test_what_a_sparse_matrix_does_not_store_is_missing() -> None:
    x, y = mixed(np.random.default_rng(8), ties=True)
    rows = sparse.csr_matrix(x)
    booster = xgboost.train({"max_depth": 4, "nthread": 1}, xgboost.DMatrix(rows, y), 3)
    theirs = booster.predict(xgboost.DMatrix(rows), pred_leaf=True)
    found = list(read_model(booster).ends(rows))
    assert all((ends == leaf).all() for ends, leaf in zip(found, theirs.T, strict=True))
    assert any((ends != other).any() for ends, other in zip(found, read_model(booster).ends(x), strict=True))


# What both libraries say of themselves.


@pytest.mark.parametrize("name", ["german_credit", "breast_cancer_wisconsin", "mushrooms", "vehicle", "shuttle"])
def test_real_files(name: str, data: Path) -> None:
    found = load(name, data)
    x, y = found.X[:8000], np.unique(found.y[:8000], return_inverse=True)[1]
    classes = {"num_class": int(y.max()) + 1} if y.max() > 1 else {}
    booster = trained(x, y, 3, list(found.categories), **classes | ({"objective": "multiclass"} if classes else {}))
    agree(booster, x)
    counted(booster, x)
    types = ["c" if categorical else "q" for categorical in found.categorical]
    more = classes | ({"objective": "multi:softprob"} if classes else {})
    xgboost_agrees(xgboost_trained(x, y, 3, types, **more), x, types)


@pytest.mark.parametrize("objective", ["multiclass", "regression", "binary"])
def test_the_kind_of_response_is_read(objective: str) -> None:
    x, y = mixed(np.random.default_rng(2))
    label = (y + (x[:, 0] > 1)) if objective == "multiclass" else y
    classes = {"multiclass": 3, "binary": 2}.get(objective)
    more = {"num_class": 3} if objective == "multiclass" else {}
    booster = trained(x, label, 2, objective=objective, **more)
    assert published_model(booster.model_to_string()).n_classes == classes
    agree(booster, x)
    named = {"multiclass": "multi:softprob", "regression": "reg:squarederror", "binary": "binary:logistic"}
    other = xgboost_trained(x, label, 2, objective=named[objective], **more)
    assert published_model(other.save_raw("json")).n_classes == classes
    xgboost_agrees(other, x)
