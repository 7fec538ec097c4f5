"""The null law of the Gini gain, by its moments, under a model that has a name.

Main definitions: ``NullMoments``, ``gini_null`` (which validates), ``null_law`` (the same for margins already checked).
Main results: one table is computed in integers and rounded once; a batch runs in float64, in a form that does not
cancel; a third moment is always computed in integers.
Source: wang2024, eqs. (12), (16), (21)-(26).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, final

import numpy as np

from splitcrit.arguments import Array, one_of, truth, whole
from splitcrit.arith.array_libraries import blockwise, is_lazy, namespace, of_other_library
from splitcrit.arith.exact_numbers import Ratio
from splitcrit.arith.symbolic import OtherNumbers, no_formula, other_numbers
from splitcrit.data.counting import EXACT_FLOAT
from splitcrit.display import described, shortened
from splitcrit.frozen import complaint
from splitcrit.nulls.batches import device_law, device_margins, pearson3_tails, special, standard
from splitcrit.nulls.margin_totals import margins, present, summed
from splitcrit.nulls.permutation import exact_mean, exact_variance, mean_variance, multinomial_mean_variance
from splitcrit.nulls.third_moment import exact_third, skewness

Model = Literal["permutation", "multinomial"]
UNIT = 2.0**-53  # the relative error of a rounding
ROUNDINGS = 16  # of mean and variance of a batch, beside one for each row and each class
COUNTED = 2**25  # observations up to which roundings are counted: products of two counts are then exact
BLOCK = 8192  # tables computed at a time, so that a block stays in cache


@final
@dataclass(frozen=True, eq=False, repr=False)
class NullMoments:
    """Mean, variance and third central moment of a gain, or of another score, under a null model.

    Parameters
    ----------
    mean, variance
        Numbers for one pair of margins, arrays for a batch.
    third
        The third central moment, or None where it was not asked for.
    method
        ``"formula"``, or ``"corners"``: a sum over the cells of a table and their counts.
    relative_error
        A bound, from counted roundings, of the error of mean and variance relative to the exact ones; 0 of Fractions.
        None of other scores, of the arrays of other libraries, and of batches with more than 2^25 observations.

    Examples
    --------
    >>> gini_null([2, 2], [2, 1, 1], order=3, exact=True)
    NullMoments(mean=Fraction(5, 24), variance=Fraction(1, 72), third=Fraction(1, 864))
    """

    mean: Any
    variance: Any
    third: Any = None
    method: str = field(default="formula", repr=False, kw_only=True)
    relative_error: float | None = field(default=None, repr=False, kw_only=True)

    __repr__ = shortened
    _repr_html_ = described

    @property
    def skewness(self) -> Any:
        """The third moment over the variance to the power 1.5, 0 where the variance is 0; None without a third."""
        if self.third is None:
            return None
        if other_numbers([self.variance, self.third]) is not None:
            return self.third / self.variance / self.variance ** (1 / (self.variance * 0 + 2))
        return plain(skewness(self.variance, self.third))

    def approximate_pvalue(self, gain: Any) -> Any:
        """The upper tail at a gain of the Pearson III law with these three moments; 1 where the variance is 0.

        It is an approximation, good in the middle of a law and by orders of magnitude wrong far out: nothing is decided
        by it. An exact p-value, or one of random orders, is.

        Examples
        --------
        >>> table = [[9, 4, 3], [3, 8, 5], [2, 6, 8]]
        >>> law = gini_null([16, 16, 16], [14, 18, 16], order=3)
        >>> round(float(law.approximate_pvalue(37 / 576)), 3)  # the gain of the table; exactly 0.060
        0.054
        """
        if (other := other_numbers([gain, self.mean])) is not None:
            raise no_formula("the tail of a Pearson III law", other[0], "pass floats")
        if self.third is None:
            raise ValueError(complaint("a Pearson III tail needs three moments", "two", "ask for order=3"))
        mean, variance, third = (np.asarray(x, dtype=np.float64) for x in (self.mean, self.variance, self.third))
        z = standard(np.asarray(gain, dtype=np.float64), mean, variance)
        tails = pearson3_tails(z, skewness(variance, third), special(z))
        return np.where(variance > 0, tails, 1.0)[()]

    def _parts(self) -> tuple[Any, ...]:
        return self.mean, self.variance, self.third

    def __eq__(self, other: object) -> bool:
        return same_parts(self._parts(), other._parts()) if isinstance(other, NullMoments) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._parts())


def same_parts(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether two values that may hold arrays are equal by content."""
    return all(np.array_equal(x, y) for x, y in zip(one, other, strict=True))


def gini_null(
    row_totals: Any, column_totals: Any, *, model: Model = "permutation", order: int = 2, exact: bool = False
) -> NullMoments:
    """The mean, variance and third moment of the Gini gain under a null model, given the margins of a table.

    Under ``"permutation"`` both margins are fixed and the ``n!`` orders of the labels are equally likely; this law is
    exact. Under ``"multinomial"`` every row is drawn independently from the class proportions ``column_totals / n``,
    with the moments of Dobra and Gehrke.

    Parameters
    ----------
    row_totals, column_totals
        Integers of shape ``(..., r)`` and ``(..., k)`` with equal sums; leading axes broadcast. A total of 0 is a row
        or a class that does not occur, and changes nothing. Arrays of another library give arrays of that library.
        Totals of one table may be symbols of sympy, positive ones, or numbers of mpmath.
    model
        ``"permutation"`` or ``"multinomial"``.
    order
        2 for mean and variance, 3 for the third central moment as well (permutation only).
    exact
        Whether to return Fractions.

    Returns
    -------
    NullMoments
        Numbers, or arrays of the shape of the leading axes.

    Raises
    ------
    ValueError
        If totals are negative, fractional, ragged or of different sums, or if model and order do not fit.
    TypeError
        If totals are no numbers, or symbols stand beside numbers of mpmath.

    See Also
    --------
    gini_pvalue : The p-value of a table.
    null_moments : Mean and variance of other criteria.
    null_distribution : The whole distribution, for small tables.

    Notes
    -----
    Time is O(r + k) a table. One table is exact to the last rounding, and so are third moments; mean and variance of
    a batch are rounded at most ``r + k + 16`` times, see ``relative_error``. The variance is never negative, and is 0
    exactly where the gain is constant.

    Proved: null.gini_mean_of_permutation, null.gini_variance_of_permutation, null.gini_moments_of_multinomial,
    null.moments_in_floats_round_once_a_total

    References
    ----------
    wang2024, eqs. (12), (16), (21)-(26).

    Examples
    --------
    >>> gini_null([3, 7], [4, 6], exact=True).variance
    Fraction(1264, 275625)
    >>> gini_null([[3, 7], [5, 5]], [4, 6]).mean.round(4).tolist()
    [0.0533, 0.0533]
    >>> import sympy
    >>> a, b, n = sympy.symbols("a b n")
    >>> gini_null([a, n - a], [b, n - b]).mean
    2*b*(-b + n)/(n**2*(n - 1))
    """
    order, exact = check_model(model, order), truth(exact, "exact")
    if (other := other_numbers(row_totals, column_totals)) is not None:
        return _null_of_others(*other, model, order)
    if of_other_library(row_totals) or of_other_library(column_totals):
        return _null_of_arrays(row_totals, column_totals, model, order, exact)
    rows, columns = margins(row_totals, column_totals)
    law = null_law(rows, columns, model=model, order=order, exact=exact)
    if not exact and _huge(rows):
        _check_size(law, null_of_counts(rows, columns, model=model, order=order))
    return law


def _null_of_others(m: OtherNumbers, totals: list[Any], model: Model, order: int) -> NullMoments:
    """The moments for totals that are symbols or numbers of mpmath."""
    from splitcrit.nulls.other_laws import other_law

    if any(x.ndim != 1 or not x.size for x in totals):
        got = f"shapes {totals[0].shape} and {totals[1].shape}"
        raise ValueError(complaint("symbols and numbers of mpmath are totals of one table", got, "pass two vectors"))
    rows = totals[0].size

    def law(entries: list[Any], m: Any) -> tuple[Any, ...]:
        return other_law(entries[:rows], entries[rows:], m, model, order)

    return NullMoments(*m.run([*totals[0], *totals[1]], "row and column totals", law))


def _null_of_arrays(row_totals: Any, column_totals: Any, model: Model, order: int, exact: bool) -> NullMoments:
    """The moments of margins in arrays of another library; a Dask array gives promises."""
    if exact:
        rule, got = "exact moments are Fractions of numpy margins", "arrays of another library"
        raise TypeError(complaint(rule, got, "copy the margins to the host, or leave exact=True out"))
    if is_lazy(row_totals) and is_lazy(column_totals):
        both = blockwise(_Stacked(model, order), row_totals, column_totals, axes=1, entries=order)
        return NullMoments(*(both[..., i] for i in range(order)))
    rows, columns, _ = device_margins(row_totals, column_totals)
    return NullMoments(*device_law(rows, columns, model, order))


@final
@dataclass(frozen=True)
class _Stacked:
    """The moments of one block of margins, in a last axis."""

    model: Model
    order: int

    def __call__(self, rows: Any, columns: Any) -> Any:
        law = gini_null(rows, columns, model=self.model, order=self.order)
        moments = (law.mean, law.variance, law.third)[: self.order]
        return namespace(rows).stack([np.asarray(x) for x in moments] if isinstance(rows, np.ndarray) else moments, -1)


def check_model(model: str, order: int = 2) -> int:
    """Return the order, or raise one sentence if there is no such model or if it has no such moment."""
    one_of(model, Model, "a null model")
    order = whole(order, "order", 2, 3)
    if order == 3 and model == "multinomial":
        rule = "the multinomial model gives a mean and a variance only"
        raise ValueError(complaint(rule, "order=3", "pass model='permutation' for a third moment"))
    return order


def null_law(
    rows: Array, columns: Array, *, model: str = "permutation", order: int = 2, exact: bool = False
) -> NullMoments:
    """The moments for integer totals with the same leading axes."""
    single = rows.ndim == 1
    if model == "permutation" and (single or exact or order == 3 or _huge(rows)):
        kinds, number = [exact_mean, exact_variance, exact_third][:order], Ratio.fraction if exact else float
        once = 0.0 if exact else UNIT
        if single:
            a, b = present(rows), present(columns)
            return NullMoments(*[number(kind(a, b)) for kind in kinds], relative_error=once)
        every = [_shaped(_each(kind, number, rows, columns), exact) for kind in kinds]
        return NullMoments(*every, relative_error=once)
    if model == "multinomial" and (exact or _huge(rows)):
        mean, variance = multinomial_mean_variance(_fractions(rows), _fractions(columns))
        return NullMoments(_shaped(mean, exact), _shaped(variance, exact), relative_error=0.0 if exact else UNIT)
    law = mean_variance if model == "permutation" else multinomial_mean_variance
    mean, variance = _in_blocks(law, rows, columns)
    units = (rows.shape[-1] + columns.shape[-1] + ROUNDINGS) * UNIT
    error = None if _huge(rows, COUNTED) else units / (1 - units)
    moments = (float(mean), float(variance)) if single else (mean, variance)
    return NullMoments(*moments, relative_error=error)


def null_of_counts(rows: Array, columns: Array, *, model: str, order: int = 2) -> tuple[Array, ...]:
    """The moments of ``n`` times the gain in float64, where those of the gain may be too small for one."""
    law = null_law(rows, columns, model=model, order=order, exact=_huge(rows))
    n = summed(rows) if _huge(rows) else summed(rows).astype(np.float64)
    moments = (law.mean, law.variance, law.third)[:order]
    return tuple(np.asarray(np.asarray(m) * n**i, dtype=np.float64) for i, m in enumerate(moments, 1))


def _check_size(law: NullMoments, of_counts: tuple[Array, ...]) -> None:
    """Raise a ValueError if a moment is too small for a float, so that it would be taken for 0."""
    for moment, scaled in zip((law.mean, law.variance, law.third), of_counts, strict=False):
        if np.any((np.abs(moment) < np.finfo(float).tiny) & (scaled != 0)):
            rule = "a moment in float64 is at least 2e-308"
            raise ValueError(complaint(rule, "a smaller one of a table so large", "pass exact=True"))


def _huge(rows: Array, most: float = EXACT_FLOAT - 1) -> bool:
    """Whether some total of observations is larger, by default than what is surely exact as a float64.

    Rows are added up only where their largest allows it.
    """
    return int(rows.max(initial=0)) * rows.shape[-1] > most and bool(summed(rows).max() > most)


def _each(kind: Callable[[Any, Any], Ratio], number: Callable[[Ratio], Any], rows: Array, columns: Array) -> Array:
    """A moment of every pair of margins of a batch as an object array."""
    moments = np.empty(rows.shape[:-1], dtype=object)
    for place in np.ndindex(moments.shape):
        moments[place] = number(kind(present(rows[place]), present(columns[place])))
    return moments


def _shaped(moments: Array, exact: bool) -> Any:
    """An object array of Fractions as it is or as float64; its only entry if it has no axes."""
    return plain(np.asarray(moments, dtype=object) if exact else np.asarray(moments).astype(np.float64))


def plain(values: Array) -> Any:
    """The only entry of an array without axes; any other array as it is."""
    return values.item() if values.ndim == 0 else values


def _fractions(totals: Array) -> Array:
    """Integer totals ``(..., r)`` as Fractions ``(r, ...)``."""
    listed = np.empty(totals.size, dtype=object)
    listed[:] = [Fraction(x) for x in totals.ravel().tolist()]
    return np.moveaxis(listed.reshape(totals.shape), -1, 0)


def _in_blocks(law: Callable[[Array, Array], tuple[Array, Array]], rows: Array, columns: Array) -> tuple[Array, Array]:
    """The law of a batch, computed on blocks laid out with the batch last."""
    batch = rows.shape[:-1]
    flat_rows, flat_columns = rows.reshape(-1, rows.shape[-1]), columns.reshape(-1, columns.shape[-1])
    mean, variance = np.empty(len(flat_rows)), np.empty(len(flat_rows))
    for start in range(0, len(flat_rows), BLOCK):
        here = slice(start, start + BLOCK)
        a, b = (np.ascontiguousarray(side[here].T, dtype=np.float64) for side in (flat_rows, flat_columns))
        mean[here], variance[here] = law(a, b)
    return mean.reshape(batch), variance.reshape(batch)
