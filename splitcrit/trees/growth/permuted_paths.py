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
from splitcrit.trees.growth.grown_tree import root_rows
from splitcrit.trees.growth.growth_options import GrowthOptions, Stopping
from splitcrit.trees.growth.one_loop import Ranks
from splitcrit.trees.growth.paths import Path
from splitcrit.trees.growth.permuted_compiled import ScannedNode
from splitcrit.trees.growth.records import (
    CategoryCodes,
    ListedResponsesSource,
    NoCategories,
    NoComparison,
    NodeResponses,
    StoppingRules,
    TriedFeatures,
)
from splitcrit.trees.growth.response_source import category_codes
from splitcrit.trees.growth.surprise_paths import PermutedNodes
from splitcrit.trees.scan.prepared_criterion import criterion_data, scorer, undefined
from splitcrit.trees.scan.records import CONSTANTS, ERRORS, UNWEIGHTED, Data, Orders, Samples, Scratch
from splitcrit.trees.scan.sorted_columns import class_bits
from splitcrit.trees.scan.subsets import shortcut
from splitcrit.trees.scan.ties_and_scores import TIE, band


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
        return float(band(self.criterion, self._totals(self.path.nodes[0])[None])[0])

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

    def _totals(self, here: slice) -> Array:
        """Return the class counts of a node."""
        return np.bincount(self.codes[self.path.rows[here]], minlength=self.classes)

    @cached_property
    def _data(self) -> Data | None:
        """The criterion as compiled loops take it, None where they do not serve."""
        return criterion_data(self.criterion, len(self.codes), self.classes)

    @cached_property
    def _nodes(self) -> PermutedNodes:
        """The path as compiled loops take it."""
        return PermutedNodes(self.path, list(map(self._node, self.path.nodes)), self.codes, 1.0, self.band)

    def _node(self, here: slice) -> ScannedNode:
        """Return a node, its columns sorted."""
        rows, d, bits = self.path.rows[here], self.x.shape[1], class_bits(self.classes)
        values = np.ascontiguousarray(self.x[rows].T)
        orders, n = np.argsort(values, axis=1, kind="stable"), len(rows)
        kind = np.uint32 if n << bits < 2**32 else np.int64
        subset, cells, ranks = np.zeros(d, dtype=bool), np.empty((d, 0), np.int64), np.empty(0, np.int64)
        coded: CategoryCodes | NoCategories = NoCategories()
        if self.recoding is not None:
            subset, cells = self.recoding.levels > 0, self.recoding.codes[:, rows]
            ordered = shortcut(self.criterion, self.classes)
            coded = CategoryCodes.of(self.recoding.of_rows(rows), self.classes, ordered)
            ranks = coded.node.ranks
        assert self._data is not None
        entries = np.empty((2, n), kind)
        return ScannedNode(
            cells,
            subset,
            np.isnan(values).sum(axis=1) * ~subset,
            orders,
            values,
            self._totals(here),
            bits,
            scorer(self._data, Orders(entries, values, bits)),
            StoppingRules.of(self.stopping, self.criterion),
            coded,
            UNWEIGHTED,
            ranks,
            np.zeros(2),
            entries,
            np.empty(CONSTANTS),
            Scratch.of(self.classes, n),
            np.empty(3),
        )


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
        from splitcrit.trees.growth.permuted_responses_compiled import GrownNode

        order, ranks = np.argsort(types[rows], kind="stable"), Ranks.of(self.x[rows])
        y, coded, held = self.y[rows[order]], NoCategories(), 0  # type: Any, Any, int
        listed = NodeResponses.of(
            Samples(order, y.copy(), np.empty(0)), ranks.ranks, ranks.lost, ranks.values, ERRORS.index(self.error)
        )
        if self.recoding is not None:
            coded = category_codes(self.recoding.of_rows(rows), ranks.values.dtype)
            held = len(coded.node.ranks)
        source = ListedResponsesSource(listed, TriedFeatures.of(self.x.shape[1]), coded, NoComparison())
        tree = root_rows(np.zeros(3), len(rows), np.zeros((), np.uint64), held)
        rules = StoppingRules.of(replace(self.stopping, min_gain=None), None)
        starts = np.searchsorted(types[rows[order]], np.arange(kinds))
        return GrownNode(source, tree, rules, y, starts, np.empty(kinds, np.int64), np.empty(5))
