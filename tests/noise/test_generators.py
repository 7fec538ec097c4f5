"""Noise that looks at the features: rates by distance, confusions by nearness, and labels that are flipped by rates."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from splitcrit.noise import flipped, margin_rates, nearness_matrix


def test_margin_rates_and_flips() -> None:
    rates = margin_rates(np.linspace(-3, 3, 7), top=0.4)
    assert rates[3] == 0.4 and (np.diff(rates[3:]) < 0).all()
    codes = np.repeat([0, 1, 2], 2000)
    noisy = flipped(codes, np.full(6000, 0.3), rng=1)
    assert abs(np.mean(noisy != codes) - 0.3) < 5 * math.sqrt(0.21 / 6000)
    moved = noisy[(codes == 0) & (noisy != 0)]
    assert abs(np.mean(moved == 1) - 0.5) < 5 * math.sqrt(0.25 / len(moved))
    np.testing.assert_array_equal(codes, np.repeat([0, 1, 2], 2000))


def test_near_classes_are_confused_more_and_rows_sum_to_one() -> None:
    rng = np.random.default_rng(2)
    means = np.array([[0, 0], [1, 0], [6, 1], [7, 9]])
    codes = np.repeat(np.arange(4), 50)
    X = means[codes] + rng.normal(size=(200, 2))
    found = nearness_matrix(X, codes)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-12)
    assert found.diagonal().min() == pytest.approx(0.5) and found.diagonal().max() == pytest.approx(0.9)
    assert found[0, 1] > found[0, 2] > found[0, 3]
    again = nearness_matrix(X @ np.array([[2.0, 1.0], [0.0, 3.0]]), codes, ridge=0.0)
    np.testing.assert_allclose(again, nearness_matrix(X, codes, ridge=0.0), rtol=1e-9)  # distances know no axes
    constant = np.column_stack([X, np.ones(200)])
    assert np.isfinite(nearness_matrix(constant, codes)).all()


@pytest.mark.parametrize("ridge", [0.0, 0.3])
def test_confusions_by_nearness_are_those_of_the_formula(ridge: float) -> None:
    """Of classes of different sizes and scales, each pair with a covariance of its own."""
    rng, sizes = np.random.default_rng(4), (4, 9, 25, 60)
    parts = [rng.normal(size=(n, 2)) * (1 + k) + [3 * k, k * k] for k, n in enumerate(sizes)]
    d = np.zeros((4, 4))
    for i, j in product(range(4), repeat=2):
        if i != j:
            scatter = sum((n - 1) * np.cov(parts[k].T) for k, n in ((i, sizes[i]), (j, sizes[j])))
            pooled = scatter / (sizes[i] + sizes[j] - 2)
            pooled += ridge * np.trace(pooled) / 2 * np.eye(2)
            step = parts[i].mean(axis=0) - parts[j].mean(axis=0)
            d[i, j] = np.sqrt(step @ np.linalg.inv(pooled) @ step)
    far = d.sum(axis=1)
    expected = np.diag(0.4 + 0.3 * (far - far.min()) / (far.max() - far.min()))
    for i, j in product(range(4), repeat=2):
        if i != j:
            expected[i, j] = (1 - expected[i, i]) / d[i, j] / sum(1 / d[i, k] for k in range(4) if k != i)
    found = nearness_matrix(np.concatenate(parts), np.repeat(range(4), sizes), stay=(0.4, 0.7), ridge=ridge)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize(
    ("x", "codes", "said"),
    [([0.0, 1.0], [0, 1], "three classes"), ([0.0, 2.0, 0.5, 1.5, 8.0, 9.0], [0, 0, 1, 1, 2, 2], "two that agree")],
)
def test_there_are_three_classes_of_different_means(x: list[float], codes: list[int], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        nearness_matrix(np.array(x)[:, None], codes)


@pytest.mark.parametrize("scale", [1e-100, 1.0, 1 / 3, 1e90])
def test_classes_equally_far_apart_stay_half_way_between_the_limits(scale: float) -> None:
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 3**0.5 / 2]]) * scale  # equal up to rounding
    around = np.array([[0.1, 0.0], [-0.1, 0.0], [0.0, 0.1], [0.0, -0.1]]) * scale
    x = (corners[:, None] + around).reshape(-1, 2)
    found = nearness_matrix(x, np.repeat([0, 1, 2], 4), stay=(0.4, 0.8))
    assert np.diag(found) == pytest.approx([0.6] * 3)
    assert found[0, 1:] == pytest.approx([0.2, 0.2])
