"""P-values in C are those that integers give, at every scale, as logarithms too; a wrong header is seen."""

from __future__ import annotations

import importlib
import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice, product
from math import comb
from pathlib import Path
from typing import Any

import pytest

from c_library import Library, Table, corrupted
from splitcrit.export import pvalue_routines
from splitcrit.export.moments import LARGEST, wide
from splitcrit.nulls import gini_pvalue, selected_pvalue

UNIT = 2.0**-53
WITHIN = 2.2e-16  # 31 digits rounded once, and a last unit for what is left out
STATISTICS = ("sgini", "gini", "pairwise_gain")
# The log of 2 (500!)^2 / 1000!, a p-value of about 1e-299 where every digit of the logarithm is asked for.
SEPARATED = math.log(2) - math.log(comb(1000, 500))


def tail(table: Table) -> Fraction:
    """The probability of a gain at least that of a 2 x 2 table, by counting."""
    (p, q), (u, v) = table
    n, a, b = p + q + u + v, p + q, p + u
    ways = {x: comb(b, x) * comb(n - b, a - x) for x in range(max(0, a + b - n), min(a, b) + 1)}
    return Fraction(sum(w for x, w in ways.items() if abs(n * x - a * b) >= abs(n * p - a * b)), sum(ways.values()))


def two_by_two(rng: random.Random) -> Iterator[Table]:
    while True:
        scale = 10 ** rng.uniform(0, 3.3)
        table = [[rng.randint(0, int(scale * rng.random()) + 1) for _ in range(2)] for _ in range(2)]
        if sum(map(sum, table)):
            yield table


def ordered(rng: random.Random) -> Iterator[Table]:
    """Tables of two classes and up to twelve values: ties, empty rows, one class, few and many observations."""
    while True:
        most = rng.choice((1, 1, 2, 5, 20))
        table = [[rng.randint(0, most) for _ in range(2)] for _ in range(rng.randint(1, 12))]
        if sum(map(sum, table)):
            yield table


def error(found: float, wanted: Fraction) -> float:
    return abs(float(Fraction(found) / wanted - 1))


def logarithm(x: Fraction) -> float:
    if x > Fraction(1, 2):
        return math.log1p(float(x - 1))
    return math.log(x) if x > Fraction(1, 10**300) else math.log(x.numerator) - math.log(x.denominator)


def test_the_pvalue_of_two_rows_is_that_of_counting(in_c: Library) -> None:
    small = [[[p, q], [u, v]] for p, q, u, v in product(range(4), repeat=4) if p + q + u + v]
    for table in [*small, *islice(two_by_two(random.Random(11)), 400)]:
        wanted = tail(table)
        if wanted > Fraction(1, 10**300):
            assert error(in_c.pvalue(table), wanted) < WITHIN, table
        assert in_c.pvalue(table, log_p=True) == pytest.approx(logarithm(wanted), rel=1e-14, abs=1e-15), table


def test_a_pvalue_too_small_for_a_double_keeps_its_logarithm(in_c: Library) -> None:
    for half in (500, 1000, 30_000):
        table = [[half, 0], [0, half]]
        log = math.log(2) - math.log(comb(2 * half, half))
        assert in_c.pvalue(table) == pytest.approx(math.exp(log), rel=1e-12)
        assert in_c.pvalue(table, log_p=True) == pytest.approx(log, rel=1e-15)
    assert gini_pvalue([[1000, 0], [0, 1000]]).log_value == pytest.approx(in_c.pvalue([[1000, 0], [0, 1000]], True))


def test_a_law_of_a_billion_observations_is_symmetric_and_near_the_normal_one(in_c: Library) -> None:
    n, apart = 4 * 250_000_000, 100_000
    table = [[n // 4 - apart, n // 4 + apart], [n // 4 + apart, n // 4 - apart]]
    z = 4 * (apart - 0.5) / n**0.5  # the standard deviation of a cell is sqrt(n) / 4
    assert in_c.pvalue(table) == pytest.approx(math.erfc(z / 2**0.5), rel=1e-5)
    assert in_c.pvalue(table) == in_c.pvalue(table[::-1])


def test_the_pvalue_of_the_best_cut_is_that_of_counting_paths(in_c: Library) -> None:
    rng, largest = random.Random(12), 0.0
    for table in islice(ordered(rng), 350):
        which, least = rng.randrange(3), rng.choice((0, 1, 1, 2, 5))
        wanted = selected_pvalue(table, statistic=STATISTICS[which], min_leaf=max(least, 1), method="exact")
        (found, rows), n = in_c.selected(table, least, which), sum(map(sum, table))
        assert sum(map(sum, table[:rows])) == wanted.cut, (table, which)
        assert error(found, wanted.value) < 3 * n * UNIT + WITHIN, (table, which)
        largest = max(largest, error(found, wanted.value) / UNIT)
    assert 1 < largest < 30  # what a thousand observations would be allowed is not needed


def test_the_pvalue_of_the_best_of_many_cuts_keeps_its_digits(in_c: Library) -> None:
    for n, ones, shift in ((300, 100, 0), (400, 30, 60), (400, 200, 150)):
        rng = random.Random(n + shift)
        order = sorted(range(n), key=lambda i: rng.random() * (n - shift) + (shift if i < ones else 0))
        table = [[int(i < ones), int(i >= ones)] for i in order]
        wanted = selected_pvalue(table, method="exact").value
        assert error(in_c.selected(table)[0], wanted) < 3 * n * UNIT, (n, shift)
        assert in_c.selected(table, log_p=True)[0] == pytest.approx(logarithm(wanted), rel=1e-13)


def test_the_best_cut_of_separated_classes_has_two_paths(in_c: Library) -> None:
    assert in_c.selected([[500, 0], [0, 500]], log_p=True)[0] == pytest.approx(SEPARATED, rel=1e-15)
    found, rows = in_c.selected([[1, 0]] * 500 + [[0, 1]] * 500, log_p=True)
    assert found == pytest.approx(SEPARATED, rel=1e-14) and rows == 500
    assert in_c.selected([[1, 0]] * 1000 + [[0, 1]] * 1000)[0] == 0.0


def test_larger_features_agree_with_python(in_c: Library) -> None:
    rng = random.Random(13)
    for n in (1000, 3000):
        table = [[1, 0] if rng.random() < 0.3 + 0.1 * i / n else [0, 1] for i in range(n)]
        assert in_c.selected(table)[0] == pytest.approx(float(selected_pvalue(table)), rel=1e-12)


def test_where_nothing_is_chosen_or_can_vary_the_pvalue_is_1(in_c: Library) -> None:
    for table in ([[3, 0], [5, 0]], [[3, 4]], [[0, 0]], [[0, 0], [2, 3]]):
        assert in_c.selected(table) == (1.0, 0) and in_c.selected(table, log_p=True) == (0.0, 0)
    assert in_c.selected([[1, 1]] * 5, min_leaf=6) == (1.0, 0)
    for pair in ([[3, 0], [5, 0]], [[0, 0], [2, 3]], [[0, 0], [0, 0]]):
        assert (in_c.pvalue(pair), in_c.pvalue(pair, log_p=True)) == (1.0, 0.0)


@pytest.mark.parametrize("table", [[[1, -1], [1, 1]], [[LARGEST, 0], [0, 1]], [[2**62, 2**62], [2**62, 2**62]]])
def test_what_is_no_table_of_counts_gives_nan(table: Table, in_c: Library) -> None:
    assert math.isnan(in_c.pvalue(table)) and math.isnan(in_c.pvalue(table, log_p=True))
    found, rows = in_c.selected(table)
    assert math.isnan(found) and rows == -1


@pytest.mark.parametrize("given", [{"statistic": 3}, {"statistic": -1}, {"min_leaf": -1}, {"r": 0}])
def test_what_cannot_be_asked_gives_nan(given: dict[str, int], in_c: Library) -> None:
    found, rows = in_c.selected([[1, 2], [2, 1]], **given)
    assert math.isnan(found) and rows == -1


def test_the_routines_run_in_python_as_they_stand(in_c: Library) -> None:
    assert pvalue_routines.gini_pvalue([3, 0, 1, 6], 0) == float(tail([[3, 0], [1, 6]]))
    table, room = [2, 0, 1, 1, 0, 3], [0.0] * 6
    found = pvalue_routines.selected_pvalue(table, 3, 1, 0, 0, room, [0, 0])
    assert found == pytest.approx(float(selected_pvalue([[2, 0], [1, 1], [0, 3]])), rel=1e-14)
    assert pvalue_routines.best_cut(table, 3, 1, 0, [0, 0]) == 1 == in_c.selected([[2, 0], [1, 1], [0, 3]])[1]


@pytest.mark.slow
def test_compiled_code_can_call_the_routines() -> None:
    numba, np = pytest.importorskip("numba"), pytest.importorskip("numpy")
    importlib.import_module("splitcrit.export.overloads")

    @numba.njit
    def found(table: Any, feature: Any) -> Any:
        chances, work = np.empty(len(feature)), np.empty(2, np.int64)
        best = pvalue_routines.selected_pvalue(feature, len(feature) // 2, 1, 0, 0, chances, work)
        return pvalue_routines.gini_pvalue(table, 0), best

    table, feature = [[5, 1], [1, 6]], [[1, 0], [2, 1], [2, 0], [1, 3], [0, 3]]
    wanted = [float(tail(table)), float(selected_pvalue(feature))]
    assert found(np.ravel(table), np.ravel(feature)) == pytest.approx(wanted, rel=1e-15)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("((((n - good) - draws) + y) + 1)", "(((n - good) - draws) + y)"),
        (">= distance)", "> distance)"),
        pytest.param("((m - n) + ones)) ? left", "((m - n) + ones)) ? (left + 1)", marks=pytest.mark.slow),
        pytest.param("splitcrit_wide(1e-24)", "splitcrit_wide(-1e-24)", marks=pytest.mark.slow),
        pytest.param("0.0) || (apart < -1.5)", "0.0) && (apart < -1.5)", marks=pytest.mark.slow),
        ("chances[(at + 1)] = 0.0;", ""),
        pytest.param("return (d < 0) ||", "return (d > 0) ||", marks=pytest.mark.slow),
    ],
)
def test_a_wrong_pvalue_is_seen(right: str, wrong: str, tmp_path: Path) -> None:
    library = corrupted(tmp_path, right, wrong)
    checks = (
        test_the_best_cut_of_separated_classes_has_two_paths,
        test_the_pvalue_of_the_best_of_many_cuts_keeps_its_digits,
        test_the_pvalue_of_two_rows_is_that_of_counting,
        test_the_pvalue_of_the_best_cut_is_that_of_counting_paths,
    )
    assert any(fails(check, library) for check in checks)


def fails(check: Callable[[Library], None], library: Library) -> bool:
    try:
        check(library)
    except (AssertionError, ValueError):  # NaN is no ratio
        return True
    return False


@pytest.mark.parametrize("log_p", [0, 1])
def test_a_probability_is_at_most_1_as_is_its_logarithm(log_p: int) -> None:
    """Rounding may sum parts to a little more."""
    for t in (1.0, 1 + 2**-52, 1.0000001):
        most = pvalue_routines.probability(wide(t), wide(0.0), log_p)
        assert math.copysign(1.0, most) == 1.0
        assert most == 1 - log_p
    assert pvalue_routines.probability(wide(0.5), wide(0.0), log_p) == (math.log(0.5) if log_p else 0.5)
