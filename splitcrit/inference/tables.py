"""Exact tests of one split that was fixed before the rows were seen: of classes by tables, of responses by permutation.

Main definitions: ``table_of``, ``table_pvalue``, ``permutation_pvalue``, ``enough``.
Main results: given how many rows each group and each class has, and if the classes are independent of the groups, all
orders of the labels are equally likely. For two groups and two classes the p-value sums a hypergeometric law, for more
it is found by dynamic programming where that is quick; elsewhere it is ``(1 + c)/(1 + B)``, ``c`` of ``B`` random
orders reaching the score, which is at most t with probability at most t, whatever ``B``. Nothing is approximated by
the limit of many rows.
Source: wang2024, Lemma 1; phipson2010 for ``(1 + c)/(1 + B)``.
"""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.nulls import gini_pvalue, monte_carlo
from splitcrit.values import complaint

Array = NDArray[Any]
QUICK = 200_000  # steps of the exact law of a table, each about a microsecond
DRAWS = 20  # random orders for each 1/level: p-values are multiples of a twentieth of the level
CHUNK = 2**20  # responses permuted at a time
TIE = 1e-10  # of the sum of squares: scores this near count as equal, which errs on the safe side


def table_of(groups: Array, codes: Array, classes: int) -> Array:
    """Return the counts ``(groups, classes)`` of rows in groups 0, 1, ... and of classes 0, 1, ...

    Examples
    --------
    >>> table_of(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), 2).tolist()
    [[1, 1], [0, 2]]
    """
    r = int(groups.max(initial=0)) + 1
    return np.bincount(groups * classes + codes, minlength=r * classes).reshape(r, classes)


def enough(permutations: int, level: float) -> None:
    """Refuse a number of random orders with which no p-value can be as small as the level.

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
        remedy = f"pass permutations={ceil(1 / level - 1e-9) - 1} or more, or None"
        raise ValueError(complaint(rule, f"{permutations} permutations at level {level:g}", remedy))


def table_pvalue(table: Array, samples: int, rng: np.random.Generator) -> tuple[float, str]:
    """Return the p-value of a table of counts by its Gini gain, and its method: "exact" or "monte_carlo".

    Examples
    --------
    >>> table_pvalue(np.array([[3, 0], [1, 6]]), 99, np.random.default_rng(0))
    (0.03333333333333333, 'exact')
    """
    try:
        found = gini_pvalue(table, method="exact", limit=QUICK)
    except ValueError:  # beyond the limit
        found = gini_pvalue(table, method="monte_carlo", samples=samples, rng=rng)
    return float(found.value), found.method


def permutation_pvalue(groups: Array, responses: Array, samples: int, rng: np.random.Generator) -> float:
    """Return the p-value of the decrease in variance by groups 0, 1, ..., each of some rows.

    It is ``(1 + c)/(1 + samples)``, ``c`` of the permutations of the responses having at least the decrease seen.

    Examples
    --------
    >>> y = np.array([1.0, 1.1, 1.2, 1.3, 5.0, 5.1, 5.2, 5.3])
    >>> permutation_pvalue(np.repeat([0, 1], 4), y, 9999, np.random.default_rng(0))  # of all permutations 2/70
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

    seen, reached = between(centred) - TIE * centred @ centred, 0
    chunk = max(1, CHUNK // len(centred))
    for start in range(0, samples, chunk):
        drawn = np.tile(centred, (min(chunk, samples - start), 1))
        reached += int((between(rng.permuted(drawn, axis=1)) >= seen).sum())
    return float(monte_carlo.permutation_pvalue(reached, samples))
