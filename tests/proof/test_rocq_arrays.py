"""What is printed of code on arrays, of cases that follow from others, and of terms that share parts."""

from __future__ import annotations

from typing import Any

import pytest

from splitcrit.arith.tracing import Node
from splitcrit.proof.control_flow import traced
from splitcrit.proof.family_trees import variable
from splitcrit.proof.undecided import Undecided
from splitcrit.proofs.rocq.definitions import printed, with_lets
from splitcrit.proofs.rocq.printed import arrays


def text(value: Any) -> str:
    return printed(traced(lambda: arrays.value(value)).tree)


def test_a_sum_over_an_axis_broadcasts_and_takes_an_index_of_its_own() -> None:
    size, across = arrays.vector("a"), arrays.matrix("m")
    rows = arrays.NAMESPACE.sum(size[None, ...] * across, axis=1)
    assert text(arrays.NAMESPACE.sum(size * rows, axis=0)) == (
        r"(\sum_(j < K) ((a j) * (\sum_(k < K) ((a k) * (m j k)))))"
    )


def test_a_comparison_of_places_stands_inside_the_sum() -> None:
    places = arrays.NAMESPACE.arange(variable("n"))
    chosen = arrays.NAMESPACE.where(places[:, None] == places[None, ...], 0, arrays.matrix("m"))
    assert text(arrays.NAMESPACE.sum(chosen, axis=(0, 1))) == (
        r"(\sum_(j < K) (\sum_(k < K) (if (j == k) then 0 else (m j k))))"
    )


def test_more_sums_than_indices_is_an_error() -> None:
    four = arrays.Array(4, lambda *_: variable("x"))
    with pytest.raises(Undecided, match="index of its own"):
        arrays.NAMESPACE.sum(four, axis=(0, 1, 2, 3))


def small(n: Any) -> Any:
    return 0 if n < 3 else 1 if n >= 3 else 2 if n >= 2 else 3


def falling(n: Any) -> Any:
    return sum(bound for bound in (2, 3, 4) if bound <= n)


def test_a_comparison_that_follows_from_another_is_no_case() -> None:
    assert printed(traced(lambda: variable("n") * small(variable("n"))).tree) == (
        "(if (n < 3%:R) then (n * 0) else (n * 1))"
    )
    found = printed(traced(lambda: variable("n") * falling(variable("n"))).tree)
    assert found.count("if") == 3 and "(n * 9%:R)" in found and "(n * 0)" in found and "7" not in found


def test_what_occurs_twice_is_named_once() -> None:
    square = (variable("x") + variable("y")) * (variable("x") + variable("y"))
    assert with_lets(square.inner) == "let x0 := (x + y) in\n  (x0 * x0)"
    member = Node("at", ("p", "k"))
    assert "let" not in with_lets(Node("sum", ("k", Node("*", (member, member)))))
