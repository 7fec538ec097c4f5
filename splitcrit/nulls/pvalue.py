"""The p-value of a Gini gain: the probability that chance alone reaches it.

Main definitions: ``PValue``, ``gini_pvalue``; ``gain_surprise``, minus its logarithm.
Main results: exact where the table is small; a Pearson III law with the exact first three moments elsewhere.
Source: wang2024, eqs. (12), (28); the gamma p-value is the corrected one, ``Q(mean^2/variance, gain mean/variance)``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from math import log
from typing import Any, Literal, final

import numpy as np

from splitcrit.arguments import PATIENT, Array, generator, microseconds, one_of, whole
from splitcrit.arith.array_libraries import blockwise, is_lazy, library, of_other_library
from splitcrit.data.crossing import Missing
from splitcrit.display import described, shortened
from splitcrit.frozen import complaint
from splitcrit.nulls.batches import device_pvalue, pearson3_tails, special
from splitcrit.nulls.exact import TooLarge, exact_surprise, exact_tail, two_by_two_tail
from splitcrit.nulls.gamma_tails import SMALLEST, gamma_law, surprise
from splitcrit.nulls.margin_totals import compact, constant
from splitcrit.nulls.monte_carlo import check_total, estimated, exceedances
from splitcrit.nulls.null import Model, check_model, null_of_counts, plain, same_parts
from splitcrit.nulls.standardisation import counted, sgini, table_margins
from splitcrit.nulls.third_moment import skewness

Method = Literal["auto", "exact", "pearson3", "gamma", "monte_carlo"]
METHODS: dict[Method, tuple[Model, ...]] = {  # the models each method knows, its default first
    "auto": ("permutation",),
    "exact": ("permutation",),
    "pearson3": ("permutation",),
    "gamma": ("multinomial", "permutation"),
    "monte_carlo": ("permutation", "multinomial"),
}
QUICK = 20_000  # steps of the exact law that are tried under "auto"


@final
@dataclass(frozen=True, eq=False, repr=False)
class PValue:
    """A p-value and how it was found.

    Parameters
    ----------
    value
        The p-value; an array for a batch of tables.
    method
        ``"exact"``, ``"pearson3"``, ``"gamma"`` or ``"monte_carlo"``.
    model
        ``"permutation"`` or ``"multinomial"``.
    standard_error
        The standard error of a Monte Carlo p-value, None elsewhere.
    log_value
        The natural logarithm of an exact p-value that is too small for a float, which is then 0; None elsewhere.

    Examples
    --------
    >>> float(gini_pvalue([[3, 0], [1, 6]]))
    0.03333333333333333
    >>> gini_pvalue([[1000, 0], [0, 1000]])
    PValue(value=0.0, method='exact', model='permutation', standard_error=None, log_value=-1381.57...)
    """

    value: Any
    method: str
    model: str
    standard_error: Any = None
    log_value: float | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        more = "" if self.log_value is None else f", log_value={self.log_value!r}"
        return shortened(self)[:-1] + more + ")"

    _repr_html_ = described

    def __float__(self) -> float:
        return float(self.value)

    def _parts(self) -> tuple[Any, ...]:
        return self.value, self.method, self.model, self.standard_error, self.log_value

    def __eq__(self, other: object) -> bool:
        return same_parts(self._parts(), other._parts()) if isinstance(other, PValue) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._parts())


def gini_pvalue(
    table: Any,
    label: Any = None,
    *,
    method: Method = "auto",
    model: Model | None = None,
    rng: Any = None,
    samples: int = 9999,
    limit: float = PATIENT,
    missing: Missing = "error",
) -> PValue:
    """The p-value of the Gini gain ``g`` of a table fixed in advance: ``P(G >= g)`` under a null model.

    Parameters
    ----------
    table
        Integer counts of shape ``(..., r, k)``, or a `Table`; rows are feature values, columns are classes.
    label
        With it, the first argument is a feature, and both are vectors; see `Table.of`.
    method
        ``"exact"``: all tables with these margins, by dynamic programming, or the hypergeometric law at 2 x 2.
        ``"pearson3"``: a shifted gamma law with the exact mean, variance and skewness.
        ``"gamma"``: a gamma law with mean and variance, Dobra and Gehrke's p-value.
        ``"monte_carlo"``: ``(1 + b) / (1 + samples)`` with ``b`` random tables that reach the gain.
        ``"auto"``: exact where that is quick for every table given, Pearson III elsewhere.
    model
        ``"permutation"`` or ``"multinomial"``; by default multinomial for ``"gamma"``, permutation elsewhere.
    rng
        What ``numpy.random.default_rng`` takes, for ``"monte_carlo"``.
    samples
        How many random tables to draw.
    limit
        How many seconds the exact law may take, as counted for one processor.
    missing
        ``"row"`` gives missing feature values a last row; ``"error"`` refuses them.

    Returns
    -------
    PValue
        Its value is exactly 1 where the null variance is 0.

    Raises
    ------
    ValueError
        If method, model and table do not fit, or if counts are negative, fractional, not finite or ragged.

    See Also
    --------
    selected_pvalue : The p-value if you chose the best of many cuts.
    split_test : The p-value if you chose among features too.
    sgini : A score rather than a p-value.

    References
    ----------
    wang2024, eqs. (12), (28).

    Examples
    --------
    >>> gini_pvalue([[3, 0, 1], [0, 4, 1]])
    PValue(value=0.023809523809523808, method='exact', model='permutation', standard_error=None)
    >>> round(float(gini_pvalue([[3, 0, 1], [0, 4, 1]], method="pearson3")), 4)
    0.0128
    """
    model = _fitting(method, model)
    samples, most, rng = whole(samples, "samples", 1, 2**31), microseconds(limit), generator(rng)
    counts = counted(table, label, missing)
    if of_other_library(counts):
        return _of_arrays(counts, method, model)
    if method in ("auto", "exact"):
        try:
            steps = QUICK if method == "auto" else most
            p = PValue(plain(_exact(counts, steps)), "exact", model)
            if isinstance(p.value, float) and p.value == 0:
                with np.errstate(all="ignore"):  # of counts whose products are too large for a float
                    log_value = -exact_surprise(compact(counts).tolist(), steps)
                return replace(p, log_value=log_value if np.isfinite(log_value) else None)
            return p
        except TooLarge:
            if method == "exact":
                rule, remedy = "the exact law is for small tables", "pass method='pearson3' or 'monte_carlo'"
                got = f"a table beyond limit={limit}"
                raise ValueError(complaint(rule, got, f"{remedy}, or a larger limit")) from None
        return PValue(plain(_pearson3(counts)), "pearson3", model)
    if method == "monte_carlo":
        return _monte_carlo(counts, samples, model, rng)
    return PValue(plain(_pearson3(counts) if method == "pearson3" else _gamma(counts, model)), method, model)


def gain_surprise(table: Any) -> float:
    """``-log`` of the p-value of one table by ``method="auto"``, also where no float is so small.

    Examples
    --------
    >>> round(gain_surprise([[3, 0], [1, 6]]), 6)  # -log(1/30)
    3.401197
    """
    counts = counted(table)
    p = gini_pvalue(counts)
    if p.value > SMALLEST:
        return max(-log(p.value), 0.0)
    if p.method == "exact":
        return exact_surprise(compact(counts).tolist(), QUICK)
    z, skew, _ = pearson3_law(counts)
    shape = 4 / float(skew) ** 2
    return float(surprise(np.array([shape]), np.array([shape + 2 * float(z) / abs(float(skew))]))[0])


def _of_arrays(counts: Any, method: str, model: Model) -> PValue:
    """The p-values of tables in arrays of another library; a Dask array gives a promise."""
    if method not in ("pearson3", "gamma"):
        rule = f"method {method!r} counts in integers of Python"
        raise TypeError(complaint(rule, f"an array of {library(counts)}", "pass method='pearson3' or 'gamma'"))
    if is_lazy(counts):
        return PValue(blockwise(partial(_values, method=method, model=model), counts), method, model)
    return PValue(device_pvalue(counts, method, model), method, model)


def _values(counts: Any, method: Any, model: Model) -> Any:
    return gini_pvalue(counts, method=method, model=model).value


def _fitting(method: Method, model: Model | None) -> Model:
    """Return the model a method is to use, or raise one sentence."""
    one_of(method, Method, "a method")
    if model is None:
        return METHODS[method][0]
    check_model(model)
    if model not in METHODS[method]:
        rule = f"method {method!r} needs what the {model} model does not give"
        why = "its third moment" if method == "pearson3" else "its exact law"
        raise ValueError(complaint(rule, why, "pass method='gamma' or 'monte_carlo', or model='permutation'"))
    return model


def _pearson3(counts: Array) -> Array:
    """Upper tails of the Pearson III law with mean 0, variance 1 and the null skewness."""
    z, skew, variance = pearson3_law(counts)
    return np.where(np.asarray(variance) > 0, pearson3_tails(z, skew, special(z)), 1.0)


def pearson3_law(counts: Array) -> tuple[Array, Array, Array]:
    """The standardised gain, and the null skewness and variance of the gain."""
    _, variance, third = null_of_counts(*table_margins(counts), model="permutation", order=3)
    return np.asarray(sgini(counts)), skewness(variance, third), variance


def _gamma(counts: Array, model: str) -> Array:
    """Upper tails of the gamma law with the null mean and variance."""
    from scipy.special import gammaincc

    shape, reach, variance = gamma_law(counts, model)
    return np.where(np.asarray(variance) > 0, gammaincc(shape, reach), 1.0)


def _tablewise(counts: Array, function: Callable[[Array], float]) -> Array:
    """The function of every table of a batch, without its empty rows and columns."""
    values = np.empty(counts.shape[:-2])
    for place in np.ndindex(values.shape):
        values[place] = function(compact(counts[place]))
    return values


def _exact(counts: Array, limit: int) -> Array:
    """Return exact tails, or raise TooLarge."""

    def tail(table: Array) -> float:
        if not table.size or constant(table.sum(axis=1), table.sum(axis=0)):
            return 1.0
        return two_by_two_tail(table.tolist()) if table.shape == (2, 2) else float(exact_tail(table.tolist(), limit))

    return _tablewise(counts, tail)


def _monte_carlo(counts: Array, samples: int, model: Model, rng: np.random.Generator) -> PValue:
    """``(1 + b) / (1 + samples)`` and its standard error."""
    check_total(counts, "pass method='pearson3'")
    _, variance = null_of_counts(*table_margins(counts), model=model)
    reached = _tablewise(counts, lambda table: exceedances(table, samples, model, rng) if table.size else 0)
    value, error = estimated(np.where(np.asarray(variance) > 0, reached, samples), samples)
    return PValue(plain(value), "monte_carlo", model, plain(error))
