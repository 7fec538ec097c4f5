"""How the trees of a forest are fitted: what they have in common is done once.

Main definitions: ``ClassGrower``, ``ResponseGrower``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.estimators import growing, reading, structure
from splitcrit.growth.arrays import Grown
from splitcrit.growth.whole import Ranks

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class ClassGrower:
    """Fits classification trees on one training set, each with its own weights."""

    criterion: Criterion
    codes: Array
    classes: int
    ranks: Ranks | None

    def fit(self, tree: Any, x: Array, _: Array, weights: Array | None) -> None:
        """Fit a tree as its own ``fit`` does, on validated features; its classes are the codes."""
        tree.classes_, tree.n_classes_ = np.arange(self.classes, dtype=float), np.intp(self.classes)
        _settle(tree, x)
        grown, impurity = self._drawn(tree, x, weights) or growing.grown_classes(
            tree, reading.weighed(x, self.codes, weights), self.classes, self.criterion
        )
        tree.tree_ = structure.filled(grown, x.shape[1], growing.shares_of(grown), impurity)
        structure.prune(tree)

    def _drawn(self, tree: Any, x: Array, weights: Array | None) -> tuple[Grown, Array] | None:
        """Return the tree grown from the ranks that the forest has in common, if it can be."""
        if self.ranks is None:
            return None
        weights = None if weights is None or (weights == 1).all() else weights
        total = float(len(x) if weights is None else weights.sum())
        training = reading.Training(x, self.codes, weights, len(x), total)
        return growing.grown_drawn(tree, training, self.classes, self.criterion, self.ranks)


@dataclass(frozen=True, eq=False)
class ResponseGrower:
    """Fits regression trees on one training set, each with its own weights."""

    def fit(self, tree: Any, x: Array, y: Array, weights: Array | None) -> None:
        """Fit a tree as its own ``fit`` does, on validated features."""
        _settle(tree, x)
        grown = growing.grown_responses(tree, reading.weighed(x, y, weights))
        tree.tree_ = structure.filled(grown, x.shape[1], grown.value[:, None], grown.impurity)
        structure.prune(tree)


def _settle(tree: Any, x: Array) -> None:
    tree.n_features_in_, tree.n_outputs_ = x.shape[1], 1
    tree.max_features_ = reading.drawn_features(tree.max_features, x.shape[1])
