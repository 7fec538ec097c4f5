"""Trees read from CatBoost's JSON: rows end at the leaves that CatBoost says.

``catboost_models.json`` holds models that CatBoost 1.2.10 wrote, of which only what tells when and where they were made
is left out, with rows, and the leaves at which it says that they end.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from splitcrit.audits import audit
from splitcrit.audits.published_models import catboost_model

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "catboost_models.json").read_text())
NAMES = ["two classes", "three classes", "numbers", "missing right", "lossguide", "depthwise"]


def agree(case: dict[str, Any]) -> None:
    """Every row ends at CatBoost's leaf."""
    model, rows = catboost_model(json.dumps(case["model"])), np.array(case["rows"], dtype=float)
    for tree, ends, leaves in zip(model.trees, model.ends(rows), case["leaves"], strict=True):
        inner = tree.structure.left >= 0
        depth = int(inner.sum()).bit_length()
        if "oblivious_trees" in case["model"]:
            assert [int(f"{end - inner.sum():0{depth}b}"[::-1], 2) for end in ends] == leaves
        else:  # leaves have numbers of their own
            pairs = set(zip(ends.tolist(), leaves, strict=True))
            assert len({end for end, _ in pairs}) == len({leaf for _, leaf in pairs}) == len(pairs)
        assert np.isnan(tree.recorded[inner]).all()  # CatBoost tells of no gains


@pytest.mark.parametrize("name", ["two classes", "lossguide"])
def test_features_get_verdicts(name: str) -> None:
    rng = np.random.default_rng(5)
    x = np.column_stack([rng.normal(size=400), rng.integers(0, 5, 400), rng.normal(size=400)])
    report = audit(CASES[name]["model"], x, np.where(x[:, 0] > 0.2, "yes", "no"))
    assert list(report.verdicts.values()) == [True, False, False]


@pytest.mark.parametrize("name", NAMES)
def test_rows_end_where_catboost_says(name: str) -> None:
    agree(CASES[name])


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_audited(name: str, tmp_path: Path) -> None:
    path, rows = tmp_path / "model.json", np.array(CASES[name]["rows"], dtype=float)
    path.write_text(json.dumps(CASES[name]["model"]))
    y: Any = np.where(np.nan_to_num(rows[:, 0]) > 0, "yes", "no")
    y = {"numbers": rows[:, 1] > 2, "three classes": rows[:, 1] > 2}.get(name, y)
    y = y.astype(float if name == "numbers" else int) if y.dtype == bool else y
    report = audit(path, rows, y)
    assert audit(str(path), rows, y).splits.tables.tolist() == report.splits.tables.tolist()
    assert audit(CASES[name]["model"], rows, y).splits.tables.tolist() == report.splits.tables.tolist()
    sizes = [len(reached) for tree in catboost_model(CASES[name]["model"]).trees
             for node, reached in enumerate(tree.structure.rows(rows)) if tree.structure.left[node] >= 0]  # fmt: skip
    assert report.splits.tables.sum(axis=(1, 2)).tolist() == sizes
    assert (report.classes is None) == (name == "numbers") and report.features == ("x0", "x1", "x2")


def test_splits_by_categories_are_refused_and_unused_categories_are_not() -> None:
    with pytest.raises(ValueError, match="an audited CatBoost model must split by numbers only; got OnlineCtr; encode"):
        catboost_model(CASES["categories"]["model"])
    model = copy.deepcopy(CASES["two classes"]["model"])
    model["features_info"]["categorical_features"] = [{"feature_id": "", "feature_index": 0, "flat_feature_index": 3}]
    rows = np.array(CASES["two classes"]["rows"], dtype=float)
    frame = {f"x{i}": column for i, column in enumerate([*rows.T, np.array(["word"] * len(rows))])}
    found = [ends.tolist() for ends in catboost_model(model).ends(frame)]
    assert found == [ends.tolist() for ends in catboost_model(CASES["two classes"]["model"]).ends(rows)]


def broken(**changes: Any) -> Any:
    model = copy.deepcopy(CASES["two classes"]["model"])
    model["oblivious_trees"][0]["splits"][0] |= changes
    return model


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"float_feature_index": -1}, "index out of range"), ({"float_feature_index": 3}, "index out of range"),
     ({"border": float("nan")}, "a threshold is nan"), ({"split_type": "OneHotFeature"}, "split by numbers only")],
)  # fmt: skip
def test_splits_that_make_no_sense_are_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        catboost_model(json.dumps(broken(**changes)))


def test_a_deep_tree_of_few_leaves_is_refused() -> None:
    model = broken()
    model["oblivious_trees"][0]["splits"] *= 20  # 2^60 leaves
    with pytest.raises(ValueError, match="a CatBoost model is JSON with trees; got a damaged text: 8 leaf_values"):
        catboost_model(model)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"features_info": {}}', b"\xff"])
def test_other_texts_are_refused(text: Any) -> None:
    with pytest.raises(ValueError, match="a CatBoost model is JSON with trees"):
        catboost_model(text)


@pytest.mark.parametrize("name", ["two classes", "lossguide", "depthwise"])
def test_rows_that_grew_a_model_are_known_by_the_weights_of_its_leaves(name: str) -> None:
    """A model whose leaves have the weights that 600 rows give them."""
    model, rng = copy.deepcopy(CASES[name]["model"]), np.random.default_rng(0)
    x, new = (np.column_stack([z[:, 0], rng.integers(0, 5, 600), z[:, 1]]) for z in rng.normal(size=(2, 600, 2)))
    y = np.array(["no", "yes"])[rng.integers(0, 2, 600)]
    for tree, fitted, ends in zip(trees_of(model), (read := catboost_model(model)).trees, read.ends(x), strict=True):
        counts = np.bincount(ends, minlength=len(fitted.structure.left))
        if "leaf_weights" in tree:
            depth = len(tree["splits"])
            by_bits = counts[fitted.structure.left < 0].reshape((2,) * depth).transpose(*reversed(range(depth)))
            tree["leaf_weights"] = by_bits.ravel().tolist()
        else:
            nodes = [tree]
            for i, node in enumerate(nodes):
                nodes += [node["left"], node["right"]] if "split" in node else []
                if "split" not in node:
                    node["weight"] = int(counts[i])
    with pytest.raises(ValueError, match="held-out rows grew no tree"):
        audit(model, x, y)
    assert "match" not in audit(model, new, y).remarks[0]
    assert "match" in audit(model, x, y, "held-out").remarks[0]


def trees_of(model: Any) -> Any:
    return model["oblivious_trees"] if "oblivious_trees" in model else model["trees"]
