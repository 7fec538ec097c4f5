"""CatBoost's models as their JSON files hold them; CatBoost itself is not needed.

Rows above the border go right, both rounded to float32; each feature says where rows without a value go. An oblivious
tree asks the same question of all nodes of a level: question i is bit i of the number of a leaf. Here its nodes stand
level by level, so that the leaf with bits b_0, b_1, ... of a tree of depth d is node ``2^d - 1 + sum_i b_i 2^(d-1-i)``.

CatBoost records no gains. In their place stands, of each split, what it adds to CatBoost's own importance: with the
weights w and values v of the leaves on its sides, pair by pair in an oblivious tree and on average in others,
``w_l w_r (v_l - v_r)^2 / (w_l + w_r)``.

Main definitions: ``catboost_model``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.audits.models import FittedModel, FittedTree, category_names, listed, published_model, readable
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

        if "oblivious_trees" in model:
            trees = tuple(_oblivious(tree, question_of) for tree in model["oblivious_trees"])
        else:
            trees = tuple(_free(tree, question_of) for tree in model["trees"])
        classes = _classes(model["model_info"])
        unused: dict[int, list[Any]] = {i: [] for i in set(every) - {feature for feature, _ in numeric}}
        kind, boosted = None if classes is None else len(classes), len(trees) > 1
        return published_model("CatBoost", trees, features, unused, kind, single=True, boosted=boosted, classes=classes)


def _oblivious(tree: Mapping[str, Any], question_of: Callable[[Any], Question]) -> FittedTree:
    """Return a tree of ``2^d`` leaves."""
    each = [question_of(split) for split in tree["splits"]]
    depth, values = len(each), listed(tree, "leaf_values", "if")
    if not len(values) or len(values) % 2**depth:
        raise ValueError(f"{len(values)} leaf_values at depth {depth}")
    nodes, times = np.arange(2 ** (depth + 1) - 1), 2 ** np.arange(depth)
    leaf = nodes >= 2**depth - 1
    feature, threshold, missing_left = (
        np.concatenate([np.repeat(np.array([question[i] for question in each], dtype=kind), times),
                        np.full(2**depth, at_leaf, dtype=kind)])
        for i, (kind, at_leaf) in enumerate([(np.intp, -1), (np.float32, np.nan), (bool, False)])
    )  # fmt: skip
    structure = Structure(
        np.where(leaf, -1, 2 * nodes + 1), np.where(leaf, -1, 2 * nodes + 2), feature, threshold, missing_left
    )
    v = _by_level(values.astype(float).reshape(2**depth, -1), depth)
    scores = np.concatenate([np.zeros((2**depth - 1, v.shape[1])), v])
    if not tree.get("leaf_weights"):
        return FittedTree(structure, np.where(leaf, 0.0, np.nan), values=scores)
    w = _by_level(listed(tree, "leaf_weights", "if", 2**depth).astype(float)[:, None], depth)
    sides = [(w.reshape(2**i, 2, -1, 1), v.reshape(2**i, 2, -1, v.shape[1])) for i in range(depth)]
    changes = [_change(a[:, 0], a[:, 1], b[:, 0], b[:, 1]).sum(axis=(1, 2)) for a, b in sides]
    below = np.concatenate([w.reshape(2**i, -1).sum(axis=1) for i in range(depth + 1)])
    recorded = np.concatenate([*changes, np.zeros(2**depth)])
    return FittedTree(structure, recorded, shares=below / max(below[0], 1e-300), values=scores, weights=below)


def _by_level(values: Array, depth: int) -> Array:
    """Return values at leaves in the order of their nodes, the first question's bit foremost."""
    by_bit = values.reshape((2,) * depth + (-1,)).transpose([*reversed(range(depth)), depth])
    return np.asarray(by_bit.reshape(values.shape))


def _change(w_left: Array, w_right: Array, left: Array, right: Array) -> Array:
    return np.asarray(w_left * w_right / np.maximum(w_left + w_right, 1e-300) * (left - right) ** 2)


def _free(tree: Mapping[str, Any], question_of: Callable[[Any], Question]) -> FittedTree:
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
    leaf_values = np.array([nodes[i]["value"] for i in at_leaf], dtype=float).reshape(len(at_leaf), -1)
    w, v, changes = np.zeros(size), np.zeros((size, leaf_values.shape[1])), np.zeros(size)
    w[at_leaf], v[at_leaf] = [float(nodes[i]["weight"]) for i in at_leaf], leaf_values
    for i in np.flatnonzero(left >= 0)[::-1].tolist():
        feature[i], threshold[i], missing_left[i] = question_of(nodes[i]["split"])
        a, b = left[i], right[i]
        w[i] = w[a] + w[b]
        v[i] = (w[a] * v[a] + w[b] * v[b]) / max(w[i], 1e-300)
        changes[i] = _change(w[a], w[b], v[a], v[b]).sum()
    structure = Structure(left, right, feature, threshold, missing_left)
    return FittedTree(structure, changes, shares=w / max(w[0], 1e-300), values=v, weights=w)


def _classes(info: Mapping[str, Any]) -> Array | None:
    """Return the classes, sorted, None where the model predicts numbers."""
    if not (parameters := info.get("class_params")):
        return None
    names = category_names(parameters["class_names"])
    if len(names) < 2 or len({isinstance(name, str) for name in names}) > 1:
        raise ValueError("class_names are words or numbers")
    return np.unique(np.array(names))
