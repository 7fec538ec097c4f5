"""Poisson deviance keeps its digits: against numbers of many digits, at any scale, and where means are nearly equal."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from growing import grow_regression
from splitcrit.trees.growth import GrowthOptions, Stopping
from splitcrit.trees.scan.poisson_deviance import NEAR, excess


@pytest.fixture(autouse=True)
def sixty_digits() -> Iterator[None]:
    """Work with sixty digits, whatever a test before has left."""
    with mp.workdps(60):
        yield


def test_the_excess_of_a_logarithm_has_all_its_digits() -> None:
    small = 10.0 ** np.arange(-300, 0, 7.0)
    edges = [2 * t / (1 - t) for t in (NEAR, -NEAR)]
    around = [np.nextafter(u, end) for u in edges for end in (-np.inf, np.inf)]
    for u in [*small, *-small, *edges, *around, *np.linspace(-0.999, 3, 301), np.nextafter(-1, 0), 1e9]:
        with mp.workdps(700):
            exact = (1 + mpf(float(u))) * mp.log1p(mpf(float(u))) - mpf(float(u))
        assert float(excess(u)) == pytest.approx(float(exact), rel=5e-15, abs=0)
    assert excess(np.array([-1.0, -1 - 1e-15])).tolist() == [1.0, 1.0]


def decrease(y: Any, w: Any, goes: Any) -> Any:
    """How much a split lowers half the mean Poisson deviance, in many digits."""
    y, w = [mpf(v) for v in y.tolist()], [mpf(v) for v in w.tolist()]
    weight, total = sum(w), sum(a * b for a, b in zip(w, y, strict=True))
    found = mpf(0)
    for side in (True, False):
        here = [i for i in range(len(y)) if goes[i] == side]
        mass, heavy = sum(w[i] * y[i] for i in here), sum(w[i] for i in here)
        found += mass * mp.log((mass / heavy) / (total / weight))
    return found / weight


@pytest.mark.parametrize("scale", [-150, -60, 0, 60, 150])
def test_scores_and_impurities_have_their_digits_at_any_scale(scale: int) -> None:
    rng = np.random.default_rng(2)
    y, w = rng.gamma(1.0, size=40) * 10.0**scale / 100, rng.integers(1, 5, 40).astype(float)
    y[rng.random(40) < 0.3] = 0
    goes = np.arange(40) < 17
    x = np.where(goes, 0.0, 1.0)[:, None]
    tree = grow_regression(x, y, w, "poisson", GrowthOptions(Stopping(1, min_gain=None)))
    assert tree.score[0] == pytest.approx(float(decrease(y, w, goes)), rel=1e-13, abs=0)
    means = [np.average(y[side], weights=w[side]) for side in (goes >= 0, goes, ~goes)]
    np.testing.assert_allclose(tree.value, means, rtol=1e-14)
    for impurity, side in zip(tree.impurity, (goes >= 0, goes, ~goes), strict=True):
        held, weight = [mpf(v) for v in y[side].tolist()], [mpf(v) for v in w[side].tolist()]
        mean = sum(a * b for a, b in zip(weight, held, strict=True)) / sum(weight)
        terms = [a * b * mp.log(b / mean) if b else 0 for a, b in zip(weight, held, strict=True)]
        assert impurity == pytest.approx(float(sum(terms) / sum(weight)), rel=1e-13, abs=0)


@pytest.mark.parametrize("apart", [2.0**-10, 2.0**-20, 2.0**-24])
@pytest.mark.parametrize(
    ("responses", "added"),
    [([1, 1, 1, 1, 1, 1], [0, 0, 1, 0, 1, 3]), ([1, 3, 2, 1, 3, 2], [0, 0, 0, 0, 1, 0])],
    ids=["nearly equal", "far apart"],
)
def test_means_that_are_nearly_equal_cost_no_digits(responses: Any, added: Any, apart: float) -> None:
    y = (np.array(responses) + apart * np.array(added)) * 2.0**20
    x = np.array([0.0, 0, 0, 1, 1, 1])[:, None]
    tree = grow_regression(x, y, None, "poisson", GrowthOptions(Stopping(1, min_gain=None)))
    exact = float(decrease(y, np.ones(6), x[:, 0] == 0))
    assert tree.score[0] == pytest.approx(exact, rel=1e-14 / apart, abs=0)
    whole = [Fraction(v) for v in y.tolist()]
    shares = [mpf((6 * v / sum(whole)).numerator) / (6 * v / sum(whole)).denominator for v in whole]
    impurity = sum(mpf(v) * mp.log(share) for v, share in zip(y.tolist(), shares, strict=True)) / 6
    assert tree.impurity[0] == pytest.approx(float(impurity), rel=1e-13, abs=0)


@pytest.mark.each_value
@pytest.mark.parametrize("splitter", ["best", "random"])
def test_each_side_of_a_split_has_a_response_above_zero(splitter: Any) -> None:
    rng = np.random.default_rng(0)
    for seed in range(20):
        x = rng.integers(0, 6, (30, 3)).astype(float)
        x[rng.random(x.shape) < 0.2 * (seed % 2)] = np.nan
        y = np.where(rng.random(30) < 0.2, 10.0 ** rng.integers(-300, 100, 30), 0)
        y[0] = 1.0
        growing = GrowthOptions(Stopping(min_gain=None), splitter=splitter, seed=seed)
        tree = grow_regression(x, y, None, "poisson", growing)
        assert (tree.value > 0).all() and np.isfinite(tree.impurity).all() and (tree.score[tree.left >= 0] >= 0).all()
        assert (tree.impurity >= 0).all()
