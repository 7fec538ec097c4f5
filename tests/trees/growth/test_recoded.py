"""The compiled loop over categories grows the tree that the search level by level grows, node for node."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from splitcrit import decrease, impurities
from splitcrit.criteria import Criterion
from splitcrit.trees.growth import GrowthOptions, Stopping, grow, one_loop
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.scan import Columns

NAMES = ("feature", "threshold", "left", "right", "depth", "size", "weights", "missing_left", "score", "impurity")
LEVELS = np.array([5, 0, 4, 0, 7])
GINI = decrease(impurities.gini)


def sample(seed: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Return columns of categories and of numbers, with ties and missing numbers, and codes of 2 to 5 classes."""
    rng = np.random.default_rng(seed)
    n, classes = int(rng.integers(5, 200)), int(rng.integers(2, 6))
    numbers = rng.normal(size=n).round(1), rng.integers(0, 3, n)
    x = np.stack([rng.integers(0, 5, n), numbers[0], rng.integers(0, 4, n), numbers[1], rng.integers(0, 7, n)], axis=1)
    x[:, 1::2][rng.random((n, 2)) < 0.3 * (seed % 3 == 1)] = np.nan
    noise = (rng.random(n) < 0.3) * rng.integers(0, classes, n)
    return x.astype(np.float32), (x[:, 0].astype(int) + noise) % classes, classes


def grown(seed: int, criterion: Criterion, stopping: Stopping, by_level: bool) -> tuple[Any, Recoding]:
    x, y, classes = sample(seed)
    recoding = Recoding(x, LEVELS, 8)
    growing = GrowthOptions(stopping, recoding=recoding, by_level=by_level)
    return grow(Columns.of(x, y, classes), criterion, growing), recoding


@pytest.mark.each_value
@pytest.mark.parametrize("criterion", [GINI, decrease(impurities.entropy), decrease(impurities.sqrt_gini)], ids=repr)
@pytest.mark.parametrize("seeds", range(4))
def test_the_tree_is_that_of_a_search_level_by_level(
    criterion: Criterion, seeds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Any] = []

    def counted(*given: Any, grow: Any = one_loop._with_categories) -> Any:
        calls.append(given)
        return grow(*given)

    monkeypatch.setattr(one_loop, "_with_categories", counted)
    for seed in range(8 * seeds, 8 * seeds + 8):
        stopping = Stopping(4 if seed % 2 else None, 2 + seed % 4, min_gain=0.0 if seed % 3 else None)
        (tree, ours), (other, theirs) = (grown(seed, criterion, stopping, by_level) for by_level in (False, True))
        for name in NAMES:
            np.testing.assert_array_equal(getattr(tree, name), getattr(other, name), err_msg=name)
        assert ours.subsets == theirs.subsets and len(ours.subsets) > 0
    assert len(calls) == 8


def test_a_long_tree_outgrows_its_first_rows() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 8, (2000, 6)).astype(np.float32), rng.integers(0, 3, 2000)
    both = []
    for by_level in (False, True):
        recoding = Recoding(x, np.full(6, 8), 8)
        growing = GrowthOptions(Stopping(max_depth=9), recoding=recoding, by_level=by_level)
        both.append((grow(Columns.of(x, y, 3), GINI, growing), recoding.subsets))
    assert len(both[0][0].size) > 512
    np.testing.assert_array_equal(both[0][0].feature, both[1][0].feature)
    assert both[0][1] == both[1][1]
