"""The best cut of a feature under many orders of the labels at once.

Main definitions: ``Response`` (labels or numbers, and how a cut of them is scored), ``cuts_of``, ``best_scores``;
``joint_scores``, ``levels_of``.
Main results: for ``m`` rows to the left whose responses sum to ``s`` in each of the columns, with ``d = n s - m t`` and
``t`` the totals, ::

    Gini gain, decrease of the variance  =  sum d^2 / (n^2 m (n - m))

where the columns are one 0/1 column a class, or the numbers themselves. Of two classes, and of numbers, the subset of
categories with the largest gain is a cut of the categories in the order of their mean response (breiman1984, section
4.2); of more classes the cuts of the orders by the share of each class are searched.
Source: breiman1984.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.inference.features import CATEGORIES, Feature
from splitcrit.nulls.null import null_law
from splitcrit.nulls.resampled import TIE, gains_of_cuts

Array = NDArray[Any]
CELLS = 2**20  # responses permuted at a time
FIRST = 128  # permutations drawn before it is asked whether they are enough; then as many again


@dataclass(frozen=True, eq=False)
class Response:
    """The labels of a node.

    Parameters
    ----------
    columns
        One 0/1 column a class, or one column of numbers of mean 0 and mean square 1: ``(n, k)``.
    statistic
        ``"sgini"``, ``"gini"`` or ``"pairwise_gain"`` for classes; ``"variance"`` for numbers.
    min_leaf
        The fewest rows on a side.
    """

    columns: Array
    statistic: Any
    min_leaf: int

    @property
    def rows(self) -> int:
        return len(self.columns)

    @cached_property
    def totals(self) -> Array:
        """The sum of every column."""
        return np.asarray(self.columns.sum(axis=0))

    @cached_property
    def several(self) -> bool:
        """Whether every class occurs."""
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
        """Return the scores of cuts, sums ``left (..., c, k)`` of ``m (..., c)`` rows; -inf where a side is small."""
        allowed = (m >= self.min_leaf) & (self.rows - m >= self.min_leaf)
        m = np.clip(m, 1, self.rows - 1)
        found = gains_of_cuts(left, m, self.totals, self.rows, self.statistic)
        if self.statistic == "sgini":
            mean, spread = (moment[m] for moment in self.moments)
            found = (found - mean) / spread
        return np.where(allowed, found, -np.inf)


class Cuts(NamedTuple):
    """Cuts of one feature: the sums to the left ``(b, c, k)`` and their rows ``(b, c)`` or ``(c,)``.

    ``missing_left`` says where missing values are; ``order (b, r)`` how categories are ordered.
    """

    left: Array
    m: Array
    missing_left: bool = False
    order: Array | None = None


def cuts_of(feature: Feature, columns: Array) -> list[Cuts]:
    """Return the cuts of a feature for responses ``(b, n, k)``, each a permutation of the same ones."""
    absent, sums = _sums(feature, columns)
    if feature.kind == CATEGORIES:
        return ordered_cuts(feature.sizes, sums)
    left, m = sums.cumsum(axis=1), feature.sizes.cumsum()
    if not feature.missing:
        return [Cuts(left[:, :-1], m[:-1])]
    return [Cuts(left, m), Cuts(left[:, :-1] + absent, m[:-1] + feature.missing, missing_left=True)]


def _sums(feature: Feature, columns: Array) -> tuple[Array, Array]:
    """Return the sums of the columns over missing values ``(b, 1, k)`` and over each value ``(b, r, k)``."""
    responses, gap = columns[:, feature.order], feature.missing
    starts = gap + feature.sizes.cumsum() - feature.sizes
    present = np.add.reduceat(responses, starts, axis=1) if len(starts) else responses[:, :0]
    return responses[:, :gap].sum(axis=1, keepdims=True), present


def ordered_cuts(sizes: Array, sums: Array) -> list[Cuts]:
    """Return the cuts of categories in the order of their mean; of several classes, in that of each one's share."""
    found = []
    for k in range(1 if sums.shape[2] <= 2 else sums.shape[2]):
        order = np.argsort(sums[..., k] / sizes, axis=1, kind="stable")
        left = np.take_along_axis(sums, order[..., None], axis=1).cumsum(axis=1)[:, :-1]
        found.append(Cuts(left, sizes[order].cumsum(axis=1)[:, :-1], order=order))
    return found


def best_scores(feature: Feature, response: Response, columns: Array) -> Array:
    """Return the largest score of a feature under each of the permuted responses ``(b, n, k)``; -inf without a cut."""
    best = [response.scores(c.left, c.m).max(axis=-1, initial=-np.inf) for c in cuts_of(feature, columns)]
    return np.asarray(np.max(best, axis=0))


def joint_scores(
    features: Sequence[Feature], response: Response, permutations: int, rng: np.random.Generator, enough: int
) -> Array:
    """Return the largest score of every feature in the observed order and under joint permutations ``(1 + B, d)``.

    Drawing stops when ``enough`` permutations of every feature have scored as high as the observed order.
    """
    columns = response.columns
    found, seen = [_scored(features, response, columns[None])], np.zeros(len(features))
    size, drawn = max(1, CELLS // max(columns.size, 1)), 0
    while drawn < permutations and (seen < enough).any():
        now = min(size, permutations - drawn, max(FIRST, drawn))
        orders = rng.permuted(np.tile(np.arange(len(columns)), (now, 1)), axis=1)
        found.append(_scored(features, response, columns[orders]))
        seen += (found[-1] >= found[0] - TIE * (1 + np.abs(found[0]))).sum(axis=0)
        drawn += now
    return np.concatenate(found)


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
