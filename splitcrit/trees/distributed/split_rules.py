"""The rules of a distributed tree: the best splits of nodes, from histograms, their summaries, and who finishes them.

Sides are sums over bins: of classes, scored by any criterion, or of responses, scored in exact integers. The tie rule
is that of ``search``.

Main definitions: ``Histograms``, ``best_of_bins``; ``ClassScorer``, ``ResponseScorer``; ``ClassHistogramRule``,
``ResponseRule``; ``Rule``; ``described``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import frexp
from typing import Any

import numpy as np
from dask.base import persist
from dask.delayed import delayed
from distributed.protocol.pickle import dumps

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.trees.distributed.histograms import Binned, BinnedRows, merged
from splitcrit.trees.distributed.sketch import Bins
from splitcrit.trees.distributed.sums import ClassSums, ResponseSums, digits, whole
from splitcrit.trees.growth import GrownTree, GrowthOptions, Training, grow
from splitcrit.trees.growth.category_ranks import ORDER, SEVERAL, Ranked, Recoding
from splitcrit.trees.growth.grown_tree import with_scores
from splitcrit.trees.growth.growth_options import Stopping, refuse_untested
from splitcrit.trees.growth.one_loop import with_decreases
from splitcrit.trees.scan import LevelSplits, Limits, subsets
from splitcrit.trees.scan.open_nodes import joined
from splitcrit.trees.scan.ties_and_scores import TIE, at_least, band, formula_scores, guard, own_impurity

BLOCK = 1 << 14  # splits scored together


@dataclass(frozen=True, eq=False)
class LevelNodes:
    """What is known of the nodes of a level: sizes, weights ``(m, K)``, which are pure, and their description.

    Of responses that are numbers, ``weights`` has one column, and ``described (2, m)`` are their mean and variance; nan
    for classes.
    """

    sizes: Array
    weights: Array
    pure: Array
    described: Array

    def some(self, here: Any) -> LevelNodes:
        """Some of the nodes."""
        return LevelNodes(self.sizes[here], self.weights[here], self.pure[here], self.described[:, here])

    def opened(self, stopping: Stopping, depth: int) -> Array:
        """Tell which nodes of this depth may be split."""
        return np.asarray(~self.pure & stopping.open(self.sizes, depth))


@dataclass(frozen=True, eq=False)
class ClassScorer:
    """A criterion, and the class weights ``(m, K)`` of nodes."""

    criterion: Criterion
    totals: Array

    @cached_property
    def impurity(self) -> Array | None:
        """The impurity of each node, where the criterion has one."""
        return None if self.criterion.impurity is None else own_impurity(self.criterion, self.totals)

    @property
    def guarded(self) -> bool:
        """Whether a split's undivided score must reach the average of its node's."""
        return guard(self.criterion) is not None

    def band(self) -> Array:
        """The width of a tie in each node."""
        return band(self.criterion, self.totals, self.impurity)

    def weight(self, side: Array) -> Array:
        """The weight of sides of splits."""
        return np.asarray(side.sum(axis=1))

    def scored(self, node: Array, left: Array) -> tuple[Array, Array]:
        """The scores of splits with these left sides; of a guarded ratio also those of what it divides."""
        score, inner = np.empty(len(node)), guard(self.criterion)
        undivided = score if inner is None else np.empty(len(node))
        for start in range(0, len(node), BLOCK):
            here = slice(start, start + BLOCK)
            sides = left[here], self.totals[node[here]] - left[here]
            low, high = (np.ascontiguousarray(side.T, dtype=float) for side in sides)
            own = None if self.impurity is None else self.impurity[node[here]]
            score[here] = formula_scores(self.criterion, low, high, own)
            if inner is not None:
                undivided[here] = formula_scores(inner, low, high)
        return score, undivided


@dataclass(frozen=True, eq=False)
class ResponseScorer:
    """Responses of nodes as sums ``(m, width)``, and the variances of the nodes."""

    sums: ResponseSums
    totals: Array
    variance: Array
    guarded = False

    def band(self) -> Array:
        """The width of a tie in each node."""
        return np.asarray(TIE * self.variance)

    def weight(self, side: Array) -> Array:
        """The weight of sides of splits."""
        return self.sums.weights(side)

    def scored(self, node: Array, left: Array) -> tuple[Array, Array]:
        """By how much splits with these left sides lower the variance, as both scores of ``ClassScorer``."""
        # Products of two weights neither overflow nor vanish once the largest node has a weight near 1.
        sums = self.sums.centred(left, self.totals[node]), self.weight(left), self.weight(self.totals[node])
        apart, heavy, whole = np.ldexp(sums, -np.frexp(sums[2].max(initial=0))[1])
        score = apart * apart / (heavy * (whole - heavy))
        return score, score


Scorer = ClassScorer | ResponseScorer


@dataclass(frozen=True, eq=False)
class Histograms:
    """Sums ``(m, bins, w)`` and rows ``(m, bins)`` of open nodes with totals ``(m, w)`` and sizes ``(m,)``."""

    sums: Array
    rows: Array
    totals: Array
    sizes: Array
    bins: Bins

    def complete(self) -> bool:
        """Whether the bins of every feature add up to the nodes."""
        starts = self.bins.starts[:-1]
        sums, rows = (np.add.reduceat(a, starts, axis=1) for a in (self.sums, self.rows))
        return bool((sums == self.totals[:, None]).all() and (rows == self.sizes[:, None]).all())

    def some(self, bins: slice) -> Histograms:
        """Some of the bins."""
        return replace(self, sums=self.sums[:, bins], rows=self.rows[:, bins])

    def known(self, feature: int) -> slice:
        """The places of the bins of a feature."""
        start = self.bins.starts[feature]
        return slice(start, start + self.bins.counts[feature])

    def lost(self, feature: int) -> slice:
        """The place of the missing values of a feature."""
        return slice(self.known(feature).stop, self.bins.starts[feature + 1])

    def constant(self) -> Array:
        """Tell which features are constant in which node, ``(m, d)``; a missing value is a value of its own."""
        filled = np.add.reduceat((self.rows > 0).astype(np.int64), self.bins.starts[:-1], axis=1)
        return np.asarray(filled == 1)


@dataclass(frozen=True, eq=False)
class HistogramSplits:
    """Splits by one feature: node, last bin on the left, the next that is not empty, and the scores."""

    node: Array
    place: Array
    after: Array
    feature: Array
    missing_left: Array
    score: Array
    undivided: Array


def best_of_bins(counts: Histograms, scorer: Scorer, limits: Limits, ranks: Array | None = None) -> LevelSplits:
    """The best split of every node; its place is the last bin on the left.

    ``ranks (m, d)`` are those of the features in the order of each node's draw, -1 where one is not drawn.
    """
    m, d = len(counts.sizes), len(counts.bins.low)
    width, all_of_them = scorer.band(), np.ones(m, dtype=bool)
    parts = [
        _candidates(counts, f, moved, all_of_them if ranks is None else ranks[:, f] >= 0, scorer, limits)
        for f in range(d)
        for moved in (False, True)[: 1 + int(counts.bins.missing[f])]
    ]
    every = joined(parts)
    score = _guarded(every, m) if scorer.guarded else every.score
    top = np.full(m, -np.inf)
    np.maximum.at(top, every.node, score)
    reached = np.flatnonzero(np.isfinite(score) & (score >= (top - width)[every.node]))
    if ranks is not None:
        reached = reached[np.argsort(ranks[every.node[reached], every.feature[reached]], kind="stable")]
    node, first = np.unique(every.node[reached], return_index=True)
    return _splits(counts, every, node, reached[first], top, width)


def _candidates(
    counts: Histograms, f: int, moved: bool, wanted: Array, scorer: Scorer, limits: Limits
) -> HistogramSplits:  # fmt: skip
    """The splits of nodes by a feature, missing values right or, ``moved``, left, in order of node and bin."""
    known, lost = counts.known(f), counts.lost(f)
    sums, rows = (a[:, lost].sum(axis=1) for a in (counts.sums, counts.rows))
    node, place = np.nonzero((counts.rows[:, known] > 0) & (wanted & (rows > 0) if moved else wanted)[:, None])
    last = np.diff(node, append=len(wanted)) > 0
    after = np.where(last, known.stop - known.start, np.append(place[1:], 0))
    left = np.cumsum(counts.sums[:, known], axis=1)[node, place] + moved * sums[node]
    size = np.cumsum(counts.rows[:, known], axis=1)[node, place] + moved * rows[node]
    fits = (np.minimum(size, counts.sizes[node] - size) >= limits.least) & (~last | (rows[node] > 0) & (not moved))
    sides = scorer.weight(left), scorer.weight(counts.totals[node] - left)
    fits &= np.minimum(*sides) >= limits.lightest
    node, place, after, left = (a[fits] for a in (node, place, after, left))
    return HistogramSplits(
        node, place, after, np.full_like(node, f), np.full(len(node), moved), *scorer.scored(node, left)
    )


def _guarded(every: HistogramSplits, nodes: int) -> Array:
    """The scores of a guarded ratio: -inf where the undivided score is below its node's average."""
    count = np.maximum(np.bincount(every.node, minlength=nodes), 1)
    average = np.bincount(every.node, every.undivided, nodes) / count
    return np.where(every.undivided >= at_least(average[every.node]), every.score, -np.inf)


def _splits(
    counts: Histograms, every: HistogramSplits, nodes: Array, chosen: Array, top: Array, width: Array
) -> LevelSplits:
    """The chosen splits of some nodes with their left sides; the others have none."""
    m = len(counts.sizes)
    feature, place, threshold = np.full(m, -1), np.full(m, -1), np.full(m, np.nan)
    goes, left, sizes = np.zeros(m, dtype=bool), np.zeros(counts.totals.shape), np.zeros(m, np.int64)
    feature[nodes], place[nodes] = every.feature[chosen], every.place[chosen]
    for node, at in zip(nodes.tolist(), chosen.tolist(), strict=True):
        f, moved = int(every.feature[at]), bool(every.missing_left[at])
        known, lost = counts.known(f), counts.lost(f)
        upto = slice(known.start, known.start + every.place[at] + 1)
        left[node] = counts.sums[node, upto].sum(axis=0) + moved * counts.sums[node, lost].sum(axis=0)
        sizes[node] = counts.rows[node, upto].sum() + moved * counts.rows[node, lost].sum()
        threshold[node] = counts.bins.threshold(f, every.place[at], every.after[at])
        goes[node] = moved if counts.rows[node, lost].any() else 2 * sizes[node] > counts.sizes[node]
    return LevelSplits(feature, threshold, goes, top, width, left, sizes, place)


SQUARES = 4  # digits of squares


@dataclass(frozen=True, eq=False)
class ClassHistogramRule:
    """Rows with class codes: splits by any criterion, of their ``sums``."""

    criterion: Criterion
    stopping: Stopping
    sums: ClassSums

    def __post_init__(self) -> None:
        refuse_untested(self.criterion.search.tested, {"a Dask collection": True})

    def nodes(self, sizes: Array, sums: Array, *_: Any) -> LevelNodes:
        """The summary of nodes of these sizes and sums."""
        return LevelNodes(sizes, sums, (sums > 0).sum(axis=1) < 2, np.full((2, len(sizes)), np.nan))

    def best(self, counts: Histograms, nodes: LevelNodes, drawn: Array | None) -> tuple[LevelSplits, Array]:
        """The best splits of nodes, and which of them pay."""
        splits = best_of_bins(counts, ClassScorer(self.criterion, counts.totals), self.stopping.limits, drawn)
        sides = splits.left, counts.totals - splits.left
        pays = self.stopping.splits(self.criterion, splits.score, splits.band, *sides)
        return splits, np.asarray(pays & (splits.feature >= 0))

    def ranked(self, counts: Histograms, _: LevelNodes, recoding: Recoding) -> Ranked:
        """The ranks of categories, each of which has a bin."""
        return recoding.by_class(counts.sums.astype(float), counts.rows, self.criterion, self.stopping.limits)

    def grown(self, x: Array, part: Binned, growing: GrowthOptions) -> GrownTree:
        """The tree of rows that lie together."""
        return grow(Training(x, part.target, self.sums.classes, part.weights), self.criterion, growing)

    def scored(self, tree: GrownTree) -> GrownTree:
        """A tree with the scores of its splits."""
        return with_scores(tree, self.criterion)


@dataclass(frozen=True, eq=False)
class ResponseRule:
    """Rows whose responses are numbers: splits lower the squared error; ``largest`` bounds weighted squares."""

    stopping: Stopping
    sums: ResponseSums
    largest: float

    def nodes(self, sizes: Array, sums: Array, parts: Sequence[Any], rows: list[Any]) -> LevelNodes:
        """The summary of nodes of these sizes and sums; the partitions add squares and extremes."""
        means, exponent = self.sums.means(sums), frexp(self.largest)[1]
        shared = delayed((means, exponent, self.sums.bits), traverse=False)
        each = [delayed(described)(part, at, shared) for part, at in zip(parts, rows, strict=True)]
        *rows[:], total = persist(*rows, merged(each, gathered))
        totals, weights = total.compute(), self.sums.weights(sums)
        low, high = totals[SQUARES:]
        scale = exponent - SQUARES * self.sums.bits
        squares = np.ldexp(whole(totals[:SQUARES].T, self.sums.bits).astype(float), scale)
        pure = low == high
        value = np.stack([np.where(pure, low, means), np.where(pure, 0.0, squares / weights)])
        return LevelNodes(sizes, weights[:, None], pure, value)

    def best(self, counts: Histograms, nodes: LevelNodes, drawn: Array | None) -> tuple[LevelSplits, Array]:
        """The best splits of nodes, and which of them pay."""
        scorer = ResponseScorer(self.sums, counts.totals, nodes.described[1])
        splits = best_of_bins(counts, scorer, self.stopping.limits, drawn)
        return splits, (splits.feature >= 0) & self.stopping.pays(splits.score, splits.band)

    def ranked(self, counts: Histograms, nodes: LevelNodes, recoding: Recoding) -> Ranked:
        """The ranks of categories, each of which has a bin."""
        m, j, width = counts.sums.shape
        limits, sizes = self.stopping.limits, counts.rows
        apart = self.sums.centred(counts.sums.reshape(-1, width), np.repeat(counts.totals, j, axis=0)).reshape(m, j)
        weight, binding = self.sums.weights(counts.sums), limits.least > 1 or limits.lightest > 0
        order = subsets.ranks(apart / np.where(sizes > 0, weight, 1), sizes > 0)
        ranked = Ranked(order, weight, np.full(m, SEVERAL if binding else ORDER))
        if not binding:
            return ranked
        band = TIE * nodes.described[1] * nodes.weights[:, 0]
        comparison = subsets.Comparison(subsets.squared_scores, band, 0)
        return recoding.searched(ranked, np.stack([weight, apart], axis=2), sizes, limits, comparison)

    def grown(self, x: Array, part: Binned, growing: GrowthOptions) -> GrownTree:
        """The tree of rows that lie together."""
        return grow(Training(x, part.target, 0, part.weights), "squared_error", growing)

    def scored(self, tree: GrownTree) -> GrownTree:
        """A tree with the scores of its splits."""
        return with_decreases(tree, "squared_error")


Rule = ClassHistogramRule | ResponseRule


def travels(rule: Rule) -> bool:
    """Whether workers can be sent a rule, which may hold a user's criterion."""
    try:
        dumps(rule)
    except Exception:  # whatever the criterion holds
        return False
    return True


def described(binned: Binned, rows: BinnedRows, shared: tuple[Array, int, int]) -> Array:
    """Of each node the digits of its weighted squares about a mean, its least and its largest response."""
    means, exponent, bits = shared
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
