"""Tapes of the library's impurities: the formula's own floats, and no more steps than a formula needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from growing import ASYMMETRIC
from splitcrit import impurities, losses
from splitcrit.arith import FLOAT
from splitcrit.arith.tracing import Node, Tracer
from splitcrit.impurities import Impurity
from splitcrit.losses import Loss
from splitcrit.trees.scan.tapes import WeightedImpurity, recorded, unguarded

CLASSES = (2, 3, 5, 10, 26)
NAMES = [
    "gini", "entropy", "sqrt_gini", "misclassification", "matushita", "bayes_sum", "gce(0.7)", "ne(0.5)",
    "shannon_entropy(2)", "loss square", "loss cross_entropy", "loss mae", "loss infinity_norm", "loss zero_one",
    "loss bayes_sum", "loss sqrt_gini", "loss matushita", "loss gce(0.7)", "loss ne(0.5)", "loss hinge", "loss ramp",
    "loss logistic", "loss exponential", "loss sigmoid", "loss margin_zero_one", "loss negative_exponential(0.5)",
    "asymmetric 0", "asymmetric 1", "loss with truth values", "loss of cubes",
]  # fmt: skip
MADE = {"gce(0.7)": impurities.gce(0.7), "ne(0.5)": impurities.ne(0.5)}
OF_LOSSES = {"gce(0.7)": losses.gce(0.7), "ne(0.5)": losses.ne(0.5)}


def itself(p: Any, m: Any) -> Any:
    return p


def with_truth_values(w: Any, k: int, m: Any) -> Any:
    return sum((x - (j == k)) ** 2 for j, x in enumerate(w))


def of_cubes(w: Any, k: int, m: Any) -> Any:
    return 2 * sum(x**3 for x in w) - 3 * w[k] ** 2 + 1


def impurity(name: str) -> Any:
    """The impurity of a name: of the library, made from a loss of the library, or from one of a user."""
    if name == "shannon_entropy(2)":
        return impurities.shannon_entropy(2)
    if name == "loss negative_exponential(0.5)":
        return Impurity.from_loss(losses.negative_exponential(0.5))
    if name == "loss with truth values":
        return Impurity.from_loss(Loss("truth values", with_truth_values, itself))
    if name == "loss of cubes":
        return Impurity.from_loss(Loss("cubes", of_cubes, itself))
    kind, _, rest = name.partition(" ")
    if kind == "asymmetric":
        return ASYMMETRIC[int(rest)].impurity
    if kind == "loss":
        return Impurity.from_loss(OF_LOSSES[rest] if rest in OF_LOSSES else getattr(losses, rest))
    return MADE[name] if name in MADE else getattr(impurities, name)


def batch(classes: int) -> np.ndarray:
    """Class counts: with empty classes, pure samples, and all else."""
    rng = np.random.default_rng(classes)
    counts = rng.integers(0, 40, (classes, 300)).astype(float)
    counts[:, :60] *= rng.random((classes, 60)) < 0.4
    counts[1:, 60:70] = 0
    return counts[:, counts.sum(axis=0) > 0]


@pytest.mark.parametrize("name", NAMES)
def test_a_tape_gives_the_formulas_floats_in_few_steps(name: str) -> None:
    formula = WeightedImpurity(impurity(name).of)
    for classes in CLASSES:
        tape, given = recorded(formula, classes), batch(classes)
        assert tape is not None and len(tape.steps) < 20 + 30 * classes
        with np.errstate(all="ignore"):
            both = np.concatenate([given, given[:, ::-1]], axis=1)
            own = formula(list(both), FLOAT)
            for replay in (tape(both), tape.both(given, given[:, ::-1].copy())):
                for one, other in zip(replay, own, strict=True):
                    np.testing.assert_array_equal(one, other)


def test_what_differs_as_a_tree_may_be_one_step() -> None:
    tape = recorded(lambda x, m: (x[0] * 2 + x[0] * 2.0 + x[0] ** 2 - x[0] * x[0] + (x[0] ** 3 - x[0] ** 3.0),), 1)
    assert tape is not None and len(tape.steps) == 8 and sorted(tape.constants) == [2, 3]


def test_a_number_is_forgotten_after_its_last_use() -> None:
    tape = recorded(lambda x, m: (m.sqrt((x[0] + x[1]) * (x[0] - x[1])), x[0] + x[1]), 2)
    assert tape is not None
    needed = [{i for _, operands in tape.steps[at + 1 :] for i in operands} for at in range(len(tape.steps))]
    kept = {*tape.outputs}
    for at, (_, operands) in enumerate(tape.steps):
        assert {*tape.done[at]} == {*operands} - needed[at] - kept


def guarded(formula: Any) -> tuple[Node, Node]:
    """The tree of a formula of two counts, before and after the pass over it."""
    tree = formula(*counts(), Tracer()).node
    return tree, unguarded([tree])[0]


def counts() -> tuple[Any, Any]:
    m = Tracer()
    return m.variable("x"), m.variable("y")


def test_the_guard_of_a_factor_is_dropped_where_the_factor_is_finite() -> None:
    def of(cost: Any) -> Any:
        return lambda x, y, m: x * m.where(x == 0, 0, cost(x, y)) + 1

    x, y = counts()
    for cost in (lambda x, y: y, lambda x, y: (x - y) ** 2, lambda x, y: abs(-x) * (x / (x + y)), lambda x, y: 3):
        assert guarded(of(cost))[1] is (x * cost(x, y) + 1).node
    for cost in (lambda x, y: 1 / y, lambda x, y: y / x, lambda x, y: x**3, lambda x, y: 1e200 * (1e200 * y)):
        before, after = guarded(of(cost))
        assert before is after


def test_another_guard_stays() -> None:
    for formula in (
        lambda x, y, m: x * m.where(y == 0, 0, y),  # of another number
        lambda x, y, m: x * m.where(x == 0, 1, y),  # by another value: 0 all the same, where y is finite
        lambda x, y, m: x * m.where(x == 1, 0, y),
        lambda x, y, m: x * m.where(x != 0, 0, y),
        lambda x, y, m: x * m.where(x == 0, -0.0, y),  # of another sign
        lambda x, y, m: x + m.where(x == 0, 0, y),
        lambda x, y, m: m.where(x == 0, 0, y) * x,
    ):
        before, after = guarded(formula)
        assert before is after


def test_a_guard_within_a_guard_is_dropped_too() -> None:
    _, after = guarded(lambda x, y, m: x * m.where(x == 0, 0, y * m.where(y == 0, 0, x - y)))
    x, y = counts()
    assert after is (x * (y * (x - y))).node
