"""Which feature a node is split by, where features are compared by the p-value of their best threshold.

By ``max_selected`` the score of a node is then ``-log p`` in nats, ``p`` the p-value of the best threshold of the
feature chosen. ``calibrated`` compares features by the laws of their best splits, and leaves the score as it is.

Main definitions: ``chosen_features`` (nodes of a level), ``surprising`` (is a node split?);
``calibrated_features``, ``class_rows``, ``response_rows``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import reporting_compilation
from splitcrit.nulls.calibration import Calibrated, MaxSelected
from splitcrit.nulls.hypergeometric import remainders
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.growth_options import Selection, Stopping
from splitcrit.trees.scan.open_nodes import Limits
from splitcrit.trees.scan.response_search import OrderedResponses
from splitcrit.trees.scan.sorted_columns import Columns

TIE = 1e-11  # p-values whose logarithms are closer than this, relative to 1 + |log p|, are equal


def class_rows(columns: Columns, recoding: Recoding | None, hashes: Array) -> Any:
    """Return the rows of a node as the comparison of columns takes them (``LevelRows``).

    ``hashes`` are those of the columns at the root (``root_hashes``), empty there.
    """
    none, starts = np.empty(0, np.int64), np.array([0, len(columns.codes)])
    return _level_rows(
        recoding, columns.orders, columns.weights, values=columns.values, bits=columns.bits, starts=starts,
        bases=none, rows=none, responses=np.empty(0), hashes=hashes, classes=columns.classes,
    )  # fmt: skip


def response_rows(front: OrderedResponses, recoding: Recoding | None, hashes: Array) -> Any:
    """Return the rows of a level of responses that are numbers."""
    s = front.nodes.samples
    return _level_rows(
        recoding, front.orders, s.weights, values=front.values, bits=1, starts=front.starts, bases=front.bases,
        rows=s.rows.astype(np.int64), responses=s.responses, hashes=hashes, classes=1,
    )  # fmt: skip


def _level_rows(recoding: Recoding | None, orders: Array, weights: Array, **given: Any) -> Any:
    """Return rows with the places of categorical columns among their codes."""
    from splitcrit.trees.growth.column_choice_compiled import LevelRows

    column, levels = np.full(len(orders), -1), np.zeros(len(orders), np.int64)
    if recoding is not None:
        column[recoding.columns], levels = recoding.columns, recoding.levels.astype(np.int64)
    codes = np.empty((0, 0), np.int64) if recoding is None else recoding.codes
    weights = np.asarray(weights, float)
    return LevelRows(orders=orders, weights=weights, codes=codes, column=column, levels=levels, **given)


NO_HASHES = np.empty(0, np.uint64)


def root_hashes(selection: Selection | None, rows: Callable[[Array], Any]) -> Array:
    """Return the hashes that decide among equally surprising columns, given the rows of the root; else nothing."""
    if not isinstance(selection, Calibrated):
        return NO_HASHES
    from splitcrit.trees.growth.column_choice_compiled import column_hashes

    root = rows(NO_HASHES)
    found = np.empty(len(root.orders), np.uint64)
    with reporting_compilation():
        column_hashes(root, selection.seed, found)
    return found


def calibrated_features(selection: Calibrated, rows: Any, limits: Limits, drawn: Array | None) -> Array:
    """Return for each node the feature whose best split is the least to be expected, as ranks ``(m, d)``."""
    from splitcrit.trees.growth.column_choice_compiled import Comparing, chosen_columns

    (d, size), m = rows.orders.shape, len(rows.starts) - 1
    wanted = np.ones((m, d), dtype=bool) if drawn is None else np.ascontiguousarray(drawn >= 0)
    n, found, ranks = int(rows.weights.sum()) if len(rows.weights) else size, np.empty(m, np.int64), np.full((m, d), -1)
    pairs = selection.weights == "rows"
    how = Comparing(int(limits.least), float(limits.lightest), selection.draws or 0, selection.seed, pairs)
    log_factorials = np.log(np.maximum(np.arange(n + 1.0), 1)).cumsum()
    with reporting_compilation():
        chosen_columns(rows, wanted, how, log_factorials, remainders(n), found)
    ranks[found >= 0, found[found >= 0]] = 0
    return ranks


def chosen_features(
    score: MaxSelected, table: Callable[[int, int], Array], shape: tuple[int, int], least: int, drawn: Array | None
) -> Array:
    """Return for each node the feature whose best threshold is the least to be expected, as ranks ``shape = (m, d)``.

    ``table(node, feature)`` holds the class weights of each value. The feature chosen has rank 0, the others -1; a node
    without a threshold has none. Of features that tie the first in the order of the draw is chosen.
    """
    ranks = np.broadcast_to(np.arange(shape[1]), shape) if drawn is None else drawn
    found = np.full(shape, -1)
    for node in range(shape[0]):
        order = sorted(np.flatnonzero(ranks[node] >= 0).tolist(), key=lambda f: int(ranks[node, f]))
        best = first_best([score.tested(table(node, f), least) for f in order])
        if best is not None:
            found[node, order[best]] = 0
    return found


def first_best(tests: list[Any]) -> int | None:
    """Return the place of the first of the tests whose p-value is the least, None if no feature has a threshold."""
    surprises = [test.surprise if test.cut else -np.inf for test in tests]
    top = max(surprises, default=-np.inf)
    if top == -np.inf:
        return None
    return next(i for i, surprise in enumerate(surprises) if surprise >= top - TIE * (1 + top))


def surprising(stopping: Stopping, test: Callable[[int], Any], feature: Array) -> Array:
    """Tell which nodes are split by the feature chosen for each, -1 for none.

    ``test(node)`` is the test of the feature's best threshold. Its p-value must be at most ``exp(-min_gain)`` and
    below 1, unless ``min_gain`` is None; logarithms within a tie of the bound are equal to it.
    """
    found = np.asarray(feature >= 0)
    if stopping.min_gain is None:
        return found
    for node in np.flatnonzero(found).tolist():
        surprise = test(node).surprise
        found[node] = surprise >= stopping.min_gain - TIE * (1 + stopping.min_gain) and surprise > TIE
    return found


def value_counts(columns: Columns, feature: int) -> Array:
    """Return the class weights ``(r, k)`` of each value of a feature, in order."""
    index = columns.index(feature, np.arange(len(columns.codes)))
    values, weights = columns.values[feature, index], columns.weights[index] if len(columns.weights) else None
    row = np.concatenate([[0], np.cumsum(values[1:] > values[:-1])])
    cell = row * columns.classes + columns.codes[index]
    return np.asarray(np.bincount(cell, weights, (int(row[-1]) + 1) * columns.classes)).reshape(-1, columns.classes)
