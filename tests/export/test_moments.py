"""The loops around the moments, run as they stand: they are exact, and what they take for margins are margins."""

from __future__ import annotations

import math
from itertools import product

import pytest

from oracles import moments as moments_of
from oracles import partitions, permutation_law, table_law
from splitcrit.export import moments

FUNCTIONS = [moments.mean_of, moments.variance_of, moments.third_of]


@pytest.mark.parametrize("n", range(1, 7))
def test_moments_are_those_of_all_permutations(n: int) -> None:
    for rows, columns in product(partitions(n), repeat=2):
        law = permutation_law(rows, columns) if n < 6 else table_law(rows, columns)
        given = (list(rows), len(rows), list(columns), len(columns), n)
        assert tuple(function(*given) for function in FUNCTIONS) == moments_of(law)


@pytest.mark.parametrize(
    ("rows", "columns"), [((9, 5, 2), (8, 8)), ((12, 1), (6, 6, 1)), ((7, 1, 4), (6, 5, 1)), ((3,) * 5, (11, 4))]
)
def test_they_are_those_of_all_tables_and_totals_of_0_change_nothing(
    rows: tuple[int, ...], columns: tuple[int, ...]
) -> None:
    known = moments_of(table_law(rows, columns))
    for a, b in (([*rows], [*columns]), ([0, *rows, 0], [*columns[:1], 0, *columns[1:]])):
        assert tuple(function(a, len(a), b, len(b), sum(rows)) for function in FUNCTIONS) == known


def test_a_constant_gain_has_no_third_moment() -> None:
    assert moments.third_moment([5, 5], 2, [9, 1], 2) == 0.0


def test_no_observation_has_moments_0() -> None:
    assert moments.mean([0, 0], 2, [0], 1) == moments.variance([0, 0], 2, [0], 1) == 0.0


@pytest.mark.parametrize(
    ("rows", "columns"), [([1, -1], [0]), ([2], [1]), ([], []), ([1], []), ([moments.LARGEST, 1], [2**31])]
)
def test_what_are_no_margins_give_nan(rows: list[int], columns: list[int]) -> None:
    given = (rows, len(rows), columns, len(columns))
    assert all(math.isnan(f(*given)) for f in (moments.mean, moments.variance, moments.third_moment))


def test_the_largest_margins_are_taken_and_their_products_fit_64_bits() -> None:
    rows, columns = [moments.LARGEST - 1, 1], [1, moments.LARGEST - 1]
    assert moments.agreed(rows, 2, columns, 2) == moments.LARGEST
    assert moments.LARGEST**2 < 2**62
    assert 0 < moments.variance(rows, 2, columns, 2) < 1e-18
