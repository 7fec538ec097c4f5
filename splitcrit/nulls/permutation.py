"""The permutation law of the Gini gain, exact mean and variance in O(r + k), and its multinomial law.

Main definitions: ``exact_mean``, ``exact_variance`` (one table, Ratios), ``mean_variance`` (a batch, in the floats
of any array library); ``multinomial_mean_variance``, of rows drawn from the class proportions of the table.
Main results: with ``n`` observations, row totals ``a`` and class totals ``b``, over all ``n!`` permutations of the
labels ::

    mean     = (r - 1) / (n - 1) * sum_j b_j (n - b_j) / n^2
    variance = [ 4 (A/n^2) B / ((n - 1)(n - 2)^2) + 2 U V / (n (n - 1)^2 (n - 2)^2 (n - 3)) ] / n^2

where ``A`` and ``B`` measure how uneven the rows and the classes are, ``U`` and ``V`` how far they are from thin.
The statistic is a double sum over pairs of observations; symmetric matrices with zero diagonal split under the
symmetric group into three irreducible parts, the first gives the mean, and the two others (A with B, U with V) the
variance by Schur's lemma. The four factors are sums of non-negative terms, which is what the float64 form
evaluates; the exact form evaluates them through power sums.

With rows of fixed totals, drawn independently from the observed proportions ``p``, wang2024, eq. (12), is ::

    mean     = (r - 1) / n * (1 - sum p^2)
    variance = (2 C D + 4 B A) / n^2

where, with letters of their own, ``B = sum p^3 - (sum p^2)^2`` and
``C = sum p_j^2 [(1 - p_j)^2 + sum_{l != j} p_l^2]`` belong to the classes,
``A = sum_i (n - r a_i)^2/(n^2 a_i) + (r - 1)^2/n`` and ``D = sum_i (a_i - 1)(n - a_i)/(a_i n) + (r - 1)/n`` to the
rows; ``formulas`` has them times powers of ``n``. As printed the terms cancel; regrouped so, none is negative.
Source: wang2024, eqs. (16)-(26), an O(r^2 k^2) form of the same moments; eq. (12), after Dobra and Gehrke.
"""

from __future__ import annotations

from math import lcm
from typing import Any

from splitcrit.arith import namespace, on_device_of
from splitcrit.arith.exact_numbers import Ratio
from splitcrit.nulls import formulas
from splitcrit.nulls.formulas import LEAST
from splitcrit.nulls.margin_totals import constant, occurring

Array = Any  # float64 of numpy, or the floats of another library


def exact_mean(rows: list[int], columns: list[int]) -> Ratio:
    """The mean of the gain for positive totals."""
    n = sum(rows)
    if n < LEAST["mean"]:
        return Ratio(0)
    unlike = Ratio(n * n - sum(b * b for b in columns))
    mean: Ratio = formulas.mean(n, len(rows), unlike)
    return mean


def exact_variance(rows: list[int], columns: list[int]) -> Ratio:
    """The variance of the gain for positive totals, from power sums."""
    n, r, d = sum(rows), len(rows), lcm(*set(rows))
    if n < LEAST["uneven"]:
        return Ratio(0)
    first, second = exact_weights(columns)
    uneven = formulas.uneven_rows(n, r, Ratio(sum(d // a for a in rows), d))
    variance: Ratio = formulas.variance(first, uneven, second, formulas.thick_rows(n, r, uneven))
    return variance


def exact_weights(columns: list[int]) -> tuple[Ratio, Ratio]:
    """The multipliers of the factors of the rows in the variance."""
    n, s2, s3 = sum(columns), Ratio(sum(b * b for b in columns)), sum(b**3 for b in columns)
    if n < LEAST["uneven"]:
        return Ratio(0), Ratio(0)
    uneven = formulas.uneven_classes(n, s2, s3)
    first, thick = formulas.uneven_weight(n, uneven), formulas.thick_classes(n, s2, uneven)
    return first, formulas.thick_weight(n, thick) if n >= LEAST["thick"] else Ratio(0)


def mean_variance(rows: Array, columns: Array) -> tuple[Array, Array]:
    """Mean and variance for totals of shape ``(r, ...)`` and ``(k, ...)`` that are exact in their float dtype.

    Every sum has non-negative terms only, so nothing cancels; a constant gain is recognised in integers.
    """
    xp = namespace(rows)
    n, r = xp.sum(rows, axis=0), occurring(rows)
    unlike, first, second = class_law(n, columns)
    mean = formulas.mean(xp.maximum(n, LEAST["mean"]), xp.maximum(r, 1), unlike)
    spread = formulas.variance(first, uneven_rows(positive(n), r, rows), second, thick_rows(positive(n), r, rows))
    return mean, xp.where(constant(rows, columns), 0 * spread, spread)


def multinomial_mean_variance(rows: Array, columns: Array) -> tuple[Array, Array]:
    """Mean and variance for totals ``(r, ...)`` and ``(k, ...)``, floats or Fractions."""
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
    """``sum b (n - b)``, and the weights of the factors of the rows in the variance, for classes (k, ...)."""
    xp = namespace(columns)
    uneven = xp.sum(formulas.uneven_class(columns, centred(columns, n)), axis=0)
    thick = xp.sum(formulas.independent_class(n, columns, others(columns**2)), axis=0)
    unlike = xp.sum(columns * (n - columns), axis=0)
    return unlike, formulas.independent_uneven_weight(n, uneven), formulas.independent_thick_weight(n, thick)


def uneven_rows(n: Array, r: Any, rows: Array) -> Array:
    """A of rows ``(r, ...)``, from terms that do not cancel; an empty row adds nothing."""
    xp, w = namespace(rows), 1 / positive(rows)
    return xp.sum(formulas.uneven_row(n, r, rows, xp.where(rows > 0, w, 0 * w)), axis=0)


def thick_rows(n: Array, r: Any, rows: Array) -> Array:
    """U of rows ``(r, ...)``, from terms that do not cancel; an empty row adds nothing."""
    a = positive(rows)
    return namespace(rows).sum(formulas.thick_row(n, r, a, 1 / a), axis=0)


def class_law(n: Array, columns: Array) -> tuple[Array, Array, Array]:
    """``sum b (n - b)``, and the weights of the factors of the rows in the variance, for classes (k, ...)."""
    xp = namespace(columns)
    pairs = columns * (columns - 1)
    uneven = xp.sum(formulas.uneven_class(columns, centred(columns, n)), axis=0)
    thick = xp.sum(formulas.thick_class(n, columns, others(pairs)), axis=0)
    three, four = (xp.maximum(n, LEAST[name]) for name in ("uneven", "thick"))
    unlike = xp.sum(columns * (n - columns), axis=0)
    return unlike, formulas.uneven_weight(three, uneven), formulas.thick_weight(four, thick)


def centred(columns: Array, n: Array) -> Array:
    """``b_j - S/n`` with ``S = sum_j b_j^2``, shifted by the integer nearest to S/n first."""
    xp, n = namespace(columns), positive(n)
    shifted = columns - (2 * xp.sum(columns * columns, axis=0) + n) // (2 * n)
    return shifted - xp.sum(columns * shifted, axis=0) / n


def positive(counts: Array) -> Array:
    """Counts with 1 in the place of 0, of the same kind of number: a divisor where the dividend is 0 too."""
    return namespace(counts).where(counts == 0, counts + 1, counts)


def others(terms: Array) -> Array:
    """For every entry the sum of the others along the first axis, of non-negative terms, without cancelling."""
    xp, places = namespace(terms), (-1, *[1] * (terms.ndim - 1))
    top = xp.argmax(terms, axis=0)
    largest = xp.reshape(xp.arange(terms.shape[0], **on_device_of(terms)), places) == top
    rest = xp.where(largest, 0 * terms, terms)
    without = xp.sum(rest, axis=0)
    return xp.where(largest, without, xp.max(terms, axis=0) + (without - rest))
