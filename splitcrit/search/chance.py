"""Chance-corrected gains as data: what the class totals of a node contribute to the score of each of its thresholds.

With ``m`` and ``n - m`` samples on the two sides, ``d = n - 2m`` and ``u = (m - 1)(n - m - 1)``, ``n`` times the Gini
gain has a mean that belongs to the node, and the variance ::

    (c1 d^2 + c2 u + c3) / (m (n - m))

with ``c3 = 0`` under permutations. Under the multinomial model ``c1 = 4B/n``, ``c2 = 4B/n + 2C(n + 3)/n`` and
``c3 = 4B(n - 1)/n + 2C(2n - 3)/n``, with the ``B`` and ``C`` of ``nulls.multinomial``; nothing cancels.

Main definitions: ``chance_form``, ``chance_constants``, ``standard``.
Source: wang2024, eqs. (12), (15), (29), at two rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.nulls import significance
from splitcrit.nulls.permutation import others, thick_columns, uneven_columns
from splitcrit.nulls.values import AGini

Array = NDArray[Any]
BOUND, PERMUTED, TAIL = 9, 10, 11  # agini under the multinomial model and under permutations; significance


def chance_form(criterion: Criterion) -> tuple[int, float] | None:
    """Return the kind of a chance-corrected criterion and the factor of its variance, None for any other criterion."""
    if criterion == significance:
        return TAIL, 1.0
    if not isinstance(criterion.score, AGini):
        return None
    kind = PERMUTED if criterion.score.model == "permutation" else BOUND
    return kind, float((1 - criterion.score.alpha) / criterion.score.alpha)


def chance_constants(kind: int, columns: Array, n: Array, factor: float) -> Array:
    """Return ``sum b^2 / n``, the mean of ``n`` times the gain, and the factor times c1, c2, c3: ``(m, 5)``."""
    square = columns * columns
    whole, pairs = square.sum(axis=0) / n, (columns * (n - columns)).sum(axis=0)
    if kind == PERMUTED:
        _, c1, c2 = standard(columns, n).T
        mean, c3 = pairs / (n * np.maximum(n - 1, 1)), np.zeros(len(n))
    else:
        mean, b = pairs / (n * n), 4 * uneven_columns(columns, n) / n**4
        c = 2 * (square * ((n - columns) ** 2 + others(square))).sum(axis=0) / n**5
        c1, c2, c3 = b, b + c * (n + 3), b * (n - 1) + c * np.maximum(2 * n - 3, 0)
    return np.stack([whole, mean, factor * c1, factor * c2, factor * c3], axis=1)


def standard(columns: Array, n: Array) -> Array:
    """Return what SGini needs of a node: the mean in units of the ratio, and the two factors of the variance.

    With ``m`` and ``n - m`` samples on the two sides the variance of the gain is
    ``(c1 (n - 2m)^2 + c2 (m - 1)(n - m - 1)) / (n^2 m (n - m))``.
    """
    n1, n2, n3 = (np.maximum(n - i, 1.0) for i in (1, 2, 3))
    square = (columns * columns).sum(axis=0)
    mean = square / n + (columns * (n - columns)).sum(axis=0) / (n * n1)
    c1 = np.where(n > 2, 4 * uneven_columns(columns, n) / (n * n1 * n2 * n2), 0.0)
    c2 = np.where(n > 3, 2 * n * thick_columns(columns, n) / (n1 * n1 * n2 * n2 * n3), 0.0)
    return np.stack([mean, c1, c2], axis=1)
