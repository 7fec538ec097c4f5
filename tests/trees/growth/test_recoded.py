"""The compiled loop over categories grows the tree that the reference builder grows, node for node."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from growing import by_reference, grow_regression
from splitcrit import criteria, decrease, impurities
from splitcrit.criteria import Criterion
from splitcrit.trees.growth import GrowthOptions, Stopping, Training, grow, one_loop
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.training import Ranks

NAMES = ("feature", "threshold", "left", "right", "depth", "size", "weights", "missing_left", "score", "impurity")
LEVELS = np.array([5, 0, 4, 0, 7])
GINI = decrease(impurities.gini)
CRITERIA = [GINI, *map(decrease, (impurities.sqrt_gini, impurities.ne(0.5), impurities.matushita)), criteria.twoing]


def sample(seed: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Return columns of categories and of numbers, with ties and missing numbers, and codes of 2 to 5 classes."""
    rng = np.random.default_rng(seed)
    n, classes = int(rng.integers(5, 200)), int(rng.integers(2, 6))
    numbers = rng.normal(size=n).round(1), rng.integers(0, 3, n)
    x = np.stack([rng.integers(0, 5, n), numbers[0], rng.integers(0, 4, n), numbers[1], rng.integers(0, 7, n)], axis=1)
    x[:, 1::2][rng.random((n, 2)) < 0.3 * (seed % 3 == 1)] = np.nan
    noise = (rng.random(n) < 0.3) * rng.integers(0, classes, n)
    return x.astype(np.float32), (x[:, 0].astype(int) + noise) % classes, classes


def grown(seed: int, criterion: Criterion, stopping: Stopping, builder: Any, most: int) -> tuple[Any, Recoding]:
    x, y, classes = sample(seed)
    recoding, rng = Recoding(x, LEVELS, most), np.random.default_rng(seed)
    draws: dict[str, Any] = {"max_features": [None, 2][seed % 2], "draw": ["all", "varying"][rng.integers(0, 2)]}
    growing = GrowthOptions(stopping, recoding=recoding, splitter=["best", "random"][seed % 5 == 4], seed=seed, **draws)
    weights = [None, rng.integers(1, 4, len(y)) / 1.0, rng.integers(1, 9, len(y)) / 4.0][seed % 3]
    return builder(Training(x, y, classes, weights), criterion, growing), recoding


@pytest.mark.each_value
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@pytest.mark.parametrize("seeds", range(4))
def test_the_tree_is_that_of_the_reference_builder(
    criterion: Criterion, seeds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever divisions are tried: of an order, all, of several orders, one at random; with limits, weights, draws."""
    calls: list[Any] = []

    def counted(*given: Any, grow: Any = one_loop.recoded) -> Any:
        calls.append(given)
        return grow(*given)

    monkeypatch.setattr(one_loop, "recoded", counted)
    methods = set[str]()
    for seed in range(8 * seeds, 8 * seeds + 8):
        least, heavy = 1 + seed % 2 * 2, 2.5 * (seed % 8 == 6)
        stopping = Stopping(4 if seed % 2 else None, 2 + seed % 4, least, heavy, 0.0 if seed % 3 else None)
        trees = (grown(seed, criterion, stopping, each, 8 - seed % 3 * 3) for each in (grow, by_reference))
        (tree, ours), (other, theirs) = trees
        for name in NAMES:
            np.testing.assert_array_equal(getattr(tree, name), getattr(other, name), err_msg=name)
        assert ours.subsets == theirs.subsets
        methods |= {subset.method for subset in ours.subsets}
    assert len(calls) == 8 and methods >= {"all subsets", "several orders", "random"}


@pytest.mark.parametrize("splitter", ["best", "random"])
def test_columns_of_categories_are_left_as_they_are(splitter: Any) -> None:
    """Ranks of categories, by which samples are moved, stand beside the columns, which trees may share."""
    x, y, classes = sample(2)
    ranks = Ranks.of(x)
    before = ranks.values.copy(), ranks.ranks.copy()
    growing = GrowthOptions(recoding=Recoding(x, LEVELS, 3), splitter=splitter)
    assert grow(Training(x, y, classes, None, ranks), GINI, growing).feature.max() >= len(LEVELS)
    grow_regression(x, y.astype(float), growing=growing, ranks=ranks)
    for now, then in zip((ranks.values, ranks.ranks), before, strict=True):
        np.testing.assert_array_equal(now, then)
