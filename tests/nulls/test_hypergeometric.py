"""Logarithms of hypergeometric chances against binomial coefficients in integers."""

from fractions import Fraction
from math import comb, exp, factorial, isclose, log

import numpy as np
import pytest

from splitcrit.nulls.hypergeometric import log_chance, remainders


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
