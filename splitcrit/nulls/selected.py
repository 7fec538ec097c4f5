"""The p-value of the best of many thresholds: the null law of the largest score over all cuts of one feature.

The largest of many scores is not distributed as one of them, and a feature with more thresholds has more chances.

Main definitions: ``selected_pvalue`` (a ``SelectedPValue``), ``selected_pvalues`` (many features of one node).
Main results: for two classes the law is that of lattice paths (``best_cut``); for more classes random tables are drawn
(``resampled``). The largest Gini gain is maximally selected chi-square, and the largest pairwise gain
is, but for a factor, the two-sample statistic of Smirnov.
Source: strobl2007 (the Gini gain without ties), miller1982, hothorn2003.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import generator, one_of, truth, whole
from splitcrit.limits import PATIENT, affordable
from splitcrit.nulls import best_cut
from splitcrit.nulls.extremes import EXTREMES, Statistic, inside
from splitcrit.nulls.feature_counts import FeatureCounts, Sides, cut_masks, feature_counts, node_counts
from splitcrit.nulls.lattice import REMEDY, WORK, cutting_steps
from splitcrit.nulls.monte_carlo import check_total, estimated
from splitcrit.nulls.resampled import exceeding, scores_with_gaps
from splitcrit.values import complaint

Array = NDArray[Any]
Method = Literal["auto", "lattice", "exact", "monte_carlo"]
METHODS = ("auto", "lattice", "exact", "monte_carlo")


@final
@dataclass(frozen=True)
class SelectedPValue:
    """The best cut of a feature, and the probability that chance finds one as good.

    Parameters
    ----------
    value
        The p-value; a Fraction where it was asked for.
    surprise
        ``-log`` of it in nats, which tells values apart that are too small for a float.
    score
        The largest score; 0 if there is no cut.
    cut
        How many observations lie to the left of the best cut, the first of those that tie; 0 if there is none. With
        ``missing="side"`` those with a value are counted, and missing values on the right come first.
    method
        ``"lattice"``, ``"exact"`` or ``"monte_carlo"``.
    standard_error
        The standard error of a Monte Carlo p-value, None elsewhere.
    missing_left
        Whether missing values lie to the left of the best cut, for ``missing="side"``.
    """

    value: Any
    surprise: float
    score: float
    cut: int
    method: str
    standard_error: float | None = None
    missing_left: bool = False

    def __float__(self) -> float:
        return float(self.value)


def selected_pvalue(
    table: Any,
    label: Any = None,
    *,
    statistic: Statistic = "sgini",
    min_leaf: int = 1,
    mid: bool = False,
    method: Method = "auto",
    samples: int = 9999,
    rng: Any = None,
    limit: int = PATIENT,
    missing: Sides = "error",
) -> SelectedPValue:
    """Return the probability that the best cut of a feature scores so high if the labels are in random order.

    The cuts are those between different values with at least ``min_leaf`` observations on both sides.

    Parameters
    ----------
    table
        Integer counts of shape ``(r, k)`` or a `Table`, its rows in the feature's order; with a label the feature,
        a vector of numbers, dates or declared categories.
    label
        The class of every observation.
    statistic
        ``"sgini"``, ``"gini"``, or ``"pairwise_gain"`` (two classes).
    min_leaf
        The fewest observations on a side.
    mid
        Whether orders of the labels that score as high, and not higher, count half (two classes, no Monte Carlo). Few
        values make few p-values, which are large on average; mid p-values are 1/2 on average, whatever the feature,
        and are what features should be compared by. They are no bound of an error probability.
    method
        ``"lattice"``: two classes, float64. ``"exact"``: the same in integers, a Fraction.
        ``"monte_carlo"``: ``(1 + c) / (1 + samples)`` with ``c`` random tables whose best cut scores as high.
        ``"auto"``: lattice for two classes, Monte Carlo for more.
    samples
        How many random tables to draw.
    rng
        What ``numpy.random.default_rng`` takes, for Monte Carlo.
    limit
        How many steps the law of lattice paths may take; a step is about a microsecond.
    missing
        ``"row"`` puts missing feature values last, above all others; ``"side"`` puts them, at every cut, on the side
        where they score higher, and may cut them off alone; ``"error"`` refuses them. In a table of counts they are
        the last row.

    Returns
    -------
    SelectedPValue
        Its value is 1 if there is no cut or one class, as there is in a table without observations.

    Raises
    ------
    ValueError
        If statistic, method and number of classes do not fit, if a feature is text, which has no order of its own, if
        there is no table of counts, or if the law takes more than ``limit`` steps.

    Notes
    -----
    Time is O(n) times the width of the region of lower scores, which is about sqrt(n) unless the score is extreme;
    12 digits at n = 1000.
    Proved: null.law_of_lattice_paths, null.selected_pvalue_is_uniform_on_its_values.

    References
    ----------
    wang2024, eq. (11) (the criterion whose maximum is taken); strobl2007 (the law for the Gini gain without ties).

    Examples
    --------
    >>> found = selected_pvalue([1, 2, 3, 4, 5, 6], ["no", "no", "no", "yes", "yes", "yes"], method="exact")
    >>> found.value, found.cut
    (Fraction(1, 10), 3)
    >>> selected_pvalue([[3, 0], [0, 3]], method="exact").value  # one cut alone, which no search has chosen
    Fraction(1, 10)
    >>> round(float(selected_pvalue([1, 2, 3, 4, 5, 6], [0, 0, 1, 0, 1, 1])), 4)
    0.6
    """
    one_of(statistic, tuple(EXTREMES), "a statistic")
    one_of(method, METHODS, "a method")
    mid = truth(mid, "mid")
    found = feature_counts(table, label, missing)
    classes = found.counts.shape[1]
    if method == "auto":
        method = "lattice" if classes <= 2 else "monte_carlo"
    if classes > 2 and (method != "monte_carlo" or statistic == "pairwise_gain"):
        what = f"statistic={statistic!r}, method={method!r} with {classes} classes"
        remedy = "pass statistic='sgini' or 'gini' with method='monte_carlo'"
        raise ValueError(complaint("lattice paths and pairwise gains are for two classes", what, remedy))
    if mid and method == "monte_carlo":
        remedy = "pass mid=False, or two classes"
        raise ValueError(complaint("random tables give no mid p-value", f"mid={mid}, method={method!r}", remedy))
    if method == "monte_carlo":
        return _drawn(found, min_leaf, statistic, samples, rng)
    return _by_paths(found, min_leaf, statistic, method, mid, limit)


def selected_pvalues(
    tables: Sequence[Any],
    *,
    statistic: Statistic = "sgini",
    min_leaf: int = 1,
    mid: bool = False,
    limit: int = PATIENT,
    missing: Sides = "error",
) -> list[SelectedPValue]:
    """Return the p-value of the best cut of each of many features of one node, for two classes.

    The tables are validated together, the moments of their cuts are computed once, and features with equal ties and
    equal scores share one law.

    Parameters
    ----------
    tables
        Integer counts of shape ``(r, 2)`` for each feature, its rows in the feature's order.
    statistic, min_leaf, mid, limit, missing
        As in `selected_pvalue`.

    Raises
    ------
    ValueError
        As `selected_pvalue` does, or if the tables have different classes.

    Examples
    --------
    >>> found = selected_pvalues([[[3, 0], [0, 3]], [[1, 1], [1, 1], [1, 1]]])
    >>> [round(float(test), 12) for test in found]
    [0.1, 1.0]
    """
    one_of(statistic, tuple(EXTREMES), "a statistic")
    mid, every = truth(mid, "mid"), node_counts(tables, missing)
    for found in every:
        if found.counts.shape[1] > 2:
            remedy = "pass them to selected_pvalue one at a time"
            raise ValueError(complaint("lattice paths are for two classes", f"{found.counts.shape[1]}", remedy))
    known: dict[Any, tuple[Any, float]] = {}
    return [_by_paths(found, min_leaf, statistic, "lattice", mid, limit, known) for found in every]


def _nothing(method: str) -> SelectedPValue:
    """Return the test of a feature without a cut."""
    return SelectedPValue(Fraction(1) if method == "exact" else 1.0, 0.0, 0.0, 0, method)


def _by_paths(
    found: FeatureCounts, min_leaf: int, statistic: str, method: str, mid: bool, limit: int, known: Any = None
) -> SelectedPValue:
    """Return the test of a feature with two classes; ``known`` holds the laws of other features of its node."""
    seen = best_cut.seen(found, min_leaf) if found.counts.shape[1] == 2 else None
    if seen is None or not len(seen.at):
        whole(min_leaf, "min_leaf", 1)
        return _nothing(method)
    cuts = seen.cuts
    affordable(cutting_steps(cuts.n, len(seen.at)), limit, WORK, REMEDY)
    bar, place = best_cut.best(seen, EXTREMES[statistic])
    same = (cuts.right.tobytes(), cuts.left.tobytes(), cuts.gaps, bar.exact)
    law = known.get(same) if known is not None else None
    if law is None:
        bounds = [inside(bar, cuts.sizes, ties=ties) for ties in (False, True)[: 1 + mid]]
        best_cut.check_cost(cuts, bounds, method == "exact", limit)
        law = (_exact if method == "exact" else _rounded)(cuts, bounds)
        if known is not None:
            known[same] = law
    left = place >= len(cuts.right)
    cut = cuts.left[place - len(cuts.right)] if left else cuts.right[place]
    return SelectedPValue(*law, bar.score, int(cut), method, missing_left=left)


def _exact(cuts: best_cut.Cuts, bounds: list[tuple[Array, Array]]) -> tuple[Fraction, float]:
    """Return the mean of the chances beyond some bounds, and ``-log`` of it."""
    value = sum((best_cut.chance(cuts, *b) for b in bounds), Fraction(0)) / len(bounds)
    return value, log(value.denominator) - log(value.numerator)


def _rounded(cuts: best_cut.Cuts, bounds: list[tuple[Array, Array]]) -> tuple[float, float]:
    """Return the mean of the chances beyond some bounds in float64, and ``-log`` of it."""
    surprises = [best_cut.surprise(cuts, *b) for b in bounds]
    surprise = surprises[0] if len(bounds) == 1 else log(2) - float(np.logaddexp(-surprises[0], -surprises[1]))
    return exp(-surprise), surprise


def _drawn(found: FeatureCounts, min_leaf: int, statistic: str, samples: int, rng: Any) -> SelectedPValue:
    """Return the test of a feature from random tables."""
    counts, (right, left) = found.counts, cut_masks(found, min_leaf)
    if counts.shape[1] < 2 or not (right.any() or left.any()):
        return _nothing("monte_carlo")
    samples = whole(samples, "samples", 1)
    check_total(counts, "divide the counts, or use fewer rows")
    scores = scores_with_gaps(counts, right, left, statistic)
    best = int(scores.argmax())
    m = counts[:-1].sum(axis=1).cumsum()
    cut = int(np.concatenate([m[right], m[:-1][left[1:]]])[best])
    _, reached = exceeding(counts, (right, left), statistic, float(scores[best]), samples, generator(rng))
    value, error = estimated(reached, samples)
    gaps_left = best >= int(right.sum())
    return SelectedPValue(value, -log(value), float(scores[best]), cut, "monte_carlo", float(error), gaps_left)
