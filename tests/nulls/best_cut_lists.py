"""Every order of the labels of a feature, and the score of its best cut, which the law is held against."""

from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import numpy as np

from nulls.test_scan import exact_score


class Feature(NamedTuple):
    """Sorted values, how many observations have none, how many are in the first class, and the fewest on a side."""

    values: tuple[int, ...]
    gaps: int
    ones: int
    min_leaf: int

    @property
    def n(self) -> int:
        return len(self.values) + self.gaps

    def counts(self, places: tuple[int, ...]) -> list[list[int]]:
        """The counts of an order of the labels, in which the first class stands at some places; the gaps come last."""
        levels = [*sorted(set(self.values)), None]
        found = [[0, 0] for _ in levels]
        for i, value in enumerate((*self.values, *[None] * self.gaps)):
            found[levels.index(value)][i in places] += 1
        return found


def features(seed: int, size: int, most: int = 9, gaps: int = 3) -> list[Feature]:
    """Random small features."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < size:
        n = int(rng.integers(3, most + 1))
        missing = int(rng.integers(0, min(gaps, n - 1) + 1))
        values = np.sort(rng.integers(0, rng.integers(1, n + 1), n - missing)).tolist()
        found.append(Feature(tuple(values), missing, int(rng.integers(1, n)), int(rng.integers(1, 3))))
    return found


def orders(feature: Feature, statistic: str) -> dict[Fraction, list[tuple[int, ...]]]:
    """Every order of the labels by the score of its best cut, the gaps on either side; none if there is no cut."""
    values, n, gaps = feature.values, feature.n, feature.gaps
    known = n - gaps
    steps = [m for m in range(1, known) if values[m] != values[m - 1]] + [known] * (gaps > 0)
    found: dict[Fraction, list[tuple[int, ...]]] = {}
    for places in combinations(range(n), feature.ones):
        missing = sum(p >= known for p in places)
        before = [(m, sum(p < m for p in places)) for m in steps]
        sides = [*before, *((m + gaps, x + missing) for m, x in before)] if gaps else before
        allowed = [(m, x) for m, x in sides if feature.min_leaf <= m <= n - feature.min_leaf]
        if not allowed:
            return {}
        best = max(exact_score(statistic, n, feature.ones, m, x) for m, x in allowed)
        found.setdefault(best, []).append(places)
    return found
