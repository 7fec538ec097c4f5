"""Ratios that are reduced at the end calculate as Fractions do."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from splitcrit.arith.exact_numbers import Ratio

PAIRS = [(1, 2), (-3, 2), (5, 7), (4, -6), (7, 1)]
OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv]


@pytest.mark.parametrize("calculate", OPERATORS)
def test_ratios_calculate_as_fractions(calculate: Callable[[Any, Any], Any]) -> None:
    for a in PAIRS:
        for b in PAIRS:
            assert calculate(Ratio(*a), Ratio(*b)).fraction() == calculate(Fraction(*a), Fraction(*b))
        for n in (3, -2):
            assert calculate(Ratio(*a), n).fraction() == calculate(Fraction(*a), n)
            assert calculate(n, Ratio(*a)).fraction() == calculate(n, Fraction(*a))
        assert (-Ratio(*a)).fraction() == -Fraction(*a)
        assert (Ratio(*a) ** 3).fraction() == Fraction(*a) ** 3
    assert Ratio(3).fraction() == 3
