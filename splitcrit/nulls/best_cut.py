"""The best of the cuts of one feature with two classes: which it is, and how likely chance is to find one as good.

Main definitions: ``CutCounts`` (the cuts of a feature), ``seen`` (and what was observed at them), ``BestCut``,
``best``; of a table beyond bounds ``law``, ``ends`` (float64) and ``chance`` (a Fraction), and
``log_at_most`` (not below it); ``plan``, ``check_cost``. Main results:
where all values are known the law is that of one lattice path (``paths``) between the bounds of lower scores
(``extremes``). Observations without a value, the gaps, may go to either side. If ``a`` of them are in the first class,
a cut with ``m`` known values and ``x`` of the first class on the left is a table with ``(m, x)`` on the left, or ``(m +
gaps, x + a)``; so the path of the known ones must stay within the bounds at ``m`` and within those at ``m + gaps``
shifted by ``a``, and ::

    P(leave) = sum_a P(a) P(a path of n - gaps steps to b - a leaves both bounds),    P(a) hypergeometric.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, exp, inf, log
from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array, affordable
from splitcrit.nulls import paths
from splitcrit.nulls.best_split import sides
from splitcrit.nulls.extremes import Bar, Bounds, Extreme
from splitcrit.nulls.feature_counts import FeatureCounts
from splitcrit.nulls.hypergeometric import log_chance, log_outside, remainders_for

WORK, REMEDY = "the law of lattice paths", "put the feature into fewer intervals of fewer observations"
NEAR = 1e-9  # scores in float64 closer than this to the best are compared exactly
SMALL = 10**6  # numbers of paths: laws of fewer are priced as if paths could go everywhere
NEVER = 1e9  # seconds
TIE = 1e-9  # of two chances, as logarithms
WALKED = 2**24  # rows, of more of which no path is followed
UNCLEAR = log(1e-6)  # upper ends up to which the lower one is not refined by following paths
CUTS = 32  # of which the likeliest to be exceeded is looked at


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


def seen(feature: FeatureCounts, min_leaf: int) -> CutTable:
    """The cuts of a table of two classes, the rarer of which is the first."""
    counts, sizes, gaps = feature
    _, after, more = sides(sizes, gaps, min_leaf)
    n, first = int(sizes.sum()), int(counts[:, 0].sum())  # not along rows of two, which is slow
    one, known = int(n < 2 * first), sizes.cumsum()[after]
    cuts = CutCounts(n, min(first, n - first), int(sizes[-1]) * gaps, known[more == 0], known[more == 1])
    return CutTable(cuts, counts[:, one].cumsum()[after] + more * counts[-1:, one])


class BestCut(NamedTuple):
    """The cuts of a feature, the largest score, the first place that reaches it, and the first class on its left."""

    cuts: CutCounts
    bar: Bar
    place: int
    at: int

    @property
    def missing_left(self) -> bool:
        """Whether observations without a value lie to the left."""
        return self.place >= len(self.cuts.right)

    @property
    def known(self) -> int:
        """How many observations with a value lie to the left."""
        cuts = self.cuts
        return int(cuts.left[self.place - len(cuts.right)] if self.missing_left else cuts.right[self.place])


def best(feature: FeatureCounts, min_leaf: int, statistic: Extreme, limit: float = NEVER) -> BestCut | None:
    """The best cut of a feature, None if it has no cut or not two classes."""
    if feature.counts.shape[1] != 2:
        return None
    cuts, at = seen(feature, min_leaf)
    if not len(at):
        return None
    affordable(2 * cuts.n, limit, WORK, REMEDY)  # at least, and without rounding
    n, ones, sizes = cuts.n, cuts.ones, cuts.sizes
    scores = statistic.scores(n, ones, sizes, n * at - sizes * ones)
    top = float(scores.max())
    tied = (scores >= top - NEAR * (1 + abs(top))).nonzero()[0].tolist()
    bars = [Bar.of_table(statistic, n, ones, int(sizes[i]), int(at[i]), float(scores[i])) for i in tied]
    first = 0
    if any(bar.exact != bars[0].exact for bar in bars):
        first = max(range(len(bars)), key=lambda i: (bars[i].key, -i))
    return BestCut(cuts, bars[first], tied[first], int(at[tied[first]]))


class Plan(NamedTuple):
    """What the law of a best cut takes: a chance not above it, as a logarithm; walks, and the microseconds of each.

    There is a walk for every number of ones among the gaps, the likeliest first, with the logarithm of its chance; none
    for one cut, whose chance is all there is.
    """

    floor: float
    walks: list[tuple[float, int]]
    price: float

    @property
    def cost(self) -> float:
        """The microseconds of all walks."""
        return len(self.walks) * self.price


def plan(cuts: CutCounts, lower: Array, upper: Array, closely: bool = False, limit: float = inf) -> Plan:
    """The plan of the law between bounds; a small one is priced without a look at them, unless closely.

    A walk that takes more than ``limit`` microseconds is priced up to there.

    Numbers of ones among the gaps that are together less likely than ``2^-52`` of the result are left out.
    """
    n, ones, gaps = cuts.n, cuts.ones, cuts.gaps
    small, floor = n * ones < SMALL and not closely, -inf
    if not small:
        some = slice(None, None, len(cuts.sizes) // CUTS + 1)
        floor = float(log_outside(n, ones, cuts.sizes[some], lower[some], upper[some]).max())
        if len(cuts.sizes) == 1:
            return Plan(floor, [], 0.0)
    walks = [(0.0, 0)]
    if gaps:
        a = np.array(cuts.missing_ones)
        chances = log_chance(n, ones, gaps, a, remainders_for(n))
        order = np.argsort(-chances, kind="stable")
        rest = np.logaddexp.accumulate(chances[order][::-1])[::-1]
        order = order[: max(1, int((rest > floor - paths.UNSEEN).sum()))]
        walks = list(zip(chances[order].tolist(), a[order].tolist(), strict=True))
    if small:
        return Plan(floor, walks, paths.A_PLACE * n + paths.A_CELL * n * ones)
    here = paths.region(*_paths(cuts, lower, upper, walks[0][1]), floor, limit)
    return Plan(floor, walks, float(here.cost[min(here.last, len(here.cost) - 1)]))


def law(
    cuts: CutCounts, lower: Array, upper: Array, planned: Plan | None = None, enough: float = inf, limit: float = inf
) -> paths.Tail:
    """``-log P`` in nats of a table beyond the bounds at one of the cuts, and whether it is all of ``P``.

    It is not if the sum so far exceeds ``enough``, or would take more than ``limit`` microseconds. A chance of walks
    has some ``30 n`` roundings, each walk one in the sum, and walks that are left out two; that of a single cut,
    which takes no walk, has no bound.
    """
    planned = planned or plan(cuts, lower, upper)
    if not planned.walks:
        return paths.Tail(-planned.floor, True)
    logs, total, most = [], 0.0, 0.0
    for i, (chance, a) in enumerate(planned.walks):
        walk, tail = _paths(cuts, lower, upper, a), paths.Tail(0.0, True, 0.0)
        if not _outside_at_end(*walk):
            so_far = (enough - total) / exp(max(chance, -700.0)) if enough < 1 else inf
            tail = paths.tail(*walk, floor=planned.floor, enough=so_far, limit=limit - i * planned.price)
        logs.append(chance - tail.surprise)
        most = max(most, tail.roundings)
        total = float(np.exp(logs).sum())
        if not tail.complete or total > enough:
            return paths.Tail(-float(np.logaddexp.reduce(logs)), False)
    if cuts.gaps:
        most += 30 * cuts.n + 81 * log(cuts.n) + 290 + len(logs)
    return paths.Tail(paths.surprise_of_sum(np.array(logs)), True, most)


class Ends(NamedTuple):
    """The logarithms between which a chance lies, and whether nothing but what was asked for keeps them apart."""

    least: float
    most: float
    exact: bool


def ends(cuts: CutCounts, lower: Array, upper: Array, enough: float = inf, limit: float = inf) -> Ends:
    """The ends of the chance of a table beyond the bounds, equal if its law takes up to ``limit`` microseconds.

    A chance above ``enough`` may be left at that: its upper end is then 1. Of very many rows no path is followed, whose
    memory grows with them: the chances of all cuts are added.
    """
    if cuts.n > WALKED:
        logs = log_outside(cuts.n, cuts.ones, cuts.sizes, lower, upper, together=True)
        least, most = float(logs.max()), min(0.0, float(np.logaddexp.reduce(logs)))
        return Ends(least, most, most - least < TIE)
    planned, most = plan(cuts, lower, upper, limit=limit), 0.0
    quick = planned.cost <= limit
    if not quick:
        planned, most = plan(cuts, lower, upper, True, limit), log_at_most(cuts, lower, upper)
    least = planned.floor
    if quick or most > UNCLEAR:
        tail = law(cuts, lower, upper, planned, enough, limit)
        if tail.complete:
            return Ends(-tail.surprise, -tail.surprise, True)
        least = max(least, -tail.surprise)
    return Ends(least, most, quick or most - least < TIE)


def log_at_most(cuts: CutCounts, lower: Array, upper: Array) -> float:
    """The logarithm of a chance that is not below that of a table beyond the bounds, by ``crossings``.

    The known values and then the gaps are one order of all observations, the gaps and then the known values another.
    """
    logs, first = [], len(cuts.right)
    for part in (slice(first), slice(first, None))[: 1 + (cuts.gaps > 0)]:
        low, high = np.zeros(cuts.n + 1, np.int64), np.full(cuts.n + 1, cuts.n)
        low[cuts.sizes[part]], high[cuts.sizes[part]] = lower[part], upper[part]
        logs.append(paths.crossings(cuts.n, cuts.ones, low, high))
    return min(0.0, float(np.logaddexp.reduce(logs)))


def chance(cuts: CutCounts, lower: Array, upper: Array) -> Fraction:
    """The probability of a table beyond the bounds at one of the cuts."""
    known, total = cuts.n - cuts.gaps, Fraction(0)
    for a in cuts.missing_ones:
        walk = _paths(cuts, lower, upper, a)
        ways = Fraction(comb(cuts.gaps, a) * comb(known, cuts.ones - a), comb(cuts.n, cuts.ones))
        total += ways * (1 if _outside_at_end(*walk) else paths.chance_of_leaving(*walk))
    return total


def check_cost(cuts: CutCounts, bounds: Sequence[Bounds], exact: bool, limit: float) -> None:
    """Refuse laws between bounds that would take more than ``limit`` seconds."""
    if not exact:
        cost = plan(cuts, *bounds[0]).cost
    else:  # integers of n bits, of which none is left out; one cut takes as long as many
        here = paths.region(*_paths(cuts, *bounds[0], cuts.missing_ones[0]))
        numbers = (here.cost[-1] - paths.A_PLACE * len(here.cost)) / paths.A_CELL * (15 + cuts.n / 300) / 100
        cost = len(cuts.missing_ones) * (numbers + len(cuts.sizes) * cuts.n**2 / 60_000)
    affordable(len(bounds) * cost, limit, WORK, REMEDY)


Paths = tuple[int, int, Array, Array]  # how many steps, where they end, and the bounds


def _paths(cuts: CutCounts, lower: Array, upper: Array, a: int) -> Paths:
    """The paths of the known values where ``a`` gaps are in the first class."""
    known, first, left = cuts.n - cuts.gaps, len(cuts.right), cuts.left
    low, high = np.zeros(known + 1, np.int64), np.full(known + 1, known)
    low[cuts.right], high[cuts.right] = lower[:first], upper[:first]
    low[left] = np.maximum(low[left], lower[first:] - a)
    high[left] = np.minimum(high[left], upper[first:] - a)
    return known, cuts.ones - a, low, high


def _outside_at_end(n: int, ones: int, lower: Array, upper: Array) -> bool:
    """Whether a path ends outside: the gaps alone are on one side, which does not depend on the path."""
    return not lower[n] <= ones <= upper[n]
