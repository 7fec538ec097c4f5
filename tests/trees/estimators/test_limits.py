"""What fractions of rows and of weight mean in trees: where the best threshold lies once a limit binds, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from splitcrit import TreeClassifier, TreeRegressor

X = np.arange(10.0)[:, None]
Y = np.array([0, 0] + [1] * 8)  # best cut after two rows, the next best one after three
MODELS = [TreeClassifier(), TreeRegressor()]


def left(model: Any, weights: Any = None, more: int = 0, **options: Any) -> int:
    """Return how many of the ten rows the root sends left, 0 if it is a leaf; ``more`` rows of weight 0 come last."""
    x, y = np.concatenate([X, np.full((more, 1), 4.5)]), np.append(Y, np.zeros(more, int))
    if more:
        weights = np.append(np.ones(10) if weights is None else weights, np.zeros(more))
    tree = model.__class__(max_depth=1, **options).fit(x, y, sample_weight=weights).tree_
    if tree.node_count == 1:
        return 0
    assert tree.n_node_samples[0] == 10
    return int(tree.n_node_samples[1])


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize(("share", "expected"), [(0.1, 2), (0.2, 2), (0.21, 3), (0.3, 3), (0.35, 4), (0.5, 5)])
def test_a_share_of_rows_is_rounded_up_and_is_of_the_rows_passed(model: Any, share: float, expected: int) -> None:
    """Rows of weight 0 are rows passed, though no tree keeps them."""
    assert left(model, min_samples_leaf=share) == expected
    assert left(model, more=10, min_samples_leaf=share / 2) == expected
    assert left(model, np.full(10, 3.0), min_samples_leaf=share) == expected


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_share_of_rows_to_split_is_of_the_rows_passed(model: Any) -> None:
    assert left(model, min_samples_split=1.0) == 2
    assert left(model, more=10, min_samples_split=0.5) == 2
    assert left(model, more=10, min_samples_split=0.51) == 0  # 11 rows, and the root keeps 10
    assert left(model, min_samples_split=11) == 0 and left(model, min_samples_split=10) == 2


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_share_of_weight_is_of_the_weight_and_not_of_the_rows(model: Any) -> None:
    light, heavy = np.array([0.25] * 2 + [1.0] * 8), np.array([5.0] * 2 + [1.0] * 8)
    assert left(model, light, min_weight_fraction_leaf=0.05) == 2  # 0.425 of 8.5
    assert left(model, light, min_weight_fraction_leaf=0.06) == 3  # 0.51: two rows weigh 0.5
    assert left(model, heavy, min_weight_fraction_leaf=0.44) == 2  # 7.92 of 18: the sides weigh 10 and 8
    assert left(model, heavy, min_weight_fraction_leaf=0.45) == 0  # 8.1: no threshold leaves that on both sides
    assert left(model, light, more=10, min_weight_fraction_leaf=0.06) == 3
    even = np.array([0.5] * 2 + [0.875] * 8)
    assert [left(model, even, min_weight_fraction_leaf=share) for share in (0.125, 0.126)] == [2, 3]  # 1 of 8


def test_balanced_classes_weigh_as_much() -> None:
    """The two rows of one class weigh as much as the eight of the other: half of all."""
    assert left(TreeClassifier(), class_weight="balanced", min_weight_fraction_leaf=0.5) == 2
    assert left(TreeClassifier(), class_weight={0: 1.0, 1: 4.0}, min_weight_fraction_leaf=0.05) == 2  # 1.7 of 34
    assert left(TreeClassifier(), class_weight={0: 1.0, 1: 4.0}, min_weight_fraction_leaf=0.06) == 3
