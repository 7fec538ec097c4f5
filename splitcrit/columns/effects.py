"""Effects that no search selects, each with an interval, beside the p-value of a column; and the difference at its cut.

Main definitions: ``column_effect`` (a ``ColumnEffect``) of a column against a target; ``class_difference`` and
``mean_difference``, of the two sides of the best cut, whose intervals hold for all cuts at once.
Main results: rows are independent draws. Which effect is asked depends on what the column and the target are ::

    two classes, values in an order     AUC    P(X of the second > X of the first) + P(both equal) / 2
    numbers, values in an order         rho    the correlation of ranks, of tied ones their mean (Spearman)
    more classes, values in an order    R2     the share of the variance of ranks that the classes explain
    categories, classes                 R2     the share of the impurity of the classes that they explain
    categories, numbers                 R2     the share of the variance of ranks that they explain

A share that ``r`` groups of ``n`` rows explain is corrected for chance, ``1 - (1 - share) (n - 1) / (n - r)``. More
classes have no direction: what is left of the AUC is how far their ranks lie apart, a share as Kruskal and Wallis test
it. Numbers count by their ranks, whatever their kurtosis, so that a sample and its population have one effect. All
three intervals are Wilson's, with the number of rows that would vary as much if each were a success or none: ::

    (estimate - theta)^2 = z^2 theta (1 - theta) / N

For AUC and ``(1 + rho) / 2`` the variance is that of their parts, one a row, with a few rows added that vary as much
as any can, so that few rows never look sure. Of a share N is the least that any table has, and its variance by chance
is added: an upper bound alone, since levels of unequal spread move the lower end.
Near-misses: the share of the best cut; an interval of the cut as if it had been fixed beforehand.
Source: wilson1927; delong1988 (the parts of an AUC); newcombe1998 (differences).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Any, final

import numpy as np

from splitcrit.arguments import Array
from splitcrit.columns.column_tests import PermutedTarget, Question, share_weights
from splitcrit.nulls.best_split import Labels
from splitcrit.nulls.binomial import clopper_pearson
from splitcrit.nulls.evidence import centred_ranks
from splitcrit.nulls.response_law import mean_variance

MISSED = 0.05  # how often an interval of 95 % misses
ADDED = 2  # rows that vary as much as any can, beside those of the sample
# ``n`` times the variance of a share of normal responses, over ``share (1 - share)``, at most.
FOUR = 4.0
POOLED = 4  # rows that vary as much as those of both sides do, beside those of a side of a cut
DIGITS = 12  # after the point
SIDE = 10  # rows on a side of a cut from which the variance of responses is known
EFFECT = "effect [95 %]"
TOLD = {
    "AUC": "AUC: how often a value of the second class exceeds one of the first.",
    "rho": "rho: the correlation of the ranks of column and target.",
    "R2": "R2: the share told of the impurity, or of the variance of ranks, less chance.",
}

SideDifference = tuple[float, float | None, float | None]  # and the ends of its interval


@final
@dataclass(frozen=True, repr=False)
class ColumnEffect:
    """An effect with its interval of 95 %.

    Parameters
    ----------
    name
        ``"AUC"``, ``"rho"`` or ``"R2"``.
    value
        The estimate. R2 is 0 on average by chance, and may be less.
    low, high
        The ends of the interval; ``low`` is None of R2, which has an upper bound alone.

    Examples
    --------
    >>> print(ColumnEffect("rho", -0.45, -0.56, -0.33), ColumnEffect("R2", 0.1, None, 0.25), sep="; ")
    rho -.45 [-.56, -.33]; R2 .10 up to .25
    """

    name: str
    value: float
    low: float | None
    high: float

    def __str__(self) -> str:
        value, low, high = (f"{x or 0.0:z.2f}".replace("0.", ".") for x in (self.value, self.low, self.high))
        return f"{self.name} {value} " + (f"up to {high}" if self.low is None else f"[{low}, {high}]")

    __repr__ = __str__


def plain_effect(effect: ColumnEffect | None) -> dict[str, Any]:
    """An effect as parts of a record: ``effect``, ``effect_of``, ``effect_low``, ``effect_high``; None without one.

    Examples
    --------
    >>> plain_effect(ColumnEffect("AUC", 0.7, 0.6, 0.8))
    {'effect': 0.7, 'effect_of': 'AUC', 'effect_low': 0.6, 'effect_high': 0.8}
    """
    names = {"effect": "value", "effect_of": "name", "effect_low": "low", "effect_high": "high"}
    return {name: getattr(effect, part, None) for name, part in names.items()}


def effects_told(effects: Iterable[ColumnEffect | None]) -> list[str]:
    """What the effects that are shown mean, a sentence each.

    Examples
    --------
    >>> effects_told([None, ColumnEffect("rho", 0.5, 0.4, 0.6)])
    ['rho: the correlation of the ranks of column and target.']
    """
    names = {effect.name for effect in effects if effect}
    return [sentence for name, sentence in TOLD.items() if name in names]


def column_effect(column: Array, target: PermutedTarget, question: Question, gaps: bool) -> ColumnEffect | None:
    """The effect of a column, as ``column_test`` takes it, on a target; None where there is none to tell.

    Rows without a value have no place in an order and are left out; among categories they are one. The scores that a
    function made of responses have no effect, nor have rows that are not independent.

    Examples
    --------
    >>> counts = np.array([[8, 2], [2, 8]])
    >>> print(column_effect(counts, PermutedTarget.of_classes(counts.sum(axis=0)), "cut", False))
    AUC .80 [.50, .94]
    >>> print(column_effect(np.arange(40), PermutedTarget.of_responses(np.arange(40) % 20), "cut", False))
    rho .50 [.16, .73]
    """
    places = target.places
    if target.dependent is not None or (target.responses is not None and places is None):
        return None
    counts = target.labels.counts
    if places is not None or target.valued:  # numbers, of rows or of groups of them
        x, y = np.nonzero(column) if places is None else (column, places)
        often = column[x, y] if places is None else np.ones(len(x), np.int64)
        if question != "cut":
            counts = np.bincount(y, often).astype(np.int64)
            z = centred_ranks(counts)
            return _share(np.bincount(x, often * z[y])[:, None], np.bincount(x, often), z[:, None], counts)
        known = x < x.max() + 1 - gaps
        return _rank_correlation(x[known], y[known], often[known])
    if question != "cut":
        vectors = counts.sum() * np.eye(len(counts), dtype=np.int64) - counts  # of the classes, in whole numbers
        return _share(column[:, target.order] @ vectors, column.sum(axis=1), vectors, counts)
    table = column[: len(column) - gaps]
    if len(counts) == 2:
        return _superiority(*table.T)
    ranks, sizes = centred_ranks(table.sum(axis=1)), table.sum(axis=0)
    return _share((ranks @ table)[sizes > 0, None], sizes[sizes > 0], ranks[:, None], table.sum(axis=1))


def _wilson(share: float, rows: float, z: float, by_chance: float = 0.0) -> tuple[float, float]:
    """The ends of ``(share - t)^2 = z^2 (t (1 - t) / rows + by_chance (1 - t)^2)``, within 0 and 1."""
    noise, chance = z * z / rows, z * z * by_chance
    square, linear = 1 + noise - chance, share + noise / 2 - chance
    if square <= 0:
        return 0.0, 1.0
    root = sqrt(max(linear * linear - square * (share * share - chance), 0.0))
    return max((linear - root) / square, 0.0), min((linear + root) / square, 1.0)


def _reach(freedom: float, sides: int = 2) -> float:
    """How many standard errors an interval of 95 % reaches, where the error has some degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(max(freedom, 1.0), 1 - MISSED / sides))


def _effect(name: str, value: float, low: float | None, high: float) -> ColumnEffect:
    """An effect without the last digits, which columns and classes in the other order round otherwise."""
    return ColumnEffect(name, round(value, DIGITS), None if low is None else round(low, DIGITS), round(high, DIGITS))


def _superiority(first: Array, second: Array) -> ColumnEffect | None:
    """The chance that a value of the second class exceeds one of the first, by how often each has each value."""
    n, m = int(first.sum()), int(second.sum())
    if not n or not m or len(first) < 2:
        return None
    below, above = centred_ranks(first) / (2 * n), -centred_ranks(second) / (2 * m)
    # The AUC less 1/2, of which names of classes change the sign alone.
    apart = fsum(below * second) / m
    p = (0.5 - apart) * (0.5 + apart)
    each = [(fsum((z - apart) ** 2 * often), rows) for z, often, rows in ((below, second, m), (above, first, n))]
    terms = [((square + ADDED * p) / (rows - 1 + ADDED) / rows, rows - 1 + ADDED) for square, rows in each]
    variance = sum(term for term, _ in terms)
    freedom = variance**2 / sum(term**2 / rows for term, rows in terms) if variance else n + m - 2
    rows = max(p / variance, min(n, m)) if p * variance else min(n, m)
    return _effect("AUC", 0.5 + apart, *_wilson(0.5 + apart, rows, _reach(freedom)))


def _rank_correlation(x: Array, y: Array, often: Array) -> ColumnEffect | None:
    """Spearman's correlation of the places ``x`` and ``y`` of values, of rows that each stand for some."""
    n = float(often.sum()) or 1.0  # rows may all be without a value
    a, b = (centred_ranks(np.bincount(codes, often))[codes] for codes in (x, y))
    squares = [fsum(often * z * z) / n for z in (a, b)]
    if not min(squares, default=0.0) > 0:
        return None
    unit = sqrt(squares[0] * squares[1])
    rho = max(-1.0, min(1.0, fsum(often * a * b) / n / unit))

    def passed_on(codes: Array, z: Array) -> Array:
        """What a row adds to the ranks of those above it, times their ``z``; all are whole numbers."""
        sums = np.bincount(codes, often * z)
        return np.asarray((2 * (sums.sum() - sums.cumsum()) + sums)[codes])

    part = (a * b + passed_on(x, b) + passed_on(y, a)) / unit - 3 * rho  # a row's part in n (estimate - rho)
    for codes, z, square in ((x, a, squares[0]), (y, b, squares[1])):
        part -= rho / 2 * ((z * z + 2 * passed_on(codes, z)) / square - 3)
    p, most = 1 - rho * rho, fsum(often * a**4) * fsum(often * b**4) / (n * unit * unit) ** 2
    variance = (fsum(often * part * part) + ADDED * most * p) / (n * (n - 1 + ADDED))
    variance = max(variance, p * p * (1 + rho * rho / 2) / max(n - 3, 1))  # of normal rows: bonett2000
    rows = p / variance if p > 0 else n
    low, high = _wilson((1 + rho) / 2, rows, _reach(n - 3))
    return _effect("rho", rho, 2 * low - 1, 2 * high - 1)


def _share(sums: Array, sizes: Array, vectors: Array, counts: Array) -> ColumnEffect | None:
    """The corrected share of the variance of centred ``vectors (v, q)``, each so often, by groups ``sums (g, q)``."""
    labels = Labels(vectors * 1.0, counts, False)
    n, groups, square = int(counts.sum()), len(sizes), labels.square
    if not n >= 2 * groups > 2 or not square:  # with fewer rows a level its upper bound covers .90
        return None
    heavy, worth = float(counts @ (labels.vectors**2).sum(axis=1) ** 2) * n / square**2, (n - 1) / (n - groups)
    share = 1 - worth * (1 - fsum((sums * (sums / sizes[:, None])).ravel()) / square)
    spread = float(mean_variance(np.sort(sizes).astype(float), *share_weights(labels))[1])
    high = _wilson(share, n / max(FOUR, heavy), _reach(n - groups, sides=1), spread * worth * worth)[1]
    return _effect("R2", share, None, high)


def class_difference(left: Array, totals: Array, cuts: int) -> SideDifference | None:
    """The second class's share on the right less that on the left, and an interval for all cuts of a column at once.

    Each share has its exact interval at the level of one of so many cuts, and their lengths are added as squares.
    ``None`` of other numbers of classes.

    Examples
    --------
    >>> [round(x, 2) for x in class_difference(np.array([18, 2]), np.array([20, 20]), 9)]
    [0.8, 0.36, 0.94]
    """
    if len(totals) != 2 or not 0 < left.sum() < totals.sum():
        return None
    sides = np.array([left, totals - left])
    low, high = clopper_pearson(sides[:, 1], sides.sum(axis=1), MISSED / cuts)
    p, q = (sides[:, 1] / sides.sum(axis=1)).tolist()
    below, above = sqrt((q - low[1]) ** 2 + (high[0] - p) ** 2), sqrt((high[1] - q) ** 2 + (p - low[0]) ** 2)
    return q - p, q - p - below, q - p + above


def mean_difference(y: Array, right: Array, cuts: int) -> SideDifference:
    """The mean of responses on the right less that on the left, and an interval for all cuts of a column at once.

    It is Welch's at the level of one of so many cuts, where each side has four rows more that vary as much as those of
    both sides, so that a side of equal responses does not look sure; cuts with fewer than 10 rows on a side have none.

    Examples
    --------
    >>> y = np.arange(40.0)
    >>> [round(x, 1) for x in mean_difference(y, y > 19, 39)]
    [20.0, 13.6, 26.4]
    >>> units = 2.0**-600, 1.0, 2.0**600
    >>> len({tuple(x / unit for x in mean_difference(y * unit, y > 19, 39)) for unit in units})
    1
    """
    # A power of two, in units of which any numbers have squares.
    unit = 2.0 ** max(int(np.frexp(np.abs(y).max())[1]) - 1, -1000)
    sides = [np.sort(y[side] / unit) for side in (~right, right)]  # in any order of the rows the sums are the same
    difference = float(sides[1].mean() - sides[0].mean())
    if min(map(len, sides)) < SIDE:
        return difference * unit, None, None
    squares = [float(((side - side.mean()) ** 2).sum()) for side in sides]
    pooled, rows = sum(squares) / (len(y) - 2), [len(side) - 1 + POOLED for side in sides]
    terms = [(s + POOLED * pooled) / m / len(side) for s, m, side in zip(squares, rows, sides, strict=True)]
    freedom = sum(terms) ** 2 / (sum(t**2 / m for t, m in zip(terms, rows, strict=True)) or 1.0)
    reach = _reach(freedom, 2 * cuts) * sqrt(sum(terms))
    return difference * unit, (difference - reach) * unit, (difference + reach) * unit
