"""Values between cuts."""

from __future__ import annotations

import numpy as np
import pytest

from splitcrit.data.partial_counts import counts_between


@pytest.mark.parametrize("cuts", [0, 1, 32, 300])
@pytest.mark.parametrize("dtype", ["int64", "float64", "uint8", "M8[D]"])
def test_how_many_values_are_between_cuts(cuts: int, dtype: str) -> None:
    rng = np.random.default_rng(cuts)
    held = np.unique(rng.integers(0, 256, cuts)).astype(dtype)
    values = rng.integers(0, 256, 500).astype(dtype)
    places = [sum(cut < value for cut in held.tolist()) for value in values.tolist()]
    assert counts_between(held, values).tolist() == [places.count(i) for i in range(len(held) + 1)]


def test_infinities_and_large_integers_are_told_apart() -> None:
    assert counts_between(np.array([-np.inf, 0.0, np.inf]), np.array([-np.inf, 1.0, np.inf])).tolist() == [1, 0, 2, 0]
    assert counts_between(np.array([2**53, 2**53 + 1]), np.array([2**53 + 1, 2**53 + 2])).tolist() == [0, 1, 1]
