"""A formula that is run on expressions leaves one tree, in which equal operations on equal operands are one node."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from splitcrit import losses
from splitcrit.arith import FLOAT, tracing
from splitcrit.arith.tracing import FLOATS, Expression, Node, Tracer, operands_first
from splitcrit.impurities import Impurity
from splitcrit.proof.control_flow import traced
from splitcrit.proof.family_trees import TRACE, variable

X = Node("at", ("x",))


def run(formula: Callable[..., Any], *names: str) -> Node:
    """The tree of a formula of variables and an arithmetic."""
    m = Tracer()
    return formula(*map(m.variable, names), m).node  # type: ignore[no-any-return]


def test_equal_operations_on_equal_operands_are_one_node() -> None:
    one, other = (run(lambda x, y, m: (x + y) / m.sqrt(x + y), "x", "y") for _ in range(2))
    assert one is other and len(operands_first(one)) == 5
    assert run(lambda x, y, m: x - y, "x", "y") is not run(lambda x, y, m: y - x, "x", "y")
    assert copy.deepcopy(one) is one and pickle.loads(pickle.dumps(one)) is one
    assert (X + X).parts[0] is X and X * X is not X**2


def test_numbers_of_unlike_kinds_are_unlike_nodes() -> None:
    numbers = [Fraction(1), 1.0, True, -0.0, 0.0, False, Fraction(0)]
    assert len({Node("number", (x,)) for x in numbers}) == len(numbers)
    assert Node("^", (X, 1)) is not Node("^", (X, True))


def test_the_prover_and_the_tape_make_the_same_nodes() -> None:
    of = Impurity.from_loss(losses.mae).of
    tree = traced(lambda: of([variable("x"), variable("y"), 1 - variable("x") - variable("y")], TRACE)).tree
    assert run(lambda x, y, m: of([x, y, 1 - x - y], m), "x", "y") is tree


def test_a_risk_of_many_classes_is_a_small_tree() -> None:
    m, names = Tracer(), [f"p{k}" for k in range(60)]
    risk = Impurity.from_loss(losses.square).of([m.variable(name) for name in names], m).node
    assert len(operands_first(risk)) < 12 * 60 < m.asked / 5
    assert traced(lambda: Impurity.from_loss(losses.square).of([*map(variable, names)], TRACE)).tree is risk


def test_a_node_lives_as_long_as_it_is_used() -> None:
    gc.collect()
    before = len(tracing._KNOWN)
    kept = run(lambda x, m: sum((x + i) ** 2 for i in range(100)), "of this test")
    assert len(tracing._KNOWN) >= before + 200
    del kept
    gc.collect()
    assert len(tracing._KNOWN) <= before


def test_operands_come_first_and_once_however_deep_a_tree_is() -> None:
    node = X
    for _ in range(100_000):
        node = node + node  # 2 ** 100,000 paths
    found = operands_first(node, X, node)
    assert len(found) == 100_001 and found[0] is X and found[-1] is node
    assert [x.op for x in operands_first(X**2 - X)] == ["at", "^", "-"]


NUMBERS = np.array([0.0, 0.3, 1.0, 2.5])
FORMULAS: dict[str, Callable[[Any, Any], Any]] = {
    "numbers on the left": lambda x, m: 2 / (1 + (3 - 4 * x)),
    "powers": lambda x, m: x**2 + x**3 - x**0.5 + m.power(x, 1.5) + 2**x + x**-1,
    "functions": lambda x, m: m.exp(x) + m.sqrt(x) - m.xlogx(x) + m.log(1 + x),
    "extremes": lambda x, m: m.max([x, 0.5, 1 - x]) * m.min([x, 1]),
    "signs": lambda x, m: abs(-x) + m.abs(x - 1),
    "comparisons": lambda x, m: m.where(x < 1, 1 * (x == 0), 2 * (x != 1)) + 1 * (x <= 1) + 3 * (x > 1) + 5 * (x >= 1),
    "truth values": lambda x, m: (x - True) * np.bool_(True) + np.float64(0.1),
    "constants": lambda x, m: x * m.number("0.25") + m.sqrt(2) * m.where(True, 3, 4) + m.max([1, 2]),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_a_tree_says_what_the_formula_does(name: str) -> None:
    values: dict[Node, Any] = {}
    root = run(FORMULAS[name], "x")
    with np.errstate(all="ignore"):
        for node in operands_first(root):
            operands = [values[x] if isinstance(x, Node) else x for x in node.parts]
            number = NUMBERS if node.op == "at" else float(node.parts[0]) if node.op == "number" else None
            values[node] = FLOATS[node.op](*operands) if number is None else number
        np.testing.assert_array_equal(values[root], FORMULAS[name](NUMBERS, FLOAT))


def test_what_depends_on_no_variable_is_computed() -> None:
    m = Tracer()
    assert (m.sqrt(4), m.max([1, 3]), m.where(False, 1, 2), m.abs(-1), m.number("0.5")) == (2, 3, 2, 1, 0.5)
    assert m.asked == 0 and m.name == "FLOAT"


REFUSED: dict[str, Callable[[Any, Any], Any]] = {
    "text": lambda x, m: x + "1",
    "nothing": lambda x, m: x * None,
    "a question": lambda x, m: x if x else 1,
    "a fraction": lambda x, m: x * Fraction(1, 3),  # numpy has no float64 for it either
    "whole quotients": lambda x, m: x // 2,
    "a list": lambda x, m: x in [0, 1],
    "a key": lambda x, m: {x: 1},
    "numpy": lambda x, m: np.sqrt(x),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_expression_can_do_is_a_type_error(name: str) -> None:
    with pytest.raises(TypeError):
        run(REFUSED[name], "x")


def test_an_expression_has_no_value() -> None:
    x: Any = Tracer().variable("x")
    assert type(x == x) is Expression
    with pytest.raises(TypeError, match=r"does not look at its numbers; got .*; decide by m\.where"):
        bool(x < 1)
