"""How to call arithmetics, losses and impurities."""

from __future__ import annotations

from typing import Any

import numpy as np

from contract.arguments import choice, formula, given, integer, number, thing
from contract.entries import Entry, classes_reversed, doubled
from contract.roles import Role, shares, vector, weights
from splitcrit import arith, impurities, losses
from splitcrit.arith import EXACT, FLOAT
from splitcrit.impurities import Impurity
from splitcrit.losses import Loss, ResponseLoss

CLASS = np.array([5, 3, 2])
ROUNDED = 1e-7  # of values whose formula cancels near 0

# Arithmetics: formulas trust what they are given; questions about arrays answer about anything.

UNARY, FREE = ("abs", "exp", "log", "number", "sqrt", "xlogx"), vector(lambda rng: rng.integers(1, 9, 4)).free()


def operations(m: Any) -> Entry:
    """All operations of an arithmetic on one number, where its numbers are rational."""
    exact = m is EXACT

    def function(x: Any) -> list[Any]:
        x = m.number(x)
        first = [m.abs(x), m.sqrt(x * x), m.power(x, 2), m.max((x, 1)), m.min((x, 1)), m.where(x > 1, x, 1)]
        return first if exact else [*first, m.log(x), m.exp(x), m.xlogx(x), m.sqrt(x)]

    return Entry(function, {"x": number(0.25).terms()}, rounds=4)


def questions(function: Any) -> Entry:
    """A question about an array, which has an answer whatever it is."""
    name = next(iter(__import__("inspect").signature(function).parameters))
    return Entry(function, {name: FREE}, read=lambda found: str(found), rounds=1)


ARITH = {
    "arith.ARRAY": operations(arith.ARRAY(np)),
    "arith.EXACT": operations(EXACT),
    "arith.FLOAT": operations(FLOAT),
    "arith.arithmetic_of": Entry(arith.arithmetic_of, {"x": FREE}, read=lambda m: m.name, rounds=1),
    "arith.is_lazy": questions(arith.is_lazy),
    "arith.library": questions(arith.library),
    "arith.namespace": questions(arith.namespace),
    "arith.of_other_library": questions(arith.of_other_library),
    "arith.on_device_of": questions(arith.on_device_of),
    "arith.shares": Entry(
        arith.shares,
        {"counts": weights().terms(), "n": number(8.0).terms(), "m": given(FLOAT)},
        needed=("counts", "n", "m"),
        read=lambda found: [float(x) for x in found],
    ),
    "arith.total": Entry(arith.total, {"items": weights().terms()}, read=float),
    "arith.rational": Entry(arith.rational, {"x": integer(3)}, rounds=2),
}


# Losses.


def acted(loss: Loss) -> Entry:
    """The risk of the best action of a loss at class weights, by the impurity that it makes."""
    return Entry(
        lambda p: Impurity.from_loss(loss)(p),
        {"p": shares(2 if loss.space == "line" else 3, fractions="either")},
        rounds=2,
        tolerance=1e-6,
    )


def made_loss(maker: Any, parameter: str, role: Role, classes: int = 2) -> Entry:
    """A maker of losses: the risk of the best action at one distribution."""

    def read(loss: Loss) -> float:
        k = len(getattr(loss.act, "values", range(classes)))
        p = (np.arange(k) + 1.0) / np.arange(k + 1).sum()
        return float(losses.risk(loss, loss.act(p, FLOAT), p, FLOAT))

    return Entry(maker, {parameter: role}, (parameter,), read, tolerance=1e-6)


def cdf(function: Any) -> Entry:
    return Entry(function, {"x": number(0.25).terms(), "m": given(FLOAT)}, needed=("x", "m"), read=float, rounds=5)


VALUES = (
    "cross_entropy",
    "exponential",
    "hinge",
    "infinity_norm",
    "logistic",
    "mae",
    "margin_zero_one",
    "matushita",
    "bayes_sum",
    "ramp",
    "sigmoid",
    "sqrt_gini",
    "square",
    "zero_one",
)
RESPONSES = vector(lambda rng: np.sort(rng.choice(40, 3, replace=False)))


def _at(w: Any, k: int, m: Any) -> Any:
    return 1 - w[k]


def _act(p: Any, m: Any) -> Any:
    return p


def _at_response(w: Any, y: Any, m: Any) -> Any:
    return (w - y) * (w - y)


def _squares(y: Any, m: Any) -> Any:
    return y, y * y


def _variance(t: Any, m: Any) -> Any:
    return t[1] - t[0] * t[0]


def _mean(t: Any, m: Any) -> Any:
    return t[0]


SQUARES = ResponseLoss("mine", _at_response, _squares, _mean, _variance)


LOSSES = {f"losses.{name}": acted(getattr(losses, name)) for name in VALUES if getattr(losses, name).act} | {
    "losses.Loss": Entry(
        Loss,
        {
            "space": choice("simplex", "line", "reals", "bits"),
            "at": formula(_at),
            "act": formula(_act, none="either"),
            "name": given("mine"),
        },
        needed=("name", "at", "act"),
        read=lambda loss: (loss.space, losses.risk(loss, (0.25, 0.75), (0.25, 0.75), FLOAT)),
    ),
    "losses.absolute_error": made_loss(losses.absolute_error, "values", RESPONSES, 3),
    "losses.poisson": made_loss(losses.poisson, "values", RESPONSES, 3),
    "losses.ResponseLoss": Entry(
        ResponseLoss,
        {
            "at": formula(_at_response),
            "statistics": formula(_squares),
            "act": formula(_mean),
            "risk": formula(_variance),
            "name": given("mine"),
        },
        needed=("name", "at", "statistics", "act", "risk"),
        read=lambda loss: float(loss.at(0.25, 2.0, FLOAT)),
    ),
    "losses.ResponseLoss.of": made_loss(SQUARES.of, "values", RESPONSES, 3),
    "losses.squared_error": made_loss(losses.squared_error, "values", RESPONSES, 3),
    "losses.gce": made_loss(losses.gce, "q", number()),
    "losses.ne": made_loss(losses.ne, "lam", number()),
    "losses.negative_exponential": made_loss(losses.negative_exponential, "lam", number()),
    "losses.exponential_cdf": Entry(losses.exponential_cdf, {"scale": number()}, read=lambda f: float(f(0.5, FLOAT))),
    "losses.logistic_cdf": cdf(losses.logistic_cdf),
    "losses.step_cdf": cdf(losses.step_cdf),
    "losses.uniform_cdf": cdf(losses.uniform_cdf),
    "losses.distribution_loss": Entry(
        losses.distribution_loss,
        {"cdf": formula(losses.uniform_cdf), "act": formula(losses.ramp.act, none="either"), "name": given("mine")},
        needed=("cdf",),
        read=lambda loss: float(loss.at(0.5, 1, FLOAT)),
    ),
    "losses.majority": Entry(
        losses.majority, {"p": shares(3).terms(), "m": given(FLOAT)}, ("p", "m"), lambda v: [int(x) for x in v]
    ),
    "losses.pairwise": Entry(
        losses.pairwise,
        {"score_pos": number(0.5).terms(), "score_neg": number(0.25).terms(), "m": given(FLOAT)},
        needed=("score_pos", "score_neg", "m"),
        read=float,
    ),
    "losses.risk": Entry(
        losses.risk,
        {"w": shares(3).terms(), "p": shares(3).terms(), "loss": given(losses.square), "m": given(FLOAT)},
        needed=("loss", "w", "p", "m"),
        read=float,
    ),
    "losses.scaled": Entry(
        losses.scaled,
        {"factor": number(), "loss": thing(losses.square, impurities.gini)},
        needed=("loss", "factor"),
        read=lambda loss: float(loss.at((0.25, 0.75), 1, FLOAT)),
    ),
}

# Impurities.


def impurity(value: Impurity) -> Entry:
    rational = value.name in ("gini", "misclassification", "bayes_sum")  # of Fractions others would leave the rationals
    return Entry(
        value,
        {"weights": weights(fractions="answer" if rational else "either")},
        laws={"weights": (classes_reversed, doubled)},
        rounds=3,
        tolerance=ROUNDED,
    )


def made(maker: Any, **roles: Role) -> Entry:
    """A maker of impurities, read by the value of one distribution."""
    return Entry(maker, roles, tuple(roles), lambda found: float(found(CLASS)), tolerance=1e-7)


def _risk(kind: Any) -> Entry:
    return Entry(
        lambda p: Impurity("mine", kind(losses.square))(p), {"p": shares(2, fractions="either")}, tolerance=1e-6
    )


IMPURITIES = {
    f"impurities.{name}": impurity(getattr(impurities, name))
    for name in ("bayes_sum", "entropy", "gini", "matushita", "misclassification", "sqrt_gini")
} | {
    "impurities.absolute_deviation": made(impurities.absolute_deviation, values=RESPONSES),
    "impurities.poisson": made(impurities.poisson, values=RESPONSES),
    "impurities.variance": made(impurities.variance, values=RESPONSES),
    "impurities.gce": made(impurities.gce, q=number()),
    "impurities.ne": made(impurities.ne, lam=number()),
    "impurities.scaled": made(impurities.scaled, impurity=thing(impurities.gini, losses.square), factor=number()),
    "impurities.shannon_entropy": made(impurities.shannon_entropy, base=number(2.5)),
    "impurities.Impurity": Entry(
        Impurity,
        {
            "of": formula(impurities.gini.of),
            "loss": thing(losses.square, impurities.gini, none="either"),
            "name": given("mine"),
            "search": thing(impurities.gini.search, losses.square),
        },
        needed=("name", "of"),
        read=lambda found: float(found(CLASS)),
    ),
    "impurities.Impurity.from_loss": Entry(
        Impurity.from_loss,
        {"loss": thing(losses.square, impurities.gini)},
        read=lambda found: float(found(CLASS)),
    ),
    "impurities.Risk": _risk(impurities.Risk),
    "impurities.NumericRisk": _risk(impurities.NumericRisk),
}

ENTRIES = ARITH | LOSSES | IMPURITIES
