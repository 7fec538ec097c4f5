"""The p-value of the best of many thresholds: the null law of the largest score over all cuts of one feature.

The largest of many scores is not distributed as one of them, and a feature with more thresholds has more chances.

Main definitions: ``selected_pvalue`` (a ``SelectedPValue``).
Main results: for two classes the law is that of lattice paths (``lattice``) between bounds (``extremes``); for more
classes random tables are drawn. The largest Gini gain is maximally selected chi-square, and the largest pairwise gain
is, but for a factor, the two-sample statistic of Smirnov.
Source: strobl2007 (the Gini gain without ties), miller1982, hothorn2003.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import generator, one_of, truth
from splitcrit.arguments import whole as whole_number
from splitcrit.limits import PATIENT, affordable
from splitcrit.nulls.extremes import EXTREMES, Statistic, inside
from splitcrit.nulls.lattice import REMEDY, WORK, chance_of_leaving, cutting_steps, path_steps, surprise_of_leaving
from splitcrit.nulls.margins import compact
from splitcrit.nulls.monte_carlo import check_total, estimated
from splitcrit.nulls.resampled import exceeding, scores_by_cut
from splitcrit.nulls.standardised import counted
from splitcrit.table import Table
from splitcrit.table.crossing import Missing
from splitcrit.table.levels import MISSING
from splitcrit.values import complaint

Array = NDArray[Any]
Method = Literal["auto", "lattice", "exact", "monte_carlo"]
METHODS = ("auto", "lattice", "exact", "monte_carlo")
NEAR = 1e-6  # scores in float64 closer than this to the best are compared in integers


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
        How many observations lie to the left of the best cut, the first of those that tie; 0 if there is none.
    method
        ``"lattice"``, ``"exact"`` or ``"monte_carlo"``.
    standard_error
        The standard error of a Monte Carlo p-value, None elsewhere.
    """

    value: Any
    surprise: float
    score: float
    cut: int
    method: str
    standard_error: float | None = None

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
    missing: Missing = "error",
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
        ``"row"`` puts missing feature values last, above all others; ``"error"`` refuses them.

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
    counts = counted(_ordered(Table.of(table, label, missing=missing), table if label is not None else None))
    if counts.ndim != 2:
        raise ValueError(complaint("one feature is tested at a time", f"{counts.shape}", "pass one table"))
    counts = compact(counts)
    classes = counts.shape[1]
    if method == "auto":
        method = "lattice" if classes <= 2 else "monte_carlo"
    if classes > 2 and (method != "monte_carlo" or statistic == "pairwise_gain"):
        what = f"statistic={statistic!r}, method={method!r} with {classes} classes"
        remedy = "pass statistic='sgini' or 'gini' with method='monte_carlo'"
        raise ValueError(complaint("lattice paths and pairwise gains are for two classes", what, remedy))
    if mid and method == "monte_carlo":
        remedy = "pass mid=False, or two classes"
        raise ValueError(complaint("random tables give no mid p-value", f"mid={mid}, method={method!r}", remedy))
    allowed = _cuts(counts, min_leaf)
    if classes < 2 or not allowed.any():
        return SelectedPValue(Fraction(1) if method == "exact" else 1.0, 0.0, 0.0, 0, method)
    if method == "monte_carlo":
        return _drawn(counts, allowed, statistic, samples, generator(rng))
    affordable(cutting_steps(int(counts.sum(dtype=object)), int(allowed.sum())), limit, WORK, REMEDY)
    return _counted_paths(counts, allowed, statistic, method, mid, limit)


def _ordered(table: Table, feature: Any) -> Table:
    """Return the table of a feature, which must have an order; that of text is declared or is none."""
    declared = getattr(getattr(feature, "dtype", None), "categories", None)
    text = next((name for name in table.row_names if isinstance(name, str | bytes) and name != MISSING), None)
    if feature is not None and declared is None and text is not None:
        remedy = "pass numbers, dates, categories of a declared order, or the table with its rows in order"
        raise ValueError(complaint("the cuts of a feature follow the order of its values", f"text, {text!r}", remedy))
    return table


def _cuts(counts: Array, min_leaf: int) -> Array:
    """Return which places between two rows leave enough on both sides."""
    min_leaf = whole_number(min_leaf, "min_leaf", 1)
    left = counts.sum(axis=1).cumsum()
    total = left[-1] if len(left) else 0
    return np.asarray((left[:-1] >= min_leaf) & (total - left[:-1] >= min_leaf))


def _counted_paths(counts: Array, allowed: Array, statistic: str, method: str, mid: bool, limit: int) -> SelectedPValue:
    extreme = EXTREMES[statistic]
    rarer = counts[:, int(np.argmin(counts.sum(axis=0)))]
    m, x = counts.sum(axis=1).cumsum(), rarer.cumsum()
    n, ones = int(m[-1]), int(x[-1])
    m, x = m[:-1][allowed], x[:-1][allowed]
    rough = scores_by_cut(counts, allowed, statistic)
    tied = np.flatnonzero(rough >= rough.max() - NEAR * (1 + abs(rough.max())))
    keys = [extreme.key(n, ones, int(m[i]), n * int(x[i]) - int(m[i]) * ones) for i in tied.tolist()]
    key = max(keys)
    bounds = [inside(extreme, n, ones, m, key, ties=ties) for ties in (False, True)[: 1 + mid]]
    affordable(len(bounds) * path_steps(n, ones, m, *bounds[0], method == "exact"), limit, WORK, REMEDY)
    found = extreme.score(key), int(m[tied[keys.index(key)]]), method
    if method == "exact":
        chances = [chance_of_leaving(n, ones, *b) for b in bounds]
        value = sum(chances, Fraction(0)) / len(chances)
        return SelectedPValue(value, log(value.denominator) - log(value.numerator), *found)
    surprises = [surprise_of_leaving(n, ones, *b) for b in bounds]
    surprise = log(len(bounds)) - float(np.logaddexp.reduce([-s for s in surprises]))
    return SelectedPValue(float(np.exp(-surprise)), surprise, *found)


def _drawn(counts: Array, allowed: Array, statistic: str, samples: int, rng: np.random.Generator) -> SelectedPValue:
    samples = whole_number(samples, "samples", 1)
    check_total(counts, "divide the counts, or use fewer rows")
    scores = scores_by_cut(counts, allowed, statistic)
    best = int(scores.argmax())
    cut = int(counts.sum(axis=1).cumsum()[:-1][allowed][best])
    value, error = estimated(exceeding(counts, allowed, statistic, float(scores[best]), samples, rng), samples)
    return SelectedPValue(value, -log(value), float(scores[best]), cut, "monte_carlo", float(error))
