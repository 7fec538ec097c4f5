"""The p-values that the best cut of a feature can attain: few, where values or observations are few.

Main definitions: ``attained`` (the largest up to a level).
Main results: the p-value falls as the score grows, and every table at a cut occurs; so ``F(t)``, the largest attainable
p-value up to ``t``, is that of the least score of all tables at all cuts whose p-value is at most ``t``. The tables
between two scores are two intervals at every cut, and are halved by the median of the medians of those.
Source: Tarone, Biometrics 46 (1990) 515 (attainable p-values in tests of many hypotheses).
"""

from __future__ import annotations

from functools import lru_cache
from math import exp
from typing import Any

import numpy as np

from splitcrit.arguments import PATIENT, Array, affordable, between, one_of, whole
from splitcrit.frozen import complaint
from splitcrit.nulls.best_cut import REMEDY, WORK, CutCounts, check_cost, seen, surprise
from splitcrit.nulls.extremes import EXTREMES, Bar, Bounds, Statistic, inside, inside_each
from splitcrit.nulls.feature_counts import Sides, feature_counts

TIE = 1e-11  # p-values closer than this, relative to their size, are equal


def attained(
    counts: Any,
    t: float,
    *,
    statistic: Statistic = "sgini",
    min_leaf: int = 1,
    missing: Sides = "error",
    limit: float = PATIENT,
) -> float:
    """Return the largest p-value up to ``t`` that the best cut of a feature can have, 0 without one.

    The equation is ``F(t) = max {p(s) : p(s) <= t}``, over the scores ``s`` that the best cut has for some order of the
    labels. The rows' totals and the class totals of the table count, and nothing else in it.

    Parameters
    ----------
    counts
        Integer counts of shape ``(r, k)``, its rows in the feature's order, of at most two classes.
    t
        A level between 0 and 1.
    statistic, min_leaf, missing, limit
        As in `selected_pvalue`.

    Raises
    ------
    ValueError
        If there are more than two classes, ``t`` is no probability, or a law takes more than ``limit`` seconds.

    Examples
    --------
    >>> [round(attained([[2, 1], [1, 2]], t), 12) for t in (1, 0.5, 0.1, 0.05)]  # of six in two halves: 1 and 1/10
    [1.0, 0.1, 0.1, 0.0]
    """
    one_of(statistic, tuple(EXTREMES), "a statistic")
    level = float(between(t, "t", 0, 1))
    min_leaf, found = whole(min_leaf, "min_leaf", 1), feature_counts(counts, None, missing)
    classes = found.counts.shape[1]
    if classes > 2:
        remedy = "pass the p-value itself, which Monte Carlo has no list of"
        raise ValueError(complaint("attainable p-values are found for two classes", f"{classes}", remedy))
    cuts = seen(found, min_leaf).cuts if classes == 2 else None
    if level >= 1 or cuts is None or not len(cuts.sizes):
        return float(level >= 1)
    affordable(2 * cuts.n, limit, WORK, REMEDY)
    places = cuts.right.tobytes(), cuts.left.tobytes()
    return _largest(statistic, (cuts.n, cuts.ones, cuts.gaps), places, level, limit)


@lru_cache(maxsize=256)
def _largest(
    statistic: str, totals: tuple[int, int, int], places: tuple[bytes, bytes], level: float, limit: float
) -> float:
    """Return ``attained`` of a level below 1; features of equal ties share it."""
    cuts = CutCounts(*totals, *(np.frombuffer(place, np.int64) for place in places))
    high = _of_table(cuts, statistic, *_most_extreme(cuts, statistic))
    below = inside(high, cuts.sizes)
    check_cost(cuts, [below], False, limit)
    found = exp(-surprise(cuts, *below))
    if found > level * (1 + TIE):
        return 0.0
    up_to = np.full(cuts.n + 1, cuts.n), np.zeros(cuts.n + 1, np.int64)
    while (table := _median_between(cuts, statistic, up_to, below)) is not None:
        bar = _of_table(cuts, statistic, *table)
        lower, with_ties = inside_each(bar, cuts.sizes, (False, True))
        p = exp(-surprise(cuts, *lower))
        if p <= level * (1 + TIE):
            below, found = lower, p
        else:
            up_to = with_ties
    return found


def _of_table(cuts: CutCounts, statistic: str, m: int, x: int) -> Bar:
    """Return the score of a table as a bar for others."""
    extreme, d = EXTREMES[statistic], np.array([cuts.n * x - m * cuts.ones])
    score = float(extreme.scores(cuts.n, cuts.ones, np.array([m]), d)[0])
    return Bar.of_table(extreme, cuts.n, cuts.ones, m, x, score)


def _most_extreme(cuts: CutCounts, statistic: str) -> tuple[int, int]:
    """Return size and ones of the table that scores highest of all."""
    m = np.concatenate([cuts.sizes, cuts.sizes])
    x = np.concatenate([_least(cuts), np.minimum(cuts.sizes, cuts.ones)])
    scores = EXTREMES[statistic].scores(cuts.n, cuts.ones, m, cuts.n * x - m * cuts.ones)
    best = int(scores.argmax())
    return int(m[best]), int(x[best])


def _least(cuts: CutCounts) -> Array:
    """Return the fewest ones that can lie to the left of each cut."""
    return np.asarray(np.maximum(cuts.sizes - cuts.n + cuts.ones, 0))


def _median_between(cuts: CutCounts, statistic: str, up_to: Bounds, below: Bounds) -> tuple[int, int] | None:
    """Return a table inside the bounds ``below`` and outside ``up_to``, about half of such scoring less; None if none.

    Of every cut there are those with fewer ones than expected, and those with more.
    """
    m, n = cuts.sizes, cuts.n
    (low, high), (inner_low, inner_high) = ([bound[m] for bound in bounds] for bounds in (below, up_to))
    low, high = np.maximum(low, _least(cuts)), np.minimum(high, np.minimum(m, cuts.ones))
    middle = m * cuts.ones // n
    none = inner_low > inner_high
    inner_low, inner_high = np.where(none, middle + 1, inner_low), np.where(none, middle, inner_high)
    start = np.concatenate([low, np.maximum(low, inner_high + 1)])
    stop = np.concatenate([np.minimum(high, inner_low - 1), high])
    some = np.flatnonzero(stop >= start)
    if not len(some):
        return None
    size, x = np.concatenate([m, m])[some], (start + stop)[some] // 2
    order = np.argsort(EXTREMES[statistic].scores(n, cuts.ones, size, n * x - size * cuts.ones))
    weights = (stop - start + 1)[some][order].cumsum()
    chosen = order[np.searchsorted(weights, weights[-1] / 2)]
    return int(size[chosen]), int(x[chosen])
