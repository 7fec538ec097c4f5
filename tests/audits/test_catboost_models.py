"""Trees read from CatBoost's JSON: rows end at the leaves that CatBoost says.

``catboost_models.json`` holds models that CatBoost 1.2.10 wrote, of which only what tells when and where they were made
is left out, with rows, and the leaves at which it says that they end.
"""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from refusals import refused
from splitcrit.audits import audit
from splitcrit.audits.model_formats import read_model
from splitcrit.audits.models import walk
from splitcrit.audits.published_models import published_model

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "catboost_models.json").read_text())
NAMES = ["two classes", "three classes", "numbers", "missing right", "lossguide", "depthwise"]


def agree(case: dict[str, Any]) -> None:
    """Every row ends at CatBoost's leaf."""
    model, rows = published_model(json.dumps(case["model"])), np.array(case["rows"], dtype=float)
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
    assert told_apart(CASES[name]["model"])[0] > 100


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
    sizes = [len(reached) for tree in published_model(CASES[name]["model"]).trees
             for node, reached in enumerate(tree.structure.rows(rows)) if tree.structure.left[node] >= 0]  # fmt: skip
    assert report.splits.tables.sum(axis=(1, 2)).tolist() == sizes
    assert (report.classes is None) == (name == "numbers") and report.features == ("x0", "x1", "x2")


def test_splits_by_categories_are_refused_and_unused_categories_are_not() -> None:
    with pytest.raises(ValueError, match="an audited CatBoost model must split by numbers only; got OnlineCtr; encode"):
        published_model(CASES["categories"]["model"])
    model = copy.deepcopy(CASES["two classes"]["model"])
    model["features_info"]["categorical_features"] = [{"feature_id": "", "feature_index": 0, "flat_feature_index": 3}]
    rows = np.array(CASES["two classes"]["rows"], dtype=float)
    frame = {f"x{i}": column for i, column in enumerate([*rows.T, np.array(["word"] * len(rows))])}
    found = [ends.tolist() for ends in published_model(model).ends(frame)]
    assert found == [ends.tolist() for ends in published_model(CASES["two classes"]["model"]).ends(rows)]


def as_written(name: str, loss: str = "", classes: Any = None, **parameters: Any) -> Any:
    """A model of the file, as CatBoost writes one of another loss, or whose classes have other names."""
    model = copy.deepcopy(CASES[name]["model"])
    model["model_info"] |= {"params": {"loss_function": {"type": loss, "params": parameters}}} if loss else {}
    model["model_info"] |= {} if classes is None else {"class_params": {"class_names": classes}}
    return model


def told_apart(model: Any, labels: Any = None) -> list[float]:
    """The e-values of a model whose first column tells the classes of 400 rows."""
    rng = np.random.default_rng(5)
    x = np.column_stack([rng.normal(size=400), rng.integers(0, 5, 400), rng.normal(size=400)])
    report = audit(model, x, np.where(x[:, 0] > 0.2, "yes", "no") if labels is None else labels(x))
    assert list(report.verdicts.values()) == [True, False, False]
    return list(report.evalues)


def terciles(rows: Any) -> Any:
    """Three classes by the first column."""
    return (rows[:, 0] > -0.5) + (rows[:, 0] > 0.5) * 1


def test_classes_may_stand_in_any_order() -> None:
    """With `class_names=["yes", "no"]` the scores are those of "no", so that all change their signs."""
    turned = as_written("two classes", classes=["yes", "no"])
    for tree in turned["oblivious_trees"]:
        tree["leaf_values"] = [-value for value in tree["leaf_values"]]
    assert told_apart(turned) == told_apart(CASES["two classes"]["model"])
    order = [2, 0, 1]
    three, named = (as_written("three classes", classes=names) for names in (order, [0, 1, 2]))
    for tree in three["oblivious_trees"]:
        tree["leaf_values"] = np.reshape(tree["leaf_values"], (-1, 3))[:, order].ravel().tolist()
    assert told_apart(three, terciles) == told_apart(named, terciles)


@pytest.mark.parametrize(
    ("loss", "alpha", "outputs", "levels", "survival"),
    [("Quantile", "0.8", 1, (0.8,), False), ("MultiQuantile", "0.1,0.9", 2, (0.1, 0.9), False),
     ("MultiRMSE", "", 2, (), False), ("RMSEWithUncertainty", "", 1, (), False), ("Cox", "", 1, (), True),
     ("SurvivalAft", "", 1, (), True), ("Poisson", "", 1, (), False)],
)  # fmt: skip
def test_the_loss_says_what_leaves_hold(loss: str, alpha: str, outputs: int, levels: Any, survival: bool) -> None:
    model = as_written("numbers", loss, alpha=alpha)
    own = [np.array(tree["leaf_values"]) for tree in model["oblivious_trees"]]
    if outputs == 2 or loss == "RMSEWithUncertainty":
        for tree, values in zip(model["oblivious_trees"], own, strict=True):
            tree["leaf_values"] = np.stack([values, -3 * values], axis=1).ravel().tolist()
    read = published_model(model)
    assert (read.outputs, read.quantiles, read.survival, read.classes) == (outputs, levels, survival, None)
    assert len(read.trees) == outputs * len(own)
    for i, tree in enumerate(read.trees):
        leaves = np.sort(np.asarray(tree.values)[tree.structure.left < 0].ravel())
        sign = -1 if loss == "SurvivalAft" else (1, -3)[i % outputs]  # times are longer where scores are higher
        assert tree.scored == i % outputs and leaves.tolist() == np.sort(sign * own[i // outputs]).tolist()


def test_chances_are_numbers_and_a_tree_may_split_nothing() -> None:
    assert published_model(as_written("numbers", "CrossEntropy", classes=[])).n_classes is None
    model = as_written("two classes")
    model["oblivious_trees"][0] |= {"splits": None, "leaf_values": [0.5], "leaf_weights": [9]}
    assert published_model(model).trees[0].structure.left.tolist() == [-1]


LIVE: dict[str, tuple[str, dict[str, Any]]] = {
    "two words": ("Classifier", {}), "turned": ("Classifier", {"class_names": ["yes", "no"]}),
    "by softmax": ("Classifier", {"loss_function": "MultiClass", "class_names": ["yes", "no"]}),
    "three": ("Classifier", {}), "one against all": ("Classifier", {"loss_function": "MultiClassOneVsAll"}),
    "missing right": ("Classifier", {"nan_mode": "Max"}), "lossguide": ("Classifier", {"grow_policy": "Lossguide"}),
    "numbers": ("Regressor", {}), "depthwise": ("Regressor", {"grow_policy": "Depthwise"}),
    "quantiles": ("Regressor", {"loss_function": "MultiQuantile:alpha=0.1,0.9"}),
    "cox": ("Regressor", {"loss_function": "Cox"}), "outputs": ("Regressor", {"loss_function": "MultiRMSE"}),
    "aft": ("Regressor", {"loss_function": "SurvivalAft:dist=Normal"}),
}  # fmt: skip


@pytest.mark.parametrize("name", LIVE)
def test_fitted_models_of_catboost_end_rows_at_its_leaves_and_score_them_as_it_does(name: str) -> None:
    library, (kind, options) = pytest.importorskip("catboost", reason="needs CatBoost"), LIVE[name]
    rng = np.random.default_rng(0)
    x, new = (np.column_stack([z[:, 0], rng.integers(0, 5, 300), z[:, 1]]) for z in rng.normal(size=(2, 300, 2)))
    for rows in (x, new):
        rows[rng.random(rows.shape) < 0.1] = np.nan
    y, label = (np.nan_to_num(rows[:, 0]) + rng.normal(size=300) for rows in (x, new))
    as_labels: Any = {
        "outputs": lambda y: np.stack([y, -y], axis=1), "aft": lambda y: np.exp(np.stack([y, y], axis=1)),
        "three": lambda y: terciles(y[:, None]), "one against all": lambda y: terciles(y[:, None]), "cox": np.exp,
    }.get(name, (lambda y: np.where(y > 0, "yes", "no")) if kind == "Classifier" else np.asarray)  # fmt: skip
    model = getattr(library, f"CatBoost{kind}")(
        iterations=12, depth=3, verbose=0, thread_count=1, random_seed=0, allow_writing_files=False, **options
    ).fit(x, as_labels(y))
    read = read_model(model)
    theirs = np.repeat(np.asarray(model.calc_leaf_indexes(new)), read.outputs, axis=1)
    width = np.asarray(read.trees[0].values).reshape(len(read.trees[0].structure.left), -1).shape[1]
    scores = np.zeros((300, max(width, read.outputs)))
    for tree, ends, leaves in zip(read.trees, read.ends(new), theirs.T, strict=True):
        pairs = set(zip(ends.tolist(), leaves.tolist(), strict=True))
        assert len({end for end, _ in pairs}) == len({leaf for _, leaf in pairs}) == len(pairs)
        scores[:, tree.scored : tree.scored + width] += np.asarray(tree.values)[ends].reshape(300, -1)
        assert tree.shares is not None and tree.rows is None
        sizes = np.bincount(next(iter(walk([tree], read.numbers)(x))), minlength=len(tree.shares))
        assert sizes[tree.structure.left < 0] == pytest.approx(300 * tree.shares[tree.structure.left < 0])
    scale, bias = model.get_scale_and_bias()
    raw = np.asarray(model.predict(new, prediction_type="RawFormulaVal")).reshape(300, -1) - bias
    order = np.argsort(model.classes_) if width > 1 else np.arange(scores.shape[1])
    turned = -1 if name in ("turned", "aft") else 1
    assert scale == 1 and scores == pytest.approx(turned * raw[:, order], abs=1e-9)
    survival = np.stack([np.exp(label), np.ones(300)], axis=1)
    assert audit(model, new, survival if read.survival else as_labels(label)).features_passed[0]


def broken(**changes: Any) -> Any:
    model = copy.deepcopy(CASES["two classes"]["model"])
    model["oblivious_trees"][0]["splits"][0] |= changes
    return model


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"float_feature_index": -1}, "a text without -1"), ({"float_feature_index": 3}, "a text without 3"),
     ({"border": float("nan")}, "a threshold is nan"), ({"split_type": "OneHotFeature"}, "split by numbers only")],
)  # fmt: skip
def test_splits_that_make_no_sense_are_refused(changes: dict[str, Any], said: str) -> None:
    refused(said, published_model, json.dumps(broken(**changes)))


def test_a_deep_tree_of_few_leaves_is_refused() -> None:
    model = broken()
    model["oblivious_trees"][0]["splits"] *= 20  # 2^60 leaves
    refused("or LightGBM's text; got a damaged text: 8 leaf_values", published_model, model)


@pytest.mark.parametrize("name", ["two classes", "lossguide", "depthwise"])
def test_rows_that_grew_a_model_are_known_by_the_weights_of_its_leaves(name: str) -> None:
    """A model whose leaves have the weights that 600 rows give them."""
    model, rng = copy.deepcopy(CASES[name]["model"]), np.random.default_rng(0)
    x, new = (np.column_stack([z[:, 0], rng.integers(0, 5, 600), z[:, 1]]) for z in rng.normal(size=(2, 600, 2)))
    y = np.array(["no", "yes"])[rng.integers(0, 2, 600)]
    trees = model.get("oblivious_trees") or model["trees"]
    for tree, fitted, ends in zip(trees, (read := published_model(model)).trees, read.ends(x), strict=True):
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
    refused("held-out rows grew no tree", audit, model, x, y)
    assert "match" not in audit(model, new, y).remarks[0]
    assert "match" in audit(model, x, y, "held-out").remarks[0]
