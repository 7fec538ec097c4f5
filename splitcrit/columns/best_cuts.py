"""The labels of a node, and the best cut of a feature: as observed, and under many orders of the labels at once.

Main definitions: ``Response`` (labels or numbers, and how a cut of them is scored), ``read_response``; ``cuts_of`` (the
``CutSums`` of a feature), ``best_scores``, ``joint_scores``, ``levels_of``; ``best_cut`` (a ``NodeCut``).
Main results: for ``m`` rows to the left whose responses sum to ``s`` in each of the columns, with ``d = n s - m t`` and
``t`` the totals, ::

    Gini gain, decrease of the variance  =  sum d^2 / (n^2 m (n - m))

where the columns are one 0/1 column a class, or the numbers themselves. Of two classes, and of numbers, the subset of
categories with the largest gain is a cut of the categories in the order of their mean response (breiman1984, section
4.2); of more classes the cuts of the orders by the share of each class are searched. Where ``min_leaf`` forbids some
subsets, those of a category alone, the best of the others need not be such a cut: cuts are all that is searched, of the
observed order and of permuted ones alike.
Source: breiman1984.
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.columns.features import CATEGORIES, Feature
from splitcrit.columns.response_scores import ResponseScores, may_be_cut, rows_of, scores_of, standardised
from splitcrit.data.targets import Target, read_target
from splitcrit.data.training_inputs import one_for_each
from splitcrit.frozen import complaint
from splitcrit.nulls.best_cut import BestCut
from splitcrit.nulls.null import null_law
from splitcrit.nulls.resampled import TIE, gains_of_cuts

CELLS = 2**20  # responses permuted at a time
FIRST = 128  # permutations drawn before the first look whether they are enough; then as many again


@dataclass(frozen=True, eq=False)
class Response:
    """The labels of a node and the score of their cuts.

    Parameters
    ----------
    columns
        One 0/1 column a class, or columns of numbers of mean 0 and mean square 1/k: ``(n, k)``.
    statistic
        ``"sgini"``, ``"gini"`` or ``"pairwise_gain"`` for classes; ``"variance"`` for numbers.
    min_leaf
        The fewest rows on a side.
    may_be_cut
        Whether exact tests may cut numbers in two at quantiles.
    remarks
        On the classes.
    """

    columns: Array
    statistic: Any
    min_leaf: int
    may_be_cut: bool = True
    remarks: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.columns)

    @cached_property
    def totals(self) -> Array:
        """The sum of every column."""
        return np.asarray(self.columns.sum(axis=0))

    @property
    def one_order(self) -> bool:
        """True if the order by one column is that by all: of two classes, and of one column of numbers."""
        return len(self.totals) == (1 if self.statistic == "variance" else 2)

    @cached_property
    def several(self) -> bool:
        """True if every class occurs."""
        return bool(self.totals.all())

    @cached_property
    def moments(self) -> tuple[Array, Array]:
        """The null mean and standard deviation of the gain of ``m = 0, ..., n`` rows; infinite where it is fixed."""
        m = np.arange(1, self.rows)
        counts = np.broadcast_to(self.totals.astype(np.int64), (len(m), len(self.totals)))
        law = null_law(np.stack([m, self.rows - m], axis=-1), counts)
        mean, spread = np.zeros(self.rows + 1), np.full(self.rows + 1, np.inf)
        mean[1:-1], spread[1:-1] = law.mean, np.sqrt(np.where(law.variance > 0, law.variance, np.inf))
        return mean, spread

    def scores(self, left: Array, m: Array) -> Array:
        """Return the scores of cuts: sums ``left (..., c, k)`` of ``m (..., c)`` rows; -inf where a side is small."""
        allowed = (m >= self.min_leaf) & (self.rows - m >= self.min_leaf)
        m = np.clip(m, 1, self.rows - 1)
        scores = gains_of_cuts(left, m, self.totals, self.rows, self.statistic)
        if self.statistic == "sgini":
            mean, spread = self.moments
            scores = (scores - mean[m]) / spread[m]
        return np.where(allowed, scores, -np.inf)


def read_response(
    y: Any, kind: str, statistic: str, min_leaf: int, rows: int, function: ResponseScores | None = None,
    counts: Array | None = None,
) -> Response:  # fmt: skip
    """Read the labels of ``rows`` rows, or their scores by a function, and repeat each as often as it counts.

    What labels are is said by `read_target`; scores are made of the rows that stand for observations.

    Raises
    ------
    ValueError, TypeError
        If there are more or fewer, if they are neither classes nor finite numbers, or do not fit the statistic.
    """

    def counted(labels: Array) -> Array:
        one_for_each(labels, rows)
        return labels if counts is None else np.repeat(labels, counts, axis=0)

    if function is not None:
        if kind == "classes":
            rule, got = "response_scores makes numbers", "response='classes'"
            raise ValueError(complaint(rule, got, "leave out one of the two"))
        scores = standardised(scores_of(function, counted(rows_of(y))))
        return Response(scores, "variance", min_leaf, may_be_cut(function, scores.shape[1]))
    target = y if isinstance(y, Target) else read_target(y, kind)
    labels = counted(target.responses if target.kind == "numbers" else target.values)
    if target.kind == "numbers":
        if statistic == "pairwise_gain":
            remedy = "pass statistic='gini', or response='classes'"
            raise ValueError(complaint("a pairwise gain is one of two classes", "numbers", remedy))
        return Response(standardised(labels[:, None]), "variance", min_leaf)
    number = len(target.classes)
    if statistic == "pairwise_gain" and number > 2:
        remedy = "pass statistic='sgini' or 'gini'"
        raise ValueError(complaint("a pairwise gain is one of two classes", f"{number} classes", remedy))
    columns = (labels[:, None] == np.arange(number)).astype(np.float64)
    return Response(columns, statistic, min_leaf, remarks=target.remarks)


class CutSums(NamedTuple):
    """Cuts of one feature: the sums to the left ``(b, c, k)`` and their rows ``(b, c)`` or ``(c,)``.

    ``missing_left`` tells where missing values are; ``order (b, r)`` is the order of categories.
    """

    left: Array
    m: Array
    missing_left: bool = False
    order: Array | None = None


def cuts_of(feature: Feature, columns: Array, one_order: bool) -> list[CutSums]:
    """Return the cuts of a feature for responses ``(b, n, k)``, each a permutation of the same ones."""
    absent, sums = _sums(feature, columns)
    if feature.kind == CATEGORIES:
        return ordered_cuts(feature.sizes, sums, one_order)
    left, m = sums.cumsum(axis=1), feature.sizes.cumsum()
    if not feature.missing:
        return [CutSums(left[:, :-1], m[:-1])]
    return [CutSums(left, m), CutSums(left[:, :-1] + absent, m[:-1] + feature.missing, missing_left=True)]


def _sums(feature: Feature, columns: Array) -> tuple[Array, Array]:
    """Return the sums of the columns over missing values ``(b, 1, k)`` and over each value ``(b, r, k)``."""
    responses, gap = columns[:, feature.order], feature.missing
    starts = gap + feature.sizes.cumsum() - feature.sizes
    present = np.add.reduceat(responses, starts, axis=1) if len(starts) else responses[:, :0]
    return responses[:, :gap].sum(axis=1, keepdims=True), present


def ordered_cuts(sizes: Array, sums: Array, one_order: bool) -> list[CutSums]:
    """Return the cuts of categories in the order of the mean of each column, or of the first, if one order is all."""
    each = []
    for k in range(1 if one_order else sums.shape[2]):
        order = np.argsort(sums[..., k] / sizes, axis=1, kind="stable")
        left = np.take_along_axis(sums, order[..., None], axis=1).cumsum(axis=1)[:, :-1]
        each.append(CutSums(left, sizes[order].cumsum(axis=1)[:, :-1], order=order))
    return each


def best_scores(feature: Feature, response: Response, columns: Array) -> Array:
    """Return the largest score of a feature under each of the permuted responses ``(b, n, k)``; -inf without a cut."""
    cuts = cuts_of(feature, columns, response.one_order)
    best = [response.scores(c.left, c.m).max(axis=-1, initial=-np.inf) for c in cuts]
    return np.asarray(np.max(best, axis=0))


def joint_scores(
    features: Sequence[Feature], response: Response, permutations: int, rng: np.random.Generator, enough: int
) -> Array:
    """Return the largest score of every feature in the observed order and under joint permutations ``(1 + B, d)``.

    Drawing stops when ``enough`` permutations of every feature have scored as high as the observed order.
    """
    columns = response.columns
    scores, seen = [_scored(features, response, columns[None])], np.zeros(len(features))
    size, drawn = max(1, CELLS // max(columns.size, 1)), 0
    while drawn < permutations and (seen < enough).any():
        now = min(size, permutations - drawn, max(FIRST, drawn))
        orders = rng.permuted(np.tile(np.arange(len(columns)), (now, 1)), axis=1)
        scores.append(_scored(features, response, columns[orders]))
        seen += (scores[-1] >= scores[0] - TIE * (1 + np.abs(scores[0]))).sum(axis=0)
        drawn += now
    return np.concatenate(scores)


def _scored(features: Sequence[Feature], response: Response, columns: Array) -> Array:
    return np.stack([best_scores(feature, response, columns) for feature in features], axis=1)


def levels_of(scores: Array) -> Array:
    """Return scores as integers in the same order; those that differ by rounding alone are equal.

    Examples
    --------
    >>> levels_of(np.array([0.5, 0.1 + 0.2, 0.3])).tolist()
    [1, 0, 0]
    """
    order = np.argsort(scores, kind="stable")
    ranked = scores[order]
    levels = np.empty(len(scores), dtype=np.int64)
    levels[order] = np.concatenate([[0], np.cumsum(np.diff(ranked) > TIE * (1 + np.abs(ranked[:-1])))])
    return levels


class NodeCut(NamedTuple):
    """The score of a cut, -inf without one, and the rows on its left in words, by a threshold, or as categories."""

    score: float
    cut: str = ""
    threshold: Any = None
    left: tuple[Any, ...] = ()
    missing_left: bool = False


def best_cut(feature: Feature, response: Response, known: BestCut | None = None) -> NodeCut:
    """Return the best cut of a feature, the first of those that tie, which its law may know.

    Examples
    --------
    >>> response = Response(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]), "gini", 1)
    >>> best_cut(Feature("x", "numeric", np.array([2.0, 5.0]), np.array([0, 1, 1])), response)[1:3]
    ('x <= 3.5', 3.5)
    """
    if known is not None:
        values = int(np.searchsorted(feature.sizes.cumsum(), known.known)) + 1
        return _at_threshold(feature, known.bar.score, values, known.missing_left)
    best = NodeCut(-np.inf)
    for cuts in cuts_of(feature, response.columns[None], response.one_order):
        scores = response.scores(cuts.left, cuts.m).reshape(-1)
        if scores.max(initial=-np.inf) <= best.score:
            continue
        values = int(scores.argmax()) + 1
        score = float(scores[values - 1])
        if cuts.order is None:
            best = _at_threshold(feature, score, values, cuts.missing_left)
        else:
            left = tuple(sorted(feature.levels[cuts.order[0, :values]].tolist(), key=str))
            best = NodeCut(score, f"{feature.name} in {{{reprlib.repr(list(left))[1:-1]}}}", left=left)
    return best


def _at_threshold(feature: Feature, score: float, values: int, missing_left: bool) -> NodeCut:
    """Return the cut after the first ``values`` values."""
    threshold = feature.threshold(values)
    number = f"{threshold:.6g}" if isinstance(threshold, float) else str(threshold)
    words = f"{feature.name} is present" if values == len(feature.levels) else f"{feature.name} <= {number}"
    return NodeCut(score, words + (" or missing" if missing_left else ""), threshold, missing_left=missing_left)
