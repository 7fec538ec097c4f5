"""The loops around the third moment, run as they stand: they are exact."""

from __future__ import annotations

import math

import pytest

from oracles import moments as moments_of
from oracles import partitions, permutation_law, table_law
from splitcrit.export import moments


@pytest.mark.parametrize("n", range(1, 7))
def test_the_third_moment_is_that_of_all_permutations(n: int) -> None:
    for rows in partitions(n):
        for columns in partitions(n):
            law = permutation_law(rows, columns) if n < 6 else table_law(rows, columns)
            given = (list(rows), len(rows), list(columns), len(columns), n)
            assert moments.third_of(*given) == moments_of(law)[2]


@pytest.mark.parametrize(("rows", "columns"), [((9, 5, 2), (8, 8)), ((7, 1, 4), (6, 5, 1)), ((3,) * 5, (11, 4))])
def test_it_is_that_of_all_tables(rows: tuple[int, ...], columns: tuple[int, ...]) -> None:
    given = ([*rows, 0], len(rows) + 1, [0, *columns], len(columns) + 1, sum(rows))
    assert moments.third_of(*given) == moments_of(table_law(rows, columns))[2]


def test_what_are_no_margins_give_nan() -> None:
    assert math.isnan(moments.third_moment([1, 2], 2, [1, 1], 2))


def test_a_constant_gain_has_no_third_moment() -> None:
    assert moments.third_moment([5, 5], 2, [9, 1], 2) == 0.0
