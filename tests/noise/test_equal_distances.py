"""Noise by nearness where no class is nearer than another."""

from __future__ import annotations

import numpy as np
import pytest

from splitcrit.noise import nearness_matrix


@pytest.mark.parametrize("scale", [1e-100, 1.0, 1 / 3, 1e90])
def test_classes_equally_far_apart_stay_half_way_between_the_limits(scale: float) -> None:
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 3**0.5 / 2]]) * scale  # equal up to rounding
    around = np.array([[0.1, 0.0], [-0.1, 0.0], [0.0, 0.1], [0.0, -0.1]]) * scale
    x = (corners[:, None] + around).reshape(-1, 2)
    found = nearness_matrix(x, np.repeat([0, 1, 2], 4), stay=(0.4, 0.8))
    assert np.diag(found) == pytest.approx([0.6] * 3)
    assert found[0, 1:] == pytest.approx([0.2, 0.2])
