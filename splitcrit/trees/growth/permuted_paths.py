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
from splitcrit.trees.growth.paths import Path
from splitcrit.trees.growth.records import Categories, PathNode, PresortedSource, StoppingRules, Workspace
from splitcrit.trees.scan import Columns, Limits
from splitcrit.trees.scan.prepared_criterion import criterion_data, scorer, undefined
from splitcrit.trees.scan.records import (
    CONSTANTS,
    CategoryTable,
    Chosen,
    Data,
    Limited,
    Ordered,
    Orders,
    Samples,
    Scratch,
    SideLimits,
    Tried,
)
from splitcrit.trees.scan.response_search import NOWHERE, OrderedResponses, ResponseNodes
from splitcrit.trees.scan.subsets import shortcut
from splitcrit.trees.scan.ties_and_scores import TIE, band


def node_by_node(path: Path, scores_of: Callable[[int, Array], Array], labels: Array) -> Array:
    """Return scores of the first node for each row of labels, nan where an ancestor has none; each asks those kept."""
    found, kept = np.full(len(labels), np.nan), np.arange(len(labels))
    for node in [*range(1, len(path.nodes)), 0]:  # the nearest ancestor, the smallest, comes first
        found[kept] = scores = scores_of(node, labels[kept])
        kept = kept[~np.isnan(scores)]
    return found


def categories_of(recoding: Recoding | None, orders: Array) -> Categories:
    """Return the columns of categories, given the orders of all."""
    number = np.full(len(orders), -1)
    if recoding is None:
        return Categories(number, orders[:0], np.empty((0, 0), np.int64), np.empty(1, np.int64))
    number[recoding.columns] = np.arange(len(recoding.columns))
    first = np.empty(int(recoding.levels.max()) + 1, np.int64)
    return Categories(number, orders[recoding.columns], recoding.codes[recoding.columns], first)


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
        orders = [(each.orders.astype(np.int64) + (int(start) << bits)).astype(kind)
                  for each, start in zip(of_node, path.starts, strict=False)]  # fmt: skip
        columns = replace(
            of_node[-1], values=np.concatenate([each.values for each in of_node], axis=1), codes=y,
            orders=np.concatenate(orders, axis=1),
        )  # fmt: skip
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
        from splitcrit.trees.growth.permuted_compiled import permuted_node, permuted_tables

        (orders, space), categories, k = self._space, self._categories, self.columns.classes
        here, counts, out = self.path.nodes[node], self.totals[node].astype(np.int64), np.empty(len(labels))
        place = PathNode(here.start, here.stop, counts, self.path.left, self.path.place)
        ranks = np.empty((0, len(labels), 0), np.int64)
        if self.recoding is not None:
            tables = np.zeros((len(categories.codes), len(labels), int(self.recoding.levels.max()), k), np.int64)
            permuted_tables(categories, place, labels, orders.bits, tables)
            ranks = self._ranks(tables.reshape(-1, *tables.shape[2:]), counts).reshape(tables.shape[:3])
        assert self._data is not None
        rules = StoppingRules.of(self.stopping, self.criterion)
        source = PresortedSource(orders, scorer(self._data, orders), space)
        permuted_node(source, categories, place, labels, ranks, rules, out)
        return out

    def _ranks(self, tables: Array, counts: Array) -> Array:
        """Return the ranks ``(m, J)`` of categories with class counts ``(m, J, K)`` in a node with these in all."""
        from splitcrit.trees.scan.scan_subsets import division_ranks

        assert self._data is not None and self.recoding is not None
        ranks, n = np.zeros(tables.shape[:2], np.int64), int(counts.sum())
        ordered = shortcut(self.criterion, len(counts))
        space = CategoryTable.of(tables.shape[1], len(counts), ordered, self.recoding.max_exact)
        limits = SideLimits(n, n, int(self.stopping.min_samples_leaf), 0.0)
        division_ranks(tables, self._data, counts, space, limits, np.empty(CONSTANTS), ranks)
        return ranks

    @cached_property
    def _data(self) -> Data | None:
        """The criterion as compiled loops take it, None where they do not serve."""
        columns = self.columns
        return criterion_data(self.criterion, len(columns.codes), columns.classes)

    @cached_property
    def _space(self) -> tuple[Orders, Workspace]:
        """The orders of the path, which a search may overwrite, and space for it."""
        columns, (d, n) = self.columns, self.columns.orders.shape
        orders = Orders(columns.orders.copy(), columns.values.copy(), columns.bits)
        return orders, Workspace.of(Scratch.of(columns.classes, n), d, columns.orders[0])

    @cached_property
    def _categories(self) -> Categories:
        """The columns of categories."""
        return categories_of(self.recoding, self.columns.orders)


@dataclass(frozen=True, eq=False)
class ResponsePath:
    """A path of nodes whose rows have responses ``y (N,)`` that are numbers: a level of the search of such trees."""

    path: Path
    front: OrderedResponses
    y: Array
    stopping: Stopping
    recoding: Recoding | None = None

    @staticmethod
    def of(path: Path, x: Array, y: Array, error: str, stopping: Stopping) -> ResponsePath:
        """Return the path, its samples numbered in each node in the order of their responses."""
        fronts = []
        for node in path.nodes:
            here = path.rows[node]
            columns = Columns.of(x[here], np.zeros(len(here), np.int64), 1)
            fronts.append(OrderedResponses.of(columns, y[here], error))
        first = path.starts[:-1].tolist()
        orders = [each.orders.astype(np.int64) + 2 * start for each, start in zip(fronts, first, strict=True)]
        rows = [each.nodes.samples.rows.astype(np.int64) + start for each, start in zip(fronts, first, strict=True)]
        samples = Samples(np.concatenate(rows), y[path.rows[np.concatenate(rows)]], np.empty(0))
        described = np.concatenate([each.nodes.described for each in fronts], axis=1)
        nodes = ResponseNodes(samples, path.starts, described, fronts[0].nodes.error)
        front = replace(
            fronts[-1], values=np.concatenate([each.values for each in fronts], axis=1), starts=path.starts,
            orders=np.concatenate(orders, axis=1), nodes=nodes, which=np.arange(len(fronts)),
        )  # fmt: skip
        return ResponsePath(path, front, y[path.rows], stopping)

    def with_categories(self, recoding: Recoding | None) -> ResponsePath:
        """Return the path where some columns are categories of the training set, divided by their subsets."""
        return self if recoding is None else replace(self, recoding=recoding.of_rows(self.path.rows))

    @property
    def band(self) -> float:
        """How much two scores of the node may differ by rounding."""
        return TIE * float(self.front.nodes.impurity[0])

    def scores(self, labels: Array) -> Array:
        """Return the node's best score for each row of ``labels (m, n)``, nan where an ancestor chooses otherwise."""
        return node_by_node(self.path, self._scores_of, np.ascontiguousarray(labels, float))

    def _scores_of(self, node: int, labels: Array) -> Array:
        """Return the best score of a node for each row of labels, nan where an ancestor chooses otherwise."""
        from splitcrit.trees.growth.permuted_responses_compiled import permuted_responses

        (ordered, samples, copies), categories, nodes = self._space, self._categories, self.front.nodes
        here, out = slice(node, node + 1), np.empty(len(labels))
        ends, described = self.path.starts[node : node + 2], np.ascontiguousarray(nodes.described[:, here])
        front = ordered._replace(starts=ends, bases=ends[:1], known=np.ascontiguousarray(ordered.known[:, here]))
        place = PathNode(int(ends[0]), int(ends[1]), np.empty(0, np.int64), self.path.left, self.path.place)
        ranks = self._ranks(node, place, labels)
        tried = Tried(np.arange(len(front.orders))[None], NOWHERE.places, NOWHERE.goes)
        rule = Limited(nodes.error, TIE * nodes.impurity[here], int(self.stopping.min_samples_leaf), 0.0)
        feature, left_sizes, below, above = np.empty((4, 1), np.int64)
        chosen = Chosen(feature, np.zeros(1, dtype=bool), np.empty(1), left_sizes, below, above)
        permuted_responses(
            front, samples, described, tried, rule, *copies, categories, place, labels, ranks, chosen, out
        )  # fmt: skip
        return out

    def _ranks(self, node: int, place: PathNode, labels: Array) -> Array:
        """Return the ranks ``(F, m, J)`` of the categories of each column for each row of labels."""
        if self.recoding is None:
            return np.empty((0, len(labels), 0), np.int64)
        from splitcrit.trees.growth.permuted_responses_compiled import permuted_deviations, permuted_sums

        nodes, categories, limits = self.front.nodes, self._categories, Limits(self.stopping.min_samples_leaf)
        tables = np.zeros((len(categories.codes), len(labels), int(self.recoding.levels.max()), 3))
        permuted_sums(categories, place, self.y, float(nodes.value[node]), labels, tables)
        each = tables.reshape(-1, *tables.shape[2:])
        sizes, width = each[..., 0].astype(np.int64), TIE * nodes.impurity[node] * nodes.weight[node]
        found = self.recoding.by_sums(each, sizes, nodes.error, limits, np.full(len(each), width))
        ranks = found.ranks.reshape(tables.shape[:3])
        if nodes.absolute:
            most = min(self.recoding.max_exact, tables.shape[2])
            local, scores = np.empty(tables.shape[2], np.int64), np.empty(1 << max(most - 1, 0))
            data = self.y - float(nodes.value[node]), labels - float(nodes.value[node])
            permuted_deviations(categories, place, *data, limits.least, most, local, scores, tables, ranks)
        return ranks

    @cached_property
    def _space(self) -> tuple[Ordered, Samples, tuple[Array, ...]]:
        """Orders and samples that a search may overwrite, and the orders by copies instead of numbers."""
        front, rows = self.front, self.front.nodes.samples.rows
        number = np.empty(len(rows), np.int64)
        number[rows] = np.arange(len(rows))
        by_copy = (rows[front.orders >> 1] << 1) | (front.orders & 1).astype(np.int64)
        samples = Samples(rows.copy(), np.empty(len(rows)), np.empty(0))
        ordered = front.ordered._replace(orders=front.orders.copy())
        return ordered, samples, (by_copy, self.y, number, np.zeros(len(rows), np.uint8))

    @cached_property
    def _categories(self) -> Categories:
        """The columns of categories."""
        return categories_of(self.recoding, self._space[2][0])
