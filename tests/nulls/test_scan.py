"""The scan over thresholds against SGini of each table, scored in integers."""

import math
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import isqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import gain, moments, partitions, table_law, tables
from refusals import refused
from splitcrit import agini, gini_null, replace, sgini, sgini_scan
from splitcrit.arith import EXACT, FLOAT, Irrational
from splitcrit.criteria import Criterion
from splitcrit.nulls.extremes import EXTREMES, Bar, inside
from splitcrit.nulls.scan import SAFE_CUBE, _excess, _running
from splitcrit.proof import BALL


def left_and_right(codes, place, k):
    left = np.bincount(codes[: place + 1], minlength=k)
    return [left.tolist(), (np.bincount(codes, minlength=k) - left).tolist()]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=60))
def test_every_threshold_is_the_score_of_its_table(codes):
    found = sgini_scan(codes)
    assert found.shape == (len(codes) - 1,)
    for place, score in enumerate(found):
        truth = sgini(left_and_right(codes, place, 4))
        assert score == pytest.approx(truth, rel=1e-12, abs=1e-13)
        assert (score == 0) == (truth == 0)


def node(kind, n, rng):
    if kind == "one":
        codes = np.zeros(n, int)
        codes[n // 3] = 1
    elif kind == "thin":
        codes = np.zeros(n, int)
        codes[rng.choice(n, 3, replace=False)] = [1, 1, 2]
    elif kind == "even":
        codes = rng.permutation(np.arange(n) % 2)
    elif kind == "split":
        codes = (np.arange(n) > n // 3).astype(int)
    else:
        codes = rng.integers(0, 10, n)
    return codes


@pytest.mark.each_value
@pytest.mark.parametrize("kind", ["one", "thin", "even", "split", "random"])
@pytest.mark.parametrize("n", [1000, 10**5, 10**6, 2_097_151])
def test_large_nodes(kind, n):
    rng = np.random.default_rng(n)
    codes = node(kind, n, rng)
    found = sgini_scan(codes)
    assert np.isfinite(found).all()
    for place in {0, 1, n // 3 - 1, n // 3, n // 2 - 1, n // 2, n - 3, n - 2, *rng.integers(0, n - 1, 10).tolist()}:
        truth = sgini(left_and_right(codes, place, 10))
        assert found[place] == pytest.approx(truth, rel=1e-12, abs=1e-12)


@pytest.mark.slow
def test_a_node_beyond_int64():
    n = 2_200_000
    codes = node("thin", n, np.random.default_rng(0))
    found = sgini_scan(codes)
    for place in (0, 5, n // 2, n - 2):
        assert found[place] == pytest.approx(sgini(left_and_right(codes, place, 3)), rel=1e-12)


def test_python_integers_and_limbs_agree(monkeypatch):
    codes = np.random.default_rng(1).integers(0, 300, 5000)
    limbs = sgini_scan(codes)
    monkeypatch.setattr("splitcrit.nulls.scan.SAFE_CUBE", 0)
    assert sgini_scan(codes).tolist() == limbs.tolist()


@pytest.mark.parametrize("kind", ["one", "thin", "even", "split", "random"])
def test_numerators_are_rounded_once(kind):
    rng = np.random.default_rng(2)
    codes = node(kind, SAFE_CUBE, rng)
    columns, places = np.bincount(codes), rng.integers(0, SAFE_CUBE - 1, 2000)
    sums = [side[places] for side in _running(codes, columns, np.int64)]
    limbs = _excess(places + 1, *sums, columns, SAFE_CUBE)
    python = _excess(*((side.astype(object)) for side in (places + 1, *sums)), columns, SAFE_CUBE)
    assert [side.tolist() for side in limbs] == [side.tolist() for side in python]


def test_thresholds_between_equal_values_are_left_out():
    codes, values = [0, 1, 1, 0, 2], [1.0, 1.0, 2.0, 2.0, 3.0]
    found, every = sgini_scan(codes, 3, values=values), sgini_scan(codes)
    assert np.isneginf(found).tolist() == [True, False, True, False]
    assert found[[1, 3]].tolist() == every[[1, 3]].tolist()
    assert sgini_scan([0], values=[2]).shape == (0,)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (dict(codes=[0, -1]), "class codes must be non-negative"),
        (dict(codes=[0, 0.5]), "class codes must be integers"),
        (dict(codes=[]), "class codes need at least one entry"),
        (dict(codes=[[0, 1]]), "class codes must be a vector"),
        (dict(codes=[0, 2], n_classes=2), "class codes must be below n_classes"),
        (dict(codes=[0, 1], values=[1.0]), "values and class codes must have one length"),
        (dict(codes=[0, 1], values=[2.0, 1.0]), "values must be sorted and present"),
        (dict(codes=[0, 1], values=[float("nan"), 1.0]), "values must be sorted and present"),
    ],
)
def test_bad_input_is_named(arguments, sentence):
    refused(sentence, sgini_scan, **arguments)


# The bounds of lower scores against a comparison of every table in integers.

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


# SGini and AGini as criteria: their formulas agree with the scores of counts, float with exact, and refuse weights.


def small_tables() -> list[list[list[int]]]:
    """Every table of positive margins with up to 6 observations."""
    sides = [list(partitions(n)) for n in range(1, 7)]
    return [[list(row) for row in t] for parts in sides for a in parts for b in parts for t, _ in tables(a, b)]


def test_formulas_agree_with_scores_of_counts() -> None:
    assert isinstance(sgini, Criterion) and isinstance(agini, Criterion)
    tables = small_tables()[::9]
    assert len(tables) > 130
    for table in tables:
        given = sgini.score(np.array(table, float), FLOAT)
        assert math.isclose(given, sgini(table), rel_tol=1e-12, abs_tol=1e-12)
        a, b = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
        if gini_null(a, b, exact=True).variance == 0:
            assert given == 0, table
        assert math.isclose(agini.score(np.array(table, float), FLOAT), agini(table), rel_tol=1e-9, abs_tol=1e-13)


def test_enclosures_contain_the_float_score() -> None:
    for table in small_tables()[::37]:
        exact = [[Fraction(x) for x in row] for row in table]
        for criterion in (sgini, agini, replace(agini, model="permutation", alpha=Fraction(1, 5))):
            assert math.isclose(float(str(criterion.score(exact, BALL))), criterion(table), rel_tol=1e-9, abs_tol=1e-12)


def test_exact_scores_are_rational_or_refused() -> None:
    assert sgini.exact([[5, 0], [1, 0]]) == 0
    with pytest.raises(Irrational):
        sgini.exact([[3, 0], [1, 6]])
    refused("got a fractional count", sgini.score, [[Fraction(1, 2), Fraction(1)], [Fraction(1), Fraction(1)]], EXACT)


def test_formulas_score_batches_of_splits() -> None:
    rng = np.random.default_rng(3)
    left, right = rng.integers(0, 50, (3, 200)), rng.integers(0, 50, (3, 200))
    batch = sgini.score((left, right), FLOAT)
    assert np.allclose(batch, sgini(np.moveaxis(np.stack([left, right]), -1, 0)), rtol=1e-10, atol=1e-10)
