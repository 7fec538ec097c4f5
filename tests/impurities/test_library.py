"""Impurities of responses by their definitions, and the name of a loss at every parameter."""

from __future__ import annotations

import math

import numpy as np
import pytest

from splitcrit import losses
from splitcrit.impurities import absolute_deviation, ne, poisson, variance

VALUES = (0, 7, 2.5, 1)
WEIGHTS = [w for w in np.ndindex(3, 3, 3, 3) if sum(w)]


def mean(terms: list[float], weights: tuple[int, ...]) -> float:
    return sum(w * x for w, x in zip(weights, terms, strict=True)) / sum(weights)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_impurities_of_responses_by_their_definitions(weights: tuple[int, ...]) -> None:
    centre = mean(list(VALUES), weights)
    held = sorted(v for v, w in zip(VALUES, weights, strict=True) for _ in range(w))
    median = held[len(held) // 2]
    logs = [v * math.log(v / centre) if v else 0.0 for v in VALUES] if centre else [0.0] * 4
    for impurity, terms in (
        (variance(VALUES), [(v - centre) ** 2 for v in VALUES]),
        (absolute_deviation(VALUES), [abs(v - median) for v in VALUES]),
        (poisson(VALUES), logs),
    ):
        assert float(impurity(weights)) == pytest.approx(mean(terms, weights), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("lam", [0, 0.3, 1])
def test_ne_names_its_loss_at_every_parameter(lam: float) -> None:
    assert ne(lam).loss == losses.ne(lam)
    assert ne(lam).name == losses.ne(lam).name
    assert losses.negative_exponential(0.3).name == "negative_exponential(lam=0.3)"
