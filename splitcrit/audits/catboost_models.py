"""CatBoost's models as their JSON files hold them; CatBoost itself is not needed.

Rows above the border go right, both rounded to float32; each feature says where rows without a value go. An oblivious
tree asks the same question of all nodes of a level: question i is bit i of the number of a leaf. It is
read as a tree whose nodes hold their children, as the others are; nodes are numbered level by level.

CatBoost records no gains.

Main definitions: ``catboost_model``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.audits.models import FittedModel, FittedTree, category_names, listed, published_model, readable
from splitcrit.audits.node_moments import below
from splitcrit.frozen import complaint, visible
from splitcrit.trees.tree_arrays import Structure

Question = tuple[int, float, bool]  # the feature, its border, and whether rows without a value go left


def catboost_model(text: str | bytes | Mapping[str, Any]) -> FittedModel:
    """Read a model in CatBoost's JSON format, which ``save_model("model.json", format="json")`` writes.

    Raises
    ------
    ValueError
        If the text is no such model, or a split is by a categorical, text or embedding feature.
    """
    rule, remedy = "a CatBoost model is JSON with trees", "save it by save_model('model.json', format='json')"
    with readable(rule, remedy):
        model = text if isinstance(text, Mapping) else json.loads(text)
        kinds = model["features_info"]
        every = {column["flat_feature_index"]: column for name in kinds if name.endswith("_features")
                 for column in kinds[name]}  # fmt: skip
        features = tuple(str(every[i].get("feature_id") or f"x{i}") for i in range(len(every)))
        floats = kinds.get("float_features", ())
        numeric = [(column["flat_feature_index"], column["nan_value_treatment"] != "AsTrue") for column in floats]

        def question_of(split: Mapping[str, Any]) -> Question:
            if split["split_type"] != "FloatFeature":
                rule, got = "an audited CatBoost model must split by numbers only", visible(split["split_type"])[:40]
                raise ValueError(complaint(rule, got, "encode categories as numbers, and fit it again"))
            at, border = split["float_feature_index"], float(split["border"])
            feature, missing_left = numeric[at if at >= 0 else len(numeric)]
            return feature, border, missing_left

        nested = map(_nested, model["oblivious_trees"]) if "oblivious_trees" in model else model["trees"]
        trees = tuple(_tree(tree, question_of) for tree in nested)
        classes = _classes(model["model_info"])
        unused: dict[int, list[Any]] = {i: [] for i in set(every) - {feature for feature, _ in numeric}}
        kind, boosted = None if classes is None else len(classes), len(trees) > 1
        return published_model("CatBoost", trees, features, unused, kind, single=True, boosted=boosted, classes=classes)


def _nested(tree: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a tree of ``2^d`` leaves as nodes that hold their children."""
    splits, values, weights = tree["splits"], listed(tree, "leaf_values", "if"), tree.get("leaf_weights") or []
    if not len(values) or len(values) % 2 ** len(splits):
        raise ValueError(f"{len(values)} leaf_values at depth {len(splits)}")
    scores = values.reshape(2 ** len(splits), -1).tolist()

    def node(depth: int, leaf: int) -> Mapping[str, Any]:
        if depth == len(splits):
            return {"value": scores[leaf], "weight": weights[leaf] if len(weights) else math.nan}
        sides = (node(depth + 1, leaf + bit * 2**depth) for bit in (0, 1))
        return {"split": splits[depth], **dict(zip(("left", "right"), sides, strict=True))}

    return node(0, 0)


def _tree(tree: Mapping[str, Any], question_of: Callable[[Any], Question]) -> FittedTree:
    """Return a tree whose nodes hold their children."""
    nodes: list[Mapping[str, Any]] = [tree]
    parent = [-1]
    for i, node in enumerate(nodes):  # which grows
        if "split" in node:
            nodes += [node["left"], node["right"]]
            parent += [i, i]
    size, at_leaf = len(nodes), [i for i, node in enumerate(nodes) if "split" not in node]
    left, right, feature = (np.full(size, -1) for _ in range(3))
    threshold, missing_left = np.full(size, np.nan, dtype=np.float32), np.zeros(size, dtype=bool)
    left[parent[1::2]], right[parent[1::2]] = np.arange(1, size, 2), np.arange(2, size, 2)
    for i in np.flatnonzero(left >= 0).tolist():
        feature[i], threshold[i], missing_left[i] = question_of(nodes[i]["split"])
    values = np.array([nodes[i]["value"] for i in at_leaf], dtype=float).reshape(len(at_leaf), -1)
    scores, weights = np.zeros((size, values.shape[1])), np.zeros(size)
    scores[at_leaf], weights[at_leaf] = values, [float(nodes[i]["weight"]) for i in at_leaf]
    structure = Structure(left, right, feature, threshold, missing_left)
    w, unrecorded = below(structure, weights), np.where(left >= 0, np.nan, 0.0)
    if np.isnan(w[0]):  # a file without weights of leaves
        return FittedTree(structure, unrecorded, values=scores)
    return FittedTree(structure, unrecorded, values=scores, shares=w / max(w[0], 1e-300), weights=w)


def _classes(info: Mapping[str, Any]) -> Array | None:
    """Return the classes, sorted, None where the model predicts numbers."""
    if not (parameters := info.get("class_params")):
        return None
    names = category_names(parameters["class_names"])
    if len(names) < 2 or len({isinstance(name, str) for name in names}) > 1:
        raise ValueError("class_names are words or numbers")
    return np.unique(np.array(names))
