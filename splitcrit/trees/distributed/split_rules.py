"""The rules of a distributed tree: the best splits of nodes, their summaries, and who finishes them.

Main definitions: ``ClassHistogramRule``, ``ResponseRule``; ``Rule``; ``described``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import frexp
from typing import Any

import numpy as np
from dask.base import persist
from dask.delayed import delayed
from distributed.protocol.pickle import dumps

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.nulls.calibration import Calibrated
from splitcrit.trees.distributed.histogram_scores import ClassScorer, ResponseScorer
from splitcrit.trees.distributed.histogram_search import Histograms, best_of_bins
from splitcrit.trees.distributed.histograms import Binned, BinnedRows, merged
from splitcrit.trees.distributed.sketch import Bins
from splitcrit.trees.distributed.sums import ClassSums, ResponseSums, digits, whole
from splitcrit.trees.growth import GrownTree, GrowthOptions, grow, grow_regression
from splitcrit.trees.growth.category_ranks import ORDER, SEVERAL, Ranked, Recoding
from splitcrit.trees.growth.class_rule import ClassRule
from splitcrit.trees.growth.driver import LevelNodes
from splitcrit.trees.growth.grown_tree import with_scores
from splitcrit.trees.growth.growth_options import Stopping, refuse_untested
from splitcrit.trees.growth.response_source import with_decreases
from splitcrit.trees.scan import Columns, LevelSplits, Limits, subsets
from splitcrit.trees.scan.ties_and_scores import TIE

SQUARES = 4  # digits of squares


@dataclass(frozen=True, eq=False)
class ClassHistogramRule:
    """Rows with class codes: ``splits`` by any criterion, of their ``sums``."""

    splits: ClassRule
    sums: ClassSums
    criterion: Criterion

    @staticmethod
    def of(criterion: Criterion, stopping: Stopping, bins: Bins, sums: ClassSums) -> ClassHistogramRule:
        """Return the rule of a criterion on binned features."""
        coded, missing = bool(bins.levels.any()), bool(bins.missing.any())
        selection, unserved = criterion.search.tested, {"categorical columns": coded, "missing values": missing}
        refuse_untested(selection, unserved | {"a Dask collection": isinstance(selection, Calibrated)})
        return ClassHistogramRule(ClassRule.of(criterion, stopping), sums, criterion)

    def nodes(self, sizes: Array, sums: Array, *_: Any) -> LevelNodes:
        """Return the summary of nodes of these sizes and sums."""
        return LevelNodes.of_classes(sizes, sums)

    def best(self, found: Histograms, nodes: LevelNodes, drawn: Array | None) -> tuple[LevelSplits, Array]:
        """Return the best splits of nodes, and which of them pay."""
        rule = self.splits
        ranks = rule.tried(found.table, (len(nodes.sizes), len(found.bins.low)), drawn, dict)
        splits = best_of_bins(found, ClassScorer.of(rule.criterion, found.totals), rule.limits, ranks)
        return splits, rule.pays(splits, found.totals, found.table)

    def ranked(self, found: Histograms, _: LevelNodes, recoding: Recoding) -> Ranked:
        """Return the ranks of categories, each of which has a bin."""
        return recoding.by_class(found.sums.astype(float), found.rows, self.splits.criterion, self.splits.limits)

    def travels(self) -> bool:
        """Tell whether workers can be sent the criterion."""
        try:
            dumps(self.criterion)
        except Exception:  # whatever a user's criterion holds
            return False
        return True

    def grown(self, x: Array, part: Binned, growing: GrowthOptions) -> GrownTree:
        """Return the tree of rows that lie together."""
        columns = Columns.of(x, part.target, self.sums.classes, part.weights)
        return grow(columns, self.criterion, growing, keep=False)

    def scored(self, tree: GrownTree) -> GrownTree:
        """Return a tree with the scores of its splits."""
        return with_scores(tree, self.splits.criterion)


@dataclass(frozen=True, eq=False)
class ResponseRule:
    """Rows whose responses are numbers: splits lower the squared error; ``largest`` bounds weighted squares."""

    stopping: Stopping
    sums: ResponseSums
    largest: float

    def nodes(self, sizes: Array, sums: Array, parts: Sequence[Any], rows: list[Any]) -> LevelNodes:
        """Return the summary of nodes of these sizes and sums; the partitions add squares and extremes."""
        means, exponent = self.sums.means(sums), frexp(self.largest)[1]
        held = delayed((means, exponent, self.sums.bits), traverse=False)
        each = [delayed(described)(part, at, held) for part, at in zip(parts, rows, strict=True)]
        *rows[:], total = persist(*rows, merged(each, gathered))
        found, weights = total.compute(), self.sums.weights(sums)
        low, high = found[SQUARES:]
        scale = exponent - SQUARES * self.sums.bits
        squares = np.ldexp(whole(found[:SQUARES].T, self.sums.bits).astype(float), scale)
        pure = low == high
        value = np.stack([np.where(pure, low, means), np.where(pure, 0.0, squares / weights)])
        return LevelNodes(sizes, weights[:, None], pure, value)

    @property
    def limits(self) -> Limits:
        """What a split must leave on each side."""
        return Limits(self.stopping.min_samples_leaf, self.stopping.min_weight_leaf)

    def best(self, found: Histograms, nodes: LevelNodes, drawn: Array | None) -> tuple[LevelSplits, Array]:
        """Return the best splits of nodes, and which of them pay."""
        scorer = ResponseScorer(self.sums, found.totals, nodes.described[1])
        splits = best_of_bins(found, scorer, self.limits, drawn)
        return splits, (splits.feature >= 0) & self.stopping.pays(splits.score, splits.band)

    def ranked(self, found: Histograms, nodes: LevelNodes, recoding: Recoding) -> Ranked:
        """Return the ranks of categories, each of which has a bin."""
        m, j, width = found.sums.shape
        limits, sizes = self.limits, found.rows
        apart = self.sums.centred(found.sums.reshape(-1, width), np.repeat(found.totals, j, axis=0)).reshape(m, j)
        weight, binding = self.sums.weights(found.sums), limits.least > 1 or limits.lightest > 0
        order = subsets.ranks(apart / np.where(sizes > 0, weight, 1), sizes > 0)
        ranked = Ranked(order, weight, np.full(m, SEVERAL if binding else ORDER))
        if not binding:
            return ranked
        band = TIE * nodes.described[1] * nodes.weights[:, 0]
        comparison = subsets.Comparison(subsets.squared_scores, band, 0)
        return recoding.searched(ranked, np.stack([weight, apart], axis=2), sizes, limits, comparison)

    def travels(self) -> bool:
        """Tell whether workers can finish nodes."""
        return True

    def grown(self, x: Array, part: Binned, growing: GrowthOptions) -> GrownTree:
        """Return the tree of rows that lie together."""
        return grow_regression(x, part.target, part.weights, growing=growing)

    def scored(self, tree: GrownTree) -> GrownTree:
        """Return a tree with the scores of its splits."""
        return with_decreases(tree, "squared_error")


Rule = ClassHistogramRule | ResponseRule


def described(binned: Binned, rows: BinnedRows, held: tuple[Array, int, int]) -> Array:
    """Return of each node the digits of its weighted squares about a mean, its least and its largest response."""
    means, exponent, bits = held
    y, node, m = binned.target[rows.rows], rows.nodes, len(means)
    squares = (y - means[node]) ** 2
    if binned.weights is not None:
        squares *= binned.weights[rows.rows]
    low, high = np.full(m, np.inf), np.full(m, -np.inf)
    np.minimum.at(low, node, y)
    np.maximum.at(high, node, y)
    return np.stack([*(np.bincount(node, each, m) for each in digits(squares, exponent, bits, SQUARES)), low, high])


def gathered(parts: Sequence[Array]) -> Array:
    """Merge the summaries of the same nodes by several partitions."""
    every = np.stack(parts)
    low, high = every[:, SQUARES].min(axis=0), every[:, SQUARES + 1].max(axis=0)
    return np.concatenate([every[:, :SQUARES].sum(axis=0), [low, high]])
