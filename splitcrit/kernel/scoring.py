"""From a criterion to numbers for every threshold: sums over classes as data, or the criterion's own face in batch.

A criterion that depends on counts through ``sum_k phi(n_k)`` and the size of each side hands over two tables; the
compiled scan then costs the same for any number of classes. Any other criterion is scored by its face. Raw scores are
in counts (the size of the node times the score, up to a constant of the node) where that saves work.

Main definitions: ``Form``, ``form_of``, ``raw_scores``, ``band``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit import impurities
from splitcrit.arith import FLOAT, shares, total
from splitcrit.criteria import Criterion, twoing
from splitcrit.criteria.base import Decrease
from splitcrit.values import complaint

Array = NDArray[Any]
TIE = 1e-11  # scores closer than this, times the scale of the node, are ties
RATIO, DIFFERENCE, ROOT = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Form:
    """A criterion as data: ``phi(0), phi(1), ...`` by its steps, a table by size, how they combine, and the unit."""

    kind: int
    phi: Array
    table: Array
    unit: float  # N times the score, up to a constant of the node, is the raw score times this

    @property
    def steps(self) -> Array:
        return np.diff(self.phi)


def form_of(criterion: Criterion, size: int, classes: int) -> Form | None:
    """Return the criterion as data for nodes of up to ``size`` samples, or None if only its face will do.

    Gini: ``S_L / n_L + S_R / n_R`` with ``S = sum_k n_k^2``; twoing of two classes is half of it. Entropy:
    ``sum_k n_k log n_k - n log n`` on both sides. Square root of Gini: ``-sqrt(n^2 - S)`` on both sides.
    """
    n = np.arange(size + 2, dtype=float)
    kind: str | None = None
    if isinstance(criterion.score, Decrease):
        kind = _IMPURITIES.get(criterion.score.impurity.of)
    elif criterion == twoing and classes == 2:
        kind = "twoing"
    if kind in ("gini", "twoing"):
        return Form(RATIO, n * n, 1 / np.maximum(n, 1), 1.0 if kind == "gini" else 0.5)
    if kind == "entropy":
        table = FLOAT.xlogx(n)
        return Form(DIFFERENCE, table, table, 1.0)
    if kind == "sqrt_gini":
        return Form(ROOT, n * n, n * n, float(np.sqrt((classes - 1) / classes)))
    return None


_IMPURITIES: dict[Callable[..., Any], str] = {
    impurities.gini.of: "gini",
    impurities.entropy.of: "entropy",
    impurities.sqrt_gini.of: "sqrt_gini",
}


def raw_scores(criterion: Criterion, left: Array, right: Array) -> Array:
    """Return raw scores of the splits ``(left, right)``, class weights ``(K, m)`` of two non-empty sides.

    Raises
    ------
    ValueError
        If the criterion raises, returns another shape, or a score that is not a number; it is named.
    """
    try:
        if isinstance(criterion.score, Decrease):
            of, sizes = criterion.score.impurity.of, (total(left), total(right))
            kept = [n * of(shares(side, n, FLOAT), FLOAT) for side, n in zip((left, right), sizes, strict=True)]
            scores = -(kept[0] + kept[1])
        else:
            scores = criterion.score((left, right), FLOAT)
    except Exception as error:
        rule = f"the criterion {criterion!r} must score a batch of splits"
        raise ValueError(complaint(rule, f"{type(error).__name__}: {error}", "try it on one table first")) from error
    if np.shape(scores) != left.shape[1:]:
        rule = f"the criterion {criterion!r} returns one score for each split"
        raise ValueError(complaint(rule, f"shape {np.shape(scores)} for {left.shape[1:]}", "use + - * / and m only"))
    if np.isnan(scores).any():
        at = int(np.flatnonzero(np.isnan(scores))[0])
        table = [left[:, at].tolist(), right[:, at].tolist()]
        raise ValueError(complaint(f"the criterion {criterion!r} must score every split", f"nan for {table}", "mend it"))
    return np.asarray(scores, dtype=float)


def final_scores(criterion: Criterion, left: Array, right: Array) -> Array:
    """Return the criterion's own scores of splits, class weights ``(m, K)`` of both sides."""
    if not len(left):
        return np.empty(0)
    return np.asarray(criterion.score((np.ascontiguousarray(left.T), np.ascontiguousarray(right.T)), FLOAT), dtype=float)


def band(criterion: Criterion, totals: Array) -> Array:
    """Return the width of a tie, in units of the score, for nodes with class weights ``(m, K)``.

    It is 1e-11 times the node's own impurity for a decrease, and times the scale of the criterion elsewhere.
    """
    node = np.ascontiguousarray(totals.T)
    if criterion.impurity is not None:
        return np.asarray(TIE * criterion.impurity.of(shares(node, total(node), FLOAT), FLOAT))
    scale = criterion.scale
    return np.full(len(totals), TIE) if scale is None else np.asarray(TIE * scale(node, FLOAT))


def raw_band(criterion: Criterion, form: Form | None, totals: Array, widths: Array) -> Array:
    """Return the width of a tie in units of the raw score."""
    if form is not None:
        return np.asarray(widths * totals.sum(axis=1) / form.unit)
    return np.asarray(widths * totals.sum(axis=1)) if isinstance(criterion.score, Decrease) else widths
