"""Scores of many splits by the criterion's own formula, and how close two scores must be to count as equal.

Main definitions: ``formula_scores``, ``own_impurity``, ``band``; ``guard`` and ``at_least`` (guarded ratios).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import FLOAT, shares, total
from splitcrit.criteria import Criterion
from splitcrit.frozen import complaint
from splitcrit.losses.evaluation import REMEDY, answer
from splitcrit.search.tapes import Tape

TIE = 1e-11  # scores closer than this, times the scale of the node, are ties


def own_impurity(criterion: Criterion, totals: Array) -> Array:
    """Return the impurity ``(m,)`` of nodes with class weights ``(m, K)``, for a criterion that has one."""
    assert criterion.impurity is not None
    node = np.ascontiguousarray(totals.T, dtype=float)
    p, impurity = shares(node, total(node), FLOAT), criterion.impurity
    return np.asarray(answer(impurity.name, impurity.of, p, FLOAT, node.shape[1:]), dtype=float)


def band(criterion: Criterion, totals: Array, impurity: Array | None = None) -> Array:
    """Return the width of a tie for nodes with class weights ``(m, K)``, in units of the score.

    It is 1e-11 times the size of the impurity of the node for a decrease, and of the scale of the criterion elsewhere.
    """
    if criterion.impurity is not None:
        return np.asarray(TIE * np.abs(own_impurity(criterion, totals) if impurity is None else impurity))
    if criterion.scale is None:
        return np.full(len(totals), TIE)
    return np.asarray(TIE * criterion.scale(np.ascontiguousarray(totals.T, dtype=float), FLOAT))


def guard(criterion: Criterion) -> Criterion | None:
    """Return the undivided criterion of a guarded ratio, None for any other criterion."""
    return criterion.search.divided if criterion.search.guarded else None


def at_least(average: Any) -> Any:
    """Return the least undivided score of a candidate: the average, less what rounding may have added."""
    return average - 1e-12 * (1 + np.abs(average))


def formula_scores(criterion: Criterion, left: Array, right: Array, whole: Array | None = None) -> Array:
    """Return the scores of splits ``(left, right)``, class weights ``(K, m)`` of two non-empty sides.

    ``whole`` may hold the impurity of each split's node, which a decrease needs and a search knows.

    Raises
    ------
    ValueError
        If the criterion raises, returns another shape, or a score that is not a number; it is named.
    """
    try:
        with np.errstate(all="ignore"):
            if criterion.impurity is not None and whole is not None:
                scores = _decrease(criterion.impurity.of, left, right, whole)
            else:
                scores = criterion.score((left, right), FLOAT)
    except Exception as error:
        rule = f"the criterion {criterion!r} must score a batch of splits"
        raise ValueError(complaint(rule, f"{type(error).__name__}: {error}", "try it on one table first")) from error
    if np.shape(scores) != left.shape[1:]:
        rule = f"the criterion {criterion!r} returns one score for each split"
        raise ValueError(complaint(rule, f"shape {np.shape(scores)} for {left.shape[1:]}", REMEDY))
    scores = np.asarray(scores, dtype=float)
    if np.isnan(scores).any():
        at = int(np.flatnonzero(np.isnan(scores))[0])
        table = [left[:, at].tolist(), right[:, at].tolist()]
        raise ValueError(complaint(f"the criterion {criterion!r} must score every split", f"nan for {table}", REMEDY))
    return scores


def _decrease(of: Any, left: Array, right: Array, whole: Array) -> Array:
    n_left, kept_left = _kept(of, left)
    n_right, kept_right = _kept(of, right)
    n = n_left + n_right
    return np.asarray((n * whole - (kept_left + kept_right)) / n)


def _kept(of: Any, side: Array) -> tuple[Array, Array]:
    """Return the weight of each side, and the impurity that it keeps; where none is empty no class need be guarded."""
    n = total(side)
    return n, n * of(side / n if n.all() else shares(side, n, FLOAT), FLOAT)


def replayed(tape: Tape, left: Array, right: Array, whole: Array) -> Array:
    """Return the decreases that ``formula_scores`` returns, by the tape of the weighted impurity."""
    sizes, kept, _ = tape.both(left, right)
    m = left.shape[1]
    n = sizes[:m] + sizes[m:]
    return np.asarray((n * whole - (kept[:m] + kept[m:])) / n)
