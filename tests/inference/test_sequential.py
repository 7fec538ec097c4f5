"""P-values of permutations by every sequence of draws; versions that are nearly right are seen to fail."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isclose

import pytest

from splitcrit.inference.sequential import besag_clifford, permutation_pvalue, stopped_pvalue
from validity import sequences, valid

LAWS = [
    {0: Fraction(1, 2), 1: Fraction(1, 2)},
    {0: Fraction(1, 6), 1: Fraction(1, 2), 2: Fraction(1, 3)},
    {k: Fraction(1, 7) for k in range(7)},
]


def fixed(pvalue: Callable[[int, int], float], law: dict[int, Fraction], most: int) -> bool:
    """Validity of a p-value of a fixed number of draws; the first value of a sequence is the observed one."""
    every = sequences(law, most + 1)
    return valid((pvalue(sum(x >= drawn[0] for x in drawn[1:]), most), chance) for drawn, chance in every)


def stopped(
    rule: Callable[[Sequence[bool], int, int], float], law: dict[int, Fraction], enough: int, most: int
) -> bool:
    every = sequences(law, most + 1)
    return valid((rule([x >= drawn[0] for x in drawn[1:]], enough, most), chance) for drawn, chance in every)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("most", [1, 3, 4])
def test_a_fixed_number_of_draws(law: dict[int, Fraction], most: int) -> None:
    assert fixed(permutation_pvalue, law, most)


def test_the_observed_order_must_count() -> None:
    assert not fixed(lambda c, b: c / b, LAWS[2], 3)
    assert not fixed(lambda c, b: (1 + c) / (2 + b), LAWS[2], 3)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("enough", "most"), [(1, 4), (2, 4), (3, 4), (5, 4), (1, 1)])
def test_draws_that_stop(law: dict[int, Fraction], enough: int, most: int) -> None:
    assert stopped(lambda draws, h, b: besag_clifford(draws, h, b)[0], law, enough, most)


def wrong_by_one(draws: Sequence[bool], enough: int, most: int) -> float:
    p, drawn = besag_clifford(draws, enough, most)
    return enough / (drawn + 1) if sum(draws[:drawn]) == enough else p


def without_the_observed(draws: Sequence[bool], enough: int, most: int) -> float:
    p, drawn = besag_clifford(draws, enough, most)
    return p if sum(draws[:drawn]) == enough else sum(draws) / most


@pytest.mark.parametrize("wrong", [wrong_by_one, without_the_observed])
def test_draws_that_stop_wrongly_are_seen(wrong: Callable[[Sequence[bool], int, int], float]) -> None:
    assert not stopped(wrong, LAWS[2], 2, 4)


def test_the_rule_by_a_plain_loop() -> None:
    draws = [False, True, False, False, True, True, False]
    for enough in range(1, 6):
        for most in range(1, 8):
            places = [i for i, draw in enumerate(draws[:most], 1) if draw]
            early = len(places) >= enough
            p, drawn = besag_clifford(draws, enough, most)
            assert drawn == (places[enough - 1] if early else most)
            assert isclose(p, enough / drawn if early else (1 + len(places)) / (1 + most), rel_tol=1e-15)
    assert stopped_pvalue(3, 12) == 0.25


def test_draws_are_taken_one_by_one() -> None:
    assert besag_clifford(iter([True, True]), 1, 99) == (1.0, 1)
