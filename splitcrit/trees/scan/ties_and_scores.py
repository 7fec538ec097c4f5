"""Scores of many splits by the criterion's own formula, and how close two scores must be to count as equal.

Main definitions: ``formula_scores``, ``own_impurity``, ``band``; ``guard`` and ``at_least`` (guarded ratios).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import FLOAT, Arithmetic, shares, total
from splitcrit.criteria import Criterion
from splitcrit.losses.evaluation import answer, check_batches

TIE = 1e-11  # scores closer than this, times the scale of the node, are ties


def own_impurity(criterion: Criterion, totals: Array) -> Array:
    """The impurity ``(m,)`` of nodes with class weights ``(m, K)``, for a criterion that has one."""
    assert criterion.impurity is not None
    node = np.ascontiguousarray(totals.T, dtype=float)
    return np.asarray(criterion.impurity.of_floats(shares(node, total(node), FLOAT)), dtype=float)


def band(criterion: Criterion, totals: Array, impurity: Array | None = None) -> Array:
    """The width of a tie for nodes with class weights ``(m, K)``, in units of the score.

    It is 1e-11 times the size of the impurity of the node for a decrease, and of the scale of the criterion elsewhere.
    """
    if criterion.impurity is not None:
        return np.asarray(TIE * np.abs(own_impurity(criterion, totals) if impurity is None else impurity))
    if criterion.scale is None:
        return np.full(len(totals), TIE)
    return np.asarray(TIE * criterion.scale(np.ascontiguousarray(totals.T, dtype=float), FLOAT))


def guard(criterion: Criterion) -> Criterion | None:
    """The undivided criterion of a guarded ratio, None for any other criterion."""
    return criterion.search.divided if criterion.search.guarded else None


def at_least(average: Any) -> Any:
    """The least undivided score of a candidate: the average, less what rounding may have added."""
    return average - 1e-12 * (1 + np.abs(average))


def formula_scores(criterion: Criterion, left: Array, right: Array, whole: Array | None = None) -> Array:
    """The scores of splits ``(left, right)``, class weights ``(K, m)`` of two non-empty sides.

    ``whole`` may hold the impurity of each split's node, which a decrease needs and a search knows.

    Raises
    ------
    ValueError
        If the formula fails, or gives of a batch what it does not give of its splits one by one.
    """
    of = None if whole is None or criterion.impurity is None else criterion.impurity.of
    formula = criterion.score if of is None else partial(_decrease, of, whole)
    scores = answer(criterion.name, formula, (left, right), FLOAT, left.shape[1:])
    check_batches(criterion, criterion.score, (2, len(left)))
    return np.asarray(scores, dtype=float)


def _decrease(of: Any, whole: Any, sides: tuple[Array, Array], m: Arithmetic) -> Array:
    (n_left, kept_left), (n_right, kept_right) = (_kept(of, side) for side in sides)
    n = n_left + n_right
    return np.asarray((n * whole - (kept_left + kept_right)) / n)


def _kept(of: Any, side: Array) -> tuple[Array, Array]:
    """The weight of each side, and the impurity that it keeps; where none is empty no class need be guarded."""
    n = total(side)
    return n, n * of(side / n if n.all() else shares(side, n, FLOAT), FLOAT)
