"""What the compiled loop that grows a tree takes besides ``scan.records``, as named tuples.

A *source* holds the samples of all nodes, what a threshold is scored by, and space; its type chooses the operations of
the loop (``operations``). The samples of a node stand side by side, from ``start`` to ``stop``.

A *cell* of sparse features is a value that is not 0. The *key* of a float32 is the signed integer in whose order the
values are; that of 0 is 0. Where float32 does not hold all values, a key is the number of values above 0 up to its own,
negative below 0. A column of cells lists ``key << 32 | row``, sorted.

Main definitions: ``StoppingRules``, ``TreeRows``, ``OpenNode``, ``Pick``, ``Workspace``, ``Sorting``,
``CategoryCodes``, ``ColumnComparison``; of classes the sources ``PresortedSource``, ``ListedSource``, ``RandomSource``,
and ``CellsSource`` with ``Cells`` and ``SparseColumns``; of responses ``PresortedResponsesSource``,
``ListedResponsesSource``, ``RandomResponsesSource`` and ``CellResponsesSource`` with ``NodeResponses``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.nulls.calibration import Calibrated
from splitcrit.nulls.hypergeometric import remainders
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.growth_options import GrowthOptions, Stopping
from splitcrit.trees.scan.records import (
    ABSOLUTE,
    CONSTANTS,
    DESCRIBED,
    CategoryTable,
    CompiledCriterion,
    Medians,
    Orders,
    OwnLoss,
    Samples,
    Scratch,
    Sums,
    apart,
)

ENDLESS = np.iinfo(np.int64).max
LOW = 32  # bits of a row
FRAMES = 72  # each has at most half the cells of the one before
PARENT, LEFT, RIGHT, FEATURE, DEPTH, SIZE, START, KEY, LOST = range(9)
ROUNDED = 4  # added to ``LOST`` where values rounded to float32 would not go the same ways
THRESHOLD, HEAVY, VALUE, IMPURITY = range(4)
SLOTS = 2  # orders that are kept: that of the feature that leads, and that of the next one
TURNED = SLOTS  # a third one: that of a feature with its missing values first


class StoppingRules(NamedTuple):
    """Greatest depth, least size to split, least size of a side, least gain (nan: none), least weight of a side.

    Within its ``zone`` an NE impurity equals misclassification (nan: no gain is compared with 0 in integers). A
    node tries ``features`` features (0: all), and goes on until ``varying`` of those tried vary there.
    """

    depth: int
    split: int
    leaf: int
    gain: float
    lightest: float
    zone: float
    features: int
    varying: int

    @staticmethod
    def of(
        stopping: Stopping, criterion: Criterion | None, features: int | None = None, varying: int = 1
    ) -> StoppingRules:
        """Stopping rules as the loop takes them; where integers decide on a gain of 0, it splits anyway.

        Responses that are numbers have no criterion.
        """
        depth = ENDLESS if stopping.max_depth is None else stopping.max_depth
        least = max(stopping.min_samples_split, 2 * stopping.min_samples_leaf)
        integers = criterion is not None and stopping.in_integers(criterion)
        zone = float(criterion.search.zone) if criterion is not None and integers else np.nan
        gain = np.nan if stopping.min_gain is None or integers else float(stopping.min_gain)
        leaf, lightest = int(stopping.min_samples_leaf), float(stopping.min_weight_leaf)
        return StoppingRules(int(depth), int(least), leaf, gain, lightest, zone, features or 0, varying)


class TreeRows(NamedTuple):
    """The nodes, a row each: ``links (nodes, 9)``, ``reals`` and ``sides``.

    ``links`` are parent, left and right child (-1: none), feature (-1: none), depth, size, where the node's samples
    start, the key of its draws, and where the values go that its feature lacks (0: it lacks none, 1: right, 2: left;
    and ``ROUNDED``): ``PARENT`` to ``LOST``. ``reals`` are the ``THRESHOLD`` and then the class weights or, of
    responses that are numbers, weight, value and impurity, ``HEAVY`` to ``IMPURITY``. ``sides`` is of categories: 0 for
    left and 1 for right by code, -1 where the node has none, and how divisions were tried.
    """

    links: Array
    reals: Array
    sides: Array


class OpenNode(NamedTuple):
    """A node that may be split: where its samples lie, the key of its draws, and what its scores are measured in.

    A raw score becomes ``(raw - base) * rate``, and scores within ``width`` are ties; ``size`` is what the node weighs,
    in whole units, and ``sums`` that of ``Totals``. Sparse features add the ``label`` of the node's rows and the range
    of its columns; with responses ``sums`` is then their sum, and ``size`` how many are above the least one.
    """

    start: int
    stop: int
    key: int
    size: int
    sums: float
    base: float
    rate: float
    width: float
    label: int
    first_column: int
    end_column: int


class Pick(NamedTuple):
    """The feature that the tie rule chooses (-1: none pays), the raw score its threshold must reach, and the top one.

    ``slot`` is the order that it may use, ``ready`` whether that is its own, sorted already.
    """

    feature: int
    floor: float
    top: float
    slot: int
    ready: bool


class Workspace(NamedTuple):
    """Space for a loop: ``counts (K,)`` and ``constants (CONSTANTS,)`` of a node; ``seen``, ``behind`` of ``Scratch``.

    ``places (d,)`` are the features in the order of the draw, and in their own between nodes; ``tried (d,)`` lists
    those that were tried, and ``best (d,)`` their best raw scores, in the same order. As samples move, ``side (n,)``
    is 1 by index for those that go left, and ``spare (n + 1,)`` holds entries that go right.
    """

    counts: Array
    constants: Array
    seen: Array
    behind: Array
    best: Array
    places: Array
    tried: Array
    spare: Array
    side: Array

    @staticmethod
    def of(scan: Scratch, features: int, entries: Array) -> Workspace:
        """Space for a training set; of ``entries`` there are as many as samples."""
        counts, constants, best = apart(len(scan.seen), np.int64), apart(CONSTANTS, float), apart(features, float)
        spare, side = np.empty(len(entries) + 1, entries.dtype), np.zeros(len(entries), np.uint8)
        tried = np.empty(features, np.int64)
        return Workspace(counts, constants, *scan, best, np.arange(features), tried, spare, side)


class Sorting(NamedTuple):
    """What is sorted at nodes: ``entries (n,)``, ``ranks`` and ``columns`` (values) ``(d, n)`` by index, and space.

    An entry is ``index << low | field << bits | class``: ``field`` is one less than how often it counts or, with
    ``units``, its place in these. ``lost (d,)`` is the rank of the missing values of each column, the last one, or -1
    if it has none.
    """

    entries: Array
    ranks: Array
    lost: Array
    columns: Array
    low: int
    bits: int
    keys: Array
    spare: Array
    histogram: Array
    units: Array


class PresortedSource(NamedTuple):
    """Columns that are sorted once: a node is a segment of every order."""

    orders: Orders
    scorer: CompiledCriterion
    space: Workspace


class NoCategories(NamedTuple):
    """All columns are of numbers."""


class CategoryCodes(NamedTuple):
    """Columns whose values are codes of categories: how many each has (0: a column of numbers), and space for a node.

    ``by_row (n,)`` is space for the ranks of categories by which a node's samples are moved like numbers.
    """

    levels: Array
    node: CategoryTable
    by_row: Array

    @staticmethod
    def of(recoding: Recoding, columns: Array, classes: int, ordered: bool, joins: bool, kind: Any) -> CategoryCodes:
        """Columns of categories among ``columns (d, n)``, with space for class counts, or sums, of some type."""
        space = CategoryTable.of(int(recoding.levels.max(initial=1)), classes, ordered, joins, recoding.max_exact, kind)
        return CategoryCodes(recoding.levels.astype(np.int64), space, np.empty_like(columns[0]))


class CellSpace(NamedTuple):
    """Space for the rows of a node in the order of a column, and for the cells of the column.

    By row: ``kinds``, ``cells`` and ``heavy``, its weight. By cell: ``sizes``. By cut: ``weights`` and ``less``, the
    lines by which ``best_of_cuts`` scores, with missing values right and left, and ``length``. ``places`` is 0, 1, 2
    and so on, and ``order`` is for ``best_of_subsets``.
    """

    kinds: Array
    cells: Array
    heavy: Array
    sizes: Array
    weights: Array
    less: Array
    length: Array
    places: Array
    order: Array

    @staticmethod
    def of(size: int, levels: Array) -> CellSpace:
        """Space for nodes of up to some rows, whose columns have up to these numbers of levels."""
        widest = max(size, int(levels.max(initial=0)))
        (kinds, cells, heavy), weights = np.empty((3, size), np.int64), np.empty((2, widest))
        places, order = np.arange(widest), np.empty(2 * widest + 1, np.int64)
        return CellSpace(
            kinds, cells, heavy, np.empty_like(places), weights, np.zeros((2, widest)), np.empty(widest), places, order
        )


class ColumnComparison(NamedTuple):
    """How columns are compared: least rows and weight of a side, draws (0: as the columns need), seed, pairs.

    A column has as many ``levels (d,)``, 0 if it is of numbers. Also the ``hashes (d,)`` of the columns at the root,
    logarithms of the factorials up to the number n of objects and the remainders of n, and space: which columns of a
    node are ``wanted (d,)``, and for rows and cells of one column.
    """

    least: int
    lightest: float
    draws: int
    seed: int
    pairs: bool
    levels: Array
    hashes: Array
    logs: Array
    rest: Array
    wanted: Array
    space: CellSpace

    @staticmethod
    def of(selection: Calibrated, options: GrowthOptions, shape: tuple[int, int], objects: int) -> ColumnComparison:
        """How columns are compared in a training set of this ``shape (d, n)``, with so many objects."""
        (d, n), stopping = shape, options.stopping
        levels = np.array(np.broadcast_to(options.levels, d), np.int64)
        return ColumnComparison(
            int(stopping.min_samples_leaf), float(stopping.min_weight_leaf), selection.draws or 0, selection.seed,
            selection.weights == "rows", levels, np.empty(d, np.uint64),
            np.log(np.maximum(np.arange(objects + 1.0), 1)).cumsum(), remainders(objects), np.ones(d, dtype=bool),
            CellSpace.of(n, levels),
        )  # fmt: skip


class NoComparison(NamedTuple):
    """Columns are compared by their best scores."""


class ListedSource(NamedTuple):
    """Samples in one list, sorted at each node by the columns that are tried there, into two ``orders``.

    Columns of categories are tabulated. Columns are compared by their scores or by how surprising these are.
    """

    orders: Orders
    scorer: CompiledCriterion
    space: Workspace
    sorting: Sorting
    recoding: CategoryCodes | NoCategories
    comparison: ColumnComparison | NoComparison


class RandomSource(NamedTuple):
    """Samples in one list, of whose columns each has one random threshold, or division of categories, at a node."""

    orders: Orders
    scorer: CompiledCriterion
    space: Workspace
    sorting: Sorting
    recoding: CategoryCodes | NoCategories
    comparison: NoComparison


class Cells(NamedTuple):
    """The cells of a training set row by row: where each row starts, and the features and keys of the cells.

    ``values`` are all values of cells and 0, ascending, and last the place of 0; empty where keys are those of float32.
    """

    starts: Array
    features: Array
    keys: Array
    values: Array


class SparseColumns(NamedTuple):
    """Columns of some nodes on the path from the root, each of which has at most half the cells of the one before.

    ``frames[1 + t]`` are start and stop of the samples of node ``t``, its first column, how many there are, and its
    cells; ``frames[0, 0]`` is how many nodes there are. Column ``c`` is that of feature ``columns[c]``, and has the
    entries from ``firsts[c]`` to ``firsts[c + 1]``. ``column_of`` is the column of each feature in node ``frames[0,
    1]``, and old numbers elsewhere. The rest is space: ``counts`` of cells by feature (0 between nodes) and a
    ``cursor``, where the next cell of each goes; for sorting; for the cells of one column in a node; label and sample
    of each row; and the keys of one column by row. ``values`` are those of ``Cells``.
    """

    frames: Array
    columns: Array
    firsts: Array
    entries: Array
    column_of: Array
    counts: Array
    cursor: Array
    spare: Array
    histogram: Array
    local: Array
    marks: Array
    column: Array
    values: Array

    @staticmethod
    def of(cells: Cells, features: int) -> SparseColumns:
        """Space for a number of features."""
        rows, size = len(cells.starts) - 1, len(cells.keys)
        longest = int(np.bincount(cells.features, minlength=1).max())
        most = min(2 * size, FRAMES * features) + FRAMES
        columns, firsts = np.empty((2, most), np.int64 if 2 * size > np.iinfo(np.int32).max else np.int32)
        spare, local = np.empty(max(longest, min(size, features), 1), np.int64), np.empty(longest + 2, np.int64)
        frames, (column_of, counts, cursor) = np.zeros((FRAMES, 5), np.int64), np.zeros((3, features), np.int64)
        rest = spare, np.empty(2048, np.int64), local, np.full(rows, -1), np.zeros(rows, np.int64)
        entries = np.empty(2 * size + 1, np.int64)
        return SparseColumns(frames, columns, firsts, entries, column_of, counts, cursor, *rest, cells.values)


class CellsSource(NamedTuple):
    """Samples in one list, and columns of cells, with one random threshold each or all.

    ``space.behind`` is for the class counts of zeros.
    """

    cells: Cells
    columns: SparseColumns
    sorting: Sorting
    random: bool
    scorer: CompiledCriterion
    space: Workspace


class TriedFeatures(NamedTuple):
    """Of the features of a node: those that are tried with their best scores, and the order in which they are drawn."""

    best: Array
    tried: Array
    places: Array

    @staticmethod
    def of(features: int) -> TriedFeatures:
        """Space for a number of features."""
        return TriedFeatures(np.empty(features), np.empty(features, np.int64), np.arange(features))


Measure = Sums | Medians | OwnLoss  # what an error asks for


class NodeResponses(NamedTuple):
    """Samples whose responses are numbers, in the order of these in each node, and space to search and move them.

    Keys are ``rank << low | place in the node``; ``described (DESCRIBED,)`` is of one node, ``centred (n,)`` its
    responses less their mean, by number (of Poisson deviance in units of it, so that -1 is a response of 0), and
    ``orders (SLOTS, n)`` are of its columns. The error is its place in ``ERRORS``, ``DECLARED`` if it is an own loss.
    """

    samples: Samples
    spare: Samples
    ranks: Array
    lost: Array
    columns: Array
    low: int
    keys: Array
    histogram: Array
    described: Array
    centred: Array
    orders: Array
    error: int
    measure: Measure

    @staticmethod
    def of(
        samples: Samples, ranks: Array, lost: Array, columns: Array, error: int, own: OwnLoss | None = None,
        sorts: bool = True,
    ) -> NodeResponses:  # fmt: skip
        """The root of samples, sorted by response, with space for columns if these are sorted at nodes."""
        n = len(samples.rows)
        low, weighted = max(1, (n - 1).bit_length()), len(samples.weights) > 0
        places = n if sorts else 0
        # What waits while samples move may stand where responses were centred: a child's are centred anew.
        centred = np.empty(n)
        spare = Samples(np.empty_like(samples.rows), centred, np.empty_like(samples.weights))
        orders = np.empty((SLOTS, places), samples.rows.dtype)
        keys, histogram = np.empty((2, places), np.int64), np.empty(2048, np.int64)
        described = np.empty(DESCRIBED)
        measure: Measure = own or (Medians.of(n, weighted) if error == ABSOLUTE else Sums(n))
        return NodeResponses(
            samples, spare, ranks, lost, columns, low, keys, histogram, described, centred, orders, error, measure
        )


class PresortedResponsesSource(NamedTuple):
    """Responses that are numbers, and columns that are sorted once: a node is a segment of every order.

    ``orders (d, n)`` list ``number << 1 | same``, ``side`` and ``target (n,)`` are by number.
    """

    listed: NodeResponses
    orders: Array
    side: Array
    target: Array
    space: TriedFeatures

    @staticmethod
    def of(listed: NodeResponses, orders: Array) -> PresortedResponsesSource:
        """The source of samples with these orders, which the loop overwrites."""
        (d, n), target = orders.shape, np.empty_like(orders[0])
        return PresortedResponsesSource(listed, orders, np.empty(n, np.uint8), target, TriedFeatures.of(d))


class ListedResponsesSource(NamedTuple):
    """Responses that are numbers; columns of numbers are sorted, and of categories ranked, at each node."""

    listed: NodeResponses
    space: TriedFeatures
    recoding: CategoryCodes | NoCategories
    comparison: ColumnComparison | NoComparison


class RandomResponsesSource(NamedTuple):
    """Responses that are numbers; columns have one random threshold, or division of categories, each at a node."""

    listed: NodeResponses
    space: TriedFeatures
    recoding: CategoryCodes | NoCategories
    comparison: NoComparison


IN_LISTS = ListedSource, RandomSource, ListedResponsesSource, RandomResponsesSource


class CellResponsesSource(NamedTuple):
    """Responses that are numbers, and columns of cells."""

    listed: NodeResponses
    cells: Cells
    columns: SparseColumns
    random: bool
    space: TriedFeatures
