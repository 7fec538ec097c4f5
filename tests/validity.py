"""Whether a p-value is one: under the null it is at most t with probability at most t, at every t it attains."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations

NEAR = 1 + 1e-9  # p-values in float64 that are equal but for rounding


def valid(law: Iterable[tuple[float, Fraction]]) -> bool:
    """Whether ``P(p <= t) <= t`` at every attained ``t``, for pairs of a p-value and its probability."""
    chances: defaultdict[float, Fraction] = defaultdict(Fraction)
    for p, chance in law:
        chances[p] += chance
    assert sum(chances.values()) == 1
    return all(float(sum(c for q, c in chances.items() if q <= p * NEAR)) <= p * NEAR for p in chances)


def orders(n: int, ones: int) -> list[list[int]]:
    """Every order of n labels with this number of ones."""
    return [[int(i in places) for i in range(n)] for places in combinations(range(n), ones)]
