"""Columns of a training set: what they hold, and what is missing."""

from __future__ import annotations

import numpy as np
import pytest

from splitcrit.trees.growth.training import Ranks
from splitcrit.trees.scan.sorted_columns import by_column, sorted_columns


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("n", [0, 1, 4095, 4096, 4097, 9000])
def test_rows_are_turned_into_columns(n: int, kind: type) -> None:
    x = np.random.default_rng(n).integers(-1, 2, (n, 3)).astype(kind) * kind(0.5)
    x[::3, 1] *= kind(-0.0)
    found = by_column(x)
    assert found.dtype == kind and found.flags.c_contiguous
    np.testing.assert_array_equal(found, [[row[f] for row in x] for f in range(3)])
    assert not np.signbit(found[found == 0]).any()


def test_only_nan_is_missing() -> None:
    """It stands last, behind what is infinite, and has the last rank."""
    x = np.array([[1.0, np.inf, np.nan, -np.inf], [2.0, -np.inf, np.inf, -np.inf]])
    for kind in (np.float32, np.float64):
        orders = sorted_columns(x.astype(kind), np.array([0, 1]), 2).orders >> 1
        assert orders.tolist() == [[0, 1], [1, 0], [1, 0], [0, 1]]
        assert Ranks.of(x.astype(kind)).lost.tolist() == [-1, -1, 1, -1]
