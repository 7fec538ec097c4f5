"""A whole tree in one call of the compiled loops, where the criterion is data.

Main definitions: ``grown_whole`` (columns sorted once), ``grow_drawn`` (drawn features sorted at the node), ``Ranks``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.growth.arrays import Grown, numbered
from splitcrit.growth.classes import with_scores
from splitcrit.growth.options import Growing
from splitcrit.growth.records import Rules, Sorting, Workspace
from splitcrit.growth.rows import filled, root_rows
from splitcrit.growth.stopping import Stopping
from splitcrit.growth.threaded import grown_by_threads, is_worth_threads
from splitcrit.search import plain
from splitcrit.search.columns import Columns
from splitcrit.search.draws import root_key
from splitcrit.search.forms import data_of, form_of, sides_of
from splitcrit.search.records import Data, Orders, Scratch
from splitcrit.search.scorers import scorer

Array = NDArray[Any]
EXPANDED = 8  # a sample counts this often on average at most: a scan takes a step for every count


def grown_whole(columns: Columns, criterion: Criterion, growing: Growing) -> Grown | None:
    """Return the tree of a training set, or None where only a search level by level will do.

    The compiled loops take criteria that are data, weights that are counts, and no missing values.
    """
    stopping = growing.stopping
    if growing.random and columns.engine is not plain and not columns.missing.any():
        weights = columns.weights if len(columns.weights) else None
        return grow_drawn(Ranks.unsorted(columns.values), columns.codes, columns.classes, criterion, growing, weights)
    if growing.random or columns.engine is plain or columns.missing.any() or stopping.max_pvalue is not None:
        return None
    if len(columns.weights) or stopping.min_weight_leaf > 0:
        weights = columns.weights if len(columns.weights) else None
        if not _expandable(weights):
            return None
        return grow_drawn(Ranks.of_columns(columns), columns.codes, columns.classes, criterion, growing, weights)
    if (data := told(criterion, len(columns.codes), columns.classes)) is None:
        return None
    source = Orders(columns.orders.copy(), columns.values, columns.bits)
    totals = np.bincount(columns.codes, minlength=columns.classes).astype(float)
    return _grown(source, None, totals, data, criterion, growing)


@dataclass(frozen=True, eq=False)
class Ranks:
    """Values ``(d, n)`` by column, none missing, and the rank of each among the distinct values of its column.

    They are found once for all trees that are grown on the same features.
    """

    values: Array
    ranks: Array

    @staticmethod
    def of(x: Array, random: bool = False) -> Ranks | None:
        """Return the ranks of features ``x (n, d)``, float32 or float64; None with missing values or without numba.

        Splits at ``random`` need none.
        """
        try:
            from splitcrit.search import compiled
        except ModuleNotFoundError:
            return None
        if random:
            values = np.ascontiguousarray(x.T) + x.dtype.type(0)  # -0.0 becomes 0.0
            return None if np.isnan(values).any() else Ranks.unsorted(values)
        columns = Columns.of(x, np.zeros(len(x), np.int64), 1, None, compiled)
        return None if columns.missing.any() else Ranks.of_columns(columns)

    def of_rows(self, rows: Array) -> Ranks:
        """Return the ranks of some samples, as numbers that grow with their values."""
        return Ranks(self.values[:, rows], self.ranks[:, rows] if self.ranks.size else self.ranks)

    @staticmethod
    def unsorted(values: Array) -> Ranks:
        """Return values ``(d, n)`` by column without ranks."""
        return Ranks(values, np.empty((len(values), 0), np.uint32))

    @staticmethod
    def of_columns(columns: Columns) -> Ranks:
        """Return the ranks of columns that are sorted, with compiled loops."""
        from splitcrit.growth.drawn_compiled import dense_ranks

        ranks = np.empty(columns.orders.shape, np.uint32)
        dense_ranks(columns.orders, columns.values, columns.bits, ranks)
        return Ranks(columns.values, ranks)


def grow_drawn(
    ranks: Ranks, codes: Array, classes: int, criterion: Criterion, growing: Growing = Growing(),  # noqa: B008
    counts: Array | None = None,
) -> Grown | None:  # fmt: skip
    """Return the tree that ``grow`` grows with these counts as weights, or None where only ``grow`` does.

    Parameters
    ----------
    ranks : Ranks
        The features of all samples; they are not changed, and may be shared by threads.
    codes : int array (n,)
    classes : int
    criterion : Criterion
        One that is data: see ``forms``.
    growing : Growing
        Its stopping rules, draws and seed; without ``max_pvalue``.
    counts : array (n,), optional
        How often the tree counts each sample, 0 to leave it out; once each by default. Any that are no counts, or
        many more than the samples, are left to ``grow``.
    """
    stopping = growing.stopping
    if not _expandable(counts) or stopping.max_pvalue is not None:
        return None
    kept = np.arange(len(codes)) if counts is None else np.flatnonzero(counts)
    often = np.ones(len(kept), np.int64) if counts is None else np.asarray(counts)[kept].astype(np.int64)
    size = int(often.sum())
    if not size or (data := told(criterion, size, classes)) is None:
        return None
    bits = max(1, int(classes - 1).bit_length())
    low = bits + int(often.max() - 1).bit_length()
    kind = np.uint32 if max(len(codes) << low, size << bits) < 2**32 else np.int64
    entries = ((kept << low) | ((often - 1) << bits) | codes[kept]).astype(kind)
    totals = np.bincount(codes[kept], often, classes).astype(float)
    keys, histogram = np.empty((3, len(entries)), kind), np.empty(2048, np.int64)
    groups = (np.arange(size) & 1).astype(ranks.values.dtype)[None]  # neighbours differ
    sorting = Sorting(entries, ranks.ranks, ranks.values, low, keys, histogram)
    return _grown(Orders(np.empty((2, size), kind), groups, bits), sorting, totals, data, criterion, growing)


def _expandable(counts: Array | None) -> bool:
    """Tell whether weights are counts, and few enough that each may take a step of a scan."""
    if counts is None:
        return True
    whole = bool((np.floor(counts) == counts).all() and (counts >= 0).all())
    return whole and counts.sum() <= EXPANDED * np.count_nonzero(counts)


def told(criterion: Criterion, size: int, classes: int) -> Data | None:
    """Return a criterion as the compiled loops take it, None if it is no data for nodes of this size."""
    form = form_of(criterion, size, classes)
    if form is not None:
        return data_of(form)
    sides = sides_of(criterion, size, classes)
    return None if sides is None or sides.most < size else data_of(sides)


def _grown(
    source: Orders, sorting: Sorting | None, totals: Array, data: Data, criterion: Criterion, growing: Growing
) -> Grown:
    """Return the tree of samples in sorted columns or, with ``sorting``, in a list of entries."""
    if growing.random:
        from splitcrit.growth.random_compiled import grow_random as loop
    else:
        from splitcrit.growth.whole_compiled import grow_whole as loop

    stopping = growing.stopping
    entries = source.orders[0] if sorting is None else sorting.entries
    features = len(source.orders if sorting is None else sorting.ranks)
    scan = Scratch.of(len(totals), source.orders.shape[1])
    scratch, rules = Workspace.of(scan, features, entries), Rules.of(stopping, criterion, growing.max_features)
    given = (source, sorting) if growing.random else (source, True if sorting is None else None, sorting)
    served, root = scorer(data, source), root_rows(totals, len(entries), root_key(growing.seed))
    if sorting is None and is_worth_threads(source.orders.size, rules, growing.jobs):
        return written(criterion, stopping, *grown_by_threads(source, root, served, rules, growing.jobs))
    return written(criterion, stopping, *filled(root, lambda tree: loop(*given, tree, served, rules, scratch)))


def written(criterion: Criterion, stopping: Stopping, links: Array, reals: Array) -> Grown:
    """Return the tree that the compiled loops wrote down; splits without gain are undone where integers tell them."""
    _, left, right, feature, depth, size, *_ = np.ascontiguousarray(links.T)
    threshold, weights = reals[:, 0].copy(), np.ascontiguousarray(reals[:, 1:])
    tree = replace(
        Grown.leaves(depth, size, weights), feature=feature, threshold=threshold, left=left, right=right
    )  # fmt: skip
    inner = np.flatnonzero(left >= 0)
    tree.missing_left[inner] = size[left[inner]] > size[right[inner]]
    tree = with_scores(tree, criterion)
    if not len(inner) or not stopping.in_integers(criterion):
        return tree
    on_left, on_right = weights[left[inner]], weights[right[inner]]
    kept = np.zeros(len(left), dtype=bool)
    kept[inner] = stopping.splits(criterion, tree.score[inner], np.zeros(len(inner)), on_left, on_right)
    return numbered(tree, kept)
