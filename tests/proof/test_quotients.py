"""Rational functions in lowest terms, against fractions at points."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from splitcrit.proof.quotients import Quotient, Quotients

FORMULAS: list[Callable[[Any, Any], Any]] = [
    lambda x, y: (x * x - y * y) / (x + y),
    lambda x, y: (x / y) ** -2 + 3 - 1 / (x - y),
    lambda x, y: (2 * x - y) ** 3 / (y - 2 * x) - y**0,
    lambda x, y: Fraction(2, 3) * x - (5 - x) / (-y),
]


def value(function: Quotient, at: tuple[int, int]) -> Fraction:
    """The function at a point, from its terms."""
    above, below = (
        sum((int(c) * at[0] ** int(i) * at[1] ** int(j) for (i, j), c in part.terms()), 0)
        for part in (function.numer, function.denom)
    )
    return Fraction(above, below)


@pytest.mark.parametrize("formula", FORMULAS, ids=range(len(FORMULAS)))
def test_functions_have_the_values_of_fractions(formula: Callable[[Any, Any], Any]) -> None:
    function = formula(*Quotients(["x", "y"]).gens)
    for at in ((3, 7), (-2, 5), (11, 4)):
        assert value(function, at) == formula(*map(Fraction, at))
    assert function.numer.gcd(function.denom) == 1 and function.denom.leading_coefficient() > 0


def test_nothing_is_divided_by_zero() -> None:
    x, y = Quotients(["x", "y"]).gens
    with pytest.raises(ZeroDivisionError):
        x / (y - y)
    assert (x - y) / (y - x) == -1 and hash(x / y) == hash((2 * x) / (2 * y))
