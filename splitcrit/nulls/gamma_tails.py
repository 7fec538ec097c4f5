"""How surprising a value is under a gamma law, in nats, however small its p-value.

Main definitions: ``surprise``, ``log_upper_gamma``; ``gamma_law`` (that of the Gini gain of a table); ``tail_of`` (that
of the best split of a column far out) with the ``LabelMoments`` of a node.
Main results: with ``Q`` the upper regularised incomplete gamma function, ``-log Q(a, x)`` is taken from ``1 - Q`` where
``Q`` is near 1, and from a continued fraction where ``Q`` is below the smallest float64::

    Q(a, x) = x^a e^-x / Gamma(a) * 1/(x + 1 - a - 1 (1 - a)/(x + 3 - a - 2 (2 - a)/(x + 5 - a - ...)))

Source: none; the fraction is Legendre's.
"""

from __future__ import annotations

from math import exp, lgamma, log, log1p
from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.counting import widened
from splitcrit.frozen import complaint
from splitcrit.nulls.batches import gamma_of
from splitcrit.nulls.monte_carlo import TIE
from splitcrit.nulls.null import null_of_counts
from splitcrit.nulls.standardisation import gini_gain, table_margins

SMALLEST = 1e-290
PRECISION = 1e-15
LONGEST = 10_000
LARGEST = 10**308  # of a total that a float can hold


def surprise(shape: Array, reach: Array) -> Array:
    """``-log Q(shape, reach)`` for positive shapes and non-negative ``reach``, both float64 of one shape.

    Examples
    --------
    >>> surprise(np.array([1.0, 1.0]), np.array([0.5, 2000.0])).round(9).tolist()  # an exponential law
    [0.5, 2000.0]
    """
    from scipy.special import gammainc, gammaincc

    shape, reach = np.asarray(shape), np.asarray(reach)
    upper = gammaincc(shape, reach)
    with np.errstate(divide="ignore"):
        nats = np.asarray(np.where(upper > 0.5, -np.log1p(-gammainc(shape, reach)), -np.log(upper)))
    far = upper < SMALLEST
    if far.any():
        nats[far] = [-log_upper_gamma(*pair) for pair in zip(shape[far].tolist(), reach[far].tolist(), strict=True)]
    return nats


def log_upper_gamma(shape: float, x: float) -> float:
    """``log Q(shape, x)`` for x > 0, of one number; this is compiled, too.

    Examples
    --------
    >>> round(log_upper_gamma(1.0, 3000.0), 6)
    -3000.0
    """
    front = shape * log(x) - x - lgamma(shape)
    # Below the mean the series of the lower function converges, above it the continued fraction of the upper one.
    if x < shape + 1:
        term = total = 1.0 / shape
        a = shape
        for _ in range(LONGEST):
            a += 1.0
            term *= x / a
            total += term
            if term < total * PRECISION:
                break
        # 1 - P: where P rounds to 1 the logarithm stays finite.
        return log1p(-min(exp(front + log(total)), 1.0 - 1e-16))
    b = x + 1.0 - shape
    d, c = 1.0 / b, 1e300
    value = d
    for i in range(1, LONGEST):
        a, b = i * (shape - i), b + 2.0
        d, c = 1.0 / (b + a * d), b + a / c
        value *= c * d
        if abs(c * d - 1.0) < PRECISION:
            break
    return front + log(value)


def gamma_law(counts: Array, model: str) -> tuple[Array, Array, Array]:
    """The shape of the gamma law with the null mean and variance, the gain in its scale, and the variance.

    Shape and gain are 1 and 0 where the variance is 0; the variance is that of ``n`` times the gain.
    """
    mean, variance = null_of_counts(*table_margins(counts), model=model)
    whole = widened(counts).sum(axis=(-2, -1))
    if np.max(whole, initial=0) > LARGEST:
        rule = "a gamma law is that of a total that a float can hold"
        raise ValueError(complaint(rule, "a larger total", "take the SGini"))
    n = np.asarray(whole, dtype=np.float64)
    return *gamma_of(gini_gain(counts) * n, mean, variance), variance


class LabelMoments(NamedTuple):
    """What the smooth tail needs of n labels.

    ``square`` is the sum of the squared lengths, ``fourth`` that of their squares, ``spread`` the sum of the squared
    entries of the matrix of products; ``freedom`` is the number of dimensions, and ``rate`` half the sum of the
    eigenvalues of that matrix over the largest.
    """

    n: float
    square: float
    fourth: float
    spread: float
    freedom: int
    rate: float


def label_moments(vectors: Array, counts: Array) -> LabelMoments:
    """The moments of labels with centred ``vectors (T, q)``, ``counts (T,)`` of each; this is compiled, too."""
    lengths, products = vectors[:, 0] * vectors[:, 0], (vectors * counts.reshape(-1, 1)).T @ vectors
    for c in range(1, vectors.shape[1]):  # a sum along an axis takes two seconds to compile
        lengths = lengths + vectors[:, c] * vectors[:, c]
    each, square, fourth = np.linalg.eigvalsh(products), (counts * lengths).sum(), (counts * lengths * lengths).sum()
    freedom, rate = (each > TIE * each[-1]).sum(), each.sum() / each[-1] / 2 if each[-1] > 0 else 0.5
    return LabelMoments(counts.sum() * 1.0, square, fourth, (products * products).sum(), freedom, rate)


def tail_of(sizes: Array, subset: bool, cuts: int, moments: LabelMoments) -> tuple[float, float]:
    """Shape and rate of the smooth tail; a shape of 0 is none. This is compiled, too.

    Of levels it is the law of the whole table's score, of which the variance is exact (lewis1984, kaziaoual1995); of
    cuts that of the largest: far out, the direction in which the labels vary most decides.
    """
    n, s, s3, s2, freedom, rate = moments
    if not subset:
        return (freedom + (2 if cuts > 8 else 1 if cuts > 2 else 0)) / 2.0, rate
    if n < 4:
        return 0.0, 0.0
    t, t3 = len(sizes) - 1.0, (1.0 / sizes).sum() - (2.0 * len(sizes) - 1.0) / n
    even = 2 * ((n - 1) * t - t * t) * ((n - 1) * s2 - s * s) / ((n - 1) ** 2 * (n + 1) * (n - 2))
    odd = (n * (n + 1) * t3 - (n - 1) * (t * t + 2 * t)) * (n * (n + 1) * s3 - (n - 1) * (s * s + 2 * s2))
    variance = max(even + odd / ((n + 1) * n * (n - 1) * (n - 2) * (n - 3)), 0.0) * ((n - 1) / s) ** 2
    return (t * t / variance, t / variance) if variance > TIE else (0.0, 0.0)
