"""A whole tree in one call of the compiled loops, where the criterion is data.

Main definitions: ``grown_whole``; ``told``, ``rules_of`` and ``written``, what goes into the loops and comes out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion, twoing
from splitcrit.kernel.arrays import Grown
from splitcrit.kernel.columns import Columns
from splitcrit.kernel.draws import root_key
from splitcrit.kernel.forms import LEVEL, Form, Sides
from splitcrit.kernel.scoring import face_scores
from splitcrit.kernel.search import Limits, usable_form
from splitcrit.kernel.stopping import Stopping

Array = NDArray[Any]
NOTHING, NO_SIDES = np.zeros(1), np.zeros((1, 1))


def grown_whole(
    columns: Columns, criterion: Criterion, stopping: Stopping, max_features: int | None, seed: int
) -> Grown | None:
    """Return the tree of a training set, or None where only a search level by level will do.

    The compiled loop takes criteria that are data (``usable_form``), and no missing values.
    """
    form = usable_form(columns, criterion, Limits(stopping.min_samples_leaf, stopping.min_weight_leaf))
    as_told = told(form, criterion, len(columns.codes))
    if as_told is None or columns.missing.any():
        return None
    from splitcrit.kernel.growing_compiled import grow_sorted

    totals = np.bincount(columns.codes, minlength=columns.classes).astype(float)
    data = columns.orders.copy(), columns.values, columns.bits, totals
    return written(criterion, *grow_sorted(*data, as_told, rules_of(stopping), root_key(seed)[()], max_features or 0))


def told(form: Form | Sides | None, criterion: Criterion, size: int) -> tuple[Any, ...] | None:
    """Return a form as the compiled loops take it, None if there is none for nodes of this size."""
    if isinstance(form, Form) and form.kind <= LEVEL:
        tie = 2.0 if criterion == twoing else 1.0
        return form.kind, form.power, form.unit, tie, form.phi, form.steps, form.table, NO_SIDES
    if not isinstance(form, Sides) or form.most < size:
        return None
    from splitcrit.kernel.nodes_compiled import LOOKED_UP

    return LOOKED_UP, 0.0, 1.0, 1.0, NOTHING, NOTHING, NOTHING, form.table


def rules_of(stopping: Stopping) -> tuple[int, int, int, float, float]:
    """Return stopping rules as the compiled loops take them: see ``nodes_compiled``."""
    depth = np.iinfo(np.int64).max if stopping.max_depth is None else stopping.max_depth
    least = max(stopping.min_samples_split, 2 * stopping.min_samples_leaf)
    gain = np.nan if stopping.min_gain is None else float(stopping.min_gain)
    return int(depth), int(least), int(stopping.min_samples_leaf), gain, float(stopping.min_weight_leaf)


def written(criterion: Criterion, links: Array, reals: Array) -> Grown:
    """Return the tree that the compiled loops wrote down."""
    _, left, right, feature, depth, size, *_ = np.ascontiguousarray(links.T)
    threshold, weights = reals[:, 0].copy(), np.ascontiguousarray(reals[:, 1:])
    inner = np.flatnonzero(left >= 0)
    score, goes = np.full(len(left), np.nan), np.zeros(len(left), dtype=bool)
    if len(inner):
        sides = (np.ascontiguousarray(weights[side[inner]].T) for side in (left, right))
        score[inner] = face_scores(criterion, *sides)
        goes[inner] = size[left[inner]] > size[right[inner]]
    return Grown(feature, threshold, left, right, score, depth, size, weights, goes)
