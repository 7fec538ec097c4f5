"""P-values of 2 x K tables from random tables, many tables at once, each drawn for as long as it takes.

With the ``h``-th random table that reaches the observed gain, the ``L``-th drawn, drawing stops at ``h/L``; a table
that is reached ``c < h`` times in ``B`` draws has ``(1 + c)/(1 + B)``. So a split that tells nothing is cheap.

Main definitions: ``drawn_pvalues``.
Main results: both are exact as tests, see ``sequential``; the standard error of ``p`` is ``sqrt(p (1 - p)/L)``, at the
end ``sqrt(p (1 - p)/(1 + B))``.
Source: besag1991; wang2024, Lemma 1 (the law of a table).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.inference.sequential import permutation_pvalue, stopped_pvalue
from splitcrit.inference.tails import score

Array = NDArray[Any]
ENOUGH = 20  # random tables that reach the gain, h
BLOCK = 1 << 20  # random tables at a time


def drawn_pvalues(tables: Array, samples: int, rng: np.random.Generator) -> Array:
    """Return p-values and their standard errors ``(2, m)`` by at most ``samples`` random tables of the margins of each.

    Examples
    --------
    >>> tables = np.array([[[9, 0, 0], [0, 9, 9]], [[3, 3, 3], [3, 3, 3]]])
    >>> drawn_pvalues(tables, 99, np.random.default_rng(0)).round(3).tolist()
    [[0.01, 1.0], [0.01, 0.0]]
    """
    size = max(1, BLOCK // samples)
    blocks = [_block(tables[i : i + size], samples, rng) for i in range(0, max(len(tables), 1), size)]
    return np.concatenate(blocks, axis=1)


def _block(tables: Array, samples: int, rng: np.random.Generator) -> Array:
    """Return p-values and errors of some tables, of which those that go on are drawn twice as often in each round."""
    found, times = np.empty(len(tables)), np.zeros(len(tables), dtype=np.int64)
    draws = np.full(len(tables), 1 + samples)
    on, drawn, size = np.arange(len(tables)), 0, 2 * ENOUGH
    while len(on) and drawn < samples:
        size = min(size, samples - drawn)
        total = times[on, None] + np.cumsum(_reached(tables[on], size, rng), axis=1)
        stopped = total[:, -1] >= ENOUGH
        last = drawn + 1 + (total[stopped] >= ENOUGH).argmax(axis=1)
        found[on[stopped]], draws[on[stopped]] = stopped_pvalue(ENOUGH, last), last
        times[on] = total[:, -1]
        on, drawn, size = on[~stopped], drawn + size, 2 * size
    found[on] = [permutation_pvalue(c, samples) for c in times[on].tolist()]
    return np.stack([found, np.sqrt(found * (1 - found) / draws)])


def _reached(tables: Array, size: int, rng: np.random.Generator) -> Array:
    """Return for each table which of ``size`` random ones with its margins have at least its gain."""
    a, b = tables[:, 0].sum(axis=1), tables.sum(axis=1)
    n = b.sum(axis=1)
    left, rest = np.repeat(a[:, None], size, axis=1), n[:, None]
    value = np.zeros(left.shape, dtype=np.int64)
    for total in b.T[:, :, None]:
        rest = rest - total
        x = rng.hypergeometric(total, rest, left)
        value += score(x, n[:, None], a[:, None], total)
        left = left - x
    observed = score(tables[:, 0], n[:, None], a[:, None], b).sum(axis=1)
    return np.asarray(value >= observed[:, None])
