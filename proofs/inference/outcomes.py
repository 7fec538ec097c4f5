"""Finite probability spaces on which a p-value is valid or not: outcomes that are equally likely, or have weights.

Main definitions: ``is_valid`` (a p-value, by the probabilities of its values), ``sharp`` (the least p-values there are
on equally likely outcomes), ``fraction`` (a quotient of small integers from its float).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import permutations, product

Values = tuple[Fraction, ...]


def is_valid(law: Mapping[Fraction, Fraction]) -> bool:
    """Tell whether ``P(p <= t) <= t`` for every t, of a p-value with these probabilities: those it takes decide."""
    below = Fraction(0)
    for value in sorted(law):
        below += law[value]
        if below > value:
            return False
    return True


def sharp(number: int, tests: int) -> Iterator[tuple[Values, ...]]:
    """Yield every joint law of p-values ``1/N, 2/N, ..., 1`` on N equally likely outcomes, in the order of the first.

    No valid p-value on these outcomes is smaller than such a one at all of them.
    """
    least = tuple(Fraction(i, number) for i in range(1, number + 1))
    for others in product(permutations(least), repeat=tests - 1):
        yield (least, *others)


def fraction(value: float, most: int) -> Fraction:
    """Return the quotient of two integers that a float is nearest to, the lower one at most ``most``."""
    return Fraction(value).limit_denominator(most)
