"""The p-value of the best of many thresholds: the null law of the largest score over all cuts of one feature.

The largest of many scores is not distributed as one of them, and a feature with more thresholds has more chances.

Main definitions: ``selected_pvalue`` (a ``SelectedPValue``); ``selected_tail``, of a given score or more; ``attained``,
the largest p-value up to a level that can occur.
Main results: for two classes the law is that of lattice paths (``best_cut``): the probability that one leaves the
bounds (``extremes``) of lower scores; for more classes random tables are drawn. The largest Gini gain is maximally
selected chi-square, and the largest pairwise gain is, but for a factor, the two-sample statistic of Smirnov. The
p-value falls as the score grows, and every table at a cut occurs; so ``F(t)``, the largest attainable p-value up to
``t``, is that of the least score of all tables at all cuts whose p-value is at most ``t``, found by halving the list of
the tables by their scores.
Source: strobl2007 (the Gini gain without ties), miller1982, hothorn2003; Tarone, Biometrics 46 (1990) 515 (attainable
p-values in tests of many hypotheses).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import exp, log
from numbers import Rational
from typing import Any, Literal, final

import numpy as np

from splitcrit.arguments import PATIENT, Array, affordable, between, codes, generator, one_of, truth, whole
from splitcrit.display import described, shortened
from splitcrit.frozen import complaint
from splitcrit.nulls import best_cut
from splitcrit.nulls.best_cut import REMEDY, WORK, CutCounts, check_cost, seen
from splitcrit.nulls.best_split import Labels, cut_moments, cut_scores, sides
from splitcrit.nulls.extremes import EXTREMES, Bar, Bounds, Statistic, inside, inside_each
from splitcrit.nulls.feature_counts import BINS, FeatureCounts, Sides, column_counts, feature_counts
from splitcrit.nulls.monte_carlo import check_total, estimated, tables_drawn

Method = Literal["auto", "lattice", "exact", "monte_carlo"]
MOST = 0.5  # a larger bound of a relative error is none
TIE = 1e-11  # scores closer than this, relative to 1 + |score|, and p-values, relative to their size, are equal
ALLOWANCE = 1e-12  # a score given as a float is rounded, and is lowered by so much
LARGEST = 1e150  # of a score, whose square is then finite
LISTED = 10**7  # tables at most: of more every p-value up to t is taken for one that occurs


@final
@dataclass(frozen=True, repr=False)
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
        How many observations lie to the left of the best cut, the first of those that tie; 0 without one. With
        ``missing="side"`` those with a value are counted, and missing values on the right come first.
    method
        ``"lattice"``, ``"exact"`` or ``"monte_carlo"``.
    standard_error
        The standard error of a Monte Carlo p-value, None elsewhere.
    missing_left
        Whether missing values lie to the left of the best cut, for ``missing="side"``.
    relative_error
        A bound, from counted roundings, of the error of ``value`` relative to the exact p-value, and of that of
        ``surprise``; 0 for a Fraction. None of a Monte Carlo p-value, of a single cut of a large sample, and of more
        than 959 observations with a surprise above 600. ``value`` itself is below all normal floats from 708 on.

    Examples
    --------
    >>> from splitcrit import selected_pvalue
    >>> found = selected_pvalue([1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1])
    >>> round(found.value, 6), found.cut, found.method
    (0.1, 3, 'lattice')
    >>> found.relative_error < 1e-13
    True
    """

    value: Any
    surprise: float
    score: float
    cut: int
    method: str
    standard_error: float | None = None
    missing_left: bool = False
    relative_error: float | None = None

    __repr__ = shortened
    _repr_html_ = described

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
    limit: float = PATIENT,
    missing: Sides = "error",
    feature: str | None = None,
    bins: int = BINS,
    resume: Any = None,
) -> SelectedPValue:
    """The p-value of the best cut of a feature: the probability that shuffled labels score as high.

    The cuts are those between different values with at least ``min_leaf`` observations on both sides.

    Parameters
    ----------
    table
        Integer counts of shape ``(r, k)`` or a `Table`, its rows in the feature's order; with a label the feature,
        a vector of numbers, dates or declared categories; with ``feature=`` data of `Tables.of`.
    label
        The class of every observation, or the name of its column.
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
        How many seconds the law of lattice paths may take, as counted for numpy on one processor.
    missing
        ``"row"`` puts missing feature values last, above all others; ``"side"`` puts them, at every cut, on the side
        where they score higher, and may cut them off alone; ``"error"`` refuses them. In a table of counts they are
        the last row.
    feature
        A column of numbers or dates in files or other data that are read in parts, see `Tables.of`.
    bins
        Such a column with more values is cut at quantiles into this many bins, without a look at the label: the p-value
        is then that of the best of these cuts, and as exact.
    resume
        With ``feature=``, a folder from which an interrupted run over files goes on; see `Tables.of`.

    Returns
    -------
    SelectedPValue
        Its value is 1 if there is no cut or one class, as there is in a table without observations.

    Raises
    ------
    ValueError
        If statistic, method and number of classes do not fit, if a feature is text, which has no order of its own, if
        there is no table of counts, or if the law takes more than ``limit`` seconds.

    See Also
    --------
    gini_pvalue : The p-value of a table fixed in advance.
    best_cut_law : The same for numbers as labels, or with missing values.
    best_subset_law : The p-value of the best subset of categories.
    split_test : Several features at once.

    Notes
    -----
    Time is O(n) times the width of the region of lower scores, which is about sqrt(n) unless the score is extreme;
    the result carries a bound of its rounding error (``relative_error``), some 30 n units of 2^-53.
    Proved: null.law_of_lattice_paths, null.selected_pvalue_is_uniform_on_its_values,
    null.roundings_add_up_in_sums_and_products, null.leaving_rounds_once_a_place.

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
    >>> round(float(selected_pvalue({"x": [1, 2, 3, 4, 5, 6], "y": [0, 0, 1, 0, 1, 1]}, "y", feature="x")), 4)
    0.6
    """
    one_of(statistic, Statistic, "a statistic")
    one_of(method, Method, "a method")
    mid, min_leaf = truth(mid, "mid"), whole(min_leaf, "min_leaf", 1)
    if feature is None:
        if resume is not None:
            rule, remedy = "resume= works on files", "pass paths with feature=, or leave out resume="
            raise TypeError(complaint(rule, "no feature=", remedy))
        counted = feature_counts(table, label, missing)
    else:
        counted = column_counts(table, label, feature, bins, missing, resume)
    classes = counted.counts.shape[1]
    if method == "auto":
        method = "lattice" if classes <= 2 else "monte_carlo"
    if classes > 2 and (method != "monte_carlo" or statistic == "pairwise_gain"):
        what = f"statistic={statistic!r}, method={method!r} with {classes} classes"
        remedy = "pass statistic='sgini' or 'gini' with method='monte_carlo'"
        raise ValueError(complaint("lattice paths and pairwise gains are for two classes", what, remedy))
    if mid and method == "monte_carlo":
        remedy = "pass mid=False, or two classes"
        raise ValueError(complaint("random tables have no mid p-value", f"mid={mid}, method={method!r}", remedy))
    if method == "monte_carlo":
        return _by_tables(counted, min_leaf, statistic, samples, rng)
    return _by_paths(counted, min_leaf, statistic, method, mid, limit)


def _nothing(method: str) -> SelectedPValue:
    """The test of a feature without a cut."""
    return SelectedPValue(Fraction(1) if method == "exact" else 1.0, 0.0, 0.0, 0, method, relative_error=0.0)


def _by_paths(
    counted: FeatureCounts, min_leaf: int, statistic: str, method: str, mid: bool, limit: float
) -> SelectedPValue:  # fmt: skip
    """The test of a feature with two classes."""
    best = best_cut.best(counted, min_leaf, EXTREMES[statistic], limit)
    if best is None:
        return _nothing(method)
    bounds = inside_each(best.bar, best.cuts.sizes, (False, True)[: 1 + mid])
    check_cost(best.cuts, bounds, method == "exact", limit)
    value, surprise, error = (_exact if method == "exact" else _rounded)(best.cuts, bounds)
    return SelectedPValue(
        value, surprise, best.bar.score, best.known, method, missing_left=best.missing_left, relative_error=error
    )


def _exact(cuts: CutCounts, bounds: Sequence[Bounds]) -> tuple[Fraction, float, float]:
    """The mean of the chances beyond some bounds, ``-log`` of it, and its error."""
    value = sum((best_cut.chance(cuts, *b) for b in bounds), Fraction(0)) / len(bounds)
    return value, log(value.denominator) - log(value.numerator), 0.0


def _rounded(cuts: CutCounts, bounds: Sequence[Bounds]) -> tuple[float, float, float | None]:
    """The mean of the chances beyond some bounds in float64, ``-log`` of it, and a bound of its error."""
    laws = [best_cut.law(cuts, *b) for b in bounds]
    surprise, units = laws[0].surprise, max(law.roundings for law in laws)
    if len(laws) > 1:
        surprise, units = log(2) - float(np.logaddexp(-surprise, -laws[1].surprise)), units + 3 * cuts.n + 24
    error = units * 2.0**-53
    return exp(-surprise), surprise, error / (1 - error) if error < MOST else None


def _by_tables(counted: FeatureCounts, min_leaf: int, statistic: str, samples: int, rng: Any) -> SelectedPValue:
    """The test of a feature from random tables."""
    cuts = m, after, more = sides(counted.sizes, counted.gaps, min_leaf)
    totals = counted.counts.sum(axis=0)
    if len(totals) < 2 or not len(m):
        return _nothing("monte_carlo")
    check_total(counted.counts, "divide the counts, or use fewer rows")
    labels = Labels.of_classes(totals)
    samples, rng = whole(samples, "samples", 1, 2**31), generator(rng)
    moments, order, n = cut_moments(m, labels), np.argsort(totals, kind="stable"), int(totals.sum())
    apart = n * (n - 1) / labels.square if statistic == "pairwise_gain" else None  # the score is then d^2 / n^2

    def scores(tables: Array) -> Array:
        sums = tables[..., order] @ labels.vectors
        return cut_scores(sums, cuts, labels, moments if statistic == "sgini" else None, apart)

    seen = scores(counted.counts[None])[0]
    best = int(seen.argmax())
    reached = seen[best] - TIE * (1 + abs(seen[best]))
    drawn = tables_drawn(counted.counts, samples, "permutation", rng)
    value, error = estimated(sum(int((scores(part).max(axis=1) >= reached).sum()) for part in drawn), samples)
    in_units = {"gini": seen[best] * moments[0][best], "pairwise_gain": n * max(seen[best], 0.0) ** 0.5 / 2}
    score = float(in_units.get(statistic, seen[best]))
    known = int(counted.sizes[: after[best] + 1].sum())
    return SelectedPValue(value, -log(value), score, known, "monte_carlo", float(error), bool(more[best]))


def selected_tail(
    score: Any, n: int, ones: int, *, cuts: Any = None, statistic: Statistic = "sgini", exact: bool = False,
    limit: float = PATIENT,
) -> Any:  # fmt: skip
    """The probability that the largest score over the cuts is at least ``score``, for two classes.

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
    one_of(statistic, Statistic, "a statistic")
    n, ones = whole(n, "n", 2), whole(ones, "ones", 1)
    affordable(2 * n, limit, WORK, REMEDY)  # at least, and without rounding
    places = np.arange(1, n) if cuts is None else np.unique(codes(cuts, "cuts"))
    if not (0 < ones < n and len(places) and places[0] > 0 and places[-1] < n):
        rule = "ones and cuts must lie between 1 and n - 1"
        raise ValueError(complaint(rule, f"n={n}, ones={ones}, cuts={cuts}", "pass counts of some on both sides"))
    extreme, read = EXTREMES[statistic], between(score, "a score", -LARGEST, LARGEST, example=2.5)
    if isinstance(score, Rational):
        least: Any = Fraction(int(score.numerator), int(score.denominator))
    else:
        least = read - ALLOWANCE * (1 + abs(read))
    exact = truth(exact, "exact")
    key = extreme.key_of(least)
    bounds = inside(Bar(extreme, n, ones, extreme.score_of(key), key), places)
    all_known = CutCounts(n, ones, 0, places, places[:0])
    check_cost(all_known, [bounds], exact, limit)
    return best_cut.chance(all_known, *bounds) if exact else float(np.exp(-best_cut.law(all_known, *bounds).surprise))


def attained(
    counts: Any,
    t: float,
    *,
    statistic: Statistic = "sgini",
    min_leaf: int = 1,
    missing: Sides = "error",
    limit: float = PATIENT,
) -> float:
    """The largest p-value up to ``t`` that the best cut of a feature can have, 0 without one.

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
    one_of(statistic, Statistic, "a statistic")
    level = float(between(t, "t", 0, 1))
    min_leaf, counted = whole(min_leaf, "min_leaf", 1), feature_counts(counts, None, missing)
    classes = counted.counts.shape[1]
    if classes > 2:
        remedy = "pass the p-value itself, which Monte Carlo has no list of"
        raise ValueError(complaint("attainable p-values are found for two classes", f"{classes}", remedy))
    cuts = seen(counted, min_leaf).cuts if classes == 2 else None
    if level >= 1 or cuts is None or not len(cuts.sizes):
        return float(level >= 1)
    affordable(2 * cuts.n, limit, WORK, REMEDY)
    places = cuts.right.tobytes(), cuts.left.tobytes()
    return _largest(statistic, (cuts.n, cuts.ones, cuts.gaps), places, level, limit)


@lru_cache(maxsize=256)
def _largest(
    statistic: str, totals: tuple[int, int, int], places: tuple[bytes, bytes], level: float, limit: float
) -> float:
    """``attained`` of a level below 1; features of equal ties share it."""
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
        return exp(-best_cut.law(cuts, *lower).surprise)

    if pvalue(0) > level * (1 + TIE):
        return 0.0
    return pvalue(bisect_right(range(len(order)), level * (1 + TIE), key=pvalue) - 1)
