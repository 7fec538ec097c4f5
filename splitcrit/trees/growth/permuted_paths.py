"""Labels permuted inside one node of a tree, and what the node and its ancestors choose then, by a criterion.

Main definitions: ``ClassPath``, whose ``scores`` are the best scores of a node for given labels, 0 where none is above
it, and nan where an ancestor would divide its rows otherwise, so that the node would not be in the tree;
``ResponsePath``, the same for responses that are numbers.
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
from splitcrit.trees.growth.records import StoppingRules, TreeRows
from splitcrit.trees.growth.source_choice import SampleLayout
from splitcrit.trees.growth.surprise_paths import PermutedNodes
from splitcrit.trees.growth.training import Training
from splitcrit.trees.scan.prepared_criterion import criterion_data, undefined
from splitcrit.trees.scan.records import Data
from splitcrit.trees.scan.ties_and_scores import TIE, band

NONE = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False)
class ClassPath:
    """A path of nodes whose rows have classes; ``codes`` are those of all rows."""

    path: Path
    x: Array
    codes: Array
    classes: int
    criterion: Criterion
    stopping: Stopping
    recoding: Recoding | None = None

    @property
    def band(self) -> float:
        """How much two scores of the node may differ by rounding."""
        here = self.codes[self.path.rows[self.path.nodes[0]]]
        return float(band(self.criterion, np.bincount(here, minlength=self.classes)[None])[0])

    def scores(self, labels: Array) -> Array:
        """Return the node's best score for each row of ``labels (m, n)``, nan where an ancestor chooses otherwise."""
        if self._data is not None:
            found = self._nodes.scores(labels)
            if not undefined(self._data):
                return found
        return self.by_reference(labels)

    def by_reference(self, labels: Array) -> Array:
        """Return the same scores by the reference builder, which serves every criterion."""
        return np.array([self._score_of(each) for each in labels])

    def _score_of(self, labels: Array) -> float:
        """Return the best score of the first node for one row of labels, nan where an ancestor has none."""
        scores = [self._score(here, labels) for here in self.path.nodes]
        return np.nan if np.isnan(scores).any() else scores[0]

    def _score(self, here: slice, labels: Array) -> float:
        """Return the best score of a node for one row of labels, nan of an ancestor that chooses otherwise."""
        rows, first = self.path.rows[here], here.start == 0
        codes = self.path.relabelled(self.codes[self.path.rows], labels)[here]
        growing = GrowthOptions(self.stopping, recoding=self.recoding and self.recoding.of_rows(rows))
        builder = builder_of(self.x[rows], codes, self.classes, self.criterion, growing)
        if first:
            builder = replace(builder, pays=lambda *_: True)  # what a node scores, it does even as a leaf
        found = builder.node(np.arange(len(rows)), 0, 1)
        goes = builder.best(found)
        if first:
            return 0.0 if goes is None else max(found.score, 0.0)
        same = 0 if goes is None else int((goes == self.path.left[here]).sum())
        return found.score if goes is not None and same in (0, len(goes)) else np.nan

    @cached_property
    def _data(self) -> Data | None:
        """The criterion as compiled loops take it, None where they do not serve."""
        return criterion_data(self.criterion, len(self.codes), self.classes)

    @cached_property
    def _nodes(self) -> PermutedNodes:
        """The path as compiled loops take it."""
        nodes = [self._node(self.path.rows[here]) for here in self.path.nodes]
        return PermutedNodes(self.path, nodes, self.codes, 1.0, self.band)

    def _node(self, rows: Array) -> Any:
        """Return a node as a source of the loop."""
        training = Training(self.x[rows], self.codes[rows], self.classes)
        options = _options(self.stopping, self.recoding, rows)
        assert self._data is not None
        if self.recoding is None:
            source, root = presorted_classes(training, self._data, options)
            samples = source.orders.orders.copy()
        else:
            source, root = listed_classes(training, self._data, self.criterion, options)
            samples = source.orders.orders
        return _grown(source, root, StoppingRules.of(options.stopping, self.criterion), samples)


@dataclass(frozen=True, eq=False)
class ResponsePath:
    """A path of nodes whose rows have responses that are numbers, ``y`` those of all rows."""

    path: Path
    x: Array
    y: Array
    error: str
    stopping: Stopping
    recoding: Recoding | None = None

    @property
    def band(self) -> float:
        """How much two scores of the node may differ by rounding."""
        here = self.y[self.path.rows[self.path.nodes[0]]]
        apart = here - (np.median(here) if self.error == "absolute_error" else here.mean())
        return TIE * float(np.abs(apart).mean() if self.error == "absolute_error" else (apart**2).mean())

    def scores(self, labels: Array) -> Array:
        """Return the node's best score for each row of ``labels (m, n)``, nan where an ancestor chooses otherwise."""
        return self._nodes.scores(np.searchsorted(np.unique(self.y), labels))

    @cached_property
    def _nodes(self) -> PermutedNodes:
        """The path as compiled loops take it."""
        values, types = np.unique(self.y, return_inverse=True)
        nodes = [self._node(self.path.rows[here], types, len(values)) for here in self.path.nodes]
        return PermutedNodes(self.path, nodes, types, 1.0, self.band)

    def _node(self, rows: Array, types: Array, kinds: int) -> Any:
        """Return a node as a source of the loop."""
        options = _options(self.stopping, self.recoding, rows)
        training = Training(self.x[rows], self.y[rows])
        source, root, _ = source_of_responses(training, SampleLayout.LISTED, self.error, options)
        starts = np.searchsorted(np.sort(types[rows]), np.arange(kinds))
        rules = StoppingRules.of(replace(options.stopping, min_gain=None), None)
        return _grown(source, root, rules, source.listed.samples.responses.copy()[None], starts)


def _options(stopping: Stopping, recoding: Recoding | None, rows: Array) -> GrowthOptions:
    """Return how some rows are divided in two, whatever their number."""
    rules = replace(stopping, max_depth=1, min_samples_split=2)
    return GrowthOptions(rules, recoding=recoding and recoding.of_rows(rows))


def _grown(source: Any, root: TreeRows, rules: StoppingRules, samples: Array, starts: Array = NONE) -> Any:
    from splitcrit.trees.growth.grown_node_compiled import GrownNode

    return GrownNode(source, root, rules, samples, starts, np.empty_like(starts), np.empty(5))
