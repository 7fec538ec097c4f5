"""Tests of the best cut of one feature: by lattice paths for two classes, by random tables for any number.

Main definitions: ``SelectedPValue``, ``by_paths``, ``by_tables``; ``Ends`` of a p-value that ties may share, ``ends``,
``ends_by_paths``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import Any, NamedTuple, final

import numpy as np

from splitcrit.arguments import generator, whole
from splitcrit.display import described, shortened
from splitcrit.nulls import best_cut
from splitcrit.nulls.extremes import EXTREMES, Bounds, inside_each
from splitcrit.nulls.feature_counts import FeatureCounts, cut_masks
from splitcrit.nulls.monte_carlo import check_total, estimated, permutation_pvalue
from splitcrit.nulls.resampled import exceeding, scores_with_gaps

MOST = 0.5  # a larger bound of a relative error is none


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
    found: FeatureCounts, min_leaf: int, statistic: str, method: str, mid: bool, limit: float, known: Any = None
) -> SelectedPValue:
    """Return the test of a feature with two classes; ``known`` holds the laws of other features of its node."""
    best = best_cut.best(found, min_leaf, EXTREMES[statistic], limit)
    if best is None:
        return _nothing(method)
    cuts = best.cuts
    same = (cuts.right.tobytes(), cuts.left.tobytes(), cuts.gaps, best.bar.exact)
    law = known.get(same) if known is not None else None
    if law is None:
        bounds = inside_each(best.bar, cuts.sizes, (False, True)[: 1 + mid])
        best_cut.check_cost(cuts, bounds, method == "exact", limit)
        law = (_exact if method == "exact" else _rounded)(cuts, bounds)
        if known is not None:
            known[same] = law
    value, surprise, error = law
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
    right, left = cut_masks(found, min_leaf)
    if found.counts.shape[1] < 2 or not (right.any() or left.any()):
        return _nothing("monte_carlo")
    drawn = _drawn(found, min_leaf, statistic, samples, rng)
    m = found.sizes[:-1].cumsum()
    cut = int(np.concatenate([m[right], m[:-1][left[1:]]])[drawn.best])
    value, error = estimated(drawn.reached, drawn.samples)
    gaps_left = drawn.best >= int(right.sum())
    return SelectedPValue(value, -log(value), drawn.score, cut, "monte_carlo", float(error), gaps_left)


class Drawn(NamedTuple):
    """The best cut, its score, and how many of the random tables exceed and reach that."""

    best: int
    score: float
    more: int
    reached: int
    samples: int


def _drawn(found: FeatureCounts, min_leaf: int, statistic: str, samples: int, rng: Any) -> Drawn:
    """Compare the best cut of a feature with those of random tables."""
    samples, masks = whole(samples, "samples", 1, 2**31), cut_masks(found, min_leaf)
    check_total(found.counts, "divide the counts, or use fewer rows")
    scores = scores_with_gaps(found.counts, *masks, statistic)
    best = int(scores.argmax())
    score = float(scores[best])
    return Drawn(best, score, *exceeding(found.counts, masks, statistic, score, samples, generator(rng)), samples)


class Ends(NamedTuple):
    """The probabilities that chance exceeds a score, and that it reaches it."""

    more: float
    at_least: float


def ends(found: FeatureCounts, min_leaf: int, statistic: str, samples: int, rng: Any, limit: float) -> Ends:
    """Return both ends of the p-value of a feature's best cut."""
    if found.counts.shape[1] <= 2:
        best = best_cut.best(found, min_leaf, EXTREMES[statistic], limit)
        return Ends(0.0, 1.0) if best is None else Ends(*(exp(-x) for x in ends_by_paths(best, limit)))
    if not any(mask.any() for mask in cut_masks(found, min_leaf)):
        return Ends(0.0, 1.0)
    drawn = _drawn(found, min_leaf, statistic, samples, rng)
    return Ends(drawn.more / (1 + drawn.samples), permutation_pvalue(drawn.reached, drawn.samples))


def ends_by_paths(best: best_cut.BestCut, limit: float) -> tuple[float, float]:
    """Return ``-log`` of both ends of the p-value of a best cut of two classes, that of the smaller first."""
    bounds = inside_each(best.bar, best.cuts.sizes, (False, True))
    best_cut.check_cost(best.cuts, bounds, False, limit)
    reached, more = (best_cut.surprise(best.cuts, *b) for b in bounds)
    return more, reached
