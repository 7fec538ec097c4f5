"""The p-value of the best of many thresholds: the null law of the largest score over all cuts of one feature.

The largest of many scores is not distributed as one of them, and a feature with more thresholds has more chances.

Main definitions: ``selected_pvalue`` (a ``SelectedPValue``).
Main results: for two classes the law is that of lattice paths (``best_cut``); for more classes random tables are drawn
(``by_tables``). The largest Gini gain is maximally selected chi-square, and the largest pairwise gain
is, but for a factor, the two-sample statistic of Smirnov.
Source: strobl2007 (the Gini gain without ties), miller1982, hothorn2003.
"""

from __future__ import annotations

from typing import Any, Literal

from splitcrit.arguments import PATIENT, one_of, truth, whole
from splitcrit.frozen import complaint
from splitcrit.nulls.best_cut_pvalue import SelectedPValue as SelectedPValue
from splitcrit.nulls.best_cut_pvalue import by_paths, by_tables
from splitcrit.nulls.extremes import EXTREMES, Statistic
from splitcrit.nulls.feature_counts import BINS, Sides, column_counts, feature_counts

Method = Literal["auto", "lattice", "exact", "monte_carlo"]
METHODS = ("auto", "lattice", "exact", "monte_carlo")


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
    """Return the p-value of the best cut of a feature: the probability that shuffled labels score as high.

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
    one_of(statistic, tuple(EXTREMES), "a statistic")
    one_of(method, METHODS, "a method")
    mid, min_leaf = truth(mid, "mid"), whole(min_leaf, "min_leaf", 1)
    if feature is None:
        if resume is not None:
            rule, remedy = "resume= works on files", "pass paths with feature=, or leave out resume="
            raise TypeError(complaint(rule, "no feature=", remedy))
        found = feature_counts(table, label, missing)
    else:
        found = column_counts(table, label, feature, bins, missing, resume)
    classes = found.counts.shape[1]
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
        return by_tables(found, min_leaf, statistic, samples, rng)
    return by_paths(found, min_leaf, statistic, method, mid, limit)
