"""The best of the cuts of one feature with two classes: which it is, and how likely chance is to find one as good.

Main definitions: ``CutCounts`` (the cuts of a feature), ``seen`` (and what was observed at them), ``BestCut``,
``best``; ``surprise`` (float64) and ``chance`` (a Fraction) of a table beyond bounds, ``check_cost``. Main results:
where all values are known the law is that of one lattice path (``lattice``) between the bounds of lower scores
(``extremes``). Observations without a value, the gaps, may go to either side. If ``a`` of them are in the first class,
a cut with ``m`` known values and ``x`` of the first class on the left is a table with ``(m, x)`` on the left, or ``(m +
gaps, x + a)``; so the path of the known ones must stay within the bounds at ``m`` and within those at ``m + gaps``
shifted by ``a``, and ::

    P(leave) = sum_a P(a) P(a path of n - gaps steps to b - a leaves both bounds),    P(a) hypergeometric.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, inf
from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array, affordable
from splitcrit.nulls.extremes import Bar, Bounds, Extreme
from splitcrit.nulls.feature_counts import FeatureCounts, cut_masks
from splitcrit.nulls.hypergeometric import log_chance, remainders
from splitcrit.nulls.lattice import REMEDY, WORK, chance_of_leaving, cutting_steps, path_steps, surprise_of_leaving

NEAR = 1e-9  # scores in float64 closer than this to the best are compared exactly


@dataclass(frozen=True, eq=False)
class CutCounts:
    """Cuts of ``n`` observations, ``ones`` of them in the first class and ``gaps`` without a value.

    ``right`` and ``left`` are how many known values may lie to the left while the gaps lie on that side.
    """

    n: int
    ones: int
    gaps: int
    right: Array
    left: Array

    @property
    def sizes(self) -> Array:
        """How many observations lie to the left."""
        return np.concatenate([self.right, self.left + self.gaps]) if self.gaps else self.right

    @property
    def missing_ones(self) -> range:
        """How many of the gaps may be in the first class."""
        return range(max(0, self.gaps - self.n + self.ones), min(self.gaps, self.ones) + 1)


class CutTable(NamedTuple):
    """Cuts, and how many of the first class lie to the left of each."""

    cuts: CutCounts
    at: Array


def seen(found: FeatureCounts, min_leaf: int) -> CutTable:
    """Return the cuts of a table of two classes, the rarer of which is the first."""
    counts, sizes, gaps = found
    right, left = cut_masks(found, min_leaf)
    totals = counts.sum(axis=0).tolist()
    one = int(totals[1] < totals[0])
    m, x = sizes[:-1].cumsum(), counts[:-1, one].cumsum()
    if not gaps:
        return CutTable(CutCounts(sum(totals), totals[one], 0, m[right], m[:0]), x[right])
    cuts = CutCounts(sum(totals), totals[one], int(sizes[-1]), m[right], m[:-1][left[1:]])
    return CutTable(cuts, np.concatenate([x[right], x[:-1][left[1:]] + counts[-1, one]]))


class BestCut(NamedTuple):
    """The cuts of a feature, the largest score, and the first place among them that reaches it."""

    cuts: CutCounts
    bar: Bar
    place: int

    @property
    def missing_left(self) -> bool:
        """Whether observations without a value lie to the left."""
        return self.place >= len(self.cuts.right)

    @property
    def known(self) -> int:
        """How many observations with a value lie to the left."""
        cuts = self.cuts
        return int(cuts.left[self.place - len(cuts.right)] if self.missing_left else cuts.right[self.place])


def best(found: FeatureCounts, min_leaf: int, statistic: Extreme, limit: int) -> BestCut | None:
    """Return the best cut of a feature, None if it has no cut or not two classes."""
    if found.counts.shape[1] != 2:
        return None
    cuts, at = seen(found, min_leaf)
    if not len(at):
        return None
    affordable(cutting_steps(cuts.n, len(at)), limit, WORK, REMEDY)
    n, ones, sizes = cuts.n, cuts.ones, cuts.sizes
    scores = statistic.scores(n, ones, sizes, n * at - sizes * ones)
    top = float(scores.max())
    tied = (scores >= top - NEAR * (1 + abs(top))).nonzero()[0].tolist()
    bars = [Bar.of_table(statistic, n, ones, int(sizes[i]), int(at[i]), float(scores[i])) for i in tied]
    first = 0
    if any(bar.exact != bars[0].exact for bar in bars):
        first = max(range(len(bars)), key=lambda i: (bars[i].key, -i))
    return BestCut(cuts, bars[first], tied[first])


def surprise(cuts: CutCounts, lower: Array, upper: Array) -> float:
    """Return ``-log P`` in nats of a table beyond the bounds at one of the cuts."""
    if not cuts.gaps:
        return surprise_of_leaving(cuts.n, cuts.ones, lower, upper)
    chances = log_chance(cuts.n, cuts.ones, cuts.gaps, np.array(cuts.missing_ones), remainders(cuts.n))
    found = [log - _surprise_given(*paths) for log, paths in zip(chances, _paths(cuts, lower, upper), strict=True)]
    return max(-float(np.logaddexp.reduce(found)), 0.0)


def chance(cuts: CutCounts, lower: Array, upper: Array) -> Fraction:
    """Return the probability of a table beyond the bounds at one of the cuts."""
    known, total = cuts.n - cuts.gaps, Fraction(0)
    for a, paths in zip(cuts.missing_ones, _paths(cuts, lower, upper), strict=True):
        ways = Fraction(comb(cuts.gaps, a) * comb(known, cuts.ones - a), comb(cuts.n, cuts.ones))
        total += ways * (1 if _outside_at_end(*paths) else chance_of_leaving(*paths))
    return total


def check_cost(cuts: CutCounts, bounds: Sequence[Bounds], exact: bool, limit: int) -> None:
    """Refuse laws between bounds that would take more than ``limit`` steps."""
    steps = path_steps(cuts.n, cuts.ones, cuts.sizes, *bounds[0], exact)
    affordable(len(bounds) * len(cuts.missing_ones) * steps, limit, WORK, REMEDY)


Paths = tuple[int, int, Array, Array]  # how many steps, where they end, and the bounds


def _paths(cuts: CutCounts, lower: Array, upper: Array) -> Iterator[Paths]:
    """Yield the paths of the known values for every number of gaps in the first class."""
    known, right, left = cuts.n - cuts.gaps, cuts.right, cuts.left
    for a in cuts.missing_ones:
        low, high = np.zeros(known + 1, np.int64), np.full(known + 1, known)
        low[right], high[right] = lower[right], upper[right]
        low[left] = np.maximum(low[left], lower[left + cuts.gaps] - a)
        high[left] = np.minimum(high[left], upper[left + cuts.gaps] - a)
        yield known, cuts.ones - a, low, high


def _outside_at_end(n: int, ones: int, lower: Array, upper: Array) -> bool:
    """Tell whether a path ends outside: the gaps alone are on one side, which does not depend on the path."""
    return not lower[n] <= ones <= upper[n]


def _surprise_given(n: int, ones: int, lower: Array, upper: Array) -> float:
    """Return ``-log P`` of paths that leave, where there may be one path only."""
    if _outside_at_end(n, ones, lower, upper):
        return 0.0
    if 0 < ones < n:
        return surprise_of_leaving(n, ones, lower, upper)
    x = np.arange(n) if ones else np.zeros(n, np.int64)
    return 0.0 if ((x < lower[:n]) | (x > upper[:n])).any() else inf
