"""A whole tree of classes in one compiled loop: samples laid out, the loop, and its rows read back as a tree.

A loop fills rows node by node (``nodes_compiled``); whenever they are full it is called again with more.

Main definitions: ``grown_in_one_loop`` (sorted columns), ``grow_drawn`` (shared ``Ranks``); ``grown_of`` (any source);
``rows_of``, ``tree_of_rows``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.trees.growth.category_ranks import EXACT, METHODS, ORDER, Recoding, Subset
from splitcrit.trees.growth.grown_tree import GrownTree, numbered, root_rows, with_scores
from splitcrit.trees.growth.growth_options import GrowthOptions, Stopping
from splitcrit.trees.growth.records import (
    SLOTS,
    CategoriesSource,
    CategoryCodes,
    PresortedSource,
    RandomSource,
    SortedSource,
    Sorting,
    StoppingRules,
    TreeRows,
    Workspace,
)
from splitcrit.trees.growth.source_choice import Choice, SourceKind, TrainingShape, source_of
from splitcrit.trees.scan.prepared_criterion import scorer, undefined
from splitcrit.trees.scan.records import FORMULA, Data, Orders, Scratch
from splitcrit.trees.scan.sorted_columns import Columns, by_column, class_bits
from splitcrit.trees.scan.subsets import shortcut


def grown_in_one_loop(
    columns: Columns, choice: Choice, criterion: Criterion, growing: GrowthOptions, keep: bool
) -> GrownTree | None:
    """Return the tree of sorted columns by the source that was chosen, None where only a search by level will do.

    That is where the source is one, and where a formula proves undefined: the search by level says for which split.
    Unless they are to ``keep`` the orders of the columns, the loops may share the samples out in these.
    """
    kind, data = choice
    if data is None:
        return None
    codes, classes, counts = columns.codes, columns.classes, columns.weights if len(columns.weights) else None
    if kind is SourceKind.CATEGORIES:
        return _with_categories(columns, data, criterion, growing)
    if kind is SourceKind.RANDOM:
        return _listed(Ranks.unsorted(columns.values), codes, classes, data, criterion, growing, counts)
    if kind is SourceKind.SORTED:
        return _listed(Ranks.of_columns(columns), codes, classes, data, criterion, growing, counts)
    totals = np.bincount(codes, minlength=classes).astype(float)
    orders = columns.copied() if keep or data.kind == FORMULA else columns.packed
    (d, n), entries = orders.orders.shape, orders.orders[0]
    source = PresortedSource(orders, scorer(data, orders), Workspace.of(Scratch.of(classes, n), d, entries))
    return grown_of(source, data, root_rows(totals, n, growing.root_key), criterion, growing)


@dataclass(frozen=True, eq=False)
class Ranks:
    """Values ``(d, n)`` by column, missing ones infinite, and the rank of each among the distinct values of its column.

    ``lost (d,)`` is the rank that missing values share, the last one, or -1 where none is missing.

    They are found once for all trees that are grown on the same features.
    """

    values: Array
    ranks: Array
    lost: Array

    @staticmethod
    def of(x: Array, random: bool = False) -> Ranks:
        """Return the ranks of features ``x (n, d)``, float32 or float64; splits at ``random`` need none."""
        if random:
            return Ranks.unsorted(by_column(x))
        return Ranks.of_columns(Columns.of(x, np.zeros(len(x), np.int64), 1))

    def of_rows(self, rows: Array) -> Ranks:
        """Return the ranks of some samples, as numbers that grow with their values."""
        values, ranks = (np.take(each, rows, axis=1) if each.size else each for each in (self.values, self.ranks))
        return Ranks(values, ranks, self.lost)

    @staticmethod
    def unsorted(values: Array) -> Ranks:
        """Return values ``(d, n)`` by column without ranks."""
        if (lost := np.isnan(values)).any():
            values = np.where(lost, np.inf, values)
        return Ranks(values, np.empty((len(values), 0), np.uint32), np.full(len(values), -1))

    @staticmethod
    def of_columns(columns: Columns) -> Ranks:
        """Return the ranks of columns that are sorted, with compiled loops."""
        from splitcrit.trees.growth.class_sources_compiled import dense_ranks

        ranks, lost = np.empty(columns.orders.shape, np.uint32), np.empty(len(columns.orders), np.int64)
        dense_ranks(columns.orders, columns.values, columns.bits, ranks, lost)
        return replace(Ranks.unsorted(columns.values), ranks=ranks, lost=lost)


def grow_drawn(
    ranks: Ranks, codes: Array, classes: int, criterion: Criterion, growing: GrowthOptions = GrowthOptions(),  # noqa: B008
    counts: Array | None = None,
) -> GrownTree | None:  # fmt: skip
    """Return the tree that ``grow`` grows with these counts as weights, or None where only ``grow`` does.

    Parameters
    ----------
    ranks : Ranks
        The features of all samples; they are not changed, and may be shared by threads.
    codes : int array (n,)
    classes : int
    criterion : Criterion
        One that is data: see ``forms``.
    growing : GrowthOptions
        Its stopping rules, draws and seed.
    counts : array (n,), optional
        How often the tree counts each sample, 0 to leave it out; once each by default. Any that are no counts, or
        many more than the samples, are left to ``grow``.
    """
    shape = TrainingShape(len(codes), len(ranks.values), classes, None if counts is None else np.asarray(counts))
    _, data = source_of(shape, criterion, growing)
    return None if data is None else _listed(ranks, codes, classes, data, criterion, growing, shape.weights)


def _listed(
    ranks: Ranks,
    codes: Array,
    classes: int,
    data: Data,
    criterion: Criterion,
    growing: GrowthOptions,
    counts: Array | None,
) -> GrownTree | None:
    """Return the tree of samples in a list of entries, each once with its count."""
    kept = np.arange(len(codes)) if counts is None else np.flatnonzero(counts)
    often = np.ones(len(kept), np.int64) if counts is None else counts[kept].astype(np.int64)
    size, bits = int(often.sum()), class_bits(classes)
    low = bits + int(often.max() - 1).bit_length()
    kind = np.uint32 if max(len(codes) << low, size << bits) < 2**32 else np.int64
    entries = ((kept << low) | ((often - 1) << bits) | codes[kept]).astype(kind)
    totals = np.bincount(codes[kept], often, classes).astype(float)
    orders, sorting = _sorted_at_nodes(entries, ranks, low, bits, size)
    space = Workspace.of(Scratch.of(classes, size), len(ranks.values), entries)
    make = RandomSource if growing.random else SortedSource
    source = make(orders, scorer(data, orders), space, sorting)
    return grown_of(source, data, root_rows(totals, len(entries), growing.root_key), criterion, growing)


def _sorted_at_nodes(entries: Array, ranks: Ranks, low: int, bits: int, size: int) -> tuple[Orders, Sorting]:
    """Return space for two sorted columns of up to ``size`` samples, and what is sorted into it."""
    keys, kind = np.empty((3, len(entries)), entries.dtype), entries.dtype
    groups = (np.arange(size) & 1).astype(ranks.values.dtype)[None]  # neighbours differ
    sorting = Sorting(entries, ranks.ranks, ranks.lost, ranks.values, low, keys, np.empty(2048, np.int64))
    return Orders(np.empty((SLOTS + 1, size), kind), groups, bits), sorting


def rows_of(source: Any, tree: TreeRows, criterion: Criterion | None, growing: GrowthOptions) -> TreeRows:
    """Return the rows of the whole tree of a source, given its root; whenever they are full, there are more."""
    from splitcrit.trees.growth.grow_compiled import grow_whole

    rules = StoppingRules.of(growing.stopping, criterion, growing.max_features, growing.least_varying)
    at, made = grow_whole(source, tree, 0, 1, rules)
    while at >= 0:
        tree = TreeRows(*(np.concatenate([part, np.empty_like(part)]) for part in tree))
        at, made = grow_whole(source, tree, at, made, rules)
    return TreeRows(*(part[:made] for part in tree))


def grown_of(source: Any, data: Data, root: TreeRows, criterion: Criterion, growing: GrowthOptions) -> GrownTree | None:
    """Return the tree of a source, None where a formula gives no number."""
    rows = rows_of(source, root, criterion, growing)
    return None if undefined(data) else tree_of_rows(criterion, growing.stopping, rows)


def _with_categories(columns: Columns, data: Data, criterion: Criterion, growing: GrowthOptions) -> GrownTree | None:
    """Return the tree of columns of numbers and of categories; splits of the latter are splits by subsets."""
    d, n = columns.orders.shape
    recoding, bits, classes = growing.recoding, columns.bits, columns.classes
    assert recoding is not None
    ordered = shortcut(criterion, classes)
    coded = CategoryCodes.of(recoding.levels, recoding.codes, ordered, classes)
    entries = ((np.arange(n) << bits) | columns.codes).astype(columns.orders.dtype)
    orders, sorting = _sorted_at_nodes(entries, Ranks.of_columns(columns), bits, bits, n)
    space = Workspace.of(Scratch.of(classes, n), d, entries)
    source = CategoriesSource(orders, scorer(data, orders), space, sorting, coded)
    totals = np.bincount(columns.codes, minlength=classes).astype(float)
    root = root_rows(totals, n, growing.root_key, len(coded.ranks))
    rows = rows_of(source, root, criterion, growing)
    tree, method = tree_of_rows(criterion, growing.stopping, rows), METHODS[ORDER if ordered else EXACT]
    return _recoded(tree, rows.held, recoding, method)


def _recoded(tree: GrownTree, held: Array, recoding: Recoding, method: str) -> GrownTree:
    """Return a tree whose splits by ranks of categories are splits by subsets, numbered level by level."""
    feature, threshold = tree.feature.copy(), tree.threshold.copy()
    inner = np.flatnonzero((tree.left >= 0) & (recoding.levels[tree.feature] > 0))
    inner = inner[np.argsort(tree.depth[inner], kind="stable")]
    cuts, others = (part[inner].tolist() for part in (tree.threshold, tree.missing_left))
    for node, ranks, cut, heavier in zip(inner, held[inner].tolist(), cuts, others, strict=True):
        left = tuple(code for code, rank in enumerate(ranks) if 0 <= rank <= cut)
        right = tuple(code for code, rank in enumerate(ranks) if rank > cut)
        feature[node] = recoding.column(Subset(int(feature[node]), left, right, heavier, method))
    threshold[inner] = 0.5
    return replace(tree, feature=feature, threshold=threshold)


def tree_of_rows(criterion: Criterion, stopping: Stopping, rows: TreeRows) -> GrownTree:
    """Return the tree that the compiled loops wrote down, without splits that, as integers tell, gain nothing."""
    _, left, right, feature, depth, size, *_, lost = np.ascontiguousarray(rows.links.T)
    threshold, weights = rows.reals[:, 0].copy(), np.ascontiguousarray(rows.reals[:, 1:])
    goes = (left >= 0) & np.where(lost > 0, lost == 2, size[left] > size[right])
    unknown = np.full(len(left), np.nan)
    described = unknown, depth, size, weights, goes, unknown, unknown
    tree = GrownTree(feature, threshold, left, right, *described)
    tree = with_scores(tree, criterion)
    inner = np.flatnonzero(tree.left >= 0)
    if not len(inner) or not stopping.in_integers(criterion):
        return tree
    kept = np.zeros(len(tree.left), dtype=bool)
    sides = tree.weights[tree.left[inner]], tree.weights[tree.right[inner]]
    kept[inner] = stopping.splits(criterion, tree.score[inner], np.zeros(len(inner)), *sides)
    return tree if kept[inner].all() else numbered(tree, kept)
