"""The bounds of lower scores against a comparison of every table in integers."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import isqrt

import numpy as np
import pytest

from oracles import gain, moments, table_law
from splitcrit.nulls.extremes import EXTREMES, Bar, inside

STATISTICS = ("sgini", "gini", "pairwise_gain")


@cache
def exact_score(statistic: str, n: int, b: int, m: int, x: int) -> Fraction:
    """The score of one cut from its definition; SGini as its signed square."""
    table = [[x, m - x], [b - x, n - m - b + x]]
    (p, q), (r, s) = table
    if statistic == "pairwise_gain":
        return Fraction(abs(p * s - q * r), 2)
    if statistic == "gini":
        return gain(table)
    mean, variance, *_ = moments(table_law((m, n - m), (b, n - b)))
    apart = gain(table) - mean
    return apart * abs(apart) / variance if variance else Fraction(0)


def cells(n: int, b: int) -> list[tuple[int, int]]:
    """Every table: size and ones of its first row."""
    return [(m, x) for m in range(1, n) for x in range(max(0, m - n + b), min(m, b) + 1)]


def tells(bar: Bar, statistic: str, at: Fraction, ties: bool) -> bool:
    """Whether the bounds tell lower scores, or also equal ones, from the others."""
    n, b = bar.n, bar.b
    lower, upper = inside(bar, np.arange(1, n), ties=ties)
    scores = {cell: exact_score(statistic, n, b, *cell) for cell in cells(n, b)}
    return all((lower[m - 1] <= x <= upper[m - 1]) == (s <= at if ties else s < at) for (m, x), s in scores.items())


@pytest.mark.each_value
@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 8, 11])
def test_bars_of_tables_and_of_keys(statistic: str, n: int) -> None:
    extreme = EXTREMES[statistic]
    for b in range(1, n):
        for m, x in cells(n, b):
            key = exact_score(statistic, n, b, m, x)
            assert extreme.key(n, b, m, n * x - m * b) == key
            score = float(extreme.scores(n, b, np.array([m]), np.array([n * x - m * b]))[0])
            assert score == pytest.approx(extreme.score_of(key), rel=1e-12, abs=1e-12)
            for ties in (False, True):
                assert tells(Bar.of_table(extreme, n, b, m, x, score), statistic, key, ties)
                assert tells(Bar(extreme, n, b, extreme.score_of(key), key), statistic, key, ties)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_keys_between_tables(statistic: str) -> None:
    n, b, extreme = 9, 4, EXTREMES[statistic]
    keys = sorted({exact_score(statistic, n, b, *cell) for cell in cells(n, b)})
    for low, high in pairwise(keys):
        middle = (low + high) / 2
        assert tells(Bar(extreme, n, b, extreme.score_of(middle), middle), statistic, middle, ties=False)


def test_large_counts_as_in_integers() -> None:
    """Equal gains are frequent: ``d^2 = square m (n - m)`` where that is a square."""
    n, b, square = 30_000, 12_000, 90_000
    key = Fraction(2 * square, n * n)
    lower, upper = inside(Bar(EXTREMES["gini"], n, b, float(key), key), np.arange(1, n))
    for m in range(1, n):
        reach = isqrt(square * m * (n - m) - 1)
        assert (lower[m - 1], upper[m - 1]) == (-((reach - m * b) // n), (m * b + reach) // n)


def test_cuts_have_their_own_bounds_whichever_are_looked_at() -> None:
    bar = Bar(EXTREMES["gini"], 20, 8, 0.1, Fraction(1, 10))
    all_cuts = inside(bar, np.arange(1, 20))
    for some, every in zip(inside(bar, np.array([5, 9, 5])), all_cuts, strict=True):
        assert some.tolist() == every[[4, 8, 4]].tolist()


@pytest.mark.parametrize("statistic", STATISTICS)
def test_no_table_reaches_a_huge_score(statistic: str) -> None:
    lower, upper = inside(Bar(EXTREMES[statistic], 10, 4, 1e150, Fraction(10**300)), np.arange(1, 10))
    assert (lower <= 0).all() and (upper >= 4).all()
