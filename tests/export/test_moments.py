"""The loops around mean and variance, run as they stand: they are exact, and what they take for margins are margins."""

from __future__ import annotations

import math

import pytest

from oracles import moments as moments_of
from oracles import partitions, permutation_law, table_law
from splitcrit.export import moments

SMALL = [(a, b) for n in range(1, 6) for a in partitions(n) for b in partitions(n)]


@pytest.mark.parametrize("n", range(1, 6))
def test_mean_and_variance_are_those_of_all_permutations(n: int) -> None:
    for rows in partitions(n):
        for columns in partitions(n):
            mean, variance, _ = moments_of(permutation_law(rows, columns))
            given = (list(rows), len(rows), list(columns), len(columns), n)
            assert (moments.mean_of(*given), moments.variance_of(*given)) == (mean, variance)


@pytest.mark.parametrize(("rows", "columns"), [((9, 5, 2), (8, 8)), ((12, 1), (6, 6, 1)), ((3,) * 5, (11, 4))])
def test_they_are_those_of_all_tables(rows: tuple[int, ...], columns: tuple[int, ...]) -> None:
    mean, variance, _ = moments_of(table_law(rows, columns))
    given = (list(rows), len(rows), list(columns), len(columns), sum(rows))
    assert (moments.mean_of(*given), moments.variance_of(*given)) == (mean, variance)


def test_totals_of_0_change_nothing() -> None:
    padded = ([0, 4, 0, 3], 4, [5, 0, 2], 3, 7)
    plain = ([4, 3], 2, [5, 2], 2, 7)
    assert moments.mean_of(*padded) == moments.mean_of(*plain) > 0
    assert moments.variance_of(*padded) == moments.variance_of(*plain) > 0


def test_no_observation_has_moments_0() -> None:
    assert moments.mean([0, 0], 2, [0], 1) == moments.variance([0, 0], 2, [0], 1) == 0.0


@pytest.mark.parametrize(
    ("rows", "columns"), [([1, -1], [0]), ([2], [1]), ([], []), ([1], []), ([moments.LARGEST, 1], [2**31])]
)
def test_what_are_no_margins_give_nan(rows: list[int], columns: list[int]) -> None:
    given = (rows, len(rows), columns, len(columns))
    assert math.isnan(moments.mean(*given)) and math.isnan(moments.variance(*given))


def test_the_largest_margins_are_taken_and_their_products_fit_64_bits() -> None:
    rows, columns = [moments.LARGEST - 1, 1], [1, moments.LARGEST - 1]
    assert moments.agreed(rows, 2, columns, 2) == moments.LARGEST
    assert moments.LARGEST**2 < 2**62
    assert 0 < moments.variance(rows, 2, columns, 2) < 1e-18
