"""The scores of splits whose sides are sums over bins: of classes by any criterion, of responses in exact integers.

Main definitions: ``ClassScorer``, ``ResponseScorer``; ``HistogramScores``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.trees.distributed.sums import ResponseSums
from splitcrit.trees.scan.ties_and_scores import TIE, band, formula_scores, guard, own_impurity

BLOCK = 1 << 14  # splits scored together


class HistogramScores(NamedTuple):
    """Scores of splits and, for a guarded ratio, those of the undivided criterion, which are the scores elsewhere."""

    score: Array
    undivided: Array


@dataclass(frozen=True, eq=False)
class ClassScorer:
    """A criterion, and the class weights ``(m, K)`` of nodes."""

    criterion: Criterion
    totals: Array
    impurity: Array | None

    @staticmethod
    def of(criterion: Criterion, totals: Array) -> ClassScorer:
        """Return the scorer of some nodes."""
        return ClassScorer(criterion, totals, None if criterion.impurity is None else own_impurity(criterion, totals))

    @property
    def guarded(self) -> bool:
        """Whether a split's undivided score must reach the average of its node's."""
        return guard(self.criterion) is not None

    def band(self) -> Array:
        """Return the width of a tie in each node."""
        return band(self.criterion, self.totals, self.impurity)

    def weight(self, side: Array) -> Array:
        """Return the weight of sides of splits."""
        return np.asarray(side.sum(axis=1))

    def scored(self, node: Array, left: Array) -> HistogramScores:
        """Return the scores of splits of some nodes with these left sides."""
        score, inner = np.empty(len(node)), guard(self.criterion)
        undivided = score if inner is None else np.empty(len(node))
        for start in range(0, len(node), BLOCK):
            here = slice(start, start + BLOCK)
            sides = left[here], self.totals[node[here]] - left[here]
            low, high = (np.ascontiguousarray(side.T, dtype=float) for side in sides)
            own = None if self.impurity is None else self.impurity[node[here]]
            score[here] = formula_scores(self.criterion, low, high, own)
            if inner is not None:
                undivided[here] = formula_scores(inner, low, high)
        return HistogramScores(score, undivided)


@dataclass(frozen=True, eq=False)
class ResponseScorer:
    """Responses of nodes as sums ``(m, width)``, and the variances of the nodes."""

    sums: ResponseSums
    totals: Array
    variance: Array
    guarded = False

    def band(self) -> Array:
        """Return the width of a tie in each node."""
        return np.asarray(TIE * self.variance)

    def weight(self, side: Array) -> Array:
        """Return the weight of sides of splits."""
        return self.sums.weights(side)

    def scored(self, node: Array, left: Array) -> HistogramScores:
        """Return by how much splits of some nodes with these left sides lower the variance."""
        apart, heavy = self.sums.centred(left, self.totals[node]), self.weight(left)
        score = apart * apart / (heavy * (self.weight(self.totals)[node] - heavy))
        return HistogramScores(score, score)
