"""The builders: the same tree node for node, whatever builds it; the tie rule; draws; purely random partitions."""

import math

import numpy as np
import pytest

from growing import BY_FORMULA, trees
from splitcrit.criteria import decrease
from splitcrit.impurities import entropy, gini
from splitcrit.trees.growth import Stopping, Training, grow
from splitcrit.trees.scan import midpoint


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_thresholds_separate_their_neighbours(dtype) -> None:  # type: ignore[no-untyped-def]
    of, tiny = np.finfo(dtype), np.finfo(dtype).smallest_subnormal
    pairs = [(1.0, np.nextafter(dtype(1), dtype(2))), (0.0, tiny), (-tiny, 0.0), (of.min, of.max)]
    pairs += [(-1.0, 1.0), (tiny, 2 * tiny), (1e30, np.nextafter(dtype(1e30), dtype(2e30)))]
    low, high = (np.array(side, dtype=dtype) for side in zip(*pairs, strict=True))
    cut = midpoint(low, high)
    assert cut.dtype == np.float64 and (low <= cut).all() and (cut < high).all()
    assert midpoint(np.array([1.0]), np.array([np.nan]))[0] == math.inf


def test_a_tie_goes_to_the_first_feature_and_threshold() -> None:
    x = np.array([[0, 0, 5], [1, 1, 4], [2, 2, 3], [3, 3, 2]], dtype=np.float64)
    y = np.array([0, 1, 1, 0])
    for tree in trees(x, y, 2, decrease(gini), Stopping(max_depth=1)):
        assert (tree.feature[0], tree.threshold[0]) == (0, 0.5)


def test_a_guarded_ratio_passes_over_gains_below_average() -> None:
    x = np.arange(40, dtype=np.float32)[:, None]
    y = np.array([0] * 17 + [1] * 3 + [0] * 3 + [1] * 16 + [0])
    free, guarded = BY_FORMULA[2], BY_FORMULA[3]
    cuts = np.arange(1, 40)
    tables = np.stack([np.stack([np.bincount(y[:c], minlength=2), np.bincount(y[c:], minlength=2)]) for c in cuts])
    gains, ratios = decrease(entropy)(tables), free(tables)
    allowed = np.flatnonzero(gains >= gains.mean())
    for tree in trees(x, y, 2, guarded, Stopping(max_depth=1)):
        assert tree.threshold[0] == cuts[allowed[np.argmax(ratios[allowed])]] - 0.5


def test_random_splits_tell_missing_values_from_one_known_value() -> None:
    x, y = np.array([[np.nan], [1.0], [np.nan], [1.0]]), np.array([0, 1, 0, 1])
    for seed in range(5):
        for tree in trees(x, y, 2, decrease(gini), Stopping(), splitter="random", seed=seed):
            assert (tree.threshold[0], tree.missing_left[0], len(tree.feature)) == (1.0, False, 3)
    for tree in trees(x[::2], np.array([0, 1]), 2, decrease(gini), Stopping(), splitter="random"):
        assert len(tree.feature) == 1  # all values are missing


def test_other_dtypes_are_refused() -> None:
    with pytest.raises(TypeError, match="float32 or float64; got int64"):
        grow(Training(np.arange(4)[:, None], np.array([0, 1, 0, 1]), 2), decrease(gini))
