"""Importances of features that a tree splits by several subsets, from the numbers of its nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from splitcrit import TreeClassifier, TreeRegressor

RNG = np.random.default_rng(5)
FRAME = pd.DataFrame({"kind": RNG.choice(list("abcdef"), 120), "size": RNG.integers(0, 9, 120).astype(float)})
LABEL = (FRAME["kind"].isin(list("ac")).to_numpy() + 2 * FRAME["kind"].isin(list("de")).to_numpy()) * (
    FRAME["size"].to_numpy() > 3
)


def by_hand(tree: Any) -> list[float]:
    """Return what the nodes of each feature take from the weighted impurity, as shares of all."""
    one, found = tree.tree_, [0.0] * tree.n_features_in_
    for node in range(one.node_count):
        left, right = int(one.children_left[node]), int(one.children_right[node])
        if left < 0:
            continue
        feature = tree.splits_[node].feature if node in tree.splits_ else int(one.feature[node])
        weigh = [one.weighted_n_node_samples[i] * one.impurity[i] for i in (node, left, right)]
        found[feature] += weigh[0] - weigh[1] - weigh[2]
    return [x / sum(found) for x in found]


@pytest.mark.parametrize("model", [TreeClassifier(), TreeClassifier(criterion="entropy"), TreeRegressor()], ids=repr)
def test_all_subsets_of_a_feature_count_as_the_feature(model: Any) -> None:
    tree = model.set_params(categorical_features=["kind"]).fit(FRAME, LABEL)
    assert len({split.left for split in tree.splits_.values()}) > 1
    found = tree.feature_importances_
    assert found.tolist() == pytest.approx(by_hand(tree), rel=1e-12) and found.sum() == pytest.approx(1)
