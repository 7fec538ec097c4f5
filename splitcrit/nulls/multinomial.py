"""The multinomial law of the Gini gain: rows drawn independently from the class proportions of the table.

Main definitions: ``multinomial_mean_variance``.
Main results: wang2024, eq. (12), with the observed proportions plugged in for ``p``, is ::

    mean     = (r - 1) / n * (1 - sum p^2)
    variance = (2 C D + 4 B A) / n^2

where ``B = sum p^3 - (sum p^2)^2`` and ``C = sum p_j^2 [(1 - p_j)^2 + sum_{l != j} p_l^2]`` belong to the classes,
``A = sum_i (n - r a_i)^2/(n^2 a_i) + (r - 1)^2/n`` and ``D = sum_i (a_i - 1)(n - a_i)/(a_i n) + (r - 1)/n`` to the
rows. As printed the terms cancel; regrouped so, none is negative. Row totals are fixed here, class totals are not.
Source: wang2024, eq. (12), after Dobra and Gehrke.
"""

from __future__ import annotations

from typing import Any

from splitcrit.arith import namespace
from splitcrit.nulls.margins import occurring
from splitcrit.nulls.permutation import others, positive, uneven_columns, uneven_rows

Array = Any  # float64 or Fractions of numpy, or the floats of another library


def multinomial_mean_variance(rows: Array, columns: Array) -> tuple[Array, Array]:
    """Return mean and variance for totals ``(r, ...)`` and ``(k, ...)``, floats or Fractions."""
    xp = namespace(rows)
    n, r = positive(xp.sum(rows, axis=0)), occurring(rows)
    mean = xp.maximum(r - 1, 0) * xp.sum(columns * (n - columns), axis=0) / n**3
    square = columns * columns
    thick_columns = xp.sum(square * ((n - columns) ** 2 + others(square)), axis=0) / n**4
    a = positive(rows)
    thick_rows = xp.sum((a - 1) * (n - a) / a, axis=0) / n + xp.maximum(r - 1, 0) / n
    uneven = uneven_columns(columns, n) / n**3 * (uneven_rows(rows, n, r) + (r - 1) ** 2 / n)
    variance = (2 * thick_columns * thick_rows + 4 * uneven) / n**2
    return mean, xp.where((r <= 1) | (occurring(columns) <= 1), 0 * variance, variance)
