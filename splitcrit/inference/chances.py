"""Scores of many 2 x K tables of counts against chance: each different table once.

Main definitions: ``Chances``, ``chances``, ``by_discoveries``.
Main results: a p-value is exact or, where a table of three or more classes is large, joined of random tables and of
exact tests of one class against the rest (see ``nulls.dichotomies``), which have no floor. Either way a true null has
``P(p <= t) <= t``, given how many rows each side and each class has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.inference.draws import drawn_pvalues
from splitcrit.inference.tails import MOST_ROWS, in_order, tails
from splitcrit.nulls import gini_pvalue, sgini
from splitcrit.nulls.dichotomies import PARTS, joined_pvalue

Array = NDArray[Any]
EXACT, JOINED, CERTAIN = "exact", "random tables and exact tests of one class", "cannot reject"


class Chances(NamedTuple):
    """Of each table SGini, the p-value, its Monte Carlo standard error and its method.

    A table whose rows are on one side or of one class "cannot reject", and has a p-value of 1. The error is 0 where the
    p-value is exact, or the exact tests of one class decide.
    """

    sgini: Array
    pvalue: Array
    error: Array
    method: Array


def chances(tables: Array, samples: int, rng: np.random.Generator, *, tested: bool = True) -> Chances:
    """Return the scores of tables ``(m, 2, K)``; p-values are nan, and methods empty, unless ``tested``.

    Examples
    --------
    >>> found = chances(np.array([[[3, 0], [1, 6]], [[6, 1], [0, 3]], [[2, 2], [0, 0]]]), 99, np.random.default_rng(0))
    >>> found.pvalue.round(4).tolist(), found.method.tolist()
    ([0.0333, 0.0333, 1.0], ['exact', 'exact', 'cannot reject'])
    """
    varies = (tables.sum(axis=2) > 0).all(axis=1) & ((tables.sum(axis=1) > 0).sum(axis=1) > 1)
    m = len(tables)
    score, p, error = np.zeros(m), np.full(m, 1.0 if tested else np.nan), np.full(m, 0.0 if tested else np.nan)
    method = np.full(m, CERTAIN if tested else "", dtype=object)
    different, place = np.unique(in_order(tables[varies]), axis=0, return_inverse=True)
    score[varies] = np.asarray(sgini(different))[place] if len(different) else 0.0
    if tested and len(different):
        found, spread, drawn = _pvalues(different, samples, rng)
        p[varies], error[varies], method[varies] = found[place], spread[place], np.where(drawn, JOINED, EXACT)[place]
    return Chances(score, p, error, method)


def _pvalues(tables: Array, samples: int, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Return the p-value of each table, its standard error, and whether tables were drawn for it."""
    found, error = tails(tables), np.zeros(len(tables))
    large, huge = np.isnan(found), tables.sum(axis=(1, 2)) > MOST_ROWS
    if tables.shape[2] == 2:
        if large.any():
            found[large] = gini_pvalue(tables[large], method="exact").value
        return found, error, np.zeros(len(tables), dtype=bool)
    some = large & ~huge
    found[some], error[some] = drawn_pvalues(tables[some], samples, rng)
    if huge.any():
        estimate = gini_pvalue(tables[huge], method="monte_carlo", samples=samples, rng=rng)
        found[huge], error[huge] = estimate.value, estimate.standard_error
    single = found[large]
    tests = zip(single.tolist(), *_of_one_class(tables[large], samples, rng), strict=True)
    found[large] = [joined_pvalue(drawn, [p for p in exact if p == p]) for drawn, *exact in tests]
    error[large] = np.where(found[large] == PARTS * single, PARTS * error[large], 0.0)
    return found, error, large


def _of_one_class(tables: Array, samples: int, rng: np.random.Generator) -> Iterator[list[float]]:
    """Yield for each class the p-values of that class against the rest, nan where it does not occur."""
    sides = tables.sum(axis=2)
    for k in range(tables.shape[2]):
        one, p = tables[:, :, k], np.full(len(tables), np.nan)
        occurs = one.any(axis=1)
        if occurs.any():
            pairs = in_order(np.stack([one, sides - one], axis=2)[occurs])
            p[occurs] = _pvalues(pairs, samples, rng)[0]
        yield p.tolist()


def by_discoveries(pvalues: Array) -> Array:
    """Return p-values adjusted by Benjamini and Yekutieli: those up to alpha have a false discovery rate of alpha.

    With m p-values in order, ``min over j >= i of p_(j) m (1 + 1/2 + ... + 1/m) / j``, at most 1, whatever their
    dependence. The list is fixed before the labels are seen: p-values of 1 count as well.

    References
    ----------
    benjamini2001, Theorem 1.3.

    Examples
    --------
    >>> by_discoveries(np.array([0.01, 1.0, 0.04])).round(3).tolist()
    [0.055, 1.0, 0.11]
    """
    from scipy.stats import false_discovery_control

    return np.asarray(false_discovery_control(pvalues, method="by"))
