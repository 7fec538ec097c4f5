"""The p-values that the best cut of a feature can attain: few, where values or observations are few.

Main definitions: ``attained`` (the largest up to a level).
Main results: the p-value falls as the score grows, and every table at a cut occurs; so ``F(t)``, the largest attainable
p-value up to ``t``, is that of the least score of all tables at all cuts whose p-value is at most ``t``, found by
halving the list of the tables by their scores.
Source: Tarone, Biometrics 46 (1990) 515 (attainable p-values in tests of many hypotheses).
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from math import exp
from typing import Any

import numpy as np

from splitcrit.arguments import PATIENT, affordable, between, one_of, whole
from splitcrit.frozen import complaint
from splitcrit.nulls.best_cut import REMEDY, WORK, CutCounts, check_cost, seen, surprise
from splitcrit.nulls.extremes import EXTREMES, Bar, Statistic, inside
from splitcrit.nulls.feature_counts import Sides, feature_counts

TIE = 1e-11  # p-values closer than this, relative to their size, are equal
LISTED = 10**7  # tables at most: of more every p-value up to t is taken for one that occurs


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
    labels. The rows' totals and the class totals of the table count, and nothing else in it. Of a feature with more
    than ten million tables at its cuts, whose p-values lie close together, ``t`` itself is returned, which is larger.

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
    cuts, extreme = CutCounts(*totals, *(np.frombuffer(place, np.int64) for place in places)), EXTREMES[statistic]
    n, ones, sizes = cuts.n, cuts.ones, cuts.sizes
    least = np.maximum(sizes - n + ones, 0)
    ways = np.minimum(sizes, ones) - least + 1
    if ways.sum() > LISTED:
        return level
    m = np.repeat(sizes, ways)
    x = np.arange(len(m)) + np.repeat(least - ways.cumsum() + ways, ways)
    scores = extreme.scores(n, ones, m, n * x - m * ones)
    order = np.argsort(-scores, kind="stable")

    def pvalue(place: int) -> float:
        at = order[place]
        lower = inside(Bar.of_table(extreme, n, ones, int(m[at]), int(x[at]), float(scores[at])), sizes)
        if place == 0:
            check_cost(cuts, [lower], False, limit)
        return exp(-surprise(cuts, *lower))

    if pvalue(0) > level * (1 + TIE):
        return 0.0
    return pvalue(bisect_right(range(len(order)), level * (1 + TIE), key=pvalue) - 1)
