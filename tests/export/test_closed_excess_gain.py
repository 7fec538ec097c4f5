"""The gain by chance of boosting in C: what Python computes, and NaN where that refuses."""

from __future__ import annotations

import math

import pytest

from c_library import Library
from splitcrit.nulls import expected_excess_gain
from splitcrit.nulls.excess_gain import closed_excess_gain

SUMS = (12.5, 310.0), (240.0, 70.0, 21.0)


@pytest.mark.parametrize("lam", [0.0, 1.0, 20.0])
def test_the_header_has_the_closed_form(in_c: Library, lam: float) -> None:
    (g, gg), (h, hh, gh) = SUMS
    for sizes in ([500, 500], [40, 30, 0, 200, 730], [25] * 40):
        found = float(expected_excess_gain(sizes, *SUMS, lam, method="closed"))
        assert found > 0 and in_c.excess_gain(sizes, g, gg, h, hh, gh, lam) == pytest.approx(found, rel=1e-12)


@pytest.mark.parametrize("sizes", [[-1, 9], [], [1, 500], [2**31, 5], [2**62, 2**62, 2**62]])
def test_sizes_of_no_node_give_nan(in_c: Library, sizes: list[int]) -> None:
    given = (1.0, 5.0, 9.0, 9.0, 1.0, 0.0)
    assert math.isnan(in_c.excess_gain(sizes, *given)) and math.isnan(closed_excess_gain(sizes, len(sizes), *given))


def test_a_node_whose_own_value_matters_gives_nan(in_c: Library) -> None:
    given = (100.0, 310.0, 240.0, 70.0, 21.0, 50.0)
    assert math.isnan(in_c.excess_gain([500, 500], *given)) and math.isnan(closed_excess_gain([500, 500], 2, *given))


@pytest.mark.parametrize(("h", "lam"), [(0.0, 1.0), (-1.0, 1.0), (50.0, -1.0)])
def test_sums_of_no_convex_loss_give_nan(in_c: Library, h: float, lam: float) -> None:
    assert math.isnan(in_c.excess_gain([50, 50], 1.0, 5.0, h, 9.0, 1.0, lam))
