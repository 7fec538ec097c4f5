"""The split kernel: every threshold of one column, scored at once.

Sort the column, add up the class weights in that order, and read off what lies left of each threshold; the criterion's
formula then scores all of them as one batch. That is the whole search for a split of a node, in numpy.

Arrays: a column has ``n`` values, ``t`` thresholds and ``K`` classes. ``hot (n, K)`` holds the weight of each sample in
the column of its class; ``left`` and ``right`` are ``(t, K)``, the class weights of the two sides. It costs ``n log n``
for the order, ``n K`` for the sums and ``t K`` for the scores.

Main definitions: ``split_scores``, ``SplitScores``; ``positive_weights``, ``thresholds``, ``sides`` and ``scores``, of
which it is made; ``divisions`` (of a column of categories).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import Array, finite
from splitcrit.arguments import codes as class_codes
from splitcrit.criteria import Criterion, as_criterion
from splitcrit.display import shortened
from splitcrit.frozen import complaint

MOST_CLASSES = 10_000


@dataclass(frozen=True, eq=False, repr=False)
class SplitScores:
    """The splits of a column: values up to ``threshold`` go left, missing ones if ``missing_left``.

    ``left`` and ``right`` are the class weights ``(t, K)`` of the sides, ``score (t,)`` is what the criterion says.
    """

    threshold: Array
    missing_left: Array
    score: Array
    left: Array
    right: Array

    __repr__ = shortened


def split_scores(values: Any, codes: Any, criterion: Any, weights: Any = None) -> SplitScores:
    """Score every threshold of a column of numbers.

    A threshold lies halfway between two neighbouring values. NaN is a missing value: each threshold is scored with the
    missing values on the right and with them on the left, and so is the split of known from missing values.

    Parameters
    ----------
    values : array (n,)
        The column; NaN is missing.
    codes : int array (n,)
        Classes 0 to K - 1.
    criterion : Criterion or Impurity
        What scores tables of two rows; an impurity means its decrease.
    weights : array (n,), optional
        Positive sample weights; 1 by default.

    Returns
    -------
    SplitScores
        In the order of the thresholds; with missing values, those with missing values on the right first.

    Raises
    ------
    ValueError, TypeError
        If lengths differ, a value is infinite, a weight is not positive, or classes are not coded.

    Examples
    --------
    >>> from splitcrit import gini
    >>> found = split_scores([3.0, 1.0, 2.0, 4.0], [1, 0, 0, 1], gini)
    >>> found.threshold.tolist(), found.score.round(3).tolist()
    ([1.5, 2.5, 3.5], [0.167, 0.5, 0.167])
    >>> found.left.tolist()
    [[1.0, 0.0], [2.0, 0.0], [2.0, 1.0]]
    """
    column, classes = finite(values, "values", 1, missing=True), class_codes(codes, "class codes")
    heavy = positive_weights(weights, len(classes))
    if not len(column) == len(classes) == len(heavy):
        rule, got = "values, class codes and weights are of one length", f"{len(column)}, {len(classes)}, {len(heavy)}"
        raise ValueError(complaint(rule, got, "pass one of each for a sample"))
    if classes.max(initial=0) >= MOST_CLASSES:
        rule = f"a column is scored for fewer than {MOST_CLASSES} classes"
        raise ValueError(complaint(rule, f"code {classes.max()}", "code the classes"))
    hot = (classes[:, None] == np.arange(classes.max(initial=0) + 1)) * heavy[:, None]
    cuts, goes = thresholds(column + 0.0)
    left, right, _ = sides(column, hot, cuts, goes)
    return SplitScores(cuts, goes, scores(as_criterion(criterion), left, right), left, right)


def positive_weights(weights: Any, rows: int) -> Array:
    """Return sample weights in float64, 1 where there are none, or raise one sentence: they are positive."""
    heavy = np.ones(rows) if weights is None else finite(weights, "weights", 1)
    with np.errstate(over="ignore"):
        whole = heavy.sum()
    if not ((heavy > 0).all() and np.isfinite(whole)):
        raise ValueError(complaint("weights are positive and have a finite sum", f"{heavy.min():g}", "scale them"))
    return heavy


def thresholds(values: Array) -> tuple[Array, Array]:
    """The thresholds ``(t,)`` between different values, and whether missing values go left.

    A threshold is halfway, or the lower value where no number lies between. Where values are missing, each comes twice,
    and an infinite one sends all known values left.
    """
    lost = np.isnan(values)
    distinct = np.unique(values[~lost]).astype(float)
    low, high = distinct[:-1], distinct[1:]
    half = low / 2 + high / 2  # no sum that overflows
    cuts = np.where((half >= low) & (half < high), half, low)
    if not lost.any():
        return cuts, np.zeros(len(cuts), dtype=bool)
    both = np.concatenate([cuts, [np.inf][: len(distinct)], cuts])
    return both, np.arange(len(both)) >= len(both) - len(cuts)


def sides(values: Array, hot: Array, cuts: Array, goes: Array) -> tuple[Array, Array, Array]:
    """The class weights ``(t, K)`` left and right of each threshold, and how many samples go left.

    Each side is added up from its own end, so that a class which is absent weighs exactly 0.
    """
    order = np.argsort(values, kind="stable")  # missing values come last
    known = len(values) - int(np.isnan(values).sum())
    before, after = np.zeros((2, known + 1, hot.shape[1]))  # before[i]: the class weights of the first i known samples
    np.cumsum(hot[order[:known]], axis=0, out=before[1:])
    np.cumsum(hot[order[:known]][::-1], axis=0, out=after[-2::-1])
    lost, at = hot[order[known:]].sum(axis=0), np.searchsorted(values[order[:known]], cuts, side="right")
    left, right = before[at] + np.outer(goes, lost), after[at] + np.outer(~goes, lost)
    return left, right, at + goes * (len(values) - known)


def divisions(values: Array, hot: Array) -> tuple[Array, Array, Array, Array]:
    """Every division of a column of categories into two sets: its number, class weights of sides, size of left.

    The j-th of the levels in order goes left where bit j of the number is set; the last always goes right, and missing
    is the last level.

    Examples
    --------
    >>> divisions(np.array([4.0, 2.0, 9.0, 2.0]), np.ones((4, 1)))[3].tolist()  # {2}, {4}, {2, 4}
    [2, 1, 3]
    """
    levels, place = np.unique(values, return_inverse=True)
    numbers = np.arange(1, 2 ** max(len(levels) - 1, 0))
    goes = (numbers[:, None] >> place & 1).astype(bool)
    return numbers, goes @ hot, ~goes @ hot, goes.sum(axis=1)


def scores(criterion: Criterion, left: Array, right: Array) -> Array:
    """The scores ``(t,)`` of splits by the criterion's formula, which takes classes first, ``(K, t)``."""
    if not len(left):
        return np.empty(0)
    criterion.check(2, left.shape[1])
    table = np.ascontiguousarray(left.T), np.ascontiguousarray(right.T)
    return np.asarray(criterion.of_floats(table), dtype=float)
