"""The level-wise builder over partitions: ``growth.grow`` with the rows elsewhere.

Each level the partitions count the open nodes, the counts are added up where they lie, and the splits are chosen here.

Main definitions: ``grow_apart``, ``Spread``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from dask.base import persist
from dask.delayed import delayed
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.distributed.histograms import Routes, descended, histogram, merged, rooted, together
from splitcrit.distributed.search import Histograms, best_of_bins, tested_features
from splitcrit.distributed.sketch import Bins
from splitcrit.distributed.summary import changed
from splitcrit.growth.descent import Born, open_nodes
from splitcrit.growth.driver import Grown, assembled
from splitcrit.growth.selection import selecting, surprising
from splitcrit.growth.stopping import Stopping
from splitcrit.nulls import SelectedPValue
from splitcrit.search import Level, Limits, Splits
from splitcrit.search.draws import drawn_ranks, root_key, side_keys

Array = NDArray[Any]
CELLS = 1 << 23  # numbers in the histograms that travel together


@dataclass(frozen=True, eq=False)
class Spread:
    """A training set: partitions (delayed ``Binned``) in groups of neighbours, bins, class weights, rows."""

    groups: list[list[Any]]
    bins: Bins
    totals: Array
    rows: int


def grow_apart(
    spread: Spread, criterion: Criterion, stopping: Stopping, *, max_features: int | None = None, seed: int = 0
) -> Grown:
    """Return the tree of a training set in partitions, as ``grow`` returns it where each value has its own bin.

    Raises
    ------
    RuntimeError
        If partitions hold other rows when they are read again.
    """
    growth = _Growth(spread, criterion, stopping, max_features, seed)
    while growth.open:
        growth.step()
    return assembled(growth.levels, growth.criterion, spread.rows, spread.totals)


class _Growth:
    """A tree in the making: the levels that are finished, and the open nodes of the next."""

    def __init__(
        self, spread: Spread, criterion: Criterion, stopping: Stopping, max_features: int | None, seed: int
    ) -> None:
        self.spread, self.stopping, self.max_features = spread, stopping, max_features
        self.limits = Limits(stopping.min_samples_leaf, stopping.min_weight_leaf)
        self.selecting = selecting(criterion, bool(spread.bins.missing.any()))
        self.criterion = criterion if self.selecting is None else self.selecting.cut
        self.depth, self.count = 0, 1
        self.levels: list[dict[str, Array]] = []
        self.ids, self.keys = np.zeros(1, np.int64), root_key(seed)[None]
        self.level = Level(np.array([0, spread.rows]), spread.totals[None].astype(float))
        self.open = bool(open_nodes(stopping, self.level.totals, self.level.sizes, 0)[0])
        self.missing = delayed(spread.bins.counts, traverse=False)
        self.partitions = [part for group in spread.groups for part in group]
        self.rows = [delayed(rooted)(part) for part in self.partitions]

    def step(self) -> None:
        """Split the open nodes of a level and open the next."""
        m, some = len(self.ids), max(1, CELLS // (int(self.spread.bins.starts[-1]) * (self.level.totals.shape[1] + 1)))
        found = [self._block(first, min(first + some, m)) for first in range(0, m, some)]
        splits, places, pays = (_joined(part) for part in zip(*found, strict=True))
        children = np.full(m, -1)
        children[pays] = self.count + 2 * np.arange(pays.sum())
        self.depth += 1
        born = Born.of(self.level, splits, pays, self.stopping, self.depth)
        ids = np.stack([children, children + 1], axis=1)[pays].reshape(-1)
        self.count += len(ids)
        self.levels.append(
            {"ids": self.ids, "feature": splits.feature, "threshold": splits.threshold, "children": children,
             "missing_left": splits.missing_left, "pays": pays,
             "child_ids": ids, "child_sizes": born.sizes, "child_totals": born.totals}
        )  # fmt: skip
        self.open = bool(born.opened.any())
        if self.open:
            self._descend(splits, places, pays, born)
            self.ids, self.keys = ids[born.opened], born.of_open(*side_keys(self.keys), pays)

    def _block(self, first: int, last: int) -> tuple[Splits, Array, Array]:
        """Return the splits of some open nodes, their last bins on the left, and which of them pay."""
        here, level = slice(first, last), self.level
        found = Histograms.of(self._counted(first, last), level.totals[here], level.sizes[here], self.spread.bins)
        if not found.complete():
            raise changed(f"other rows at depth {self.depth}")
        ranks, least = None, self.limits.least
        if self.max_features is not None:
            ranks = drawn_ranks(self.keys[here], found.constant(), self.max_features)
        if self.selecting is not None:
            ranks = tested_features(self.selecting, found, least, ranks)
        splits, places = best_of_bins(found, self.criterion, self.limits, ranks)
        if self.selecting is not None:
            return splits, places, surprising(self.stopping, partial(self._test, found, splits.feature), splits.feature)
        sides = splits.left, found.totals - splits.left
        pays = self.stopping.splits(self.criterion, splits.score, splits.band, *sides)
        return splits, places, pays & (splits.feature >= 0)

    def _test(self, found: Histograms, feature: Array, node: int) -> SelectedPValue:
        """Return the test of the best threshold of the feature of a node."""
        assert self.selecting is not None
        return self.selecting.tested(found.table(node, int(feature[node])), self.limits.least, mid=False)

    def _counted(self, first: int, last: int) -> Array:
        """Return the histograms of some open nodes, added up over the partitions."""
        classes, starts = self.level.totals.shape[1], delayed(self.spread.bins.starts, traverse=False)
        pairs = zip(self.partitions, self.rows, strict=True)
        parts = iter([delayed(histogram)(part, rows, classes, starts, first, last) for part, rows in pairs])
        sums = [merged(list(islice(parts, len(group))), together) for group in self.spread.groups]
        *self.rows, total = persist(*self.rows, merged(sums, together))
        return np.asarray(total.compute())

    def _descend(self, splits: Splits, places: Array, pays: Array, born: Born) -> None:
        """Send the rows of the nodes that are split to those of the children that stay open."""
        children, numbers = np.full((len(pays), 2), -1), np.full(len(born.opened), -1)
        numbers[born.opened] = np.arange(born.opened.sum())
        children[pays] = numbers.reshape(-1, 2)
        routes = delayed(Routes(splits.feature, places, splits.missing_left, children), traverse=False)
        pairs = zip(self.partitions, self.rows, strict=True)
        self.rows = [delayed(descended)(part, rows, routes, self.missing) for part, rows in pairs]
        sizes = np.concatenate([[0], np.cumsum(born.sizes[born.opened])])
        self.level = Level(sizes, born.totals[born.opened])


def _joined(parts: tuple[Any, ...]) -> Any:
    """Return arrays, or splits, one after another."""
    if isinstance(parts[0], Splits):
        return Splits(*(np.concatenate([getattr(p, name) for p in parts]) for name in Splits.__dataclass_fields__))
    return np.concatenate(parts)
