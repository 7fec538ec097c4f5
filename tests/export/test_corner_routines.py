"""Moments of sums over the classes of two rows, in C: those of enumeration, of Python's corner formula and of Gini."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product
from math import comb, prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from c_library import Library, corrupted
from splitcrit import entropy
from splitcrit.export import corner_routines
from splitcrit.export.moments import LARGEST
from splitcrit.nulls import gini_null, null_moments
from splitcrit.nulls.corner import CellSums

LARGE = (([30, 70], [50, 30, 20]), ([200, 300], [100, 150, 250]), ([300, 300], [100] * 6), ([1, 2999], [2000, 0, 1000]))


def enumerated(cells: list[list[Fraction]], columns: list[int], m: int) -> tuple[Fraction, Fraction]:
    """Mean and variance over all ways to lay m observations to the left."""
    law: dict[Fraction, int] = {}
    for left in product(*(range(b + 1) for b in columns)):
        if sum(left) == m:
            score = sum((values[y] for values, y in zip(cells, left, strict=True)), Fraction(0))
            law[score] = law.get(score, 0) + prod(map(comb, columns, left))
    total = sum(law.values())
    mean = sum((s * w for s, w in law.items()), Fraction(0)) / total
    return mean, sum(((s - mean) ** 2 * w for s, w in law.items()), Fraction(0)) / total


def flat(cells: list[list[Fraction]]) -> list[float]:
    return [float(x) for values in cells for x in values]


def test_moments_of_any_functions_are_those_of_enumeration(in_c: Library) -> None:
    rng = random.Random(21)
    for _ in range(200):
        columns = [rng.randint(0, 4) for _ in range(rng.randint(1, 4))]
        m = rng.randint(0, sum(columns))
        cells = [[Fraction(rng.randint(-9, 9), 8) for _ in range(b + 1)] for b in columns]
        mean, variance = enumerated(cells, columns, m)
        assert in_c.of_cells("mean", flat(cells), columns, m) == pytest.approx(float(mean), rel=1e-15, abs=1e-25)
        found = in_c.of_cells("variance", flat(cells), columns, m)
        assert found == pytest.approx(float(variance), rel=1e-15, abs=1e-25)


def test_what_all_tables_share_is_no_variance_and_costs_no_digits(in_c: Library) -> None:
    """The counts sum to m, whatever the labels: straight lines of one slope are constant, however steep."""
    columns, m = [40, 60, 20], 50
    steep = [1e12 * y for b in columns for y in range(b + 1)]
    assert in_c.of_cells("variance", steep, columns, m) < 1.0
    small = [2.0**20 * y + (y - 9) ** 2 for b in columns for y in range(b + 1)]  # exact in a double
    apart = [float((y - 9) ** 2) for b in columns for y in range(b + 1)]
    found, wanted = (in_c.of_cells("variance", values, columns, m) for values in (small, apart))
    assert found == pytest.approx(wanted, rel=1e-14)


@pytest.mark.parametrize(("rows", "columns"), LARGE)
def test_the_information_gain_has_the_moments_that_python_gives(
    in_c: Library, rows: list[int], columns: list[int]
) -> None:
    law, values = null_moments(entropy, rows, columns), in_c.entropy_cells(columns, rows[0])
    assert values is not None
    assert in_c.of_cells("mean", values, columns, rows[0]) == pytest.approx(law.mean, rel=1e-11)
    assert in_c.of_cells("variance", values, columns, rows[0]) == pytest.approx(law.variance, rel=1e-11)


def test_sums_of_squares_have_the_moments_of_gini(in_c: Library) -> None:
    for (m, rest), columns in LARGE:
        n = m + rest
        cells = [[Fraction(y * y, m * n) + Fraction((b - y) ** 2, rest * n) for y in range(b + 1)] for b in columns]
        law = gini_null([m, rest], columns, exact=True)
        apart = law.mean + Fraction(sum(b * b for b in columns), n * n)  # the gain is less than the sum by a constant
        assert in_c.of_cells("mean", flat(cells), columns, m) == pytest.approx(float(apart), rel=1e-15)
        assert in_c.of_cells("variance", flat(cells), columns, m) == pytest.approx(float(law.variance), rel=1e-9)


def test_the_variance_is_that_of_corners_in_fractions(in_c: Library) -> None:
    rng = random.Random(22)
    for columns, m in (([7, 12, 4], 10), ([20, 3], 4), ([5, 5, 5, 9], 13)):
        n = sum(columns)
        cells: Any = [[Fraction(rng.randint(0, 64), 16) for _ in range(b + 1)] for b in columns]
        low = [max(0, m + b - n) for b in columns]
        row = [np.array(cells[j][low[j] : min(m, b) + 1], dtype=object) for j, b in enumerate(columns)]
        zero = [np.array([Fraction(0)] * (min(n - m, b) - max(0, n - m + b - n) + 1), dtype=object) for b in columns]
        found = CellSums([m, n - m], columns, [[row, zero]], exact=True)
        assert in_c.of_cells("variance", flat(cells), columns, m) == pytest.approx(float(found.covariance()), rel=1e-15)
        assert in_c.of_cells("mean", flat(cells), columns, m) == pytest.approx(float(found.mean()), rel=1e-15)


def test_the_values_of_entropy_are_the_gain_of_every_table(in_c: Library) -> None:
    columns, m = [3, 2, 4], 4
    values = in_c.entropy_cells(columns, m)
    assert values is not None
    starts = [0, 4, 7]
    for left in product(range(4), range(3), range(5)):
        if sum(left) == m:
            table = [list(left), [b - y for b, y in zip(columns, left, strict=True)]]
            found = sum(values[start + y] for start, y in zip(starts, left, strict=True))
            n = sum(columns)
            cells = [(x, sum(row), b) for row in table for x, b in zip(row, columns, strict=True) if x]
            wanted = sum(x / n * math.log(x * n / (a * b)) for x, a, b in cells)
            assert found == pytest.approx(wanted, abs=1e-15)


def test_sides_without_observations_have_a_gain_of_0(in_c: Library) -> None:
    for columns, m in (([3, 2], 0), ([3, 2], 5), ([0, 0], 0), ([4], 2)):
        values = in_c.entropy_cells(columns, m)
        assert values is not None and in_c.of_cells("variance", values, columns, m) == 0.0
        assert in_c.of_cells("mean", values, columns, m) == pytest.approx(0.0, abs=1e-16)


@pytest.mark.parametrize(("columns", "m"), [([3, -1], 1), ([], 0), ([3, 2], 6), ([3, 2], -1), ([LARGEST, 1], 1)])
def test_what_are_no_totals_give_nan_and_a_status(columns: list[int], m: int, in_c: Library) -> None:
    if sum(columns) < 100:
        assert in_c.entropy_cells(columns, m) is None
    for name in ("mean", "variance"):
        assert math.isnan(in_c.of_cells(name, [0.0] * 9, columns, m))


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
def test_a_value_that_is_not_finite_gives_nan(odd: float, in_c: Library) -> None:
    for name in ("mean", "variance"):
        assert math.isnan(in_c.of_cells(name, [0.0, 1.0, odd, 0.0, 2.0], [2, 1], 2))


def test_the_routines_run_in_python_as_they_stand() -> None:
    values = [0.0, 1.0, 4.0, 0.0, 1.0]
    mean, variance = enumerated([[Fraction(0), Fraction(1), Fraction(4)], [Fraction(0), Fraction(1)]], [2, 1], 2)
    assert corner_routines.cell_mean(values, [2, 1], 2, 2) == float(mean)
    assert corner_routines.cell_variance(values, [2, 1], 2, 2) == float(variance)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("splitcrit_mean_of_cells(values, columns, k, (n - columns[j]), (m - y), j)",
         "splitcrit_mean_of_cells(values, columns, k, n, (m - y), j)"),
        ("if (i != without) {", "if (i <= without) {"),
        pytest.param("place = (place + (columns[i] + 1));", "place = (place + columns[i]);", marks=pytest.mark.slow),
        pytest.param("(m + 1)) / (n + 2))", "(m + 1)) / (n + 2) / 4)", marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_a_wrong_corner_is_seen(right: str, wrong: str, tmp_path: Path) -> None:
    library = corrupted(tmp_path, right, wrong)
    with pytest.raises(AssertionError):
        test_moments_of_any_functions_are_those_of_enumeration(library)
        test_the_information_gain_has_the_moments_that_python_gives(library, *LARGE[1])
