"""Exact tests of one split that was fixed before the rows were seen: of classes by tables, of responses by permutation.

Main definitions: ``SplitPValue``, ``table_of``, ``table_pvalue``, ``variance_pvalue``, ``enough``.
Main results: given how many rows each group and each class has, and if the classes are independent of the groups, all
orders of the labels are equally likely. For two groups and two classes the p-value sums a hypergeometric law, for more
it is found by dynamic programming where that is quick. Elsewhere ``(1 + c)/(1 + B)``, ``c`` of ``B`` random orders
reaching the score, is joined with exact tests of one class against the rest, or of the responses above a quantile
against the others (see ``nulls.dichotomies``), which have no floor. Each p-value is at most t with probability at most
t, whatever ``B``. Nothing is approximated by the limit of many rows.
Source: wang2024, Lemma 1; phipson2010 for ``(1 + c)/(1 + B)``.
"""

from __future__ import annotations

from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.frozen import complaint
from splitcrit.inference.sequential import random_orders, tallied
from splitcrit.nulls import gini_pvalue
from splitcrit.nulls.dichotomies import PARTS, joined_pvalue, of_responses
from splitcrit.nulls.monte_carlo import estimated

Array = NDArray[Any]
QUICK = 200_000  # steps of the exact law of a table, each about a microsecond
DRAWS = 20  # random orders for each 1/level: their p-values are multiples of a twentieth of the level
CHUNK = 2**20  # responses permuted at a time
TIE = 1e-10  # of the sum of squares: scores this near count as equal, which errs on the safe side


class SplitPValue(NamedTuple):
    """A p-value, its method, and the standard error that random orders leave it, 0 where exact tests decide."""

    p: float
    method: str = "exact"
    error: float = 0.0


def table_of(groups: Array, codes: Array, classes: int) -> Array:
    """Return the counts ``(groups, classes)`` of rows in groups 0, 1, ... and of classes 0, 1, ...

    Examples
    --------
    >>> table_of(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), 2).tolist()
    [[1, 1], [0, 2]]
    """
    r = int(groups.max(initial=0)) + 1
    return np.bincount(groups * classes + codes, minlength=r * classes).reshape(r, classes)


def enough(permutations: int, level: float, remedy: str = "permutations={} or more, or None") -> None:
    """Refuse a number of random orders with which no p-value can be as small as the level; the remedy names enough.

    Examples
    --------
    >>> enough(19, 0.05)
    >>> enough(19, 0.025)
    Traceback (most recent call last):
    ...
    ValueError: a p-value of B permutations is at least 1/(1 + B), which must not exceed the level; got 19 \
permutations at level 0.025; pass permutations=39 or more, or None
    """
    if (1 + permutations) * level < 1 - 1e-12:
        rule = "a p-value of B permutations is at least 1/(1 + B), which must not exceed the level"
        remedy = f"pass {remedy.format(ceil(1 / level - 1e-9) - 1)}"
        raise ValueError(complaint(rule, f"{permutations} permutations at level {level:g}", remedy))


def table_pvalue(table: Array, samples: int, rng: np.random.Generator) -> SplitPValue:
    """Return the p-value of a table of counts ``(groups, classes)`` by its Gini gain.

    Examples
    --------
    >>> table_pvalue(np.array([[3, 0], [1, 6]]), 99, np.random.default_rng(0)).p
    0.03333333333333333
    >>> found = table_pvalue(np.array([[40, 20, 20, 20, 20], [0, 22, 22, 22, 22]]), 99, np.random.default_rng(0))
    >>> f"{found.p:.2g}", found.method
    ('9.3e-09', 'random orders and exact tests of one class')
    """
    if (exact := _exact(table)) is not None:
        return SplitPValue(exact)
    drawn = gini_pvalue(table, method="monte_carlo", samples=samples, rng=rng)
    classes = np.flatnonzero(table.any(axis=0))
    pairs = [np.stack([table[:, k], np.delete(table, k, axis=1).sum(axis=1)], axis=1) for k in classes]
    return _joined(float(drawn.value), float(drawn.standard_error), pairs, "one class")


def _exact(table: Array) -> float | None:
    """Return the exact p-value of a table, None where that is slow, which its margins decide."""
    try:
        return float(gini_pvalue(table, method="exact", limit=QUICK).value)
    except ValueError:  # beyond the limit
        return None


def _joined(drawn: float, error: float, pairs: list[Array], of: str) -> SplitPValue:
    """Return the p-value of random orders and of exact tests of labels cut in two; one that is slow counts as 1."""
    exact = (_exact(pair) for pair in pairs)
    p = joined_pvalue(drawn, [1.0 if found is None else found for found in exact])
    return SplitPValue(p, f"random orders and exact tests of {of}", PARTS * error if PARTS * drawn == p else 0.0)


def variance_pvalue(groups: Array, responses: Array, samples: int, rng: np.random.Generator) -> SplitPValue:
    """Return the p-value of the decrease in variance by groups 0, 1, ..., each of some rows.

    ``(1 + c)/(1 + samples)``, ``c`` of the permutations of the responses having at least the decrease seen, is joined
    with exact tests of the responses above each of seven quantiles.

    Examples
    --------
    >>> y = np.array([1.0, 1.1, 1.2, 1.3, 5.0, 5.1, 5.2, 5.3])
    >>> variance_pvalue(np.repeat([0, 1], 4), y, 9999, np.random.default_rng(0)).p  # of all permutations 2/70
    0.0574
    >>> f"{variance_pvalue(np.repeat([0, 1], 40), np.repeat([1.0, 5.0], 40), 99, np.random.default_rng(0)).p:.3g}"
    '2.6e-22'
    """
    pairs = [table_of(groups, above.astype(np.intp), 2) for above in of_responses(responses)]
    return _joined(*permuted(groups, responses, samples, rng), pairs, "responses above a quantile")


def permuted(groups: Array, responses: Array, samples: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return the p-value of the decrease in variance by random orders alone, and its standard error.

    Examples
    --------
    >>> y = np.array([1.0, 1.1, 1.2, 1.3, 5.0, 5.1, 5.2, 5.3])
    >>> permuted(np.repeat([0, 1], 4), y, 9999, np.random.default_rng(0))[0]  # of all permutations 2/70
    0.0287
    """
    order = np.argsort(groups, kind="stable")
    sizes = np.bincount(groups)
    starts = np.cumsum(sizes) - sizes
    centred = responses[order] - responses.mean()
    centred = centred / np.abs(centred).max(initial=np.finfo(float).tiny)

    def between(values: Array) -> Array:
        sums = np.add.reduceat(values, starts, axis=-1)
        return np.asarray((sums * sums / sizes).sum(axis=-1))

    drawn = map(between, random_orders(centred, samples, rng, max(1, CHUNK // len(centred))))
    return estimated(tallied(drawn, between(centred) - TIE * centred @ centred).exceeding, samples)
