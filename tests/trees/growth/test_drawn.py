"""Trees from drawn features at large nodes: keys are sorted by their digits, thresholds keep to the smallest leaf."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from growing import difference
from splitcrit import decrease, gini
from splitcrit.trees.growth import GrowthOptions, Stopping, grow, grow_drawn, grow_regression
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.one_loop import Ranks
from splitcrit.trees.scan import Columns


@pytest.mark.each_value
@pytest.mark.parametrize(("n", "values"), [(60, 10**6), (700, 10**6), (700, 40), (5000, 10**6), (5000, 3000)])
@pytest.mark.parametrize("leaf", [1, 2, 7])
@pytest.mark.parametrize("drawn", [1, 2])
def test_drawn_and_sorted_columns_give_the_same_tree(n: int, values: int, leaf: int, drawn: int) -> None:
    rng = np.random.default_rng(n + leaf)
    x = rng.integers(0, values, (n, 3)).astype(np.float64)
    y = (x[:, 0] / values + rng.normal(size=n) > 0.5).astype(int)
    counts = None if leaf == 1 else rng.integers(1, 4, n)
    stopping = Stopping(min_samples_leaf=leaf, min_weight_leaf=9.0 if leaf == 7 else 0.0)
    growing = GrowthOptions(stopping, max_features=drawn, seed=5)
    tree = grow_drawn(Ranks.of(x), y, 2, decrease(gini), growing, counts)
    weights = None if counts is None else counts.astype(float)
    other = grow(Columns.of(x, y, 2, weights), decrease(gini), growing)
    assert tree is not None and difference(tree, other) == ""
    assert len(tree.left) > 5


def best_of_subsets(codes: Any, y: Any, w: Any, p: int) -> float:
    """The least weighted sum of squares of any way to divide some categories."""
    found = [float("inf")]
    for number in range(1, 2 ** (p - 1)):
        here = (number >> codes & 1).astype(bool)
        if here.any() and not here.all():
            sides = [(y[side], w[side]) for side in (here, ~here)]
            found.append(sum((v * (u - np.average(u, weights=v)) ** 2).sum() for u, v in sides))
    return min(found)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_first_split_of_categories_by_responses_is_the_best_of_all(weighted: bool) -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        p, n = 6, 60
        codes = rng.choice(p, n, p=np.array([1, 2, 4, 8, 16, 32]) / 63)
        y = np.round(rng.normal(size=p)[codes] * 2 + rng.normal(size=n), 2)
        w = rng.choice([0.5, 1.0, 4.0], n) if weighted else np.ones(n)
        x = codes[:, None].astype(np.float32)
        growing = GrowthOptions(Stopping(max_depth=1), recoding=Recoding(x, np.array([p]), p))
        tree = grow_regression(x, y, w if weighted else None, "squared_error", growing)
        whole = (w * (y - np.average(y, weights=w)) ** 2).sum()
        assert tree.score[0] * w.sum() == pytest.approx(whole - best_of_subsets(codes, y, w, p), rel=1e-9)
