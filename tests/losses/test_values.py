"""What each loss costs, written out in floats."""

import copy
import itertools
import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from growing import mean, squares, variance
from growing import squared as at
from refusals import refused
from splitcrit import Impurity, impurities, losses
from splitcrit.arith import EXACT, FLOAT

W = [(0.25, 0.75), (0.5, 0.5), (0.2, 0.3, 0.5), (0.1, 0.2, 0.3, 0.4)]


def far(w: tuple[float, ...], k: int) -> list[float]:
    """How far each entry of an action is from the vertex of class k."""
    return [abs(x - (j == k)) for j, x in enumerate(w)]


def inside(w: tuple[float, ...], k: int) -> float:
    """The loss of sqrt_gini away from the vertices."""
    K = len(w)
    return (1 - w[k]) * math.sqrt((K - 1) / K / (1 - sum(x * x for x in w)))


ON_SIMPLEX: list[tuple[losses.Loss, Callable[[tuple[float, ...], int], float]]] = [
    (losses.square, lambda w, k: sum(x * x for x in far(w, k))),
    (losses.cross_entropy, lambda w, k: -math.log(w[k])),
    (losses.zero_one, lambda w, k: 1),
    (losses.mae, lambda w, k: sum(far(w, k))),
    (losses.infinity_norm, lambda w, k: max(far(w, k))),
    (losses.gce(0.5), lambda w, k: (1 - math.sqrt(w[k])) / 0.5),
    (losses.gce(0), lambda w, k: -math.log(w[k])),
    (losses.sqrt_gini, inside),
    (losses.ne(0.3), lambda w, k: 0.3 * inside(w, k)),
    (losses.bayes_sum, lambda w, k: sum(far(w, k))),
    (losses.matushita, lambda w, k: sum(math.exp(-x if j == k else x) for j, x in enumerate(w)) / 2),
]
ON_LINE: list[tuple[losses.Loss, Callable[[float], float]]] = [
    (losses.exponential, lambda z: math.exp(-z)),
    (losses.logistic, lambda z: math.log(1 + math.exp(-z))),
    (losses.hinge, lambda z: max(0, 1 - z)),
    (losses.sigmoid, lambda z: 1 / (1 + math.exp(z))),
    (losses.ramp, lambda z: min(1, max(0, (1 - z) / 2))),
    (losses.margin_zero_one, lambda z: float(z <= 0)),
    (losses.negative_exponential(0.6), lambda z: min(1, 0.3 * math.exp(-z))),
]


@pytest.mark.parametrize(("loss", "cost"), ON_SIMPLEX, ids=[loss.name for loss, _ in ON_SIMPLEX])
def test_costs_on_the_simplex(loss: losses.Loss, cost: Callable[[tuple[float, ...], int], float]) -> None:
    for w in W:
        found = [float(loss.at(w, k, FLOAT)) for k in range(len(w))]
        assert found == pytest.approx([cost(w, k) for k in range(len(w))], rel=1e-12), w


@pytest.mark.parametrize(("loss", "cost"), ON_LINE, ids=[loss.name for loss, _ in ON_LINE])
def test_costs_on_the_line(loss: losses.Loss, cost: Callable[[float], float]) -> None:
    for w in (-3.0, -1.0, -0.4, 0.0, 0.3, 1.0, 2.5):
        assert [float(loss.at(w, k, FLOAT)) for k in (0, 1)] == pytest.approx([cost(-w), cost(w)], rel=1e-12), w


@pytest.mark.parametrize("loss", [losses.sqrt_gini, losses.ne(0.3), losses.zero_one], ids=lambda loss: loss.name)
def test_costs_at_a_vertex(loss: losses.Loss) -> None:
    wrong = math.inf if loss is losses.sqrt_gini else 1
    for K in (2, 3):
        for j, k in itertools.product(range(K), repeat=2):
            assert float(loss.at(tuple(np.eye(K)[j]), k, FLOAT)) == (0 if j == k else wrong)


def test_distribution_functions_rise_from_0_to_1() -> None:
    x = np.array([-3.0, -1.0, 0.0, 0.5, 1.0, 3.0])
    np.testing.assert_allclose(losses.logistic_cdf(x, FLOAT), np.exp(x) / (1 + np.exp(x)), rtol=1e-12)
    np.testing.assert_allclose(losses.uniform_cdf(x, FLOAT), [0, 0, 0.5, 0.75, 1, 1])
    np.testing.assert_allclose(losses.exponential_cdf(0.5)(x, FLOAT), np.minimum(1, np.exp(x) / 2), rtol=1e-12)
    for bad in (0, -1, 2e300, math.inf):
        refused("positive", losses.exponential_cdf, bad)


# Losses of responses: Poisson deviance is scikit-learn's, and its impurity the least of a grid of actions.


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
    refused(f"of responses from 0, some above it; got {got}; pass counts", make, values)


# A user's loss of responses: what it is, and what it refuses to be.


def test_with_values_it_is_a_loss_of_classes() -> None:
    ours = losses.ResponseLoss("mine", at, squares, mean, variance).of((0, 1, 5))
    theirs = losses.squared_error((0, 1, 5))
    p = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
    assert ours.act is not None and theirs.act is not None
    assert ours.act(p, EXACT) == theirs.act(p, EXACT) == Fraction(7, 6)
    assert Impurity.from_loss(ours)(p) == Impurity.from_loss(theirs)(p)
    alone = losses.ResponseLoss("mine", at).of((0, 1, 5))
    found = float(Impurity.from_loss(alone)([3, 2, 1]))
    assert alone.act is None and found == pytest.approx(float(Impurity.from_loss(theirs)([3, 2, 1])), rel=1e-9)


def test_it_is_a_value() -> None:
    loss = losses.ResponseLoss("mine", at)
    assert repr(loss) == "mine" and copy.deepcopy(loss) is loss and loss == losses.ResponseLoss("mine", at)
    assert pickle.loads(pickle.dumps(loss)) == loss
    with pytest.raises(pickle.PicklingError, match="only if its functions have a name in a module"):
        pickle.dumps(losses.ResponseLoss("mine", lambda w, y, m: w - y))
    assert float(loss.at(2.0, 5.0, FLOAT)) == 9


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"name": 3}, TypeError, "a loss has a text as its name; got 3"),
        ({"at": 3}, TypeError, r"has a function at\(w, y, m\); got 3"),
        ({"risk": 3}, TypeError, "risk of a loss of responses is a function; got 3"),
        ({"act": mean}, ValueError, "act and risk, or none of them; got no statistics and no risk; pass all three"),
    ],
)
def test_what_it_cannot_be_is_said_in_a_sentence(given: Any, error: Any, message: str) -> None:
    refused(message, losses.ResponseLoss, error=error, **{"name": "mine", "at": at} | given)


# Losses that are scaled, and losses at a margin of exactly 0.

ALL = sorted({x for x in vars(losses).values() if isinstance(x, losses.Loss)}, key=repr)


@pytest.mark.parametrize("loss", ALL, ids=repr)
def test_a_scaled_loss_is_on_the_same_space_with_the_same_best_point(loss: losses.Loss) -> None:
    found = losses.scaled(loss, 2)
    assert (found.space, found.act, found.name) == (loss.space, loss.act, f"scaled({loss.name}, 2)")


def test_a_scaled_loss_costs_as_many_times_more() -> None:
    for w in (-2.0, -0.5, 0.0, 0.5, 3.0):
        for k in (0, 1):
            assert losses.scaled(losses.hinge, 3).at(w, k, FLOAT) == 3 * losses.hinge.at(w, k, FLOAT)
    w = (Fraction(1, 4), Fraction(3, 4))
    assert losses.square.at(w, 0, EXACT) == 2 * Fraction(9, 16)
    assert losses.scaled(losses.square, Fraction(1, 3)).at(w, 0, EXACT) == Fraction(3, 8)


def test_a_loss_on_the_line_without_a_best_point_is_searched_there_when_scaled() -> None:
    """At half of each class the hinge costs 1 wherever between -1 and 1."""
    found = Impurity.from_loss(losses.scaled(losses.Loss("bare", losses.hinge.at, None, "line"), 5))
    assert [float(found(p)) for p in ([1, 1], [1, 3])] == pytest.approx([5, 5 / 2], rel=1e-5)


def test_a_margin_of_exactly_0_is_an_error_for_both_classes() -> None:
    smallest = np.nextafter(0.0, 1.0)
    assert [losses.margin_zero_one.at(0.0, k, FLOAT) for k in (0, 1)] == [1, 1]
    assert [losses.margin_zero_one.at(w, 1, FLOAT) for w in (-1.0, -smallest, smallest, 1.0)] == [1, 1, 0, 0]
    assert [losses.margin_zero_one.at(w, 0, FLOAT) for w in (-1.0, -smallest, smallest, 1.0)] == [0, 0, 1, 1]
    assert [losses.step_cdf(Fraction(x), EXACT) for x in (-1, 0, 1)] == [0, 1, 1]
    assert losses.step_cdf(np.array([-1.0, -0.0, 0.0, 2.0]), FLOAT).tolist() == [0, 1, 1, 1]
