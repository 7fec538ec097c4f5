"""What the statements about random flips share: splits of a two-class node, their noisy versions, exact laws of flips.

Main definitions: ``clean`` (splits); ``RATES``; ``law`` (noisy positives of a set of examples);
``outcomes`` (noisy tables with their probabilities); ``below`` (tails against exponential bounds).
Source: ghosh2017, Section 3. Class 1 is the positive one.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import accumulate, repeat
from operator import mul
from typing import Any

from splitcrit.proof import BALL

RATES = tuple(Fraction(*x) for x in ((0, 1), (1, 10), (3, 10), (49, 100), (3, 5), (9, 10), (1, 1)))  # without 1/2


def clean(v: Any) -> list[list[Any]]:
    """A split in which every count is positive, so that no proportion is undefined."""
    return [[v.a, v.b], [v.c, v.d]]


def positive_share(row: Any) -> Fraction:
    """The share of positives among (negatives, positives)."""
    share: Fraction = Fraction(row[1]) / (row[0] + row[1])
    return share


@cache
def flipped(n: int, eta: Fraction) -> tuple[int, ...]:
    """The chances of 0, ..., n flips among n examples, times ``q^n`` for ``eta = r/q``."""
    r, q = eta.numerator, eta.denominator
    flips, others = (list(accumulate(repeat(x, n), mul, initial=1)) for x in (r, q - r))
    ways = accumulate(range(n), lambda product, j: product * (n - j) // (j + 1), initial=1)
    return tuple(x * flips[j] * others[n - j] for j, x in enumerate(ways))


@cache
def law(negatives: int, positives: int, eta: Fraction) -> tuple[int, ...]:
    """The chances of 0, ..., n noisy positives, times ``q^n``: two binomials, convolved."""
    ways = [0] * (negatives + positives + 1)
    for i, x in enumerate(flipped(negatives, eta)):
        for j, y in enumerate(flipped(positives, eta)):
            ways[positives + i - j] += x * y
    return tuple(ways)


def chance(weight: int, n: int, eta: Fraction) -> Fraction:
    """A weight of ``law`` for n examples as a probability."""
    return Fraction(weight, eta.denominator**n)


def outcomes(table: Any, eta: Fraction) -> Iterator[tuple[list[list[int]], Fraction]]:
    """Yield every noisy version of a split with its probability."""
    (a, b), (c, d) = table
    for i, x in enumerate(law(a, b, eta)):
        for j, y in enumerate(law(c, d, eta)):
            if x * y:
                yield [[a + b - i, i], [c + d - j, j]], chance(x * y, a + b + c + d, eta)


def below(tail: Fraction, factor: Any, exponent: Any) -> bool:
    """Whether a tail is surely at most ``factor exp(-exponent)``, exponent >= 0; rounding is outward."""
    return tail <= factor and (exponent == 0 or bool(factor * BALL.exp(-exponent) >= tail))
