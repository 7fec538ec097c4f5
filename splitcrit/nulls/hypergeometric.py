"""The hypergeometric law in logarithms whose error does not grow with the counts.

Main definitions: ``log_chance``, ``log_choose``, ``log_outside``, ``log_two_sided``; ``remainders``, ``REMAINDERS`` of
any integers; ``log_factorials``.
Main results: let ``t(i) = log i! - (i log i - i)``, which grows as ``log i`` only. With ``n`` labels, ``b`` of them in
the first class, and ``x`` of those among ``m``, the large parts of the factorials combine to ::

    log h = t(m) + t(n - m) + t(b) + t(n - b) - t(n) - sum t(c) - sum c log(c n / (row total * column total)),

the sums over the four cells ``c`` of the table. Every ``c n`` is the product of the totals plus or minus
``d = n x - m b``, an integer, so that the logarithms are ``log1p`` of ratios that are small in likely tables.
Source: Stirling's series; C. Loader, Fast and accurate computation of binomial probabilities (2000), by deviances.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, factorial, inf, log, pi
from typing import Any

import numpy as np

from splitcrit.arguments import Array

SMALL = 32  # from here on four terms of Stirling's series leave less than 1e-15
ABOVE = 2.0**-53 - 1.0  # the least ratio a logarithm is taken of: -1, that of an empty cell, is multiplied by 0
LOG2 = log(2.0)
# For numbers of lattice paths, which plain and compiled code scale alike: the next scaling is FAR places on where no
# ratio of neighbours exceeds STEEP, else NEAR; numbers within 2^SPREAD of each other share an exponent.
FAR, NEAR, STEEP = 256, 32, 8.0
SPREAD = 512


@lru_cache(maxsize=8)
def remainders(n: int) -> Array:
    """``log i! - (i log i - i)`` for ``i = 0, ..., n``, not to be written to.

    Examples
    --------
    >>> remainders(3).round(6).tolist()  # the last one is log 6 - 3 log 3 + 3
    [0.0, 1.0, 1.306853, 1.495923]
    """
    logs = REMAINDERS[np.arange(n + 1)]
    logs.setflags(write=False)
    return logs


@lru_cache(maxsize=8)
def log_factorials(n: int) -> Array:
    """The logarithms of ``i!`` for ``i = 0, ..., n``, not to be written to.

    Examples
    --------
    >>> np.exp(log_factorials(4)).round(9).tolist()
    [1.0, 1.0, 2.0, 6.0, 24.0]
    """
    from scipy.special import gammaln

    logs = np.asarray(gammaln(np.arange(n + 1) + 1.0))
    logs.setflags(write=False)
    return logs


class _Remainders:
    """The remainders of any integers, as an array of all of them would give: for a few among very many."""

    first = np.array([log(factorial(k) / k**k * exp(k)) for k in range(SMALL)])

    def __getitem__(self, i: Any) -> Array:
        i = np.asarray(i)
        x = np.asarray(np.maximum(i, 1), dtype=np.float64)
        w = 1 / (x * x)
        series = 0.5 * np.log(2 * pi * x) + (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w / 1680))) / x
        return np.asarray(np.where(i < SMALL, self.first[np.asarray(np.minimum(i, SMALL - 1), dtype=np.int64)], series))


REMAINDERS = _Remainders()


def remainders_for(n: int) -> Any:
    """The remainders up to ``n``; of a million and more none but those asked for are computed."""
    return remainders(n) if n < 2**20 else REMAINDERS


def log_chance(n: Any, b: Any, m: Any, x: Any, t: Any) -> Any:
    """The logarithm of the chance of ``x`` ones among ``m`` of ``n`` labels, ``b`` of them ones.

    ``0 < m < n`` and ``0 < b < n``, and the table with these totals has no negative cell; numbers or arrays of them,
    ``t`` being the ``remainders`` of ``n``.

    Examples
    --------
    >>> round(float(np.exp(log_chance(6, 3, 2, 1, remainders(6)))), 12)  # 3 * 3 of 15 pairs
    0.6
    """
    cells, sides = (x, m - x, b - x, n - m - b + x), (m, n - m, b, n - b)
    chance = t[sides[0]] + t[sides[1]] + t[sides[2]] + t[sides[3]] - t[n]
    for cell in cells:
        chance = chance - t[cell]
    # Integers of any size until here; of what follows no difference cancels.
    floats = [np.asarray(each, dtype=np.float64) for each in (n * x - m * b, *sides, *cells)]
    d, (left, right, first, second), (x, y, low, high) = floats[0], floats[1:5], floats[5:]
    apart = x * np.log1p(np.maximum(d / (left * first), ABOVE)) + y * np.log1p(np.maximum(-d / (left * second), ABOVE))
    apart += low * np.log1p(np.maximum(-d / (right * first), ABOVE))
    apart += high * np.log1p(np.maximum(d / (right * second), ABOVE))
    return chance - apart


def log_two_sided(n: Any, ones: Any, m: Array, x: Array) -> Array:
    """``log P(|X - E X| >= |x - E X|)`` for hypergeometric ``X`` at every ``m``.

    Examples
    --------
    >>> np.exp(log_two_sided(10, 4, np.array([3]), np.array([3]))).round(6).tolist()
    [0.033333]
    """
    middle, reach = m * ones, np.abs(n * x - m * ones)
    return log_outside(n, ones, m, (middle - reach) // n + 1, -((-middle - reach) // n) - 1)


def log_outside(n: Any, ones: Any, m: Array, lower: Array, upper: Array, together: bool = False) -> Array:
    """``log P(X < lower or X > upper)`` for hypergeometric ``X`` at every ``m``.

    The bounds lie on either side of its mean; with the lower one above the upper the chance is 1.
    """
    low, high = np.maximum(0, m + ones - n), np.minimum(m, ones)
    lower, upper = np.minimum(lower, high + 1), np.maximum(upper, low - 1)
    # A table needs nine remainders: a list of all n pays where the tables together need more.
    t = remainders(int(np.max(n))) if m.dtype.kind == "i" and np.max(n) < 9 * len(m) else REMAINDERS
    below = _log_tail(n, ones, m, lower - 1, low, -1, together, t)
    above = _log_tail(n, ones, m, upper + 1, high, 1, together, t)
    return np.where(lower > upper, 0.0, np.minimum(np.logaddexp(below, above), 0.0))


def _log_tail(n: Any, ones: Any, m: Array, start: Array, end: Array, step: int, together: bool, t: Any) -> Array:
    """The logarithm of the chance of ``start``, ``start + step``, ... up to ``end``; -inf of no value.

    The terms are added by their ratios, which fall away from the mean; what is left after the last is below rounding.
    After 1, 2, 4, 8, .. terms those tails are left that have ended; all of them where they are added ``together`` for
    a bound of 1 or less, and their sum has reached 1.
    """
    some, total = (end - start) * step >= 0, np.ones(len(m))
    first = log_chance(n, ones, m, np.where(some, start, end), t)
    on: Array = np.flatnonzero(some)
    x, a, b, rest = (np.broadcast_to(each, len(m))[on].astype(float) for each in (start, m, ones, n - m - ones))
    term: Array = np.ones(len(on))
    added, steps = term.copy(), 1
    while len(on):
        for _ in range(steps):
            if step > 0:
                term *= (a - x) * (b - x) / ((x + 1) * (rest + x + 1))
            else:
                term *= x * (rest + x) / ((a - x + 1) * (b - x + 1))
            added += term
            x += step
        total[on] = added
        if together and (np.exp(first) * total)[some].sum() >= 1:
            break
        going, steps = term > added * 1e-17, 2 * steps
        on, x, a, b, rest, term, added = (each[going] for each in (on, x, a, b, rest, term, added))
    return np.where(some, first + np.log(total), -inf)


def log_choose(n: Any, k: Any, t: Any) -> Any:
    """``log C(n, k)``, ``t`` being ``remainders``."""
    return t[n] - t[k] - t[n - k] - k * np.log(np.maximum(k, 1) / n) - (n - k) * np.log(np.maximum(n - k, 1) / n)
