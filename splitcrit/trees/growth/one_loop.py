"""A whole tree of classes in one compiled loop: samples laid out, the loop, and its rows read back as a tree.

A loop fills rows node by node (``nodes_compiled``); whenever they are full it is called again with more.

Main definitions: ``grow`` (sorted columns), ``grow_drawn`` (shared ``Ranks``); ``grown_of`` (any source); ``rows_of``,
``tree_of_rows``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.frozen import complaint
from splitcrit.trees.growth.by_reference import grown_by_reference
from splitcrit.trees.growth.category_ranks import Recoding, method_of
from splitcrit.trees.growth.column_choice import comparison_of
from splitcrit.trees.growth.grown_tree import GrownTree, finished, numbered, root_rows, with_scores
from splitcrit.trees.growth.growth_options import GrowthOptions, Stopping
from splitcrit.trees.growth.records import (
    DEPTH,
    FEATURE,
    LEFT,
    RIGHT,
    SLOTS,
    THRESHOLD,
    CategoryCodes,
    ColumnComparison,
    ListedSource,
    NoCategories,
    NoComparison,
    PresortedSource,
    RandomSource,
    Sorting,
    StoppingRules,
    TreeRows,
    Workspace,
)
from splitcrit.trees.growth.source_choice import SourceKind, TrainingShape, is_expandable, source_of
from splitcrit.trees.growth.weights import scale_of, units_of
from splitcrit.trees.scan.prepared_criterion import scorer, undefined, weight_of_one
from splitcrit.trees.scan.records import FORMULA, UNWEIGHTED, Data, Orders, SampleWeights, Scratch
from splitcrit.trees.scan.sorted_columns import Columns, by_column, class_bits
from splitcrit.trees.scan.subsets import shortcut
from splitcrit.trees.scan.ties_and_scores import band


def grow(
    columns: Columns, criterion: Criterion, growing: GrowthOptions = GrowthOptions(), keep: bool = True,  # noqa: B008
) -> GrownTree:  # fmt: skip
    """Return the tree of a training set, grown in one compiled loop or, where there is none, by the reference builder.

    Parameters
    ----------
    columns : Columns
        The sorted training set, with class codes and weights.
    criterion : Criterion
    growing : GrowthOptions
    keep : bool
        Whether the columns are left as they are; otherwise their orders may be changed, which spares a copy.

    Raises
    ------
    ValueError
        If ``calibrated`` meets random splits, or a formula that has no machine code.

    Examples
    --------
    >>> import numpy as np
    >>> from splitcrit import decrease, gini
    >>> columns = Columns.of(np.array([[0.0], [1.0], [2.0]]), np.array([0, 0, 1]), 2)
    >>> grow(columns, decrease(gini)).threshold
    array([1.5, nan, nan])
    """
    scale = scale_of(columns.weights, criterion.degree)
    if scale.exponent:
        columns = replace(columns, weights=scale.weights(columns.weights))
        growing = replace(growing, stopping=scale.stopping(growing.stopping))
    d, n = columns.orders.shape
    kind, data = source_of(TrainingShape(n, d, columns.classes, columns.weights), criterion, growing)
    tree = None if data is None else _in_one_loop(columns, kind, data, criterion, growing, keep)
    if tree is None and criterion.search.tested is not None:
        raise no_number(criterion, "pass its formula alone to see for which")
    return finished(grown_by_reference(columns, criterion, growing) if tree is None else tree, growing, scale)


def no_number(criterion: Criterion, remedy: str) -> ValueError:
    """Return the error of a formula that gives no number for a split of the loop."""
    return ValueError(complaint(f"the formula of {criterion!r} gives a number for any counts", "nan", remedy))


def _in_one_loop(
    columns: Columns, kind: SourceKind, data: Data, criterion: Criterion, growing: GrowthOptions, keep: bool
) -> GrownTree | None:
    """Return the tree of sorted columns by the source that was chosen, None where a formula proves undefined.

    Unless they are to ``keep`` the orders of the columns, the loops may share the samples out in these.
    """
    codes, classes, counts = columns.codes, columns.classes, columns.weights if len(columns.weights) else None
    if kind is not SourceKind.PRESORTED:
        ranks = Ranks.unsorted(columns.values) if growing.random else Ranks.of_columns(columns)
        return _listed(ranks, codes, classes, data, criterion, growing, counts)
    weights, units = UNWEIGHTED, None
    if counts is not None:
        units = units_of(counts, weight_of_one(data))
        weights = SampleWeights(units, columns.bits, growing.stopping.min_weight_leaf / weight_of_one(data))
    totals = np.bincount(codes, units, classes).astype(float)
    orders = (columns.copied() if keep or data.kind == FORMULA else columns.packed)._replace(weights=weights)
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
        How often the tree counts each sample, or what it weighs, 0 to leave it out; once each by default.
    """
    shape = TrainingShape(len(codes), len(ranks.values), classes, None if counts is None else np.asarray(counts))
    _, data = source_of(shape, criterion, growing)
    return None if data is None else _listed(ranks, codes, classes, data, criterion, growing, shape.weights)


def _listed(
    ranks: Ranks, codes: Array, classes: int, data: Data, criterion: Criterion, growing: GrowthOptions,
    counts: Array | None,
) -> GrownTree | None:  # fmt: skip
    """Return the tree of samples in a list of entries, each once with its count."""
    tested, recoding = criterion.search.tested, growing.recoding
    criterion = criterion if tested is None else tested.cut
    listed = ListedSamples.of(codes, classes, data, counts)
    orders, sorting = listed.sorted_at_nodes(ranks)
    work = Workspace.of(Scratch.of(classes, listed.places), len(ranks.values), listed.entries)
    shape, held = (len(ranks.values), len(listed.entries)), 0
    coded: CategoryCodes | NoCategories = NoCategories()
    comparison: ColumnComparison | NoComparison = NoComparison()
    if recoding is not None:
        coded = CategoryCodes.of(recoding, classes, shortcut(criterion, classes), ranks.values.dtype)
        held = len(coded.node.ranks)
    if tested is not None:
        comparison = comparison_of(tested, growing, shape, int(listed.totals.sum()))
    make: Any = RandomSource if growing.random else ListedSource
    source = make(orders, scorer(data, orders), work, sorting, coded, comparison)
    return grown_of(source, data, root_rows(listed.totals, shape[1], growing.root_key, held), criterion, growing)


class ListedSamples(NamedTuple):
    """Entries ``index << low | field << bits | class`` of the samples that count, and the class counts of all.

    Counts that are few make copies in an order, of ``places`` in all, and a field is one less than a count; else it is
    the place of a weight among the different ``units``.
    """

    entries: Array
    low: int
    bits: int
    units: Array
    places: int
    totals: Array

    @staticmethod
    def of(codes: Array, classes: int, data: Data, counts: Array | None) -> ListedSamples:
        """Return the samples that count, each once."""
        kept = np.arange(len(codes)) if counts is None else np.flatnonzero(counts)
        bits, units, field = class_bits(classes), np.empty(0, np.int64), np.zeros(len(kept), np.int64)
        often = np.ones(len(kept), np.int64) if counts is None else units_of(counts[kept], weight_of_one(data))
        if is_expandable(counts):
            field, places = often - 1, int(often.sum())
        else:
            (units, field), places = np.unique(often, return_inverse=True), len(kept)
        low = bits + max(int(field.max()).bit_length(), int(len(units) > 0))
        kind = np.uint32 if max(len(codes) << low, places << bits) < 2**32 else np.int64
        entries = ((kept << low) | (field << bits) | codes[kept]).astype(kind)
        return ListedSamples(
            entries, low, bits, units, places, np.bincount(codes[kept], often, classes).astype(float)
        )  # fmt: skip

    def sorted_at_nodes(self, ranks: Ranks) -> tuple[Orders, Sorting]:
        """Return space for sorted columns, and what is sorted into it."""
        keys, kind = np.empty((3, len(self.entries)), self.entries.dtype), self.entries.dtype
        groups = (np.arange(self.places + 1) & 1).astype(ranks.values.dtype)[None]  # neighbours differ
        space = ranks.ranks, ranks.lost, ranks.values, self.low, self.bits, keys, np.empty(2048, np.int64), self.units
        weights = SampleWeights(self.units, self.low, 0.0)
        return Orders(np.empty((SLOTS + 1, self.places), kind), groups, self.bits, weights), Sorting(
            self.entries, *space
        )  # fmt: skip


def rows_of(
    source: Any, tree: TreeRows, criterion: Criterion | None, growing: GrowthOptions, unit: float = 1.0
) -> TreeRows:
    """Return the rows of the whole tree of a source, given its root; whenever they are full, there are more.

    Class weights of the rows are multiples of ``unit``.
    """
    from splitcrit.trees.growth.grow_compiled import grow_whole

    stopping = replace(growing.stopping, min_weight_leaf=growing.stopping.min_weight_leaf / unit)
    rules = StoppingRules.of(stopping, criterion, growing.max_features, growing.least_varying)
    rules = rules._replace(zone=np.nan) if unit != 1 else rules
    at, made = grow_whole(source, tree, 0, 1, rules)
    while at >= 0:
        tree = TreeRows(*(np.concatenate([part, np.empty_like(part)]) for part in tree))
        at, made = grow_whole(source, tree, at, made, rules)
    return TreeRows(*(part[:made] for part in tree))


def grown_of(source: Any, data: Data, root: TreeRows, criterion: Criterion, growing: GrowthOptions) -> GrownTree | None:
    """Return the tree of a source, None where a formula gives no number."""
    unit, recoding = weight_of_one(data), growing.recoding
    rows = rows_of(source, root, criterion, growing, unit)
    if undefined(data):
        return None
    if recoding is not None:
        method = method_of(criterion, root.reals.shape[1] - 1, growing.stopping.binds, growing.random)
        methods, heavy = np.full(len(rows.links), method), rows.reals[:, 1:].sum(axis=1)
        rows = recoded(rows, recoding, methods, heavy)
    return tree_of_rows(criterion, growing.stopping, rows, unit)


def recoded(rows: TreeRows, recoding: Recoding, methods: Array, heavy: Array) -> TreeRows:
    """Return the rows of a tree whose splits by ranks of categories are splits by subsets, numbered level by level.

    ``methods`` are how the categories of each node were ranked, ``heavy`` its weight.
    """
    links, reals = rows.links.copy(), rows.reals.copy()
    feature, left, right = links[:, FEATURE], links[:, LEFT], links[:, RIGHT]
    inner = np.flatnonzero((left >= 0) & (recoding.levels[feature] > 0))
    inner = inner[np.argsort(links[inner, DEPTH], kind="stable")]
    cuts, ways = reals[inner, THRESHOLD].tolist(), methods[inner].tolist()
    others = (heavy[left[inner]] > heavy[right[inner]]).tolist()
    numbers = list[int]()
    features, held = feature[inner].tolist(), rows.held[inner].tolist()
    for f, ranks, cut, other, method in zip(features, held, cuts, others, ways, strict=True):
        ranks = ranks[: int(recoding.levels[f])]
        low = tuple(code for code, rank in enumerate(ranks) if 0 <= rank <= cut)
        high = tuple(code for code, rank in enumerate(ranks) if rank > cut)
        numbers.append(recoding.split(f, low, high, other, method))
    feature[inner] = numbers
    reals[inner, THRESHOLD] = 0.5
    return TreeRows(links, reals, rows.held)


def tree_of_rows(criterion: Criterion, stopping: Stopping, rows: TreeRows, unit: float = 1.0) -> GrownTree:
    """Return the tree that the compiled loops wrote down, without splits that, as integers tell, gain nothing."""
    _, left, right, feature, depth, size, *_, lost = np.ascontiguousarray(rows.links.T)
    threshold, weights = rows.reals[:, 0].copy(), rows.reals[:, 1:] * unit
    goes = (left >= 0) & np.where(lost > 0, lost == 2, size[left] > size[right])
    unknown = np.full(len(left), np.nan)
    described = unknown, depth, size, weights, goes, unknown, unknown
    tree = with_scores(GrownTree(feature, threshold, left, right, *described), criterion)
    inner = np.flatnonzero(tree.left >= 0)
    if not len(inner) or not stopping.in_integers(criterion):
        return tree
    kept = np.zeros(len(tree.left), dtype=bool)
    sides = tree.weights[tree.left[inner]], tree.weights[tree.right[inner]]
    width = band(criterion, tree.weights[inner]) if unit != 1 else np.zeros(len(inner))
    kept[inner] = stopping.splits(criterion, tree.score[inner], width, *sides)
    return tree if kept[inner].all() else numbered(tree, kept)
