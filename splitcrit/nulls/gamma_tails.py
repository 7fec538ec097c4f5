"""How surprising a value is under a gamma law, in nats, however small its p-value.

Main definitions: ``surprise``; ``gamma_law`` (that of the Gini gain of a table).
Main results: with ``Q`` the upper regularised incomplete gamma function, ``-log Q(a, x)`` is taken from ``1 - Q`` where
``Q`` is near 1, and from a continued fraction where ``Q`` is below the smallest float64::

    Q(a, x) = x^a e^-x / Gamma(a) * 1/(x + 1 - a - 1 (1 - a)/(x + 3 - a - 2 (2 - a)/(x + 5 - a - ...)))

Source: none; the fraction is Legendre's.
"""

from __future__ import annotations

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.counting import widened
from splitcrit.frozen import complaint
from splitcrit.nulls.batches import gamma_of
from splitcrit.nulls.null import null_of_counts
from splitcrit.nulls.standardisation import gini_gain, table_margins

SMALLEST = 1e-290
PRECISION = 3e-16
LONGEST = 10_000
LARGEST = 10**308  # of a total that a float can hold


def surprise(shape: Array, reach: Array) -> Array:
    """Return ``-log Q(shape, reach)`` for positive shapes and non-negative ``reach``, both float64 of one shape.

    Examples
    --------
    >>> surprise(np.array([1.0, 1.0]), np.array([0.5, 2000.0])).round(9).tolist()  # an exponential law
    [0.5, 2000.0]
    """
    from scipy.special import gammainc, gammaincc

    shape, reach = np.asarray(shape), np.asarray(reach)
    upper = gammaincc(shape, reach)
    with np.errstate(divide="ignore"):
        found = np.asarray(np.where(upper > 0.5, -np.log1p(-gammainc(shape, reach)), -np.log(upper)))
    far = upper < SMALLEST
    if far.any():
        found[far] = _far(shape[far], reach[far])
    return found


def _far(shape: Array, reach: Array) -> Array:
    """Return the same where ``reach`` is far above the shape, by Lentz's evaluation of the continued fraction."""
    from scipy.special import gammaln

    b = reach + 1 - shape
    d, c = 1 / b, np.full_like(b, np.inf)
    value = d
    for n in range(1, LONGEST):
        a, b = n * (shape - n), b + 2
        d, c = 1 / (b + a * d), b + a / c
        value = value * (c * d)
        if np.abs(c * d - 1).max() < PRECISION:
            break
    return np.asarray(reach - shape * np.log(reach) + gammaln(shape) - np.log(value))


def gamma_law(counts: Array, model: str) -> tuple[Array, Array, Array]:
    """Return the shape of the gamma law with the null mean and variance, the gain in its scale, and the variance.

    Shape and gain are 1 and 0 where the variance is 0; the variance is that of ``n`` times the gain.
    """
    mean, variance = null_of_counts(*table_margins(counts), model=model)
    whole = widened(counts).sum(axis=(-2, -1))
    if np.max(whole, initial=0) > LARGEST:
        rule = "a gamma law is that of a total that a float can hold"
        raise ValueError(complaint(rule, "a larger total", "take the SGini"))
    n = np.asarray(whole, dtype=np.float64)
    return *gamma_of(gini_gain(counts) * n, mean, variance), variance
