"""Every vertex of a node, scored by any criterion: the oracle for small numbers of classes.

Main definitions: ``vertex_scores``, ``best_by_enumeration``, ``MOST_CLASSES``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import FLOAT, Irrational
from splitcrit.criteria import Criterion
from splitcrit.frozen import complaint
from splitcrit.vertices.balance import BalancedSubsets
from splitcrit.vertices.node import NodeShares

MOST_CLASSES = 20
BLOCK = 2**14
TIE = 1e-11  # scores closer than this, times the scale of the node, are ties, as in a search
DECIDED = 4096  # near-ties at most that are compared again in exact rationals


def memberships(node: NodeShares, places: Array) -> Array:
    """Return the classes ``(..., J)`` that the subsets at some places hold."""
    found = np.zeros((len(places), len(node.entries)), dtype=bool)
    found[:, node.present] = (2 * places[:, None] + 1) >> np.arange(len(node.present)) & 1
    return found


def vertex_scores(node: NodeShares, criterion: Criterion) -> Array:
    """Return the scores of all ``2^(J - 1) - 1`` splits that divide no class, for J classes present.

    Raises
    ------
    ValueError
        If more than 20 classes are present, or the criterion is not defined for such tables.
    """
    n = len(node.present)
    if n > MOST_CLASSES:
        rule = f"the splits of a node are enumerated up to {MOST_CLASSES} classes"
        raise ValueError(complaint(rule, n, "merge rare classes, or leave brute force"))
    integral = all(isinstance(x, int) for x in node.entries) and sum(node.entries) < 2**62
    entries = np.array([int(x) if integral else float(x) for x in node.entries])
    return np.concatenate([
        _block(criterion, entries, memberships(node, np.arange(start, min(start + BLOCK, 2 ** (n - 1) - 1))))
        for start in range(0, 2 ** (n - 1) - 1, BLOCK)
    ])  # fmt: skip


def _block(criterion: Criterion, entries: Array, left: Array) -> Array:
    return np.asarray(criterion(np.stack([entries * left, entries * ~left], axis=1)), dtype=float)


def tie_width(node: NodeShares, criterion: Criterion) -> float:
    """Return the width of ties of scores in floating point."""
    scale = criterion.scale
    if scale is not None:
        return TIE * float(scale(np.array(node.entries, dtype=float), FLOAT))
    return TIE * (1.0 if criterion.impurity is None else float(criterion.impurity([float(x) for x in node.entries])))


def best_by_enumeration(node: NodeShares, criterion: Criterion, most: int) -> BalancedSubsets:
    """Return the best of all vertices, with up to ``most`` ties.

    Ties are decided in exact rationals where entries are exact, the score is rational and the near-ties are few.
    """
    scores = vertex_scores(node, criterion)
    places = np.flatnonzero(scores >= scores.max() - tie_width(node, criterion))
    subsets = (2 * places + 1).tolist()  # bit 0, the most frequent class, is in every subset
    if not node.slack and 1 < len(subsets) <= DECIDED:
        subsets = _decided(node, criterion, subsets)
    return BalancedSubsets(tuple(subsets[:most]), len(subsets) <= most, True, 0)


def _decided(node: NodeShares, criterion: Criterion, subsets: list[int]) -> list[int]:
    try:
        values = [criterion.exact(node.table(subset)) for subset in subsets]
    except Irrational:
        return subsets
    top = max(values)
    return [subset for subset, value in zip(subsets, values, strict=True) if value == top]
