"""The best cut of a feature: its score, and which rows it sends to the left.

Main definitions: ``BestCut``, ``best_cut``.
"""

from __future__ import annotations

import reprlib
from typing import Any, NamedTuple

import numpy as np

from splitcrit.inference.features import Feature
from splitcrit.inference.joint import Cuts, Response, cuts_of
from splitcrit.nulls.best_cut import BestCut as Known


class BestCut(NamedTuple):
    """The score of a cut, -inf without one, and the rows on its left in words, by a threshold, or as categories."""

    score: float
    cut: str = ""
    threshold: Any = None
    left: tuple[Any, ...] = ()
    missing_left: bool = False


def best_cut(feature: Feature, response: Response, known: Known | None = None) -> BestCut:
    """Return the best cut of a feature, the first of those that tie, which its law may know.

    Examples
    --------
    >>> response = Response(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]), "gini", 1)
    >>> best_cut(Feature("x", "numeric", np.array([2.0, 5.0]), np.array([0, 1, 1])), response)[1:3]
    ('x <= 3.5', 3.5)
    """
    if known is not None:
        values = int(np.searchsorted(feature.sizes.cumsum(), known.known)) + 1
        return _at_threshold(feature, values, known.missing_left)._replace(score=known.bar.score)
    best = BestCut(-np.inf)
    for cuts in cuts_of(feature, response.columns[None]):
        scores = response.scores(cuts.left, cuts.m).reshape(-1)
        if scores.max(initial=-np.inf) > best.score:
            at = int(scores.argmax())
            best = _after(feature, at + 1, cuts)._replace(score=float(scores[at]))
    return best


def _after(feature: Feature, values: int, cuts: Cuts) -> BestCut:
    """Return the cut after the first ``values`` values in the order of the cuts, without its score."""
    if cuts.order is not None:
        left = tuple(sorted(feature.levels[cuts.order[0, :values]].tolist(), key=str))
        return BestCut(-np.inf, f"{feature.name} in {{{reprlib.repr(list(left))[1:-1]}}}", left=left)
    return _at_threshold(feature, values, cuts.missing_left)


def _at_threshold(feature: Feature, values: int, missing_left: bool) -> BestCut:
    """Return the cut after the first ``values`` values, without its score."""
    threshold = feature.threshold(values)
    shown = f"{threshold:.6g}" if isinstance(threshold, float) else str(threshold)
    words = f"{feature.name} is present" if values == len(feature.levels) else f"{feature.name} <= {shown}"
    return BestCut(-np.inf, words + " or missing" * missing_left, threshold, missing_left=missing_left)
