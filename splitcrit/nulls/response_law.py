"""The permutation law of a decrease of variance: of numbers, of vectors, and of classes as unit vectors.

Every object ``u`` has a response ``y_u``, a vector less the mean of all: a number is itself, a class a unit vector,
several outputs are a vector. A partition into rows of ``a_i`` objects that is *fixed beforehand* lowers the mean
squared distance from the mean, the variance summed over outputs, by ::

    gain = sum_i |sum_{u in i} y_u|^2 / (a_i n)  =  sum_i (1/a_i) sum_{u, v in i} D_uv / n,      D_uv = <y_u, y_v>

which is Gini's gain for classes. Its moments over all orders of the responses depend on them through a few invariants,
and on the rows as those of Gini's gain do: the formulas of `splitcrit.nulls.formulas` serve both.

It is no law of a partition that was chosen among many: the best cut of a column has a larger mean.

Main definitions: ``response_moments``; ``invariants``, ``response_weights`` and ``mean_variance`` (of many partitions),
``third_moment``.
Main results: off the diagonal, ``-|y_u - y_v|^2 / 2`` is ``D_uv - (D_uu + D_vv)/2``, and gives the same gain but for a
constant. Its part without row sums is ``N_uv = D_uv + alpha + h_u + h_v``, with ``alpha = tr D / (n (n - 1))`` and
``h_u = (D_uu - tr D / n) / (n - 2)``; the other part is ``f_u + f_v``, with ``f = -n h / 2``. Of the rows, N is
``1/a_i`` within a row ``+ alpha + h_u + h_v``, a projection plus little. With ``q`` outputs the third moment takes
O(n q^3), mean and variance O(n q^2), and the rows O(r).
Source: pitman1938 and welch1937 (numbers), mielke1976 (vectors); by the invariants of `splitcrit.nulls.third_moment`.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from splitcrit.arguments import Array, finite, truth, whole
from splitcrit.arith import EXACT
from splitcrit.frozen import complaint, shown
from splitcrit.nulls import formulas
from splitcrit.nulls.formulas import LEAST
from splitcrit.nulls.margin_totals import present
from splitcrit.nulls.margin_totals import whole as totals_of
from splitcrit.nulls.null import NullMoments
from splitcrit.nulls.permutation import thick_rows, uneven_rows

NOISE = 1e-13  # of a sum of squares: what rounding leaves of 0
LARGE = 1e50  # the sixth power of a response is a float
Weights = tuple[Any, Any, Any]  # what ``response_weights`` returns


def response_moments(responses: Any, row_totals: Any, *, order: int = 2, exact: bool = False) -> NullMoments:
    """The moments of the decrease of variance by a fixed partition, over all orders of the responses.

    Parameters
    ----------
    responses
        Numbers ``(n,)``, or vectors ``(n, q)`` whose variances are summed.
    row_totals
        How many of them each row of the partition holds.
    order
        2 for mean and variance, 3 for the third central moment as well.
    exact
        Whether to return Fractions, floats at their exact values.

    Returns
    -------
    NullMoments
        In the unit of the squared responses, per object.

    Raises
    ------
    ValueError, TypeError
        If the responses are not finite numbers, or the totals are not counts that add up to theirs.

    Notes
    -----
    The third moment leads to an approximate tail, see `NullMoments.approximate_pvalue`; it is not used to decide.

    Proved: null.response_variance_of_permutation

    References
    ----------
    pitman1938; welch1937; mielke1976.

    Examples
    --------
    >>> response_moments([0, 0, 1, 5], [2, 2], order=3, exact=True)
    NullMoments(mean=Fraction(17, 12), variance=Fraction(25, 72), third=Fraction(125, 864))
    >>> from splitcrit import gini_null
    >>> classes = [[1, 0]] * 4 + [[0, 1]] * 6
    >>> response_moments(classes, [3, 7], exact=True) == gini_null([3, 7], [4, 6], exact=True)
    True
    """
    order, exact, axes = whole(order, "order", 2, 3), truth(exact, "exact"), 1
    with suppress(ValueError):  # of ragged ones, about which there is a sentence
        axes = np.ndim(responses)
    y = finite(responses, "responses", 2 if axes == 2 else 1)
    if not exact and np.abs(y).max(initial=0) > LARGE:
        raise ValueError(complaint(f"responses are up to {LARGE:g}", f"{np.abs(y).max():g}", "divide them"))
    n, totals = len(y), totals_of(row_totals, "row totals")
    sizes = present(totals.ravel())
    if sum(sizes) != n or totals.ndim != 1 or n == 0:
        rule, got = "every response is in one row of the partition", f"{n} responses and row totals {shown(row_totals)}"
        raise ValueError(complaint(rule, got, "pass as many responses as the rows hold"))
    one: Any = EXACT.number(1) if exact else 1.0
    if exact:
        y = np.array([EXACT.number(x) for x in np.asarray(responses, dtype=object).ravel()], dtype=object)
    y = y.reshape(n, -1)
    y = y - y.sum(axis=0) / (n * one)
    unit = one if exact else (np.abs(y).max(initial=0.0) or 1.0)
    y, a = y / unit, np.array([one * x for x in sizes])
    mean, variance = mean_variance(a, *response_weights(n * one, *invariants(y), exact=exact))
    third = None if order == 2 else third_moment(a, y) if variance > 0 else 0 * one
    moments = [None if x is None else x * unit ** (2 * i) for i, x in enumerate((mean, variance, third), 1)]
    return NullMoments(*(x if exact or x is None else float(x) for x in moments))


def invariants(y: Array) -> tuple[Any, Any, Any]:
    """What moments need of centred responses ``(n, q)``: ``tr D``, ``sum D_uu^2``, ``sum D_uv^2`` over all u and v."""
    lengths = (y * y).sum(axis=1)
    return lengths.sum(), (lengths * lengths).sum(), ((y.T @ y) ** 2).sum()


def response_weights(n: Any, trace: Any, diagonal: Any, square: Any, *, exact: bool = False) -> Weights:
    """What moments need of ``n`` responses, whatever the rows, by their invariants, floats or Fractions.

    These are ``n tr D``, and the weights of the factors of the rows in the variance.
    """
    two, three, four = (np.maximum(n, LEAST[name]) for name in ("mean", "uneven", "thick"))
    uneven = diagonal - trace**2 / two
    thick = (n * diagonal + trace**2 + 2 * square) / 2 - n * trace**2 / (two - 1) - n**2 * uneven / (2 * (three - 2))
    if not exact:
        uneven = np.where(uneven > NOISE * diagonal, uneven, 0.0)
        thick = np.where(thick > NOISE * (n * diagonal + trace**2), thick, 0.0)
    weights = formulas.uneven_weight(three, n**2 * uneven / 4), formulas.thick_weight(four, (n - 1) * (n - 2) * thick)
    return n * trace, *weights


def mean_variance(rows: Array, unlike: Any, uneven: Any, thick: Any) -> tuple[Array, Array]:
    """Mean and variance of the gain for row totals ``(r, ...)`` and the ``response_weights`` of responses.

    An empty row is none.
    """
    n, r = rows.sum(axis=0), (rows > 0).sum(axis=0)
    spread = formulas.variance(uneven, uneven_rows(n, r, rows), thick, thick_rows(n, r, rows))
    mean = formulas.mean(np.maximum(n, LEAST["mean"]), r, unlike) * (n > 1)
    return mean, np.where(n < LEAST["uneven"], 0 * spread, spread)[()]


def third_moment(a: Array, y: Array) -> Any:
    """The third central moment for positive row totals and centred responses ``(n, q)``, ``n >= 3``."""
    n = a.sum()
    sizes = tuple(n - i if n - i > 1 else n**0 for i in range(6))
    return formulas.third_by_invariants(sizes, *zip(_of_rows(a, n), _of_responses(y, n), strict=True))


def _of_rows(a: Array, n: Any) -> tuple[Any, ...]:
    """The invariants of ``N = K + E`` of rows: E has ``1/a_i`` within row i, a projection, and ``K E = K``."""
    r, w = len(a), 1 / a
    alpha, h = -(n - r) / (n * (n - 1)), (w - r / n) / (n - 2)
    cubes, traces, squares = _of_two_vectors(n, alpha, h, a)
    same = alpha + 2 * h
    entries = cubes + (a * a * (3 * same * same * w + 3 * same * w * w + w**3)).sum()
    trace = traces[2] + 3 * traces[1] + 3 * traces[0] + r
    return _without_diagonal(a, entries, trace, squares + 2 * same + w, same + w, -h, (a * h * h).sum())


def _of_responses(y: Array, n: Any) -> tuple[Any, ...]:
    """The invariants of ``N = K + D`` of responses, whose D has row sums 0."""
    one = (n / n) + 0 * y[:, 0]
    lengths, inner = (y * y).sum(axis=1), y.T @ y
    alpha = lengths.sum() / (n * (n - 1))
    h = (lengths - lengths.sum() / n) / (n - 2)
    cubes, traces, squares = _of_two_vectors(n, alpha, h, one)
    along = y @ (y.T @ h)
    across, twice = (h * along).sum(), ((y @ inner) * y).sum(axis=1)
    triple = (y[:, :, None] * y[:, None, :]).reshape(len(y), -1).T @ y
    entries = cubes + 6 * across + 3 * (alpha * twice.sum() + 2 * (h * twice).sum()) + (triple * triple).sum()
    trace = traces[2] + 3 * n * across + (inner @ inner * inner).sum()
    square = squares + 2 * along + twice
    return _without_diagonal(one, entries, trace, square, lengths + alpha + 2 * h, -n * h / 2, n**2 * across / 4)


def _of_two_vectors(n: Any, alpha: Any, h: Array, times: Array) -> tuple[Any, tuple[Any, ...], Array]:
    """Of ``K_uv = alpha + h_u + h_v`` the sum of cubes, traces of its first powers, and ``(K^2)_uu``.

    ``h``, whose sum is 0, has its values as often as ``times`` says.
    """
    two, three, whole = (times * h * h).sum(), (times * h**3).sum(), n * alpha
    cubes = n**2 * alpha**3 + 6 * n * alpha * two + 2 * n * three
    return cubes, (whole, whole**2 + 2 * n * two, whole**3 + 3 * n * whole * two), n * (h + alpha) ** 2 + two


def _without_diagonal(
    times: Array, entries: Any, trace: Any, square: Array, diagonal: Array, f: Array, inner: Any
) -> tuple[Any, ...]:
    """``sum N^3``, ``tr N^3``, ``sum N^2 f``, ``f'Nf`` and ``sum f^3`` of ``N``, a matrix less its diagonal.

    Of the matrix M ``entries`` is the sum of cubes, ``trace`` that of its cube, ``square`` the diagonal of its square,
    and ``inner`` is ``f'Mf``; ``times`` says how often each entry of the vectors counts.
    """
    return (
        entries - (times * diagonal**3).sum(),
        trace - 3 * (times * diagonal * square).sum() + 2 * (times * diagonal**3).sum(),
        (times * f * (square - diagonal**2)).sum(),
        inner - (times * diagonal * f * f).sum(),
        (times * f**3).sum(),
    )
