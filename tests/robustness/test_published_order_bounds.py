"""The sharper bound on the order of two splits against its formula over samples, correlations and all."""

from __future__ import annotations

from math import exp, inf, sqrt
from typing import Any

import numpy as np
import pytest

from splitcrit import gini, misclassification, symmetric, twoing
from splitcrit.noise import class_conditional
from splitcrit.robustness import order_bounds

CELLS = {
    "nested": [[[40, 0], [0, 0]], [[30, 30], [0, 100]]],
    "same direction": [[[30, 5], [8, 6]], [[9, 12], [4, 26]]],
    "opposite directions": [[[4, 6], [25, 3]], [[7, 30], [8, 5]]],
    "both against the label": [[[3, 28], [6, 7]], [[5, 6], [31, 2]]],
    "uncorrelated": [[[20, 5], [15, 10]], [[10, 15], [5, 20]]],
}


def by_samples(cells: Any, k: float) -> float:
    """Return the bound from two sides and a label for every sample."""
    rows = [(i, j, y) for i in (0, 1) for j in (0, 1) for y in (0, 1) for _ in range(cells[i][j][y])]
    one, other, label = np.array(rows, dtype=float).T
    with_label = [np.corrcoef(side, label)[0, 1] for side in (one, other)]
    strengths = [abs(c) * label.std() for c in with_label]
    r = np.corrcoef(one, other)[0, 1] * (1 if with_label[0] * with_label[1] >= 0 else -1)
    n, (s, t) = len(rows), strengths
    near = n * k * k * (s - t) ** 2 / (1 - r) if r < 1 else inf
    return exp(-near) + exp(-n * k * k * (s + t) ** 2 / (1 + r))


@pytest.mark.parametrize("criterion", [gini, twoing], ids=repr)
@pytest.mark.parametrize("name", CELLS)
@pytest.mark.parametrize("rates", [(0.1, 0.1), (0.05, 0.2)])
def test_the_sharp_bound_is_its_formula(name: str, rates: tuple[float, float], criterion: Any) -> None:
    channel = symmetric(rates[0]) if rates[0] == rates[1] else class_conditional(tau_pos=rates[0], tau_neg=rates[1])
    found = order_bounds(CELLS[name], channel=channel, criterion=criterion)
    assert found.sharp == pytest.approx(by_samples(CELLS[name], 1 - sum(rates)), rel=1e-9)


@pytest.mark.parametrize("name", CELLS)
def test_the_names_of_sides_and_classes_change_nothing(name: str) -> None:
    """Which side of a split is called left has nothing to do with the order of the splits."""
    cells, channel = np.array(CELLS[name]), symmetric(0.1)
    whole = order_bounds(cells, channel=channel).sharp
    for other in (cells[::-1], cells[:, ::-1], cells[::-1, ::-1], cells[..., ::-1], cells.transpose(1, 0, 2)):
        assert order_bounds(other, channel=channel).sharp == pytest.approx(whole, rel=1e-9)


@pytest.mark.parametrize(("criterion", "factors"), [(gini, (12, 72)), (twoing, (8, 2)), (misclassification, (12, 18))])
def test_the_published_bound_is_its_formula(criterion: Any, factors: tuple[int, int]) -> None:
    from splitcrit.criteria import as_criterion

    cells = np.array(CELLS["same direction"])
    scores = [float(as_criterion(criterion)(cells.sum(axis=axis))) for axis in (1, 0)]
    n, k = cells.sum(), 0.8
    expected = factors[0] * exp(-n * (scores[0] - scores[1]) ** 2 * k * k / factors[1])
    assert order_bounds(cells, channel=symmetric(0.1), criterion=criterion).lemma8 == pytest.approx(expected, rel=1e-12)


def test_strengths_are_roots_of_twoing_scores() -> None:
    cells = np.array(CELLS["nested"])
    for table in (cells.sum(axis=1), cells.sum(axis=0)):
        sides, labels = np.repeat([0, 0, 1, 1], table.ravel()), np.repeat([0, 1, 0, 1], table.ravel())
        strength = abs(np.corrcoef(sides, labels)[0, 1]) * labels.std()
        assert sqrt(float(twoing(table))) == pytest.approx(strength, rel=1e-12)
