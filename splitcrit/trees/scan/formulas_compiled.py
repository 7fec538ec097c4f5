"""The formulas of the null law compiled, and what they need around them in a scan of one node.

Main definitions: ``class_law`` (what belongs to the node), ``spread`` (the variance at a threshold), ``surprise``.
Source: wang2024, eqs. (12), (15), (29), at two rows.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

import numpy as np

from splitcrit.compiling import called, inlined, kernel
from splitcrit.nulls import formulas

MEAN_FROM, UNEVEN_FROM, THICK_FROM = (formulas.LEAST[name] for name in ("mean", "uneven", "thick"))
PRECISION = 3e-16
LONGEST = 100_000

mean, independent_mean = inlined(formulas.mean), inlined(formulas.independent_mean)
uneven_row, thick_row = inlined(formulas.uneven_row), inlined(formulas.thick_row)
uneven_class, thick_class = inlined(formulas.uneven_class), inlined(formulas.thick_class)
uneven_weight, thick_weight = inlined(formulas.uneven_weight), inlined(formulas.thick_weight)
variance = inlined(formulas.variance)
independent_row, independent_uneven = inlined(formulas.independent_row), inlined(formulas.independent_uneven)
independent_class = inlined(formulas.independent_class)
independent_uneven_weight = inlined(formulas.independent_uneven_weight)
independent_thick_weight = inlined(formulas.independent_thick_weight)


@inlined
def _counted(b, independent):
    """The ordered pairs of ``b`` samples of a class, each with itself too if draws are independent."""
    return b * b if independent else b * (b - 1.0)


@called
def class_law(totals, n, square, independent, constants):
    """Set ``constants``: ``sum b^2 / n``; of ``n`` times the gain at two rows the mean and two factors of the variance.

    ``square`` is ``sum b^2`` of the class counts, ``totals (K,)``; ``independent`` asks for the multinomial model.
    """
    # middle is square / n rounded to an integer, and moved / n what it lacks, so that large counts lose no digits.
    middle, most, unlike, moved = np.floor((2 * square + n) / (2 * n)), 0, 0.0, 0.0
    for c in range(len(totals)):
        most = c if totals[c] > totals[most] else most
        unlike += totals[c] * (n - totals[c])
        moved += totals[c] * (totals[c] - middle)
    uneven, thick, without = 0.0, 0.0, 0.0
    for c in range(len(totals)):
        without += 0.0 if c == most else _counted(float(totals[c]), independent)
    for c in range(len(totals)):
        b = float(totals[c])
        own = _counted(b, independent)
        # The largest class is added to the sum of the others and never taken off it, where digits would cancel.
        rest = without if c == most else _counted(float(totals[most]), independent) + (without - own)
        uneven += uneven_class(b, b - middle - moved / n)
        thick += independent_class(n, b, rest) if independent else thick_class(n, b, rest)
    constants[0] = square / n
    if independent:
        constants[1] = n * independent_mean(n, 2.0, unlike)
        constants[2], constants[3] = independent_uneven_weight(n, uneven), independent_thick_weight(n, thick)
    else:
        constants[1] = n * mean(n, 2.0, unlike) if n >= MEAN_FROM else 0.0
        constants[2] = uneven_weight(n, uneven) if n >= UNEVEN_FROM else 0.0
        constants[3] = thick_weight(n, thick) if n >= THICK_FROM else 0.0
    constants[2] *= n * n
    constants[3] *= n * n


@inlined
def spread(n, m, w, w_rest, uneven_by, thick_by):
    """The permutation variance of ``n`` times the gain with ``m`` samples left, given both reciprocals."""
    rest = n - m
    uneven = uneven_row(n, 2.0, m, w) + uneven_row(n, 2.0, rest, w_rest)
    thick = thick_row(n, 2.0, m, w) + thick_row(n, 2.0, rest, w_rest)
    return variance(uneven_by, uneven, thick_by, thick)


@inlined
def independent_spread(n, m, w, w_rest, uneven_by, thick_by):
    """The same under the multinomial model."""
    rest = n - m
    uneven = independent_uneven(n, 2.0, uneven_row(n, 2.0, m, w) + uneven_row(n, 2.0, rest, w_rest))
    thick = independent_row(n, m, w) + independent_row(n, rest, w_rest) + 1.0
    return variance(uneven_by, uneven, thick_by, thick)


@kernel
def surprise(shape, reach):
    """``-log Q(shape, reach)``: by the series of ``1 - Q`` near 0, by Legendre's continued fraction beyond."""
    if reach <= 0.0:
        return 0.0
    front = shape * math.log(reach) - reach - math.lgamma(shape)
    if reach < shape + 1.0:
        term = 1.0 / shape
        total = term
        for n in range(1, LONGEST):
            term *= reach / (shape + n)
            total += term
            if term < PRECISION * total:
                break
        return -math.log1p(-min(total * math.exp(front), 1.0 - PRECISION))
    b = reach + 1.0 - shape
    d, c = 1.0 / b, np.inf
    value = d
    for n in range(1, LONGEST):
        a = n * (shape - n)
        b += 2.0
        d, c = 1.0 / (b + a * d), b + a / c
        value *= c * d
        if abs(c * d - 1.0) < PRECISION:
            break
    return -front - math.log(value)


@kernel
def most_surprise(shape, reach):
    """An upper bound of ``surprise``, which grows with ``reach``, from the first convergent of the fraction.

    ``Gamma(a, x) >= x^a e^-x / (x + 1 - a)`` for ``a <= 1``, and ``>= x^(a - 1) e^-x`` for ``a >= 1``.
    """
    x = max(reach, shape + 1.0)
    below = x + 1.0 - shape if shape < 1.0 else x
    return x - shape * math.log(x) + math.lgamma(shape) + math.log(below)
