"""Candidates from histograms: the rows of the open nodes lie in partitions, elsewhere.

Each level the partitions count the open nodes, the counts are added up where they lie, and the splits are chosen here.

Main definitions: ``grow_apart``, ``Spread``, ``Apart``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from dask.base import persist
from dask.delayed import delayed
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.distributed.histograms import Routes, descended, histogram, merged, rooted, together
from splitcrit.distributed.search import Histograms, best_of_bins
from splitcrit.distributed.sketch import Bins
from splitcrit.distributed.summary import changed
from splitcrit.growth import Growing, Grown
from splitcrit.growth.arrays import numbered
from splitcrit.growth.classes import ClassRule, with_scores
from splitcrit.growth.driver import Draws, Nodes, Step, assembled, levels
from splitcrit.search import Splits
from splitcrit.search.levels import joined

Array = NDArray[Any]
CELLS = 1 << 23  # numbers in the histograms that travel together


@dataclass(frozen=True, eq=False)
class Spread:
    """A training set: partitions (delayed ``Binned``) in groups of neighbours, bins, class weights, rows."""

    groups: list[list[Any]]
    bins: Bins
    totals: Array
    rows: int


def grow_apart(spread: Spread, criterion: Criterion, growing: Growing) -> Grown:
    """Return the tree of a training set in partitions, as ``grow`` returns it where each value has its own bin.

    Raises
    ------
    RuntimeError
        If partitions hold other rows when they are read again.
    """
    source = Apart.of(spread, ClassRule.of(criterion, growing.stopping, bool(spread.bins.missing.any())))
    tree = with_scores(assembled(*levels(source, growing.stopping, Draws.of(growing))), source.rule.criterion)
    return numbered(tree, tree.left >= 0)


@dataclass(frozen=True, eq=False)
class Apart:
    """The open nodes of a level: ``parts`` are the partitions, ``rows`` (delayed) those of each in open nodes."""

    spread: Spread
    rule: ClassRule
    nodes: Nodes
    parts: list[Any]
    rows: list[Any]
    depth: int = 0

    @staticmethod
    def of(spread: Spread, rule: ClassRule) -> Apart:
        """Return the root of a training set."""
        root = Nodes.of_classes(np.array([spread.rows]), spread.totals[None].astype(float))
        parts = [part for group in spread.groups for part in group]
        return Apart(spread, rule, root, parts, [delayed(rooted)(part) for part in parts])

    def root(self) -> Nodes:
        """Return the root."""
        return self.nodes

    def split(self, draws: Draws) -> Step:
        """Return the best candidate of each open node, which of them pay, and the children of these."""
        m, cells = self.nodes.weights.shape[0], int(self.spread.bins.starts[-1]) * (self.nodes.weights.shape[1] + 1)
        some = max(1, CELLS // cells)
        found = [self._block(first, min(first + some, m), draws) for first in range(0, m, some)]
        splits, pays = zip(*found, strict=True)
        return self.rule.step(self.nodes, joined(splits), np.concatenate(pays))

    def _block(self, first: int, last: int, draws: Draws) -> tuple[Splits, Array]:
        """Return the splits of some open nodes, and which of them pay."""
        here, rule, bins = slice(first, last), self.rule, self.spread.bins
        found = Histograms.of(self._counted(first, last), self.nodes.weights[here], self.nodes.sizes[here], bins)
        if not found.complete():
            raise changed(f"other rows at depth {self.depth}")
        ranks = rule.tried(found.table, (last - first, len(bins.low)), draws.some(here).ranks(found.constant))
        splits = best_of_bins(found, rule.criterion, rule.limits, ranks)
        return splits, rule.pays(splits, found.totals, found.table)

    def _counted(self, first: int, last: int) -> Array:
        """Return the histograms of some open nodes, added up over the partitions."""
        classes, starts = self.nodes.weights.shape[1], delayed(self.spread.bins.starts, traverse=False)
        pairs = zip(self.parts, self.rows, strict=True)
        counted = iter([delayed(histogram)(part, rows, classes, starts, first, last) for part, rows in pairs])
        sums = [merged(list(islice(counted, len(group))), together) for group in self.spread.groups]
        *self.rows[:], total = persist(*self.rows, merged(sums, together))
        return np.asarray(total.compute())

    def divide(self, step: Step, opened: Array) -> Apart:
        """Return the open children, to which the partitions send their rows."""
        children, numbers = np.full((len(step.pays), 2), -1), np.full(len(opened), -1)
        numbers[opened] = np.arange(opened.sum())
        children[step.pays] = numbers.reshape(-1, 2)
        splits, missing = step.splits, delayed(self.spread.bins.counts, traverse=False)
        routes = delayed(Routes(splits.feature, splits.place, splits.missing_left, children), traverse=False)
        pairs = zip(self.parts, self.rows, strict=True)
        rows = [delayed(descended)(part, rows, routes, missing) for part, rows in pairs]
        nodes = Nodes.of_classes(step.children.sizes[opened], step.children.weights[opened])
        return replace(self, nodes=nodes, rows=rows, depth=self.depth + 1)
