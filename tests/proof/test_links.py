"""Trees that are the same function of sums, and those that are not."""

from __future__ import annotations

import pytest

from splitcrit.arith.tracing import Node
from splitcrit.proof.links import _Normal

X, Y = Node("at", ("x",)), Node("at", ("y",))


def number(x: int) -> Node:
    return Node("number", (x,))


def of(op: str, *parts: Node) -> Node:
    return Node(op, parts)


LOG = of("log", X)
PAIRS = {
    "x log x": (of("xlogx", X), of("*", X, LOG), True),
    "not x over log x": (of("xlogx", X), of("/", X, LOG), False),
    "a root squared": (of("*", of("sqrt", X), of("sqrt", X)), X, True),
    "not a root": (of("sqrt", X), X, False),
    "the root of a square": (of("sqrt", of("*", X, X)), X, True),
    "the absolute value of a count": (of("abs", X), X, True),
    "the absolute value of a real number": (of("abs", Y), Y, False),
    "a difference": (of("-", X, Y), of("neg", of("-", Y, X)), True),
    "a quotient": (of("/", of("*", X, Y), X), Y, True),
    "a power": (Node("^", (X, 3)), of("*", X, of("*", X, X)), True),
    "a case decided by its kind": (of("if", of("<", X, number(0)), Y, X), X, True),
    "a case that is not": (of("if", of("<", Y, number(0)), Y, X), X, False),
    "a case whose ways agree where it holds": (of("if", of("==", X, Y), X, Y), Y, True),
    "a case whose ways do not": (of("if", of("==", X, Y), number(1), Y), Y, False),
    "a case whose ways agree where it does not hold": (of("if", of("<", X, Y), X, Y), Y, False),
    "a product of cases": (
        of("*", of("if", of("<", Y, X), X, Y), Y),
        of("if", of("<", Y, X), of("*", X, Y), of("*", Y, Y)),
        True,
    ),
    "a sum of a sum": (
        Node("sum", ("k", of("+", Node("at", ("z", "k")), X))),
        of("+", Node("sum", ("k", Node("at", ("z", "k")))), of("*", Node("size", ("K",)), X)),
        True,
    ),
    "a factor of a sum": (
        Node("sum", ("k", of("/", Node("at", ("z", "k")), X))),
        of("/", Node("sum", ("k", Node("at", ("z", "k")))), X),
        True,
    ),
    "not the square of a sum": (
        Node("sum", ("k", Node("^", (Node("at", ("z", "k")), 2)))),
        Node("^", (Node("sum", ("k", Node("at", ("z", "k")))), 2)),
        False,
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_trees_are_the_same_where_their_functions_are(name: str) -> None:
    one, other, same = PAIRS[name]
    assert _Normal({"x": "count", "y": "real", "z": "real"}).same(one, other) is same
