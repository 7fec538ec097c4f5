"""Tails of many tables at once are those of Python's integers, of scipy's hypergeometric law, and of all orders."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod

import numpy as np
import pytest
from scipy.stats import fisher_exact, hypergeom

from splitcrit.nulls import gini_pvalue
from splitcrit.nulls.table_pvalues import MOST_CELLS, in_order, tails

RNG = np.random.default_rng(0)


def by_integers(table: list[list[int]]) -> Fraction:
    """Every first side with these margins, weighed by products of binomials; the gain by fractions."""
    a, b = sum(table[0]), [x + y for x, y in zip(*table, strict=True)]

    def gain(x: tuple[int, ...]) -> Fraction:
        rest = sum(b) - a
        return sum((Fraction(k * k, a) + Fraction((t - k) ** 2, rest) for k, t in zip(x, b, strict=True)), Fraction(0))

    every = [x for x in product(*(range(t + 1) for t in b)) if sum(x) == a]
    ways = {x: prod(comb(t, k) for k, t in zip(x, b, strict=True)) for x in every}
    mine = gain(tuple(table[0]))
    return Fraction(sum(w for x, w in ways.items() if gain(x) >= mine), sum(ways.values()))


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_tails_are_those_of_integers(classes: int) -> None:
    tables = RNG.integers(0, 5, (40, 2, classes))
    tables = tables[(tables.sum(axis=2) > 0).all(axis=1)]
    expected = [float(by_integers(table)) for table in tables.tolist()]
    assert tails(in_order(tables)) == pytest.approx(expected, rel=1e-12)


def test_tables_in_order_have_the_smaller_side_and_the_rarer_classes_first() -> None:
    tables = RNG.integers(0, 9, (200, 2, 3))
    found = in_order(tables)
    assert (found[:, 0].sum(axis=1) <= found[:, 1].sum(axis=1)).all()
    assert (np.diff(found.sum(axis=1), axis=1) >= 0).all()
    assert (np.sort(found.reshape(200, 6)) == np.sort(tables.reshape(200, 6))).all()
    turned = tables[:, :, [2, 0, 1]]
    apart = tables[:, 0].sum(axis=1) != tables[:, 1].sum(axis=1)
    assert (in_order(turned[apart, ::-1]) == found[apart]).all()


def test_two_classes_of_many_rows_have_the_hypergeometric_law() -> None:
    tables = RNG.multinomial(5000, [0.3, 0.2, 0.2, 0.3], 6).reshape(6, 2, 2)
    tables[3] = [[250, 250], [250, 250]]  # no gain: everything reaches it
    expected = []
    for (p, q), (r, s) in tables.tolist():
        n, a, b = p + q + r + s, p + q, p + r
        x = np.arange(max(0, a + b - n), min(a, b) + 1)
        chance = hypergeom(n, b, a).pmf(x)
        expected.append(chance[abs(n * x - a * b) >= abs(n * p - a * b)].sum())
    assert tails(in_order(tables)) == pytest.approx(expected, rel=1e-7)
    even = np.array([[[30, 10], [15, 25]]])  # equal sides: both tails are as far, as in Fisher's test
    assert tails(in_order(even)) == pytest.approx(fisher_exact(even[0]).pvalue, rel=1e-12)


def test_many_rows_agree_with_the_law_of_one_table() -> None:
    table = np.array([[[15_000, 14_700], [35_000, 35_300]]])
    assert tails(in_order(table)) == pytest.approx(float(gini_pvalue(table[0], method="exact")), rel=1e-8)


def test_too_many_tables_are_not_gone_through() -> None:
    side = int(MOST_CELLS**0.5)
    large = np.array([[[side, side, side], [9 * side] * 3]])
    assert np.isnan(tails(in_order(large))).all()
    assert np.isnan(tails(np.array([[[10**6, 0], [0, 10**6]]]))).all()
    assert tails(np.zeros((0, 2, 3), dtype=int)).shape == (0,)


def test_the_order_of_sides_and_classes_makes_no_difference() -> None:
    tables = RNG.integers(0, 9, (50, 2, 3))
    turned = tables[:, ::-1][:, :, [2, 0, 1]]
    same = tables.sum(axis=2)[:, 0] != tables.sum(axis=2)[:, 1]
    assert (in_order(tables)[same] == in_order(turned)[same]).all()
