"""The law of the largest score over the cuts of a feature with two classes: the probability of a given score or more.

Main definitions: ``selected_tail``.
Main results: it is the probability that a lattice path (``paths``) leaves the bounds (``extremes``) of lower scores.
"""

from __future__ import annotations

from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from splitcrit.arguments import PATIENT, affordable, between, codes, one_of, truth, whole
from splitcrit.frozen import complaint
from splitcrit.nulls.best_cut import REMEDY, WORK, CutCounts, chance, check_cost, surprise
from splitcrit.nulls.extremes import EXTREMES, Bar, Statistic, inside

ALLOWANCE = 1e-12  # a score given as a float is rounded, and is lowered by so much
LARGEST = 1e150  # of a score, whose square is then finite


def selected_tail(
    score: Any, n: int, ones: int, *, cuts: Any = None, statistic: Statistic = "sgini", exact: bool = False,
    limit: float = PATIENT,
) -> Any:  # fmt: skip
    """Return the probability that the largest score over the cuts is at least ``score``, for two classes.

    Parameters
    ----------
    score
        A number. A float is taken as rounded, and scores within 1e-12 of it count as reached; for an int or a
        Fraction it is exactly that.
    n, ones
        How many observations there are, and how many are in the first class.
    cuts
        The numbers of observations to the left that are looked at; by default 1 to ``n - 1``.
    statistic
        ``"sgini"``, ``"gini"`` or ``"pairwise_gain"``.
    exact
        Whether to return a Fraction.
    limit
        How many seconds the law may take, as counted for numpy on one processor.

    Raises
    ------
    ValueError
        If ``ones`` or a cut does not lie between 1 and ``n - 1``, or the law takes more than ``limit`` seconds.

    Notes
    -----
    Proved: null.law_of_lattice_paths.

    Examples
    --------
    >>> selected_tail(Fraction(9, 2), 6, 3, statistic="pairwise_gain", exact=True)  # all of one class come first
    Fraction(1, 10)
    >>> round(selected_tail(2.5, 1000, 400), 4)
    0.6249
    """
    one_of(statistic, tuple(EXTREMES), "a statistic")
    n, ones = whole(n, "n", 2), whole(ones, "ones", 1)
    affordable(2 * n, limit, WORK, REMEDY)  # at least, and without rounding
    found = np.arange(1, n) if cuts is None else np.unique(codes(cuts, "cuts"))
    if not (0 < ones < n and len(found) and found[0] > 0 and found[-1] < n):
        rule = "ones and cuts must lie between 1 and n - 1"
        raise ValueError(complaint(rule, f"n={n}, ones={ones}, cuts={cuts}", "pass counts of some on both sides"))
    extreme, read = EXTREMES[statistic], between(score, "a score", -LARGEST, LARGEST, example=2.5)
    if isinstance(score, Rational):
        least: Any = Fraction(int(score.numerator), int(score.denominator))
    else:
        least = read - ALLOWANCE * (1 + abs(read))
    exact = truth(exact, "exact")
    key = extreme.key_of(least)
    bounds = inside(Bar(extreme, n, ones, extreme.score_of(key), key), found)
    all_known = CutCounts(n, ones, 0, found, found[:0])
    check_cost(all_known, [bounds], exact, limit)
    return chance(all_known, *bounds) if exact else float(np.exp(-surprise(all_known, *bounds)))
