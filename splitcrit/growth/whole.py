"""A whole tree in one call of the compiled loops, where the criterion is data.

Main definitions: ``grown_whole`` (columns sorted once), ``grow_drawn`` (drawn features sorted at the node), ``Ranks``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion, twoing
from splitcrit.growth.arrays import Grown, numbered
from splitcrit.growth.classes import with_scores
from splitcrit.growth.options import Growing
from splitcrit.growth.stopping import Stopping
from splitcrit.search import plain
from splitcrit.search.columns import Columns
from splitcrit.search.draws import root_key
from splitcrit.search.forms import LEVEL, form_of, sides_of

Array = NDArray[Any]
EXPANDED = 8  # a sample counts so often on average at most: a scan takes a step for every count
NOTHING, NO_SIDES = np.zeros(1), np.zeros((1, 1))


def grown_whole(columns: Columns, criterion: Criterion, growing: Growing) -> Grown | None:
    """Return the tree of a training set, or None where only a search level by level will do.

    The compiled loops take criteria that are data, weights that are counts, and no missing values.
    """
    stopping = growing.stopping
    if columns.engine is plain or columns.missing.any() or stopping.max_pvalue is not None:
        return None
    if len(columns.weights) or stopping.min_weight_leaf > 0:
        weights = columns.weights if len(columns.weights) else None
        if not _expandable(weights):
            return None
        return grow_drawn(Ranks.of_columns(columns), columns.codes, columns.classes, criterion, growing, weights)
    if (form := _told(criterion, len(columns.codes), columns.classes)) is None:
        return None
    from splitcrit.growth.sorted_compiled import grow_sorted

    totals = np.bincount(columns.codes, minlength=columns.classes).astype(float)
    rules, key = _rules(stopping, criterion), root_key(growing.seed)[()]
    data = columns.orders.copy(), columns.values, columns.bits
    return _written(criterion, stopping, *grow_sorted(*data, totals, form, rules, key, growing.max_features or 0))


@dataclass(frozen=True, eq=False)
class Ranks:
    """Values ``(d, n)`` by column, none missing, and the rank of each among the distinct values of its column.

    They are found once for all trees that are grown on the same features.
    """

    values: Array
    ranks: Array

    @staticmethod
    def of(x: Array) -> Ranks | None:
        """Return the ranks of features ``x (n, d)``, float32 or float64; None with missing values or without numba."""
        try:
            from splitcrit.search import compiled
        except ModuleNotFoundError:
            return None
        columns = Columns.of(x, np.zeros(len(x), np.int64), 1, None, compiled)
        return None if columns.missing.any() else Ranks.of_columns(columns)

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
    if not size or (form := _told(criterion, size, classes)) is None:
        return None
    from splitcrit.growth import drawn_compiled as loops

    bits = max(1, int(classes - 1).bit_length())
    low = bits + int(often.max() - 1).bit_length()
    kind = np.uint32 if max(len(codes) << low, size << bits) < 2**32 else np.int64
    entries = ((kept << low) | ((often - 1) << bits) | codes[kept]).astype(kind)
    totals = np.bincount(codes[kept], often, classes).astype(float)
    data = ranks.ranks, ranks.values, entries, bits, low, totals, form
    key, drawn = root_key(growing.seed)[()], growing.max_features or 0
    found = loops.grow_drawn(*data, _rules(stopping, criterion), key, drawn)
    return _written(criterion, stopping, *found)


def _expandable(counts: Array | None) -> bool:
    """Tell whether weights are counts, and few enough that each may take a step of a scan."""
    if counts is None:
        return True
    whole = bool((np.floor(counts) == counts).all() and (counts >= 0).all())
    return whole and counts.sum() <= EXPANDED * np.count_nonzero(counts)


def _told(criterion: Criterion, size: int, classes: int) -> tuple[Any, ...] | None:
    """Return a criterion as the compiled loops take it, None if it is no data for nodes of this size."""
    form = form_of(criterion, size, classes)
    if form is not None:
        tie = 2.0 if criterion == twoing else 1.0
        given = form.kind, form.power, form.unit, tie, form.phi, form.steps, form.table, NO_SIDES
        return given if form.kind <= LEVEL else None
    sides = sides_of(criterion, size, classes)
    if sides is None or sides.most < size:
        return None
    from splitcrit.growth.nodes_compiled import LOOKED_UP

    return LOOKED_UP, 0.0, 1.0, 1.0, NOTHING, NOTHING, NOTHING, sides.table


def _rules(stopping: Stopping, criterion: Criterion) -> tuple[int, int, int, float, float]:
    """Return stopping rules as the compiled loops take them: see ``nodes_compiled``."""
    depth = np.iinfo(np.int64).max if stopping.max_depth is None else stopping.max_depth
    least = max(stopping.min_samples_split, 2 * stopping.min_samples_leaf)
    anything = stopping.min_gain is None or stopping.in_integers(criterion)
    gain = np.nan if anything else float(stopping.min_gain or 0)
    return int(depth), int(least), int(stopping.min_samples_leaf), gain, float(stopping.min_weight_leaf)


def _written(criterion: Criterion, stopping: Stopping, links: Array, reals: Array) -> Grown:
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
