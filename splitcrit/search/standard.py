"""The compiled twin of ``discretize.standardised``: SGini after each cut of a hierarchy, in one pass.

Sums of two float64 numbers carry what would cancel, as there; the constants of a segment are handed over.

Main definitions: ``standard_scores`` (compiled, where numba is installed).
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np


def _scores(running, starts, cuts, low, high, constants, form, scores):  # type: ignore[no-untyped-def]
    """Set the scores of the cuts.

    ``constants[s]`` are n, the mean of n times the gain at two rows as two numbers, and the two factors of the classes
    in its variance; ``form[s]`` tells whether class totals are even, and thin.
    """

    def two_sum(a, b):  # type: ignore[no-untyped-def]
        s = a + b
        t = s - a
        return s, (a - (s - t)) + (b - t)

    def two_product(a, b):  # type: ignore[no-untyped-def]
        p, x, y = a * b, 134217729.0 * a, 134217729.0 * b
        x, y = x - (x - a), y - (y - b)
        return p, ((x * y - p) + x * (b - y) + (a - x) * y) + (a - x) * (b - y)

    def minus(top, rest, divisor, inverse, other, other_low):  # type: ignore[no-untyped-def]
        q = top * inverse
        p, error = two_product(q, divisor)
        found, more = two_sum(q, -other)
        return found, more + (((top - p) - error + rest) * inverse - other_low)

    classes = running.shape[1]
    for s in range(len(starts) - 1):
        n, mean, mean_low, uneven_classes, thick_classes = constants[s]
        excess, excess_low, uneven, uneven_low = 0.0, 0.0, 0.0, 0.0
        squares, pairs, per_n = n * n, n * (n - 1.0), 1.0 / n
        first = 4.0 * uneven_classes / (max(n - 1.0, 1.0) * max(n - 2.0, 1.0) ** 2)
        second = 2.0 * thick_classes / (n * (max(n - 1.0, 1.0) * max(n - 2.0, 1.0)) ** 2 * max(n - 3.0, 1.0))
        for i in range(starts[s] - s, starts[s + 1] - s - 1):
            r = i - (starts[s] - s) + 2.0
            begin, middle, end = low[i], cuts[i] + 1, high[i] + 1
            a, b = 0.0, 0.0
            for j in range(classes):
                a += running[middle, j] - running[begin, j]
                b += running[end, j] - running[middle, j]
            added, rest, c = 0.0, 0.0, a + b
            for j in range(classes):
                apart = b * (running[middle, j] - running[begin, j]) - a * (running[end, j] - running[middle, j])
                square, error = two_product(apart, apart)
                added, more = two_sum(added, square)
                rest += more + error
            product, error = two_product(a * b, c)
            inverse, even = 1.0 / product, (2.0 * r - 1.0) * per_n
            top, rest = minus(added, rest - added * inverse * error, product, inverse, mean, mean_low)
            excess, more = two_sum(excess, top)
            excess_low += more + rest
            step, (p, more) = c * c - a * b, two_product(even, n)
            even_low = (2.0 * r - 1.0 - p - more) * per_n
            top, rest = minus(step, -step * inverse * error, product, inverse, even, even_low)
            uneven, more = two_sum(uneven, top)
            uneven_low += more + rest
            squares -= 2.0 * a * b  # of the row totals, an integer
            size = np.floor(n / r)
            level = size * r == n and squares == n * size
            thin = r == n or (r == 2.0 and (a == 1.0 or b == 1.0))
            scores[i] = 0.0
            if n > 2.0 and not ((level or form[s, 0]) and (thin or form[s, 1])):
                lean, lean_low = two_sum(uneven, uneven_low)
                top, rest = two_product((n - 2.0) * (n - r), r - 1.0)
                p, more = two_product(pairs, lean)
                thick = (top - p) + (rest - more - pairs * lean_low)
                variance = max(lean, 0.0) * first + max(thick, 0.0) * second
                if variance > 0.0:
                    scores[i] = (excess + excess_low) / np.sqrt(variance)


@cache
def standard_scores() -> Any:
    """Return the compiled loop, or None where numba is not installed."""
    try:
        import numba
    except ModuleNotFoundError:
        return None
    return numba.njit(cache=True, nogil=True, error_model="numpy")(_scores)
