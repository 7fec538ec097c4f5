"""Labels permuted inside one node of a tree, and what the node and its ancestors choose then.

Main definitions: ``ClassPath``, whose ``scores`` are the best scores of a node for given labels, nan where an ancestor
would divide its rows otherwise, so that the node would not be in the tree; ``ResponsePath``, the same for responses
that are numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.trees.growth.by_reference import builder_of
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.growth_options import GrowthOptions, Stopping
from splitcrit.trees.growth.one_loop import category_codes, numbered_orders
from splitcrit.trees.growth.paths import Path
from splitcrit.trees.growth.records import (
    CategoryCodes,
    NodeResponses,
    PathNode,
    PermutedSource,
    PresortedResponsesSource,
    PresortedSource,
    StoppingRules,
    Workspace,
)
from splitcrit.trees.growth.training import Ranks
from splitcrit.trees.scan import Columns
from splitcrit.trees.scan.prepared_criterion import criterion_data, scorer, undefined
from splitcrit.trees.scan.records import ERRORS, Data, Orders, Samples, Scratch
from splitcrit.trees.scan.subsets import shortcut
from splitcrit.trees.scan.ties_and_scores import TIE, band


def node_by_node(path: Path, scores_of: Callable[[int, Array], Array], labels: Array) -> Array:
    """Return scores of the first node for each row of labels, nan where an ancestor has none; each asks those kept."""
    found, kept = np.full(len(labels), np.nan), np.arange(len(labels))
    for node in [*range(1, len(path.nodes)), 0]:  # the nearest ancestor, the smallest, comes first
        found[kept] = scores = scores_of(node, labels[kept])
        kept = kept[~np.isnan(scores)]
    return found


@dataclass(frozen=True, eq=False)
class ClassPath:
    """A path of nodes whose rows have classes, side by side in every column; ``totals (nodes, K)`` are class counts."""

    path: Path
    columns: Columns
    totals: Array
    criterion: Criterion
    stopping: Stopping
    recoding: Recoding | None = None

    @staticmethod
    def of(path: Path, x: Array, codes: Array, classes: int, criterion: Criterion, stopping: Stopping) -> ClassPath:
        """Return the path, its columns sorted in each node."""
        of_node = [Columns.of(x[path.rows[node]], codes[path.rows[node]], classes) for node in path.nodes]
        y, bits = codes[path.rows], of_node[0].bits
        kind = np.uint32 if len(y) << bits < 2**32 else np.int64
        orders = [
            (each.orders.astype(np.int64) + (int(start) << bits)).astype(kind)
            for each, start in zip(of_node, path.starts, strict=False)
        ]
        columns = replace(
            of_node[-1],
            values=np.concatenate([each.values for each in of_node], axis=1),
            codes=y,
            orders=np.concatenate(orders, axis=1),
        )
        totals = np.array([np.bincount(each.codes, minlength=classes) for each in of_node])
        return ClassPath(path, columns, totals.astype(float), criterion, stopping)

    def with_categories(self, recoding: Recoding | None) -> ClassPath:
        """Return the path where some columns are categories of the training set, divided by their subsets."""
        return self if recoding is None else replace(self, recoding=recoding.of_rows(self.path.rows))

    @property
    def band(self) -> float:
        """How much two scores of the node may differ by rounding."""
        return float(band(self.criterion, self.totals[:1])[0])

    def scores(self, labels: Array) -> Array:
        """Return the node's best score for each row of ``labels (m, n)``, nan where an ancestor chooses otherwise."""
        if self._data is not None:
            found = node_by_node(self.path, self._scores_of, np.ascontiguousarray(labels, np.int64))
            if not undefined(self._data):
                return found
        return self.by_reference(labels)

    def by_reference(self, labels: Array) -> Array:
        """Return the same scores by the reference builder, which serves every criterion."""
        return node_by_node(self.path, lambda node, some: np.array([self._score(node, each) for each in some]), labels)

    def _score(self, node: int, labels: Array) -> float:
        """Return the best score of a node for one row of labels, nan of an ancestor that chooses otherwise."""
        codes, here = self.path.relabelled(self.columns.codes, labels), self.path.nodes[node]
        growing = GrowthOptions(self.stopping, recoding=self.recoding)
        builder = builder_of(self.columns.values.T, codes, self.columns.classes, self.criterion, growing)
        if node == 0:
            builder = replace(builder, pays=lambda *_: True)  # what a node scores, it does even as a leaf
        found = builder.node(np.arange(here.start, here.stop), 0, 1)
        goes = builder.best(found)
        if node == 0:
            return -np.inf if goes is None else found.score
        same = 0 if goes is None else int((goes == self.path.left[here]).sum())
        return found.score if goes is not None and same in (0, len(goes)) else np.nan

    def _scores_of(self, node: int, labels: Array) -> Array:
        """Return the best score of a node for each row of labels, nan where an ancestor chooses otherwise."""
        from splitcrit.trees.growth.permuted_compiled import permuted_node

        here, counts, out = self.path.nodes[node], self.totals[node].astype(np.int64), np.empty(len(labels))
        place = PathNode(here.start, here.stop, counts, self.path.left, self.path.place)
        permuted_node(self._source, place, labels, StoppingRules.of(self.stopping, self.criterion), out)
        return out

    @cached_property
    def _data(self) -> Data | None:
        """The criterion as compiled loops take it, None where they do not serve."""
        columns = self.columns
        return criterion_data(self.criterion, len(columns.codes), columns.classes)

    @cached_property
    def _source(self) -> PermutedSource:
        """The path as a source of the loop, which a search may overwrite."""
        columns, (d, n), k = self.columns, self.columns.orders.shape, self.columns.classes
        assert self._data is not None
        orders = Orders(columns.orders.copy(), columns.values.copy(), columns.bits)
        space = Workspace.of(Scratch.of(k, n), d, columns.orders[0])
        coded = CategoryCodes.of(self.recoding or Recoding.none(d), k, shortcut(self.criterion, k))
        return PermutedSource(PresortedSource(orders, scorer(self._data, orders), space), coded, space)


@dataclass(frozen=True, eq=False)
class ResponsePath:
    """A path of nodes whose rows have responses ``y (N,)`` that are numbers, side by side in every column.

    ``orders (d, N)`` list ``copy << 1 | same`` of the copies, ``values (d, N)`` are theirs, missing ones infinite.
    """

    path: Path
    y: Array
    orders: Array
    values: Array
    error: str
    stopping: Stopping
    recoding: Recoding | None = None

    @staticmethod
    def of(path: Path, x: Array, y: Array, error: str, stopping: Stopping) -> ResponsePath:
        """Return the path, its columns sorted in each node."""
        of_node = [Columns.of(x[path.rows[node]], np.zeros(node.stop - node.start, np.int64), 1) for node in path.nodes]
        orders = [
            numbered_orders(each, np.arange(len(each.codes))).astype(np.int64) + 2 * int(start)
            for each, start in zip(of_node, path.starts, strict=False)
        ]
        values = Ranks.unsorted(np.concatenate([each.values for each in of_node], axis=1)).values
        return ResponsePath(path, y[path.rows], np.concatenate(orders, axis=1), values, error, stopping)

    def with_categories(self, recoding: Recoding | None) -> ResponsePath:
        """Return the path where some columns are categories of the training set, divided by their subsets."""
        return self if recoding is None else replace(self, recoding=recoding.of_rows(self.path.rows))

    @property
    def band(self) -> float:
        """How much two scores of the node may differ by rounding."""
        here = self.y[self.path.nodes[0]]
        apart = here - (np.median(here) if self.error == "absolute_error" else here.mean())
        return TIE * float(np.abs(apart).mean() if self.error == "absolute_error" else (apart**2).mean())

    def scores(self, labels: Array) -> Array:
        """Return the node's best score for each row of ``labels (m, n)``, nan where an ancestor chooses otherwise."""
        return node_by_node(self.path, self._scores_of, np.ascontiguousarray(labels, float))

    def _scores_of(self, node: int, labels: Array) -> Array:
        """Return the best score of a node for each row of labels, nan where an ancestor chooses otherwise."""
        from splitcrit.trees.growth.permuted_responses_compiled import permuted_responses

        here, out = self.path.nodes[node], np.empty(len(labels))
        rows = np.concatenate([each.start + np.argsort(self.y[each], kind="stable") for each in self.path.nodes])
        self._source.listed.samples.rows[:] = rows
        self._source.listed.samples.responses[:] = self.y[rows]
        place = PathNode(here.start, here.stop, np.empty(0, np.int64), self.path.left, self.path.place)
        rules = StoppingRules.of(replace(self.stopping, min_gain=None), None)
        data = self._recoding, self.orders, self.y, place, labels, rules, np.empty(4), out
        permuted_responses(self._source, *data)
        return out

    @cached_property
    def _source(self) -> PresortedResponsesSource:
        """The path as a source of the loop, which a search may overwrite."""
        n, values = len(self.y), self.values.copy()
        samples = Samples(np.empty(n, np.int64), np.empty(n), np.empty(0))
        listed = NodeResponses.of(
            samples, np.empty((0, 0), np.uint32), np.empty(0, np.int64), values, ERRORS.index(self.error)
        )
        return PresortedResponsesSource.of(listed, self.orders.copy())

    @cached_property
    def _recoding(self) -> CategoryCodes:
        """The columns of categories."""
        return category_codes(self.recoding or Recoding.none(len(self.orders)))
