"""Numbers of unusual kinds in arithmetics, proofs and makers: read as what they are, or refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest

import splitcrit as sc
from splitcrit.arith import EXACT, FLOAT, Irrational
from splitcrit.frozen import is_ours, printable, shown
from splitcrit.proof import BALL, Ball, Fact, Field, Status, enclosed_flips

TABLE = [[90, 10], [50, 50]]
READERS: dict[str, Callable[[Any], Any]] = {
    "EXACT.number": EXACT.number,
    "EXACT.log": EXACT.log,
    "EXACT.power": lambda x: EXACT.power(Fraction(1, 2), x),
    "BALL.number": BALL.number,
    "Ball": Ball,
    "an exponent": lambda x: Ball(2) ** x,
    "Field": Field,
    "Fact": lambda x: Fact("gini", "concave", "all", True, x),
    "a direction": lambda x: enclosed_flips(TABLE, TABLE, sc.gini, direction=(1, x)),
}
HUGE = {"an integer": 10**5000, "a negative one": -(10**5000), "a fraction": Fraction(10**5000 + 1, 10**5000)}
TAKEN = {"EXACT.number", "BALL.number", "Ball", "Fact", "a direction"}  # they have numbers of any size


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", HUGE)
def test_what_cannot_be_printed_ends_in_one_sentence(reader: str, kind: str) -> None:
    try:
        READERS[reader](HUGE[kind])
    except (TypeError, ValueError, Irrational) as refused:
        assert is_ours(refused)
    else:
        assert reader in TAKEN or kind == "a fraction"


def test_huge_numbers_are_shown_by_their_kind() -> None:
    assert shown(10**5000) == "int of more than 4300 digits" and not printable(Fraction(1, 10**5000))
    with pytest.raises(ValueError, match="got int of more than 4300 digits; use s = 1"):
        sc.imprecise_gain_ratio(10**5000)
    with pytest.raises(ValueError, match="class counts have at most 4300 digits; got one of more at row 0, column 1"):
        sc.Table.of([[1, 10**5000], [2, 3]])


def test_a_power_that_no_memory_holds_is_refused() -> None:
    with pytest.raises(Irrational, match="EXACT stays in the rationals; got power 9223372036854775808 of 1/2"):
        EXACT.power(Fraction(1, 2), 2**63)
    assert EXACT.power(Fraction(1, 2), 100) == Fraction(1, 2**100)


def test_parameters_of_formulas_are_numbers() -> None:
    assert FLOAT.number(Fraction(1, 4)) == 0.25
    with pytest.raises(TypeError, match="a parameter of a formula is a number; got NaT"):
        FLOAT.number(pd.NaT)


def test_an_unknown_status_is_named() -> None:
    assert Status("settled") is Status.PROVED
    with pytest.raises(ValueError, match="a status must be one of settled, refuted, unknown; got 'maybe'"):
        Status("maybe")
