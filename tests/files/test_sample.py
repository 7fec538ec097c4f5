"""Values between cuts: placed by comparing where cuts are few, by searching where they are many; counted by sorting."""

from __future__ import annotations

import numpy as np
import pytest

from splitcrit.files.partial_counts import FEW_CUTS, below, counts_between


@pytest.mark.parametrize("cuts", [0, 1, FEW_CUTS, FEW_CUTS + 1, 300])
@pytest.mark.parametrize("dtype", ["int64", "float64", "uint8", "M8[D]"])
def test_how_many_cuts_are_below(cuts: int, dtype: str) -> None:
    rng = np.random.default_rng(cuts)
    held = np.unique(rng.integers(0, 256, cuts)).astype(dtype)
    values = rng.integers(0, 256, 500).astype(dtype)
    assert below(held, values).tolist() == [sum(cut < value for cut in held.tolist()) for value in values.tolist()]
    assert counts_between(held, values).tolist() == np.bincount(below(held, values), minlength=len(held) + 1).tolist()


def test_infinities_and_large_integers_are_told_apart() -> None:
    assert below(np.array([-np.inf, 0.0, np.inf]), np.array([-np.inf, 1.0, np.inf])).tolist() == [0, 2, 2]
    assert below(np.array([2**53, 2**53 + 1]), np.array([2**53 + 1, 2**53 + 2])).tolist() == [1, 2]
    assert counts_between(np.array([2**53, 2**53 + 1]), np.array([2**53 + 1, 2**53 + 2])).tolist() == [0, 1, 1]
