"""How the trees of a forest grow: what they have in common is made once.

Main definitions: ``ClassSamples``, ``ResponseSamples``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.estimators.growing import Fitted, grown_classes, grown_from_ranks, grown_responses
from splitcrit.estimators.options import Options
from splitcrit.estimators.reading import Training, weighed
from splitcrit.growth.whole import Ranks

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class ClassSamples:
    """Samples of one training set with class codes; ``ranks`` are those of its features, where trees can share them."""

    criterion: Criterion
    codes: Array
    classes: Array
    ranks: Ranks | None

    def grown(self, options: Options, x: Array, _: Array, weights: Array | None) -> Fitted:
        """Return what a tree learns from a sample, given by weights, of validated features."""
        found, number = None, len(self.classes)
        if self.ranks is not None:
            counts = None if weights is None or (weights == 1).all() else weights
            total = float(len(x) if counts is None else counts.sum())
            training = Training(x, self.codes, counts, len(x), total)
            found = grown_from_ranks(options, training, number, self.criterion, self.ranks)
        return found or grown_classes(options, weighed(x, self.codes, weights), number, self.criterion)


@dataclass(frozen=True, eq=False)
class ResponseSamples:
    """Samples of one training set whose responses are numbers."""

    error: str
    classes: None = None

    def grown(self, options: Options, x: Array, y: Array, weights: Array | None) -> Fitted:
        """Return what a tree learns from a sample, given by weights, of validated features."""
        return grown_responses(options, weighed(x, y, weights), self.error)
