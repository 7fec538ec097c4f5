"""The float64 law of lattice paths against lists of paths, Fractions, closed forms and an older recursion."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, exp, factorial, inf, isclose, isqrt, lgamma, log

import numpy as np
import pytest

from nulls import leaving_digits
from splitcrit.nulls import paths, paths_compiled
from splitcrit.nulls.hypergeometric import log_chance, remainders
from splitcrit.nulls.paths import chance_of_leaving, crossings, region, surprise_of_leaving, tail

Law = Callable[[int, int, np.ndarray, np.ndarray], float]


def plain(n: int, ones: int, lower: np.ndarray, upper: np.ndarray) -> float:
    """The law as it is without numba."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paths, "_compiled", lambda: None)
        return surprise_of_leaving(n, ones, lower, upper)


def inside_loops(n: int, ones: int, lower: np.ndarray, upper: np.ndarray) -> float:
    """The law as compiled loops call it."""
    found: float = paths_compiled.leaving(n, ones, lower.copy(), upper.copy(), remainders(n))
    return found


LAWS = pytest.mark.parametrize("law", [surprise_of_leaving, plain, inside_loops])


def by_chances(n: int, ones: int, lower: np.ndarray, upper: np.ndarray) -> float:
    """An older recursion: the chance of having stayed inside, given where a path is."""
    logs, inside = [], {0: 1.0}
    for m in range(1, n):
        grown = {
            x: inside.get(x, 0.0) * (m - x) / m + inside.get(x - 1, 0.0) * x / m
            for x in range(max(min(inside), m - n + ones), min(max(inside) + 1, ones) + 1)
        }
        out = [(x, q) for x, q in grown.items() if not lower[m] <= x <= upper[m] and q]
        logs += [float(log_chance(n, ones, m, x, remainders(n))) + log(q) for x, q in out]
        inside = {x: q for x, q in grown.items() if lower[m] <= x <= upper[m]}
        if not inside:
            break
    return max(-float(np.logaddexp.reduce(logs)), 0.0) if logs else inf


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
@pytest.mark.parametrize("p", [1e-50, 1e-100])
def test_twelve_digits_of_small_probabilities(law: Law, p: float) -> None:
    """C(200, 80) is below 1e58: a longer, still exact, order of labels attains them."""
    n, ones = 600, 240
    bounds = near(n, ones, -log(p))
    exact = chance_of_leaving(n, ones, *bounds)
    assert 1e-3 * p < exact < 1e3 * p
    assert abs(Fraction(exp(-law(n, ones, *bounds))) / exact - 1) < 1e-12


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


def some_region(rng: np.random.Generator, n: int, ones: int) -> tuple[np.ndarray, np.ndarray]:
    """The bounds of one standardised distance at some or all cuts, as ties leave them, or of unrelated distances."""
    lower, upper = np.zeros(n + 1, np.int64), np.full(n + 1, n)
    cuts = np.arange(1, n) if rng.random() < 0.5 else np.unique(rng.integers(1, n, int(rng.integers(1, 9))))
    spread = np.sqrt(cuts * (n - cuts) * ones * (n - ones) / n**2 / max(n - 1, 1))
    reach = spread * rng.uniform(0.3, 8, len(cuts) if rng.random() < 0.3 else 1)
    lower[cuts], upper[cuts] = np.floor(cuts * ones / n - reach) + 1, np.ceil(cuts * ones / n + reach) - 1
    return lower, upper


@pytest.mark.parametrize("case", range(20))
def test_ten_random_regions_are_counted_as_in_integers_and_alike_with_and_without_numba(case: int) -> None:
    """A sum of positive numbers has n - 1 roundings of 2^-53 at most, logarithms of less than n log 2 some more."""
    rng = np.random.default_rng(case)
    for _ in range(10):
        n = int(rng.integers(2, 40 if case % 2 else 250))
        ones = int(rng.integers(1, n)) if n > 2 else 1
        bounds = some_region(rng, n, ones)
        exact = chance_of_leaving(n, ones, *bounds)
        found = surprise_of_leaving(n, ones, *bounds)
        assert found == plain(n, ones, *bounds)
        for each in (found, inside_loops(n, ones, *bounds)):
            if not exact:
                assert each == inf
            else:
                lost = log(exact.denominator) - log(exact.numerator) - each
                assert abs(lost) < 10 * n * 2.0**-53
        if exact:
            assert exact <= Fraction(exp(crossings(n, ones, *bounds))) * (1 + Fraction(1, 10**9))


@pytest.mark.parametrize("case", range(12))
def test_compiled_and_plain_walks_find_the_same_bits(case: int) -> None:
    rng = np.random.default_rng(case)
    n = (300, 3000, 20_000)[case % 3]
    ones = (n // 2, n // 50, 1, n - 3)[case % 4]
    bounds = some_region(rng, n, ones)
    for enough in (1.0, 0.1):
        with pytest.MonkeyPatch.context() as patch:
            found = tail(n, ones, *bounds, enough=enough)
            patch.setattr(paths, "_compiled", lambda: None)
            assert tail(n, ones, *bounds, enough=enough) == found


@pytest.mark.parametrize(("n", "ones", "square"), [(3000, 1500, 2000.0), (3000, 60, 1500.0), (3000, 2950, 2500.0)])
def test_probabilities_below_every_float_keep_their_logarithm(n: int, ones: int, square: float) -> None:
    m = np.arange(n + 1)
    reach = np.sqrt(square * m * (n - m) * ones * (n - ones) / (float(n) ** 2 * (n - 1)))
    lower, upper = np.floor(m * ones / n - reach).astype(int) + 1, np.ceil(m * ones / n + reach).astype(int) - 1
    lower[[0, n]], upper[[0, n]] = 0, n
    found = surprise_of_leaving(n, ones, lower, upper)
    assert found > 100 and found == plain(n, ones, lower, upper)
    assert found == pytest.approx(by_chances(n, ones, lower, upper), rel=1e-11)
    assert found > 750 or ones != n // 2


@pytest.mark.parametrize("n", [2000, 20_000, pytest.param(145_000, marks=pytest.mark.slow)])
def test_two_orders_of_all_are_as_rare_as_they_are_many(n: int) -> None:
    """Those with all of one class first are alone in leaving; of 145,000 labels their chance is exp(-100,500)."""
    lower, upper = np.zeros(n + 1, np.int64), np.full(n + 1, n)
    lower[n // 2], upper[n // 2] = 1, n // 2 - 1
    expected = lgamma(n + 1) - 2 * lgamma(n // 2 + 1) - log(2)
    assert surprise_of_leaving(n, n // 2, lower, upper) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("case", range(40))
def test_both_ends_hold_the_chance_between_them(case: int) -> None:
    """What was walked of a law, and the chance of every first crossing added up."""
    rng = np.random.default_rng(case)
    n = int(rng.integers(60, 800))
    ones = int(rng.integers(1, n))
    bounds = some_region(rng, n, ones)
    whole = tail(n, ones, *bounds)
    full, begun = region(n, ones, *bounds), region(n, ones, *bounds, limit=100.0)  # as far as such a walk may come
    assert begun.last == full.last and np.array_equal(begun.cost, full.cost[:41])
    part = tail(n, ones, *bounds, limit=float(full.cost[n // 2]))
    assert whole.complete and part.surprise >= whole.surprise - 1e-12
    assert crossings(n, ones, *bounds) >= -whole.surprise - 1e-9
    early = tail(n, ones, *bounds, enough=0.1)
    assert early == whole if early.complete else 0.1 < exp(-early.surprise) <= exp(-whole.surprise) + 1e-12


@pytest.mark.parametrize("case", range(12))
def test_what_is_far_between_cuts_is_left_out_unseen(case: int) -> None:
    """With a floor, fewer numbers are added, and the chance is the same to 14 digits."""
    rng = np.random.default_rng(case)
    n = 4000
    ones = (2000, 80, 700)[case % 3]
    cuts = np.sort(rng.choice(np.arange(1, n), int(rng.integers(2, 12)), replace=False))
    spread = np.sqrt(cuts * (n - cuts) * ones * (n - ones) / n**2 / (n - 1)) * rng.uniform(1, 7)
    lower, upper = np.zeros(n + 1, np.int64), np.full(n + 1, n)
    lower[cuts], upper[cuts] = np.floor(cuts * ones / n - spread) + 1, np.ceil(cuts * ones / n + spread) - 1
    whole = tail(n, ones, lower, upper)
    short = tail(n, ones, lower, upper, floor=-whole.surprise - 1)
    assert short.surprise == pytest.approx(whole.surprise, abs=1e-13, rel=1e-13)
    assert region(n, ones, lower, upper, -whole.surprise - 1).cost[-1] < region(n, ones, lower, upper).cost[-1]


def random_region(rng: np.random.Generator) -> tuple[int, int, np.ndarray, np.ndarray]:
    """Bounds at random cuts, of one standardised distance, or of a new one at each cut, and negative widths too."""
    n = int(rng.integers(2, 121))
    ones = n - 1 if rng.random() < 0.05 else int(rng.integers(1, n))
    lower, upper = np.zeros(n + 1, np.int64), np.full(n + 1, n)
    cuts = 1 + np.flatnonzero(rng.random(n - 1) < rng.random())
    middle, width = cuts * ones / n, rng.random() * 1.5 * n**0.5
    if rng.random() < 0.5:
        reach = width * (cuts * (n - cuts)) ** 0.5 / n
        lower[cuts], upper[cuts] = np.ceil(middle - reach), np.floor(middle + reach)
    else:
        lower[cuts] = np.floor(middle - width * (rng.random(len(cuts)) - 0.1))
        upper[cuts] = np.ceil(middle + width * (rng.random(len(cuts)) - 0.1))
    return n, ones, lower, upper


def largest_share_of_bound(seed: int, cases: int, less: float = 1.0) -> float:
    """The largest error in any of some random regions, as a multiple of its bound divided by ``less``."""
    rng, largest = np.random.default_rng(seed), 0.0
    for _ in range(cases):
        case = random_region(rng)
        exact, found = chance_of_leaving(*case), tail(*case)
        assert found.complete and found.roundings < 5e3
        if not exact:
            assert found.surprise == inf
            continue
        error = abs(Fraction(exp(-found.surprise)) / exact - 1)
        largest = max(largest, float(error * 2**53 / Fraction(found.roundings)) * less)
    return largest


def test_errors_stay_within_counted_roundings() -> None:
    assert paths.LOG2.hex() == "0x1.62e42fefa39efp-1"  # log 2, rounded to nearest
    assert largest_share_of_bound(1, 1000) <= 1
    assert largest_share_of_bound(1, 300, less=100) > 1  # a hundredth of it is no bound


@pytest.mark.slow
def test_errors_of_ten_thousand_regions_stay_within_counted_roundings() -> None:
    assert largest_share_of_bound(2, 10_000) <= 1


@LAWS
def test_a_region_that_is_cut_off_at_its_floor_is_within_its_bound(law: Law) -> None:
    n, ones = 1500, 700
    bounds = near(n, ones, 20.0)
    exact, logs = chance_of_leaving(n, ones, *bounds), -law(n, ones, *bounds)
    found = tail(n, ones, *bounds, floor=logs)
    assert abs(Fraction(exp(-found.surprise)) / exact - 1) < Fraction(found.roundings) / 2**53 < Fraction(1, 10**11)


def test_roundings_are_counted_where_nothing_underflows_for_long() -> None:
    assert paths.roundings(959, 1, 1, 1e3) < inf and paths.roundings(10**6, 1, 1, 599.0) < inf
    assert paths.roundings(960, 1, 1, 601.0) == inf
    n, ones = 4000, 40  # paths of the many zeros, whose numbers differ by more than 2^1022 where cuts are far apart
    lower, upper = np.zeros(n + 1, np.int64), np.full(n + 1, n)
    for m in range(300, n, 300):
        lower[m], upper[m] = max(0, m * ones // n - 4), m * ones // n + 4
    for b, low, high in ((ones, lower, upper), (n - ones, np.arange(n + 1) - upper, np.arange(n + 1) - lower)):
        exact, found = chance_of_leaving(n, b, low, high), tail(n, b, low, high)
        assert abs(Fraction(exp(-found.surprise)) / exact - 1) < Fraction(found.roundings) / 2**53 < Fraction(1, 10**10)


@pytest.mark.parametrize("walk", [paths.by_arrays, paths_compiled.walk], ids=["by arrays", "compiled"])
def test_walks_round_nothing_where_numbers_of_paths_are_floats(walk: Callable[..., tuple[int, int, int, int]]) -> None:
    rng = np.random.default_rng(6)
    for _ in range(40):
        n, ones, lower, upper = random_region(rng)
        if n > 50:
            continue
        here, size = region(n, ones, lower, upper), ones + 2
        state = np.zeros(size), np.zeros(size, np.int32), np.ones(size), np.empty(size), np.empty((4, size + n))
        state[0][0] = 1.0
        *_, count = walk(ones, here.low, here.high, 1, here.last + 1, 0, 0, *state)
        exits = [(int(m), int(x), Fraction(value) * 2 ** int(e)) for m, x, value, e in state[-1][:, :count].T.tolist()]
        ways = sum(value * comb(n - m, ones - x) for m, x, value in exits if x >= m - n + ones and here.met[m])
        assert ways / comb(n, ones) == chance_of_leaving(n, ones, lower, upper)


# Logarithms of hypergeometric chances against binomial coefficients in integers.


@pytest.mark.parametrize(("n", "b"), [(2, 1), (3, 1), (7, 3), (60, 20), (200, 80), (200, 199)])
def test_every_small_table(n: int, b: int) -> None:
    t = remainders(n)
    for m in range(1, n):
        x = np.arange(max(0, m - n + b), min(m, b) + 1)
        ways = [Fraction(comb(m, i) * comb(n - m, b - i), comb(n, b)) for i in x.tolist()]
        found = log_chance(n, b, m, x, t)
        assert all(abs(Fraction(exp(log)) / way - 1) < 1e-13 for log, way in zip(found, ways, strict=True))


@pytest.mark.parametrize("x", [3600, 4000, 4100, 6000, 0, 10_000])
def test_large_counts_lose_no_digits(x: int) -> None:
    n, b, m = 100_000, 40_000, 10_000
    ways = Fraction(comb(m, x) * comb(n - m, b - x), comb(n, b))
    exact = log(ways.numerator) - log(ways.denominator)  # itself rounded at 7e4
    found = float(log_chance(n, b, m, x, remainders(n)))
    assert isclose(found, exact, abs_tol=3e-10)
    if exact > -600:
        assert abs(Fraction(exp(found)) / ways - 1) < 1e-12


def test_remainders_are_those_of_factorials() -> None:
    t = remainders(5000)
    assert t[0] == 0 and not t.flags.writeable
    for i in (1, 2, 31, 32, 33, 100, 1000):
        exact = log(Fraction(factorial(i), i**i)) if i < 100 else log(factorial(i)) - i * log(i)
        assert t[i] == pytest.approx(exact + i, rel=1e-10 if i > 99 else 1e-13)
    assert remainders(3).tolist() == t[:4].tolist()
