"""Which thresholds of a node at two classes deserve to be scored: bounds from a table of the impurity.

The minimised risk of a loss is concave in the class proportions (yang2019, eq. (1)), so that chords between tabulated
values lie below it: ``n_L chord(p_L) + n_R chord(p_R)`` bounds the decrease from above, whatever the formula. Only
thresholds whose bound reaches the best score are scored, by the formula itself.

Beyond two classes there is no table, but ``n phi`` grows with every count, by ``(n + 1) phi >= n phi + phi(vertex)``
(concavity and homogeneity), where the vertices have impurity 0 or more. Between two thresholds that are scored the left
side is at least the left side of the first, the right side at least the right side of the second.

Main definitions: ``Bounds``, ``bounds_of``; ``Stretches``, ``marked``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arith import FLOAT
from splitcrit.impurities import Impurity

Array = NDArray[Any]
CELLS = 1 << 12
ROUNDING = 1e-10
MIDDLE, LARGE = 256, 2048  # samples of nodes of which some thresholds are scored first


@dataclass(frozen=True, eq=False)
class Bounds:
    """Values of an impurity at ``b / CELLS``, and how far a sample's value may be off, so that bounds allow for it."""

    table: Array
    error: float


def bounds_of(impurity: Impurity) -> Bounds | None:
    """Return the bounds of an impurity that is a minimised risk, None where it is not or its values are not concave."""
    if impurity.loss is None:
        return None
    p = np.arange(CELLS + 1) / CELLS
    with np.errstate(all="ignore"):
        phi = np.asarray(impurity.of([1 - p, p], FLOAT), dtype=float)
    if phi.shape != p.shape or not np.isfinite(phi).all():
        return None
    error = max(impurity.search.error, ROUNDING) * float(np.abs(phi).max())
    return Bounds(phi, error) if (np.diff(phi, 2) <= 4 * error).all() else None


@dataclass(frozen=True, eq=False)
class Stretches:
    """Consecutive places between thresholds that are scored: how many, of which node, and a bound of their scores.

    The bound is of ``-n_L phi_L - n_R phi_R``; ``grow`` tells whether the scored sides grew with their counts.
    """

    lengths: Array
    node: Array
    bound: Array
    grow: bool

    @staticmethod
    def between(starts: Array, node: Array, place: Array, on_left: Array, on_right: Array) -> Stretches:
        """Return the stretches of one column, given its scored thresholds and what both sides contribute."""
        ends = starts[1:] - 1
        edge, owner = np.concatenate([place, ends]), np.concatenate([node, np.arange(len(ends))])
        order = np.argsort(edge, kind="stable")
        left, right = (np.concatenate([side, np.zeros(len(ends))])[order] for side in (on_left, on_right))
        before = np.concatenate([[0.0], left[:-1]])
        inside, slack = node[1:] == node[:-1], 1 - ROUNDING
        grow = (on_left[1:] >= slack * on_left[:-1]) & (on_right[:-1] >= slack * on_right[1:])
        return Stretches(np.diff(edge[order], prepend=-1), owner[order], -(before + right), bool(grow[inside].all()))

    def alive(self, floor: Array) -> Array:
        """Return for every place whether its bound reaches the floor of its node."""
        return np.repeat(self.bound >= floor[self.node], self.lengths)


def marked(starts: Array) -> Array:
    """Return for every place whether it is among those scored first: every 8th of a large node, every 4th of others."""
    sizes = np.diff(starts)
    stride = np.repeat(np.where(sizes >= LARGE, 8, np.where(sizes >= MIDDLE, 4, 0)), sizes)
    place = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
    return np.asarray((stride > 0) & ((place & (stride - 1)) == stride - 1))
