"""The samples of one training set from which the trees of a forest grow.

Main definitions: ``ClassSamples``, ``ResponseSamples``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.data.categories_input import CategoryCoding
from splitcrit.trees.estimators.growing import (
    Fitted,
    Options,
    class_nodes,
    finished,
    growing_of,
    grown_classes,
    grown_responses,
)
from splitcrit.trees.estimators.weighing import WeighedTraining, weighed
from splitcrit.trees.growth import grow_drawn
from splitcrit.trees.growth.growth_options import refuse_fractions
from splitcrit.trees.growth.one_loop import Ranks
from splitcrit.trees.growth.response_source import Error
from splitcrit.trees.growth.sparse_trees import Sparse


@dataclass(frozen=True, eq=False)
class ClassSamples:
    """Samples of one training set ``x`` with class codes; ``ranks`` are those of its features, where trees can share
    them, or the cells of sparse features.

    ``coding`` tells which of the features are codes of categories, None if none are.
    """

    x: Any
    criterion: Criterion
    codes: Array
    classes: Array
    ranks: Ranks | Sparse | None
    coding: CategoryCoding | None = None

    def grown(self, options: Options, _: Array, weights: Array | None) -> Fitted:
        """Fit a tree to a sample, given by weights."""
        x, criterion, classes = self.x, self.criterion, len(self.classes)
        if isinstance(self.ranks, Ranks):
            counts = None if weights is None or (weights == 1).all() else weights
            whole = WeighedTraining(x, self.codes, counts, len(x), float(len(x) if counts is None else counts.sum()))
            refuse_fractions(criterion, counts, self.codes)
            tree = grow_drawn(self.ranks, self.codes, classes, criterion, growing_of(options, whole), counts)
            if tree is not None:
                return finished(options, whole, tree, partial(class_nodes, criterion))
        training = weighed(self.ranks if isinstance(self.ranks, Sparse) else x, self.codes, weights)
        return grown_classes(options, training, classes, criterion, getattr(self.coding, "categories", None))


@dataclass(frozen=True, eq=False)
class ResponseSamples:
    """Samples of one training set whose responses are numbers; ``ranks`` and ``coding`` as in ``ClassSamples``."""

    x: Any
    error: Error
    ranks: Ranks | Sparse | None = None
    coding: CategoryCoding | None = None
    classes: None = None

    def grown(self, options: Options, y: Array, weights: Array | None) -> Fitted:
        """Fit a tree to a sample of responses, given by weights."""
        x = self.x
        if isinstance(self.ranks, Sparse):
            return grown_responses(options, weighed(self.ranks, y, weights), self.error)
        training, ranks = weighed(x, y, weights), self.ranks
        if ranks is not None and weights is not None and len(training.x) < len(x):
            ranks = ranks.of_rows(np.flatnonzero(weights))
        return grown_responses(options, training, self.error, getattr(self.coding, "categories", None), ranks)
