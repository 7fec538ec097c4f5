"""Tests of the best cut of one feature: by lattice paths for two classes, by random tables for any number.

Main definitions: ``SelectedPValue``, ``by_paths``, ``by_tables``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import Any, final

import numpy as np

from splitcrit.arguments import Array, generator, whole
from splitcrit.display import described, shortened
from splitcrit.nulls import best_cut
from splitcrit.nulls.best_split import Labels, cut_moments, cut_scores, sides
from splitcrit.nulls.extremes import EXTREMES, Bounds, inside_each
from splitcrit.nulls.feature_counts import FeatureCounts
from splitcrit.nulls.monte_carlo import check_total, estimated, tables_drawn

MOST = 0.5  # a larger bound of a relative error is none
TIE = 1e-11  # scores closer than this, relative to 1 + |score|, are equal


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


def _nothing(method: str) -> SelectedPValue:
    """Return the test of a feature without a cut."""
    return SelectedPValue(Fraction(1) if method == "exact" else 1.0, 0.0, 0.0, 0, method, relative_error=0.0)


def by_paths(
    found: FeatureCounts, min_leaf: int, statistic: str, method: str, mid: bool, limit: float
) -> SelectedPValue:  # fmt: skip
    """Return the test of a feature with two classes."""
    best = best_cut.best(found, min_leaf, EXTREMES[statistic], limit)
    if best is None:
        return _nothing(method)
    bounds = inside_each(best.bar, best.cuts.sizes, (False, True)[: 1 + mid])
    best_cut.check_cost(best.cuts, bounds, method == "exact", limit)
    value, surprise, error = (_exact if method == "exact" else _rounded)(best.cuts, bounds)
    return SelectedPValue(
        value, surprise, best.bar.score, best.known, method, missing_left=best.missing_left, relative_error=error
    )


def _exact(cuts: best_cut.CutCounts, bounds: Sequence[Bounds]) -> tuple[Fraction, float, float]:
    """Return the mean of the chances beyond some bounds, ``-log`` of it, and its error."""
    value = sum((best_cut.chance(cuts, *b) for b in bounds), Fraction(0)) / len(bounds)
    return value, log(value.denominator) - log(value.numerator), 0.0


def _rounded(cuts: best_cut.CutCounts, bounds: Sequence[Bounds]) -> tuple[float, float, float | None]:
    """Return the mean of the chances beyond some bounds in float64, ``-log`` of it, and a bound of its error."""
    laws = [best_cut.law(cuts, *b) for b in bounds]
    surprise, units = laws[0].surprise, max(law.roundings for law in laws)
    if len(laws) > 1:
        surprise, units = log(2) - float(np.logaddexp(-surprise, -laws[1].surprise)), units + 3 * cuts.n + 24
    error = units * 2.0**-53
    return exp(-surprise), surprise, error / (1 - error) if error < MOST else None


def by_tables(found: FeatureCounts, min_leaf: int, statistic: str, samples: int, rng: Any) -> SelectedPValue:
    """Return the test of a feature from random tables."""
    cuts = m, after, more = sides(found.sizes, found.gaps, min_leaf)
    labels = Labels.of_classes(totals := found.counts.sum(axis=0))
    if len(totals) < 2 or not len(m):
        return _nothing("monte_carlo")
    samples, rng = whole(samples, "samples", 1, 2**31), generator(rng)
    check_total(found.counts, "divide the counts, or use fewer rows")
    moments, order, n = cut_moments(m, labels), np.argsort(totals, kind="stable"), int(totals.sum())
    apart = n * (n - 1) / labels.square if statistic == "pairwise_gain" else None  # the score is then d^2 / n^2

    def scores(tables: Array) -> Array:
        sums = tables[..., order] @ labels.vectors
        return cut_scores(sums, cuts, labels, moments if statistic == "sgini" else None, apart)

    seen = scores(found.counts[None])[0]
    best = int(seen.argmax())
    reached = seen[best] - TIE * (1 + abs(seen[best]))
    drawn = tables_drawn(found.counts, samples, "permutation", rng)
    value, error = estimated(sum(int((scores(part).max(axis=1) >= reached).sum()) for part in drawn), samples)
    in_units = {"gini": seen[best] * moments[0][best], "pairwise_gain": n * max(seen[best], 0.0) ** 0.5 / 2}
    score = float(in_units.get(statistic, seen[best]))
    known = int(found.sizes[: after[best] + 1].sum())
    return SelectedPValue(value, -log(value), score, known, "monte_carlo", float(error), bool(more[best]))
