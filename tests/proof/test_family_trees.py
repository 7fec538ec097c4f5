"""What comparisons force one another, against a look at numbers."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

from splitcrit.arith.tracing import Node
from splitcrit.proof.family_trees import TRACE, follows, variable

X, Y = Node("at", ("x",)), Node("at", ("y",))
NUMBERS = [Fraction(i) for i in (-2, 0, 3)]
VALUES = [Fraction(i, 2) for i in range(-6, 9)]  # between the numbers and beyond them too


def comparisons(tree: Node) -> Any:
    for op, number, above in itertools.product(("<", "<="), NUMBERS, (True, False)):
        sides = (Node("number", (number,)), tree)
        yield Node(op, sides if above else sides[::-1]), op, number, above


def holds(op: str, number: Fraction, above: bool, x: Fraction) -> bool:
    left, right = (number, x) if above else (x, number)
    return left < right if op == "<" else left <= right


def test_a_comparison_follows_where_all_numbers_say_so() -> None:
    forced = 0
    for (known, *one), (said, *other), way in itertools.product(comparisons(X), comparisons(X), (True, False)):
        answers = {holds(*other, x) for x in VALUES if holds(*one, x) is way}
        expected = answers.pop() if len(answers) == 1 else None
        assert follows(said, [(known, way)]) is expected, (known, way, said)
        forced += expected is not None
    assert forced > 100


def test_nothing_follows_from_what_is_said_of_others() -> None:
    for (known, *_), (said, *_) in itertools.product(comparisons(X), comparisons(Y)):
        assert follows(said, [(known, True)]) is None
    assert follows(Node("==", (X, Y)), [(Node("<", (X, Y)), True)]) is None


def test_numbers_are_compared_at_once() -> None:
    two, three = TRACE.number(2), TRACE.number(3)
    assert (two < three, three <= two, two == three, two >= two) == (True, False, False, True)
    x, again = variable("x"), variable("x")
    assert (x == again) is (x <= again) is True and (x < again) is False
