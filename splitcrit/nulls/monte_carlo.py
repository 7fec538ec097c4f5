"""Random tables under a null model, and how often their Gini gain reaches the one observed.

Main definitions: ``exceedances``, ``permutation_pvalue``, ``estimated``; ``random_tables``, ``tables_drawn``,
``check_total``, ``statistics``; ``draws_for``, as many as comparing columns needs.
Main results: gains are compared as integers ``d n^2 gain``, so that ties count as they should. The observed table is
one of ``1 + B`` that are equally likely under the null; so ``(1 + c) / (1 + B)``, and not ``c / B``, is a p-value.
Source: scipy.stats.random_table draws tables with both margins fixed; phipson2010 (why the observed table counts).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.counting import EXACT_INT
from splitcrit.frozen import complaint
from splitcrit.nulls.standardisation import SAFE_PRODUCT

CHUNK = 2**20  # cells drawn at a time
TIE = 1e-9  # of 1 + score: scores closer than this are equal
BEYOND = 20  # draws beyond which the tail is the smooth one's
FEWEST_DRAWS, MOST_DRAWS = 100, 2000
MOST = 2**28  # observations of a random table; scipy keeps a number of 8 bytes for each


def draws_for(columns: int) -> int:
    """Return the number of draws that comparing some columns needs, at most 2000.

    Columns of d are decided near the quantile 1 - 1/d of their laws. Ranks shall speak there, not the shape of the
    tail, which speaks beyond the last 20 draws: half of these lie beyond 1 - 1/d.

    Examples
    --------
    >>> [draws_for(d) for d in (2, 10, 1000)]
    [100, 400, 2000]
    """
    return min(max(FEWEST_DRAWS, 2 * BEYOND * columns), MOST_DRAWS)


def exceedances(counts: Array, samples: int, model: str, rng: np.random.Generator) -> int:
    """Count those of ``samples`` random tables with a gain at least that of a table without empty rows."""
    rows = counts.sum(axis=1)
    seen = statistics(counts, rows)
    return sum(int((statistics(drawn, rows) >= seen).sum()) for drawn in tables_drawn(counts, samples, model, rng))


def tables_drawn(counts: Array, samples: int, model: str, rng: np.random.Generator) -> Iterator[Array]:
    """Yield ``samples`` random tables with the margins of a table, as many at a time as fit."""
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    size = max(1, CHUNK // counts.size)
    for start in range(0, samples, size):
        yield random_tables(rows, columns, min(size, samples - start), model, rng)


def check_total(counts: Array, remedy: str) -> None:
    """Raise ValueError if a table has too many observations for random tables with its margins."""
    if counts.size and counts.sum(axis=(-2, -1), dtype=np.float64).max() >= SAFE_PRODUCT:
        raise ValueError(complaint("random tables are drawn for totals below 2**31", "a larger table", remedy))


def permutation_pvalue(reached: Any, samples: int) -> Any:
    """Return ``(1 + c) / (1 + samples)`` for ``c`` of the random tables, or orders, that reach the score observed.

    Examples
    --------
    >>> permutation_pvalue(0, 999)
    0.001
    """
    return (1 + reached) / (1 + samples)


def estimated(reached: Any, samples: int) -> tuple[Any, Any]:
    """Return the p-value of random tables, some of which reach a score, and its standard error."""
    value = permutation_pvalue(reached, samples)
    return value, np.sqrt(value * (1 - value) / (1 + samples))


def random_tables(rows: Array, columns: Array, size: int, model: str, rng: np.random.Generator) -> Array:
    """Return random tables of shape ``(size, r, k)``."""
    if model == "multinomial":
        return np.stack([rng.multinomial(a, columns / columns.sum(), size=size) for a in rows], axis=1)
    if int(rows.sum(dtype=object)) > MOST:
        rule, got = f"random tables are drawn for totals up to {MOST}", f"{rows.sum(dtype=object)}"
        raise ValueError(complaint(rule, got, "take a law of the margins, or fewer observations"))
    from scipy.stats import random_table

    return np.asarray(random_table(rows, columns).rvs(size, random_state=rng)).astype(np.int64)


def statistics(counts: Array, rows: Array) -> Array:
    """Return the integers ``d (n sum_ij n_ij^2 / a_i - sum_j b_j^2)``, with ``d`` a common multiple of the ``a_i``."""
    n, d = int(rows.sum()), lcm(*rows.tolist())
    fits = d * n * n < EXACT_INT
    kind = np.int64 if fits else object
    inverses = np.array([d // a for a in rows.tolist()], dtype=kind)
    squares = (counts * counts).sum(axis=-1).astype(kind)
    columns = counts.sum(axis=-2)
    return np.asarray(n * (squares * inverses).sum(axis=-1) - d * (columns * columns).sum(axis=-1).astype(kind))
