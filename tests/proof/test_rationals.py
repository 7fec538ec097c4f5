"""FLINT's rational numbers as an arithmetic: what it gives is what EXACT gives, and what EXACT refuses it refuses."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import flint
import pytest

from splitcrit import criteria, impurities
from splitcrit.arith import EXACT, Irrational
from splitcrit.proof import BALL, Ball, Undecided
from splitcrit.proof.balls import RATIONALS, fraction, ratio

RATIONAL = (impurities.gini, impurities.misclassification, impurities.bayes_sum, impurities.gce(q=Fraction(1)))
OTHERS = (impurities.sqrt_gini, impurities.matushita, impurities.ne(lam=Fraction(1, 2)), impurities.entropy)
CRITERIA = (criteria.twoing, criteria.pairwise_gain, criteria.one_vs_rest_pairwise_gain, criteria.sum_minority)


def tables(number: int) -> list[list[list[int]]]:
    rng = random.Random(7)
    return [[[rng.choice((0, 0, 1, 2, 9)) for _ in range(2)] for _ in range(2)] for _ in range(number)]


def of(criterion: Any, table: Any, m: Any, number: Any) -> Any:
    try:
        return criterion.score([[number(x) for x in row] for row in table], m)
    except Irrational:
        return "irrational"


@pytest.mark.parametrize("criterion", [*map(criteria.decrease, (*RATIONAL, *OTHERS)), *CRITERIA], ids=repr)
def test_scores_are_those_in_fractions(criterion: Any) -> None:
    rational = 0
    for table in tables(200):
        exact, found = of(criterion, table, EXACT, Fraction), of(criterion, table, RATIONALS, ratio)
        rational += exact != "irrational"
        assert (found if exact == "irrational" else fraction(found)) == exact
    assert rational > 20


@pytest.mark.parametrize("call", ["log", "xlogx", "exp", "sqrt"])
def test_what_is_irrational_is_refused(call: str) -> None:
    with pytest.raises(Irrational):
        getattr(RATIONALS, call)(flint.fmpq(3, 7))
    with pytest.raises(Irrational):
        RATIONALS.power(flint.fmpq(2), Fraction(1, 2))
    assert RATIONALS.sqrt(flint.fmpq(4, 9)) == flint.fmpq(2, 3) == RATIONALS.power(flint.fmpq(9, 4), Fraction(-1, 2))
    assert RATIONALS.power(flint.fmpq(9, 4), flint.fmpq(-1, 2)) == flint.fmpq(2, 3)


def test_floats_are_refused() -> None:
    for call in (lambda: ratio(0.5), lambda: RATIONALS.max([ratio(1), 0.5]), lambda: RATIONALS.abs(0.5)):
        with pytest.raises(Irrational, match="EXACT stays in the rationals; got the float"):
            call()
    with pytest.raises(TypeError):
        ratio(1) * 0.5
    assert RATIONALS.number(0.5) == flint.fmpq(1, 2)


def test_constants_divide_exactly() -> None:
    assert RATIONALS.where(True, 1, 0) / 3 == flint.fmpq(1, 3) == RATIONALS.max([0, 1]) / 3
    assert fraction(RATIONALS.number(Fraction(2, 3))) == Fraction(2, 3) and fraction(3) == Fraction(3)


def test_enclosures_of_large_and_rational_numbers() -> None:
    for x in (0, -3, 10**200, Fraction(1, 3), flint.fmpq(-2, 7)):
        exact = fraction(x)
        below, above = exact - Fraction(1, 10**60) * (1 + abs(exact)), exact + Fraction(1, 10**60) * (1 + abs(exact))
        assert below < Ball(x) < above
    assert Ball(10**200) - 10**200 == 0 and BALL.where(True, 1, 0) == 1


@pytest.mark.parametrize("x", [0, -1])
def test_an_enclosed_logarithm_of_nothing_is_refused(x: int) -> None:
    with pytest.raises(Undecided, match="the argument of a logarithm must be positive"):
        BALL.log(x)
