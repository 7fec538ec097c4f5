"""The samples of one training set from which the trees of a forest grow.

Main definitions: ``ForestSamples``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.data.categories_input import CategoryCoding
from splitcrit.trees.estimators.growing import Fitted, Options, grown
from splitcrit.trees.estimators.sparse_input import is_sparse
from splitcrit.trees.estimators.weighing import weighed
from splitcrit.trees.growth import Ranks, Sparse
from splitcrit.trees.growth.source_choice import Error


@dataclass(frozen=True, eq=False)
class ForestSamples:
    """The rows of one training set ``x``, with class ``codes`` of ``classes`` or, without, responses that are numbers.

    ``shared`` are the ranks of its features, where trees can share them, or the cells of sparse features. ``coding``
    tells which of the features are codes of categories, None if none are.
    """

    x: Any
    criterion: Criterion | Error
    shared: Ranks | Sparse | None
    coding: CategoryCoding | None = None
    codes: Array | None = None
    classes: Array | None = None

    @staticmethod
    def sharing(
        x: Any, criterion: Criterion | Error, coding: CategoryCoding | None, ranked: bool, random: bool, **labels: Array
    ) -> ForestSamples:  # fmt: skip
        """Samples whose features become cells or, if they are ``ranked``, share ranks."""
        ranks = Ranks.of(x, random, getattr(coding, "mask", 0)) if ranked and not is_sparse(x) else None
        return ForestSamples(x, criterion, Sparse.of(x) if is_sparse(x) else ranks, coding, **labels)

    def grown(self, options: Options, y: Array, weights: Array | None) -> Fitted:
        """Fit a tree to a sample, given by weights."""
        y = y if self.codes is None else self.codes
        categories = getattr(self.coding, "categories", None)
        ranks = self.shared if isinstance(self.shared, Ranks) else None
        training = weighed(self.x if ranks else self.shared or self.x, y, weights, shared=ranks is not None)
        classes = 0 if self.classes is None else len(self.classes)
        return grown(options, training, self.criterion, classes, categories, ranks)
