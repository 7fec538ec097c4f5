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
from splitcrit.growth.pvalue_screen import fewest
from splitcrit.growth.records import Rules, Sorting, Workspace
from splitcrit.growth.rows import filled, root_rows
from splitcrit.growth.stopping import Stopping
from splitcrit.growth.threaded import grown_by_threads, is_worth_threads
from splitcrit.impurities.search_declaration import TAPED
from splitcrit.search.columns import Columns, by_column
from splitcrit.search.forms import data_of, form_of, sides_of, taped, undefined
from splitcrit.search.records import Data, Orders, Scratch
from splitcrit.search.scorers import scorer

Array = NDArray[Any]
TOGETHER = 4  # levels of a tree whose splits are tested at a time
EXPANDED = 8  # a sample counts this often on average at most: a scan takes a step for every count


def grown_whole(columns: Columns, criterion: Criterion, growing: Growing, keep: bool) -> Grown | None:
    """Return the tree of a training set, or None where only a search level by level will do.

    The compiled loops take criteria that are data, weights that are counts, and no missing values. Unless they are to
    ``keep`` the orders of the columns, they share the samples out in these.
    """
    stopping = growing.stopping
    if growing.random and not columns.missing.any():
        weights = columns.weights if len(columns.weights) else None
        return grow_drawn(Ranks.unsorted(columns.values), columns.codes, columns.classes, criterion, growing, weights)
    if growing.random or columns.missing.any():
        return None
    if len(columns.weights) or stopping.min_weight_leaf > 0:
        weights = columns.weights if len(columns.weights) else None
        if not is_expandable(weights):
            return None
        return grow_drawn(Ranks.of_columns(columns), columns.codes, columns.classes, criterion, growing, weights)
    if (data := told(criterion, len(columns.codes), columns.classes)) is None:
        return None
    totals = np.bincount(columns.codes, minlength=columns.classes).astype(float)
    keep |= data.kind == TAPED  # of a formula that proves undefined, the search level by level says where
    source = columns.copied(growing.jobs) if keep else columns.packed
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
        from splitcrit.jit import INSTALLED

        if not INSTALLED:
            return None
        if random:
            values = by_column(x)
            return None if np.isnan(values).any() else Ranks.unsorted(values)
        columns = Columns.of(x, np.zeros(len(x), np.int64), 1)
        return None if columns.missing.any() else Ranks.of_columns(columns)

    def of_rows(self, rows: Array) -> Ranks:
        """Return the ranks of some samples, as numbers that grow with their values."""
        return Ranks(*(np.take(each, rows, axis=1) if each.size else each for each in (self.values, self.ranks)))

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
        Its stopping rules, draws and seed; without ``look_ahead``.
    counts : array (n,), optional
        How often the tree counts each sample, 0 to leave it out; once each by default. Any that are no counts, or
        many more than the samples, are left to ``grow``.
    """
    if growing.looks_ahead or not is_expandable(counts):
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


def is_expandable(counts: Array | None) -> bool:
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
    sides = sides_of(criterion, size, classes) or taped(criterion, classes, True)
    return None if sides is None or sides.most < size else data_of(sides)


def _grown(
    source: Orders, sorting: Sorting | None, totals: Array, data: Data, criterion: Criterion, growing: Growing
) -> Grown | None:
    """Return the tree of samples in sorted columns or, with ``sorting``, in a list of entries; None where no number."""
    if growing.random:
        from splitcrit.growth.random_compiled import grow_random as loop
    else:
        from splitcrit.growth.whole_compiled import grow_whole as loop

    stopping = growing.stopping
    entries = source.orders[0] if sorting is None else sorting.entries
    features = len(source.orders if sorting is None else sorting.ranks)
    scan = Scratch.of(len(totals), source.orders.shape[1])
    if stopping.max_pvalue is not None and totals.sum() == len(entries):
        least = max(stopping.min_samples_split, fewest(stopping.max_pvalue))
        stopping = replace(stopping, min_samples_split=least)
    scratch = Workspace.of(scan, features, entries)
    rules = Rules.of(stopping, criterion, growing.max_features, growing.least_varying)
    given = (source, sorting) if growing.random else (source, True if sorting is None else None, sorting)
    served, root = scorer(data, source), root_rows(totals, len(entries), growing.root_key)
    if sorting is None and data.kind != TAPED and is_worth_threads(source.orders.size, rules, growing.jobs):
        return written(criterion, stopping, *grown_by_threads(source, root, served, rules, growing.jobs))
    rows = filled(root, lambda tree: loop(*given, tree, served, rules, scratch))
    return None if undefined(data) else written(criterion, stopping, *rows)


def written(criterion: Criterion, stopping: Stopping, links: Array, reals: Array) -> Grown:
    """Return the tree that the compiled loops wrote down, without the splits that they do not judge.

    These are splits without gain where integers tell them, and those above ``max_pvalue``; a split is the same with and
    without those below it.
    """
    _, left, right, feature, depth, size, *_ = np.ascontiguousarray(links.T)
    threshold, weights = reals[:, 0].copy(), np.ascontiguousarray(reals[:, 1:])
    heavier_left, unknown = (left >= 0) & (size[left] > size[right]), np.full(len(left), np.nan)
    described = unknown, depth, size, weights, heavier_left, unknown, unknown
    tree = Grown(feature, threshold, left, right, *described)
    if stopping.max_pvalue is not None:
        tree = numbered(tree, _significant(tree, stopping))
    tree = with_scores(tree, criterion)
    inner = np.flatnonzero(tree.left >= 0)
    if not len(inner) or not stopping.in_integers(criterion):
        return tree
    kept = np.zeros(len(tree.left), dtype=bool)
    kept[inner] = stopping.gains(criterion, tree.score[inner], np.zeros(len(inner)), *_sides(tree, inner))
    return tree if kept[inner].all() else numbered(tree, kept)


def _significant(tree: Grown, stopping: Stopping) -> Array:
    """Tell which splits are significant, where all splits above them are.

    A few levels are tested in one call, which costs as much as some twenty tables.
    """
    found, here = np.zeros(len(tree.left), dtype=bool), _split(tree, np.zeros(1, np.int64))
    while len(here):
        levels = [here]
        while len(levels) < TOGETHER:
            levels.append(_split(tree, _children(tree, levels[-1])))
        tested = np.concatenate(levels)
        found[tested] = stopping.significant(*_sides(tree, tested), np.ones(len(tested), dtype=bool))
        for _ in levels:
            here = _split(tree, _children(tree, here[found[here]]))
    return found


def _split(tree: Grown, nodes: Array) -> Array:
    """Return those nodes that are split."""
    return nodes[tree.left[nodes] >= 0]


def _children(tree: Grown, nodes: Array) -> Array:
    """Return the children of nodes that are split."""
    return np.concatenate([tree.left[nodes], tree.right[nodes]])


def _sides(tree: Grown, inner: Array) -> tuple[Array, Array]:
    """Return the class weights on both sides of splits."""
    return tree.weights[tree.left[inner]], tree.weights[tree.right[inner]]
