"""Which feature a node is split by, where features are compared by the p-value of their best threshold.

By ``max_selected`` the score of a node is then ``-log p`` in nats, ``p`` the p-value of the best threshold of the
feature chosen. ``calibrated`` compares features by the laws of their best splits, and leaves the score as it is; the
compiled loop does so for classes.

Main definitions: ``chosen_features`` (nodes of a level), ``surprising`` (is a node split?); ``comparison_of``;
``calibrated_features`` (of responses).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import reporting_compilation
from splitcrit.nulls.calibration import Calibrated, MaxSelected
from splitcrit.nulls.hypergeometric import remainders
from splitcrit.trees.growth.growth_options import GrowthOptions, Stopping
from splitcrit.trees.growth.records import CellSpace, ColumnComparison
from splitcrit.trees.scan.response_search import OrderedResponses

TIE = 1e-11  # p-values whose logarithms are closer than this, relative to 1 + |log p|, are equal


def comparison_of(
    selection: Calibrated, growing: GrowthOptions, shape: tuple[int, int], objects: int
) -> ColumnComparison:
    """Return how columns are compared in a training set of this ``shape (d, n)``, with so many objects."""
    (d, n), log_factorials = shape, np.log(np.maximum(np.arange(objects + 1.0), 1)).cumsum()
    recoding, least, lightest = growing.recoding, growing.stopping.min_samples_leaf, growing.stopping.min_weight_leaf
    levels, codes = np.zeros(d, np.int64), np.empty((0, 0), np.int64)
    if recoding is not None:
        levels, codes = recoding.levels.astype(np.int64), recoding.codes
    how = int(least), float(lightest), selection.draws or 0, selection.seed, selection.weights == "rows"
    space = np.ones(d, dtype=bool), CellSpace.of(n, levels)
    return ColumnComparison(*how, levels, codes, np.empty(d, np.uint64), log_factorials, remainders(objects), *space)


def calibrated_features(front: OrderedResponses, comparison: ColumnComparison, drawn: Array | None) -> Array:
    """Return for each node the feature whose best split is the least to be expected, as ranks ``(m, d)``."""
    from splitcrit.trees.growth.column_choice_compiled import LevelRows, chosen_columns

    s, m, d = front.nodes.samples, len(front.starts) - 1, len(front.orders)
    which, weights = s.rows.astype(np.int64), np.asarray(s.weights, float)
    rows = LevelRows(front.orders, front.values, front.starts, front.bases, which, s.responses, weights)
    wanted = np.ones((m, d), dtype=bool) if drawn is None else np.ascontiguousarray(drawn >= 0)
    found, ranks = np.empty(m, np.int64), np.full((m, d), -1)
    with reporting_compilation():
        chosen_columns(rows, wanted, comparison, found)
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
