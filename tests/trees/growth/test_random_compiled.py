"""Random splits in one compiled loop: the tree of the reference builder, node for node, for every criterion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from growing import WITH_FORM, difference
from splitcrit import decrease, gini, ne
from splitcrit.criteria import Criterion, normalised
from splitcrit.impurities import entropy
from splitcrit.trees.growth import GrownTree, GrowthOptions, Stopping, grow, grow_drawn
from splitcrit.trees.growth.one_loop import Ranks
from splitcrit.trees.scan import Columns
from splitcrit.trees.small import reference_of


def problem(seed: int) -> tuple[Any, Any, int, Any, GrowthOptions]:
    """Features with many ties, 2 to 12 classes, weights that are counts or none, and stopping rules."""
    rng = np.random.default_rng(seed)
    n, d, classes = (int(rng.integers(*ends)) for ends in ((3, 90), (1, 6), (2, 13)))
    x = rng.integers(0, rng.integers(2, 40), (n, d)).astype(np.float32) * np.float32(0.7)
    y, counts = rng.integers(0, classes, n), None if seed % 2 else rng.integers(1, 4, n)
    stopping = Stopping(
        None if rng.random() < 0.5 else int(rng.integers(0, 6)), int(rng.integers(2, 5)), int(rng.integers(1, 4)),
        float(rng.integers(0, 6)) if rng.random() < 0.3 else 0.0, (0.0, None, 0.01)[rng.integers(3)],
    )  # fmt: skip
    drawn = None if rng.random() < 0.3 else int(rng.integers(1, d + 1))
    return x, y, classes, counts, GrowthOptions(stopping, drawn, splitter="random", seed=seed)


@pytest.mark.parametrize("criterion", WITH_FORM, ids=repr)
def test_one_loop_grows_the_tree_of_the_reference_builder(criterion: Criterion) -> None:
    inner = 0
    for seed in range(24):
        x, y, classes, counts, growing = problem(seed)
        tree = grow_drawn(Ranks.of(x, random=True), y, classes, criterion, growing, counts)
        assert tree is not None
        weights = None if counts is None else counts.astype(float)
        reference = GrownTree.of(reference_of(x, y, classes, criterion, growing, weights=weights))
        assert difference(tree, reference) == "", (seed, criterion)
        inner += int((tree.left >= 0).sum())
    assert inner > 60


@pytest.mark.parametrize("criterion", [decrease(gini), decrease(ne(0.5))], ids=repr)
def test_one_loop_and_the_levels_agree_on_larger_data(criterion: Criterion) -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(1500, 5)).astype(np.float32)
    y = np.searchsorted([-1.0, 0.0, 1.0], x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=1500))
    counts = rng.poisson(1.0, 1500)
    kept, growing = counts > 0, GrowthOptions(max_features=2, splitter="random", seed=3)
    tree = grow_drawn(Ranks.of(x, random=True), y, 4, criterion, growing, counts)
    weights = counts[kept].astype(float)
    others = [
        grow(Columns.of(x[kept], y[kept], 4, weights), criterion, replace(growing, by_level=b)) for b in (False, True)
    ]
    assert tree is not None and len(tree.left) > 300
    assert [difference(tree, other) for other in others] == ["", ""]


def test_what_is_no_data_or_no_number_is_left_to_the_levels() -> None:
    x, y = np.arange(8.0, dtype=np.float32)[:, None], np.arange(8) % 3
    growing = GrowthOptions(splitter="random")
    assert Ranks.of(np.where(x > 6, np.nan, x), random=True) is None
    ranks = Ranks.of(x, random=True)
    assert grow_drawn(ranks, y, 3, normalised(entropy), growing) is None
    assert grow_drawn(ranks, y, 3, decrease(gini), growing, np.full(8, 0.5)) is None
