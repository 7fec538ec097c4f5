"""The law of lattice paths against lists of paths, Fractions, closed forms and digits of a recursion in integers."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, exp, inf, isqrt, log

import numpy as np
import pytest

from nulls import leaving_digits
from splitcrit.nulls import lattice
from splitcrit.nulls.hypergeometric import remainders
from splitcrit.nulls.lattice import by_arrays, chance_of_leaving, surprise_of_leaving

Law = Callable[[int, int, np.ndarray, np.ndarray], float]


def plain(n: int, ones: int, lower: np.ndarray, upper: np.ndarray) -> float:
    """The law as it is without numba."""
    return by_arrays(n, ones, lower, upper, remainders(n))


LAWS = pytest.mark.parametrize("law", [surprise_of_leaving, plain], ids=["compiled", "by arrays"])


def symmetric(n: int, ones: int, reach: Callable[[int], int]) -> tuple[np.ndarray, np.ndarray]:
    """The bounds ``|n x - m ones| <= reach(m)`` for all ``0 < m < n``, in integers."""
    lower, upper = np.zeros(n + 1, np.int64), np.full(n + 1, n)
    for m in range(1, n):
        lower[m], upper[m] = -((reach(m) - m * ones) // n), (m * ones + reach(m)) // n
    return lower, upper


@LAWS
def test_any_bounds_against_all_paths(law: Law) -> None:
    rng = np.random.default_rng(4)
    for n, ones in ((2, 1), (3, 1), (5, 2), (6, 3), (7, 6), (8, 3)):
        paths = [np.cumsum([0, *(i in places for i in range(n))]) for places in combinations(range(n), ones)]
        for _ in range(30):
            lower, upper = np.zeros(n + 1, np.int64), np.full(n + 1, n)
            for m in np.flatnonzero(rng.random(n) < rng.random())[1:]:
                lower[m], upper[m] = rng.integers(-1, ones + 2), rng.integers(-1, n + 1)
            left = sum(bool(((p < lower) | (p > upper))[1:n].any()) for p in paths)
            assert chance_of_leaving(n, ones, lower, upper) == Fraction(left, len(paths))
            found = law(n, ones, lower, upper)
            assert found == inf if not left else exp(-found) == pytest.approx(left / len(paths), rel=1e-14)


@cache
def near(n: int, ones: int, surprise: float) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of one ``|d|`` for all cuts, whose probability is near ``exp(-surprise)``."""
    low, high = 0, n * n
    while high - low > 1:
        middle = (low + high) // 2
        if surprise_of_leaving(n, ones, *symmetric(n, ones, lambda m: middle)) < surprise:  # noqa: B023
            low = middle
        else:
            high = middle
    return symmetric(n, ones, lambda m: low)


@LAWS
@pytest.mark.parametrize(("n", "ones"), [(20, 7), (200, 80), (200, 100)])
@pytest.mark.parametrize("p", [0.5, 1e-6, 1e-30])
def test_twelve_digits_up_to_two_hundred_observations(law: Law, n: int, ones: int, p: float) -> None:
    bounds = near(n, ones, -log(p))
    exact = chance_of_leaving(n, ones, *bounds)
    if exact:
        assert abs(Fraction(exp(-law(n, ones, *bounds))) / exact - 1) < 1e-12


@LAWS
@pytest.mark.parametrize("p", [1e-50, 1e-100])
def test_twelve_digits_of_small_probabilities(law: Law, p: float) -> None:
    """C(200, 80) is below 1e58: a longer, still exact, order of labels attains them."""
    n, ones = 600, 240
    bounds = near(n, ones, -log(p))
    exact = chance_of_leaving(n, ones, *bounds)
    assert 1e-3 * p < exact < 1e3 * p
    assert abs(Fraction(exp(-law(n, ones, *bounds))) / exact - 1) < 1e-12


def reflected(half: int, reach: int) -> Fraction:
    """The chance that the two counts of equally frequent classes ever differ by ``reach``, by reflections."""
    ways = sum((-1) ** (j + 1) * comb(2 * half, half + j * reach) for j in range(1, half // reach + 1))
    return Fraction(2 * ways, comb(2 * half, half))


@pytest.mark.parametrize("reach", [3, 7, 12])
def test_reflections_count_paths(reach: int) -> None:
    half = 12
    assert chance_of_leaving(2 * half, half, *_differing(half, reach)) == reflected(half, reach)


def _differing(half: int, reach: int) -> tuple[np.ndarray, np.ndarray]:
    """The bounds ``|x - (m - x)| < reach``."""
    m = np.arange(2 * half + 1)
    return (m - reach) // 2 + 1, (m + reach + 1) // 2 - 1


@pytest.mark.parametrize("p", [0.5, 1e-6, 1e-100])
def test_nine_digits_at_a_hundred_thousand_observations(p: float) -> None:
    half = 50_000
    reach = round((-log(p / 2) * half) ** 0.5)
    logs = [_log_comb_share(half, j * reach) for j in range(1, 1 + min(half // reach, 60))]
    exact = sum(2 * (-1) ** j * share for j, share in enumerate(logs))
    assert 0.01 * p < exact < 100 * p
    found = surprise_of_leaving(2 * half, half, *_differing(half, reach))
    assert abs(Fraction(exp(-found)) / exact - 1) < 1e-9


def _log_comb_share(half: int, shift: int) -> Fraction:
    """``C(2 half, half + shift) / C(2 half, half)``, to 90 digits."""
    share, scale = 10**250, 10**250
    for i in range(1, shift + 1):
        share = share * (half - shift + i) // (half + i)
    return Fraction(share, scale)


@pytest.mark.parametrize("case", leaving_digits.DIGITS)
def test_unequal_classes_as_in_integers_of_many_digits(case: tuple[int, int, int]) -> None:
    n, ones, square = case
    found = surprise_of_leaving(n, ones, *symmetric(n, ones, lambda m: isqrt(square * m * (n - m) - 1)))
    assert abs(Fraction(exp(-found)) / Fraction(leaving_digits.DIGITS[case]) - 1) < 1e-10


def test_the_digits_are_what_their_script_prints() -> None:
    n, ones, square = 60, 24, 400
    lower, upper = symmetric(n, ones, lambda m: isqrt(square * m * (n - m) - 1))
    exact = chance_of_leaving(n, ones, lower, upper)
    assert abs(Fraction(leaving_digits.digits(n, ones, square)) / exact - 1) < Fraction(1, 10**58)
    assert set(leaving_digits.DIGITS) == set(leaving_digits.CASES)


def test_without_numba_arrays_are_looped_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattice, "_compiled", lambda: None)
    bounds = near(20, 7, 3.0)
    assert surprise_of_leaving(20, 7, *bounds) == plain(20, 7, *bounds)


def test_probabilities_below_every_float_are_the_same_in_both() -> None:
    n = 3000
    lower, upper = symmetric(n, n // 2, lambda m: n * n // 4 - 10 * n)
    compiled = surprise_of_leaving(n, n // 2, lower, upper)
    assert compiled > 1500
    assert compiled == pytest.approx(plain(n, n // 2, lower, upper), rel=1e-12)
