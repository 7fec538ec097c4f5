"""The exact statistics for loops that numba compiles, in pairs of floats.

Main definitions: ``mean``, ``variance``, ``third_moment`` (of two arrays of totals), ``sgini``, ``scan`` (of a table).
They are called from functions that numba compiles, and from Python as well.
Main results: formulas and loops are those of ``splitcrit.nulls.formulas`` and ``splitcrit.export``.
Source: wang2024, eqs. (15)-(26).
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import kernel
from splitcrit.export import moments
from splitcrit.export.overloads import offered
from splitcrit.frozen import complaint
from splitcrit.nulls.margin_totals import margins, whole

__all__ = ["mean", "scan", "sgini", "third_moment", "variance"]


@kernel
def _mean(rows, columns):
    return moments.mean(rows, len(rows), columns, len(columns))


@kernel
def _variance(rows, columns):
    return moments.variance(rows, len(rows), columns, len(columns))


@kernel
def _third_moment(rows, columns):
    return moments.third_moment(rows, len(rows), columns, len(columns))


@kernel
def _sgini(table):
    r, k = table.shape
    return moments.sgini(table.ravel(), r, k, np.empty(r + k, np.int64))


@kernel
def _scan(table):
    r, k = table.shape
    scores = np.empty(max(r - 1, 0))
    if moments.scan(table.ravel(), r, k, scores, np.empty(r + 2 * k, np.int64)) < 0:
        scores[:] = np.nan
    return scores


def _margins(rows: Any, columns: Any) -> tuple[Array, ...]:
    """The margins of one table as arrays of 64-bit integers."""
    return tuple(_small(totals, 1) for totals in margins(rows, columns))


def _small(counts: Array, axes: int) -> Array:
    """Counts of one table as 64-bit integers that the loops can add and multiply."""
    if counts.ndim != axes or not counts.size:
        rule = "compiled statistics are of one table"
        raise ValueError(complaint(rule, f"shape {counts.shape}", "call them in a loop, or gini_null on a batch"))
    if sum(counts.ravel().tolist()) > moments.LARGEST:
        rule = f"compiled statistics are of at most {moments.LARGEST} observations"
        raise ValueError(complaint(rule, "more", "use gini_null and sgini, which are exact at any size"))
    return np.asarray(counts, dtype=np.int64)


@offered(_mean, axes=1)
def mean(rows: Any, columns: Any) -> float:
    """The mean of the Gini gain over all permutations of the labels.

    With ``n`` observations, ``r`` rows and class totals ``b`` it is ``(r - 1) / (n - 1) * sum_j b_j (n - b_j) / n^2``.

    Parameters
    ----------
    rows, columns
        Row totals ``(r,)`` and class totals ``(k,)``, integers of equal sums; in compiled code arrays of them.

    Returns
    -------
    float
        A proportion, per observation. In compiled code totals that are no margins of one table give NaN.

    Raises
    ------
    ValueError
        From Python: if totals are negative, fractional or of different sums, or sum to 2^31 or more.

    References
    ----------
    wang2024, eq. (16).

    Examples
    --------
    >>> round(mean([3, 7], [4, 6]), 15)  # 4/75
    0.053333333333333
    """
    return float(_mean(*_margins(rows, columns)))


@offered(_variance, axes=1)
def variance(rows: Any, columns: Any) -> float:
    """The variance of the Gini gain over all permutations of the labels.

    The equation is that of `splitcrit.gini_null`.

    Parameters
    ----------
    rows, columns
        Row totals ``(r,)`` and class totals ``(k,)``, integers of equal sums; in compiled code arrays of them.

    Returns
    -------
    float
        A squared proportion; 0 exactly where the gain is constant. NaN in compiled code as for `mean`.

    Raises
    ------
    ValueError
        From Python: if totals are negative, fractional or of different sums, or sum to 2^31 or more.

    References
    ----------
    wang2024, eqs. (21)-(26).

    Examples
    --------
    >>> round(variance([3, 7], [4, 6]), 15), variance([5, 5], [9, 1])  # 1264/275625
    (0.004585941043084, 0.0)
    """
    return float(_variance(*_margins(rows, columns)))


@offered(_third_moment, axes=1)
def third_moment(rows: Any, columns: Any) -> float:
    """The third central moment of the Gini gain over all permutations of the labels.

    The equation is ``E[(gain - mean)^3]``, in time ``O(r^3 + k^3)``.

    Parameters
    ----------
    rows, columns
        Row totals ``(r,)`` and class totals ``(k,)``, integers of equal sums; in compiled code arrays of them.

    Returns
    -------
    float
        A proportion to the third power. NaN in compiled code as for `mean`.

    Raises
    ------
    ValueError
        From Python: if totals are negative, fractional or of different sums, or sum to 2^31 or more.

    References
    ----------
    None: wang2024 stops at the variance; see `splitcrit.nulls.third_moment`.

    Examples
    --------
    >>> round(third_moment([2, 2], [2, 1, 1]), 15)  # 1/864
    0.001157407407407
    """
    return float(_third_moment(*_margins(rows, columns)))


@offered(_sgini, axes=2)
def sgini(table: Any) -> float:
    """The Gini gain in standard deviations above its mean over all permutations of the labels.

    The equation is ``sgini = (gain - mean) / sqrt(variance)``, and 0 where the variance is 0.

    Parameters
    ----------
    table
        Integer counts ``(r, k)``: rows are values of a feature, columns are classes; in compiled code an array.

    Returns
    -------
    float
        The score. In compiled code a table with a negative count, or of 2^31 observations or more, gives NaN.

    Raises
    ------
    ValueError
        From Python: if counts are negative, fractional or ragged, or sum to 2^31 or more.

    References
    ----------
    wang2024, eq. (15).

    Examples
    --------
    >>> round(sgini([[3, 0], [1, 6]]), 4)
    3.769
    """
    return float(_sgini(_small(whole(table, "counts"), 2)))


@offered(_scan, axes=2)
def scan(table: Any) -> Array:
    """SGini of every binary threshold of a feature whose values are the rows of a table, in their order.

    Entry ``i`` is `sgini` of two rows: the sum of the rows up to ``i``, and that of the rest.

    Parameters
    ----------
    table
        Integer counts ``(r, k)``: rows are values of a feature in order, columns are classes; in compiled code an
        array.

    Returns
    -------
    array
        The ``r - 1`` scores, 0 where one side is empty. In compiled code they are NaN as for `sgini`.

    Raises
    ------
    ValueError
        From Python: if counts are negative, fractional or ragged, or sum to 2^31 or more.

    References
    ----------
    wang2024, eq. (15), at two rows.

    Examples
    --------
    >>> scan([[3, 0], [1, 4], [0, 2]]).round(3).tolist()
    [3.769, 0.443]
    """
    return np.asarray(_scan(_small(whole(table, "counts"), 2)))
