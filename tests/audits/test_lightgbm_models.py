"""Trees read from LightGBM's text: rows end at the leaves that LightGBM says, and are as many as it counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas
import pytest

from reproductions.datasets import load
from splitcrit.audits.model_formats import read_model
from splitcrit.audits.published_models import lightgbm_model


def from_lightgbm(text: Any) -> Any:
    """The nodes of the trees in a text."""
    return [tree.structure for tree in lightgbm_model(text).trees]


def trained(x: Any, y: Any, rounds: int = 5, categorical: Any = "auto", **more: Any) -> Any:
    options = {"objective": "binary", "verbose": -1, "num_threads": 1, "min_data_in_leaf": 5, "min_data_per_group": 5,
               "cat_smooth": 1, "max_cat_to_onehot": 2, **more}  # fmt: skip
    return lightgbm.train(options, lightgbm.Dataset(x, y, categorical_feature=categorical), rounds)


def agree(booster: Any, x: Any) -> None:
    """Every leaf and every count is LightGBM's own."""
    model = lightgbm_model(booster.model_to_string())
    theirs = np.asarray(booster.predict(x, pred_leaf=True)).reshape(len(x), -1)
    assert len(model.trees) == theirs.shape[1]
    for tree, ends, leaf in zip(model.trees, model.ends(x), theirs.T, strict=True):
        inside = int((tree.structure.left >= 0).sum())
        assert (ends - inside == leaf).all()


def counted(booster: Any, x: Any) -> None:
    """As many rows reach each node as LightGBM counted when it grew the tree."""
    for tree in lightgbm_model(booster.model_to_string()).trees:
        assert tree.rows is not None
        assert [len(rows) for rows in tree.structure.rows(x)] == tree.rows.tolist()


def mixed(rng: np.random.Generator, n: int = 600) -> tuple[Any, Any]:
    """Numbers, small integers with zeros, and a category of forty codes."""
    x = np.column_stack([rng.normal(size=n), rng.integers(-2, 3, n), rng.integers(0, 40, n), rng.random(n)])
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
    structures = from_lightgbm(booster.model_to_string())
    assert any(structure.subsets for structure in structures)
    assert any(structure.zeros for structure in structures) == zero_as_missing
    agree(booster, x)
    counted(booster, x)
    odd = rng.normal(scale=30, size=(500, 4)).round(1)  # negative, fractional and unknown categories, values missing
    odd[rng.random(odd.shape) < 0.3] = np.nan
    odd[rng.random(odd.shape) < 0.2] = 0
    odd[:, 0][::7] = 1e-36
    agree(booster, odd)


@pytest.mark.parametrize(("objective", "classes"), [("multiclass", 3), ("regression", None), ("binary", 2)])
def test_the_kind_of_response_is_read(objective: str, classes: int | None) -> None:
    x, y = mixed(np.random.default_rng(2))
    label = (y + (x[:, 0] > 1)) if objective == "multiclass" else y
    more = {"num_class": 3} if objective == "multiclass" else {}
    booster = trained(x, label, rounds=2, objective=objective, **more)
    assert lightgbm_model(booster.model_to_string()).n_classes == classes
    agree(booster, x)


def test_a_tree_without_splits_is_a_leaf() -> None:
    booster = trained(np.zeros((30, 2)), np.arange(30), rounds=1, objective="regression")
    (structure,) = from_lightgbm(booster.model_to_string())
    assert structure.left.tolist() == [-1] and [len(rows) for rows in structure.rows(np.zeros((4, 2)))] == [4]


def test_categories_of_a_frame_are_coded_as_lightgbm_codes_them() -> None:
    rng = np.random.default_rng(3)
    x, y = mixed(rng)
    words = np.array(["pear", "apple", "fig", "plum", "kiwi"], dtype=object)
    frame = pandas.DataFrame(
        {"a b": x[:, 0], "fruit": pandas.Categorical(words[x[:, 2].astype(int) % 5]), "n": x[:, 1]}
    )
    booster = trained(frame, y)
    model = lightgbm_model(booster.model_to_string())
    theirs = booster.predict(frame, pred_leaf=True)
    assert model.features == ("a_b", "fruit", "n")
    for tree, ends, leaf in zip(model.trees, model.ends(frame), theirs.T, strict=True):
        assert (ends - (tree.structure.left >= 0).sum() == leaf).all()


@pytest.mark.parametrize("name", ["german_credit", "breast_cancer_wisconsin", "mushrooms", "vehicle", "shuttle"])
def test_real_files(name: str, data: Path) -> None:
    found = load(name, data)
    x, y = found.X[:8000], np.unique(found.y[:8000], return_inverse=True)[1]
    more = {"objective": "multiclass", "num_class": int(y.max()) + 1} if y.max() > 1 else {}
    booster = trained(x, y, rounds=3, categorical=list(found.categories), **more)
    agree(booster, x)
    counted(booster, x)


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
    read = read_model(booster)
    for tree, ends, leaf in zip(read.trees, read.ends(x), leaves.T, strict=True):
        assert (ends - (tree.structure.left >= 0).sum() == leaf).all()
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
        assert from_lightgbm(text)[0].left.tolist() == [1, 3, -1, -1, -1]
    else:
        with pytest.raises(ValueError, match="a LightGBM model is the text that save_model writes"):
            from_lightgbm(text)


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
        assert from_lightgbm(text)[0].subsets == {0: {0, 2}, 1: {1, 2}}
    else:
        with pytest.raises(ValueError, match="a LightGBM model is the text that save_model writes"):
            from_lightgbm(text)


@pytest.mark.parametrize("last", ["null", '[["a", "b"]]', "[[1, 2]]", "[[]", "5", "[5]", "[[[1]]]", '[[{"a": 1}]]'])
def test_categories_of_a_frame_are_words_or_numbers(last: str) -> None:
    text = f"{HEADER}{SIDES}end of trees\n\npandas_categorical:{last}\n".replace(
        "names=a\n", "names=a\nfeature_infos=0:1\n"
    )
    if last in ("null", '[["a", "b"]]', "[[1, 2]]"):
        assert len(list(lightgbm_model(text).ends({"a": [0, 1]}))) == 1
    else:
        with pytest.raises(ValueError, match="a LightGBM model is the text that save_model writes"):
            from_lightgbm(text)


@pytest.mark.parametrize(
    "text", ["", "tree\nversion=v4\n", "{}", "tree\nnum_class=1\nfeature_names=a\n\nTree=0\nnum_leaves=2\n"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a LightGBM model is the text that save_model writes"):
        from_lightgbm(text)


def test_counts_of_a_part_of_the_rows_are_not_kept() -> None:
    x, y = mixed(np.random.default_rng(5))
    for more in ({"bagging_freq": 1, "bagging_fraction": 0.5}, {"data_sample_strategy": "goss"}):
        model = lightgbm_model(trained(x, y, rounds=2, **more).model_to_string())
        assert [tree.rows for tree in model.trees] == [None, None]
