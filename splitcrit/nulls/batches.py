"""Gains, null laws and p-values of a batch in floats, in the arrays of any library, where these are.

What integers decide on the host (a variance that is 0) floats decide here too, because totals are exact in their dtype:
up to 2**53 in float64, 2**24 in float32; larger ones are refused. Dask arrays are promises, kept block by block.

Main definitions: ``margins_of``, ``gain_of`` (of the cells of a formula); ``cells_of`` (validation of tables of another
library), ``device_margins`` (for their margins), ``device_law``, ``device_pvalue``.
Source: wang2024, eqs. (8), (12), (16)-(26), (28).
"""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

import numpy as np

from splitcrit.arith import ARRAY, arithmetic_of, library, namespace, of_other_library, total
from splitcrit.frozen import complaint
from splitcrit.nulls.permutation import mean_variance, multinomial_mean_variance
from splitcrit.nulls.third_moment import skewness, third_moment

Array = Any
SPECIAL = {  # where a library keeps its special functions
    "numpy": "scipy.special",
    "torch": "torch.special",
    "cupy": "cupyx.scipy.special",
    "jax": "jax.scipy.special",
}
FUNCTIONS = ("gammainc", "gammaincc", "ndtr")


def margins_of(t: Any) -> tuple[Array, Array]:
    """Row totals ``(r, ...)`` and column totals ``(k, ...)`` of the cells ``t[i][k]``, floats."""
    rows = [_whole(row) for row in t]
    xp = namespace(rows[0])
    return xp.stack([xp.sum(row, axis=0) for row in rows]), total(rows)


def _whole(row: Any) -> Array:
    """Return one row of a table as an array ``(k, ...)``."""
    return namespace(row[0]).stack(row) if isinstance(row, list | tuple) else row


def gain_of(t: Any, rows: Array, columns: Array) -> Array:
    """``sum_ij (n n_ij - a_i b_j)^2 / (a_i n^3)``, whose terms do not cancel."""
    xp = namespace(rows)
    n = xp.maximum(xp.sum(rows, axis=0), 1.0)
    size = xp.maximum(rows, 1.0)
    parts = [xp.sum((n * _whole(row) - rows[i, ...] * columns) ** 2, axis=0) / size[i, ...] for i, row in enumerate(t)]
    return total(parts) / n**3


def cells_of(counts: Any) -> tuple[Any, Array, Array]:
    """The cells of tables of another library and their margins, in floats in which all totals are exact."""
    m = arithmetic_of(counts)
    assert isinstance(m, ARRAY)
    t = m.cells(counts)
    rows, columns = margins_of(t)
    _exact(m, m.xp.sum(rows, axis=0))
    return t, rows, columns


def _exact(m: ARRAY, totals: Array) -> None:
    """Raise one sentence unless every total of observations is an exact integer of its dtype."""
    limit = 2.0 / float(m.xp.finfo(m.dtype).eps)
    if totals.size and not bool(m.xp.all(totals <= limit)):
        rule = f"null laws in {str(m.dtype).rpartition('.')[2]} need totals of at most 2**{round(np.log2(limit))}"
        remedy = "pass float64, or numpy arrays, which are computed in integers of any size"
        raise ValueError(complaint(rule, "a larger table", remedy))


def device_margins(row_totals: Any, column_totals: Any) -> tuple[Array, Array, ARRAY]:
    """Totals ``(..., r)`` and ``(..., k)`` of another library, class first and in floats, after one check."""
    if not (of_other_library(row_totals) and of_other_library(column_totals)):
        got = f"{type(row_totals).__name__} and {type(column_totals).__name__}"
        raise TypeError(complaint("both margins must be arrays of one library", got, "take both from one table"))
    m = arithmetic_of(row_totals)
    assert isinstance(m, ARRAY)
    for totals, noun in ((row_totals, "row totals"), (column_totals, "column totals")):
        if totals.ndim == 0 or totals.shape[-1] == 0:
            got, remedy = f"shape {tuple(totals.shape)}", "pass a vector of totals"
            raise ValueError(complaint(f"{noun} need at least one entry", got, remedy))
    sides = [m.entries(totals) for totals in (row_totals, column_totals)]
    sums = total(sides[0]), total(sides[1])
    good = sums[0] == sums[1]
    for side in sides:
        for x in side:
            good = good & (x >= 0) & (x == m.xp.floor(x)) & (x < np.inf)
    if not bool(m.xp.all(good)):
        rule = "row and column totals must be non-negative integers with the same sum"
        raise ValueError(complaint(rule, "others", "take both from one table of counts"))
    _exact(m, sums[0])
    batch = sums[0] + sums[1]
    rows, columns = (m.xp.stack([m.xp.broadcast_to(x, batch.shape) for x in side]) for side in sides)
    return rows, columns, m


def device_law(rows: Array, columns: Array, model: str, order: int = 2) -> tuple[Array, ...]:
    """Mean, variance and, for order 3, the third central moment for totals ``(r, ...)`` and ``(k, ...)``."""
    mean, variance = (mean_variance if model == "permutation" else multinomial_mean_variance)(rows, columns)
    if order == 2:
        return mean, variance
    return mean, variance, namespace(rows).where(variance > 0, third_moment(rows, columns), 0.0)


def standard(gain: Array, mean: Array, variance: Array) -> Array:
    """``(gain - mean) / sqrt(variance)``, 0 where the variance is 0."""
    xp = namespace(gain)
    return (gain - mean) / xp.sqrt(xp.where(variance > 0, variance, np.inf))


def gamma_of(gain: Array, mean: Array, variance: Array) -> tuple[Array, Array]:
    """The shape of the gamma law with this mean and variance, and a gain in its scale; 1 and 0 at variance 0."""
    xp = namespace(variance)
    rate = mean / xp.where(variance > 0, variance, np.inf)
    return xp.where(variance > 0, mean * rate, 1.0), gain * rate


def device_pvalue(counts: Any, method: str, model: str) -> Array:
    """Upper tails of the Pearson III law, or of the gamma law, of tables of another library."""
    functions = special(counts)
    t, rows, columns = cells_of(counts)
    if method == "pearson3":
        mean, variance, third = device_law(rows, columns, model, 3)
        z = standard(gain_of(t, rows, columns), mean, variance)
        tails = pearson3_tails(z, skewness(variance, third), functions)
    else:
        mean, variance = device_law(rows, columns, model)
        tails = functions.gammaincc(*gamma_of(gain_of(t, rows, columns), mean, variance))
    return namespace(rows).where(variance > 0, tails, 1.0)


def pearson3_tails(z: Array, skew: Array, functions: Any) -> Array:
    """Upper tails at ``z`` of the Pearson III law with mean 0, variance 1 and a skewness."""
    xp = namespace(z)
    normal = xp.abs(skew) < xp.finfo(z.dtype).eps ** 0.5
    g = xp.where(normal, 1.0, skew)
    shape = 4 / g**2
    reach = xp.maximum(shape + 2 * z / g, 0.0)
    tails = xp.where(g > 0, functions.gammaincc(shape, reach), functions.gammainc(shape, reach))
    return xp.where(normal, functions.ndtr(-z), tails)


def special(x: Any) -> Any:
    """Return the incomplete gamma functions and the normal law of the library of ``x``, or say that it has none."""
    name = library(x)
    place = SPECIAL.get(name)
    module = importlib.import_module(place) if place else None
    if module is None or not all(hasattr(module, function) for function in FUNCTIONS):
        known = ", ".join(SPECIAL)
        rule = "this p-value needs the incomplete gamma function"
        raise TypeError(complaint(rule, f"an array of {name}", f"pass an array of {known} or dask"))
    return SimpleNamespace(**{function: getattr(module, function) for function in FUNCTIONS})
