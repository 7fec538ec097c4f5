"""Candidates from histograms: the rows of the open nodes lie in partitions, elsewhere.

Each level the partitions add up the bins of the open nodes, the sums are added up where they lie, and the splits are
chosen here. Of two children only the smaller is counted; the other is what it leaves of the parent. A node of few rows
is left for one worker to finish.

A category has a bin, and at each node bins stand in the order of the categories' ranks. The search of thresholds then
treats them like those of numbers; a chosen place is a subset of categories.

Main definitions: ``grow_apart``, ``HistogramSource``, ``few``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from itertools import islice
from typing import Any

import numpy as np
from dask.base import persist
from dask.delayed import delayed

from splitcrit.arguments import Array
from splitcrit.trees.distributed.finishing import Coarse, SplitLevel, finished_by_workers
from splitcrit.trees.distributed.histograms import Routes, Spread, SubsetSides, descended, histogram, merged, rooted
from splitcrit.trees.distributed.split_rules import Histograms, LevelNodes, Rule, travels
from splitcrit.trees.distributed.training_summary import changed
from splitcrit.trees.growth import GrownTree, GrowthOptions
from splitcrit.trees.growth.category_ranks import NO_SUBSETS, Recoding
from splitcrit.trees.growth.grown_tree import numbered
from splitcrit.trees.scan import LevelSplits
from splitcrit.trees.scan.open_nodes import joined
from splitcrit.trees.scan.random_keys import drawn_ranks, side_keys

CELLS = 1 << 23  # numbers in the histograms that travel together
SHARE, LEAST, MOST = 16, 1 << 12, 1 << 25  # share of the rows, rows, and values of a node that one worker finishes


def few(rows: int, features: int) -> int:
    """Up to how many rows one worker finishes a node: a share of all, within limits.

    Examples
    --------
    >>> few(1000, 10), few(10**6, 20), few(10**9, 20)
    (4096, 62500, 1677721)
    """
    return max(LEAST, min(rows // SHARE, MOST // features))


def grow_apart(spread: Spread, rule: Rule, growing: GrowthOptions) -> GrownTree:
    """The tree of a training set in partitions, as it is grown in memory where each value has its own bin.

    Raises
    ------
    RuntimeError
        If partitions hold other rows when they are read again.
    """
    stopping, handed = growing.stopping, few(spread.rows, len(spread.bins.low)) if travels(rule) else 0
    coarse = replace(stopping, min_samples_split=max(stopping.min_samples_split, handed + 1))
    whole = growing.recoding
    recoding = None if whole is None else whole.anew()
    below: HistogramSource | None = HistogramSource.of(spread, rule, replace(growing, stopping=coarse), recoding)
    levels = list[SplitLevel]()
    while below is not None:
        level, below = below.split()
        levels.append(level)
    leaves = Coarse.of(levels, coarse, stopping)
    growing = replace(growing, recoding=recoding)
    tree = rule.scored(finished_by_workers(spread, leaves, rule, growing, handed))
    tree = spread.bins.noted(numbered(tree, tree.left >= 0))
    return tree if whole is None or recoding is None else level_by_level(tree, recoding, whole)


@dataclass(frozen=True, eq=False)
class HistogramSource:
    """The nodes of a level with their sums and the keys of their draws; those that ``growing`` opens are searched.

    ``rows`` (delayed) are those of each partition in the nodes of the level, ``parents`` the histograms of the nodes
    whose children these are, two by two.
    """

    spread: Spread
    rule: Rule
    growing: GrowthOptions
    recoding: Recoding | None
    nodes: LevelNodes
    totals: Array
    keys: Array
    rows: list[Any]
    parents: Array | None = None
    depth: int = 0

    @staticmethod
    def of(spread: Spread, rule: Rule, growing: GrowthOptions, recoding: Recoding | None) -> HistogramSource:
        """The root of a training set."""
        rows, totals = [delayed(rooted)(part) for part in spread.parts], spread.totals[None]
        nodes, keys = rule.nodes(np.array([spread.rows]), totals, spread.parts, rows), growing.root_key[None]
        return HistogramSource(spread, rule, growing, recoding, nodes, totals, keys, rows)

    @cached_property
    def which(self) -> Array:
        """The places of the open nodes."""
        return np.flatnonzero(self.nodes.opened(self.growing.stopping, self.depth))

    def split(self) -> tuple[SplitLevel, HistogramSource | None]:
        """The best split of each open node, and the children of the splits that pay, to which rows are sent."""
        if not len(which := self.which):
            return SplitLevel(self.nodes, self.keys), None
        counts = self.histograms()
        chosen = [self._chosen(counts[here], which[here]) for here in self._blocks(len(counts))]
        splits, pays = joined([each for each, _ in chosen]), np.concatenate([each for _, each in chosen])
        left, rows = splits.left, self._descended(splits, pays)
        sizes = np.stack([splits.left_sizes, self.nodes.sizes[which] - splits.left_sizes], axis=1)[pays].reshape(-1)
        sums = np.stack([left, self.totals[which] - left], axis=1)[pays].reshape(-1, left.shape[1])
        keys = np.stack(side_keys(self.keys[which]), axis=1)[pays].reshape(-1)
        nodes, parents = self.rule.nodes(sizes, sums, self.spread.parts, rows), counts[pays]
        below = replace(self, nodes=nodes, totals=sums, keys=keys, rows=rows, parents=parents, depth=self.depth + 1)
        return SplitLevel(self.nodes, self.keys, which, splits, pays), below

    def histograms(self) -> Array:
        """The sums ``(m, bins, width)`` of the open nodes: counted, or what a sibling leaves of the parent."""
        if self.parents is None:
            return self._counted(self.which)
        pairs = np.unique(self.which // 2)
        asked = 2 * pairs + (self.nodes.sizes[2 * pairs + 1] < self.nodes.sizes[2 * pairs])
        at = np.searchsorted(pairs, self.which // 2)
        counts, derived = self._counted(asked)[at], asked[at] != self.which
        counts[derived] = self.parents[self.which[derived] // 2] - counts[derived]
        return counts

    def _counted(self, asked: Array) -> Array:
        """The histograms of some nodes of the level, added up over the partitions, as many at once as travel."""
        return np.concatenate([self._travelling(asked[here]) for here in self._blocks(len(asked))])

    def _blocks(self, nodes: int) -> list[slice]:
        """The places of as many nodes at once as travel."""
        some = max(1, CELLS // (self.rule.sums.width * int(self.spread.bins.starts[-1])))
        return [slice(first, first + some) for first in range(0, nodes, some)]

    def _travelling(self, asked: Array) -> Array:
        wanted, starts = np.full(len(self.nodes.sizes), -1), delayed(self.spread.bins.starts, traverse=False)
        wanted[asked] = np.arange(len(asked))
        pairs, shared = zip(self.spread.parts, self.rows, strict=True), delayed(wanted, traverse=False)
        counted = iter([delayed(histogram)(part, rows, self.rule.sums, starts, shared) for part, rows in pairs])
        together = partial(reduce, np.add)
        sums = [merged(list(islice(counted, len(group))), together) for group in self.spread.groups]
        # The list is filled with what is persisted, so that no later block, and no later level, computes rows again.
        *self.rows[:], total = persist(*self.rows, merged(sums, together))
        return np.asarray(total.compute())

    def _chosen(self, sums: Array, which: Array) -> tuple[LevelSplits, Array]:
        """The splits of some open nodes, and which of them pay."""
        nodes, recoding, growing, drawn = self.nodes.some(which), self.recoding, self.growing, None
        counts = Histograms(*self.rule.sums.parted(sums), self.totals[which], nodes.sizes, self.spread.bins)
        if not counts.complete():
            raise changed(f"other rows at depth {self.depth}")
        counts = counts if recoding is None else recoded(counts, self.rule, nodes, recoding)
        if growing.max_features is not None:
            constant = counts.constant()
            for f, ranked in ({} if recoding is None else recoding.ranked).items():  # it varies if it holds two
                constant[:, f] = (ranked.weight > 0).sum(axis=1) < 2
            drawn = drawn_ranks(self.keys[which], constant, growing.max_features, growing.least_varying)
        splits, pays = self.rule.best(counts, nodes, drawn)
        return (splits if recoding is None else with_subsets(splits, pays, recoding)), pays

    def _descended(self, splits: LevelSplits, pays: Array) -> list[Any]:
        """The rows of each partition in the children of the nodes that pay, delayed."""
        feature, place, left = np.full((3, len(self.nodes.sizes)), -1)
        goes = np.zeros(len(self.nodes.sizes), bool)
        feature[self.which], place[self.which], goes[self.which] = splits.feature, splits.place, splits.missing_left
        left[self.which[pays]] = 2 * np.arange(pays.sum())
        routes = delayed(Routes(feature, place, goes, left, self.sides()), traverse=False)
        missing = delayed(self.spread.bins.counts, traverse=False)
        pairs = zip(self.spread.parts, self.rows, strict=True)
        return [delayed(descended)(part, rows, routes, missing) for part, rows in pairs]

    def sides(self) -> SubsetSides:
        """The sides to which the subsets of split nodes send rows."""
        return SubsetSides.of(len(self.spread.bins.low), NO_SUBSETS if self.recoding is None else self.recoding.table)


def recoded(counts: Histograms, rule: Rule, nodes: LevelNodes, recoding: Recoding) -> Histograms:
    """Histograms of the ranks of categories, which ``recoding`` keeps."""
    sums, rows = np.zeros_like(counts.sums), np.zeros_like(counts.rows)
    every = np.arange(len(counts.sizes))[:, None]
    numbers = np.ones(sums.shape[1], dtype=bool)
    for f in recoding.columns:
        here = counts.known(f)
        ranked = rule.ranked(counts.some(here), nodes, recoding)
        recoding.ranked[f] = ranked
        for each, part in ((sums, counts.sums), (rows, counts.rows)):
            np.add.at(each, (every, here.start + ranked.ranks), part[:, here])
        numbers[here] = False
    sums[:, numbers], rows[:, numbers] = counts.sums[:, numbers], counts.rows[:, numbers]
    return replace(counts, sums=sums, rows=rows)


def with_subsets(splits: LevelSplits, pays: Array, recoding: Recoding) -> LevelSplits:
    """Splits of which those by ranks that pay are splits by subsets."""
    feature, _ = recoding.take(np.where(pays, splits.feature, -1), splits.place)
    return replace(splits, feature=feature, threshold=np.where(feature < len(recoding.levels), splits.threshold, 0.5))


def level_by_level(tree: GrownTree, grown: Recoding, recoding: Recoding) -> GrownTree:
    """A tree, numbered depth first, whose subsets are those of ``recoding``, in the order of its levels."""
    feature, features = tree.feature.copy(), len(grown.levels)
    nodes = np.argsort(tree.depth, kind="stable")
    nodes = nodes[feature[nodes] >= features]
    feature[nodes] = recoding.numbers(grown.table[feature[nodes] - features])
    return replace(tree, feature=feature)
