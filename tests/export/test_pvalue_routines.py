"""P-values in C are those that integers give, at every scale, as logarithms too; a wrong header is seen."""

import importlib
import math
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from math import comb, prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from c_library import Library, Table, corrupted
from splitcrit import entropy
from splitcrit.export import corner_routines, moments, pvalue_routines
from splitcrit.export.moments import LARGEST, wide
from splitcrit.nulls import gini_null, gini_pvalue, null_moments, selected_pvalue

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
    numba = pytest.importorskip("numba")
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
    with pytest.raises((AssertionError, ValueError)):  # NaN is no ratio
        test_the_best_cut_of_separated_classes_has_two_paths(library)
        test_the_pvalue_of_the_best_of_many_cuts_keeps_its_digits(library)
        test_the_pvalue_of_two_rows_is_that_of_counting(library)
        test_the_pvalue_of_the_best_cut_is_that_of_counting_paths(library)


@pytest.mark.parametrize("log_p", [0, 1])
def test_a_probability_is_at_most_1_as_is_its_logarithm(log_p: int) -> None:
    """Rounding may sum parts to a little more."""
    for t in (1.0, 1 + 2**-52, 1.0000001):
        most = pvalue_routines.probability(wide(t), wide(0.0), log_p)
        assert math.copysign(1.0, most) == 1.0
        assert most == 1 - log_p
    assert pvalue_routines.probability(wide(0.5), wide(0.0), log_p) == (math.log(0.5) if log_p else 0.5)


# The loops around scores, run as they stand, against the definition of SGini.


@pytest.mark.parametrize(
    ("cells", "r", "k"), [([1, -1, 1, 1], 2, 2), ([2**31, 0], 1, 2), ([2**31 - 1, 1], 2, 1), ([], 0, 2), ([], 2, 0)]
)
def test_what_is_no_table_gives_nan_and_sets_no_score(cells: list[int], r: int, k: int) -> None:
    found = [5.0]
    assert math.isnan(moments.sgini(cells, r, k, [7] * 9)) and moments.scan(cells, r, k, found, [7] * 9) == -1
    assert found == [5.0]


def test_numbers_that_agree_in_28_digits_are_equal() -> None:
    one, more = Fraction(1), 1 + Fraction(1, 10**29)
    assert moments.standard(more, one, one) == 0.0 < moments.standard(1 + Fraction(1, 10**15), one, one)
    assert moments.standard(Fraction(2), one, Fraction(0)) == 0.0


# Moments of sums over the classes of two rows, in C: those of enumeration, of Python's corner formula and of Gini.

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


def test_corners_run_in_python_as_they_stand() -> None:
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
