"""Labels permuted inside one node of a tree, and what the node and its ancestors choose then, by a criterion.

Main definitions: ``CriterionPath``, whose ``scores`` are the best scores of a node for given labels, 0 where none is
above it, and nan where an ancestor would divide its rows otherwise, so that the node would not be in the tree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.trees.growth.by_reference import builder_of
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.growth_options import GrowthOptions, Stopping
from splitcrit.trees.growth.one_loop import listed_classes, presorted_classes, source_of_responses
from splitcrit.trees.growth.paths import Path
from splitcrit.trees.growth.records import StoppingRules
from splitcrit.trees.growth.source_choice import SampleLayout
from splitcrit.trees.growth.surprise_paths import PermutedNodes
from splitcrit.trees.growth.training import Training
from splitcrit.trees.scan.prepared_criterion import criterion_data, undefined
from splitcrit.trees.scan.records import Data
from splitcrit.trees.scan.sorted_columns import sorted_columns
from splitcrit.trees.scan.ties_and_scores import TIE, band

NONE = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False)
class CriterionPath:
    """A path of nodes of a training set that are searched as in a tree, by a criterion of classes or an error."""

    path: Path
    training: Training
    criterion: Criterion | str
    stopping: Stopping
    recoding: Recoding | None = None

    @property
    def band(self) -> float:
        """How much two scores of the node may differ by rounding."""
        here = self.training.y[self.path.rows[self.path.nodes[0]]]
        if isinstance(self.criterion, Criterion):
            return float(band(self.criterion, np.bincount(here, minlength=self.training.classes)[None])[0])
        median = self.criterion == "absolute_error"
        return TIE * float(np.abs(here - np.median(here)).mean() if median else here.var())

    def scores(self, labels: Array) -> Array:
        """The node's best score for each row of ``labels (m, n)``, nan where an ancestor chooses otherwise."""
        if not isinstance(self.criterion, Criterion):
            return self._nodes.scores(np.searchsorted(np.unique(self.training.y), labels))
        if self._data is not None:
            best = self._nodes.scores(labels)
            if not undefined(self._data):
                return best
        return self.by_reference(labels)

    def by_reference(self, labels: Array) -> Array:
        """The same scores by the reference builder, which serves every criterion."""
        return np.array([self._score_of(each) for each in labels])

    def _score_of(self, labels: Array) -> float:
        """The best score of the first node for one row of labels, nan where an ancestor has none."""
        scores = [self._score(here, labels) for here in self.path.nodes]
        return np.nan if np.isnan(scores).any() else scores[0]

    def _score(self, here: slice, labels: Array) -> float:
        """The best score of a node for one row of labels, nan of an ancestor that chooses otherwise."""
        rows, first = self.path.rows[here], here.start == 0
        codes = self.path.relabelled(self.training.y[self.path.rows], labels)[here]
        growing = GrowthOptions(self.stopping, recoding=self.recoding and self.recoding.anew())
        assert isinstance(self.criterion, Criterion)
        builder = builder_of(self.training.x[rows], codes, self.training.classes, self.criterion, growing)
        if first:
            builder = replace(builder, pays=lambda *_: True)  # what a node scores, it does even as a leaf
        root = builder.node(np.arange(len(rows)), 0, 1)
        goes = builder.best(root)
        if first:
            return 0.0 if goes is None else max(root.score, 0.0)
        same = 0 if goes is None else int((goes == self.path.left[here]).sum())
        return root.score if goes is not None and same in (0, len(goes)) else np.nan

    @cached_property
    def _data(self) -> Data | None:
        """A criterion as compiled loops take it, None where they do not serve."""
        if not isinstance(self.criterion, Criterion):
            return None
        return criterion_data(self.criterion, self.training.size, self.training.classes)

    @cached_property
    def _nodes(self) -> PermutedNodes:
        """The path as compiled loops take it."""
        y = self.training.y
        types = y if self.training.classes else np.unique(y, return_inverse=True)[1]
        nodes = [self._node(self.path.rows[here], types) for here in self.path.nodes]
        return PermutedNodes(self.path, nodes, types, 1.0, self.band)

    def _node(self, rows: Array, types: Array) -> Any:
        """A node as a source of the loop, which divides it in two, whatever its size."""
        from splitcrit.trees.growth.grown_node_compiled import GrownNode

        rules, starts, criterion = replace(self.stopping, max_depth=1, min_samples_split=2), NONE, None
        options = GrowthOptions(rules, recoding=self.recoding and self.recoding.anew())
        training = replace(self.training, x=self.training.x[rows], y=self.training.y[rows])
        if not isinstance(self.criterion, Criterion):
            source, root, _ = source_of_responses(training, SampleLayout.LISTED, self.criterion, options)
            samples = source.listed.samples.responses[None]
            starts = np.searchsorted(np.sort(types[rows]), np.unique(types))
            rules = replace(rules, min_gain=None)
        else:
            assert self._data is not None
            criterion = self.criterion
            if self.recoding is None:
                orders = sorted_columns(training.x, training.y, training.classes)
                source, root = presorted_classes(training, orders, self._data, options)
            else:
                source, root = listed_classes(training, self._data, criterion, options)
            samples = source.orders.orders
        stopping = StoppingRules.of(rules, criterion)
        return GrownNode(source, root, stopping, samples.copy(), starts, np.empty_like(starts), np.empty(5))
