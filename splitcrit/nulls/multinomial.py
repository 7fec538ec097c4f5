"""The multinomial law of the Gini gain: rows drawn independently from the class proportions of the table.

Main definitions: ``multinomial_mean_variance``.
Main results: wang2024, eq. (12), with the observed proportions plugged in for ``p``, is ::

    mean     = (r - 1) / n * (1 - sum p^2)
    variance = (2 C D + 4 B A) / n^2

where ``B = sum p^3 - (sum p^2)^2`` and ``C = sum p_j^2 [(1 - p_j)^2 + sum_{l != j} p_l^2]`` belong to the classes,
``A = sum_i (n - r a_i)^2/(n^2 a_i) + (r - 1)^2/n`` and ``D = sum_i (a_i - 1)(n - a_i)/(a_i n) + (r - 1)/n`` to the
rows; ``formulas`` has them times powers of ``n``. As printed the terms cancel; regrouped so, none is negative. Row
totals are fixed here, class totals are not.
Source: wang2024, eq. (12), after Dobra and Gehrke.
"""

from __future__ import annotations

from typing import Any

from splitcrit.arith import namespace
from splitcrit.nulls import formulas
from splitcrit.nulls.margin_totals import occurring
from splitcrit.nulls.permutation import centred, others, positive, uneven_rows

Array = Any  # float64 or Fractions of numpy, or the floats of another library


def multinomial_mean_variance(rows: Array, columns: Array) -> tuple[Array, Array]:
    """Return mean and variance for totals ``(r, ...)`` and ``(k, ...)``, floats or Fractions."""
    xp = namespace(rows)
    n, r = positive(xp.sum(rows, axis=0)), occurring(rows)
    some, w = xp.maximum(r, 1), 1 / positive(rows)
    unlike, first, second = independent_class_law(n, columns)
    mean = formulas.independent_mean(n, some, unlike)
    uneven = uneven_rows(n, r, rows)
    thick = xp.sum(formulas.independent_row(n, positive(rows), w), axis=0) + (some - 1)
    spread = formulas.variance(first, formulas.independent_uneven(n, r, uneven), second, thick)
    return mean, xp.where((r <= 1) | (occurring(columns) <= 1), 0 * spread, spread)


def independent_class_law(n: Array, columns: Array) -> tuple[Array, Array, Array]:
    """Return ``sum b (n - b)``, and the weights of the factors of the rows in the variance, for classes (k, ...)."""
    xp = namespace(columns)
    uneven = xp.sum(formulas.uneven_class(columns, centred(columns, n)), axis=0)
    thick = xp.sum(formulas.independent_class(n, columns, others(columns**2)), axis=0)
    unlike = xp.sum(columns * (n - columns), axis=0)
    return unlike, formulas.independent_uneven_weight(n, uneven), formulas.independent_thick_weight(n, thick)
