"""When a split of a node of classes pays: by its score, or by the p-value of its feature.

Main definitions: ``ClassRule``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.nulls.calibration import MaxSelected
from splitcrit.trees.growth.column_choice import chosen_features, surprising
from splitcrit.trees.growth.growth_options import Stopping
from splitcrit.trees.scan import LevelSplits, Limits

Table = Callable[[int, int], Array]


@dataclass(frozen=True, eq=False)
class ClassRule:
    """The criterion by which thresholds are searched, when a node stays a leaf, and how features are compared.

    ``selecting`` compares features by the p-values of their best thresholds; None: by their scores.
    """

    criterion: Criterion
    stopping: Stopping
    selecting: MaxSelected | None

    @staticmethod
    def of(criterion: Criterion, stopping: Stopping) -> ClassRule:
        """Return the rule of a criterion."""
        tested = criterion.search.tested
        selecting = tested if isinstance(tested, MaxSelected) else None
        return ClassRule(criterion if tested is None else tested.cut, stopping, selecting)

    @property
    def limits(self) -> Limits:
        """What a threshold must leave on each side."""
        return Limits(self.stopping.min_samples_leaf, self.stopping.min_weight_leaf)

    def tried(self, table: Table, shape: tuple[int, int], drawn: Array | None) -> Array | None:
        """Return the ranks ``(m, d)`` of the features to be searched for thresholds, -1 where not; None: all are.

        ``table(node, feature)`` holds the class weights of each value of a feature in a node.
        """
        if self.selecting is None:
            return drawn
        return chosen_features(self.selecting, table, shape, self.limits.least, drawn)

    def pays(self, splits: LevelSplits, totals: Array, table: Table) -> Array:
        """Tell which nodes, with class weights ``(m, K)``, are split."""
        if self.selecting is None:
            sides = splits.left, totals - splits.left
            found = self.stopping.splits(self.criterion, splits.score, splits.band, *sides)
            return np.asarray(found & (splits.feature >= 0))
        score, least = self.selecting, self.limits.least

        def test(node: int) -> Any:
            return score.tested(table(node, int(splits.feature[node])), least, mid=False)

        return surprising(self.stopping, test, splits.feature)
