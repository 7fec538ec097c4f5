"""Rows of real files end where the libraries say: a forest of scikit-learn and ours, LightGBM's and XGBoost's trees.

``python benchmarks/audit_counts.py FOLDER [NAME ...]`` fits each library on the files of a folder with a manifest, with
categories and missing values as they are, and writes a line for each: how many trees, nodes and rows, and in how many
places our count or leaf is another than the library's. Its exit status is 1 if there is any.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import lightgbm
import numpy as np
import xgboost
from sklearn.ensemble import RandomForestClassifier

from reproductions.datasets import Dataset, load, names
from splitcrit import ForestClassifier
from splitcrit.inference import audit
from splitcrit.inference.model_formats import read_model
from splitcrit.inference.node_moments import NodeLabels, node_sums

MOST, TREES = 20_000, 3
Counts = Iterator[tuple[int, int]]  # of each tree its nodes, and the places that differ


def of_forest(kind: type, found: Dataset) -> Counts:
    """Compare the tables of the rows that a tree drew with the counts that it kept."""
    model = kind(TREES, max_depth=8, random_state=0).fit(found.X, found.y)
    splits = audit(model, found.X, found.y, "training").splits
    for i, tree in enumerate(model.estimators_):
        held, here = tree.tree_, splits.tree == i
        sides = np.stack([held.children_left, held.children_right], axis=1)[splits.node[here]]
        counted = held.weighted_n_node_samples[sides]
        yield held.node_count, int((counted != splits.tables[here].sum(axis=2)).sum())


def of_lightgbm(found: Dataset) -> Counts:
    """Compare leaves with ``pred_leaf``, and counts with those of ``dump_model``."""
    booster = lightgbm.train(
        {**objective(found, "binary", "multiclass"), "verbose": -1, "num_threads": 1, "min_data_per_group": 5},
        lightgbm.Dataset(found.X, codes(found), categorical_feature=list(found.categories)), TREES,
    )  # fmt: skip
    leaves = np.asarray(booster.predict(found.X, pred_leaf=True)).reshape(len(found.X), -1)
    fitted, kept = read_model(booster), booster.dump_model()["tree_info"]
    for tree, ends, theirs, dumped in zip(fitted.trees, fitted.ends(found.X), leaves.T, kept, strict=True):
        inside = int((tree.structure.left >= 0).sum())
        reached = node_sums(tree.structure, ends, NodeLabels(np.zeros(len(ends), dtype=np.int64), 1))[:, 0]
        counted = dict(counts(dumped["tree_structure"], inside))
        odd = sum(int(reached[node]) != n for node, n in counted.items())
        yield len(reached), odd + int((ends - inside != theirs).sum())


def counts(node: dict[str, Any], inside: int) -> Iterator[tuple[int, int]]:
    """Yield number and count of each node below one of a dumped tree."""
    if "split_index" in node:
        yield node["split_index"], node["internal_count"]
        for side in ("left_child", "right_child"):
            yield from counts(node[side], inside)
    elif "leaf_count" in node:
        yield inside + node["leaf_index"], node["leaf_count"]


def of_xgboost(found: Dataset) -> Counts:
    """Compare leaves with ``pred_leaf``."""
    types = ["c" if categorical else "q" for categorical in found.categorical]
    data = xgboost.DMatrix(found.X, codes(found), feature_types=types, enable_categorical=True)
    options = {**objective(found, "binary:logistic", "multi:softprob"), "nthread": 1, "max_cat_to_onehot": 2}
    booster = xgboost.train(options, data, TREES)
    leaves, fitted = booster.predict(data, pred_leaf=True).reshape(len(found.X), -1), read_model(booster)
    for tree, ends, theirs in zip(fitted.trees, fitted.ends(found.X), leaves.T, strict=True):
        yield len(tree.structure.left), int((ends != theirs).sum())


def objective(found: Dataset, two: str, more: str) -> dict[str, Any]:
    classes = len(np.unique(found.y))
    return {"objective": two} if classes == 2 else {"objective": more, "num_class": classes}


def codes(found: Dataset) -> np.ndarray:
    return np.unique(found.y, return_inverse=True)[1]


def cut(found: Dataset) -> Dataset:
    """Return the first rows of a file."""
    return replace(found, X=found.X[:MOST], y=found.y[:MOST])


KINDS: dict[str, Callable[[Dataset], Counts]] = {
    "scikit-learn": lambda found: of_forest(RandomForestClassifier, found),
    "splitcrit": lambda found: of_forest(ForestClassifier, found),
    "LightGBM": of_lightgbm,
    "XGBoost": of_xgboost,
}


def main(folder: str, *chosen: str) -> int:
    odd = 0
    for name in chosen or names(folder):
        found = cut(load(name, folder))
        for library, compared in KINDS.items():
            each = list(compared(found))
            different, nodes = sum(d for _, d in each), sum(n for n, _ in each)
            sizes = f"{len(found.X)} rows, {len(each)} trees, {nodes} nodes"
            print(f"{name}, {library}: {sizes}, {different} differ", flush=True)
            odd += different
    return int(odd > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
