"""Criteria as data: tables from which a compiled scan scores every threshold in the same few operations.

A criterion that depends on counts through ``sum_k phi(n_k)``, the largest count, or ``sum_k |N l_k - m t_k|`` hands
over ``phi``, a table by size and constants of the node. A raw score becomes the score by ``(raw - base) * rate``.

Main definitions: ``Form``, ``form_of``; ``Sides``, ``sides_of``, ``taped``; ``usable_form``.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit import impurities
from splitcrit.arith import FLOAT, shares
from splitcrit.criteria import Criterion, one_vs_rest_pairwise_gain, pairwise_gain, twoing
from splitcrit.criteria.base import Decrease
from splitcrit.criteria.library import ImpreciseGain
from splitcrit.impurities.base import Scaled
from splitcrit.impurities.library import GCE, NE
from splitcrit.nulls import sgini
from splitcrit.search import plain
from splitcrit.search.bounds import Bounds, bounds_of
from splitcrit.search.chance import BOUND, TAIL, chance_constants, chance_form, standard
from splitcrit.search.columns import Columns
from splitcrit.search.levels import Limits
from splitcrit.search.tapes import Tape, WeightedImpurity, recorded

Array = NDArray[Any]
RATIO, DIFFERENCE, ROOT, CAPPED, POWER, CROSS, STANDARD, LEVEL = range(8)
NOTHING = np.zeros((1, 3))
LARGEST_POWER = 1e300
SMALL = 255  # samples of a node whose sides are looked up


@dataclass(frozen=True, eq=False)
class Form:
    """A criterion as data; ``unit`` turns raw differences into impurity times the size of the node."""

    kind: int
    phi: Array
    table: Array
    unit: float = 1.0
    power: float = 0.0

    @functools.cached_property
    def steps(self) -> Array:
        """What one more sample adds to the sum over classes."""
        return np.diff(self.phi)

    def node(self, counts: Array) -> tuple[Array, Array, Array, Array]:
        """Return sums over classes, base, rate and constants ``(m, 3)`` of nodes with class counts ``(m, K)``."""
        n, sums = counts.sum(axis=1), self.phi[counts].sum(axis=1)
        size, zero = n.astype(float), np.zeros(len(n))
        if self.kind == STANDARD:
            constants = standard(counts.T.astype(float), size)
            return sums, zero, np.ones(len(n)), constants
        if self.kind >= BOUND:
            constants = chance_constants(self.kind, counts.T.astype(float), size, self.power)
            return sums, zero, np.ones(len(n)) if self.kind == TAIL else 1 / size, constants
        if self.kind == LEVEL:
            whole = -ImpreciseGain(self.power).upper_entropy(list(counts.T.astype(float)), FLOAT)
            return sums, whole, np.ones(len(n)), NOTHING
        if self.kind == CROSS:
            rate = 1 / (4 * size * size) if self.power == 2 else np.full(len(n), 0.25)
            return sums, zero, rate, NOTHING
        if self.kind == RATIO:
            base = sums * self.table[n]
        elif self.kind == DIFFERENCE:
            base = sums - self.table[n]
        elif self.kind == POWER:
            base = sums**self.power
        else:
            base = -np.sqrt(np.maximum(self.table[n] - sums, 0))
            if self.kind == CAPPED:
                base = -np.minimum(n - counts.max(axis=1), -self.power * base)
        return sums, base, self.unit / size, NOTHING


@dataclass(frozen=True, eq=False)
class Sides:
    """What a side contributes to a decrease, its size times its impurity: looked up, bounded, or replayed.

    At two classes, ``table[a, b]`` holds it for small counts, and larger nodes have bounds where the impurity is a
    minimised risk. Beyond, the impurity's formula may have a tape.
    """

    table: Array
    bounds: Bounds | None = None
    tape: Tape | None = None

    @property
    def most(self) -> int:
        """The largest node that the table serves."""
        return len(self.table) - 1


def sides_of(criterion: Criterion, size: int, classes: int) -> Sides | None:
    """Return the table of small sides of a decrease at two classes, or None where a face must score all.

    The deeper a tree, the more of its nodes are small: their sides are scored once, by the face, and looked up.
    """
    if classes != 2 or not isinstance(criterion.score, Decrease):
        return None
    n = np.arange(min(size, SMALL) + 1, dtype=float)
    a, b = (x.ravel() for x in np.meshgrid(n, n, indexing="ij"))
    try:
        with np.errstate(all="ignore"):
            phi = criterion.score.impurity.of(shares((a, b), a + b, FLOAT), FLOAT)
    except Exception:
        return None  # the search will score it, and name it
    if np.shape(phi) != a.shape or np.isnan(phi).any():
        return None
    return Sides(((a + b) * phi).reshape(len(n), len(n)), bounds_of(criterion.score.impurity))


def taped(criterion: Criterion, classes: int, compiled: bool) -> Sides | None:
    """Return the formula of a decrease as a tape, where it has one that is compiled or saves steps."""
    if classes == 2 or not isinstance(criterion.score, Decrease):
        return None
    tape = recorded(WeightedImpurity(criterion.score.impurity.of), classes)
    saves = tape is not None and (tape.asked > 1.2 * len(tape.steps) or (compiled and tape.code is not None))
    return Sides(np.empty((0, 0)), None, tape) if saves else None


def usable_form(columns: Columns, criterion: Criterion, limits: Limits) -> Form | Sides | None:
    """Return the criterion as data if it has such a form and the columns' engine and weights allow its use."""
    size, classes = len(columns.codes), columns.classes
    if columns.engine is plain or len(columns.weights) or limits.lightest > 0:
        return taped(criterion, classes, columns.engine is not plain)
    return form_of(criterion, size, classes) or sides_of(criterion, size, classes) or taped(criterion, classes, True)


def form_of(criterion: Criterion, size: int, classes: int) -> Form | None:
    """Return the criterion as data for nodes of up to ``size`` samples, or None if only its face will do."""
    n = np.arange(size + 2, dtype=float)
    inverse = 1 / np.maximum(n, 1)
    if criterion == sgini:
        return Form(STANDARD, n * n, inverse)
    if (chance := chance_form(criterion)) is not None:
        return Form(chance[0], n * n, inverse, power=chance[1])
    if criterion == twoing:
        return Form(RATIO, n * n, inverse, 0.5) if classes == 2 else Form(CROSS, n * n, inverse, power=2.0)
    if criterion in (pairwise_gain, one_vs_rest_pairwise_gain):
        return Form(CROSS, n * n, inverse, power=1.0)
    if isinstance(criterion.score, ImpreciseGain) and criterion.score.s <= 1:
        poured = float(criterion.score.s)
        table = np.concatenate([FLOAT.xlogx(n), FLOAT.log(n + poured), FLOAT.xlogx(n + poured)])
        return Form(LEVEL, FLOAT.xlogx(n), table, power=poured)
    if not isinstance(criterion.score, Decrease):
        return None
    return _impurity_form(criterion.score.impurity.of, n, inverse, classes)


def _impurity_form(of: Any, n: Array, inverse: Array, classes: int) -> Form | None:
    """Return the decrease of an impurity as data.

    Gini ``S_L/n_L + S_R/n_R`` with ``S = sum n_k^2``; entropy ``sum n_k log n_k - n log n``; the square root of Gini
    ``-sqrt(n^2 - S)``; misclassification and NE ``-min(n - max n_k, lam c sqrt(n^2 - S))``; GCE ``S^(1/r)`` with
    ``S = sum n_k^r``.
    """
    if isinstance(of, Scaled):
        inner = _impurity_form(of.of, n, inverse, classes)
        return None if inner is None else replace(inner, unit=inner.unit * float(of.factor))
    if of is impurities.gini.of:
        return Form(RATIO, n * n, inverse)
    if of is impurities.entropy.of:
        table = FLOAT.xlogx(n)
        return Form(DIFFERENCE, table, table)
    scale = float(np.sqrt((classes - 1) / classes))
    if of is impurities.sqrt_gini.of:
        return Form(ROOT, n * n, n * n, scale)
    if of is impurities.misclassification.of:
        return Form(CAPPED, n * n, n * n, power=float(len(n)))
    if isinstance(of, NE):
        return Form(CAPPED, n * n, n * n, power=float(of.lam) * scale)
    if isinstance(of, GCE) and n[-1] ** (1 / (1 - float(of.q))) * classes < LARGEST_POWER:
        return Form(POWER, n ** (1 / (1 - float(of.q))), inverse, 1 / float(of.q), 1 - float(of.q))
    return None
