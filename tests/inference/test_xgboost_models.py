"""Trees read from XGBoost's JSON: rows end at the leaves that XGBoost says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from splitcrit.datasets import load
from splitcrit.inference import from_xgboost
from splitcrit.inference.xgboost_models import xgboost_model

xgboost = pytest.importorskip("xgboost")


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
    pandas = pytest.importorskip("pandas")
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


@pytest.mark.parametrize(
    ("name", "entries"), [("left_children", [0, -1, -1]), ("right_children", [7, -1, -1]), ("split_indices", [4, 0, 0])]
)
def test_a_tree_in_a_circle_or_of_other_features_is_refused(name: str, entries: list[int]) -> None:
    x, y = mixed(np.random.default_rng(2))
    model = json.loads(trained(x, y, rounds=1, max_depth=1).save_raw("json"))
    (tree,) = model["learner"]["gradient_booster"]["model"]["trees"]
    assert len(from_xgboost(json.dumps(model))[0].left) == len(tree[name]) == 3
    tree[name] = entries
    with pytest.raises(ValueError, match="an XGBoost model is JSON with trees"):
        from_xgboost(json.dumps(model))


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"learner": {"gradient_booster": {"name": "gblinear", "model": {}}}}']
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="an XGBoost model is JSON with trees"):
        from_xgboost(text)
