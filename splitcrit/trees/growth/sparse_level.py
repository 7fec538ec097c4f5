"""Candidates from sparse features, scored by the formula of the criterion: all open nodes of a level.

Main definitions: ``SparseLevel``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.trees.growth.class_rule import ClassRule
from splitcrit.trees.growth.driver import Draws, LevelNodes, Step
from splitcrit.trees.growth.growth_options import GrowthOptions
from splitcrit.trees.growth.records import LOW, CellThresholds, SparseColumns, StoppingRules
from splitcrit.trees.scan import LevelSplits, midpoint
from splitcrit.trees.scan.ties_and_scores import at_least, band, formula_scores, guard, own_impurity

BLOCK = 1 << 15  # cells whose thresholds are scored together


def values_of(keys: Array) -> Array:
    """Return the float32 values of keys."""
    found = keys.astype(np.int32)
    return np.asarray((found ^ ((found >> 31) & np.int32(0x7FFFFFFF))).view(np.float32))


@dataclass(frozen=True, eq=False)
class SparseThresholds:
    """Thresholds of a level: column, keys on both sides, random threshold, score."""

    column: Array
    low: Array
    high: Array
    cut: Array
    score: Array


@dataclass(frozen=True, eq=False)
class SparseLevel:
    """The open nodes of a level: the rows that are in them, the node of each, and columns of cells by node.

    Of every row of the training set, ``codes`` holds the class and ``weights`` the weight.
    """

    held: SparseColumns
    node: Array
    rows: Array
    owner: Array
    codes: Array
    weights: Array
    nodes: LevelNodes
    rule: ClassRule
    growing: GrowthOptions

    def root(self) -> LevelNodes:
        """Return the root."""
        return self.nodes

    def split(self, draws: Draws) -> Step:
        """Return the best candidate of each open node, which of them pay, and the children of these."""
        criterion, totals, m = self.rule.criterion, self.nodes.weights, len(self.nodes.sizes)
        impurity = None if criterion.impurity is None else own_impurity(criterion, totals)
        width, undivided = band(criterion, totals, impurity), guard(criterion)
        ranks = self._ranks(draws)
        average = None if undivided is None else self._average(draws, ranks)
        found = self._scored(draws, ranks, impurity, average)
        best, top = np.full(len(self.node), -np.inf), np.full(m, -np.inf)
        np.maximum.at(best, found.column, found.score)
        np.maximum.at(top, self.node, best)
        floor = top - width
        reached = np.flatnonzero((best >= floor[self.node]) & np.isfinite(best))
        reached = reached[np.argsort(-ranks[reached], kind="stable")]
        chosen, at = np.full(m, -1), np.full(m, -1)
        chosen[self.node[reached]] = reached  # the last one written is the first in the drawn order
        first = np.flatnonzero(chosen[self.node[found.column]] == found.column)
        first = first[found.score[first] >= floor[self.node[found.column[first]]]][::-1]
        at[self.node[found.column[first]]] = first
        splits, side = self._carried_out(found, chosen, at, top, width)
        pays = self.rule.pays(splits, totals, lambda node, feature: np.empty(0))
        step = self.rule.step(self.nodes, splits, pays)
        return replace(step, held=side)

    def _ranks(self, draws: Draws) -> Array:
        """Return the place of each column in the order of the features that are tried, -1 if it is not or constant."""
        from splitcrit.trees.growth.sparse_level_compiled import rank_columns

        ranks, sizes, keys, growing = np.full(len(self.node), -1), self.nodes.sizes, self._keys(draws), self.growing
        rules = StoppingRules.of(growing.stopping, None, growing.max_features, growing.least_varying)
        rank_columns(self.held, self.node, sizes, keys, rules, np.arange(len(self.held.counts)), ranks)
        return ranks

    def _keys(self, draws: Draws) -> Array:
        """Return the key of each node; where nothing is random, all have that of the root."""
        return np.broadcast_to(draws.keys, self.nodes.sizes.shape).copy()

    def _tried(self, draws: Draws, ranks: Array) -> Iterator[tuple[Array, ...]]:
        """Yield thresholds block by block: class weights of both sides, keys, column, random threshold."""
        from splitcrit.trees.growth.sparse_level_compiled import thresholds_of_cells

        held, totals = self.held, self.nodes.weights
        sizes, keys, random = self.nodes.sizes, self._keys(draws), self.growing.random
        rules, first, columns = StoppingRules.of(self.growing.stopping, None), 0, len(self.node)
        while first < columns:
            last = max(first + 1, int(np.searchsorted(held.firsts, held.firsts[first] + BLOCK)) - 1)
            size = int(held.firsts[last] - held.firsts[first]) + 1
            (low, high, column), (left, right) = np.empty((3, size), np.int64), np.empty((2, totals.shape[1], size))
            out = CellThresholds(left, right, low, high, column, np.empty(size))
            n = thresholds_of_cells(
                held, self.node, ranks, sizes, totals, keys, random, self.codes, self.weights, rules, first, last, out
            )
            yield tuple(np.ascontiguousarray(part[..., :n]) for part in out)
            first = last

    def _average(self, draws: Draws, ranks: Array) -> Array:
        """Return the average undivided score of the thresholds of each node, for a guarded ratio."""
        undivided, m = guard(self.rule.criterion), len(self.nodes.sizes)
        assert undivided is not None
        sums, counts = np.zeros(m), np.zeros(m)
        for left, right, _, _, column, _ in self._tried(draws, ranks):
            node = self.node[column]
            sums += np.bincount(node, formula_scores(undivided, left, right), m)
            counts += np.bincount(node, minlength=m)
        return np.asarray(sums / np.maximum(counts, 1))

    def _scored(self, draws: Draws, ranks: Array, impurity: Array | None, average: Array | None) -> SparseThresholds:
        """Return all thresholds that are tried with their scores."""
        criterion, parts = self.rule.criterion, [tuple(np.empty(0, kind) for kind in (int, int, int, float, float))]
        for left, right, low, high, column, cut in self._tried(draws, ranks):
            node = self.node[column]
            scores = formula_scores(criterion, left, right, None if impurity is None else impurity[node])
            if average is not None:
                undivided: Any = guard(criterion)
                enough = formula_scores(undivided, left, right) >= at_least(average[node])
                scores = np.where(enough, scores, -np.inf)
            parts.append((column, low, high, cut, scores))
        return SparseThresholds(*map(np.concatenate, zip(*parts, strict=True)))

    def _carried_out(
        self, found: SparseThresholds, chosen: Array, at: Array, top: Array, width: Array
    ) -> tuple[LevelSplits, Array]:
        """Return the splits at thresholds ``at`` of the chosen columns, and which rows go left."""
        held, nodes = self.held, self.nodes
        m, classes = nodes.weights.shape
        split = np.flatnonzero(at >= 0)
        low, threshold, feature = np.zeros(m, np.int64), np.full(m, np.nan), np.full(m, -1)
        low[split], feature[split] = found.low[at[split]], held.columns[chosen[split]]
        values = values_of(found.low[at[split]]), values_of(found.high[at[split]])
        threshold[split] = found.cut[at[split]] if self.growing.random else midpoint(*values)
        side = np.zeros(len(self.codes), dtype=bool)
        side[self.rows] = (low >= 0)[self.owner] & (at >= 0)[self.owner]
        for node in split:
            entries = held.entries[held.firsts[chosen[node]] : held.firsts[chosen[node] + 1]]
            side[entries & ((1 << LOW) - 1)] = entries >> LOW <= low[node]
        goes = side[self.rows]
        cell = self.owner[goes] * classes + self.codes[self.rows[goes]]
        left = np.bincount(cell, self.weights[self.rows[goes]], m * classes).reshape(m, classes)
        sizes = np.bincount(self.owner[goes], minlength=m)
        none = np.full(m, -1)
        return LevelSplits(feature, threshold, 2 * sizes > nodes.sizes, top, width, left, sizes, none), side

    def divide(self, step: Step, opened: Array) -> SparseLevel:
        """Return the open children."""
        number = np.full((len(step.pays), 2), -1)
        number[step.pays] = np.where(opened, np.cumsum(opened) - 1, -1).reshape(-1, 2)
        held, child = self.held, np.full(len(self.codes), -1)
        child[self.rows] = number[self.owner, 1 - step.held[self.rows]]
        rows = self.rows[child[self.rows] >= 0]
        entries, owner = held.entries[: held.firsts[-1]], child[held.entries[: held.firsts[-1]] & ((1 << LOW) - 1)]
        features = np.repeat(held.columns, np.diff(held.firsts))
        order = np.argsort(owner, kind="stable")
        order = order[np.searchsorted(owner[order], 0) :]
        nodes = step.children
        described = LevelNodes(
            nodes.sizes[opened], nodes.weights[opened], nodes.pure[opened], nodes.described[:, opened]
        )
        below = replace(self, rows=rows, owner=child[rows], nodes=described)
        return below.over(entries[order], features[order], owner[order])

    def over(self, entries: Array, features: Array, owner: Array) -> SparseLevel:
        """Return the same nodes with columns of these cells, in the order of nodes, features and keys."""
        differs = (features[1:] != features[:-1]) | (owner[1:] != owner[:-1])
        firsts = (
            np.concatenate([[0], np.flatnonzero(differs) + 1, [len(entries)]]) if len(entries) else np.zeros(1, int)
        )
        self.held.marks[self.rows] = (self.owner << LOW) | self.rows
        held = self.held._replace(entries=entries, columns=features[firsts[:-1]], firsts=firsts)
        return replace(self, held=held, node=owner[firsts[:-1]])
