"""Losses of responses: Poisson deviance is scikit-learn's, and its impurity the least of a grid of actions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from splitcrit import impurities, losses
from splitcrit.arith import EXACT, FLOAT


def test_half_the_poisson_deviance_is_that_of_scikit_learn() -> None:
    deviance = pytest.importorskip("sklearn.metrics").mean_poisson_deviance
    values = (0, Fraction(1, 2), 1, 7.5)
    loss = losses.poisson(values)
    for k, y in enumerate(values):
        for w in (0.1, 1.0, 20.0):
            assert 2 * float(loss.at(w, k, FLOAT)) == pytest.approx(deviance([float(y)], [w]), rel=1e-12, abs=1e-15)
    assert loss.at(Fraction(1, 3), 0, EXACT) == Fraction(1, 3)


def test_the_impurity_is_the_least_risk_of_a_fine_grid_and_is_at_the_mean() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        values = tuple([*np.round(rng.gamma(1.0, size=4), 3).tolist(), 0])
        p = rng.dirichlet(np.ones(5))
        impurity, loss = impurities.poisson(values), losses.poisson(values)
        mean = float(p @ np.array(values))
        risks = [float(losses.risk(loss, w, p, FLOAT)) for w in mean * np.linspace(0.5, 1.5, 201)]
        assert int(np.argmin(risks)) == 100
        assert float(impurity(p)) == pytest.approx(min(risks), rel=1e-12)
        assert float(impurities.Impurity.from_loss(loss)(p)) == pytest.approx(min(risks), rel=1e-12)


def test_responses_of_0_alone_in_a_node_have_no_impurity() -> None:
    assert float(impurities.poisson((0, 3))([2, 0])) == float(impurities.poisson((0, 3))([0, 2])) == 0


@pytest.mark.parametrize(("values", "got"), [((1, -1), "-1"), ((0, 0.0), "only 0"), ((), "none"), ((1, np.inf), "inf")])
@pytest.mark.parametrize("make", [losses.poisson, impurities.poisson], ids=["loss", "impurity"])
def test_responses_that_have_no_deviance_are_named(make: Any, values: Any, got: str) -> None:
    with pytest.raises(ValueError, match=f"of responses from 0, some above it; got {got}; pass counts"):
        make(values)
