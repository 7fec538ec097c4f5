"""Every binary threshold of one sorted feature, scored by SGini in O(1) each.

Main definitions: ``sgini_scan``.
Main results: for ``m`` observations to the left, ``x_j = n n_1j - m b_j`` and ``D = sum_j x_j^2``, ::

    sgini = [D / (n^2 m (n - m)) - mean] / sqrt(variance)

with the null mean and variance at two rows. ``D`` follows from running sums. The numerator cancels, so it is kept as an
integer of two limbs and a fraction below 1; it is rounded once.
Source: wang2024, eq. (15), at two rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arguments import whole as count
from splitcrit.arith.exact_numbers import Ratio
from splitcrit.data.counting import as_array
from splitcrit.frozen import complaint
from splitcrit.nulls import formulas
from splitcrit.nulls.margin_totals import whole
from splitcrit.nulls.permutation import exact_weights, thick_rows, uneven_rows

SAFE_CUBE = 2_097_151  # up to this many observations n^3 fits an int64
LIMB = 32


def sgini_scan(codes: Any, n_classes: int | None = None, *, values: Any = None) -> Array:
    """The SGini of every binary threshold of a feature.

    Parameters
    ----------
    codes
        The classes 0, 1, ... of the observations, in the order of the feature.
    n_classes
        The number of classes; one more than the largest code by default.
    values
        The feature in the same order, if thresholds between equal values are to be left out.

    Returns
    -------
    array
        Entry ``i`` is the SGini of the table with the first ``i + 1`` observations in one row and the rest in the
        other; ``-inf`` where a threshold is left out. Its length is one less than that of ``codes``.

    Raises
    ------
    ValueError
        If codes are not integers from 0 to ``n_classes - 1``, or values are missing, unsorted or of another length.

    See Also
    --------
    selected_pvalue : The p-value of the largest score of a scan.
    sgini : The score of any table of counts.

    Notes
    -----
    Time is O(n), within a few units of rounding of the exact score; beyond two million observations the running sums
    are Python integers, which is slower. The largest of many scores is not distributed as one of them.

    Proved: null.sgini_threshold_from_running_sums

    References
    ----------
    wang2024, eq. (15).

    Examples
    --------
    >>> sgini_scan([0, 0, 0, 1, 1]).round(3).tolist()
    [-0.816, 0.624, 2.405, 1.225]
    >>> sgini_scan([0, 0, 1, 1], values=[0.1, 0.5, 0.5, 0.9]).round(3).tolist()
    [0.0, -inf, 0.0]
    """
    classes = _codes(codes, n_classes)
    scores = _scores(classes) if len(classes) > 1 else np.empty(0)
    if values is not None:
        scores[~_steps(values, len(classes))] = -np.inf
    return scores


def _codes(codes: Any, n_classes: int | None) -> Array:
    classes = whole(codes, "class codes")
    if classes.ndim != 1:
        rule = "class codes must be a vector"
        raise ValueError(complaint(rule, f"{classes.ndim} dimensions", "scan one feature at a time"))
    if n_classes is not None and classes.max() >= count(n_classes, "n_classes", 1):
        rule = "class codes must be below n_classes"
        raise ValueError(complaint(rule, f"{classes.max()} with n_classes={n_classes}", "count the classes from 0"))
    if classes.max() < len(classes):
        return classes
    return np.unique(classes, return_inverse=True)[1].astype(np.int64)


def _steps(values: Any, n: int) -> Array:
    """The places where a sorted feature steps up."""
    feature = as_array(values, "values")
    if np.ma.isMaskedArray(values) and np.ma.getmaskarray(values).any():
        raise ValueError(complaint("values must be sorted and present", "a masked one", "drop those observations"))
    if feature.shape != (n,):
        rule = "values and class codes must have one length"
        raise ValueError(complaint(rule, f"shape {feature.shape} for {n} codes", "pass the feature of the same rows"))
    if feature.dtype.kind == "c":
        rule = "values must be sorted and present"
        raise TypeError(complaint(rule, "complex numbers", "pass numbers that have an order"))
    try:
        up = np.asarray(feature[1:] > feature[:-1], dtype=bool)
        level = np.asarray(feature[1:] == feature[:-1], dtype=bool)
    except TypeError:  # what cannot be compared is not sorted
        up = level = np.zeros(max(n - 1, 1), dtype=bool)
    if not (up | level).all():
        rule = "values must be sorted and present"
        raise ValueError(complaint(rule, "a value that falls or is nan", "sort values and codes together"))
    return up


def _scores(codes: Array) -> Array:
    n, columns = len(codes), np.bincount(codes)
    m = np.arange(1, n, dtype=np.int64 if n <= SAFE_CUBE else object)
    whole_part, fraction = _excess(m, *_running(codes, columns, m.dtype), columns, n)
    first, second = (float(weight) for weight in exact_weights(columns.tolist()))
    left = m.astype(np.float64)
    sides, size = np.stack([left, n - left]), float(n)
    variance = formulas.variance(first, uneven_rows(size, 2, sides), second, thick_rows(size, 2, sides))
    spread = np.sqrt(variance) * (left * (n - left)) * size**2
    return np.asarray((whole_part + fraction) / np.where(spread > 0, spread, np.inf))


def _running(codes: Array, columns: Array, kind: Any) -> tuple[Array, Array]:
    """``sum_j n_1j^2`` and ``sum_j n_1j b_j`` to the left of every threshold."""
    narrow = codes.astype(np.uint16) if len(columns) <= 2**16 else codes  # numpy sorts 16 bits by radix
    order = np.argsort(narrow, kind="stable")
    starts = np.concatenate([[0], np.cumsum(columns)[:-1]])
    before = np.empty_like(codes)
    before[order] = np.arange(len(codes)) - starts[codes[order]]
    squares, products = np.cumsum(2 * before + 1), np.cumsum(columns[codes])
    return squares[:-1].astype(kind), products[:-1].astype(kind)


def _excess(m: Array, squares: Array, products: Array, columns: Array, n: int) -> tuple[Array, Array]:
    """``D - n^2 m (n - m) mean`` as an integer, rounded once, and a fraction in (-1, 0]."""
    s2 = sum(b * b for b in columns.tolist())
    left, total = n * squares - m * products, m * s2 - n * products  # D = n left + m total
    mean = (formulas.mean(Ratio(n), 2, n * n - s2) * n**2).fraction()
    quotient, remainder = divmod(mean.numerator, mean.denominator)
    mixed = m * (n - m) * remainder
    more = mixed // mean.denominator
    fraction = (more * mean.denominator - mixed).astype(np.float64) / mean.denominator
    if m.dtype == object:
        return (n * left + m * total - m * (n - m) * quotient - more).astype(np.float64), fraction
    mask = (1 << LIMB) - 1
    high = n * (left >> LIMB) + m * (total >> LIMB)
    low = n * (left & mask) + m * (total & mask) - m * (n - m) * quotient - more
    high, low = high + (low >> LIMB), low & mask
    return high.astype(np.float64) * 2.0**LIMB + low, fraction
