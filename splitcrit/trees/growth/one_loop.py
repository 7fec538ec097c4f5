"""A whole tree in one compiled loop: samples laid out, the loop, and its rows read back as a tree.

A loop fills rows node by node (``nodes_compiled``); whenever they are full it is called again with more.

Main definitions: ``grow``, the one way in; ``ListedSamples`` (how samples with classes lie), ``numbered_orders`` (of
responses); ``rows_of``, ``tree_of_rows``, ``with_decreases``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.frozen import complaint
from splitcrit.losses.response_losses import ResponseLoss
from splitcrit.nulls.calibration import Calibrated
from splitcrit.trees.growth.by_reference import grown_by_reference
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.grown_tree import GrownTree, numbered, root_rows, with_scores
from splitcrit.trees.growth.growth_options import GrowthOptions
from splitcrit.trees.growth.records import (
    DEPTH,
    FEATURE,
    HEAVY,
    LEFT,
    RIGHT,
    ROUNDED,
    SLOTS,
    THRESHOLD,
    CategoryCodes,
    CellResponsesSource,
    CellsSource,
    ColumnComparison,
    ListedResponsesSource,
    ListedSource,
    NoCategories,
    NoComparison,
    NodeResponses,
    PresortedResponsesSource,
    PresortedSource,
    RandomResponsesSource,
    RandomSource,
    Sorting,
    SparseColumns,
    StoppingRules,
    TreeRows,
    TriedFeatures,
    Workspace,
)
from splitcrit.trees.growth.source_choice import Error, SampleLayout, is_expandable, source_of
from splitcrit.trees.growth.training import Ranks, Training
from splitcrit.trees.growth.weights import scale_of, units_of
from splitcrit.trees.scan.poisson_deviance import excess
from splitcrit.trees.scan.prepared_criterion import criterion_data, places_of, scorer, undefined, weight_of_one
from splitcrit.trees.scan.records import (
    DECLARED,
    ERRORS,
    Data,
    Orders,
    Samples,
    SampleWeights,
    Scratch,
    apart,
)
from splitcrit.trees.scan.sorted_columns import class_bits, sorted_columns
from splitcrit.trees.scan.subsets import simpler
from splitcrit.trees.scan.ties_and_scores import band
from splitcrit.trees.scan.user_loss_search import Callbacks, refuse_wrong


def grow(training: Training, criterion: Criterion | Error, options: GrowthOptions = GrowthOptions()) -> GrownTree:  # noqa: B008
    """The tree of a training set, grown in one compiled loop or, where there is none, by the reference builder.

    Parameters
    ----------
    training : Training
    criterion : Criterion, or {"squared_error", "absolute_error", "poisson"}, ResponseLoss or Calibrated
        Of classes a criterion. Of responses scores are decreases of the variance, of the mean deviation about the
        median, of half the mean Poisson deviance, of responses from 0, which leaves a response above 0 on both sides,
        or of a user's loss, searched in numpy unless it has statistics. ``Calibrated`` compares features by its own
        rule, and their splits by its error.
    options : GrowthOptions
        Sparse features have no categories. A node whose classes, or responses, are all equal is a leaf in any case.

    Raises
    ------
    ValueError
        If no source serves the request, or a formula that must be compiled gives no number.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0], [2.0]])
    >>> from splitcrit import decrease, gini
    >>> grow(Training(x, np.array([0, 0, 1]), 2), decrease(gini)).threshold
    array([1.5, nan, nan])
    >>> tree = grow(Training(x, np.array([0.0, 0.0, 3.0])), "squared_error")
    >>> tree.threshold[0], tree.value.tolist(), tree.score[0]
    (np.float64(1.5), [1.0, 0.0, 3.0], np.float64(2.0))
    """
    training = training.positive
    compared = isinstance(criterion, Calibrated)
    degree = criterion.degree if isinstance(criterion, Criterion) else None if compared else 0
    weights = training.weights
    scale = scale_of(weights, degree)
    if weights is not None and scale.exponent:
        training = replace(training, weights=scale.weights(weights))
        options = replace(options, stopping=scale.stopping(options.stopping))
    layout, data = source_of(training, criterion, options)
    if isinstance(criterion, Criterion):
        tree = _of_classes(training, layout, data, criterion, options)
    else:
        tree = _of_responses(training, layout, criterion, options)
    restored, score = scale.restored(tree.weights, tree.score)
    return replace(tree, weights=restored, score=score)


# Classes.


def _of_classes(
    training: Training, layout: SampleLayout, data: Data | None, criterion: Criterion, options: GrowthOptions
) -> GrownTree:  # fmt: skip
    """The tree of samples with classes."""
    tested = criterion.search.tested
    cut = criterion if tested is None else tested.cut
    if layout is not SampleLayout.REFERENCE:
        rows, unit = _rows_of_classes(training, layout, data, criterion, options)
        if rows is not None:
            return tree_of_rows(cut, options, rows, unit)
    if tested is not None or training.sparse:
        remedy = "X.toarray()" if training.sparse else "its formula alone"
        rule = f"the formula of {criterion!r} gives a number for any counts"
        raise ValueError(complaint(rule, "nan", f"pass {remedy} to see for which"))
    return grown_by_reference(replace(training, ranks=None).positive, criterion, options)


def _rows_of_classes(
    training: Training, layout: SampleLayout, data: Data | None, criterion: Criterion, options: GrowthOptions
) -> tuple[TreeRows | None, float]:  # fmt: skip
    """The rows of the tree, None where a formula gives no number, and what a weight of 1 is in them."""
    tested = criterion.search.tested
    cut = criterion if tested is None else tested.cut
    presorted = layout is SampleLayout.PRESORTED
    orders = sorted_columns(training.x, training.y, training.classes) if presorted else None
    # Tables of a form come after sorting, which has given back its own space by then.
    data = data or criterion_data(cut, training.size, training.classes)
    if data is None:
        return None, 1.0
    if orders is not None:
        source, root = presorted_classes(training, orders, data, options)
    elif training.sparse:
        source, root = _cells(training, data, options)
    else:
        source, root = listed_classes(training, data, criterion, options)
    unit = weight_of_one(data)
    rows = rows_of(source, root, cut, options, unit)
    return None if undefined(data) else rows, unit


def presorted_classes(
    training: Training, orders: Orders, data: Data, options: GrowthOptions
) -> tuple[Any, TreeRows]:  # fmt: skip
    """Columns that are sorted once, and the root."""
    units = None
    if training.weights is not None:
        units = units_of(training.weights, weight_of_one(data))
        weights = SampleWeights(units, orders.bits, options.stopping.min_weight_leaf / weight_of_one(data))
        orders = orders._replace(weights=weights)
    totals = np.bincount(training.y, units, training.classes).astype(float)
    (d, n), entries = orders.orders.shape, orders.orders[0]
    space = Workspace.of(Scratch.of(training.classes, places_of(data, n)), d, entries)
    return PresortedSource(orders, scorer(data, orders), space), root_rows(totals, n, options.root_key)


def listed_classes(
    training: Training, data: Data, criterion: Criterion, options: GrowthOptions
) -> tuple[Any, TreeRows]:  # fmt: skip
    """Samples in a list of entries, each once with its count, and the root."""
    ranks = training.ranks or Ranks.of(training.x, options.random, options.levels)
    tested, recoding = criterion.search.tested, options.recoding
    listed = ListedSamples.of(training, data)
    scratch, ranked = Scratch.of(training.classes, places_of(data, listed.places)), 0
    work = Workspace.of(scratch, training.features, listed.entries)
    orders, sorting = listed.sorted_at_nodes(ranks, work.spare)
    coded: Any = NoCategories()
    if recoding is not None:
        how = simpler(criterion if tested is None else tested.cut, training.classes, options.stopping.binds)
        coded = CategoryCodes.of(recoding, ranks.values, training.classes, *how, np.int64)
        ranked = len(coded.node.ranks)
    comparison: Any = NoComparison()
    if tested is not None:
        shape = training.features, len(listed.entries)
        comparison = ColumnComparison.of(tested, options, shape, int(listed.totals.sum()))
    make: Any = RandomSource if options.random else ListedSource
    source = make(orders, scorer(data, orders), work, sorting, coded, comparison)
    return source, root_rows(listed.totals, len(listed.entries), options.root_key, ranked)


def _cells(training: Training, data: Data, options: GrowthOptions) -> tuple[Any, TreeRows]:
    """Samples in a list, and columns of cells, and the root."""
    listed, columns = ListedSamples.of(training, data), SparseColumns.of(training.x.cells, training.features)
    entries, low = listed.entries.astype(np.int64), listed.low
    columns.marks[entries >> low] = entries & ((1 << low) - 1)
    scratch = Scratch(*(apart(training.classes, np.int64) for _ in range(2)))
    # Cells have no ranks.
    none = np.empty((0, 1), np.int64)
    sorting = Sorting(entries, none, none[:, 0], none, low, listed.bits, none, *(none[:, 0],) * 2, listed.units)
    space = Workspace.of(scratch, training.features, entries)
    source = CellsSource(training.x.cells, columns, sorting, options.random, scorer(data), space)
    return source, root_rows(listed.totals, len(entries), options.root_key)


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
    def of(training: Training, data: Data) -> ListedSamples:
        """The samples that count, each once."""
        codes, classes, counts = training.y, training.classes, training.weights
        some = np.arange(len(codes)) if counts is None else np.flatnonzero(counts)
        bits = class_bits(classes)
        units, field = np.empty(0, np.int64), np.zeros(len(some), np.int64)
        often = np.ones(len(some), np.int64) if counts is None else units_of(counts[some], weight_of_one(data))
        if is_expandable(counts):
            field, places = often - 1, int(often.sum())
        else:
            (units, field), places = np.unique(often, return_inverse=True), len(some)
        low = bits + max(int(field.max()).bit_length(), int(len(units) > 0))
        kind = np.uint32 if max(len(codes) << low, places << bits) < 2**32 else np.int64
        labels = codes[some]
        totals = np.bincount(labels, often, classes).astype(float)
        some <<= low  # in place, since here a forest takes the most memory
        some |= field << bits
        some |= labels
        return ListedSamples(some.astype(kind), low, bits, units, places, totals)

    def sorted_at_nodes(self, ranks: Ranks, spare: Array) -> tuple[Orders, Sorting]:
        """Space for sorted columns, and what is sorted into it."""
        kind = self.entries.dtype
        keys = np.empty((SLOTS, len(self.entries)), kind)
        # Neighbours differ.
        groups = (np.arange(self.places + 1, dtype=kind) & 1).astype(ranks.values.dtype)[None]
        columns = ranks.ranks, ranks.lost, ranks.values
        space = keys, spare, np.empty(2048, np.int64)
        weights = SampleWeights(self.units, self.low, 0.0)
        rows = SLOTS + bool((ranks.lost >= 0).any())  # the last one of missing values that stand first
        orders = Orders(np.empty((rows, self.places), kind), groups, self.bits, weights)
        return orders, Sorting(self.entries, *columns, self.low, self.bits, *space, self.units)


# Responses that are numbers.


def source_of_responses(
    training: Training, layout: SampleLayout, error: Error, options: GrowthOptions
) -> tuple[Any, TreeRows, Callbacks | None]:  # fmt: skip
    """Samples whose responses are numbers, the root, and what the loop asks of an own loss."""
    x, weights, d = training.x, training.weights, training.features
    y = np.asarray(training.y, dtype=float)
    ranks, recoding = training.ranks, options.recoding
    rows, orders = np.argsort(y, kind="stable"), None
    rows = rows if weights is None else rows[weights[rows] > 0]
    if layout is SampleLayout.PRESORTED and ranks is None:
        columns = sorted_columns(x, np.zeros(len(y), np.int64), 1)
        orders, ranks = numbered_orders(columns, rows), Ranks.unsorted(columns.columns)
    wide = training.sparse or len(y) >= 2**31
    samples = Samples(
        rows if wide else rows.astype(np.uint32), y[rows], np.empty(0) if weights is None else weights[rows]
    )  # fmt: skip
    comparison: Any = NoComparison()
    if isinstance(error, Calibrated):
        objects = len(y) if weights is None else int(weights.sum())
        comparison = ColumnComparison.of(error, options, (d, len(rows)), objects)
        error = error.error or ""
    own, calls, place = None, None, DECLARED
    if isinstance(error, ResponseLoss):
        refuse_wrong(error, samples.responses)
        own = (calls := Callbacks(error)).space(samples)
    else:
        place = ERRORS.index(error)
    tried: Any = TriedFeatures.of(d)
    source: Any
    if training.sparse:
        # Of one column, its ranks, too.
        keys = (columns_of_cells := SparseColumns.of(x.cells, d)).column[None]
        listed = NodeResponses.of(samples, keys, rows[:0], keys, place)
        source = CellResponsesSource(listed, x.cells, columns_of_cells, options.random, tried)
    else:
        ranks = ranks or Ranks.of(x, options.random, options.levels)
        listed = NodeResponses.of(samples, ranks.ranks, ranks.lost, ranks.values, place, own, orders is None)
        # Of a category the weight, the sum of responses and the number of those above 0.
        coded = NoCategories() if recoding is None else CategoryCodes.of(recoding, ranks.values, 3, True, False, float)
        make: Any = RandomResponsesSource if options.random else ListedResponsesSource
        source = make(listed, tried, coded, comparison)
        if orders is not None:
            source = PresortedResponsesSource.of(listed, orders)
    ranked = 0 if recoding is None else int(recoding.levels.max()) + 1
    return source, root_rows(np.zeros(3), len(rows), options.root_key, ranked), calls


def _of_responses(training: Training, layout: SampleLayout, error: Error, options: GrowthOptions) -> GrownTree:
    """The tree of samples whose responses are numbers."""
    source, root, calls = source_of_responses(training, layout, error, options)
    grown, recoding = rows_of(source, root, None, options), options.recoding
    if recoding is not None:
        grown = recoded(grown, recoding, grown.reals[:, HEAVY])
    if calls is not None:
        calls.refuse_failed(source.listed.measure)
    _, weight, value, impurity = np.ascontiguousarray(grown.reals.T)
    tree = replace(_nodes(grown), weights=weight[:, None], value=value, impurity=impurity)
    return with_decreases(tree, error)


def numbered_orders(columns: Orders, rows: Array) -> Array:
    """Orders ``number << 1 | same`` in the place of those of columns; ``rows`` are those of the samples by number."""
    number = np.empty(len(rows), columns.orders.dtype)
    number[rows] = np.arange(len(rows))
    for order, values in zip(columns.orders, columns.columns, strict=True):
        index = order >> order.dtype.type(columns.bits)
        ordered = values[index]
        order[:] = number[index] << number.dtype.type(1)
        order[1:] |= (ordered[1:] == ordered[:-1]) | np.isnan(ordered[:-1])
    return columns.orders


def with_decreases(tree: GrownTree, error: Error) -> GrownTree:
    """A tree with the decreases of impurity as scores of its splits; nearly equal means cost no digits."""
    inner, score, weight = tree.left >= 0, tree.score.copy(), tree.weights[:, 0]
    sides = tree.left[inner], tree.right[inner]
    if error == "poisson":
        mean = tree.value[inner]
        saved = sum(weight[side] * mean * excess((tree.value[side] - mean) / mean) for side in sides)
    else:
        risk = weight * tree.impurity
        saved = risk[inner] - risk[sides[0]] - risk[sides[1]]
    score[inner] = saved / weight[inner]
    return replace(tree, score=score)


# The loop, and its rows.


def rows_of(
    source: Any, tree: TreeRows, criterion: Criterion | None, options: GrowthOptions, unit: float = 1.0
) -> TreeRows:
    """The rows of the whole tree of a source, given its root; whenever they are full, there are more.

    Class weights of the rows are multiples of ``unit``.
    """
    from splitcrit.trees.growth.grow_compiled import grow_whole

    stopping = replace(options.stopping, min_weight_leaf=options.stopping.min_weight_leaf / unit)
    rules = StoppingRules.of(stopping, criterion, options.max_features, options.least_varying)
    rules = rules._replace(zone=np.nan) if unit != 1 else rules
    at, new = grow_whole(source, tree, 0, 1, rules)
    while at >= 0:
        tree = TreeRows(*(np.concatenate([part, np.empty_like(part)]) for part in tree))
        at, new = grow_whole(source, tree, at, new, rules)
    return TreeRows(*(part[:new] for part in tree))


def recoded(rows: TreeRows, recoding: Recoding, heavy: Array) -> TreeRows:
    """The rows of a tree whose splits by ranks of categories are splits by subsets, numbered level by level.

    ``heavy`` are the weights of its nodes.
    """
    links, reals = rows.links.copy(), rows.reals.copy()
    feature, left, right = links[:, FEATURE], links[:, LEFT], links[:, RIGHT]
    inner = np.flatnonzero((left >= 0) & (recoding.levels[feature] > 0))
    inner = inner[np.argsort(links[inner, DEPTH], kind="stable")]
    others_left, sides = heavy[left[inner]] > heavy[right[inner]], rows.sides[inner]
    feature[inner] = recoding.column(feature[inner], sides[:, :-1], others_left, sides[:, -1])
    reals[inner, THRESHOLD] = 0.5
    return TreeRows(links, reals, rows.sides)


def _nodes(rows: TreeRows) -> GrownTree:
    """The nodes that a loop wrote down: all but what describes them, and their scores."""
    _, left, right, feature, depth, size, *_, lost = np.ascontiguousarray(rows.links.T)
    lost, same = lost % ROUNDED, lost < ROUNDED
    goes = (left >= 0) & np.where(lost > 0, lost == 2, size[left] > size[right])
    links = {"feature": feature, "left": left, "right": right, "missing_left": goes, "in_float32": same}
    return replace(GrownTree.leaves(depth, size, rows.reals), **links, threshold=rows.reals[:, THRESHOLD].copy())


def tree_of_rows(criterion: Criterion, options: GrowthOptions, rows: TreeRows, unit: float = 1.0) -> GrownTree:
    """The tree of classes that a loop wrote down, without splits that, as integers tell, gain nothing."""
    stopping = options.stopping
    if options.recoding is not None:
        rows = recoded(rows, options.recoding, rows.reals[:, 1:].sum(axis=1))
    tree = with_scores(replace(_nodes(rows), weights=rows.reals[:, 1:] * unit), criterion)
    inner = np.flatnonzero(tree.left >= 0)
    if not len(inner) or not stopping.in_integers(criterion):
        return tree
    pays = np.zeros(len(tree.left), dtype=bool)
    sides = tree.weights[tree.left[inner]], tree.weights[tree.right[inner]]
    width = band(criterion, tree.weights[inner]) if unit != 1 else np.zeros(len(inner))
    pays[inner] = stopping.splits(criterion, tree.score[inner], width, *sides)
    return tree if pays[inner].all() else numbered(tree, pays)
