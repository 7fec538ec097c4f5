"""Which feature a node is split by, where features are compared by the p-value of their best threshold.

The score of a node is then ``-log p`` in nats, ``p`` the p-value of the best threshold of the feature chosen.

Main definitions: ``chosen_features`` (nodes of a level), ``tested_feature`` (one node), ``surprising`` (is a node
split?); ``refuse_untested``.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.frozen import complaint
from splitcrit.growth.stopping import Stopping
from splitcrit.nulls.max_selected_criterion import MaxSelected
from splitcrit.search.open_nodes import OpenLevel
from splitcrit.search.sorted_columns import Columns

Array = NDArray[Any]
TIE = 1e-11  # p-values whose logarithms are closer than this, relative to 1 + |log p|, are equal


def refuse_untested(criterion: Criterion, unserved: dict[str, bool]) -> None:
    """Raise ValueError if features are compared by p-values, and there is what has none: ``unserved`` names it."""
    got = next((name for name, there in unserved.items() if there), None)
    if criterion.search.tested is not None and got is not None:
        rule, remedy = f"{criterion!r} tests all thresholds of known numbers", "pass criterion='sgini'"
        raise ValueError(complaint(rule, got, remedy))


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

    ``test(node)`` is the test of the feature's best threshold. Its p-value must be at most ``max_pvalue`` and at most
    ``exp(-min_gain)``, and below 1 unless ``min_gain`` is None; logarithms within a tie of the bound are equal to it.
    """
    found = np.asarray(feature >= 0)
    if stopping.min_gain is None and stopping.max_pvalue is None:
        return found
    level = 1.0 if stopping.max_pvalue is None else stopping.max_pvalue
    least = max(-log(level) if level > 0 else inf, stopping.min_gain or 0.0)
    for node in np.flatnonzero(found).tolist():
        surprise = test(node).surprise
        found[node] = surprise >= least - TIE * (1 + least) and (surprise > TIE or stopping.min_gain is None)
    return found


def tested_feature(score: MaxSelected, x: Array, hot: Array, order: Any, stopping: Stopping) -> tuple[int, bool]:
    """Return the feature chosen in one node, -1 if none has a threshold, and whether the node is split by it.

    ``x (n, d)`` and ``hot (n, k)`` are the values and class weights of the node, ``order`` is that of the features.
    """
    counts = [np.array([hot[x[:, f] == v].sum(axis=0) for v in np.unique(x[:, f])]) for f in order]
    best = first_best([score.tested(table, stopping.min_samples_leaf) for table in counts])
    if best is None:
        return -1, False
    test = score.tested(counts[best], stopping.min_samples_leaf, mid=False)
    return int(order[best]), bool(surprising(stopping, lambda _: test, np.array([order[best]]))[0])


def node_counts(columns: Columns, level: OpenLevel, node: int, feature: int) -> Array:
    """Return the class weights ``(r, k)`` of a node for each value of a feature, in its order."""
    index = columns.index(np.array(feature), np.arange(level.starts[node], level.starts[node + 1]))
    values, weights = columns.values[feature, index], columns.weights[index] if len(columns.weights) else None
    row = np.concatenate([[0], np.cumsum(values[1:] > values[:-1])])
    cell = row * columns.classes + columns.codes[index]
    return np.asarray(np.bincount(cell, weights, (int(row[-1]) + 1) * columns.classes)).reshape(-1, columns.classes)
