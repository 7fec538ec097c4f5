"""The corner formula against every table with given margins, in Fractions; its floats against Fractions."""

import random
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

import cell_sums
from splitcrit.nulls import corner
from splitcrit.nulls.permutation import exact_mean, exact_variance

Totals = tuple[int, ...]


def cells_of(rows: Any, columns: Any, g: cell_sums.Cell, exact: bool = True) -> list[list[Any]]:
    """The values of a cell function over the windows of all cells."""
    n = sum(rows)

    def values(a: int, b: int) -> Any:
        first, last = corner.window(n, a, b, exact)
        each = [g(x, a, b) for x in range(first, last + 1)]
        return np.array(each, dtype=object) if exact else np.array([float(x) for x in each])

    known = {(a, b): values(a, b) for a in set(rows) for b in set(columns)}
    return [[known[a, b] for b in columns] for a in rows]


def random_margins(source: random.Random) -> tuple[Totals, Totals]:
    n = source.randint(2, 9)
    a, b = (tuple(filter(None, cell_sums.margins(source, source.randint(1, 5), n))) for _ in range(2))
    return a, b


@pytest.mark.parametrize("name", cell_sums.CELLS)
def test_mean_and_variance_are_those_of_all_tables(name: str) -> None:
    source, g = random.Random(name), cell_sums.CELLS[name]
    for _ in range(15):
        a, b = random_margins(source)
        found = corner.CellSums(a, b, [cells_of(a, b, g)], exact=True)
        assert (found.mean(), found.covariance()) == cell_sums.moments(a, b, g), (a, b)


def test_the_covariance_of_two_sums_is_that_of_all_tables() -> None:
    source = random.Random(2)
    for _ in range(40):
        (a, b), names = random_margins(source), source.choices(list(cell_sums.CELLS), k=2)
        g, h = (cell_sums.CELLS[name] for name in names)
        found = corner.CellSums(a, b, [cells_of(a, b, g), cells_of(a, b, h)], exact=True)
        truth = cell_sums.covariance(a, b, g, h)
        assert found.covariance(0, 1) == found.covariance(1, 0) == truth, (a, b, names)
        assert [found.mean(s) for s in (0, 1)] == [cell_sums.moments(a, b, cell)[0] for cell in (g, h)]


def test_cells_of_equal_margins_may_have_other_functions() -> None:
    """What is taken once is equal in totals and in functions, of both sums."""
    a = b = (2, 2, 2)
    source = random.Random(5)
    sums = [
        [[np.array([Fraction(source.randint(-3, 3)) for _ in range(3)], dtype=object) for _ in b] for _ in a]
        for _ in "gh"
    ]
    every = cell_sums.tables(a, b)
    cells = [(i, j) for i in range(3) for j in range(3)]
    values = [[sum(each[i][j][table[i][j]] for i, j in cells) for table, _ in every] for each in sums]
    means = [sum(p * s for s, (_, p) in zip(each, every, strict=True)) for each in values]
    truth = sum(p * s * t for s, t, (_, p) in zip(*values, every, strict=True)) - means[0] * means[1]
    found = corner.CellSums(a, b, sums, exact=True)
    assert found.covariance(0, 1) == truth and [found.mean(0), found.mean(1)] == means


LARGE = [
    ((3000, 7000), (5000, 5000)),
    ((5000, 5001, 9999), (10000, 7000, 3000)),
    ((10000, 10000, 10000), (10000, 9999, 10001)),
    ((200,) * 5, (100,) * 10),
    ((1, 9999), (4999, 5001)),
    ((7, 93, 900, 9000), (2, 3, 5, 9990)),
    ((6182, 2038), (32, 1508, 1123, 5557)),  # totals of which few share laws
    ((283, 375, 3282), (499, 2762, 679)),
]


@pytest.mark.parametrize(("a", "b"), LARGE)
def test_floats_of_large_margins_agree_with_fractions(a: Totals, b: Totals) -> None:
    """Of Gini's function, whose moments have a formula in Fractions; centred, so that the function itself is exact."""
    n = sum(a)
    found = corner.CellSums(a, b, [cells_of(a, b, lambda x, r, c: Fraction((n * x - r * c) ** 2, r * n**3), False)])
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        variance = found.covariance()
    assert found.mean() == pytest.approx(float(exact_mean(list(a), list(b))), rel=1e-12)
    assert variance == pytest.approx(float(exact_variance(list(a), list(b))), rel=1e-10, abs=0)


@pytest.mark.parametrize("name", cell_sums.CELLS)
def test_floats_agree_with_fractions(name: str) -> None:
    g = cell_sums.CELLS[name]
    for a, b in (((18, 12, 6), (15, 21)), ((8, 8, 9), (6, 19)), ((40, 60), (51, 49))):
        exact, found = (corner.CellSums(a, b, [cells_of(a, b, g, e)], e) for e in (True, False))
        scale = max(abs(float(v)) for row in cells_of(a, b, g, False) for v in row[0]) * len(a) * len(b)
        assert found.mean() == pytest.approx(float(exact.mean()), abs=1e-12 * scale)
        assert found.covariance() == pytest.approx(float(exact.covariance()), rel=1e-10, abs=1e-22 * scale**2)


def test_what_is_cut_has_less_than_the_stated_chance() -> None:
    for n, a, b in ((3000, 500, 700), (4000, 3900, 300), (3000, 1500, 1500), (2000, 3, 1000), (500, 250, 2)):
        first, last = corner.window(n, a, b, exact=False)
        low, high = corner.window(n, a, b, exact=True)
        left_out = sum(comb(b, x) * comb(n - b, a - x) for x in range(low, high + 1) if not first <= x <= last)
        assert Fraction(left_out, comb(n, a)) < Fraction(1, 10**30)
        assert (first, last) != (low, high) or high - low < 100


def test_expectations_are_those_of_hypergeometric_counts() -> None:
    """Of a function of the count of another column, given that of a corner; windows at either end of what may be."""
    n, a, b, values = 700, 130, np.array([120, 80, 500]), np.log1p(np.arange(131.0))
    first, last = corner.window(n, np.array([[a], [n - a]]), b, exact=True)
    rest = np.zeros((2, 3, int((last - first).max()) + 1))
    rest[0, 1, : last[0, 1] - first[0, 1] + 1] = values[: last[0, 1] + 1]
    both = np.array([a, n - a])
    found = corner.expectations(n, both, b, np.ones(3, np.int64), first, last, rest, 1.0, False)
    # of 130 of the row of the first column, of the others 130 - y of 580, 80 of these good
    for y in (0, 1, 22, 100, 120):
        ways = {x: comb(80, x) * comb(500, a - y - x) for x in range(min(80, a - y) + 1)}
        truth = sum(Fraction(w, sum(ways.values())) * Fraction(values[x]) for x, w in ways.items())
        assert found[0, 0, y] == pytest.approx(float(truth), rel=1e-13)
    assert (found[1] == 0).all() and (found[0, 1] == 0).all()
