"""The Gini gain of a table, and the gain standardised by its null law.

Main definitions: ``gini_gain``, ``sgini``, ``agini``.
Main results: one table is scored in integers and rounded at the end. In a batch ``gain = sum (n n_ij - a_i b_j)^2 /
(a_i n^3)``, a sum without cancellation; the few tables whose mean is enough standard deviations that the subtraction
of the mean could lose digits are scored again in integers.
Source: wang2024, eqs. (8), (15), (29).
"""

from __future__ import annotations

from fractions import Fraction
from math import copysign, isqrt, lcm, ldexp
from typing import Any

import numpy as np

from splitcrit.arguments import Array, between
from splitcrit.arith.array_libraries import blockwise, is_lazy, of_other_library
from splitcrit.arith.symbolic import other_numbers
from splitcrit.criteria import decrease
from splitcrit.data.counting import widened
from splitcrit.data.crossing import Missing
from splitcrit.frozen import complaint
from splitcrit.impurities import gini
from splitcrit.nulls.batches import cells_of, device_law, gain_of, standard
from splitcrit.nulls.margin_totals import present
from splitcrit.nulls.null import BLOCK, Model, check_model, null_law
from splitcrit.nulls.permutation import exact_mean, exact_variance
from splitcrit.table import Table

SAFE_PRODUCT = 2**31  # below this total, products of two counts and their differences fit an int64
LOSS = 1e-10  # the error a batch may make, in units of 1 + |score|


def counted(table: Any, label: Any = None, missing: Missing = "error") -> Any:
    """The integer counts ``(..., r, k)`` of what ``Table.of`` accepts, in the array they came in."""
    return Table.of(table, label, missing=missing).integers()


def gini_gain(table: Any, label: Any = None, *, missing: Missing = "error") -> Any:
    """The Gini gain of a table: how much knowing the row lowers the Gini impurity of the class.

    With row totals ``a_i``, class totals ``b_j`` and ``n`` observations, ::

        gain = sum_i (1/a_i) sum_j n_ij^2 / n - sum_j b_j^2 / n^2 = sum_ij (n n_ij - a_i b_j)^2 / (a_i n^3)

    Parameters
    ----------
    table
        Integer counts of shape ``(..., r, k)``, or a `Table`; rows are feature values, columns are classes. Symbols of
        sympy give an expression, numbers of mpmath a number of the working precision.
    label
        With it, the first argument is a feature, and both are vectors; see `Table.of`.
    missing
        ``"row"`` gives missing feature values a last row; ``"error"`` refuses them.

    Returns
    -------
    float or array
        A proportion between 0 and 1, per observation; 0 for a table without observations.

    Raises
    ------
    ValueError
        If counts are negative, fractional, not finite or ragged.

    See Also
    --------
    sgini : The same gain in standard deviations above chance.
    decrease : The gain of any impurity.

    Notes
    -----
    Proved: gain.refinement_never_lowers_of_gini

    References
    ----------
    wang2024, eq. (8).

    Examples
    --------
    >>> gini_gain([[3, 0], [1, 6]])  # 54/175
    0.30857142857142855
    >>> gini_gain(["a", "a", "b", "b"], ["no", "no", "yes", "yes"])
    0.5
    """
    if label is None and other_numbers(table) is not None:
        return decrease(gini)(table)
    counts = counted(table, label, missing)
    if is_lazy(counts):
        return blockwise(gini_gain, counts)
    if of_other_library(counts):
        return gain_of(*cells_of(counts))
    if counts.ndim == 2:
        return float(exact_gain(counts))
    return _blockwise(counts, _gains, lambda t: float(exact_gain(t)))


def sgini(table: Any) -> Any:
    """The Gini gain in standard deviations above its mean over all permutations of the labels.

    The equation is ``sgini = (gain - mean) / sqrt(variance)``, and 0 where the variance is 0 (decided in integers).

    Parameters
    ----------
    table
        Integer counts of shape ``(..., r, k)``, or a `Table`; rows are feature values, columns are classes. Empty
        rows and columns change nothing. The roles differ: exchanging rows and columns changes the score, save at 2 x 2.

    Returns
    -------
    float or array
        One table is scored in integers, whatever its size, and rounded once: by at most ``1 + 2^-10`` units of 2^-53.
        A batch is scored in floats, to ``1e-10 (1 + |score|)``; see the notes.

    Raises
    ------
    ValueError
        If counts are negative, fractional, not finite or ragged.

    Notes
    -----
    In a batch of tables ``(r, k)`` the gain is rounded at most ``r + k + 5`` times, the mean 4 and the variance
    ``r + k + 16`` times, up to 2^25 observations. With ``u = 2^-53``, and the gain the mean and ``score`` standard
    deviations, the score is off by at most ``u (r + k + 9) mean/sd + u (1.5 (r + k) + 16) |score|``. Where
    ``2 u (r k + 16) mean/sd`` is above 1e-10 a table is scored in integers.
    Proved: null.moments_in_floats_round_once_a_total.

    References
    ----------
    wang2024, eq. (15).

    Examples
    --------
    >>> round(sgini([[3, 0], [1, 6]]), 4)
    3.769
    >>> sgini([[3, 2], [0, 1]])  # the gain is 1/10 for every permutation of the labels
    0.0
    """
    counts = counted(table)
    if of_other_library(counts):
        t, rows, columns = cells_of(counts)
        return standard(gain_of(t, rows, columns), *device_law(rows, columns, "permutation"))
    if counts.ndim == 2:
        return exact_score(counts)
    return _blockwise(counts, _scores, exact_score)


def agini(table: Any, alpha: float = 0.1, *, model: Model = "multinomial") -> Any:
    """The Gini gain minus a bound that a random gain exceeds with probability ``alpha`` at most.

    The equation is ``agini = gain - (mean + sqrt((1 - alpha) / alpha * variance))``; the bound is Cantelli's.

    Parameters
    ----------
    table
        Integer counts of shape ``(..., r, k)``, or a `Table`; rows are feature values, columns are classes.
    alpha
        The probability, between 0 and 1.
    model
        Where mean and variance come from: ``"multinomial"`` as printed, or ``"permutation"``.

    Returns
    -------
    float or array
        A difference of gains, per observation; positive where the gain exceeds the bound.

    Raises
    ------
    ValueError
        If alpha is not between 0 and 1, or if counts are negative, fractional, not finite or ragged.

    Notes
    -----
    What is subtracted is an upper bound of the quantile, not the quantile. Under the multinomial law the class
    proportions are those of the table, so that the bound can fail for permutations.

    References
    ----------
    wang2024, eq. (29).

    Examples
    --------
    >>> round(agini([[3, 0], [1, 6]]), 4)
    0.0741
    """
    alpha = between(alpha, "alpha", 0, 1, ends=False, example=0.1)
    check_model(model)
    counts = counted(table)
    if of_other_library(counts):
        t, rows, columns = cells_of(counts)
        mean, variance = device_law(rows, columns, model)
        return gain_of(t, rows, columns) - (mean + float((1 - alpha) / alpha) ** 0.5 * variance**0.5)
    law = null_law(*table_margins(counts), model=model)
    if alpha > 1e-300:
        above = np.sqrt((1 - alpha) / alpha * law.variance)
    else:  # the odds against it are no float
        above = np.sqrt(law.variance) / np.sqrt(float(alpha))
    scores = gini_gain(counts) - (law.mean + above)
    return float(scores) if counts.ndim == 2 else scores


def table_margins(counts: Array) -> tuple[Array, Array]:
    """Row totals ``(..., r)`` and column totals ``(..., k)`` of integer counts, exactly."""
    wide = widened(counts)
    return wide.sum(axis=-1), wide.sum(axis=-2)


def exact_gain(counts: Array) -> Fraction:
    """The gain of one table of integers."""
    rows, columns = table_margins(counts)
    n, b = int(rows.sum()), present(columns)
    if n == 0:
        return Fraction(0)
    wide = counts if n < SAFE_PRODUCT else counts.astype(object)
    squares = [(int(q), a) for q, a in zip((wide * wide).sum(axis=1), rows.tolist(), strict=True) if a]
    d = lcm(*{a for _, a in squares})
    return Fraction(n * sum(q * (d // a) for q, a in squares) - d * sum(x * x for x in b), d * n * n)


def exact_score(counts: Array) -> float:
    """``sgini`` of one table of integers, rounded only at the end."""
    rows, columns = (present(side) for side in table_margins(counts))
    variance = exact_variance(rows, columns).fraction()
    above = exact_gain(counts) - exact_mean(rows, columns).fraction()
    return copysign(root(above * above / variance), above) if variance else 0.0


def root(square: Fraction) -> float:
    """The square root of a fraction of any size, within ``1 + 2^-10`` units of 2^-53 where it is no subnormal.

    The whole part of a square above ``2^129``, and that of its root, lose less than ``2^-63``; a rounding is a unit.

    Examples
    --------
    >>> root(Fraction(1, 4)), root(Fraction(10**700 + 1, 10**100))
    (0.5, 1e+300)
    """
    shift = (130 - square.numerator.bit_length() + square.denominator.bit_length()) // 2  # 65 digits of the root
    scaled = square * Fraction(4) ** shift
    try:
        return ldexp(float(isqrt(scaled.numerator // scaled.denominator)), -shift)
    except OverflowError:
        rule, got = "a standardised gain must fit a float", f"one above 1e{(-shift + 65) * 3 // 10}"
        raise ValueError(complaint(rule, got, "score a table of fewer counts")) from None


def _gains(counts: Array) -> Array:
    """The gains of a block ``(r, k, m)`` of int64 counts whose totals are below ``SAFE_PRODUCT``."""
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    n = np.maximum(rows.sum(axis=0), 1)
    apart = (n * counts - rows[:, None] * columns).astype(np.float64)
    return np.asarray(((apart * apart).sum(axis=1) / np.maximum(rows, 1)).sum(axis=0) / n.astype(np.float64) ** 3)


def _scores(counts: Array) -> Array:
    """``sgini`` of a block; a table whose mean is too many standard deviations is scored in integers."""
    r, k, _ = counts.shape
    law = null_law(counts.sum(axis=1).T, counts.sum(axis=0).T)
    spread = np.sqrt(np.where(law.variance > 0, law.variance, np.inf))
    scores = np.asarray((_gains(counts) - law.mean) / spread)
    for at in np.flatnonzero(law.mean / spread * (r * k + 16) * np.finfo(float).eps > LOSS):
        scores[at] = exact_score(counts[..., at])
    return scores


def _blockwise(counts: Array, fast: Any, slow: Any) -> Array:
    """The function of every table of a batch: in blocks with the batch last; one by one if totals are huge."""
    *batch, r, k = counts.shape
    flat, scores = counts.reshape(-1, r, k), np.empty(int(np.prod(batch)))
    size = max(1, BLOCK * 16 // (r * k))
    for start in range(0, len(flat), size):
        block = flat[start : start + size]
        if block.dtype != object and block.sum(axis=(1, 2), dtype=np.float64).max() < SAFE_PRODUCT:
            scores[start : start + size] = fast(np.ascontiguousarray(np.moveaxis(block, 0, -1)))
        else:
            scores[start : start + size] = [slow(table) for table in block]
    return scores.reshape(batch)
