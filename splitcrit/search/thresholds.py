"""The best threshold of every open node of a level.

The tie rule: among thresholds whose score lies within ``band`` of the node's best, the first in the order of the drawn
features, then (missing values right before left) of the thresholds. The best is found first, so that no order of search
can change the choice.

Main definitions: ``best_splits``, ``random_splits``; ``carried_out`` (splits that are chosen), ``first_drawn``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.impurities.search_declaration import Form
from splitcrit.search.level_search import LevelSearch
from splitcrit.search.open_nodes import LevelSplits, Limits, OpenLevel
from splitcrit.search.prepared_criterion import SideScores, usable_form
from splitcrit.search.random_thresholds import random_places
from splitcrit.search.records import NodeSplits
from splitcrit.search.sorted_columns import Columns, midpoint

__all__ = [
    "LevelSplits", "Limits", "OpenLevel", "best_splits", "carried_out", "first_drawn", "random_splits",
    "usable_form",
]  # fmt: skip

Array = NDArray[Any]


def best_splits(
    columns: Columns,
    level: OpenLevel,
    criterion: Criterion,
    limits: Limits,
    *,
    form: Form | SideScores | None = None,
    drawn: Array | None = None,
    side: Array | None = None,
) -> LevelSplits:
    """Return the best split of every node of a level.

    Parameters
    ----------
    columns : Columns
    level : Level
    criterion : Criterion
    limits : Limits
    form : Form or Sides, optional
        The criterion as data, where it is (``usable_form``); otherwise its formula scores every threshold.
    drawn : array (m, d), optional
        The rank of each feature in the node's drawn order, -1 where it is not drawn; by default 0, 1, ... for all.
    side : uint8 array (n,), optional
        Where to mark the samples that go left.
    """
    search = LevelSearch(columns, level, criterion, limits, form)
    return _chosen(search, search.best(_wanted(columns, drawn)), drawn, side)


def random_splits(
    columns: Columns,
    level: OpenLevel,
    criterion: Criterion,
    limits: Limits,
    keys: Array,
    *,
    drawn: Array | None = None,
    side: Array | None = None,
) -> LevelSplits:
    """Return the best of one random split a drawn feature for every node of a level; see ``best_splits``."""
    search = LevelSearch(columns, level, criterion, limits, None)
    places = random_places(keys, columns.value, level.starts, search.known)
    found = _chosen(search, search.best(_wanted(columns, drawn), places), drawn, side)
    return replace(found, threshold=places.cuts[np.arange(len(keys)), found.feature])


def _wanted(columns: Columns, drawn: Array | None) -> Array:
    return np.ones((1, len(columns.values)), dtype=bool) if drawn is None else drawn >= 0


def _chosen(search: LevelSearch, best: Array, drawn: Array | None, side: Array | None) -> LevelSplits:
    """Return the splits that the tie rule chooses, given the best score ``(d, m)`` of each feature."""
    top, columns, level = best.max(axis=0), search.columns, search.level
    floor = top - search.width
    feature = first_drawn((best >= floor) & np.isfinite(best), drawn)
    place, missing_left = search.first(feature, floor)
    cuts = NodeSplits(feature, place, missing_left, level.starts, search.known)
    return carried_out(columns, level, cuts, (top, search.width), side)


def first_drawn(reached: Array, drawn: Array | None) -> Array:
    """Return the feature of each node that is first in its order among those ``reached (d, m)``, -1 if none is.

    ``drawn (m, d)`` are the ranks in the order; 0, 1, ... by default.
    """
    d, m = reached.shape
    ranks = np.broadcast_to(np.arange(d)[:, None], (d, m)) if drawn is None else drawn.T
    return np.where(reached.any(axis=0), np.where(reached, ranks, d).argmin(axis=0), -1)


def carried_out(
    columns: Columns, level: OpenLevel, cuts: NodeSplits, scores: tuple[Array, Array], side: Array | None = None
) -> LevelSplits:
    """Return chosen splits with sides and thresholds, given best scores and widths of ties; mark who goes left."""
    from splitcrit.search.column_loops import count_left

    feature, place, missing_left, starts, known = cuts
    m = len(feature)
    kept = np.flatnonzero(feature >= 0)
    left, sizes = np.zeros((m, columns.classes)), np.zeros(m, np.int64)
    marks = np.zeros(len(columns.codes), np.uint8) if side is None else side
    count_left(columns.packed, columns.weights, cuts, marks, left, sizes)
    f, at = feature[kept], place[kept]
    low = columns.value(f, at)
    high = columns.value(f, np.minimum(at + 1, starts[1:][kept] - 1))
    last = at + 1 >= starts[:-1][kept] + known[f, kept]
    threshold = np.full(m, np.nan)
    threshold[kept] = midpoint(low, np.where(last, np.nan, high))
    whole = known[feature, np.arange(m)] == level.sizes
    goes = np.where(whole, sizes > level.sizes - sizes, missing_left)
    return LevelSplits(feature, threshold, goes, *scores, left, sizes, place)
