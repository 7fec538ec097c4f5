"""Fitted trees, forests and boosted trees of scikit-learn, and those of this library, which are made like them.

Main definitions: ``sklearn_model``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

from splitcrit.estimators.columns import names_of
from splitcrit.inference.halves import HonestTree
from splitcrit.inference.models import FittedModel, FittedTree, known_columns, same_names
from splitcrit.inference.node_moments import Moments
from splitcrit.inference.structures import Structure
from splitcrit.inputs import numbers
from splitcrit.values import complaint

Array = NDArray[Any]
BOOSTED = (GradientBoostingClassifier, GradientBoostingRegressor)
HONEST = "the rows that an honest tree was not grown on chose which of its splits are kept"
MEANS = ("squared_error", "friedman_mse")  # criteria whose impurity is the variance


def sklearn_model(model: Any) -> FittedModel:
    """Return a fitted tree, forest or boosted ensemble, which has ``tree_`` or ``estimators_`` and ``apply``.

    Raises
    ------
    ValueError
        If the model has several outputs.
    """
    boosted, honest = isinstance(model, BOOSTED), isinstance(model, HonestTree)
    each = [model.estimator_] if honest else np.ravel(getattr(model, "estimators_", [model])).tolist()
    if getattr(model, "n_outputs_", 1) > 1:
        remedy = "fit one model for each output"
        raise ValueError(complaint("an audited model has one output", f"{model.n_outputs_}", remedy))
    classes = np.asarray(model.classes_) if is_classifier(model) else None
    features = getattr(model, "feature_names_in_", [f"x{i}" for i in range(model.n_features_in_)])
    drawn = tuple(model.estimators_samples_) if not boosted and getattr(model, "bootstrap", False) else None
    whole = not honest and (not boosted or model.subsample == 1.0)
    known = not boosted and (classes is not None or each[0].criterion in MEANS)
    return FittedModel(
        "scikit-learn", tuple(_tree(tree, known, whole) for tree in each), tuple(map(str, features)),
        lambda data: _ends(model, data), None if classes is None else len(classes), classes, boosted, drawn,
        HONEST if honest else "a boosted tree keeps no draws of rows" if boosted else "each tree was grown on all rows",
    )  # fmt: skip


def _ends(model: Any, data: Any) -> Iterator[Array]:
    """Return, tree by tree, the leaf at which each row ends, by the model's own ``apply``."""
    with numbers(data):
        shape: tuple[int, ...] = () if isinstance(data, type) else np.shape(data)
    known_columns(model.n_features_in_, "x".join(map(str, shape)), len(shape) == 2 and shape[1] == model.n_features_in_)
    if (names := names_of(data)) is not None and hasattr(model, "feature_names_in_"):
        same_names(names, [str(name) for name in model.feature_names_in_])
    with numbers(data):  # the trees of a boosted model know no names, and would warn of those in a frame
        found = np.asarray(model.apply(np.asarray(data) if isinstance(model, BOOSTED) else data))
    return (column.astype(np.intp) for column in found.reshape(len(found), -1).T)


def _tree(tree: Any, known: bool, whole: bool) -> FittedTree:
    """Return one tree, with the moments of the rows that grew it where they are ``known``."""
    held, structure = tree.tree_, Structure.of(tree)
    if splits := getattr(tree, "splits_", {}):  # by categories: the column of a subset stands for its feature
        nodes, feature, threshold = list(splits), structure.feature.copy(), structure.threshold.copy()
        feature[nodes], threshold[nodes] = [split.feature for split in splits.values()], np.nan
        structure = replace(structure, feature=feature, threshold=threshold)
    weight = held.weighted_n_node_samples
    parts, inside = weight / weight[0] * held.impurity, structure.left >= 0
    recorded = np.where(inside, parts - parts[structure.left] - parts[structure.right], 0.0)
    mean = held.value[:, 0, :]
    spread = (mean * (1 - mean)).sum(axis=1) if is_classifier(tree) else held.impurity
    return FittedTree(
        structure, recorded, Moments(weight, mean, spread) if known else None, held.n_node_samples if whole else None
    )
